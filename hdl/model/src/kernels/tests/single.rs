//! The single operations by hand, and against exact arithmetic.

use super::*;

const NAN: f32 = f32::NAN;

fn least(a: f32, b: f32) -> f32 {
    min(&mut Host, &MinInputs { a: number(a), b: number(b) }).q.to_f32()
}

fn greatest(a: f32, b: f32) -> f32 {
    max(&mut Host, &MaxInputs { a: number(a), b: number(b) }).q.to_f32()
}

fn fx1_7(a: f32) -> u32 {
    to_fx1_7(&mut Host, &ToFx1_7Inputs { a: number(a) }).q
}

fn colour8(a: f32) -> u32 {
    to_colour8(&mut Host, &ToColour8Inputs { a: number(a) }).q
}

/// So many units in the last place further.
fn nudged(a: f32, places: i32) -> f32 {
    f32::from_bits(a.to_bits().wrapping_add_signed(places))
}

#[test]
fn lesser_and_greater_by_hand() {
    assert_eq!((least(1.0, 2.0), least(2.0, 1.0), least(-1.0, -2.0)), (1.0, 1.0, -2.0));
    assert_eq!((greatest(1.0, 2.0), greatest(2.0, 1.0), greatest(-1.0, -2.0)), (2.0, 2.0, -1.0));
    // The second operand, where either is NaN and of two zeros.
    assert_eq!((least(NAN, 1.0), greatest(NAN, 1.0)), (1.0, 1.0));
    assert!(least(1.0, NAN).is_nan() && greatest(1.0, NAN).is_nan());
    assert!(least(-0.0, 0.0).is_sign_positive() && least(0.0, -0.0).is_sign_negative());
    assert!(greatest(-0.0, 0.0).is_sign_positive() && greatest(0.0, -0.0).is_sign_negative());
    assert_eq!((least(f32::NEG_INFINITY, 0.0), greatest(f32::INFINITY, 0.0)), (f32::NEG_INFINITY, f32::INFINITY));
}

#[test]
fn a_choice_by_hand() {
    let chosen = |condition| select(&mut Host, &SelectInputs { condition, a: number(1.0), b: number(2.0) }).q.to_f32();
    assert_eq!((chosen(true), chosen(false)), (1.0, 2.0));
}

#[test]
fn what_is_outside_is_clamped_and_a_nan_is_0() {
    for (a, share) in [(0.0, 0), (-0.0, 0), (-1.0, 0), (-3e38, 0), (f32::NEG_INFINITY, 0), (NAN, 0), (1e-40, 0)]
        .into_iter()
        .chain([(1.0, 1), (nudged(1.0, 1), 1), (2.0, 1), (3e38, 1), (f32::INFINITY, 1)])
    {
        assert_eq!((fx1_7(a), colour8(a)), (0x80 * share, 0xff * share), "{a}");
    }
}

/// At every border between two steps, and about it.
#[test]
fn fx1_7_is_the_nearest() {
    for step in 0..128_u32 {
        assert_eq!(fx1_7(step as f32 / 128.0), step);
        let border = (step as f32 + 0.5) / 128.0;
        for places in -40..=40 {
            let a = nudged(border, places);
            let nearest = (f64::from(a) * 128.0 + 0.5).floor() as u32;
            // The one number that the sum with the half rounds up.
            let wanted = if (step, places) == (0, -1) { 1 } else { nearest };
            assert_eq!(fx1_7(a), wanted, "{a:e}, {places} places from {step} and a half");
        }
    }
    assert_eq!(fx1_7(1.0), 0x80);
}

/// Off by the rounding of the product and of the sum at most, 2^-17 each.
#[test]
fn colour8_is_the_nearest() {
    let random = &mut Random::for_test("colour8_is_the_nearest", 1);
    let borders = (0..255).flat_map(|level| {
        let border = (level as f32 + 0.5) / 255.0;
        (-40..=40).map(move |places| nudged(border, places))
    });
    let inside = (0..100_000).map(|_| random.between(0.0, 1.0));
    for a in borders.chain(inside) {
        let (got, exact) = (colour8(a), f64::from(a) * 255.0);
        assert!((f64::from(got) - exact).abs() <= 0.5 + 2f64.powi(-16), "{a:e}: {got}, exactly {exact}");
    }
    for level in 0..=255_u32 {
        assert_eq!(colour8(level as f32 / 255.0), level);
    }
}

/// The bytes of a picture are those of the operator.
#[test]
fn a_pixel_is_made_of_colour8() {
    let random = &mut Random::for_test("a_pixel_is_made_of_colour8", 1);
    for _ in 0..1000 {
        let colour = [0; 3].map(|_| random.between(0.0, 1.25));
        let inputs = ShadeInputs::<Host> {
            origin: triple([0.0; 3]),
            direction: triple([0.0, 0.0, 1.0]),
            hit: false,
            distance: number(0.0),
            centre: triple([0.0; 3]),
            radius_inverse: number(1.0),
            light: triple([0.0, 9.0, 0.0]),
            material_0: 0,
            material_1: 0,
            material_2: 0,
            material_3: 0,
            background: 0,
            accumulated: triple(colour.map(|share| 255.0 * share)),
            weight: number(1.0),
            last: false,
        };
        let [red, green, blue] = colour.map(colour8);
        assert_eq!(shade(&mut Host, &inputs).dark_pixel, red << 16 | green << 8 | blue, "{colour:?}");
    }
}

#[test]
fn reciprocal_root_is_two_rounded_operations() {
    let reciprocal_root = |a: f32| reciprocal_sqrt(&mut Host, &ReciprocalSqrtInputs { a: number(a) }).q.to_f32();
    assert_eq!((reciprocal_root(4.0), reciprocal_root(0.25), reciprocal_root(1.0)), (0.5, 2.0, 1.0));
    assert_eq!((reciprocal_root(0.0), reciprocal_root(-0.0)), (f32::INFINITY, f32::NEG_INFINITY));
    assert_eq!(reciprocal_root(f32::INFINITY), 0.0);
    assert!(reciprocal_root(-1.0).is_nan() && reciprocal_root(NAN).is_nan());
    let random = &mut Random::for_test("reciprocal_root_is_two_rounded_operations", 1);
    for _ in 0..100_000 {
        let a = f32::from_bits(random.float_bits()).abs();
        if a.is_normal() {
            // A root and its reciprocal of a normal number are normal: the host's own operations do.
            assert_eq!(reciprocal_root(a), 1.0 / a.sqrt(), "{a:e}");
        }
    }
}
