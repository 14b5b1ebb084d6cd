//! The picture in the editor: shaded into a texture of its own when something changes, and shown by a paint callback that
//! only zooms and pans.
//!
//! A hardware GPU shades by the shaders in `shaders/view/`. A driver that runs on the CPU would be many times slower than
//! [`picture`] (measured for stencils: 35 times), so there the picture is made by that and uploaded. It
//! gets threads of its own: the simulation holds the common ones for as long as a solve takes.

use std::sync::Arc;

use egui_wgpu::wgpu;

use super::blit::{Blit, Blitter};
use super::shader::Shader;
use super::{Background, Camera, Picture, picture};
use crate::document::ViewSettings;
use crate::field::FieldData;

/// Most pixels that are shaded on the CPU.
const CPU_PIXELS: f32 = 7e5;
/// Most pixels that are shaded on a GPU.
const GPU_PIXELS: f32 = 8e6;

/// Shows one field. Each view of the editor has its own.
pub struct Viewport {
    device: wgpu::Device,
    queue: wgpu::Queue,
    blitter: Blitter,
    shader: Option<Shader>,
    pictures: Background<Picture>,
    /// Each picture is waited for.
    waits: bool,
    shown: Option<Shown>,
    /// The texture, and whether it is out of date.
    texture: Option<wgpu::Texture>,
    stale: bool,
    /// Pixels of the picture that was asked for last.
    asked: [u32; 2],
    blit: Option<Blit>,
}

struct Shown {
    serial: u64,
    field: Arc<FieldData>,
    obstacle: Option<Arc<FieldData>>,
    settings: ViewSettings,
}

impl Viewport {
    /// Shades where it is fastest.
    pub fn new(render: &egui_wgpu::RenderState) -> Self {
        let software = render.adapter.get_info().device_type == wgpu::DeviceType::Cpu;
        Self {
            waits: false,
            ..Self::with_shading(render, !software)
        }
    }

    /// Shades on the GPU, if it can, or on the CPU, and waits for each picture: for pictures that are kept.
    pub fn with_shading(render: &egui_wgpu::RenderState, on_gpu: bool) -> Self {
        let device = render.device.clone();
        let shader = on_gpu.then(|| Shader::new(&device)).flatten();
        Self {
            queue: render.queue.clone(),
            blitter: Blitter::new(&device, render.target_format),
            device,
            shader,
            pictures: Background::new(0),
            waits: true,
            shown: None,
            texture: None,
            stale: true,
            asked: [0; 2],
            blit: None,
        }
    }

    /// What to show from now on. `serial` differs whenever the numbers do; with the same serial and settings nothing is
    /// done. `obstacle` is the coverage of obstacles, one number a cell of the same grid.
    pub fn set_field(
        &mut self,
        serial: u64,
        field: Arc<FieldData>,
        obstacle: Option<Arc<FieldData>>,
        settings: &ViewSettings,
    ) {
        let same = self.shown.as_ref().is_some_and(|s| {
            s.serial == serial
                && s.settings == *settings
                && s.field.desc == field.desc
                && s.obstacle.is_some() == obstacle.is_some()
        });
        if !same {
            if self
                .shown
                .as_ref()
                .is_some_and(|s| s.field.grid != field.grid)
            {
                // A picture of another domain would be drawn out of shape.
                (self.texture, self.blit) = (None, None);
                self.pictures.forget();
            }
            self.shown = Some(Shown {
                serial,
                field,
                obstacle,
                settings: settings.clone(),
            });
            self.stale = true;
        }
    }

    /// Shows nothing.
    pub fn clear(&mut self) {
        self.shown = None;
        self.blit = None;
    }

    /// Adds the picture to what egui draws in `rect`; the one before while the newest is being made. Outside the domain
    /// nothing is drawn. Returns whether there was a picture.
    pub fn paint(&mut self, painter: &egui::Painter, rect: egui::Rect, camera: &Camera) -> bool {
        let Some(grid) = self.shown.as_ref().map(|s| s.field.grid) else {
            return false;
        };
        if rect.width() < 1.0 || rect.height() < 1.0 {
            return false;
        }
        let pixels_a_cell = camera.zoom * painter.ctx().pixels_per_point() * grid.h;
        let size = self.size([grid.cells[0], grid.cells[1]], pixels_a_cell);
        self.shade(size, painter.ctx());
        let Some(texture) = &self.texture else {
            return false;
        };
        let domain = camera.domain(rect, &grid);
        let x = |x: f32| 2.0 * (x - rect.left()) / rect.width() - 1.0;
        let y = |y: f32| 1.0 - 2.0 * (y - rect.top()) / rect.height();
        let corners = [
            x(domain.left()),
            y(domain.top()),
            x(domain.right()),
            y(domain.bottom()),
        ];
        let blit = match &self.blit {
            Some(blit) if blit.corners == corners => blit.clone(),
            _ => self.blitter.blit(&self.device, texture, corners),
        };
        self.blit = Some(blit.clone());
        painter.add(egui_wgpu::Callback::new_paint_callback(rect, blit));
        true
    }

    /// Pixels of the picture: as many as the screen shows of the whole domain, in steps, so that zooming does not shade
    /// anew all the time, and no more than can be shaded quickly; beyond, the blit magnifies.
    fn size(&self, cells: [u32; 2], pixels_a_cell: f32) -> [u32; 2] {
        let step = match pixels_a_cell {
            s if s < 2.0 => 0.25,
            s if s < 4.0 => 0.5,
            _ => 1.0,
        };
        let [nx, ny] = cells.map(|n| n.max(1) as f32);
        let budget = if self.shader.is_some() {
            GPU_PIXELS
        } else {
            CPU_PIXELS
        };
        let longest = self.device.limits().max_texture_dimension_2d as f32;
        let scale = ((pixels_a_cell / step).ceil() * step)
            .clamp(0.25, 16.0)
            .min((budget / (nx * ny)).sqrt())
            .min(longest / nx.max(ny));
        [nx, ny].map(|n| ((n * scale) as u32).max(1))
    }

    /// Brings the texture up to date, or begins to.
    fn shade(&mut self, size: [u32; 2], wake: &egui::Context) {
        if let Some(made) = self.pictures.take() {
            self.upload(&made);
        }
        let Some(shown) = &self.shown else {
            return;
        };
        if !self.stale && self.asked == size {
            return;
        }
        if let Some(shader) = &mut self.shader {
            let fits = |t: &wgpu::Texture| [t.width(), t.height()] == size;
            let texture = match self.texture.take().filter(fits) {
                Some(texture) => texture,
                None => {
                    self.blit = None;
                    new_texture(&self.device, size)
                }
            };
            let obstacle = shown.obstacle.as_deref();
            let (field, settings) = (&shown.field, &shown.settings);
            let done = shader.render(&self.queue, field, obstacle, settings, &texture);
            self.texture = Some(texture);
            if done {
                (self.stale, self.asked) = (false, size);
                return;
            }
        }
        let (field, obstacle) = (Arc::clone(&shown.field), shown.obstacle.clone());
        let settings = shown.settings.clone();
        let make = move || picture(&field, obstacle.as_deref(), &settings, size);
        if self.waits {
            let made = self.pictures.make(make);
            self.upload(&made);
        } else {
            let wake = wake.clone();
            if !self.pictures.begin(make, move || wake.request_repaint()) {
                return;
            }
        }
        (self.stale, self.asked) = (false, size);
    }

    fn upload(&mut self, made: &Picture) {
        let fits = |t: &wgpu::Texture| [t.width(), t.height()] == [made.width, made.height];
        if !self.texture.as_ref().is_some_and(fits) {
            self.texture = Some(new_texture(&self.device, [made.width, made.height]));
            self.blit = None;
        }
        let Some(texture) = &self.texture else {
            return;
        };
        self.queue.write_texture(
            texture.as_image_copy(),
            &made.rgba,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * made.width),
                rows_per_image: None,
            },
            texture.size(),
        );
    }
}

/// A texture that both the shaders and an upload can fill.
pub fn new_texture(device: &wgpu::Device, [width, height]: [u32; 2]) -> wgpu::Texture {
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("view/picture"),
        size: wgpu::Extent3d {
            width,
            height,
            depth_or_array_layers: 1,
        },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::STORAGE_BINDING
            | wgpu::TextureUsages::COPY_DST
            | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    })
}
