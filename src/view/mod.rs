//! The picture of a field: the same shading on the CPU ([`picture`]) and on the GPU ([`viewport`]).
//!
//! 1. *Cells.* The field becomes planes of numbers: exposed linear colour for dye, one plane for a scalar or a speed, two
//!    for a direction. Solid cells take the mean of the fluid around them, so that no dark seam is interpolated.
//! 2. *Bloom.* Bright dye is blurred over a pyramid of halved pictures and added back.
//! 3. *Tone.* Relief light, ink or glow, shoulder to white and the sRGB curve, cell by cell; obstacles get a bevel and
//!    the light of the dye around them.
//! 4. *Compose.* The planes are interpolated to pixels by a cubic filter (widened when the picture is smaller than the
//!    grid), then mapped to colours, covered by obstacles and dithered to eight bits.
//!
//! Interpolating what is seen instead of what is simulated keeps edges smooth where dye is bright, and leaves the pixels
//! cheap: 1 to 7 planes of four taps each way. Row 0 of a picture is at the top, y of a field is up.

mod background;
mod blit;
mod bloom;
pub mod camera;
mod cells;
pub mod colormap;
mod compose;
mod gallery;
mod lic;
mod look;
mod probe;
mod range;
pub mod shader;
mod solid;
mod streams;
mod tone;
mod tracers;
pub mod viewport;

pub use background::Background;
pub use camera::Camera;
pub use gallery::Gallery;
pub use lic::{Patch, streaks};
pub use probe::probe;
pub use range::{Histogram, Legend, legend, measure, range};
pub use streams::Flow;
pub use tracers::Tracers;

use crate::document::ViewSettings;
use crate::field::{FieldData, Grid};
use look::Look;

/// A picture of eight bits a channel, sRGB, opaque.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Red, green, blue, alpha of each pixel; row 0 is at the top.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// As an sRGB PNG without transparency.
    ///
    /// # Errors
    /// A picture without pixels.
    pub fn png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let rgb: Vec<u8> = self
            .rgba
            .chunks_exact(4)
            .flat_map(|p| [p[0], p[1], p[2]])
            .collect();
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&rgb)?;
        writer.finish()?;
        Ok(bytes)
    }
}

/// The whole domain as a picture of `size` pixels (at least one each way), on the CPU. A 3D field shows its middle layer.
/// The bytes do not depend on the number of threads.
pub fn picture(
    field: &FieldData,
    obstacle: Option<&FieldData>,
    settings: &ViewSettings,
    size: [u32; 2],
) -> Picture {
    let look = Look::new(field, obstacle, settings, size);
    let cells = cells::planes(&look, field, obstacle);
    let solid = solid::solid(&look, obstacle);
    let planes = tone::tone(&look, &cells, solid.as_ref());
    Picture {
        width: look.size[0],
        height: look.size[1],
        rgba: compose::compose(&look, &planes, look::table(field, settings)),
    }
}

/// Width and height in pixels of a picture whose longer edge has `long_edge` pixels.
pub fn fitting_size(grid: &Grid, long_edge: u32) -> [u32; 2] {
    let [nx, ny, _] = grid.cells.map(|n| n.max(1) as f32);
    let scale = long_edge.max(1) as f32 / nx.max(ny);
    [nx, ny].map(|n| ((n * scale).round() as u32).max(1))
}
