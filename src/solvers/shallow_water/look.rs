//! The water as it looks from above, under a sky and a sun: a colour for each cell.
//!
//! 1. The normal of the surface, from central differences; of the ground where it is dry.
//! 2. The ground below, dark where it is wet, lit by the sun, brighter under crests that gather its light.
//! 3. Water takes the light on its way down and up: what is left of it after a depth d is 1/(1 + d/L)², L the clarity; in its
//!    place comes the colour of deep water.
//! 4. The surface mirrors the sky (Schlick 1994: F = F₀ + (1 − F₀)(1 − cos θ)⁵) and the sun.
//! 5. Dye shines in the water; foam and spray lie over it.

use rayon::prelude::*;

use super::traces::Water;
use super::water::{WaterU, less, more};
use crate::device::Cpu;

crate::shared! {
    /// Colours are linear; directions have length one.
    pub struct LookU {
        /// Colour of the ground, and how steep slopes look.
        pub ground: [f32; 4],
        /// Colour of deep water, and one over its clarity, 1/m.
        pub deep: [f32; 4],
        /// Colour of the sky, and the part of it that is mirrored looking straight down.
        pub sky: [f32; 4],
        /// Direction to the sun, and its strength in the mirror.
        pub sun: [f32; 4],
        /// Strength of foam, of gathered light, of dye, and one over the depth of water that is seen as water in 1/m.
        pub share: [f32; 4],
    }
}

crate::kernel! {
    /// What is seen: (depth, ground, scalars, wet, spray) → red, green, blue. `spray` is depth in the air.
    pub Look = "shallow_water/look.wgsl", look {
        uniform at: WaterU, uniform look: LookU,
        read depth: f32, read ground: f32, read scalars: f32, read wet: f32, read spray: f32, write out: f32,
    }
}

fn look(
    _: &Cpu,
    _: [u32; 3],
    at: &WaterU,
    look: &LookU,
    depth: &[f32],
    ground: &[f32],
    scalars: &[f32],
    wet: &[f32],
    spray: &[f32],
    out: &mut [f32],
) {
    let [nx, _] = at.size();
    let water = Water {
        at,
        depth,
        ground,
        u: &[],
        v: &[],
    };
    out.par_chunks_mut(3 * nx)
        .enumerate()
        .with_min_len(4)
        .for_each(|(j, row)| {
            for (i, out) in row.chunks_exact_mut(3).enumerate() {
                let c = j * nx + i;
                let cell: &[f32; 4] = scalars[4 * c..].first_chunk().unwrap_or(&[0.0; 4]);
                let seen = color(look, &water, [i, j], cell, wet[c], spray[c]);
                out.copy_from_slice(&seen);
            }
        });
}

/// One over the length of (x, y, 1).
#[inline(always)]
fn unit(x: f32, y: f32) -> f32 {
    1.0 / (x * x + y * y + 1.0).sqrt()
}

/// The slope of the ground, and how much the surface bends down.
#[inline(always)]
fn shape(w: &Water<'_>, [i, j]: [usize; 2]) -> ([f32; 2], f32) {
    let [nx, ny] = w.at.size();
    let c = j * nx + i;
    let (l, r) = (
        j * nx + w.at.before(i, nx, 0),
        j * nx + w.at.after(i, nx, 0),
    );
    let (b, t) = (
        w.at.before(j, ny, 1) * nx + i,
        w.at.after(j, ny, 1) * nx + i,
    );
    let half = 0.5 / w.at.h;
    let slope = [
        (w.ground[r] - w.ground[l]) * half,
        (w.ground[t] - w.ground[b]) * half,
    ];
    let own = w.depth[c] + w.ground[c];
    let height = |c: usize| {
        if w.depth[c] > w.at.dry {
            w.depth[c] + w.ground[c]
        } else {
            own
        }
    };
    let bend = (own - 0.5 * (height(l) + height(r))) + (own - 0.5 * (height(b) + height(t)));
    (slope, bend / w.at.h)
}

fn color(
    look: &LookU,
    water: &Water<'_>,
    place: [usize; 2],
    scalars: &[f32; 4],
    wet: f32,
    spray: f32,
) -> [f32; 3] {
    let [i, j] = place;
    let d = water.depth[j * water.at.size()[0] + i];
    let steep = look.ground[3];
    let [x, y] = water.slope(i, j).map(|s| -s * steep);
    let ([gx, gy], bend) = shape(water, place);
    let (gx, gy) = (-gx * steep, -gy * steep);
    let sun = look.sun;
    let z = unit(x, y);
    let ground_light = more((gx * sun[0] + gy * sun[1] + sun[2]) * unit(gx, gy), 0.0);
    let covered = less(d * look.share[3], 1.0);
    let gather = 1.0
        + covered
            * less(
                more(look.share[1] * bend * d * (1.0 / water.at.h), -0.5),
                1.5,
            );
    let lit = (0.25 + 0.75 * ground_light) * (1.0 - 0.45 * wet) * gather;
    let clear = 1.0 / (1.0 + d * look.deep[3]);
    let clear = clear * clear;
    let p = 1.0 - z;
    let fresnel = look.sky[3] + (1.0 - look.sky[3]) * (p * p * (p * p) * p);
    // The mirrored ray of one that comes straight down, and how near it is to the sun.
    let mirror = [2.0 * z * z * x, 2.0 * z * z * y, 2.0 * z * z - 1.0];
    let near = more(
        mirror[0] * sun[0] + mirror[1] * sun[1] + mirror[2] * sun[2],
        0.0,
    );
    let near = near * near;
    let near = near * near;
    let near = near * near;
    let near = near * near;
    let glint = near * near * sun[3];
    let water_light = 0.55 + 0.45 * more((x * sun[0] + y * sun[1] + sun[2]) * z, 0.0);
    let foam = less(look.share[0] * scalars[3], 1.0) * covered;
    let drops = less(spray * 6.0 / water.at.h, 1.0);
    let white = foam + drops * (1.0 - foam);
    let mut out = [0.0; 3];
    for n in 0..3 {
        let below = look.ground[n] * lit * clear + look.deep[n] * water_light * (1.0 - clear);
        let surface = below + (look.sky[n] - below) * fresnel + glint + look.share[2] * scalars[n];
        let dry = look.ground[n] * lit;
        let seen = dry + (surface - dry) * covered;
        out[n] = seen + (0.9 * water_light - seen) * white;
    }
    out
}
