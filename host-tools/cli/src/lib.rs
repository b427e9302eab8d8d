//! What the commands `rayman-upload` and `rayman` are made of.
//!
//! ```text
//!  arguments --> scene file --> Scene, RenderOptions --+
//!      |                                               v
//!      +-------> Choice -----open--> Transport --> Device --> picture --> PNG (whole, or not at all)
//!                                                      |
//!                                                      +-----> counters --> report
//! ```
//!
//! Exit codes: 0 done; 1 devices disagree ([`verify`]), slots do not add up ([`bench`]) or a bar is missed ([`robustness`]);
//! 2 anything else. What fails says what happened, where, and what to do; it leaves no file behind.
#![warn(missing_docs)]

pub mod bench;
pub mod command;
pub mod device;
pub mod failure;
pub mod inspect;
pub mod made_scene;
pub mod output_file;
pub mod progress;
pub mod render;
pub mod report;
pub mod robustness;
pub mod scene_file;
pub mod shader;
pub mod thousand_spheres;
pub mod verify;

/// The guide's program compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/guide.md")]
struct Guide;
