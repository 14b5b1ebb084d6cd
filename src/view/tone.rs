//! Step 3: from light to what the screen shows, cell by cell. Twin of `shaders/view/tone.wgsl`.
//!
//! The curve is made for dye that gets brighter without bound. Each channel goes through a shoulder 1 − 1/p(x), p being a
//! cubic near eˣ, so that colours drift to white as film does; a share of the result keeps the ratio of the channels
//! instead, so that the hue of moderately bright dye stays. A little of each channel leaks into the others first:
//! without that, a pure primary would never become white.

use rayon::prelude::*;

use super::bloom::{doubled, glow};
use super::cells::Planes;
use super::look::{GLOW, INK, Look};
use super::solid::Solid;

/// Leak between channels.
const LEAK: f32 = 0.035;
/// Share of the result that keeps the ratio of the channels.
const KEEP: f32 = 0.35;
/// Lowest light that the curve does not darken: a soft toe.
const TOE: f32 = 0.012;
/// Direction to the light of the relief: from the upper left.
const LIGHT: [f32; 3] = [-0.47, 0.62, 0.63];
/// Steepness of the relief of dye.
const RELIEF: f32 = 2.6;
/// Steepness of the bevel of obstacles.
const BEVEL: f32 = 3.0;
/// Brightness at which the height of the relief is half of its greatest.
const HALF_HEIGHT: f32 = 0.45;
/// How dark ink is.
const DENSITY: f32 = 1.35;

/// Replaces light by what the screen shows (0 to 1, sRGB curve) where the field is dye, and adds the planes of obstacles:
/// coverage, red, green, blue.
pub fn tone(look: &Look, cells: Planes, solid: Option<&Solid>) -> Planes {
    let [nx, ny] = look.cells.map(|n| n as usize);
    let n = nx * ny;
    let glow = if look.mode == GLOW {
        glow(&cells, solid.map(|s| &s.coverage[..]), look.levels)
    } else {
        None
    };
    let mut out = Planes::zeros(nx, ny, look.planes());
    let fields = look.field_planes();
    if look.mode <= INK {
        let height = heights(&cells);
        shade(&mut out.data[..3 * n], nx, |i, j| {
            dye(look, &cells, &height, glow.as_ref(), solid, i, j)
        });
    } else {
        out.data[..fields * n].copy_from_slice(&cells.data);
    }
    if let Some(solid) = solid {
        out.data[fields * n..(fields + 1) * n].copy_from_slice(&solid.coverage);
        shade(&mut out.data[(fields + 1) * n..], nx, |i, j| {
            obstacle(look, solid, glow.as_ref(), i, j)
        });
    }
    out
}

/// Fills three planes with a colour for each cell.
fn shade(planes: &mut [f32], nx: usize, color: impl Fn(usize, usize) -> [f32; 3] + Sync) {
    let n = planes.len() / 3;
    let (r, rest) = planes.split_at_mut(n);
    let (g, b) = rest.split_at_mut(n);
    (
        r.par_chunks_mut(nx),
        g.par_chunks_mut(nx),
        b.par_chunks_mut(nx),
    )
        .into_par_iter()
        .enumerate()
        .for_each(|(j, (r, g, b))| {
            for i in 0..nx {
                [r[i], g[i], b[i]] = color(i, j);
            }
        });
}

/// Height of the relief: dye that is twice as bright is not twice as high.
fn heights(cells: &Planes) -> Vec<f32> {
    let (r, g, b) = (cells.plane(0), cells.plane(1), cells.plane(2));
    (0..r.len())
        .into_par_iter()
        .with_min_len(4096)
        .map(|i| {
            let sum = (r[i] + g[i] + b[i]) * 0.5;
            sum / (sum + HALF_HEIGHT)
        })
        .collect()
}

/// Central differences, one-sided at the edge.
#[inline]
fn slope(of: &[f32], nx: usize, i: usize, j: usize) -> [f32; 2] {
    let ny = of.len() / nx;
    let (x0, x1) = (i.saturating_sub(1), (i + 1).min(nx - 1));
    let (y0, y1) = (j.saturating_sub(1), (j + 1).min(ny - 1));
    [
        (of[j * nx + x1] - of[j * nx + x0]) * 0.5,
        (of[y1 * nx + i] - of[y0 * nx + i]) * 0.5,
    ]
}

/// Lambert's law on a surface with this slope, one where it is flat.
#[inline]
fn lambert([gx, gy]: [f32; 2]) -> f32 {
    let facing = LIGHT[2] - gx * LIGHT[0] - gy * LIGHT[1];
    facing.max(0.0) / (LIGHT[2] * (1.0 + gx * gx + gy * gy).sqrt())
}

fn dye(
    look: &Look,
    cells: &Planes,
    height: &[f32],
    glow: Option<&Planes>,
    solid: Option<&Solid>,
    i: usize,
    j: usize,
) -> [f32; 3] {
    let at = j * cells.width + i;
    let rgb: [f32; 3] = std::array::from_fn(|k| cells.plane(k)[at]);
    let relief = lambert(slope(height, cells.width, i, j).map(|g| g * RELIEF)) - 1.0;
    let shadow = solid.map_or(1.0, |s| 1.0 - 0.55 * s.blurred[at]);
    if look.mode == INK {
        let most = rgb[0].max(rgb[1]).max(rgb[2]) * 1.06;
        let lit = (1.0 + 0.35 * look.shading * relief).max(0.0) * shadow;
        return std::array::from_fn(|k| {
            encode(look.background[k] * lit / near_exp((most - rgb[k]) * DENSITY))
        });
    }
    let lit = (1.0 + look.shading * relief).max(0.0);
    film(std::array::from_fn(|k| {
        let glow = glow.map_or(0.0, |g| doubled(g, k, i, j));
        (rgb[k] * lit + look.bloom * 0.6 * glow + look.background[k]) * shadow
    }))
}

fn obstacle(look: &Look, solid: &Solid, glow: Option<&Planes>, i: usize, j: usize) -> [f32; 3] {
    let nx = look.cells[0] as usize;
    let bevel = lambert(slope(&solid.blurred, nx, i, j).map(|g| g * BEVEL));
    let shade = |k: usize| look.obstacles[k] * (0.25 + 0.75 * bevel * bevel);
    if look.mode == INK {
        return std::array::from_fn(|k| encode(shade(k)));
    }
    film(std::array::from_fn(|k| {
        let light = glow.map_or(0.0, |g| doubled(g, k, i, j));
        shade(k) + light * (0.04 + 1.6 * look.obstacles[k])
    }))
}

/// Near eˣ for x ≥ 0: rises without bound and needs no library.
#[inline]
fn near_exp(x: f32) -> f32 {
    1.0 + x * (1.0 + x * (0.5 + x * 0.2))
}

/// Light of any brightness to 0..1, with the sRGB curve.
fn film(rgb: [f32; 3]) -> [f32; 3] {
    let rgb = rgb.map(|v| v * v / (v + TOE));
    let mean = (rgb[0] + rgb[1] + rgb[2]) * (1.0 / 3.0);
    let peak = rgb[0].max(rgb[1]).max(rgb[2]).max(1e-12);
    let kept = (1.0 - 1.0 / near_exp(peak)) / peak;
    rgb.map(|v| {
        let leaked = v + LEAK * (mean - v);
        let own = 1.0 - 1.0 / near_exp(leaked);
        encode(own + KEEP * (v * kept - own))
    })
}

/// The sRGB curve by square roots: within 0.012 of an eight-bit step.
#[inline]
pub fn encode(v: f32) -> f32 {
    let v = v.clamp(0.0, 1.0);
    let root = v.sqrt();
    let fourth = root.sqrt();
    let curve = 0.642_649_77 * root + 0.711_867_2 * fourth
        - 0.336_781_87 * fourth.sqrt()
        - 0.017_735_075 * v;
    if v < 0.003_130_8 { 12.92 * v } else { curve }
}
