//! A shape at a place: signed distance and coverage. The twin of `shaders/scene/shape.wgsl`.
//!
//! Three families cover all shapes: a segment along x with round ends (disc, capsule), a box with rounded corners (box,
//! line) and a picture's distance field. Distances are in m, negative inside.

use super::Shape;
use super::masks::Masks;
use super::motion::{finite, finite3};

/// A segment with round ends: `size` is half its length, radius.
pub const ROUND: u32 = 0;
/// A box: `size` is half of its edges without the rounding, and the rounding.
pub const BOX: u32 = 1;
/// A picture: `size` is the edge of a pixel, unused, half of the depth, unused.
pub const MASK: u32 = 2;

/// Stands for "as far as one likes" along z in 2D.
pub const FAR: f32 = 1e18;

crate::shared! {
    /// A shape in the world.
    pub struct PlaceU {
        /// First row of the rotation from world to shape, and the centre's x.
        pub row_x: [f32; 4],
        /// Second row, and the centre's y.
        pub row_y: [f32; 4],
        /// Third row, and the centre's z.
        pub row_z: [f32; 4],
        /// Sizes; their meaning depends on the family.
        pub size: [f32; 4],
        /// Low corner of the bounding box, m.
        pub low: [f32; 4],
        /// High corner of the bounding box, m.
        pub high: [f32; 4],
        /// Family: `ROUND`, `BOX` or `MASK`.
        pub family: u32,
        /// First texel of the picture.
        pub texel: u32,
        /// Texels along x.
        pub mask_width: u32,
        /// Texels along y.
        pub mask_height: u32,
    }
}

impl Shape {
    /// Radius of a circle about the centre that holds the shape in the plane, m.
    pub fn radius(&self) -> f32 {
        match self {
            Self::Disc(s) => s.radius,
            Self::Box(s) => s.half_size[0].hypot(s.half_size[1]),
            Self::Line(s) => 0.5 * s.length.hypot(s.thickness),
            Self::Capsule(s) => 0.5 * s.length + s.radius,
            Self::Mask(s) => s.size * std::f32::consts::FRAC_1_SQRT_2,
        }
    }
}

/// Where a shape is put.
pub(super) struct Put {
    /// Centre, m.
    pub centre: [f32; 3],
    /// Rotation about x, then y, then z, degrees.
    pub rotation: [f32; 3],
    /// Whether the scene is 2D: z and the tilts are ignored.
    pub flat: bool,
    /// Added to the bounding box on every side, m.
    pub margin: f32,
    /// Least half thickness, m.
    pub least: f32,
}

impl PlaceU {
    /// The shape at the place. None where it is a picture that could not be loaded.
    pub(super) fn new(shape: &Shape, masks: &Masks, put: &Put) -> Option<Self> {
        Self::with_extent(shape, masks, put).map(|(place, _)| place)
    }

    /// The same with half of the edges of the box that holds the shape in its own frame.
    pub(super) fn with_extent(shape: &Shape, masks: &Masks, put: &Put) -> Option<(Self, [f32; 3])> {
        let mut rotation = finite3(put.rotation);
        let mut centre = finite3(put.centre);
        if put.flat {
            rotation = [0.0, 0.0, rotation[2]];
            centre[2] = 0.0;
        }
        let rows = world_to_shape(rotation);
        let row = |i: usize| [rows[i][0], rows[i][1], rows[i][2], centre[i]];
        let mut place = Self {
            row_x: row(0),
            row_y: row(1),
            row_z: row(2),
            size: [0.0; 4],
            low: [0.0; 4],
            high: [0.0; 4],
            family: ROUND,
            texel: 0,
            mask_width: 0,
            mask_height: 0,
        };
        let half = place.set_shape(shape, masks, put)?;
        for axis in 0..3 {
            let reach: f32 = (0..3).map(|i| rows[i][axis].abs() * half[i]).sum();
            place.low[axis] = centre[axis] - reach - put.margin;
            place.high[axis] = centre[axis] + reach + put.margin;
        }
        if put.flat {
            (place.low[2], place.high[2]) = (-FAR, FAR);
        }
        Some((place, half))
    }

    /// Sets family and sizes; returns half of the edges of the box that holds the shape.
    fn set_shape(&mut self, shape: &Shape, masks: &Masks, put: &Put) -> Option<[f32; 3]> {
        let least = |v: f32| finite(v).max(put.least);
        let deep = |v: f32| if put.flat { FAR } else { v };
        Some(match shape {
            Shape::Disc(s) => self.round(0.0, least(s.radius)),
            Shape::Capsule(s) => self.round(0.5 * finite(s.length).max(0.0), least(s.radius)),
            Shape::Box(s) => {
                let half = s.half_size.map(least);
                self.rounded_box([half[0], half[1], deep(half[2])], finite(s.rounding))
            }
            Shape::Line(s) => {
                let half = least(0.5 * s.thickness);
                self.rounded_box([least(0.5 * s.length), half, deep(half)], 0.0)
            }
            Shape::Mask(s) => {
                let mask = masks.get(&s.image)?;
                let pixel = finite(s.size).max(1e-6) / mask.long_edge;
                let half = [mask.width, mask.height].map(|n| 0.5 * pixel * n as f32);
                let depth = deep(0.5 * pixel * mask.short_edge);
                self.family = MASK;
                self.size = [pixel, 0.0, depth, 0.0];
                self.texel = mask.texel;
                (self.mask_width, self.mask_height) = (mask.width, mask.height);
                [half[0], half[1], depth]
            }
        })
    }

    fn round(&mut self, half_length: f32, radius: f32) -> [f32; 3] {
        self.family = ROUND;
        self.size = [half_length, radius, 0.0, 0.0];
        [half_length + radius, radius, radius]
    }

    fn rounded_box(&mut self, half: [f32; 3], rounding: f32) -> [f32; 3] {
        let r = rounding.clamp(0.0, half[0].min(half[1]).min(half[2]));
        self.family = BOX;
        self.size = [half[0] - r, half[1] - r, half[2] - r, r];
        half
    }

    /// Centre, m.
    pub fn centre(&self) -> [f32; 3] {
        [self.row_x[3], self.row_y[3], self.row_z[3]]
    }

    /// Moves it by a vector, m.
    pub(super) fn shifted(mut self, by: [f32; 3]) -> Self {
        self.row_x[3] += by[0];
        self.row_y[3] += by[1];
        self.row_z[3] += by[2];
        for (axis, by) in by.into_iter().enumerate() {
            self.low[axis] += by;
            self.high[axis] += by;
        }
        self
    }

    /// The point in the shape's own frame.
    #[inline(always)]
    pub(super) fn local(&self, p: [f32; 3]) -> [f32; 3] {
        let d = [
            p[0] - self.row_x[3],
            p[1] - self.row_y[3],
            p[2] - self.row_z[3],
        ];
        let along = |r: &[f32; 4]| r[0] * d[0] + r[1] * d[1] + r[2] * d[2];
        [along(&self.row_x), along(&self.row_y), along(&self.row_z)]
    }

    /// Signed distance of a point, m. `texels` are those of all pictures.
    pub fn distance(&self, texels: &[f32], p: [f32; 3]) -> f32 {
        let mut out = [0.0];
        self.distances(texels, &mut out, |_| p);
        out[0]
    }

    /// Signed distances of many points. One loop for each family, so that each vectorises.
    #[inline(always)]
    pub(super) fn distances(
        &self,
        texels: &[f32],
        out: &mut [f32],
        point: impl Fn(usize) -> [f32; 3],
    ) {
        match self.family {
            ROUND => fill(out, |i| round_distance(&self.size, self.local(point(i)))),
            BOX => fill(out, |i| box_distance(&self.size, self.local(point(i)))),
            _ => fill(out, |i| self.mask_distance(texels, self.local(point(i)))),
        }
    }

    /// Bilinear between texel centres; beyond them, the distance to the picture is added. Extruded along z.
    #[inline(always)]
    fn mask_distance(&self, texels: &[f32], q: [f32; 3]) -> f32 {
        let pixel = self.size[0];
        let last = [(self.mask_width - 1) as f32, (self.mask_height - 1) as f32];
        let at = [q[0] / pixel + 0.5 * last[0], q[1] / pixel + 0.5 * last[1]];
        let inside = [at[0].clamp(0.0, last[0]), at[1].clamp(0.0, last[1])];
        let cell = [
            inside[0].floor().min(last[0] - 1.0),
            inside[1].floor().min(last[1] - 1.0),
        ];
        let share = [inside[0] - cell[0], inside[1] - cell[1]];
        let base = self.texel as usize + cell[1] as usize * self.mask_width as usize;
        let i = base + cell[0] as usize;
        let get = |i: usize| texels.get(i).copied().unwrap_or(FAR);
        let row = |i: usize| get(i) + (get(i + 1) - get(i)) * share[0];
        let (low, high) = (row(i), row(i + self.mask_width as usize));
        let beyond = [at[0] - inside[0], at[1] - inside[1]];
        let gap = (beyond[0] * beyond[0] + beyond[1] * beyond[1]).sqrt();
        let plane = (low + (high - low) * share[1] + gap) * pixel;
        let depth = q[2].abs() - self.size[2];
        let (a, b) = (plane.max(0.0), depth.max(0.0));
        plane.max(depth).min(0.0) + (a * a + b * b).sqrt()
    }
}

#[inline(always)]
fn fill(out: &mut [f32], distance: impl Fn(usize) -> f32) {
    for (i, d) in out.iter_mut().enumerate() {
        *d = distance(i);
    }
}

#[inline(always)]
fn round_distance(size: &[f32; 4], q: [f32; 3]) -> f32 {
    let x = q[0] - q[0].max(-size[0]).min(size[0]);
    (x * x + q[1] * q[1] + q[2] * q[2]).sqrt() - size[1]
}

#[inline(always)]
fn box_distance(size: &[f32; 4], q: [f32; 3]) -> f32 {
    let d = [
        q[0].abs() - size[0],
        q[1].abs() - size[1],
        q[2].abs() - size[2],
    ];
    let o = [d[0].max(0.0), d[1].max(0.0), d[2].max(0.0)];
    (o[0] * o[0] + o[1] * o[1] + o[2] * o[2]).sqrt() + d[0].max(d[1]).max(d[2]).min(0.0) - size[3]
}

/// Rows of the rotation from world to shape: the transpose of R_z·R_y·R_x, angles in degrees.
fn world_to_shape(degrees: [f32; 3]) -> [[f32; 3]; 3] {
    let [(sx, cx), (sy, cy), (sz, cz)] =
        degrees.map(|d| (f64::from(d) % 360.0).to_radians().sin_cos());
    let rows = [
        [cz * cy, sz * cy, -sy],
        [cz * sy * sx - sz * cx, sz * sy * sx + cz * cx, cy * sx],
        [cz * sy * cx + sz * sx, sz * sy * cx - cz * sx, cy * cx],
    ];
    rows.map(|r| r.map(|v| v as f32))
}

/// How much a shape covers a cell: a linear ramp of width `softness` inside the shape, at least one cell wide and then
/// centred on the edge, so that hard edges are antialiased and small sources do not fall between cell centres.
#[inline(always)]
pub(super) fn coverage(distance: f32, ramp: f32, h: f32) -> f32 {
    ((0.5 * h - distance) * ramp).clamp(0.0, 1.0)
}
