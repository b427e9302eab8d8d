//! A constant whose value is part of its type, so that a block that uses it can derive `Default`.
//!
//! Kernels cannot name a Rust `const` (it would be emitted as an undefined name), so a code or an offset that
//! `rayman-abi` defines comes into a kernel as a field.

use crate::gate::Gated;
use rust_hdl_core::prelude::*;

/// The constant `V`, `W` bits wide.
#[derive(Clone, Debug)]
pub struct Fixed<const W: usize, const V: u64>(Constant<Bits<W>>);

impl<const W: usize, const V: u64> Default for Fixed<W, V> {
    fn default() -> Self {
        Self(Constant::new(bits(V)))
    }
}

impl<const W: usize, const V: u64> Fixed<W, V> {
    /// Its value. Usable in kernels.
    pub fn val(&self) -> Bits<W> {
        self.0.val()
    }
}

impl<const W: usize, const V: u64> Logic for Fixed<W, V> {
    fn update(&mut self) {}
}

impl<const W: usize, const V: u64> Block for Fixed<W, V> {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        self.0.accept(name, probe);
    }
}

impl<const W: usize, const V: u64> Gated for Fixed<W, V> {
    const LEAF: bool = true;

    fn tick(&mut self, _level: Clock) {}

    fn told(&self) -> bool {
        false
    }
}
