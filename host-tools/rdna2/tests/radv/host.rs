//! Lavapipe, Mesa's Vulkan driver for the host's own processor: it runs a compute shader, on buffers alone.

use ash::vk;
use libloading::Library;

use crate::driver::{layouts, open_instance};
use crate::places::{BINDINGS, SETS};

/// The driver's library.
const LIBRARY: &str = "libvulkan_lvp.so";

/// A buffer: set, binding, element, and its words.
pub struct Buffer {
    pub set: usize,
    pub binding: u32,
    pub element: u32,
    pub words: Vec<u32>,
}

/// What the buffers hold after one group of a shader, in SPIR-V, has run.
pub fn run(spirv: &[u32], buffers: &[Buffer]) -> Vec<Vec<u32>> {
    // SAFETY: Vulkan's functions with their own structures, which live until the calls are over; nothing is used after it was
    // destroyed, and the device is idle by then.
    unsafe { run_on_host(spirv, buffers) }
}

/// Bytes from one buffer to the next in the memory that has all of them.
const APART: u64 = 1 << 20;

unsafe fn run_on_host(spirv: &[u32], buffers: &[Buffer]) -> Vec<Vec<u32>> {
    let library = Library::new(LIBRARY)
        .unwrap_or_else(|error| panic!("{LIBRARY}: {error}; `cargo xtask setup` installs it (mesa-vulkan-drivers)"));
    let (instance, physical) = open_instance(&library);
    let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
    let features = vk::PhysicalDeviceFeatures::default().shader_int64(true).shader_int16(true);
    let create = vk::DeviceCreateInfo::default().queue_create_infos(&queues).enabled_features(&features);
    let device = instance.create_device(physical, &create, None).expect("a device");

    // One buffer has all of them, and the memory of the first kind that the host sees.
    let usage = vk::BufferUsageFlags::UNIFORM_BUFFER | vk::BufferUsageFlags::STORAGE_BUFFER;
    let create = vk::BufferCreateInfo::default().size(APART * buffers.len() as u64).usage(usage);
    let whole = device.create_buffer(&create, None).expect("a buffer");
    let needs = device.get_buffer_memory_requirements(whole);
    let kinds = instance.get_physical_device_memory_properties(physical);
    let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
    let kind = (0..kinds.memory_type_count)
        .find(|&kind| {
            needs.memory_type_bits >> kind & 1 != 0 && kinds.memory_types[kind as usize].property_flags.contains(wanted)
        })
        .expect("memory that the host sees");
    let allocate = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(kind);
    let memory = device.allocate_memory(&allocate, None).expect("memory");
    device.bind_buffer_memory(whole, memory, 0).expect("a buffer with memory");
    let mapped =
        device.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty()).expect("mapped").cast::<u32>();
    let at = |index: usize| mapped.add(index * (APART / 4) as usize);
    for (index, buffer) in buffers.iter().enumerate() {
        assert!(buffer.words.len() as u64 * 4 <= APART);
        std::ptr::copy_nonoverlapping(buffer.words.as_ptr(), at(index), buffer.words.len());
    }

    // The same sets as the shader is compiled with, but for what is no buffer.
    let is_buffer = |kind: vk::DescriptorType| {
        [vk::DescriptorType::UNIFORM_BUFFER, vk::DescriptorType::STORAGE_BUFFER].contains(&kind)
    };
    let layouts = layouts(&device, is_buffer);
    let sizes = [vk::DescriptorType::UNIFORM_BUFFER, vk::DescriptorType::STORAGE_BUFFER]
        .map(|kind| vk::DescriptorPoolSize::default().ty(kind).descriptor_count(16));
    let create = vk::DescriptorPoolCreateInfo::default().max_sets(SETS as u32).pool_sizes(&sizes);
    let pool = device.create_descriptor_pool(&create, None).expect("a pool");
    let allocate = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
    let sets = device.allocate_descriptor_sets(&allocate).expect("sets");
    for (index, buffer) in buffers.iter().enumerate() {
        let found = BINDINGS.iter().find(|binding| (binding.0, binding.1) == (buffer.set, buffer.binding));
        let range = vk::DescriptorBufferInfo::default()
            .buffer(whole)
            .offset(APART * index as u64)
            .range(4 * buffer.words.len() as u64);
        let range = [range];
        let write = vk::WriteDescriptorSet::default()
            .dst_set(sets[buffer.set])
            .dst_binding(buffer.binding)
            .dst_array_element(buffer.element)
            .descriptor_type(found.expect("a resource").2)
            .buffer_info(&range);
        device.update_descriptor_sets(&[write], &[]);
    }

    let create = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
    let layout = device.create_pipeline_layout(&create, None).expect("a layout");
    let module =
        device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(spirv), None).expect("a module");
    let stage =
        vk::PipelineShaderStageCreateInfo::default().stage(vk::ShaderStageFlags::COMPUTE).module(module).name(c"main");
    let create = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
    let pipelines = device.create_compute_pipelines(vk::PipelineCache::null(), &[create], None).expect("a pipeline");

    let commands = device.create_command_pool(&vk::CommandPoolCreateInfo::default(), None).expect("a pool");
    let allocate = vk::CommandBufferAllocateInfo::default().command_pool(commands).command_buffer_count(1);
    let buffer = device.allocate_command_buffers(&allocate).expect("commands");
    device.begin_command_buffer(buffer[0], &vk::CommandBufferBeginInfo::default()).expect("a beginning");
    device.cmd_bind_pipeline(buffer[0], vk::PipelineBindPoint::COMPUTE, pipelines[0]);
    device.cmd_bind_descriptor_sets(buffer[0], vk::PipelineBindPoint::COMPUTE, layout, 0, &sets, &[]);
    device.cmd_dispatch(buffer[0], 1, 1, 1);
    device.end_command_buffer(buffer[0]).expect("an end");
    let queue = device.get_device_queue(0, 0);
    let submit = vk::SubmitInfo::default().command_buffers(&buffer);
    device.queue_submit(queue, &[submit], vk::Fence::null()).expect("submitted");
    device.device_wait_idle().expect("done");

    let read = |(index, buffer): (usize, &Buffer)| std::slice::from_raw_parts(at(index), buffer.words.len()).to_vec();
    let words = buffers.iter().enumerate().map(read).collect();
    pipelines.into_iter().for_each(|pipeline| device.destroy_pipeline(pipeline, None));
    device.destroy_shader_module(module, None);
    device.destroy_pipeline_layout(layout, None);
    device.destroy_command_pool(commands, None);
    device.destroy_descriptor_pool(pool, None);
    layouts.into_iter().for_each(|layout| device.destroy_descriptor_set_layout(layout, None));
    device.destroy_buffer(whole, None);
    device.free_memory(memory, None);
    device.destroy_device(None);
    instance.destroy_instance(None);
    words
}
