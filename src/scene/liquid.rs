//! What changes heights at a time: terrain, water that comes and goes, and boats.
//!
//! Rain falls as single drops: which fall during a step follows from the time and the seed alone, so that a run can be
//! repeated and a step can be cut in two. Drop `k` of an emitter of `n` drops a second falls at `k/n` s.

use super::frame::Build;
use super::items::Groundwork;
use super::motion::{finite, flicker, hash};
use super::place::{PlaceU, ROUND};
use super::records::ReliefU;
use super::{Blend, Emitter, Obstacle, Shape, Terrain};
use crate::params::Choice;

/// Drops that fall in one step, at most; each takes the water of those that are left out.
const MOST_DROPS: i64 = 256;
/// Volume of a drop of height one over the square of its radius: 2π ∫ s(1 − x) x dx with the smooth step s, from 0 to 1.
const DROP_VOLUME: f32 = 0.3 * std::f32::consts::PI;

impl Build<'_> {
    /// A piece of ground.
    pub fn terrain(&self, item: &Terrain, out: &mut Vec<ReliefU>) {
        if item.dabs.is_empty() {
            self.ground(item, item.position, out);
        }
        let (sin, cos) = item.rotation[2].to_radians().sin_cos();
        for dab in &item.dabs {
            let ([x, y, z], [dx, dy, dz]) = (item.position, dab.offset);
            let at = [x + cos * dx - sin * dy, y + sin * dx + cos * dy, z + dz];
            self.ground(item, at, out);
        }
    }

    /// A piece of ground at a place.
    fn ground(&self, item: &Terrain, at: [f32; 3], out: &mut Vec<ReliefU>) {
        let put = self.put(at, item.rotation, 0.0);
        let Some((place, half)) = PlaceU::with_extent(&item.shape, self.masks, &put) else {
            return;
        };
        let map = self.masks.heights(&item.height_map);
        if map.is_none() && !item.height_map.is_empty() {
            return;
        }
        let mode = match item.build {
            Groundwork::Add => Blend::Add,
            Groundwork::Raise => Blend::Clamp,
            Groundwork::Level => Blend::Replace,
        };
        let relief = ReliefU {
            place,
            height: [
                finite(item.map_low),
                finite(item.height),
                1.0,
                self.ramp(item.softness),
            ],
            spread: [half[0], half[1], 0.0, 0.0],
            mode: mode.index() as u32,
            smooth_edge: 1,
            texel: map.map_or(0, |m| m.texel),
            map_size: map.map_or(0, |m| m.width | m.height << 16),
        };
        self.put_copies(relief, out);
    }

    /// How a boat presses the surface down, m.
    pub fn boat(&self, item: &Obstacle, out: &mut Vec<ReliefU>) {
        let draught = finite(item.draught);
        if draught <= 0.0 {
            return;
        }
        let spin = item.path.angle_at(self.time);
        let put = self.put(item.position_at(self.time), item.rotation, spin);
        let Some((place, half)) = PlaceU::with_extent(&item.shape, self.masks, &put) else {
            return;
        };
        // A hull is round below: its slope takes the outer half of its breadth.
        let edge = 0.5 * half[0].min(half[1]);
        self.put_copies(self.even(place, draught, 1.0, edge, Blend::Add), out);
    }

    /// Water of an emitter: evenly, or the drops that fall during this step.
    pub fn liquid(&self, index: u32, item: &Emitter, out: &mut Vec<ReliefU>) {
        if item.liquid_blend == Blend::Off {
            return;
        }
        let flicker = flicker(item.flicker, self.seed, index, self.time);
        let strength = item.activity.at(self.time) * flicker;
        if strength == 0.0 {
            return;
        }
        let spin = item.path.angle_at(self.time);
        let put = self.put(item.position_at(self.time), item.rotation, spin);
        let Some((place, half)) = PlaceU::with_extent(&item.shape, self.masks, &put) else {
            return;
        };
        let (amount, softness) = (finite(item.liquid), finite(item.softness));
        if item.drops > 0.0 && item.liquid_blend == Blend::Add {
            let rate = finite(item.drops);
            let volume = amount * strength * area(&item.shape) / rate;
            self.drops(index, rate, volume, softness, (&place, half), out);
        } else {
            let even = self.even(place, amount, strength, softness, item.liquid_blend);
            self.put_copies(even, out);
        }
    }

    fn drops(
        &self,
        index: u32,
        rate: f32,
        volume: f32,
        radius: f32,
        (shape, half): (&PlaceU, [f32; 3]),
        out: &mut Vec<ReliefU>,
    ) {
        let count_at = |t: f64| (t * f64::from(rate)).floor().clamp(-1e15, 1e15) as i64;
        let (from, to) = (
            count_at(self.time),
            count_at(self.time + f64::from(self.dt)),
        );
        let falls = (to - from).clamp(0, MOST_DROPS);
        if falls == 0 {
            return;
        }
        let share = (to - from) as f32 / falls as f32;
        let radius = radius.max(1.5 * self.grid.h);
        // The shape's own rows, for what is written is the way from the shape to the world.
        let rows = [shape.row_x, shape.row_y];
        let centre = shape.centre();
        for k in from..from + falls {
            let unit = |n: u32| {
                hash(self.seed ^ 0x5bd1_e995, index * 64 + n, k as u32) as f32 / u32::MAX as f32
            };
            let spot = |n: u32| {
                let local = [
                    (2.0 * unit(n) - 1.0) * half[0],
                    (2.0 * unit(n + 1) - 1.0) * half[1],
                ];
                [0, 1]
                    .map(|axis| centre[axis] + rows[0][axis] * local[0] + rows[1][axis] * local[1])
            };
            // Up to eight tries to find a point inside; a thin shape gets its drops at its centre.
            let inside =
                |p: &[f32; 2]| shape.distance(self.masks.texels(), [p[0], p[1], 0.0]) <= 0.0;
            let at = (0..8).map(|n| spot(2 * n)).find(inside);
            let at = at.unwrap_or([centre[0], centre[1]]);
            let height = share * volume / (DROP_VOLUME * radius * radius * self.dt.max(1e-9));
            let drop = self.even(
                round_at(at, radius, self.grid.h),
                height,
                1.0,
                radius,
                Blend::Add,
            );
            self.put_copies(drop, out);
        }
    }

    /// Without a map, sloping smoothly at its edge.
    fn even(&self, place: PlaceU, height: f32, strength: f32, edge: f32, blend: Blend) -> ReliefU {
        ReliefU {
            place,
            height: [0.0, height, strength, self.ramp(edge)],
            spread: [0.0; 4],
            mode: blend.index() as u32,
            smooth_edge: 1,
            texel: 0,
            map_size: 0,
        }
    }

    fn ramp(&self, softness: f32) -> f32 {
        1.0 / finite(softness).max(self.grid.h)
    }

    fn put_copies(&self, relief: ReliefU, out: &mut Vec<ReliefU>) {
        let copies = self.copies(relief.place.low, relief.place.high);
        out.extend(copies.map(|by| ReliefU {
            place: relief.place.shifted(by),
            ..relief
        }));
    }
}

/// A disc whose soft edge begins `radius` from a point and ends there. Half a cell less, for edges are drawn so much wider.
fn round_at(at: [f32; 2], radius: f32, cell: f32) -> PlaceU {
    let reach = radius + cell;
    let radius = radius - 0.5 * cell;
    PlaceU {
        row_x: [1.0, 0.0, 0.0, at[0]],
        row_y: [0.0, 1.0, 0.0, at[1]],
        row_z: [0.0, 0.0, 1.0, 0.0],
        size: [0.0, radius, 0.0, 0.0],
        low: [at[0] - reach, at[1] - reach, -super::place::FAR, 0.0],
        high: [at[0] + reach, at[1] + reach, super::place::FAR, 0.0],
        family: ROUND,
        texel: 0,
        mask_width: 0,
        mask_height: 0,
    }
}

/// Area of a shape seen from above, m²; of a picture, that of its square.
fn area(shape: &Shape) -> f32 {
    use std::f32::consts::PI;
    match shape {
        Shape::Disc(s) => PI * s.radius * s.radius,
        Shape::Box(s) => {
            4.0 * s.half_size[0] * s.half_size[1] - (4.0 - PI) * s.rounding * s.rounding
        }
        Shape::Line(s) => s.length * s.thickness,
        Shape::Capsule(s) => PI * s.radius * s.radius + 2.0 * s.radius * s.length,
        Shape::Mask(s) => s.size * s.size,
    }
}
