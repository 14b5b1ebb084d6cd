//! Who paints the field: the viewport's shaders or, where there is no GPU device (in tests), a picture made here.

use std::sync::Arc;

use egui::{Color32, ColorImage, Painter, Rect, TextureHandle, TextureOptions, pos2};

use crate::document::ViewSettings;
use crate::field::{FieldData, Grid};
use crate::view::viewport::Viewport;
use crate::view::{Background, Camera, Picture, fitting_size, picture};

/// Paints fields.
pub enum Canvas {
    /// By a wgpu device.
    Device(Box<Viewport>),
    /// As a texture of egui.
    Texture(Box<Painted>),
}

/// A texture of egui and the picture that is being made for it.
pub struct Painted {
    background: Background<Picture>,
    texture: Option<TextureHandle>,
    asked: Option<(u64, Grid, ViewSettings)>,
}

impl Default for Canvas {
    fn default() -> Self {
        Self::Texture(Box::new(Painted {
            background: Background::new(1),
            texture: None,
            asked: None,
        }))
    }
}

/// Longest edge of a picture made here, in pixels.
const LONGEST: u32 = 512;

impl Canvas {
    /// Paints with a wgpu device.
    pub fn on(viewport: Viewport) -> Self {
        Self::Device(Box::new(viewport))
    }

    /// Paints a field where the camera shows it; `serial` differs whenever its numbers do. Never waits: until a new picture
    /// is there the one before is shown. Returns whether there was one.
    pub fn paint(
        &mut self,
        painter: &Painter,
        rect: Rect,
        camera: &Camera,
        serial: u64,
        field: &Arc<FieldData>,
        obstacle: Option<&Arc<FieldData>>,
        settings: &ViewSettings,
    ) -> bool {
        match self {
            Self::Device(viewport) => {
                viewport.set_field(serial, Arc::clone(field), obstacle.cloned(), settings);
                viewport.paint(painter, rect, camera)
            }
            Self::Texture(painted) => {
                painted.update(painter.ctx(), serial, field, obstacle, settings);
                let Some(texture) = &painted.texture else {
                    return false;
                };
                let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
                let place = camera.domain(rect, &field.grid);
                painter.image(texture.id(), place, whole, Color32::WHITE);
                true
            }
        }
    }
}

impl Painted {
    fn update(
        &mut self,
        ctx: &egui::Context,
        serial: u64,
        field: &Arc<FieldData>,
        obstacle: Option<&Arc<FieldData>>,
        settings: &ViewSettings,
    ) {
        if let Some(made) = self.background.take() {
            self.show(ctx, &made);
        }
        if let Some((of, grid, how)) = &self.asked {
            if *grid != field.grid {
                self.texture = None;
                self.background.forget();
            } else if *of == serial && how == settings {
                return;
            }
        }
        let size = fitting_size(&field.grid, LONGEST);
        let (data, solid) = (Arc::clone(field), obstacle.cloned());
        let how = settings.clone();
        let make = move || picture(&data, solid.as_deref(), &how, size);
        let wake = ctx.clone();
        if self.background.begin(make, move || wake.request_repaint()) {
            self.asked = Some((serial, field.grid, settings.clone()));
        }
    }

    fn show(&mut self, ctx: &egui::Context, made: &Picture) {
        let size = [made.width as usize, made.height as usize];
        let image = ColorImage::from_rgba_unmultiplied(size, &made.rgba);
        match &mut self.texture {
            Some(texture) => texture.set(image, TextureOptions::LINEAR),
            None => {
                self.texture = Some(ctx.load_texture("viewport", image, TextureOptions::LINEAR));
            }
        }
    }
}
