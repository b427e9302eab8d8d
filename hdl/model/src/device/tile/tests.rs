//! Pixels in tiles against pixels one by one, ray by ray, on the host's numbers.

use super::*;
use crate::device::one_by_one::{self, Ray};
use crate::kernels::{camera, CameraInputs};
use crate::random::Random;
use crate::Host;

/// Spheres about the origin, some of them twice, and a camera among or before them. One frame in eight has numbers of all
/// kinds in it.
fn random_frame(random: &mut Random) -> Frame {
    let odd = random.one_in(8);
    let place = |random: &mut Random, far: f32| {
        Triple([0; 3].map(|_| match odd && random.one_in(6) {
            true => Fp32(random.float_bits()).canonical(),
            false => Fp32::from_f32(random.between(-far, far)),
        }))
    };
    let (width, height) = (1 + random.below(24), 1 + random.below(24));
    let position = place(random, 6.0);
    let inputs = CameraInputs {
        position,
        target: Triple([0; 3].map(|_| Fp32::from_f32(random.between(-1.0, 1.0)))),
        fov_degrees: Fp32::from_f32(random.between(20.0, 110.0)),
        screen: height << 16 | width,
    };
    let mut frame = Frame {
        width,
        height,
        position,
        camera: camera(&mut Host, &inputs),
        light: place(random, 8.0),
        background: random.next_u32() & 0x00ff_ffff,
        reflection_depth: random.below(16) >> random.below(4),
        shadows: !random.one_in(4),
        spheres: Vec::new(),
        materials: (0..1 + random.below(8)).map(|_| [0; 4].map(|_| random.next_u32() & 0x7f7f_7f7f)).collect(),
    };
    for _ in 0..random.below(20) {
        let radius = random.between(0.1, 3.0);
        let (squared, inverse) = (Fp32::from_f32(radius * radius), Fp32::from_f32(1.0 / radius));
        let material = random.below(frame.materials.len() as u32) as usize;
        let sphere = Sphere::new(place(random, 5.0), squared, inverse, material);
        frame.spheres.push(sphere);
        if random.one_in(4) {
            // In the same place, with another look: which of the two counts can be seen.
            frame.spheres.push(Sphere { material: random.below(frame.materials.len() as u32) as usize, ..sphere });
        }
    }
    frame
}

#[test]
fn pixels_in_tiles_are_the_pixels_one_by_one() {
    let mut random = Random::for_test("pixels_in_tiles_are_the_pixels_one_by_one", 0x5eed_0021);
    let mut total = RayCounts::default();
    let mut tile = Tile::default();
    for round in 0..300 {
        let frame = random_frame(&mut random);
        let places = (0..frame.height).flat_map(|y| (0..frame.width).map(move |x| (x, y)));
        let want: Vec<Pixel> = places.map(|(x, y)| one_by_one::pixel(&frame, x, y, &mut |_, _| {})).collect();
        // What was in a pixel or a tile before must not matter, nor where a tile begins.
        let rubbish = Pixel { colour: 0x1234_5678, rays: RayCounts { hits: 99, ..RayCounts::default() } };
        let mut got = vec![rubbish; want.len()];
        let length = 1 + random.below(MOST_PIXELS as u32) as usize;
        for (index, pixels) in got.chunks_mut(length).enumerate() {
            tile.render(&frame, (index * length) as u64, pixels);
        }
        assert_eq!(got, want, "frame {round}, tiles of {length} pixels");
        got.fill(rubbish);
        frame.render(0, &mut got);
        assert_eq!(got, want, "frame {round}, all at once");
        want.iter().for_each(|pixel| total += pixel.rays);
    }
    let RayCounts { shadow, reflection, hits, occluded, .. } = total;
    assert!(hits > 40_000 && reflection > 20_000 && occluded > 5_000 && shadow - occluded > 2_000, "{total:?}");
}

/// Of two spheres in the same place the first counts, whichever vector lane the ray is in.
#[test]
fn of_equally_near_spheres_the_first_counts() {
    let mut random = Random::for_test("of_equally_near_spheres_the_first_counts", 0x5eed_0023);
    let mut ties = 0;
    for _ in 0..200 {
        let frame = random_frame(&mut random);
        let spheres = &frame.spheres;
        let directions: [[f32; LANES]; 3] = from_fn(|_| from_fn(|_| random.between(-1.0, 1.0)));
        let direction = Triple(directions.map(Numbers::from));
        let rays = Rays {
            origin: frame.position.map(|c| every(*c)),
            direction,
            start: Words::splat(NOWHERE),
            inside: Numbers::ZERO,
        };
        let (distance, at) = rays.nearest(spheres);
        let (distance, at): (Bits, Bits) = (cast(distance), cast(at));
        for lane in 0..LANES {
            let direction = Triple(directions.map(|c| Fp32::from_f32(c[lane])));
            match (Ray { origin: frame.position, direction, start: None }.nearest(spheres, &mut |_, _| {})) {
                None => assert_eq!(at[lane], NOWHERE),
                Some((want, index)) => {
                    assert_eq!((distance[lane], at[lane] as usize), (want, index));
                    let twin = spheres.get(index + 1).is_some_and(|next| next.centre == spheres[index].centre);
                    ties += u32::from(twin);
                }
            }
        }
    }
    assert!(ties > 50, "{ties} ties");
}
