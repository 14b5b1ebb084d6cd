//! What a field and its settings mean for the shading: the numbers that the CPU and the shaders share.

use super::{colormap, range};
use crate::document::{ColorMap, ViewSettings};
use crate::field::{FieldData, RangeHint};

/// Dye that shines.
pub const GLOW: u32 = 0;
/// Dye that absorbs the light behind it.
pub const INK: u32 = 1;
/// One number through a colour map.
pub const MAP: u32 = 2;
/// A direction as hue, its length as brightness.
pub const DIRECTION: u32 = 3;

crate::shared! {
    /// Uniform of all passes in `shaders/view/`.
    pub struct Look {
        /// Cells along x and y.
        pub cells: [u32; 2],
        /// Pixels.
        pub size: [u32; 2],
        /// One of the constants above.
        pub mode: u32,
        /// Numbers a cell of the field.
        pub components: u32,
        /// First cell of the layer that is shown.
        pub first_cell: u32,
        /// One if there are obstacles.
        pub solid: u32,
        /// Factor on dye.
        pub gain: f32,
        /// Strength of the glow.
        pub bloom: f32,
        /// Strength of the relief.
        pub shading: f32,
        /// Value at the low end.
        pub low: f32,
        /// One over the range of values.
        pub inv_range: f32,
        /// One if a colour is shown by its luminance.
        pub luminance: u32,
        /// Levels of the bloom pyramid; none where there is no bloom.
        pub levels: u32,
        /// Nothing.
        pub pad: u32,
        /// Linear colour behind dye, or of the paper.
        pub background: [f32; 4],
        /// Linear colour of obstacles.
        pub obstacles: [f32; 4],
    }
}

crate::shared! {
    /// Sizes of a step of the bloom pyramid.
    pub struct Level {
        /// Cells of the finer picture along x and y.
        pub fine: [u32; 2],
        /// Cells of the coarser one.
        pub coarse: [u32; 2],
        /// One for the first step, which takes the field itself.
        pub first: u32,
        /// Nothing.
        pub pad0: u32,
        /// Nothing.
        pub pad1: u32,
        /// Nothing.
        pub pad2: u32,
    }
}

impl Look {
    pub fn new(
        field: &FieldData,
        obstacle: Option<&FieldData>,
        settings: &ViewSettings,
        size: [u32; 2],
    ) -> Self {
        let [nx, ny, nz] = field.grid.cells.map(|n| n.max(1));
        let components = field.desc.components.max(1);
        let color = field.desc.range == RangeHint::Color && components >= 3;
        let mode = match (color, settings.color_map, components) {
            (true, ColorMap::Auto, _) if settings.ink => INK,
            (true, ColorMap::Auto, _) => GLOW,
            (false, ColorMap::Hue | ColorMap::Auto, 2 | 3) => DIRECTION,
            _ => MAP,
        };
        let [low, high] = if mode <= INK {
            [0.0, 1.0]
        } else {
            range(field, settings)
        };
        let rgb = |c: [f32; 3]| [c[0], c[1], c[2], 0.0].map(finite);
        let levels = if mode == GLOW && settings.bloom > 0.0 {
            super::bloom::levels([nx, ny])
        } else {
            0
        };
        Self {
            cells: [nx, ny],
            size: size.map(|n| n.clamp(1, 16384)),
            mode,
            components,
            first_cell: nx * ny * (nz / 2),
            solid: u32::from(obstacle.is_some_and(|o| o.grid.cells == field.grid.cells)),
            gain: finite(settings.exposure).clamp(-20.0, 20.0).exp2(),
            bloom: finite(settings.bloom),
            shading: finite(settings.shading),
            low,
            inv_range: 1.0 / (high - low).max(1e-30),
            luminance: u32::from(color),
            levels,
            pad: 0,
            background: rgb(if mode == INK {
                settings.paper
            } else {
                settings.background
            }),
            obstacles: rgb(settings.obstacles),
        }
    }

    /// Cells in the layer.
    pub fn len(&self) -> usize {
        self.cells[0] as usize * self.cells[1] as usize
    }
    /// Share of each level of the bloom pyramid in the glow.
    pub fn share(&self) -> f32 {
        1.0 / self.levels.max(1) as f32
    }
    /// Planes that carry the field.
    pub fn field_planes(&self) -> usize {
        match self.mode {
            GLOW | INK => 3,
            MAP => 1,
            _ => 2,
        }
    }
    /// Planes in all: obstacles add their coverage and their colour.
    pub fn planes(&self) -> usize {
        self.field_planes() + if self.solid == 1 { 4 } else { 0 }
    }
}

/// The colour map of the field's values, 256 entries of sRGB.
pub fn table(field: &FieldData, settings: &ViewSettings) -> &'static [[f32; 3]; 256] {
    colormap::table(colormap::resolve(settings.color_map, &field.desc))
}

/// Not a number and infinity become zero.
pub fn finite(v: f32) -> f32 {
    if v.abs() < 1e30 { v } else { 0.0 }
}
