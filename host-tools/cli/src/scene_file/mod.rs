//! Scene files: TOML in, a checked [`Scene`] and [`RenderOptions`] out. `docs/guide.md` describes the format.
//!
//! Nothing is clamped and nothing is guessed: what cannot be rendered as written is an error that names the file, the
//! line and column, the field, and what to do.

mod schema;

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayman_driver::scene::fx1_7;
use rayman_driver::{Camera, Fx1_7, Item, Material, RenderOptions, Scene, SceneError, Screen, Sphere};
use toml::Spanned;

/// Exponent of the highlight where a material gives none.
const DEFAULT_SHININESS: u8 = 32;

/// What a scene file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneFile {
    /// Light, camera, screen, spheres, materials; valid.
    pub scene: Scene,
    /// Reflections, shadows, background.
    pub options: RenderOptions,
}

/// A place in a text, counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line.
    pub line: usize,
    /// Column.
    pub column: usize,
}

impl Position {
    fn new(text: &str, offset: usize) -> Self {
        // A place past the end (the file stops too early) is shown at the end.
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self { line: before.matches('\n').count() + 1, column: before[line_start..].chars().count() + 1 }
    }
}

/// A scene file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct SceneFileError {
    /// The file, as it was named.
    pub path: PathBuf,
    /// Where in it.
    pub position: Option<Position>,
    /// Which field, such as `sphere[2].radius`; tables count from 0.
    pub field: Option<String>,
    /// What is wrong.
    pub problem: String,
    /// What to do.
    pub hint: Option<String>,
}

impl fmt::Display for SceneFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(Position { line, column }) = self.position {
            write!(f, ":{line}:{column}")?;
        }
        if let Some(field) = &self.field {
            write!(f, ": {field}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl SceneFile {
    /// Reads a scene file.
    pub fn load(path: &Path) -> Result<Self, SceneFileError> {
        let fault = |position, problem: String, hint: &str| SceneFileError {
            path: path.to_owned(),
            position,
            field: None,
            problem,
            hint: Some(hint.to_owned()),
        };
        if path.is_dir() {
            return Err(fault(None, "is a directory, not a scene file".into(), "name a .toml file in it"));
        }
        let bytes = std::fs::read(path).map_err(|error| {
            let hint = "check the path; `scenes/` has scenes to start from";
            fault(None, format!("cannot be read: {error}"), hint)
        })?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let position = Position::new(&String::from_utf8_lossy(&error.as_bytes()[..valid]), valid);
            fault(Some(position), "is not UTF-8 text".into(), "save the scene as UTF-8; is this a scene file?")
        })?;
        Self::parse(path, &text)
    }

    /// Reads the text of a scene file; `path` is for messages.
    pub fn parse(path: &Path, text: &str) -> Result<Self, SceneFileError> {
        let reader = Reader { path, text };
        reader.scene_file(&reader.document()?)
    }
}

/// A text and what it is called.
struct Reader<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Reader<'_> {
    fn fault(
        &self,
        span: Option<Range<usize>>,
        field: Option<String>,
        problem: impl Into<String>,
        hint: impl Into<String>,
    ) -> SceneFileError {
        SceneFileError {
            path: self.path.to_owned(),
            position: span.map(|span| Position::new(self.text, span.start)),
            field,
            problem: problem.into(),
            hint: Some(hint.into()),
        }
    }

    /// The tables of the file.
    fn document(&self) -> Result<schema::Document, SceneFileError> {
        let syntax = |error: toml::de::Error| {
            let hint = "the file is not TOML at this place; docs/guide.md shows the format";
            self.fault(error.span(), None, one_line(error.message()), hint)
        };
        let parsed = toml::de::Deserializer::parse(self.text).map_err(syntax)?;
        serde_path_to_error::deserialize(parsed).map_err(|error| {
            let mut field = field_path(error.path());
            let error = error.into_inner();
            let message = one_line(error.message());
            let hint = if let Some(name) = quoted_after(&message, "missing field ") {
                let hint = format!("add `{name} = ...`, or a table of this name where it is one");
                field.push(name);
                hint
            } else if let Some(name) = quoted_after(&message, "unknown field ") {
                if field.last() != Some(&name) {
                    field.push(name);
                }
                "correct its spelling, or remove it".to_owned()
            } else {
                "docs/guide.md shows what belongs here".to_owned()
            };
            let field = (!field.is_empty()).then(|| field.join(".").replace(".[", "["));
            self.fault(error.span(), field, message, hint)
        })
    }

    fn scene_file(&self, document: &schema::Document) -> Result<SceneFile, SceneFileError> {
        let names = self.material_names(&document.material)?;
        let materials =
            document.material.iter().enumerate().map(|(index, table)| self.material(index, table.get_ref()));
        let spheres = document.sphere.iter().enumerate().map(|(index, table)| {
            let table = table.get_ref();
            let name = table.material.get_ref();
            let material = *names.get(name.as_str()).ok_or_else(|| {
                let mut known: Vec<_> = names.keys().map(|name| format!("{name:?}")).collect();
                known.sort();
                let hint = if known.is_empty() {
                    format!("add a [[material]] table with name = {name:?}")
                } else {
                    format!("the materials are {}", known.join(", "))
                };
                let field = Some(format!("sphere[{index}].material"));
                self.fault(Some(table.material.span()), field, format!("there is no material {name:?}"), hint)
            })?;
            Ok(Sphere { centre: single(table.centre.get_ref()), radius: *table.radius.get_ref() as f32, material })
        });
        let scene = Scene {
            light: single(document.light.position.get_ref()),
            camera: Camera {
                position: single(document.camera.position.get_ref()),
                look_at: single(document.camera.look_at.get_ref()),
                fov_degrees: *document.camera.fov.get_ref() as f32,
            },
            screen: Screen {
                width: self.integer(&document.screen.width, "screen.width", 1, u16::MAX)?,
                height: self.integer(&document.screen.height, "screen.height", 1, u16::MAX)?,
            },
            materials: materials.collect::<Result<_, _>>()?,
            spheres: spheres.collect::<Result<_, _>>()?,
        };
        scene.validate().map_err(|error| self.scene_fault(document, &error))?;
        Ok(SceneFile { scene, options: self.options(&document.render)? })
    }

    fn options(&self, table: &schema::Render) -> Result<RenderOptions, SceneFileError> {
        let mut options = RenderOptions::default();
        if let Some(depth) = &table.reflections {
            options.reflection_depth =
                self.integer(depth, "render.reflections", 0, RenderOptions::MAX_REFLECTION_DEPTH)?;
        }
        if let Some(shadows) = table.shadows {
            options.shadows = shadows;
        }
        if let Some(background) = &table.background {
            let channels = match background.get_ref() {
                schema::Background::Text(text) => hex_colour(text),
                schema::Background::Channels(channels) => {
                    let within = channels.iter().all(|channel| (0.0..=1.0).contains(channel));
                    within.then(|| channels.map(|channel| (channel * 255.0).round() as u8))
                }
            };
            options.background = channels.ok_or_else(|| {
                let problem = "is neither \"#rrggbb\" nor [red, green, blue] of numbers from 0 to 1";
                let hint =
                    "two hexadecimal digits a channel, such as \"#87ceeb\", or three numbers such as [0.5, 0.8, 0.9]";
                self.fault(Some(background.span()), Some("render.background".into()), problem, hint)
            })?;
        }
        Ok(options)
    }

    /// The number of each material by its name.
    fn material_names<'t>(
        &self,
        tables: &'t [Spanned<schema::Material>],
    ) -> Result<HashMap<&'t str, usize>, SceneFileError> {
        let mut names = HashMap::new();
        for (index, table) in tables.iter().enumerate() {
            let name = &table.get_ref().name;
            if let Some(first) = names.insert(name.get_ref().as_str(), index) {
                let line = Position::new(self.text, tables[first].get_ref().name.span().start).line;
                let problem = format!("there is a material {:?} already, in line {line}", name.get_ref());
                let field = Some(format!("material[{index}].name"));
                return Err(self.fault(Some(name.span()), field, problem, "give each material a name of its own"));
            }
        }
        Ok(names)
    }

    fn material(&self, index: usize, table: &schema::Material) -> Result<Material, SceneFileError> {
        let coefficient = |value: f64, span: Range<usize>, field: &str| {
            fx1_7(value).ok_or_else(|| {
                let problem = format!("{value} is not between 0 and 1");
                let hint = "colours and coefficients reach from 0 to 1; divide by 255 if yours reach to 255";
                self.fault(Some(span), Some(format!("material[{index}].{field}")), problem, hint)
            })
        };
        let colour = |channels: Option<&schema::Vector>, field: &str| match channels {
            None => Ok([Fx1_7::ZERO; 3]),
            Some(spanned) => {
                let [red, green, blue] = *spanned.get_ref();
                let channel = |value| coefficient(value, spanned.span(), field);
                Ok([channel(red)?, channel(green)?, channel(blue)?])
            }
        };
        Ok(Material {
            ambient: colour(table.ambient.as_ref(), "ambient")?,
            diffuse: colour(Some(&table.diffuse), "diffuse")?,
            specular: colour(table.specular.as_ref(), "specular")?,
            reflection: match &table.reflection {
                None => Fx1_7::ZERO,
                Some(value) => coefficient(*value.get_ref(), value.span(), "reflection")?,
            },
            shininess: match &table.shininess {
                None => DEFAULT_SHININESS,
                Some(value) => self.integer(value, &format!("material[{index}].shininess"), 0, u8::MAX)?,
            },
        })
    }

    /// A whole number within `least..=most`.
    fn integer<T>(&self, value: &Spanned<i64>, field: &str, least: T, most: T) -> Result<T, SceneFileError>
    where
        T: TryFrom<i64> + PartialOrd + fmt::Display,
    {
        let number = *value.get_ref();
        T::try_from(number).ok().filter(|number| *number >= least && *number <= most).ok_or_else(|| {
            let problem = format!("{number} is not between {least} and {most}");
            self.fault(
                Some(value.span()),
                Some(field.to_owned()),
                problem,
                format!("use a number from {least} to {most}"),
            )
        })
    }

    /// Shows what the driver found wrong with a scene where it stands in the file.
    fn scene_fault(&self, document: &schema::Document, error: &SceneError) -> SceneFileError {
        let span = match (error.item, error.field) {
            (Item::Light, _) => document.light.position.span(),
            (Item::Camera, "position") => document.camera.position.span(),
            (Item::Camera, "look_at") => document.camera.look_at.span(),
            (Item::Camera, _) => document.camera.fov.span(),
            (Item::Screen, "width") => document.screen.width.span(),
            (Item::Screen, _) => document.screen.height.span(),
            (Item::Sphere(index), field) => match (document.sphere.get(index), field) {
                (Some(table), "centre") => table.get_ref().centre.span(),
                (Some(table), "radius") => table.get_ref().radius.span(),
                (Some(table), "material") => table.get_ref().material.span(),
                (Some(table), _) => table.span(),
                (None, _) => 0..0,
            },
            (Item::Material(index), _) => document.material.get(index).map_or(0..0, Spanned::span),
            // The first table that is too many.
            (Item::Scene, "material") => {
                document.material.get(rayman_abi::descriptor::MAX_MATERIALS).map_or(0..0, Spanned::span)
            }
            (Item::Scene, _) => 0..0,
        };
        let field = match error.item {
            Item::Scene => error.field.to_owned(),
            item => format!("{item}.{}", error.field),
        };
        self.fault(Some(span), Some(field), error.problem.to_string(), error.problem.hint())
    }
}

/// FP32 numbers nearest to these. Too large ones become infinities, which validation refuses.
fn single(values: &[f64; 3]) -> [f32; 3] {
    values.map(|value| value as f32)
}

/// The channels of `#rrggbb`.
fn hex_colour(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    // `from_str_radix` would take a sign as well.
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some([red, green, blue])
}

fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The name in backticks that follows `prefix` at the start of a message.
fn quoted_after(message: &str, prefix: &str) -> Option<String> {
    let name = message.strip_prefix(prefix)?.strip_prefix('`')?;
    Some(name[..name.find('`')?].to_owned())
}

/// The path to a value as a scene file's author knows it: `sphere`, `[2]`, `radius`.
fn field_path(path: &serde_path_to_error::Path) -> Vec<String> {
    use serde_path_to_error::Segment;
    path.iter()
        .filter_map(|segment| match segment {
            Segment::Seq { index } => Some(format!("[{index}]")),
            // A value with its place in the text is a structure of this name to serde.
            Segment::Map { key } if key.starts_with("$__serde_spanned") => None,
            Segment::Map { key } => Some(key.clone()),
            Segment::Enum { .. } | Segment::Unknown => None,
        })
        .collect()
}
