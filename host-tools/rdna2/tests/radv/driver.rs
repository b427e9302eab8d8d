//! RADV, Mesa's Vulkan driver for AMD's processors, which compiles for one that is not there: instance, device, pipelines, and the
//! code that it made of them.

use std::ffi::{c_char, CStr};
use std::sync::OnceLock;

use ash::{khr, vk};
use libloading::Library;
use rayman_rdna2::Wave;

use crate::places::{known, BINDINGS, SETS};

/// The driver's library. It is opened without Vulkan's loader, which would look for others.
const LIBRARY: &str = "libvulkan_radeon.so";

/// What the driver reads from the environment: the processor to compile for, that it has ray queries, and that no code is kept.
const ENVIRONMENT: [(&str, &str); 3] =
    [("RADV_FORCE_FAMILY", "navi21"), ("RADV_PERFTEST", "rt"), ("MESA_SHADER_CACHE_DISABLE", "true")];

/// Bytes of push constants.
const PUSHED: u32 = 64;

/// A stage of a pipeline, as SPIR-V.
pub struct Stage {
    pub stage: vk::ShaderStageFlags,
    pub words: Vec<u32>,
    /// How many lanes a wave is to have; none leaves it to the driver.
    pub lanes: Option<u32>,
}

/// The code of a stage.
pub struct Compiled {
    pub stages: vk::ShaderStageFlags,
    pub wave: Wave,
    pub code: Vec<u8>,
    /// Its size as the driver says it.
    pub size: u64,
}

/// A device that is not there.
pub struct Driver {
    device: ash::Device,
    executables: khr::pipeline_executable_properties::Device,
    layout: vk::PipelineLayout,
    // Dropped last.
    _instance: ash::Instance,
    _library: Library,
}

impl Driver {
    /// The one driver of the process.
    pub fn get() -> &'static Self {
        static DRIVER: OnceLock<Driver> = OnceLock::new();
        DRIVER.get_or_init(|| {
            // All that reads the environment beside Rust's own functions is the driver, from here.
            ENVIRONMENT.into_iter().for_each(|(name, value)| std::env::set_var(name, value));
            // SAFETY: Vulkan's functions with their own structures, which live until the calls are over; what is made lives as long
            // as the process.
            unsafe { Self::open() }
        })
    }

    unsafe fn open() -> Self {
        let library = Library::new(LIBRARY).unwrap_or_else(|error| {
            panic!("{LIBRARY}: {error}; `cargo xtask setup` installs it (mesa-vulkan-drivers)")
        });
        let (instance, physical) = open_instance(&library);
        let version = instance.get_physical_device_properties(physical).driver_version;
        known(version).unwrap_or_else(|other| panic!("{LIBRARY}: {other}"));
        let extensions: [*const c_char; 4] = [
            khr::pipeline_executable_properties::NAME.as_ptr(),
            khr::ray_query::NAME.as_ptr(),
            khr::acceleration_structure::NAME.as_ptr(),
            khr::deferred_host_operations::NAME.as_ptr(),
        ];
        let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
        let mut executable =
            vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default().pipeline_executable_info(true);
        let mut rendering =
            vk::PhysicalDeviceVulkan13Features::default().dynamic_rendering(true).subgroup_size_control(true);
        let create = vk::DeviceCreateInfo::default()
            .enabled_extension_names(&extensions)
            .queue_create_infos(&queues)
            .push_next(&mut executable)
            .push_next(&mut rendering);
        let device = instance.create_device(physical, &create, None).expect("a device");
        let executables = khr::pipeline_executable_properties::Device::new(&instance, &device);
        let sets = layouts(&device, |_| true);
        let pushed = [vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::ALL).size(PUSHED)];
        let create = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&pushed);
        let layout = device.create_pipeline_layout(&create, None).expect("a layout");
        Self { device, executables, layout, _instance: instance, _library: library }
    }

    /// Compiles a pipeline: a compute stage, or a vertex stage and perhaps a pixel stage.
    pub fn compile(&self, stages: &[Stage]) -> Vec<Compiled> {
        // SAFETY: Vulkan's functions with their own structures, which live until the calls are over.
        unsafe {
            let modules: Vec<_> = stages
                .iter()
                .map(|stage| {
                    let create = vk::ShaderModuleCreateInfo::default().code(&stage.words);
                    self.device.create_shader_module(&create, None).expect("a module")
                })
                .collect();
            let mut sizes: Vec<_> = stages
                .iter()
                .map(|stage| {
                    vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default()
                        .required_subgroup_size(stage.lanes.unwrap_or(0))
                })
                .collect();
            let create: Vec<_> = stages
                .iter()
                .zip(&modules)
                .zip(&mut sizes)
                .map(|((stage, &module), size)| {
                    let create =
                        vk::PipelineShaderStageCreateInfo::default().stage(stage.stage).module(module).name(c"main");
                    if stage.lanes.is_some() {
                        create.push_next(size)
                    } else {
                        create
                    }
                })
                .collect();
            let pipeline = match create[..] {
                [only] if only.stage == vk::ShaderStageFlags::COMPUTE => self.compute(only),
                _ => self.graphics(&create),
            };
            let compiled = self.executables_of(pipeline);
            self.device.destroy_pipeline(pipeline, None);
            modules.into_iter().for_each(|module| self.device.destroy_shader_module(module, None));
            compiled
        }
    }

    unsafe fn compute(&self, stage: vk::PipelineShaderStageCreateInfo<'_>) -> vk::Pipeline {
        let create = vk::ComputePipelineCreateInfo::default()
            .stage(stage)
            .layout(self.layout)
            .flags(vk::PipelineCreateFlags::CAPTURE_INTERNAL_REPRESENTATIONS_KHR);
        let made = self.device.create_compute_pipelines(vk::PipelineCache::null(), &[create], None);
        made.expect("a pipeline")[0]
    }

    unsafe fn graphics(&self, stages: &[vk::PipelineShaderStageCreateInfo<'_>]) -> vk::Pipeline {
        let formats =
            [(vk::Format::R32G32B32_SFLOAT, 0), (vk::Format::R32G32B32_SFLOAT, 12), (vk::Format::R32G32_SFLOAT, 24)];
        let attributes: Vec<_> = (0..)
            .zip(formats)
            .map(|(location, (format, offset))| {
                vk::VertexInputAttributeDescription::default().location(location).format(format).offset(offset)
            })
            .collect();
        let buffers = [vk::VertexInputBindingDescription::default().stride(32)];
        let input = vk::PipelineVertexInputStateCreateInfo::default()
            .vertex_binding_descriptions(&buffers)
            .vertex_attribute_descriptions(&attributes);
        let assembly =
            vk::PipelineInputAssemblyStateCreateInfo::default().topology(vk::PrimitiveTopology::TRIANGLE_LIST);
        let (viewports, scissors) =
            ([vk::Viewport::default().width(64.0).height(64.0).max_depth(1.0)], [vk::Rect2D::default()]);
        let viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
        let raster = vk::PipelineRasterizationStateCreateInfo::default().line_width(1.0);
        let samples =
            vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_1);
        let targets = [vk::Format::R8G8B8A8_UNORM, vk::Format::R16G16B16A16_SFLOAT];
        let blends = targets
            .map(|_| vk::PipelineColorBlendAttachmentState::default().color_write_mask(vk::ColorComponentFlags::RGBA));
        let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
        let mut rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&targets);
        let create = vk::GraphicsPipelineCreateInfo::default()
            .stages(stages)
            .vertex_input_state(&input)
            .input_assembly_state(&assembly)
            .viewport_state(&viewport)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .color_blend_state(&blend)
            .layout(self.layout)
            .flags(vk::PipelineCreateFlags::CAPTURE_INTERNAL_REPRESENTATIONS_KHR)
            .push_next(&mut rendering);
        let made = self.device.create_graphics_pipelines(vk::PipelineCache::null(), &[create], None);
        made.expect("a pipeline")[0]
    }

    unsafe fn executables_of(&self, pipeline: vk::Pipeline) -> Vec<Compiled> {
        let info = vk::PipelineInfoKHR::default().pipeline(pipeline);
        let all = self.executables.get_pipeline_executable_properties(&info).expect("executables");
        let compiled = (0..).zip(all).map(|(index, properties)| {
            let info = vk::PipelineExecutableInfoKHR::default().pipeline(pipeline).executable_index(index);
            let wave = match properties.subgroup_size {
                32 => Wave::W32,
                64 => Wave::W64,
                lanes => panic!("a wave of {lanes} lanes"),
            };
            Compiled { stages: properties.stages, wave, code: code(&self.assembly(&info)), size: self.size(&info) }
        });
        compiled.collect()
    }

    /// How many bytes of code the driver counts.
    unsafe fn size(&self, info: &vk::PipelineExecutableInfoKHR<'_>) -> u64 {
        let all = self.executables.get_pipeline_executable_statistics(info).expect("statistics");
        let named = all.iter().find(|one| CStr::from_ptr(one.name.as_ptr()) == c"Code size");
        named.expect("the code's size").value.u64
    }

    /// The text that the driver shows of the code.
    unsafe fn assembly(&self, info: &vk::PipelineExecutableInfoKHR<'_>) -> String {
        let get = self.executables.fp().get_pipeline_executable_internal_representations_khr;
        let mut count = 0;
        get(self.device.handle(), info, &mut count, std::ptr::null_mut()).result().expect("a count");
        let mut all = vec![vk::PipelineExecutableInternalRepresentationKHR::default(); count as usize];
        get(self.device.handle(), info, &mut count, all.as_mut_ptr()).result().expect("sizes");
        let mut texts: Vec<_> = all.iter().map(|one| vec![0_u8; one.data_size]).collect();
        for (one, text) in all.iter_mut().zip(&mut texts) {
            one.p_data = text.as_mut_ptr().cast();
        }
        get(self.device.handle(), info, &mut count, all.as_mut_ptr()).result().expect("texts");
        let named = all.iter().zip(texts).find(|(one, _)| CStr::from_ptr(one.name.as_ptr()) == c"Assembly");
        String::from_utf8(named.expect("the assembly").1).expect("text")
    }
}

/// An instance of a driver, and its first device.
///
/// # Safety
///
/// The library must be a Vulkan driver, and stay open while the instance is used.
pub unsafe fn open_instance(library: &Library) -> (ash::Instance, vk::PhysicalDevice) {
    let get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr =
        *library.get(b"vk_icdGetInstanceProcAddr\0").expect("a Vulkan driver");
    let entry = ash::Entry::from_static_fn(ash::StaticFn { get_instance_proc_addr });
    let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
    let create = vk::InstanceCreateInfo::default().application_info(&application);
    let instance = entry.create_instance(&create, None).expect("an instance");
    let physical = instance.enumerate_physical_devices().expect("devices");
    let physical = *physical.first().expect("a device");
    (instance, physical)
}

/// The layouts of the sets, with the resources of the kinds that are wanted.
///
/// # Safety
///
/// They must be destroyed before the device is, or live as long as the process.
pub unsafe fn layouts(
    device: &ash::Device,
    wanted: impl Fn(vk::DescriptorType) -> bool,
) -> [vk::DescriptorSetLayout; SETS] {
    std::array::from_fn(|set| {
        let bindings = BINDINGS.iter().filter(|binding| binding.0 == set && wanted(binding.2));
        let bindings = bindings.map(|&(_, binding, kind, count)| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(binding)
                .descriptor_type(kind)
                .descriptor_count(count)
                .stage_flags(vk::ShaderStageFlags::ALL)
        });
        let bindings: Vec<_> = bindings.collect();
        let create = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        device.create_descriptor_set_layout(&create, None).expect("a layout")
    })
}

/// The words behind each instruction of the driver's text.
fn code(text: &str) -> Vec<u8> {
    let text = text.trim_end_matches('\0');
    let words = text.lines().filter_map(|line| line.rsplit_once(';')).flat_map(|(_, words)| {
        words
            .split_whitespace()
            .map(|word| u32::from_str_radix(word, 16).expect("a word").to_le_bytes())
            .collect::<Vec<_>>()
    });
    words.flatten().collect()
}
