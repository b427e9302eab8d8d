//! The same kernels in `f64`: a check of their algebra that shares none of the rounding.

use crate::arithmetic::Arithmetic;
use crate::fp32::{word_bit, word_field, word_pack};

/// `f64` numbers: no flush, no single NaN; every operation rounded to 53 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct F64;

impl Arithmetic for F64 {
    type F = f64;
    type I = u32;
    type B = bool;

    fn number(&mut self, value: f32) -> f64 {
        f64::from(value)
    }
    fn word(&mut self, value: u32) -> u32 {
        value
    }

    fn add(&mut self, a: &f64, b: &f64) -> f64 {
        a + b
    }
    fn sub(&mut self, a: &f64, b: &f64) -> f64 {
        a - b
    }
    fn mul(&mut self, a: &f64, b: &f64) -> f64 {
        a * b
    }
    fn div(&mut self, a: &f64, b: &f64) -> f64 {
        a / b
    }
    fn sqrt(&mut self, a: &f64) -> f64 {
        a.sqrt()
    }
    fn neg(&mut self, a: &f64) -> f64 {
        -a
    }
    fn abs(&mut self, a: &f64) -> f64 {
        a.abs()
    }

    fn lt(&mut self, a: &f64, b: &f64) -> bool {
        a < b
    }
    fn le(&mut self, a: &f64, b: &f64) -> bool {
        a <= b
    }
    fn eq(&mut self, a: &f64, b: &f64) -> bool {
        a == b
    }

    fn select(&mut self, condition: &bool, yes: &f64, no: &f64) -> f64 {
        if *condition {
            *yes
        } else {
            *no
        }
    }
    fn select_word(&mut self, condition: &bool, yes: &u32, no: &u32) -> u32 {
        if *condition {
            *yes
        } else {
            *no
        }
    }
    fn and(&mut self, a: &bool, b: &bool) -> bool {
        *a & *b
    }
    fn or(&mut self, a: &bool, b: &bool) -> bool {
        *a | *b
    }
    fn not(&mut self, a: &bool) -> bool {
        !*a
    }

    fn int_to_float(&mut self, a: &u32) -> f64 {
        f64::from(*a as i32)
    }
    fn float_to_int(&mut self, a: &f64) -> u32 {
        *a as i32 as u32
    }

    fn bit(&mut self, a: &u32, n: u32) -> bool {
        word_bit(*a, n)
    }
    fn field(&mut self, a: &u32, msb: u32, lsb: u32) -> u32 {
        word_field(*a, msb, lsb)
    }
    fn pack(&mut self, fields: &[(&u32, u32)]) -> u32 {
        word_pack(fields)
    }
}
