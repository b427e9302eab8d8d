//! Writes `scenes/thousand-spheres.toml`: `cargo run -p rayman-tools --example thousand-spheres > FILE`.

fn main() {
    print!("{}", rayman_tools::thousand_spheres::scene());
}
