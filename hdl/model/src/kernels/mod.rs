//! The algorithms of the core, each once, over any [`Arithmetic`].
//!
//! | kernel | what it computes | once a |
//! | --- | --- | --- |
//! | [`camera`] | the camera's axes, a pixel long | frame |
//! | [`primary_ray`] | the ray through a pixel | pixel |
//! | [`sphere_radius`] | what scales the bias of its tests | sphere |
//! | [`sphere_hit`] | where a ray meets a sphere | test |
//! | [`shade`] | the colour of a ray's end, and the rays that may follow | ray |
//! | [`min`], [`max`], [`select`], [`to_fx1_7`], [`to_colour8`], [`reciprocal_sqrt`] | a single operation | - |
//!
//! Each is a typed function, and a [`Kernel`](crate::Kernel) of the same ports for those who want them by name. `docs/numerics.md` says
//! why the formulas are as they are and how far they are off.
//!
//! Inputs go into operators before anything else, so descriptors need not be made canonical first: an operator takes a
//! subnormal as zero and any NaN as the one NaN.

mod camera;
mod primary_ray;
mod shade;
mod single;
mod sphere_hit;
#[cfg(test)]
mod tests;
mod vector;

pub use camera::{camera, tan_half_degrees, Camera, CameraInputs, CameraOutputs};
pub use primary_ray::{primary_ray, PrimaryRay, PrimaryRayInputs, PrimaryRayOutputs};
pub use shade::{shade, Shade, ShadeInputs, ShadeOutputs};
pub use single::{
    max, min, reciprocal_sqrt, select, to_colour8, to_fx1_7, Max, MaxInputs, MaxOutputs, Min, MinInputs, MinOutputs,
    ReciprocalSqrt, ReciprocalSqrtInputs, ReciprocalSqrtOutputs, Select, SelectInputs, SelectOutputs, ToColour8,
    ToColour8Inputs, ToColour8Outputs, ToFx1_7, ToFx1_7Inputs, ToFx1_7Outputs,
};
pub use sphere_hit::{
    sphere_hit, sphere_radius, SphereHit, SphereHitInputs, SphereHitOutputs, SphereRadius, SphereRadiusInputs,
    SphereRadiusOutputs, BIAS,
};
pub use vector::{normalise, Triple};

use crate::arithmetic::Arithmetic;
use crate::kernel::Value;

/// The Rust type of a port's or a port group's value.
macro_rules! port_type {
    ($a:ident Float) => { $a::F };
    ($a:ident Word) => { $a::I };
    ($a:ident Flag) => { $a::B };
    ($a:ident Vector) => { $crate::kernels::Triple<$a::F> };
    ($a:ident Colour) => { $crate::kernels::Triple<$a::F> };
}

/// The ports of a list of fields: a vector has three, `_x`, `_y`, `_z`; a colour three, `_r`, `_g`, `_b`. A field is
/// named as its ports unless a second name is given.
macro_rules! port_list {
    (@ [$($ports:tt)*]) => { &[$($ports)*] };
    (@ $ports:tt ($field:ident) $kind:ident $($rest:tt)*) => { port_list!(@ $ports ($field $field) $kind $($rest)*) };
    (@ $ports:tt ($field:ident $name:ident) Vector $($rest:tt)*) => { port_list!(@@ $ports $name ["_x" "_y" "_z"] $($rest)*) };
    (@ $ports:tt ($field:ident $name:ident) Colour $($rest:tt)*) => { port_list!(@@ $ports $name ["_r" "_g" "_b"] $($rest)*) };
    (@ [$($ports:tt)*] ($field:ident $name:ident) $kind:ident $($rest:tt)*) => {
        port_list!(@ [$($ports)* $crate::Port { name: stringify!($name), kind: $crate::Kind::$kind },] $($rest)*)
    };
    (@@ [$($ports:tt)*] $name:ident [$($suffix:literal)*] $($rest:tt)*) => {
        port_list!(@ [$($ports)* $($crate::Port { name: concat!(stringify!($name), $suffix), kind: $crate::Kind::Float },)*] $($rest)*)
    };
}

/// Takes a field's values from an iterator over values.
macro_rules! take_ports {
    ($ports:ident Float) => {
        $crate::kernels::take_float($ports.next())
    };
    ($ports:ident Word) => {
        $crate::kernels::take_word($ports.next())
    };
    ($ports:ident Flag) => {
        $crate::kernels::take_flag($ports.next())
    };
    ($ports:ident $triple:ident) => {
        $crate::kernels::Triple(std::array::from_fn(|_| $crate::kernels::take_float($ports.next())))
    };
}

/// Appends a field's values to a list.
macro_rules! put_ports {
    ($ports:ident $value:expr, Float) => {
        $ports.push($crate::Value::Float($value))
    };
    ($ports:ident $value:expr, Word) => {
        $ports.push($crate::Value::Word($value))
    };
    ($ports:ident $value:expr, Flag) => {
        $ports.push($crate::Value::Flag($value))
    };
    ($ports:ident $value:expr, $triple:ident) => {
        $ports.extend($value.0.into_iter().map($crate::Value::Float))
    };
}

/// Declares a kernel from the inputs and outputs of a typed function: the two structs, and the adapter by name.
macro_rules! kernel {
    (
        $(#[$doc:meta])* $kernel:ident = $function:ident;
        $(#[$in_doc:meta])* $inputs:ident { $($(#[$i_doc:meta])* $i:ident $(as $i_port:ident)? : $i_kind:ident,)* }
        $(#[$out_doc:meta])* $outputs:ident { $($(#[$o_doc:meta])* $o:ident $(as $o_port:ident)? : $o_kind:ident,)* }
    ) => {
        $(#[$in_doc])*
        pub struct $inputs<A: $crate::Arithmetic> { $($(#[$i_doc])* pub $i: port_type!(A $i_kind),)* }

        $(#[$out_doc])*
        pub struct $outputs<A: $crate::Arithmetic> { $($(#[$o_doc])* pub $o: port_type!(A $o_kind),)* }

        impl<A: $crate::Arithmetic> Clone for $inputs<A> {
            fn clone(&self) -> Self {
                Self { $($i: self.$i.clone(),)* }
            }
        }

        impl<A: $crate::Arithmetic> Clone for $outputs<A> {
            fn clone(&self) -> Self {
                Self { $($o: self.$o.clone(),)* }
            }
        }

        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $kernel;

        impl $crate::Kernel for $kernel {
            const NAME: &'static str = stringify!($function);
            const INPUTS: &'static [$crate::Port] = port_list!(@ [] $(($i $($i_port)?) $i_kind)*);
            const OUTPUTS: &'static [$crate::Port] = port_list!(@ [] $(($o $($o_port)?) $o_kind)*);

            fn evaluate<A: $crate::Arithmetic>(a: &mut A, inputs: &[$crate::Value<A>]) -> Vec<$crate::Value<A>> {
                let mut ports = inputs.iter();
                let inputs = $inputs::<A> { $($i: take_ports!(ports $i_kind),)* };
                let outputs = $function(a, &inputs);
                let mut values = Vec::with_capacity(Self::OUTPUTS.len());
                $(put_ports!(values outputs.$o, $o_kind);)*
                values
            }
        }
    };
}
use {kernel, port_list, port_type, put_ports, take_ports};

/// The number on a port. A kernel's caller gives one value a port, of its kind ([`Kernel::evaluate`](crate::Kernel::evaluate)).
fn take_float<A: Arithmetic>(value: Option<&Value<A>>) -> A::F {
    match value {
        Some(Value::Float(value)) => value.clone(),
        _ => unreachable!("a kernel was called without the number that its port list asks for"),
    }
}

/// The word on a port, as [`take_float`].
fn take_word<A: Arithmetic>(value: Option<&Value<A>>) -> A::I {
    match value {
        Some(Value::Word(value)) => value.clone(),
        _ => unreachable!("a kernel was called without the word that its port list asks for"),
    }
}

/// The flag on a port, as [`take_float`].
fn take_flag<A: Arithmetic>(value: Option<&Value<A>>) -> A::B {
    match value {
        Some(Value::Flag(value)) => value.clone(),
        _ => unreachable!("a kernel was called without the flag that its port list asks for"),
    }
}
