//! The core's counters of the last frame.

use rayman_abi::register::{Counter, COUNTERS};

/// What the core counted in its last frame: one value an entry of `rayman_abi::register::COUNTERS`, in its order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    values: [u64; COUNTERS.len()],
}

/// Where a counter is in the table. In a constant, a name that is not in the table does not compile.
const fn position(name: &str) -> usize {
    let name = name.as_bytes();
    let mut index = 0;
    while index < COUNTERS.len() {
        let candidate = COUNTERS[index].name.as_bytes();
        let mut byte = 0;
        while candidate.len() == name.len() && byte < name.len() && candidate[byte] == name[byte] {
            byte += 1;
        }
        if candidate.len() == name.len() && byte == name.len() {
            return index;
        }
        index += 1;
    }
    panic!("no counter of this name");
}

macro_rules! getters {
    ($($(#[doc = $doc:literal])+ $name:ident;)*) => {$(
        $(#[doc = $doc])+
        pub fn $name(&self) -> u64 {
            const INDEX: usize = position(stringify!($name));
            self.values[INDEX]
        }
    )*};
}

impl Counters {
    /// Takes the values in the order of the table.
    pub fn new(values: [u64; COUNTERS.len()]) -> Self {
        Self { values }
    }

    /// Every counter and its value, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = (&'static Counter, u64)> + '_ {
        COUNTERS.iter().zip(self.values)
    }

    /// A counter by its name in the table.
    pub fn get(&self, name: &str) -> Option<u64> {
        self.iter().find(|(counter, _)| counter.name == name).map(|(_, value)| value)
    }

    getters! {
        /// Clocks from RUN to the end of the frame.
        cycles;
        /// Rays from the camera.
        primary_rays;
        /// Rays towards the light.
        shadow_rays;
        /// Mirrored rays.
        reflection_rays;
        /// Primary and reflection rays that hit a sphere.
        hits;
        /// Shadow rays that found the light hidden.
        occluded;
        /// Pixels made.
        pixels;
        /// Ray-sphere tests: spheres x rays.
        tests;
    }

    /// Rays of every kind.
    pub fn rays(&self) -> u64 {
        self.primary_rays() + self.shadow_rays() + self.reflection_rays()
    }
}
