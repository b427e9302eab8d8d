//! The core's datapaths: the kernels of [`rayman_model::kernels`] as blocks.
//!
//! | block | interval in the core |
//! | --- | --- |
//! | [`SphereRadius`] | [`SPHERE_RADIUS_INTERVAL`] |
//! | [`SphereHit`] | [`SPHERE_HIT_INTERVAL`] |
//! | [`Shade`] | [`shade_interval`] of its lanes |
//! | [`PrimaryRay`] | [`PRIMARY_RAY_INTERVAL`] |
//! | [`Camera`] | once a frame: a [`program`](super::program) |
//! | [`Min`], [`Max`], [`Select`], [`ToFx1_7`], [`ToColour8`], [`ReciprocalSqrt`] | not in the core; [`SINGLE_INTERVAL`] |
//!
//! Ports are the kernels', documented there; `inside` is a reserved word of SystemVerilog, so it is `inside_` here.
//! [`block`](super::block) has the handshake. Each has a [stream form](super::stream), too, for users of the crate: the core
//! needs none.

use crate::datapath;
use rayman_model::kernels;

/// It has one operation, so a longer interval would save nothing.
pub const SPHERE_RADIUS_INTERVAL: u32 = 1;
/// A test a clock.
pub const SPHERE_HIT_INTERVAL: u32 = 1;
/// A ray's end every 11 clocks, for one lane: `first-light` waits for its shader in 1 slot of 100, and with 13 in 14.
pub const SHADE_INTERVAL: u32 = 11;
/// A ray's end every 8 clocks, for two lanes.
pub const SHADE_INTERVAL_OF_TWO: u32 = 8;
/// A ray's end every 7 clocks, for more lanes: at 6 the core of three has more multipliers than an ECP5-85F.
pub const SHADE_INTERVAL_OF_MANY: u32 = 7;
/// A pixel every 6 clocks.
pub const PRIMARY_RAY_INTERVAL: u32 = 6;
/// Of single operations: as operators have it, one a clock.
pub const SINGLE_INTERVAL: u32 = 1;

/// The interval of `shade` in a core of so many lanes.
pub const fn shade_interval(lanes: u32) -> u32 {
    match lanes {
        0 | 1 => SHADE_INTERVAL,
        2 => SHADE_INTERVAL_OF_TWO,
        _ => SHADE_INTERVAL_OF_MANY,
    }
}

datapath! {
    /// A sphere's radius.
    pub struct SphereRadius, stream SphereRadiusStream for kernels::SphereRadius {
        radius_squared, radius_inverse,
    } -> {
        radius,
    }
}

datapath! {
    /// Where a ray meets a sphere.
    pub struct SphereHit, stream SphereHitStream for kernels::SphereHit {
        origin_x, origin_y, origin_z,
        direction_x, direction_y, direction_z,
        centre_x, centre_y, centre_z,
        radius_squared, radius,
        own: Flag, inside_: Flag,
    } -> {
        hit: Flag, distance,
    }
}

datapath! {
    /// The colour of a ray's end, and the rays that may follow.
    pub struct Shade, stream ShadeStream for kernels::Shade {
        origin_x, origin_y, origin_z,
        direction_x, direction_y, direction_z,
        hit: Flag, distance,
        centre_x, centre_y, centre_z,
        radius_inverse,
        light_x, light_y, light_z,
        material_0, material_1, material_2, material_3,
        background,
        accumulated_r, accumulated_g, accumulated_b,
        weight, last: Flag,
    } -> {
        point_x, point_y, point_z,
        to_light_x, to_light_y, to_light_z,
        light_distance,
        reflected_x, reflected_y, reflected_z,
        inside_: Flag, lit: Flag, reflects: Flag,
        lit_r, lit_g, lit_b,
        dark_r, dark_g, dark_b,
        next_weight,
        lit_pixel, dark_pixel,
    }
}

datapath! {
    /// The ray through a pixel.
    pub struct PrimaryRay, stream PrimaryRayStream for kernels::PrimaryRay {
        forward_x, forward_y, forward_z,
        right_x, right_y, right_z,
        up_x, up_y, up_z,
        centre_x, centre_y,
        pixel,
    } -> {
        direction_x, direction_y, direction_z,
    }
}

datapath! {
    /// The camera's axes, a pixel long.
    pub struct Camera, stream CameraStream for kernels::Camera {
        position_x, position_y, position_z,
        target_x, target_y, target_z,
        fov_degrees, screen,
    } -> {
        forward_x, forward_y, forward_z,
        right_x, right_y, right_z,
        up_x, up_y, up_z,
        centre_x, centre_y,
        fov_ok: Flag, direction_ok: Flag,
    }
}

datapath! {
    /// The lesser of two numbers.
    pub struct Min, stream MinStream for kernels::Min { a, b } -> { q }
}

datapath! {
    /// The greater of two numbers.
    pub struct Max, stream MaxStream for kernels::Max { a, b } -> { q }
}

datapath! {
    /// One of two numbers.
    pub struct Select, stream SelectStream for kernels::Select { condition: Flag, a, b } -> { q }
}

datapath! {
    /// A number to FX1.7.
    pub struct ToFx1_7, stream ToFx1_7Stream for kernels::ToFx1_7 { a } -> { q }
}

datapath! {
    /// A channel of a colour to a byte of a pixel.
    pub struct ToColour8, stream ToColour8Stream for kernels::ToColour8 { a } -> { q }
}

datapath! {
    /// The reciprocal of a square root.
    pub struct ReciprocalSqrt, stream ReciprocalSqrtStream for kernels::ReciprocalSqrt { a } -> { q }
}
