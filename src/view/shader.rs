//! The picture on a GPU: the passes of `shaders/view/` on a device that the caller owns.

use egui_wgpu::wgpu;

use super::look::{GLOW, Level, Look, table};
use crate::device::{Access, ArgInfo, KernelInfo, Shared, SharedInfo, link_shader};
use crate::document::ViewSettings;
use crate::field::FieldData;

/// A pass with its uniforms. Its buffers are bound by number, in the order of the shader.
pub(super) const fn pass(shader: &'static str, args: &'static [ArgInfo]) -> KernelInfo {
    KernelInfo {
        name: shader,
        shader,
        features: &[],
        args,
    }
}

const fn uniform_arg(name: &'static str, layout: SharedInfo) -> ArgInfo {
    ArgInfo {
        name,
        access: Access::Uniform,
        layout,
    }
}

const LOOK: ArgInfo = uniform_arg("look", Look::LAYOUT);
const LEVEL: ArgInfo = uniform_arg("level", Level::LAYOUT);
const CELLS: KernelInfo = pass("view/cells.wgsl", &[LOOK]);
const BLUR: KernelInfo = pass("view/blur.wgsl", &[LOOK]);
const HALVE: KernelInfo = pass("view/halve.wgsl", &[LOOK, LEVEL]);
const DOUBLE: KernelInfo = pass("view/double.wgsl", &[LEVEL]);
const TONE: KernelInfo = pass("view/tone.wgsl", &[LOOK]);
const STRETCH: KernelInfo = pass("view/stretch.wgsl", &[LOOK]);
const COMPOSE: KernelInfo = pass("view/compose.wgsl", &[LOOK]);

/// The shaders of the viewport with their uniforms, which a test compares with what they declare.
pub const SHADERS: &[KernelInfo] = &[
    CELLS,
    BLUR,
    HALVE,
    DOUBLE,
    TONE,
    STRETCH,
    COMPOSE,
    super::blit::SHADER,
];

/// The passes with their buffers, which are kept while the sizes stay.
pub struct Shader {
    device: wgpu::Device,
    cells: wgpu::ComputePipeline,
    blur: wgpu::ComputePipeline,
    halve: wgpu::ComputePipeline,
    double: wgpu::ComputePipeline,
    tone: wgpu::ComputePipeline,
    stretch: wgpu::ComputePipeline,
    compose: wgpu::ComputePipeline,
    buffers: Option<Buffers>,
}

struct Buffers {
    /// For what they are large enough: numbers of the field and everything in the look that sizes depend on.
    key: [u32; 8],
    look: wgpu::Buffer,
    field: wgpu::Buffer,
    obstacle: wgpu::Buffer,
    cells: wgpu::Buffer,
    solid: wgpu::Buffer,
    toned: wgpu::Buffer,
    stretched: wgpu::Buffer,
    table: wgpu::Buffer,
    /// Each level of the pyramid with its sizes.
    levels: Vec<(Level, wgpu::Buffer, wgpu::Buffer)>,
}

fn pipeline(device: &wgpu::Device, pass: &KernelInfo) -> Option<wgpu::ComputePipeline> {
    let path = pass.shader;
    let linked = link_shader(path, pass.features)
        .inspect_err(|e| log::error!("{e}"))
        .ok()?;
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(path),
        source: wgpu::ShaderSource::Wgsl(linked.text.into()),
    });
    Some(
        device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(path),
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        }),
    )
}

impl Shader {
    /// None where the device cannot run them.
    pub fn new(device: &wgpu::Device) -> Option<Self> {
        let limits = device.limits();
        if limits.max_storage_buffers_per_shader_stage < 4
            || limits.max_compute_invocations_per_workgroup < 256
            || limits.max_storage_textures_per_shader_stage < 1
        {
            return None;
        }
        Some(Self {
            cells: pipeline(device, &CELLS)?,
            blur: pipeline(device, &BLUR)?,
            halve: pipeline(device, &HALVE)?,
            double: pipeline(device, &DOUBLE)?,
            tone: pipeline(device, &TONE)?,
            stretch: pipeline(device, &STRETCH)?,
            compose: pipeline(device, &COMPOSE)?,
            device: device.clone(),
            buffers: None,
        })
    }

    /// Fills the texture, which is `rgba8unorm` and may be written by shaders, with the whole domain. False, and nothing
    /// is done, where the field is empty, incomplete or too large for the device.
    pub fn render(
        &mut self,
        queue: &wgpu::Queue,
        field: &FieldData,
        obstacle: Option<&FieldData>,
        settings: &ViewSettings,
        texture: &wgpu::Texture,
    ) -> bool {
        let look = Look::new(
            field,
            obstacle,
            settings,
            [texture.width(), texture.height()],
        );
        let cells = field.grid.len();
        let obstacle = obstacle.filter(|o| look.solid == 1 && o.data.len() == cells);
        let complete = cells > 0 && field.data.len() == cells * look.components as usize;
        if !complete || (look.solid == 1) != obstacle.is_some() || !self.allocate(&look, field) {
            return false;
        }
        let Some(buffers) = &self.buffers else {
            return false;
        };
        queue.write_buffer(&buffers.look, 0, bytemuck::bytes_of(&look));
        queue.write_buffer(&buffers.field, 0, bytemuck::cast_slice(&field.data));
        if let Some(obstacle) = obstacle {
            queue.write_buffer(&buffers.obstacle, 0, bytemuck::cast_slice(&obstacle.data));
        }
        let colors: Vec<[f32; 4]> = table(field, settings)
            .iter()
            .map(|&[r, g, b]| [r, g, b, 1.0])
            .collect();
        queue.write_buffer(&buffers.table, 0, bytemuck::cast_slice(&colors));
        let mut encoder = self
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("view"),
            });
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some("view"),
                timestamp_writes: None,
            });
            self.record(&mut pass, &look, buffers, texture);
        }
        queue.submit([encoder.finish()]);
        true
    }

    fn record(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        look: &Look,
        b: &Buffers,
        texture: &wgpu::Texture,
    ) {
        self.run(
            pass,
            &self.cells,
            look.cells,
            &[&b.look, &b.field, &b.obstacle, &b.cells],
        );
        if look.solid == 1 {
            self.run(
                pass,
                &self.blur,
                look.cells,
                &[&b.look, &b.obstacle, &b.solid],
            );
        }
        if look.mode == GLOW {
            let mut fine = &b.cells;
            for (level, uniform, coarse) in &b.levels {
                let bound = [&b.look, uniform, fine, &b.solid, coarse];
                self.run(pass, &self.halve, level.coarse, &bound);
                fine = coarse;
            }
            for pair in b.levels.windows(2).rev() {
                let (level, uniform, coarse) = &pair[1];
                self.run(
                    pass,
                    &self.double,
                    level.fine,
                    &[uniform, &pair[0].2, coarse],
                );
            }
        }
        let glow = b.levels.first().map_or(&b.field, |l| &l.2);
        self.run(
            pass,
            &self.tone,
            look.cells,
            &[&b.look, &b.cells, &b.solid, glow, &b.toned],
        );
        let rows = [look.size[0], look.cells[1]];
        self.run(
            pass,
            &self.stretch,
            rows,
            &[&b.look, &b.toned, &b.stretched],
        );
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut entries = buffers_as_entries(&[&b.look, &b.stretched, &b.table]);
        entries.push(wgpu::BindGroupEntry {
            binding: 3,
            resource: wgpu::BindingResource::TextureView(&view),
        });
        self.run_with(pass, &self.compose, look.size, &entries);
    }

    fn run(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        pipeline: &wgpu::ComputePipeline,
        items: [u32; 2],
        bound: &[&wgpu::Buffer],
    ) {
        self.run_with(pass, pipeline, items, &buffers_as_entries(bound));
    }

    fn run_with(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        pipeline: &wgpu::ComputePipeline,
        items: [u32; 2],
        entries: &[wgpu::BindGroupEntry<'_>],
    ) {
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("view"),
            layout: &pipeline.get_bind_group_layout(0),
            entries,
        });
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(items[0].div_ceil(16), items[1].div_ceil(16), 1);
    }

    /// Makes the buffers unless those that there are fit. False where one would be larger than the device allows.
    fn allocate(&mut self, look: &Look, field: &FieldData) -> bool {
        let numbers = field.data.len();
        let key = [
            numbers as u32,
            look.cells[0],
            look.cells[1],
            look.size[0],
            look.size[1],
            look.planes() as u32,
            look.levels,
            look.solid,
        ];
        if self.buffers.as_ref().is_some_and(|b| b.key == key) {
            return true;
        }
        let stretched = look.size[0] as usize * look.cells[1] as usize * look.planes();
        let toned = look.len() * look.planes();
        let solid = if look.solid == 1 { look.len() } else { 1 };
        let obstacle = if look.solid == 1 { field.grid.len() } else { 1 };
        let most = self.device.limits().max_storage_buffer_binding_size;
        if [numbers, stretched, toned]
            .iter()
            .any(|&n| n as u64 * 4 > most)
        {
            return false;
        }
        let device = &self.device;
        let storage = |label, numbers: usize| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: numbers as u64 * 4,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        self.buffers = Some(Buffers {
            key,
            look: uniform(device, bytemuck::bytes_of(look)),
            field: storage("field", numbers),
            obstacle: storage("obstacle", obstacle),
            cells: storage("cells", look.len() * look.field_planes()),
            solid: storage("solid", 2 * solid),
            toned: storage("toned", toned),
            stretched: storage("stretched", stretched),
            table: storage("colors", 4 * super::colormap::ENTRIES),
            levels: pyramid(look)
                .into_iter()
                .map(|level| {
                    let [x, y] = level.coarse.map(|n| n as usize);
                    (
                        level,
                        uniform(device, bytemuck::bytes_of(&level)),
                        storage("level", 3 * x * y),
                    )
                })
                .collect(),
        });
        true
    }
}

fn pyramid(look: &Look) -> Vec<Level> {
    let mut fine = look.cells;
    (0..look.levels)
        .map(|k| {
            let level = Level {
                fine,
                coarse: fine.map(|n| n.div_ceil(2)),
                first: u32::from(k == 0),
                pad0: 0,
                pad1: 0,
                pad2: 0,
            };
            fine = level.coarse;
            level
        })
        .collect()
}

fn uniform(device: &wgpu::Device, bytes: &[u8]) -> wgpu::Buffer {
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("view"),
        size: bytes.len() as u64,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: true,
    });
    if let Ok(mut view) = buffer.slice(..).get_mapped_range_mut() {
        view.copy_from_slice(bytes);
    }
    buffer.unmap();
    buffer
}

fn buffers_as_entries<'a>(bound: &[&'a wgpu::Buffer]) -> Vec<wgpu::BindGroupEntry<'a>> {
    bound
        .iter()
        .zip(0..)
        .map(|(buffer, binding)| wgpu::BindGroupEntry {
            binding,
            resource: buffer.as_entire_binding(),
        })
        .collect()
}
