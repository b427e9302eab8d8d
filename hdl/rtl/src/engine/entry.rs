//! What travels with a ray: its context, its kind, and the one thing it has to remember.

use rust_hdl_core::prelude::*;

/// A ray in a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Entry {
    /// Its pixel's context.
    pub context: Bits<10>,
    /// It is a shadow ray.
    pub shadow: Bit,
    /// It is a reflection ray; neither: a primary ray.
    pub reflection: Bit,
    /// Of a shadow ray: a reflection ray follows. Of a reflection ray: the light was seen from where it starts.
    pub carry: Bit,
}

/// A ray that retired.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Retired {
    /// Its pixel's context.
    pub context: Bits<10>,
    /// It was a shadow ray.
    pub shadow: Bit,
    /// It was a reflection ray; neither: a primary ray.
    pub reflection: Bit,
    /// As in [`Entry`].
    pub carry: Bit,
    /// It has hit a sphere.
    pub hit: Bit,
}

/// A ray that waits for the shader.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Unshaded {
    /// Its pixel's context.
    pub context: Bits<10>,
    /// It is a reflection ray; otherwise a primary ray.
    pub reflection: Bit,
    /// The light was seen from where it starts.
    pub carry: Bit,
    /// It has hit a sphere.
    pub hit: Bit,
    /// The lane that has its hit.
    pub lane: Bits<2>,
}

/// A pixel that is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Done {
    /// Its context.
    pub context: Bits<10>,
    /// The light was seen from its last hit.
    pub seen: Bit,
    /// Its primary ray hit nothing: it has the background's colour, whatever `seen` says.
    pub missed: Bit,
}

/// What a test's result needs to find its way.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Tag {
    /// The ray's context.
    pub context: Bits<10>,
    /// It is a shadow ray.
    pub shadow: Bit,
    /// It is a reflection ray; neither: a primary ray.
    pub reflection: Bit,
    /// As in [`Entry`].
    pub carry: Bit,
    /// Its first test.
    pub first: Bit,
    /// Its last test.
    pub last: Bit,
    /// The slot it is in.
    pub slot: Bits<5>,
    /// The turn it was tested in, modulo 16.
    pub turn: Bits<4>,
}

/// A place in the reorder window.
#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Place {
    /// Which.
    pub index: Bits<15>,
    /// In which lap round the window; a cleared place has it low.
    pub lap: Bit,
}
