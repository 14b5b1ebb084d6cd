//! The velocity inside and on the surface of obstacles.

use rayon::prelude::*;

use super::lattice::{Lattice, lerp, neighbour};
use crate::device::Cpu;

crate::kernel! {
    /// Faces of solid cells take the solid's velocity; between two solid cells, if the fluid slides along one of them, that
    /// of the fluid beside it: (solid, solid velocity, u) → out. `at` is the component's lattice.
    pub Enforce = "grid/enforce.wgsl", enforce {
        uniform at: Lattice, read solid: u32, read solid_velocity: f32, read u: f32, write out: f32,
    }
}

fn enforce(
    _: &Cpu,
    _: [u32; 3],
    at: &Lattice,
    solid: &[u32],
    solid_velocity: &[f32],
    u: &[f32],
    out: &mut [f32],
) {
    let width = at.size[0] as usize;
    let axis = at.size[3] as usize;
    out.par_chunks_mut(width).enumerate().for_each(|(j, row)| {
        row.copy_from_slice(&u[j * width..][..width]);
        for (i, out) in row.iter_mut().enumerate() {
            let cells = at.cells_beside(i, j);
            let [a, b] = cells.map(|k| solid[k] != 0);
            if !a && !b {
                continue;
            }
            let velocity = |k: usize| solid_velocity[4 * k + axis];
            let slides = cells.iter().any(|k| solid_velocity[4 * k + 3] != 0.0);
            let given = match (a, b) {
                (true, true) => lerp(velocity(cells[0]), velocity(cells[1]), 0.5),
                (true, false) => velocity(cells[0]),
                _ => velocity(cells[1]),
            };
            let outer = if a && b && slides {
                fluid_beside(at, solid, u, i, j)
            } else {
                None
            };
            *out = outer.unwrap_or(given);
        }
    });
}

/// Mean of the faces next to face (i, j), across its normal, that have fluid on both sides.
fn fluid_beside(at: &Lattice, solid: &[u32], u: &[f32], i: usize, j: usize) -> Option<f32> {
    let across = 1 - at.size[3] as usize;
    let n = at.size[across] as usize;
    let mut sum = 0.0;
    let mut count = 0.0;
    for side in 0..2 {
        let here = [i, j][across];
        let Some(other) = neighbour(here, n, side, at.periodic(across)) else {
            continue;
        };
        let (x, y) = if across == 0 { (other, j) } else { (i, other) };
        if at.cells_beside(x, y).iter().all(|k| solid[*k] == 0) {
            sum += u[y * at.size[0] as usize + x];
            count += 1.0;
        }
    }
    (count > 0.0).then_some(sum / count)
}
