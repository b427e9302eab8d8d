//! Words of which the host may know only some bits.
//!
//! A bit is known or not; what is known holds in every wave that the host's run stands for. All that the run computes is an
//! over-approximation: a bit that is known here has that value on hardware.

/// Up to 64 bits, of which some are known. A 32-bit value has its upper 32 bits known to be 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits {
    /// The value of the known bits; 0 where a bit is not known.
    value: u64,
    /// 1 where a bit is known.
    known: u64,
}

impl Bits {
    /// 64 bits of which none is known.
    pub const UNKNOWN: Bits = Bits { value: 0, known: 0 };

    /// A value that is known whole.
    pub const fn of(value: u64) -> Self {
        Self { value, known: !0 }
    }

    /// A value of which the bits of `known` are.
    pub const fn partly(value: u64, known: u64) -> Self {
        Self { value: value & known, known }
    }

    /// The value, where every bit is known.
    pub fn all(self) -> Option<u64> {
        (self.known == !0).then_some(self.value)
    }

    /// The value with its unknown bits 0.
    pub fn least(self) -> u64 {
        self.value
    }

    /// The value with its unknown bits 1.
    pub fn greatest(self) -> u64 {
        self.value | !self.known
    }

    /// 1 where a bit is known.
    pub fn known(self) -> u64 {
        self.known
    }

    /// Whether `value` may be this one.
    pub fn may_be(self, value: u64) -> bool {
        value & self.known == self.value
    }

    /// Whether any bit is set: known if one is known to be, or all are known not to be.
    pub fn any(self) -> Option<bool> {
        if self.value != 0 {
            Some(true)
        } else if self.known == !0 {
            Some(false)
        } else {
            None
        }
    }

    /// What is known of a value that is either this or the other.
    pub fn join(self, other: Self) -> Self {
        let known = self.known & other.known & !(self.value ^ other.value);
        Self::partly(self.value, known)
    }

    /// Word 0 or 1.
    pub fn word(self, index: u32) -> Word {
        let shift = 32 * index;
        Word { value: (self.value >> shift) as u32, known: (self.known >> shift) as u32 }
    }

    /// Two words, the low one first.
    pub fn pair(low: Word, high: Word) -> Self {
        let pair = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
        Self { value: pair(low.value, high.value), known: pair(low.known, high.known) }
    }

    /// A flag as bit 0.
    pub fn flag(self, bit: u32) -> Option<bool> {
        (self.known >> bit & 1 == 1).then_some(self.value >> bit & 1 == 1)
    }

    /// The same with one bit set, cleared or no longer known.
    pub fn with_flag(self, bit: u32, flag: Option<bool>) -> Self {
        let mask = 1u64 << bit;
        match flag {
            Some(flag) => Self::partly(self.value & !mask | u64::from(flag) << bit, self.known | mask),
            None => Self::partly(self.value, self.known & !mask),
        }
    }
}

/// 32 bits, of which some are known: what a register holds, in one lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    value: u32,
    known: u32,
}

impl Word {
    /// 32 bits of which none is known.
    pub const UNKNOWN: Word = Word { value: 0, known: 0 };

    /// A word that is known whole.
    pub const fn of(value: u32) -> Self {
        Self { value, known: !0 }
    }

    /// A word of which the bits of `known` are.
    pub const fn partly(value: u32, known: u32) -> Self {
        Self { value: value & known, known }
    }

    /// The word, where every bit is known.
    pub fn all(self) -> Option<u32> {
        (self.known == !0).then_some(self.value)
    }

    /// Whether `value` may be this one.
    pub fn may_be(self, value: u32) -> bool {
        value & self.known == self.value
    }

    /// What is known of a word that is either this or the other.
    pub fn join(self, other: Self) -> Self {
        let known = self.known & other.known & !(self.value ^ other.value);
        Self::partly(self.value, known)
    }

    /// The word with a value for each bit that is not known, taken from `bits`.
    pub fn resolved(self, bits: u32) -> Self {
        Self::of(self.value | bits & !self.known)
    }

    /// As a 64-bit value below 2^32.
    pub fn extended(self) -> Bits {
        Bits::pair(self, Word::of(0))
    }
}

impl From<u32> for Word {
    fn from(value: u32) -> Self {
        Self::of(value)
    }
}

impl From<Option<u32>> for Word {
    fn from(value: Option<u32>) -> Self {
        value.map_or(Self::UNKNOWN, Self::of)
    }
}
