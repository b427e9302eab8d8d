//! `shade` by hand and against `f64`.

use super::*;

fn fx(v: [f32; 3]) -> u32 {
    let [r, g, b] = v.map(|c| (c * 128.0) as u32);
    b << 16 | g << 8 | r
}

/// Gathered colours as shares of full brightness: exact where those are multiples of 1/128.
fn shares(colour: &Triple<Fp32>) -> [f64; 3] {
    wide(values(colour)).map(|level| level / 255.0)
}

/// A unit sphere at the origin, met head on from -Z at (0, 0, -1), the light straight behind the camera.
fn head_on() -> ShadeInputs<Host> {
    ShadeInputs {
        origin: triple([0.0, 0.0, -5.0]),
        direction: triple(Z),
        hit: true,
        distance: number(4.0),
        centre: triple([0.0; 3]),
        radius_inverse: number(1.0),
        light: triple([0.0, 0.0, -9.0]),
        material_0: fx([0.125, 0.25, 0.0]),
        material_1: fx([0.5, 0.25, 0.125]),
        material_2: fx([0.25, 0.25, 0.25]),
        material_3: 10 << 8,
        background: 0x0012_ab7f,
        accumulated: triple([0.0; 3]),
        weight: number(1.0),
        last: false,
    }
}

#[test]
fn head_on_by_hand() {
    let out = shade(&mut Host, &head_on());
    assert_eq!(values(&out.point), [0.0, 0.0, -1.0]);
    assert_eq!(values(&out.to_light), [0.0, 0.0, -1.0]);
    assert_eq!(out.light_distance.to_f32(), 8.0);
    assert_eq!(values(&out.reflected), [0.0, 0.0, -1.0], "straight back");
    assert!(out.lit && !out.inside && !out.reflects);
    // N.L = 1 and R.L = 1: ambient + diffuse + specular.
    assert_eq!(shares(&out.dark_colour), [0.125, 0.25, 0.0]);
    assert_eq!(shares(&out.lit_colour), [0.875, 0.75, 0.375]);
    // 255 x 0.875 = 223.1, 191.3, 95.6; 31.9, 63.8, 0.
    assert_eq!(out.lit_pixel, 0x00df_bf60);
    assert_eq!(out.dark_pixel, 0x0020_4000);
}

/// The light at (0, 3, -5) as seen from (0, 0, -1): L = (0, 3, -4) / 5, so N.L = 0.8, and R = (0, 0, -1), so R.L = 0.8.
/// With shininess 2 the highlight is 0.64.
#[test]
fn oblique_light_by_hand() {
    let mut inputs = head_on();
    inputs.light = triple([0.0, 3.0, -5.0]);
    inputs.material_3 = 2 << 8;
    let out = shade(&mut Host, &inputs);
    assert_eq!(out.light_distance.to_f32(), 5.0);
    assert!(close(values(&out.to_light), [0.0, 0.6, -0.8], 1e-7));
    let want = [0.125 + 0.5 * 0.8 + 0.25 * 0.64, 0.25 + 0.25 * 0.8 + 0.25 * 0.64, 0.125 * 0.8 + 0.25 * 0.64];
    assert!(
        close(values(&out.lit_colour), want.map(|share| 255.0 * share), 255.0 * 2e-7),
        "{:?} {want:?}",
        out.lit_colour
    );
}

/// A ray at 45 degrees onto the top of the sphere leaves at 45 degrees.
#[test]
fn mirrored_ray_by_hand() {
    let mut inputs = head_on();
    let s = 0.5f32.sqrt();
    inputs.origin = triple([-2.0, 3.0, 0.0]);
    inputs.direction = triple([s, -s, 0.0]);
    inputs.distance = number(8.0f32.sqrt());
    let out = shade(&mut Host, &inputs);
    assert!(close(values(&out.point), [0.0, 1.0, 0.0], 1e-6));
    assert!(close(values(&out.reflected), [f64::from(s), f64::from(s), 0.0], 1e-6), "{:?}", values(&out.reflected));
}

#[test]
fn from_within_the_normal_is_turned() {
    let mut inputs = head_on();
    inputs.origin = triple([0.0; 3]);
    inputs.distance = number(1.0);
    inputs.light = triple([0.0; 3]);
    let out = shade(&mut Host, &inputs);
    assert!(out.inside && out.lit, "the light is within, too");
    assert_eq!(shares(&out.lit_colour), [0.875, 0.75, 0.375]);
    inputs.light = triple([0.0, 0.0, 9.0]);
    let out = shade(&mut Host, &inputs);
    assert!(out.inside && !out.lit, "the light is outside");
    assert_eq!(out.lit_colour, out.dark_colour);
}

/// k = 0.5 gives half the weight to the sphere and half to what it mirrors; k = 1 all to the mirror.
#[test]
fn reflection_shares_the_weight() {
    for (k, last, weight, own) in
        [(64, false, 0.25, 0.25), (128, false, 0.5, 0.0), (255, false, 0.5, 0.0), (64, true, 0.25, 0.5)]
    {
        let mut inputs = head_on();
        inputs.material_3 = 10 << 8 | k;
        inputs.weight = number(0.5);
        inputs.last = last;
        inputs.accumulated = triple([255.0 / 16.0, 0.0, 0.0]);
        let out = shade(&mut Host, &inputs);
        assert_eq!(out.reflects, !last, "k {k}");
        assert_eq!(out.next_weight.to_f32(), weight, "k {k}");
        assert_eq!(shares(&out.dark_colour), [0.0625 + own * 0.125, own * 0.25, 0.0], "k {k} last {last}");
        assert_eq!(shares(&out.lit_colour), [0.0625 + own * 0.875, own * 0.75, own * 0.375], "k {k} last {last}");
    }
}

/// A miss gives back every background byte exactly, whatever the hit's inputs are.
#[test]
fn background_bytes_are_exact() {
    for level in 0..=255u32 {
        let mut inputs = head_on();
        inputs.hit = false;
        inputs.distance = [number(0.0), Fp32::NAN, number(f32::INFINITY), number(4.0)][(level % 4) as usize];
        inputs.material_3 = 0x80;
        inputs.background = 0xff00_0000 | level << 16 | (255 - level) << 8 | (level ^ 0x55);
        let out = shade(&mut Host, &inputs);
        assert_eq!(out.lit_pixel, inputs.background & 0x00ff_ffff);
        assert_eq!(out.dark_pixel, out.lit_pixel);
        assert!(!out.lit && !out.reflects);
    }
}

#[test]
fn fixed_point_above_one_counts_as_one() {
    let mut inputs = head_on();
    let colours = |word: u32| {
        inputs.material_0 = word;
        shade(&mut Host, &inputs).dark_colour
    };
    let mut colours = colours;
    assert_eq!(colours(0x0080_8080), colours(0x00ff_81c0));
    assert_eq!(shares(&colours(0xff80_7f01)), [1.0 / 128.0, 127.0 / 128.0, 1.0], "and the top byte is reserved");
}

/// Colours above 1 end at 255, and the gathered colour is not clamped.
#[test]
fn bright_colours_saturate() {
    let mut inputs = head_on();
    (inputs.material_0, inputs.material_1, inputs.material_2) = (fx([1.0; 3]), fx([1.0; 3]), fx([1.0; 3]));
    let out = shade(&mut Host, &inputs);
    assert_eq!(shares(&out.lit_colour), [3.0; 3]);
    assert_eq!(out.lit_pixel, 0x00ff_ffff);
}

/// Every shininess against the power in f64; to the power of 0 the highlight is full, even where R.L is 0 or below.
#[test]
fn highlight_is_the_power() {
    for shininess in 0..=255u32 {
        let mut inputs = head_on();
        inputs.light = triple([0.0, 3.0, -5.0]);
        (inputs.material_0, inputs.material_1, inputs.material_2) = (0, 0, fx([1.0; 3]));
        inputs.material_3 = shininess << 8;
        let got = shares(&shade(&mut Host, &inputs).lit_colour)[0];
        let want = 0.8f64.powi(shininess as i32);
        assert!((got - want).abs() <= 4e-7 * f64::from(shininess.max(1)) * want, "{shininess}: {got} {want}");
    }
    // The light grazes: N.L > 0 but R.L < 0.
    let mut inputs = head_on();
    let s = 0.5f32.sqrt();
    inputs.direction = triple([s, 0.0, s]);
    inputs.origin = triple([-s, 0.0, -1.0 - s]);
    inputs.distance = number(1.0);
    inputs.light = triple([-50.0, 0.0, -6.0]);
    (inputs.material_0, inputs.material_1, inputs.material_2) = (0, 0, fx([1.0; 3]));
    for (shininess, want) in [(0, 1.0), (1, 0.0), (255, 0.0)] {
        inputs.material_3 = shininess << 8;
        let out = shade(&mut Host, &inputs);
        assert!(out.lit);
        assert_eq!(shares(&out.lit_colour)[0], want, "shininess {shininess}");
    }
}

/// The light on the surface gives no direction, so no light; one too far to have a squared distance, neither.
#[test]
fn light_at_the_point_or_beyond_reach_is_dark() {
    for light in [[0.0, 0.0, -1.0], [0.0, 0.0, -1e20], [f32::NAN, 0.0, -2.0], [0.0, 0.0, f32::NEG_INFINITY]] {
        let mut inputs = head_on();
        inputs.light = triple(light);
        let out = shade(&mut Host, &inputs);
        assert!(!out.lit, "{light:?}");
        assert_eq!(out.lit_pixel, out.dark_pixel);
    }
}

/// The same source in f64: the rounding of 32 bits stays small, and decisions agree where they are not close.
#[test]
fn shade_agrees_with_f64() {
    let mut random = Random::for_test("shade_agrees_with_f64", 0x5eed_0012);
    let mut compared = 0;
    for _ in 0..50_000 {
        let centre = [0; 3].map(|_| random.between(-10.0, 10.0));
        let radius = random.between(0.1, 5.0);
        let normal = unit([0; 3].map(|_| f64::from(random.between(-1.0, 1.0))));
        let towards = unit([0; 3].map(|_| f64::from(random.between(-1.0, 1.0))));
        let distance = random.between(0.1, 20.0);
        let point = [0, 1, 2].map(|i| f64::from(centre[i]) + f64::from(radius) * normal[i]);
        let origin = [0, 1, 2].map(|i| (point[i] - f64::from(distance) * towards[i]) as f32);
        let light = [0; 3].map(|_| random.between(-30.0, 30.0));
        let direction = towards.map(|c| c as f32);
        let words = [0; 4].map(|_: u32| random.next_u32() & 0x007f_7f7f);
        let (weight, hit, last) = (random.between(0.0, 1.0), !random.one_in(8), random.one_in(2));
        let accumulated = [0; 3].map(|_| random.between(0.0, 255.0));
        let background = random.next_u32();

        let out = shade(
            &mut Host,
            &ShadeInputs {
                origin: triple(origin),
                direction: triple(direction),
                hit,
                distance: number(distance),
                centre: triple(centre),
                radius_inverse: number(1.0 / radius),
                light: triple(light),
                material_0: words[0],
                material_1: words[1],
                material_2: words[2],
                material_3: words[3],
                background,
                accumulated: triple(accumulated),
                weight: number(weight),
                last,
            },
        );
        let check = shade(
            &mut F64,
            &ShadeInputs {
                origin: Triple(wide(origin)),
                direction: Triple(wide(direction)),
                hit,
                distance: f64::from(distance),
                centre: Triple(wide(centre)),
                radius_inverse: 1.0 / f64::from(radius),
                light: Triple(wide(light)),
                material_0: words[0],
                material_1: words[1],
                material_2: words[2],
                material_3: words[3],
                background,
                accumulated: Triple(wide(accumulated)),
                weight: f64::from(weight),
                last,
            },
        );
        assert!(close(values(&out.point), check.point.0, 1e-5));
        assert!(close(values(&out.reflected), check.reflected.0, 2e-5 / f64::from(radius)));
        let length = dot64(wide(values(&out.reflected)), wide(values(&out.reflected))).sqrt();
        assert!((length - 1.0).abs() < 1e-6 / f64::from(radius), "reflected length {length}");
        assert!((f64::from(out.next_weight.to_f32()) - check.next_weight).abs() < 1e-6);
        assert_eq!(out.reflects, check.reflects);
        if (0..3).any(|i| (f64::from(light[i]) - check.point.0[i]).abs() < 0.5)
            || out.lit != check.lit
            || out.inside != check.inside
        {
            continue;
        }
        compared += 1;
        assert!(close(values(&out.to_light), check.to_light.0, 2e-5));
        // A highlight of exponent n multiplies the error of its base by n.
        let error = 2e-5 * (1.0 + f64::from(words[3] >> 8 & 127)) / f64::from(radius).min(1.0);
        assert!(close(values(&out.dark_colour), check.dark_colour.0, 255.0 * 1e-6));
        assert!(
            close(values(&out.lit_colour), check.lit_colour.0, 255.0 * error),
            "{:?} {:?}",
            values(&out.lit_colour),
            check.lit_colour
        );
        for shift in [0, 8, 16] {
            let (got, want) = (out.dark_pixel >> shift & 255, check.dark_pixel >> shift & 255);
            assert!(got.abs_diff(want) <= 1, "{:#x} {:#x}", out.dark_pixel, check.dark_pixel);
        }
    }
    assert!(compared > 40_000, "{compared}");
}
