//! The tables of a scene file as serde reads them. Numbers keep their places in the text, so that what is found wrong
//! with them later can be shown there.

use serde::Deserialize;
use toml::Spanned;

pub type Vector = Spanned<[f64; 3]>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    pub camera: Camera,
    pub light: Light,
    pub screen: Screen,
    #[serde(default)]
    pub render: Render,
    #[serde(default)]
    pub material: Vec<Spanned<Material>>,
    #[serde(default)]
    pub sphere: Vec<Spanned<Sphere>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Camera {
    pub position: Vector,
    pub look_at: Vector,
    pub fov: Spanned<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Light {
    pub position: Vector,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Screen {
    pub width: Spanned<i64>,
    pub height: Spanned<i64>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Render {
    pub reflections: Option<Spanned<i64>>,
    pub shadows: Option<bool>,
    pub background: Option<Spanned<Background>>,
}

/// A colour of 8-bit channels, or of channels from 0 to 1.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected \"#rrggbb\" or [red, green, blue] of numbers from 0 to 1")]
pub enum Background {
    Text(String),
    Channels([f64; 3]),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Material {
    pub name: Spanned<String>,
    pub ambient: Option<Vector>,
    pub diffuse: Vector,
    pub specular: Option<Vector>,
    pub reflection: Option<Spanned<f64>>,
    pub shininess: Option<Spanned<i64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sphere {
    pub centre: Vector,
    pub radius: Spanned<f64>,
    pub material: Spanned<String>,
}
