//! What is conserved and what should be small, summed over the water.

use rayon::prelude::*;

use super::spray::NUMBERS;
use super::water::{WaterU, more};
use crate::device::{Cpu, PARTIALS};
use crate::solvers::Invariant;

/// Numbers of a partial result.
pub const VALUES: usize = 12;

crate::kernel! {
    /// Partial result p of cells p, p + 1024, … and of as many drops: (depth, ground, u, v, added, drops) → Σh, Σ h|u|²/2,
    /// Σ h (z + h/2), Σ added, largest |u|², largest |u| + √gh, wet cells, Σ hu, Σ hv, drops in the air, their depth, largest depth.
    pub Totals = "shallow_water/totals.wgsl", totals {
        uniform at: WaterU, read depth: f32, read ground: f32, read u: f32, read v: f32, read added: f32, read drops: f32,
        write partials: f32,
    }
}

/// Partial results that one task takes.
const LANES: usize = 128;

fn totals(
    _: &Cpu,
    _: [u32; 3],
    at: &WaterU,
    depth: &[f32],
    ground: &[f32],
    u: &[f32],
    v: &[f32],
    added: &[f32],
    drops: &[f32],
    partials: &mut [f32],
) {
    let [nx, ny] = at.size();
    let n = nx * ny;
    let of_cell = |c: usize, s: &mut [f32]| {
        let k = c + c / nx;
        let (x, y) = (0.5 * (u[k] + u[k + 1]), 0.5 * (v[c] + v[c + nx]));
        let (h, speed2) = (depth[c], x * x + y * y);
        let fastest = speed2.sqrt() + (at.gravity * h).sqrt();
        s[0] += h;
        s[1] += 0.5 * h * speed2;
        s[2] += h * (ground[c] + 0.5 * h);
        s[3] += added[c];
        s[4] = worst(s[4], speed2);
        s[5] = worst(s[5], fastest);
        s[6] += if h > at.dry { 1.0 } else { 0.0 };
        s[7] += h * x;
        s[8] += h * y;
        s[11] = worst(s[11], h);
    };
    let partials = partials.par_chunks_mut(LANES * VALUES).enumerate();
    partials.for_each(|(task, partials)| {
        partials.fill(0.0);
        for base in (task * LANES..n).step_by(PARTIALS) {
            for (lane, s) in partials.chunks_exact_mut(VALUES).enumerate() {
                if base + lane < n {
                    of_cell(base + lane, s);
                }
                if let Some(drop) = drops.get((base + lane) * NUMBERS as usize + 3) {
                    s[9] += if *drop != 0.0 { 1.0 } else { 0.0 };
                    s[10] += *drop;
                }
            }
        }
    });
}

/// The larger one; what is not a number stays.
fn worst(a: f32, b: f32) -> f32 {
    if b <= a || a.is_nan() { a } else { b }
}

/// The same, of doubles.
fn worst_of(a: f64, b: f64) -> f64 {
    if b <= a || a.is_nan() { a } else { b }
}

/// What people should know about the water.
pub fn notices(partials: &[f32], at: &WaterU) -> Vec<String> {
    let depths = partials.chunks_exact(VALUES).map(|p| p[11]);
    let deepest = depths.fold(0.0, f32::max);
    if deepest <= 1.01 * at.deepest {
        return Vec::new();
    }
    vec![format!(
        "Water is up to {deepest:.2} m deep; waves run as if it were {:.2} m at most. A larger max_depth lets \
         them run as fast as they should, at shorter sub-steps.",
        at.deepest
    )]
}

/// Partial results as invariants of a report.
pub fn invariants(partials: &[f32], at: &WaterU) -> Vec<Invariant> {
    let mut all = [0.0_f64; VALUES];
    for p in partials.chunks_exact(VALUES) {
        for (n, (all, p)) in all.iter_mut().zip(p).enumerate() {
            let p = f64::from(*p);
            *all = if n == 4 || n == 5 {
                worst_of(*all, p)
            } else {
                *all + p
            };
        }
    }
    let h = f64::from(at.h);
    let area = h * h;
    let in_air = all[10] * f64::from(at.depth_quantum()) * area;
    let item = Invariant::new;
    let gravity = f64::from(more(at.gravity, 0.0));
    vec![
        item(
            "volume",
            "Volume of water, in the air too",
            "m³",
            all[0] * area + in_air,
        ),
        item(
            "volume_added",
            "Water that came from outside, less what left",
            "m³",
            all[3] * area,
        ),
        item(
            "kinetic_energy",
            "Kinetic energy over density",
            "m⁵/s²",
            all[1] * area,
        ),
        item(
            "potential_energy",
            "Potential energy over density",
            "m⁵/s²",
            all[2] * area * gravity,
        ),
        item(
            "momentum_x",
            "Momentum over density, to the right",
            "m⁴/s",
            all[7] * area,
        ),
        item(
            "momentum_y",
            "Momentum over density, upwards",
            "m⁴/s",
            all[8] * area,
        ),
        item("max_speed", "Largest speed", "m/s", all[4].sqrt()),
        item(
            "cfl",
            "Largest Courant number",
            "",
            all[5] * f64::from(at.dt) / h,
        ),
        item("wet_cells", "Wet cells", "", all[6]),
        item("spray_count", "Drops in the air", "", all[9]),
        item("spray_volume", "Water in the air", "m³", in_air),
    ]
}
