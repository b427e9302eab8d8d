//! Simulators behind the driver's `Transport`.
