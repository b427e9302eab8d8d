//! Reproducible random numbers for tests: of this crate and of all that compare with it.
//!
//! A test prints its seed; `RAYMAN_SEED` (decimal, or hexadecimal after 0x) replaces it.

/// SplitMix64 (Steele, Lea, Flood 2014): 64 bits of state, any seed is good.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts from a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Starts from `RAYMAN_SEED` if that is set, else from `seed`, and prints which, with the test's name.
    pub fn for_test(test: &str, seed: u64) -> Self {
        let seed = std::env::var("RAYMAN_SEED")
            .ok()
            .and_then(|text| match text.strip_prefix("0x") {
                Some(hex) => u64::from_str_radix(hex, 16).ok(),
                None => text.parse().ok(),
            })
            .unwrap_or(seed);
        println!("{test}: RAYMAN_SEED={seed:#x}");
        Self(seed)
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 32 random bits.
    pub fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// Even over 0 .. `bound`, the bound excluded; 0 for a bound of 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u64::from(self.next_u32()) * u64::from(bound)) >> 32) as u32
    }

    /// True in one of `n` cases.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    /// Even over `low` .. `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.next_u32() as f32 / u32::MAX as f32)
    }

    /// Bits of a binary32 number; the special ones (zeros, infinities, NaNs, subnormals, the ends of the range, powers
    /// of two, values near 1) come often.
    pub fn float_bits(&mut self) -> u32 {
        let sign = self.next_u32() & 0x8000_0000;
        let fraction = self.next_u32() & 0x007f_ffff;
        let near_edge =
            [0, 1, 2, 0x003f_ffff, 0x0040_0000, 0x0040_0001, 0x007f_fffe, 0x007f_ffff][self.below(8) as usize];
        let magnitude = match self.below(16) {
            0 => [0, 0x7f80_0000, 0x7fc0_0000, 0x3f80_0000, 0x0080_0000, 0x7f7f_ffff][self.below(6) as usize],
            1 => fraction,
            2 => 0x7f80_0000 | if self.one_in(2) { 1 + self.below(0x7f_ffff) } else { 0 },
            3 => (1 + self.below(4)) << 23 | fraction,
            4 => (251 + self.below(4)) << 23 | fraction,
            5 => self.below(256) << 23,
            6 => self.below(256) << 23 | near_edge,
            7 => (1 + self.below(30)) << 23 | near_edge,
            8..=11 => (117 + self.below(20)) << 23 | fraction,
            _ => (1 + self.below(254)) << 23 | fraction,
        };
        sign | magnitude
    }

    /// Bits of two numbers for an operator: as [`float_bits`](Self::float_bits), and often with close exponents (so that
    /// a difference cancels), or with a product or quotient at the ends of the range.
    pub fn float_pair(&mut self) -> (u32, u32) {
        let a = self.float_bits();
        let exponent = a >> 23 & 255;
        let target = match self.below(6) {
            0 | 1 => exponent.wrapping_add(self.below(5)).wrapping_sub(2),
            2 => 128u32.wrapping_sub(exponent).wrapping_add(self.below(4)).wrapping_sub(2),
            3 => exponent.wrapping_add(126).wrapping_add(self.below(4)).wrapping_sub(2),
            4 => 381u32.wrapping_sub(exponent).wrapping_add(self.below(4)).wrapping_sub(2),
            _ => return (a, self.float_bits()),
        };
        if target >= 255 {
            return (a, self.float_bits());
        }
        let fraction = match self.below(4) {
            0 => a & 0x007f_ffff,
            1 => (a ^ (self.below(4))) & 0x007f_ffff,
            _ => self.float_bits() & 0x007f_ffff,
        };
        let b = (self.next_u32() & 0x8000_0000) | target << 23 | fraction;
        if self.one_in(2) {
            (a, b)
        } else {
            (b, a)
        }
    }
}
