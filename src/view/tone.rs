//! Step 3: from light to what the screen shows, cell by cell. Twin of `shaders/view/tone.wgsl`.
//!
//! The curve is made for dye that gets brighter without bound. Each channel goes through a shoulder 1 − 1/p(x), p being a
//! cubic near eˣ, so that colours drift to white as film does; a share of the result keeps the ratio of the channels
//! instead, so that the hue of moderately bright dye stays. A little of each channel leaks into the others first:
//! without that, a pure primary would never become white.

use rayon::prelude::*;

use super::bloom::{glow, glow_row};
use super::cells::Planes;
use super::look::{GLOW, INK, Look};
use super::solid::Solid;
use crate::document::{INK_DENSITY as DENSITY, INK_GREY as GREY};

/// Leak between channels.
const LEAK: f32 = 0.035;
/// Share of the result that keeps the ratio of the channels where dye is dim; it falls with brightness.
const KEEP: f32 = 0.8;
/// Brightness at which that share is half.
const HALF_KEEP: f32 = 4.0;
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
/// Strength of the glow at bloom one.
const GLOW_STRENGTH: f32 = 0.6;
/// How dark the foot of an obstacle is.
const SHADOW: f32 = 0.55;

/// Replaces light by what the screen shows (0 to 1, sRGB curve) where the field is dye, and adds the planes of obstacles:
/// coverage, red, green, blue.
pub fn tone(look: &Look, cells: &Planes, solid: Option<&Solid>) -> Planes {
    let [nx, ny] = look.cells.map(|n| n as usize);
    let n = nx * ny;
    let glow = if look.mode == GLOW {
        glow(cells, solid.map(|s| &s.coverage[..]), look.levels)
    } else {
        None
    };
    let mut out = Planes::zeros(nx, ny, look.planes());
    let fields = look.field_planes();
    if look.mode <= INK {
        let height = heights(cells);
        shade(&mut out.data[..3 * n], nx, |j, line, rgb| {
            relief_row(line, &height, j, RELIEF);
            match look.mode {
                INK => ink_row(look, cells, solid, line, j, rgb),
                _ => dye_row(look, cells, glow.as_ref(), solid, line, j, rgb),
            }
        });
    } else {
        out.data[..fields * n].copy_from_slice(&cells.data);
    }
    if let Some(solid) = solid {
        out.data[fields * n..(fields + 1) * n].copy_from_slice(&solid.coverage);
        shade(&mut out.data[(fields + 1) * n..], nx, |j, line, rgb| {
            relief_row(line, &solid.blurred, j, BEVEL);
            obstacle_row(look, glow.as_ref(), line, j, rgb);
        });
    }
    out
}

/// Fills three planes with colours, row by row. The function gets the row's number and room for a row of its own.
fn shade(planes: &mut [f32], nx: usize, color: impl Fn(usize, &mut [f32], [&mut [f32]; 3]) + Sync) {
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
        .for_each_init(
            || vec![0.0; nx],
            |line, (j, (r, g, b))| color(j, line, [r, g, b]),
        );
}

/// Height of the relief: dye that is twice as bright is not twice as high.
fn heights(cells: &Planes) -> Vec<f32> {
    let mut out = vec![0.0; cells.width * cells.height];
    let planes = [cells.plane(0), cells.plane(1), cells.plane(2)];
    out.par_chunks_mut(cells.width)
        .enumerate()
        .for_each(|(j, to)| {
            let row = j * cells.width..(j + 1) * cells.width;
            let [r, g, b] = planes.map(|p| &p[row.clone()]);
            for (to, ((r, g), b)) in to.iter_mut().zip(r.iter().zip(g).zip(b)) {
                let half_sum = (r + g + b) * 0.5;
                *to = half_sum / (half_sum + HALF_HEIGHT);
            }
        });
    out
}

/// Lambert's law on the relief `of`, one where it is flat: central differences, one-sided at the edge.
fn relief_row(to: &mut [f32], of: &[f32], j: usize, steepness: f32) {
    let nx = to.len();
    let ny = of.len() / nx;
    let line = |y: usize| &of[y * nx..(y + 1) * nx];
    let (below, here, above) = (
        line(j.saturating_sub(1)),
        line(j),
        line((j + 1).min(ny - 1)),
    );
    for i in 1..nx.saturating_sub(1) {
        to[i] = lambert(here[i + 1] - here[i - 1], above[i] - below[i], steepness);
    }
    for i in [0, nx - 1] {
        let dx = here[(i + 1).min(nx - 1)] - here[i.saturating_sub(1)];
        to[i] = lambert(dx, above[i] - below[i], steepness);
    }
}

#[inline(always)]
fn lambert(dx: f32, dy: f32, steepness: f32) -> f32 {
    let (gx, gy) = (0.5 * steepness * dx, 0.5 * steepness * dy);
    let facing = LIGHT[2] - gx * LIGHT[0] - gy * LIGHT[1];
    facing.max(0.0) / (LIGHT[2] * (1.0 + gx * gx + gy * gy).sqrt())
}

/// The part of a plane that is row `j`.
fn row(cells: &Planes, k: usize, j: usize) -> &[f32] {
    &cells.plane(k)[j * cells.width..(j + 1) * cells.width]
}

/// `line` holds the relief. Dye in its light, with its glow and what is behind it.
fn dye_row(
    look: &Look,
    cells: &Planes,
    glow: Option<&Planes>,
    solid: Option<&Solid>,
    line: &mut [f32],
    j: usize,
    mut rgb: [&mut [f32]; 3],
) {
    for relief in line.iter_mut() {
        *relief = (1.0 + look.shading * (*relief - 1.0)).max(0.0);
    }
    for (k, to) in rgb.iter_mut().enumerate() {
        glow_row(to, glow, k, j, GLOW_STRENGTH * look.bloom * look.share());
        for ((to, dye), lit) in to.iter_mut().zip(row(cells, k, j)).zip(&*line) {
            *to = dye * lit + *to + look.background[k];
        }
        if let Some(solid) = solid {
            for (to, b) in to
                .iter_mut()
                .zip(&solid.blurred[j * look.cells[0] as usize..])
            {
                *to *= 1.0 - SHADOW * b;
            }
        }
    }
    let [r, g, b] = rgb;
    film_row(r, g, b);
}

/// `line` holds the relief. Beer and Lambert's law: each channel of the paper's light falls with what the dye takes away.
fn ink_row(
    look: &Look,
    cells: &Planes,
    solid: Option<&Solid>,
    line: &[f32],
    j: usize,
    rgb: [&mut [f32]; 3],
) {
    let [red, green, blue] = rgb;
    let [r, g, b] = [0, 1, 2].map(|k| row(cells, k, j));
    let shadows = solid.map(|s| &s.blurred[j * cells.width..]);
    for i in 0..line.len() {
        let most = r[i].max(g[i]).max(b[i]) * GREY;
        let shadow = shadows.map_or(1.0, |b| 1.0 - SHADOW * b[i]);
        let lit = (1.0 + 0.35 * look.shading * (line[i] - 1.0)).max(0.0) * shadow;
        let shown = |k: usize, dye: f32| {
            encode(look.background[k] * lit / near_exp((most - dye) * DENSITY))
        };
        red[i] = shown(0, r[i]);
        green[i] = shown(1, g[i]);
        blue[i] = shown(2, b[i]);
    }
}

/// `line` holds the bevel. Obstacles in the light of the relief and of the dye around them.
fn obstacle_row(
    look: &Look,
    glow: Option<&Planes>,
    line: &[f32],
    j: usize,
    mut rgb: [&mut [f32]; 3],
) {
    for (k, to) in rgb.iter_mut().enumerate() {
        let own = look.obstacles[k];
        glow_row(to, glow, k, j, (0.04 + 1.6 * own) * look.share());
        for (to, bevel) in to.iter_mut().zip(line) {
            *to += own * (0.25 + 0.75 * bevel * bevel);
        }
    }
    let [r, g, b] = rgb;
    if look.mode == GLOW {
        film_row(r, g, b);
    } else {
        for v in r.iter_mut().chain(g).chain(b) {
            *v = encode(*v);
        }
    }
}

/// Near eˣ for x ≥ 0: rises without bound and needs no library.
#[inline(always)]
fn near_exp(x: f32) -> f32 {
    1.0 + x * (1.0 + x * (0.5 + x * 0.2))
}

crate::simd_fn! {
    /// Light of any brightness to 0..1, with the sRGB curve, in place.
    fn film_row(r: &mut [f32], g: &mut [f32], b: &mut [f32]) {
        for ((r, g), b) in r.iter_mut().zip(g).zip(b) {
            [*r, *g, *b] = film([*r, *g, *b]);
        }
    }
}

#[inline(always)]
fn film(rgb: [f32; 3]) -> [f32; 3] {
    let rgb = rgb.map(|v| v * v / (v + TOE));
    let mean = (rgb[0] + rgb[1] + rgb[2]) * (1.0 / 3.0);
    let peak = rgb[0].max(rgb[1]).max(rgb[2]).max(1e-12);
    let kept = (1.0 - 1.0 / near_exp(peak)) / peak;
    let keep = KEEP / (1.0 + peak * peak * (1.0 / (HALF_KEEP * HALF_KEEP)));
    rgb.map(|v| {
        let leaked = v + LEAK * (mean - v);
        let own = 1.0 - 1.0 / near_exp(leaked);
        encode(own + keep * (v * kept - own))
    })
}

/// The sRGB curve by square roots: within 0.012 of an eight-bit step.
#[inline(always)]
fn encode(v: f32) -> f32 {
    let v = v.clamp(0.0, 1.0);
    let root = v.sqrt();
    let fourth = root.sqrt();
    let curve = 0.642_649_77 * root + 0.711_867_2 * fourth
        - 0.336_781_87 * fourth.sqrt()
        - 0.017_735_075 * v;
    if v < 0.003_130_8 { 12.92 * v } else { curve }
}
