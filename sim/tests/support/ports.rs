//! A block's ports by the names that they have in Verilog, as numbers.

use rayman_rtl::engine::entry::{Done, Entry, Place, Retired, Tag, Unshaded};
use rust_hdl_core::prelude::{Bits, Clock};
use std::collections::HashMap;

/// A port's value as a number.
pub trait Value: Copy {
    /// Bits.
    const WIDTH: u32;
    /// From the lowest bits of a number.
    fn of(number: u64) -> Self;
    /// As a number.
    fn number(self) -> u64;
}

impl Value for bool {
    const WIDTH: u32 = 1;
    fn of(number: u64) -> Self {
        number & 1 != 0
    }
    fn number(self) -> u64 {
        self.into()
    }
}

impl<const N: usize> Value for Bits<N> {
    const WIDTH: u32 = N as u32;
    fn of(number: u64) -> Self {
        (number & (u64::MAX >> (64 - N))).into()
    }
    fn number(self) -> u64 {
        self.to_u64()
    }
}

fn take<T: Value>(number: &mut u64) -> T {
    let value = T::of(*number);
    *number >>= T::WIDTH;
    value
}

fn put<T: Value>(value: T, number: &mut u64, at: &mut u32) {
    *number |= value.number() << *at;
    *at += T::WIDTH;
}

/// A struct is one port; its first field is in the lowest bits.
macro_rules! struct_value {
    ($($name:ident of $width:literal: $($field:ident),*;)*) => {
        $(impl Value for $name {
            const WIDTH: u32 = $width;
            fn of(mut number: u64) -> Self {
                let mut value = Self::default();
                $(value.$field = take(&mut number);)*
                value
            }
            fn number(self) -> u64 {
                let (mut number, mut at) = (0, 0);
                $(put(self.$field, &mut number, &mut at);)*
                debug_assert_eq!(at, Self::WIDTH);
                number
            }
        })*
    };
}
struct_value! {
    Entry of 13: context, shadow, reflection, carry;
    Retired of 14: context, shadow, reflection, carry, hit;
    Unshaded of 15: context, reflection, carry, hit, lane;
    Done of 12: context, seen, missed;
    Tag of 24: context, shadow, reflection, carry, first, last, slot, turn;
    Place of 16: index, lap;
}

/// Puts a value on an input.
pub type Set<B> = Box<dyn Fn(&mut B, u64)>;
/// Takes an output's value.
pub type Get<B> = Box<dyn Fn(&B) -> u64>;

/// How a block's ports are reached: see [`ports!`].
pub struct Ports<B> {
    /// Puts a level on the clock.
    pub clock: fn(&mut B, Clock),
    /// All inputs but the clock.
    pub inputs: HashMap<String, Set<B>>,
    /// All outputs.
    pub outputs: HashMap<String, Get<B>>,
}

/// The name in Verilog of a field's path, or of an array's element.
pub fn verilog_name(path: &str, index: Option<usize>) -> String {
    let name = path.replace(' ', "").replace('.', "_");
    index.map_or_else(|| name.clone(), |index| format!("{name}_{index}"))
}

/// `ports!(Block; in a, bundle.b, array[3]; out c;)`.
#[macro_export]
macro_rules! ports {
    (@in $ports:ident $block:ty, $($path:ident).+) => {
        $ports.inputs.insert(
            $crate::support::ports::verilog_name(stringify!($($path).+), None),
            Box::new(|block: &mut $block, value: u64| {
                block.$($path).+.next = $crate::support::ports::Value::of(value);
            }),
        );
    };
    (@in $ports:ident $block:ty, $($path:ident).+, $length:literal) => {
        for i in 0..$length {
            $ports.inputs.insert(
                $crate::support::ports::verilog_name(stringify!($($path).+), Some(i)),
                Box::new(move |block: &mut $block, value: u64| {
                    block.$($path).+[i].next = $crate::support::ports::Value::of(value);
                }),
            );
        }
    };
    (@out $ports:ident $block:ty, $($path:ident).+) => {
        $ports.outputs.insert(
            $crate::support::ports::verilog_name(stringify!($($path).+), None),
            Box::new(|block: &$block| $crate::support::ports::Value::number(block.$($path).+.val())),
        );
    };
    (@out $ports:ident $block:ty, $($path:ident).+, $length:literal) => {
        for i in 0..$length {
            $ports.outputs.insert(
                $crate::support::ports::verilog_name(stringify!($($path).+), Some(i)),
                Box::new(move |block: &$block| $crate::support::ports::Value::number(block.$($path).+[i].val())),
            );
        }
    };
    ($block:ty;
     in $($($input:ident).+ $([$inputs:literal])?),*;
     out $($($output:ident).+ $([$outputs:literal])?),*;) => {{
        let mut ports = $crate::support::ports::Ports::<$block> {
            clock: |block, level| block.clock.next = level,
            inputs: Default::default(),
            outputs: Default::default(),
        };
        $(ports!(@in ports $block, $($input).+ $(, $inputs)?);)*
        $(ports!(@out ports $block, $($output).+ $(, $outputs)?);)*
        ports
    }};
}
