//! Who paints the field: the viewport's shaders or, where there is no GPU device (in tests), a picture made here.

use std::sync::{Arc, OnceLock};

use egui::{Color32, ColorImage, Painter, Rect, TextureHandle, TextureOptions, pos2};

use crate::document::ViewSettings;
use crate::field::FieldData;
use crate::view::viewport::Viewport;
use crate::view::{Camera, fitting_size, picture};

/// Paints fields.
#[derive(Default)]
pub enum Canvas {
    /// Nothing has been painted.
    #[default]
    Empty,
    /// By a wgpu device.
    Device(Box<Viewport>),
    /// As a texture of egui.
    Texture {
        /// The picture.
        texture: TextureHandle,
        /// The snapshot it shows.
        serial: u64,
        /// How.
        settings: Box<ViewSettings>,
    },
}

/// Longest edge of a picture made here, in pixels.
const LONGEST: u32 = 512;

/// A thread for pictures: the simulation holds the common ones for as long as a solve takes.
fn own_thread() -> Option<&'static rayon::ThreadPool> {
    static THREAD: OnceLock<Option<rayon::ThreadPool>> = OnceLock::new();
    THREAD
        .get_or_init(|| rayon::ThreadPoolBuilder::new().num_threads(1).build().ok())
        .as_ref()
}

impl Canvas {
    /// Paints with a wgpu device.
    pub fn on(viewport: Viewport) -> Self {
        Self::Device(Box::new(viewport))
    }

    /// Paints a field where the camera shows it.
    pub fn paint(
        &mut self,
        painter: &Painter,
        rect: Rect,
        camera: &Camera,
        serial: u64,
        field: &Arc<FieldData>,
        obstacle: Option<&Arc<FieldData>>,
        settings: &ViewSettings,
    ) {
        if let Self::Device(viewport) = self {
            viewport.set_field(serial, Arc::clone(field), obstacle.cloned(), settings);
            viewport.paint(painter, rect, camera);
            return;
        }
        let fresh = matches!(self, Self::Texture { serial: s, settings: old, .. }
            if *s == serial && **old == *settings);
        if !fresh {
            let size = fitting_size(&field.grid, LONGEST);
            let make = || picture(field, obstacle.map(|o| &**o), settings, size);
            let made = match own_thread() {
                Some(thread) => thread.install(make),
                None => make(),
            };
            let image = ColorImage::from_rgba_unmultiplied(
                [made.width as usize, made.height as usize],
                &made.rgba,
            );
            let texture = match std::mem::take(self) {
                Self::Texture { mut texture, .. } => {
                    texture.set(image, TextureOptions::LINEAR);
                    texture
                }
                _ => painter
                    .ctx()
                    .load_texture("viewport", image, TextureOptions::LINEAR),
            };
            *self = Self::Texture {
                texture,
                serial,
                settings: Box::new(settings.clone()),
            };
        }
        if let Self::Texture { texture, .. } = self {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            let place = camera.domain(rect, &field.grid);
            painter.image(texture.id(), place, whole, Color32::WHITE);
        }
    }
}
