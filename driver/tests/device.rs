//! The device API over a fake device, well-behaved and not.

mod fake;

use std::ops::ControlFlow;
use std::time::Duration;

use fake::{Fake, Fault, BASE};
use rayman_abi::register::{self, command};
use rayman_abi::{descriptor, ErrorCode};
use rayman_driver::placement::Place;
use rayman_driver::{
    Camera, Device, DriverError, Fx1_7, Item, Material, MemoryWindow, RenderOptions, Scene, Screen, Sphere, Transport,
    TransportError, WaitPolicy,
};

const SWIFT: WaitPolicy = WaitPolicy { slice: Duration::ZERO, patience: Duration::from_millis(20) };

fn scene() -> Scene {
    let half = Fx1_7::from_num(0.5);
    Scene {
        light: [1.0, 2.0, 3.0],
        camera: Camera { position: [4.0, 5.0, 6.0], look_at: [7.0, 8.0, 9.0], fov_degrees: 60.0 },
        screen: Screen { width: 5, height: 3 },
        spheres: vec![
            Sphere { centre: [-1.0, 0.0, 1.0], radius: 2.0, material: 1 },
            Sphere { centre: [0.5, 0.25, 0.125], radius: 0.5, material: 0 },
        ],
        materials: vec![
            Material {
                ambient: [half; 3],
                diffuse: [half; 3],
                specular: [half; 3],
                reflection: Fx1_7::ZERO,
                shininess: 1,
            },
            Material {
                ambient: [Fx1_7::ZERO, half, Fx1_7::ONE],
                diffuse: [Fx1_7::ONE, Fx1_7::ZERO, half],
                specular: [half, Fx1_7::ONE, Fx1_7::ZERO],
                reflection: half,
                shininess: 200,
            },
        ],
    }
}

fn go_on(_: u8) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn ready(fault: Fault) -> Device<Fake> {
    let mut device = Device::open(Fake::new(fault)).unwrap();
    device.upload(&scene()).unwrap();
    device.configure(&RenderOptions::default()).unwrap();
    device
}

/// Renders on a device with this fault and answers the error.
fn failure(fault: Fault) -> DriverError {
    let mut device = ready(fault);
    device.run().and_then(|()| device.wait(&SWIFT, go_on)).and_then(|()| device.picture().map(|_| ())).unwrap_err()
}

#[test]
fn a_frame_from_open_to_picture() {
    let mut device = Device::open(Fake::new(Fault::None)).unwrap();
    let mut seen = Vec::new();
    let (picture, counters) = device
        .render(&scene(), &RenderOptions::default(), &SWIFT, |progress| {
            seen.push(progress);
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!((picture.width, picture.height, picture.rgb.len()), (5, 3, 45));
    for (y, x) in (0..3).flat_map(|y| (0..5).map(move |x| (y, x))) {
        assert_eq!(picture.pixel(x, y), Some(Fake::colour(x, y)), "({x}, {y})");
    }
    assert_eq!(picture.pixel(5, 0), None);
    assert_eq!(seen, [50, 100, 150, 200, 255]);
    assert_eq!(counters.cycles(), 0x3_FFFF_FFF0);
    assert_eq!(counters.pixels(), 15);
    assert_eq!(counters.get("pixels"), Some(15));
    assert_eq!(counters.get("no such counter"), None);
    // The interrupt is down again, and was taken down before RUN as well.
    assert_eq!(device.transport().commands, [command::CLEAR_IRQ, command::RUN, command::CLEAR_IRQ]);
    assert_eq!(device.transport().read_register(register::IRQ_STATUS.offset).unwrap(), 0);
}

#[test]
fn opening_reads_what_the_core_is_and_writes_nothing() {
    let mut device = Device::open(Fake::new(Fault::None)).unwrap();
    assert_eq!((device.version().major, device.version().minor), (1, 0));
    let capabilities = device.capabilities().unwrap();
    assert_eq!(
        (capabilities.lanes, capabilities.cached_spheres, capabilities.bvh, capabilities.cube),
        (1, 256, false, false)
    );
    let build = device.build().unwrap();
    assert_eq!((build.revision, build.slots, build.contexts), (0xC0FF_EE00, 16, 128));
    assert!(device.transport().writes.is_empty());
}

#[test]
fn a_wrong_id_is_refused() {
    let error = Device::open(Fake::new(Fault::Id(0xFFFF_FFFF))).map(|_| ()).unwrap_err();
    assert!(matches!(error, DriverError::WrongId { id: 0xFFFF_FFFF, .. }), "{error:?}");
    assert!(error.to_string().contains("0x5241594d"), "{error}");
}

#[test]
fn an_unknown_major_version_is_refused_and_a_newer_minor_is_not() {
    let error = Device::open(Fake::new(Fault::Version(0x0002_0000))).map(|_| ()).unwrap_err();
    assert!(matches!(error, DriverError::UnknownVersion { major: 2, minor: 0, .. }), "{error:?}");
    assert!(matches!(
        Device::open(Fake::new(Fault::Version(0))).map(|_| ()).unwrap_err(),
        DriverError::UnknownVersion { major: 0, .. }
    ));
    assert_eq!(Device::open(Fake::new(Fault::Version(0x0001_0007))).unwrap().version().minor, 7);
}

#[test]
fn the_uploaded_descriptors_are_what_the_specification_says() {
    let mut device = ready(Fault::None);
    let placement = *device.placement().unwrap();
    let fake = device.transport();
    assert_eq!(fake.get(&register::SCENE_ADDRESS), placement.scene.address);

    // By hand from the source document: light, camera, point, field of view, sizes, pointers and counts.
    let words = fake.scene_words();
    let numbers: Vec<f32> = words[..10].iter().map(|&word| f32::from_bits(word)).collect();
    assert_eq!(numbers, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 60.0]);
    assert_eq!(words[10], 3 << 16 | 5);
    assert_eq!(words[11..], [placement.spheres.address, 2, placement.materials.address, 2]);

    let spheres = fake.words(placement.spheres.address, 12);
    let as_bits = |values: [f32; 5]| values.map(f32::to_bits);
    assert_eq!(spheres[..5], as_bits([-1.0, 0.0, 1.0, 4.0, 0.5]));
    assert_eq!(spheres[5], 1);
    assert_eq!(spheres[6..11], as_bits([0.5, 0.25, 0.125, 0.25, 2.0]));
    assert_eq!(spheres[11], 0);

    let materials = fake.words(placement.materials.address, 8);
    assert_eq!(materials[..4], [0x0040_4040, 0x0040_4040, 0x0040_4040, 0x0000_0100]);
    assert_eq!(materials[4..], [0x0080_4000, 0x0040_0080, 0x0000_8040, 0x0000_C840]);
}

#[test]
fn configuring_sets_every_option() {
    let mut device = ready(Fault::None);
    let framebuffer = device.placement().unwrap().framebuffer.address;
    assert_eq!(device.transport().get(&register::FRAMEBUFFER_ADDRESS), framebuffer);
    assert_eq!(device.transport().get(&register::RENDER_CONTROL), 0x104, "the reset value without the stream");

    let options = RenderOptions {
        reflection_depth: 15,
        shadows: false,
        stream: true,
        background: [0x12, 0x34, 0x56],
        framebuffer: false,
    };
    device.configure(&options).unwrap();
    let fake = device.transport();
    assert_eq!(fake.get(&register::RENDER_CONTROL), 0x20F);
    assert_eq!(fake.get(&register::BACKGROUND), 0x0012_3456);
    assert_eq!(fake.get(&register::FRAMEBUFFER_ADDRESS), 0);

    let error = device.configure(&RenderOptions { reflection_depth: 16, ..options }).unwrap_err();
    assert!(matches!(error, DriverError::ReflectionDepth { depth: 16 }), "{error:?}");
    assert_eq!(device.transport().get(&register::RENDER_CONTROL), 0x20F, "a refused option changes nothing");
}

#[test]
fn without_a_framebuffer_there_is_no_picture() {
    let mut device = ready(Fault::None);
    device.configure(&RenderOptions { framebuffer: false, ..RenderOptions::default() }).unwrap();
    let before = device.transport().memory.clone();
    device.run().unwrap();
    device.wait(&SWIFT, go_on).unwrap();
    assert!(matches!(device.picture(), Err(DriverError::NoPicture)));
    assert_eq!(device.transport().memory, before);
}

#[test]
fn a_picture_belongs_to_the_last_upload() {
    let mut device = ready(Fault::None);
    assert!(matches!(device.picture(), Err(DriverError::NoPicture)));
    device.run().unwrap();
    device.wait(&SWIFT, go_on).unwrap();
    device.picture().unwrap();
    device.upload(&scene()).unwrap();
    assert!(matches!(device.picture(), Err(DriverError::NoPicture)));
}

#[test]
fn nothing_runs_before_an_upload() {
    let mut device = Device::open(Fake::new(Fault::None)).unwrap();
    assert!(matches!(device.configure(&RenderOptions::default()), Err(DriverError::NoScene)));
    assert!(matches!(device.run(), Err(DriverError::NoScene)));
    assert!(device.transport().writes.is_empty());
}

#[test]
fn a_bad_scene_reaches_no_memory() {
    let mut device = Device::open(Fake::new(Fault::None)).unwrap();
    let mut bad = scene();
    bad.spheres[1].radius = -1.0;
    let before = device.transport().memory.clone();
    match device.upload(&bad) {
        Err(DriverError::Scene(error)) => {
            assert_eq!((error.item, error.field), (Item::Sphere(1), "radius"))
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(device.transport().memory, before);
    assert!(device.transport().writes.is_empty());
}

#[test]
fn a_scene_larger_than_the_memory_is_refused() {
    let window = MemoryWindow { base: BASE, bytes: 0x1000 };
    let mut device = Device::open(Fake::with_window(Fault::None, window)).unwrap();
    let error = device.upload(&scene()).unwrap_err();
    // The framebuffer starts on the next 4 KiB boundary and has 60 bytes.
    assert!(matches!(error, DriverError::OutOfMemory { needed: 0x103C, .. }), "{error:?}");
    let window = MemoryWindow { base: BASE, bytes: 0x103C };
    Device::open(Fake::with_window(Fault::None, window)).unwrap().upload(&scene()).unwrap();
}

#[test]
fn memory_at_zero_and_at_the_top_works() {
    for base in [0, u32::MAX - 0x1FFF] {
        let window = MemoryWindow { base, bytes: 0x2000 };
        let mut device = Device::open(Fake::with_window(Fault::None, window)).unwrap();
        let (picture, _) = device.render(&scene(), &RenderOptions::default(), &SWIFT, go_on).unwrap();
        assert_eq!(picture.pixel(4, 2), Some(Fake::colour(4, 2)));
        assert_ne!(device.placement().unwrap().scene.address, 0);
    }
}

#[test]
fn an_empty_scene_has_null_pointers() {
    let mut device = Device::open(Fake::new(Fault::None)).unwrap();
    device.upload(&Scene { spheres: vec![], materials: vec![], ..scene() }).unwrap();
    assert_eq!(device.transport().scene_words()[11..], [0; 4]);
}

#[test]
fn regions_do_not_overlap_and_lie_in_the_window() {
    let mut device = ready(Fault::None);
    let window = device.transport().memory();
    let placement = device.placement().unwrap();
    let regions = [placement.scene, placement.materials, placement.spheres, placement.framebuffer];
    for (index, region) in regions.iter().enumerate() {
        assert_eq!(region.address % 64, 0);
        assert!(region.address >= window.base && region.address + region.bytes <= window.base + window.bytes);
        for other in &regions[index + 1..] {
            assert!(region.address + region.bytes <= other.address);
        }
    }
    assert_eq!(placement.framebuffer.address % 4096, 0);
}

#[test]
fn errors_of_the_core_name_code_address_and_item() {
    let mut device = ready(Fault::None);
    let address = device.placement().unwrap().spheres.address + descriptor::sphere::LAYOUT.bytes();
    device.transport().fault = Fault::Error(0x11, address);
    device.run().unwrap();
    let error = device.wait(&SWIFT, go_on).unwrap_err();
    assert!(
        matches!(error, DriverError::Frame { code: ErrorCode::MaterialId, place: Some(Place::Sphere(1)), address: a } if a == address),
        "{error:?}"
    );
    let text = error.to_string();
    assert!(text.contains("MATERIAL_ID") && text.contains("0x11") && text.contains("sphere[1]"), "{text}");
    assert!(error.hint().is_some());
    // A failed frame leaves the device ready for the next one.
    device.transport().fault = Fault::None;
    device.run().unwrap();
    device.wait(&SWIFT, go_on).unwrap();
    device.picture().unwrap();
}

#[test]
fn every_known_code_becomes_an_error_with_advice() {
    for &code in ErrorCode::ALL.iter().filter(|&&code| code != ErrorCode::None) {
        match failure(Fault::Error(code as u8, 0x1234_5678)) {
            ref error @ DriverError::Frame { code: reported, address: 0x1234_5678, place: None } => {
                assert_eq!(reported, code);
                assert!(error.to_string().contains("0x12345678"), "{error}");
                assert!(error.hint().is_some_and(|hint| !hint.is_empty()));
            }
            other => panic!("{code:?}: {other:?}"),
        }
    }
}

#[test]
fn an_unknown_code_is_reported_as_such() {
    let error = failure(Fault::Error(0xEE, BASE));
    assert!(
        matches!(error, DriverError::UnknownErrorCode { code: 0xEE, address: BASE, place: Some(Place::Scene) }),
        "{error:?}"
    );
    assert!(error.to_string().contains("0xee"), "{error}");
}

#[test]
fn a_device_that_hangs_times_out_and_can_be_stopped() {
    let mut device = ready(Fault::Hang);
    device.run().unwrap();
    let error = device.wait(&SWIFT, go_on).unwrap_err();
    assert!(matches!(error, DriverError::Timeout { progress: 100, waited } if waited >= SWIFT.patience), "{error:?}");
    assert!(matches!(device.run(), Err(DriverError::Busy { progress: 100 })));
    assert!(matches!(device.upload(&scene()), Err(DriverError::Busy { progress: 100 })));
    device.stop().unwrap();
    let error = device.wait(&SWIFT, go_on).unwrap_err();
    assert!(matches!(error, DriverError::Frame { code: ErrorCode::Stopped, .. }), "{error:?}");
}

#[test]
fn render_stops_a_frame_that_hangs() {
    let mut device = Device::open(Fake::new(Fault::Hang)).unwrap();
    let error = device.render(&scene(), &RenderOptions::default(), &SWIFT, go_on).unwrap_err();
    assert!(matches!(error, DriverError::Timeout { .. }), "{error:?}");
    assert_eq!(device.transport().commands.last(), Some(&command::STOP));
}

#[test]
fn the_progress_callback_can_stop_the_frame() {
    let mut device = ready(Fault::None);
    device.run().unwrap();
    let error = device
        .wait(&SWIFT, |progress| if progress >= 100 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        .unwrap_err();
    assert!(matches!(error, DriverError::Frame { code: ErrorCode::Stopped, .. }), "{error:?}");
    assert!(matches!(device.picture(), Err(DriverError::NoPicture)));
}

#[test]
fn a_device_that_breaks_the_contract_is_caught() {
    assert!(matches!(failure(Fault::NoInterrupt), DriverError::NoInterrupt));
    assert!(matches!(failure(Fault::EarlyInterrupt), DriverError::InterruptEarly { progress: 100 }));
    assert!(matches!(failure(Fault::Incomplete), DriverError::Incomplete { progress: 200 }));
    assert!(matches!(failure(Fault::SkipPixel(3, 2)), DriverError::PixelMissing { x: 3, y: 2 }));
}

#[test]
fn a_stuck_interrupt_is_caught_before_the_next_frame() {
    let mut device = ready(Fault::StuckInterrupt);
    device.run().unwrap();
    device.wait(&SWIFT, go_on).unwrap();
    assert!(matches!(device.run(), Err(DriverError::InterruptStuck)));
}

#[test]
fn read_and_write_errors_name_the_register() {
    let is_register = |error: &DriverError, expected: u32| matches!(error, DriverError::Transport(TransportError::Register { offset, response: "SLVERR" }) if *offset == expected);
    for register in [register::ID, register::VERSION] {
        let error = Device::open(Fake::new(Fault::ReadError(register.offset))).map(|_| ()).unwrap_err();
        assert!(is_register(&error, register.offset), "{error:?}");
    }
    for register in [register::ERROR, register::ERROR_ADDRESS, register::IRQ_STATUS] {
        let mut device = ready(Fault::ReadError(register.offset));
        let error = device.run().and_then(|()| device.wait(&SWIFT, go_on)).unwrap_err();
        assert!(is_register(&error, register.offset), "{error:?}");
    }
    let mut device = Device::open(Fake::new(Fault::WriteError(register::SCENE_ADDRESS.offset))).unwrap();
    let error = device.upload(&scene()).unwrap_err();
    assert!(is_register(&error, register::SCENE_ADDRESS.offset), "{error:?}");
    assert!(device.placement().is_none());
    for register in [register::RENDER_CONTROL, register::BACKGROUND, register::RAYTRACER_COMMAND] {
        let mut device = Device::open(Fake::new(Fault::WriteError(register.offset))).unwrap();
        let error = device.render(&scene(), &RenderOptions::default(), &SWIFT, go_on).unwrap_err();
        assert!(is_register(&error, register.offset), "{error:?}");
    }
}

#[test]
fn counters_that_do_not_hold_still_are_an_error() {
    let mut device = ready(Fault::Restless);
    device.run().unwrap();
    device.wait(&SWIFT, go_on).unwrap();
    let error = device.counters().unwrap_err();
    assert!(error.to_string().contains("CYCLES_HI"), "{error}");
}

#[test]
fn a_boxed_transport_works_as_well() {
    let boxed: Box<dyn Transport> = Box::new(Fake::new(Fault::None));
    let mut device = Device::open(boxed).unwrap();
    let (picture, _) = device.render(&scene(), &RenderOptions::default(), &SWIFT, go_on).unwrap();
    assert_eq!(picture.pixel(1, 1), Some(Fake::colour(1, 1)));
    assert_eq!(device.name(), "fake");
}
