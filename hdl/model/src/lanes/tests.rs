//! Eight at once give what one after the other gives.

use super::*;
use crate::random::Random;

/// Numbers of a kind that only numbers of all kinds would meet too rarely, by round.
fn stimulus(random: &mut Random, round: u32) -> ([u32; LANES], [u32; LANES]) {
    let pairs: [(u32, u32); LANES] = from_fn(|_| random.float_pair());
    let (mut a, mut b) = (pairs.map(|pair| pair.0), pairs.map(|pair| pair.1));
    let lane = random.below(LANES as u32) as usize;
    match round % 8 {
        // (1 - 2^-24) 2^-126, where native numbers round to 2^-126.
        0 => (a[lane], b[lane]) = (0x3f7f_ffff, 0x8080_0000),
        // (2 - 2^-23) 2^-126 / 2, likewise.
        1 => (a[lane], b[lane]) = (0x00ff_ffff, 0x4000_0000),
        // A difference that is subnormal.
        2 => (a[lane], b[lane]) = (0x0080_0000 + random.below(100), 0x0080_0000 + random.below(100)),
        _ => {}
    }
    (a.map(|a| Fp32(a).canonical().0), b.map(|b| Fp32(b).canonical().0))
}

/// Every operator, on numbers of all kinds and in the corners of `mul` and `div`, gives the bits that the host gives.
#[test]
fn lanes_are_the_host_eight_times() {
    let mut random = Random::for_test("lanes_are_the_host_eight_times", 0x5eed_0020);
    let (lanes, host) = (&mut Lanes, &mut Host);
    for round in 0..40_000 {
        let (a, b) = stimulus(&mut random, round);
        let (x, y) = (numbers(a), numbers(b));
        let number = |got: Numbers, host: &dyn Fn(&mut Host, &Fp32, &Fp32) -> Fp32| {
            let want: [u32; LANES] = from_fn(|i| host(&mut Host, &Fp32(a[i]), &Fp32(b[i])).0);
            assert_eq!(bits(got), want, "{a:x?} {b:x?}");
            // No subnormal leaves an operator, whoever looks at the bits.
            assert!(cast::<_, [f32; LANES]>(got).iter().all(|number| !number.is_subnormal()), "{a:x?} {b:x?}");
        };
        number(lanes.add(&x, &y), &|h, x, y| h.add(x, y));
        number(lanes.sub(&x, &y), &|h, x, y| h.sub(x, y));
        number(lanes.mul(&x, &y), &|h, x, y| h.mul(x, y));
        number(lanes.div(&x, &y), &|h, x, y| h.div(x, y));
        number(lanes.sqrt(&x), &|h, x, _| h.sqrt(x));
        number(lanes.neg(&x), &|h, x, _| h.neg(x));
        number(lanes.abs(&x), &|h, x, _| h.abs(x));
        number(lanes.min(&x, &y), &|h, x, y| h.min(x, y));
        number(lanes.max(&x, &y), &|h, x, y| h.max(x, y));
        let flag = |got: Numbers, host: &dyn Fn(&mut Host, &Fp32, &Fp32) -> bool| {
            let want = masks(from_fn(|i| host(&mut Host, &Fp32(a[i]), &Fp32(b[i]))));
            assert_eq!(cast::<_, [u32; LANES]>(got), cast::<_, [u32; LANES]>(want), "{a:x?} {b:x?}");
        };
        flag(lanes.lt(&x, &y), &|h, x, y| h.lt(x, y));
        flag(lanes.le(&x, &y), &|h, x, y| h.le(x, y));
        flag(lanes.eq(&x, &y), &|h, x, y| h.eq(x, y));
        assert_eq!(lanes.float_to_int(&x), Words::new(a.map(|a| host.float_to_int(&Fp32(a)))), "{a:x?}");

        let (v, w) = (Words::new(a), Words::new(b));
        let n = random.below(32);
        assert_eq!(bits(lanes.int_to_float(&v)), a.map(|a| host.int_to_float(&a).0), "{a:x?}");
        let got: [u32; LANES] = cast(lanes.bit(&v, n));
        assert_eq!(got, a.map(|a| if host.bit(&a, n) { u32::MAX } else { 0 }), "bit {n} of {a:x?}");
        let lsb = random.below(n + 1);
        assert_eq!(lanes.field(&v, n, lsb), Words::new(a.map(|a| host.field(&a, n, lsb))), "{n}:{lsb} of {a:x?}");
        let fields = from_fn(|i| host.pack(&[(&a[i], n), (&b[i], 32 - n)]));
        assert_eq!(lanes.pack(&[(&v, n), (&w, 32 - n)]), Words::new(fields), "{n} bits of {a:x?}, then {b:x?}");

        let below = lanes.lt(&x, &y);
        let mask: [u32; LANES] = cast(below);
        let chosen: [u32; LANES] = from_fn(|i| if mask[i] != 0 { a[i] } else { b[i] });
        assert_eq!(bits(lanes.select(&below, &x, &y)), chosen);
        assert_eq!(lanes.select_word(&below, &v, &w), Words::new(chosen));
        let not_below = lanes.not(&below);
        assert_eq!(cast::<_, [u32; LANES]>(not_below), mask.map(|mask| !mask));
        assert_eq!(cast::<_, [u32; LANES]>(lanes.or(&below, &not_below)), [u32::MAX; LANES]);
        assert_eq!(cast::<_, [u32; LANES]>(lanes.and(&below, &not_below)), [0; LANES]);
    }
}

/// A NaN in here may be any; whatever it is, results do not differ.
#[test]
fn all_nans_are_one() {
    let mut random = Random::for_test("all_nans_are_one", 0x5eed_0022);
    let lanes = &mut Lanes;
    for round in 0..2000 {
        let (mut a, b) = stimulus(&mut random, round);
        let mut other = a;
        for lane in 0..LANES {
            if random.one_in(2) {
                a[lane] = Fp32::NAN.0;
                other[lane] = 0x7f80_0001 | random.next_u32();
            }
        }
        let [results, others] = [a, other].map(|a| {
            let (x, y) = (numbers(a), numbers(b));
            let (least, most) = (lanes.min(&x, &y), lanes.max(&y, &x));
            let (below, equal) = (lanes.lt(&x, &y), lanes.eq(&x, &x));
            let chosen = lanes.select(&below, &x, &y);
            let same = [lanes.add(&x, &y), lanes.sub(&y, &x), lanes.mul(&x, &y), lanes.div(&x, &y), lanes.div(&y, &x)];
            let signs = [lanes.sqrt(&x), lanes.neg(&x), lanes.abs(&x), least, most, chosen];
            let words: [[u32; LANES]; 3] = [cast(below), cast(equal), cast(lanes.float_to_int(&x))];
            (same.map(bits), signs.map(bits), words)
        });
        assert_eq!(results, others, "{a:x?} {other:x?} {b:x?}");
    }
}

#[test]
fn numbers_come_in_without_subnormals() {
    let kinds = [0, 1, 0x007f_ffff, 0x8000_0001, 0x0080_0000, 0x7f80_0000, 0xff80_0001, 0xc000_0000];
    let want = [0, 0, 0, 0x8000_0000, 0x0080_0000, 0x7f80_0000, 0x7fc0_0000, 0xc000_0000];
    assert_eq!(bits(numbers(kinds)), want);
    assert_eq!(kinds.map(|bits| every(Fp32(bits))).map(bits), want.map(|bits| [bits; LANES]));
    assert_eq!(bits(Lanes.number(1e-40)), [0; LANES]);
    assert_eq!(Lanes.word(7), Words::new([7; LANES]));
}
