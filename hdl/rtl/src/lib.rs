//! The RTL of the core, in rust-hdl.
