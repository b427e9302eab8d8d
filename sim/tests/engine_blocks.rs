//! The engine's blocks, in-crate against Verilated, clock by clock on the same inputs.
//!
//! What each block must do is worked out by hand in the tests of `rayman-rtl`; here it is its Verilog that must do the
//! same, also on traffic that the engine never sees. Memories without a reset are filled first.

mod support;

use rayman_rtl::engine::arbiter::Arbiter;
use rayman_rtl::engine::core::{Engine, Intervals};
use rayman_rtl::engine::entry::{Entry, Tag, Unshaded};
use rayman_rtl::engine::generator::Generator;
use rayman_rtl::engine::lane::Lane;
use rayman_rtl::engine::nearest::Nearest;
use rayman_rtl::engine::shading::Shading;
use rayman_rtl::engine::slots::Slots;
use rayman_rtl::engine::staging::Staging;
use rayman_rtl::engine::window::Window;
use support::ports::Value;
use support::Meaning::{Never, While};
use support::{Comparison, Draw, BUSY, RARE, READY};

#[test]
fn slots_agree_with_their_verilog() {
    let ports = ports!(Slots<2>;
        in reset_n, ray_valid, ray_entry, ray[6], ray_start, ray_inside, sphere_valid, sphere_index, sphere_count, kill,
           kill_slot, kill_context;
        out ray_ready, sphere_ready, test_start, test_ray[6], test_own, test_inside, test_tag, test_dead, turn, loaded;
    );
    Comparison::new(Slots::<2>::default, "slots", ports)
        .draws(&[
            ("ray_valid", READY),
            // Contexts 0 and 1 of all kinds, so that kills find them, and those that differ from them in one bit.
            (
                "ray_entry",
                Draw::Pick(&[
                    0, 1, 0x400, 0x401, 0x800, 0x801, 0x1400, 0x1801, 0x402, 0x804, 0x1408, 0x410, 0x420, 0x1440,
                    0x480, 0x500, 0x600,
                ]),
            ),
            ("ray_start", Draw::Around),
            ("sphere_valid", BUSY),
            ("sphere_index", Draw::Around),
            ("sphere_count", Draw::Steady(&[4, 1, 2])),
            ("kill", Draw::Chance(&[0, 5, 50])),
            ("kill_context", Draw::Pick(&[0, 0, 0, 1, 1, 1, 2, 4, 8, 0x10, 0x20, 0x40, 0x80, 0x100, 0x200])),
        ])
        .meaning(&[
            ("test_ray", While("test_start")),
            ("test_own", While("test_start")),
            ("test_inside", While("test_start")),
            ("test_tag", While("test_start")),
        ])
        .reached(&["ray_ready", "test_start", "test_own", "test_inside", "test_dead", "loaded", "turn"])
        .run();
}

#[test]
fn nearest_agrees_with_its_verilog() {
    let ports = ports!(Nearest<3, 2>;
        in reset_n, done, hit, distance, next_tag, limit, sphere[6], sphere_valid, sphere_turn;
        out limit_context, hit_write, hit_context, hit_record[7], retired, retired_entry, retired_hit, kill, kill_slot,
            kill_context;
    );
    let fill = (0..16)
        .map(|i| {
            let tag = Tag { first: true, slot: (i % 4).into(), ..Default::default() };
            vec![("sphere_valid", 1), ("sphere_turn", i), ("sphere_0", i), ("done", 1), ("next_tag", tag.number())]
        })
        .chain((0..4).map(|_| vec![]))
        .collect();
    Comparison::new(Nearest::<3, 2>::default, "nearest", ports)
        .draws(&[
            ("done", BUSY),
            ("hit", Draw::Chance(&[10, 50, 100])),
            ("distance", Draw::Around),
            ("limit", Draw::Around),
            ("sphere_0", Draw::Around),
            ("sphere_valid", BUSY),
        ])
        .meaning(&[
            ("hit_context", While("hit_write")),
            ("hit_record", While("hit_write")),
            ("retired_entry", While("retired")),
            ("retired_hit", While("retired")),
            ("kill_slot", While("kill")),
            ("kill_context", While("kill")),
        ])
        .reached(&["hit_write", "retired", "retired_hit", "kill", "kill_slot"])
        .prologue(fill)
        .run();
}

#[test]
fn arbiter_agrees_with_its_verilog() {
    let ports = ports!(Arbiter<3>; in reset_n, wants[3], go; out any, chosen;);
    Comparison::new(Arbiter::<3>::default, "arbiter", ports)
        .draws(&[("wants", READY), ("go", READY)])
        .reached(&["any", "chosen"])
        .run();
}

/// A lane with spheres and rays of which about half meet.
#[test]
fn lane_agrees_with_its_verilog() {
    let ports = ports!(Lane<3, 2>;
        in reset_n, give, ray_entry, origin_x, origin_y, origin_z, direction_x, direction_y, direction_z, ray_start,
           ray_inside, sphere_valid, sphere_index, sphere_count, centre_x, centre_y, centre_z, radius_squared,
           radius_inverse, radius, sphere_material, limit_write, limit_context, limit, hit_context, take;
        out wants, sphere_ready, hit_distance, hit_index, hit_centre_x, hit_centre_y, hit_centre_z, hit_radius_inverse,
            hit_material, waits, retired, test, test_dead;
    );
    let bits = |value: f32| u64::from(value.to_bits());
    // Each context has a hit and a limit; a sphere is on show for 16 turns.
    let sphere = |i: u64| {
        let [x, one] = [-5.0, 1.0].map(bits);
        vec![
            ("sphere_valid", 1),
            ("sphere_count", 1),
            ("centre_x", x),
            ("radius_squared", one),
            ("radius_inverse", one),
            ("radius", one),
            ("direction_x", bits(-1.0)),
            ("limit_write", 1),
            ("limit_context", i % 8),
        ]
    };
    let rays = (0..8).map(|i| [sphere(i), vec![("give", 1), ("ray_entry", i)]].concat());
    let fill = rays.chain((0..64).map(sphere)).chain((0..200).map(|_| vec![("take", 1)])).collect();
    const COORDINATES: Draw = Draw::Pick(&[0, 0x3F80_0000, 0xBF80_0000, 0x4040_0000]);
    Comparison::new(Lane::<3, 2>::default, "lane", ports)
        .draws(&[
            ("give", READY),
            ("ray_entry", Draw::Pick(&[0, 1, 2, 0x403, 0x404, 0x805, 0x1406, 0x1807])),
            ("origin_x", COORDINATES),
            ("origin_y", COORDINATES),
            ("origin_z", COORDINATES),
            // 0, 0.6, -0.8, 1.
            ("direction_x", Draw::Pick(&[0, 0x3F19_999A, 0xBF4C_CCCD, 0x3F80_0000])),
            ("direction_y", Draw::Pick(&[0, 0x3F19_999A, 0xBF4C_CCCD, 0x3F80_0000])),
            ("direction_z", Draw::Pick(&[0, 0x3F19_999A, 0xBF4C_CCCD, 0x3F80_0000])),
            ("ray_start", Draw::Below(4)),
            ("sphere_valid", BUSY),
            ("sphere_index", Draw::Below(4)),
            ("sphere_count", Draw::Steady(&[4, 1, 2])),
            ("centre_x", COORDINATES),
            ("centre_y", COORDINATES),
            ("centre_z", COORDINATES),
            // 1 or 4, their roots' inverses, and the roots.
            ("radius_squared", Draw::Steady(&[0x3F80_0000, 0x4080_0000])),
            ("radius_inverse", Draw::Steady(&[0x3F80_0000, 0x3F00_0000])),
            ("radius", Draw::Steady(&[0x3F80_0000, 0x4000_0000])),
            ("limit_write", RARE),
            ("limit", Draw::Pick(&[0x3F80_0000, 0x4080_0000])),
            ("take", READY),
        ])
        .meaning(&[("retired", While("waits"))])
        .reached(&["wants", "sphere_ready", "hit_distance", "hit_material", "waits", "test"])
        .prologue(fill)
        .run();
}

#[test]
fn staging_agrees_with_its_verilog() {
    let ports = ports!(Staging<2>;
        in reset_n, position[3], generated, generated_context, generated_direction[3], shaded, shaded_context,
           shaded_rays[9], shaded_inside, follow, follow_entry, returned, returned_entry, start_write, start_context,
           start_index, ray_ready;
        out ray_valid, ray_entry, ray[6], ray_start, ray_inside;
    );
    let fill = (0..4)
        .map(|i| {
            vec![
                ("generated", 1),
                ("generated_context", i),
                ("shaded", 1),
                ("shaded_context", i),
                ("start_write", 1),
                ("start_context", i),
            ]
        })
        .collect();
    Comparison::new(Staging::<2>::default, "staging", ports)
        .draws(&[
            ("generated", BUSY),
            ("shaded", BUSY),
            ("follow", READY),
            ("returned", READY),
            ("start_write", BUSY),
            ("ray_ready", READY),
        ])
        .meaning(&[
            ("ray_entry", While("ray_valid")),
            ("ray", While("ray_valid")),
            ("ray_start", While("ray_valid")),
            ("ray_inside", While("ray_valid")),
        ])
        .reached(&["ray_valid", "ray_entry", "ray_inside", "ray_start"])
        .prologue(fill)
        .run();
}

#[test]
fn window_agrees_with_its_verilog() {
    let ports = ports!(Window<3>;
        in reset_n, open, write, write_place, write_colour, pixel_ready;
        out room, place, pixel_valid, pixel, idle;
    );
    Comparison::new(Window::<3>::default, "window", ports)
        .draws(&[
            ("open", BUSY),
            ("write", BUSY),
            // Every place in either lap.
            (
                "write_place",
                Draw::Pick(&[0, 1, 2, 3, 4, 5, 6, 7, 0x8000, 0x8001, 0x8002, 0x8003, 0x8004, 0x8005, 0x8006, 0x8007]),
            ),
            ("pixel_ready", READY),
        ])
        .meaning(&[("pixel", While("pixel_valid"))])
        .allowed(&[("open", "room")])
        .reached(&["room", "place", "pixel_valid", "idle"])
        .run();
}

#[test]
fn generator_agrees_with_its_verilog() {
    let ports = ports!(Generator<3>;
        in reset_n, start, width, height, camera[11], room, freed, freed_context;
        out open, open_context, blocked, generated, generated_context, generated_direction[3], idle;
    );
    Comparison::new(|| Generator::<3>::new(16), "generator", ports)
        .draws(&[
            ("start", Draw::Chance(&[1, 3])),
            ("width", Draw::Steady(&[1, 2, 3, 65535])),
            ("height", Draw::Steady(&[1, 2, 65535])),
            ("camera", Draw::Number),
            ("room", READY),
            ("freed", Draw::Chance(&[0, 2, 10])),
        ])
        .meaning(&[
            ("open_context", While("open")),
            ("generated_context", While("generated")),
            ("generated_direction", While("generated")),
        ])
        .reached(&["open", "open_context", "blocked", "generated", "generated_direction_0", "idle"])
        .phases(60, 250)
        .run();
}

#[test]
fn shading_agrees_with_its_verilog() {
    let ports = ports!(Shading<2>;
        in reset_n, position[3], light[3], background, reflection_depth, shadows, material[4], generated,
           generated_context, generated_direction[3], hit_record[7], retired, retired_entry,
           returned, returned_context, returned_seen, returned_missed, opened, opened_context, opened_place;
        out material_address, waiting, hit_context, hit_lane, start, start_context, start_index, start_hit, shaded, shaded_context,
            shaded_rays[9], shaded_inside, shaded_limit, follow, follow_entry, finished, finished_context,
            finished_place, finished_colour;
    );
    // Each context's memories are written, then each is shaded once, which writes the others.
    let fill = (0..4)
        .map(|i| {
            let entry = Unshaded { context: i.into(), hit: true, ..Default::default() };
            vec![
                ("generated", 1),
                ("generated_context", i),
                ("opened", 1),
                ("opened_context", i),
                ("retired", 1),
                ("retired_entry", entry.number()),
            ]
        })
        .chain((0..600).map(|_| vec![]))
        .collect();
    Comparison::new(|| Shading::<2>::new(8), "shading", ports)
        .draws(&[
            ("position", Draw::SteadyNumber),
            ("light", Draw::SteadyNumber),
            ("background", Draw::Steady(&[0, 0x0012_3456, 0x00FF_FFFF])),
            ("reflection_depth", Draw::Steady(&[0, 1, 4, 15])),
            ("shadows", Draw::Steady(&[0, 1, 1])),
            ("generated", BUSY),
            ("generated_direction", Draw::Number),
            ("hit_record", Draw::Number),
            ("retired", Draw::Chance(&[1, 10, 50])),
            ("returned", RARE),
            ("opened", BUSY),
        ])
        .meaning(&[
            ("hit_context", While("waiting")),
            ("hit_lane", While("waiting")),
            ("start_context", While("start")),
            ("start_index", While("start")),
            ("start_hit", While("start")),
            ("shaded_context", While("shaded")),
            ("shaded_rays", While("shaded")),
            ("shaded_inside", While("shaded")),
            ("shaded_limit", While("shaded")),
            ("follow_entry", While("follow")),
            ("finished_context", While("finished")),
            ("finished_place", While("finished")),
            ("finished_colour", While("finished")),
        ])
        .reached(&["start", "start_hit", "shaded", "shaded_inside", "follow", "finished", "finished_colour"])
        .prologue(fill)
        .phases(60, 250)
        .run();
}

/// Clocks of a phase in which frames end.
const FRAMES: u64 = 2000;

/// The engine of two lanes with spheres that circulate, a material that follows its address, and frames that follow each other.
#[test]
fn engine_agrees_with_its_verilog() {
    let ports = ports!(Engine<2, 3, 3, 4>;
        in reset_n, flush, start, counting, width, height, position[3], camera[11], light[3], background,
           reflection_depth, shadows, sphere_count, sphere_valid, sphere_index, sphere[6], sphere_material, material[4],
           pixel_ready;
        out sphere_ready, material_address, pixel_valid, pixel, idle, happens[7], used[2], dead[2], lost_to[4];
    );
    let bits = |value: f32| u64::from(value.to_bits());
    // Four spheres before the camera, two of them overlapping, again and again: with many a ray is still being tested
    // when its hit is known.
    let spheres = [[0.0f32, 0.0, -5.0, 1.5], [1.0, 0.5, -4.0, 0.5], [-1.5, 0.0, -6.0, 1.0], [0.0, -101.0, -5.0, 100.0]];
    let camera = [0.0f32, 0.0, -1.0, 0.4, 0.0, 0.0, 0.0, 0.4, 0.0, 1.5, 1.5];
    // Words of a material: half a mirror, all colours, shininess 1.
    let material = [0x4040_4040u64, 0x6040_2060, 0x0140_4040, 0x0101_4040];
    let (mut index, mut valid_before, mut clock) = (0, false, 0);
    let intervals = Intervals { ray: 4, shade: 4 };
    Comparison::new(|| Engine::<2, 3, 3, 4>::new(intervals), "engine", ports)
        .draws(&[
            ("flush", Draw::Chance(&[0])),
            ("counting", BUSY),
            ("width", Draw::Steady(&[4, 3, 1])),
            ("height", Draw::Steady(&[8, 8, 2])),
            ("background", Draw::Steady(&[0x0012_3456, 0])),
            ("reflection_depth", Draw::Steady(&[0, 2])),
            ("shadows", Draw::Steady(&[1, 1, 0])),
            ("sphere_count", Draw::Steady(&[24, 4, 1, 0])),
            ("sphere_valid", BUSY),
            ("sphere_material", Draw::Steady(&[0, 5])),
            ("pixel_ready", Draw::Chance(&[0, 10, 100])),
            ("start", BUSY),
        ])
        .allowed(&[("start", "idle")])
        .steer(move |row| {
            // A frame's configuration is stable, so what is left of the phase before goes.
            if clock % FRAMES < 2 {
                row.set("flush", 1);
            }
            clock += 1;
            let count = row.input("sphere_count");
            if valid_before && row.output("sphere_ready") != 0 {
                index += 1;
            }
            if index >= count {
                index = 0;
            }
            // A sphere stays on show until it is ready to go; there is none in a scene of none.
            let valid = count > 0 && (row.input("sphere_valid") != 0);
            valid_before = valid;
            row.set("sphere_valid", u64::from(valid));
            row.set("sphere_index", index);
            let [x, y, z, radius] = spheres[index as usize % 4];
            for (i, value) in [x, y, z, radius * radius, 1.0 / radius].into_iter().enumerate() {
                row.set(&format!("sphere_{i}"), bits(value));
            }
            for (i, value) in camera.into_iter().enumerate() {
                row.set(&format!("camera_{i}"), bits(value));
            }
            for (i, value) in [0.0, 0.0, 0.0f32].into_iter().enumerate() {
                row.set(&format!("position_{i}"), bits(value));
            }
            for (i, value) in [3.0, 6.0, 0.0f32].into_iter().enumerate() {
                row.set(&format!("light_{i}"), bits(value));
            }
            for (i, value) in material.into_iter().enumerate() {
                row.set(&format!("material_{i}"), value);
            }
        })
        // Of a ray that missed the hit's memory says nothing, and nobody asks.
        .meaning(&[("material_address", Never), ("pixel", While("pixel_valid"))])
        // Not `dead`: for a dead test a kill must fall on its slot's very clock. `slots_agree_with_their_verilog` sees to
        // those.
        .reached(&[
            "pixel_valid",
            "pixel",
            "idle",
            "happens_0",
            "happens_1",
            "happens_2",
            "happens_3",
            "happens_4",
            "happens_5",
            "happens_6",
            "used_0",
            "used_1",
            "lost_to_0",
            "lost_to_1",
            "lost_to_2",
            "lost_to_3",
        ])
        .phases(40, FRAMES)
        .run();
}

/// The numbers that the tables above write out are those of the structs.
#[test]
fn structs_as_numbers() {
    let entry = Entry { context: 1.into(), shadow: false, reflection: true, carry: true };
    assert_eq!(entry.number(), 0x1801);
    assert_eq!(Entry::of(0x1801), entry);
    let tag = Tag { slot: 3.into(), turn: 9.into(), first: true, ..Default::default() };
    assert_eq!(Tag::of(tag.number()), tag);
}
