//! Draws the shaded picture into egui's render pass.

use egui_wgpu::{CallbackResources, CallbackTrait, wgpu};

use super::shader::pass;
use crate::device::{Access, ArgInfo, KernelInfo, Shared};

/// Pipeline and sampler that every picture shares.
pub struct Blitter {
    pipeline: wgpu::RenderPipeline,
    sampler: wgpu::Sampler,
    linear: bool,
}

crate::shared! {
    /// What the shader is told.
    pub struct BlitU {
        /// Left, top, right, bottom in normalised device coordinates.
        pub corners: [f32; 4],
        /// One where the target expects linear light and applies the curve itself.
        pub linear: u32,
        /// Nothing.
        pub pad0: u32,
        /// Nothing.
        pub pad1: u32,
        /// Nothing.
        pub pad2: u32,
    }
}

/// The shader with its uniform.
pub const SHADER: KernelInfo = pass(
    "view/blit.wgsl",
    &[ArgInfo {
        name: "blit",
        access: Access::Uniform,
        layout: BlitU::LAYOUT,
    }],
);

/// One picture at one place.
#[derive(Clone)]
pub struct Blit {
    pipeline: wgpu::RenderPipeline,
    bindings: wgpu::BindGroup,
    /// Left, top, right, bottom in normalised device coordinates of the callback's rectangle.
    pub corners: [f32; 4],
}

impl Blitter {
    pub fn new(device: &wgpu::Device, target: wgpu::TextureFormat) -> Self {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("view/blit"),
            source: wgpu::ShaderSource::Wgsl(include_str!("../../shaders/view/blit.wgsl").into()),
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("view/blit"),
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("corner"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..Default::default()
            },
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("pixel"),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(target.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("view/blit"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        Self {
            pipeline,
            sampler,
            linear: target.is_srgb(),
        }
    }

    pub fn blit(&self, device: &wgpu::Device, texture: &wgpu::Texture, corners: [f32; 4]) -> Blit {
        let uniform = BlitU {
            corners,
            linear: u32::from(self.linear),
            pad0: 0,
            pad1: 0,
            pad2: 0,
        };
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("view/blit"),
            size: size_of::<BlitU>() as u64,
            usage: wgpu::BufferUsages::UNIFORM,
            mapped_at_creation: true,
        });
        if let Ok(mut view) = buffer.slice(..).get_mapped_range_mut() {
            view.copy_from_slice(bytemuck::bytes_of(&uniform));
        }
        buffer.unmap();
        let picture = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("view/blit"),
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry {
                    binding: 0,
                    resource: buffer.as_entire_binding(),
                },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::TextureView(&picture),
                },
                wgpu::BindGroupEntry {
                    binding: 2,
                    resource: wgpu::BindingResource::Sampler(&self.sampler),
                },
            ],
        });
        Blit {
            pipeline: self.pipeline.clone(),
            bindings,
            corners,
        }
    }
}

impl CallbackTrait for Blit {
    fn paint(
        &self,
        _: egui::PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        _: &CallbackResources,
    ) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        pass.draw(0..4, 0..1);
    }
}
