//! Numbers a cell that follow from the state.

use rayon::prelude::*;

use super::water::WaterU;
use crate::device::Cpu;

/// Height of the surface, of the ground where it is dry.
pub const SURFACE: u32 = 0;
/// Speed at the centre.
pub const SPEED: u32 = 1;

crate::shared! {
    /// What is wanted.
    pub struct WantedU {
        /// `SURFACE` or `SPEED`.
        pub what: u32,
    }
}

crate::kernel! {
    /// Height of the surface in m, or speed in m/s: (depth, ground, u, v) → out.
    pub Derive = "shallow_water/derive.wgsl", derive {
        uniform at: WaterU, uniform wanted: WantedU,
        read depth: f32, read ground: f32, read u: f32, read v: f32, write out: f32,
    }
}

fn derive(
    _: &Cpu,
    _: [u32; 3],
    at: &WaterU,
    wanted: &WantedU,
    depth: &[f32],
    ground: &[f32],
    u: &[f32],
    v: &[f32],
    out: &mut [f32],
) {
    let [nx, _] = at.size();
    out.par_chunks_mut(nx)
        .enumerate()
        .with_min_len(8)
        .for_each(|(j, row)| {
            for (i, out) in row.iter_mut().enumerate() {
                let (c, k) = (j * nx + i, j * (nx + 1) + i);
                let (x, y) = (0.5 * (u[k] + u[k + 1]), 0.5 * (v[c] + v[c + nx]));
                *out = if wanted.what == SURFACE {
                    depth[c] + ground[c]
                } else {
                    (x * x + y * y).sqrt()
                };
            }
        });
}
