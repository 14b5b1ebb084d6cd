//! Where the water ends: faces of the domain, calm strips before them, and solid things.

use rayon::prelude::*;

use super::water::{WaterU, less, more};
use crate::device::Cpu;

/// Nothing passes.
pub const CLOSED: u32 = 0;
/// Water enters at a given speed with the depth at rest.
pub const INFLOW: u32 = 1;
/// Waves leave: u = (η − η₀) √(g/h) (Flather 1976), and no faster than a wave runs.
pub const OPEN: u32 = 2;
/// Joined with the opposite face.
pub const JOINED: u32 = 3;

crate::shared! {
    /// The faces of the domain, in the order left, right, bottom, top.
    pub struct BorderU {
        /// `CLOSED`, `INFLOW`, `OPEN` or `JOINED`.
        pub kind: [u32; 4],
        /// Velocity along the axis of the face of water that enters, m/s.
        pub speed: [f32; 4],
        /// Cells of the calm strip before each face; 0 for none.
        pub calm: [f32; 4],
        /// Strength s of the calm strips: a wave that runs in and comes back keeps exp(−2s/3) of its height.
        pub strength: f32,
        /// Nothing.
        pub unused0: f32,
        /// Nothing.
        pub unused1: f32,
        /// Nothing.
        pub unused2: f32,
    }
}

crate::kernel! {
    /// Velocity and flux through the faces of the domain, and what they do to the cells there; `added` is the depth that came
    /// from outside: (ground) → (depth, u, v, qx, qy, added). One item a cell of the edge: bottom row, top row, left, right.
    pub Border = "shallow_water/border.wgsl", border {
        uniform at: WaterU, uniform edge: BorderU,
        read ground: f32, write depth: f32, write u: f32, write v: f32, write qx: f32, write qy: f32, write added: f32,
    }
}
crate::kernel! {
    /// Before absorbing faces, what differs from water at rest dies away: u ← u / (1 + σ dt), and so does the depth above or
    /// below rest: (ground) → (depth, u, v, added). σ = s √(g h₀) / w · (1 − d/w)², d from the face and w the width.
    pub Calm = "shallow_water/calm.wgsl", calm {
        uniform at: WaterU, uniform edge: BorderU,
        read ground: f32, write depth: f32, write u: f32, write v: f32, write added: f32,
    }
}
crate::kernel! {
    /// Faces of solid cells move as they do: (solid, solid velocity) → (u, v). Water inside goes along, and so none is lost.
    pub Walls = "shallow_water/walls.wgsl", walls {
        uniform at: WaterU, read solid: u32, read solid_velocity: f32, write u: f32, write v: f32,
    }
}

fn border(
    _: &Cpu,
    _: [u32; 3],
    at: &WaterU,
    edge: &BorderU,
    ground: &[f32],
    depth: &mut [f32],
    u: &mut [f32],
    v: &mut [f32],
    qx: &mut [f32],
    qy: &mut [f32],
    added: &mut [f32],
) {
    let [nx, ny] = at.size();
    let mut cell = |i: usize, j: usize| {
        let c = j * nx + i;
        let left = j * (nx + 1) + i;
        let ends = [
            (i == 0, 0, -1.0, left),
            (i + 1 == nx, 1, 1.0, left + 1),
            (j == 0, 2, -1.0, c),
            (j + 1 == ny, 3, 1.0, c + nx),
        ];
        for (here, side, out, face) in ends {
            if !here || edge.kind[side] == JOINED {
                continue;
            }
            let (speed, flux) = passes(at, edge, side, out, depth[c], ground[c]);
            let (velocity, fluxes) = if side < 2 {
                (&mut *u, &mut *qx)
            } else {
                (&mut *v, &mut *qy)
            };
            velocity[face] = speed;
            fluxes[face] = flux;
            let comes = -out * flux * (at.dt / at.h);
            depth[c] += comes;
            added[c] += comes;
        }
    };
    for i in 0..nx {
        cell(i, 0);
        cell(i, ny - 1);
    }
    for j in 1..ny - 1 {
        cell(0, j);
        cell(nx - 1, j);
    }
}

/// Velocity at a face of the domain and the flux through it, both along the axis; `out` is the sign of the way out.
fn passes(at: &WaterU, edge: &BorderU, side: usize, out: f32, h: f32, ground: f32) -> (f32, f32) {
    let kind = edge.kind[side];
    if kind == CLOSED {
        return (0.0, 0.0);
    }
    let outside = more(at.rest - ground, 0.0);
    let speed = if kind == INFLOW {
        edge.speed[side]
    } else {
        // Between the depth inside and the one outside: where there is none inside, water may come in.
        let mean = more(more(h, outside), at.dry);
        let wave = (at.gravity * mean).sqrt();
        let high = (h + ground) - more(at.rest, ground);
        out * less(more(high * (wave / mean), -wave), wave)
    };
    let leaves = out * speed;
    let speed = out * less(more(leaves, -at.max_speed), at.max_speed);
    let from = if leaves > 0.0 {
        // No more than half of what is there in a step.
        less(h, 0.5 * h / more(leaves * (at.dt / at.h), 1e-20))
    } else {
        outside
    };
    if from > at.dry {
        (speed, speed * from)
    } else {
        (0.0, 0.0)
    }
}

/// (1 − d/w)² of the strip that is strongest at a place, in cells.
#[inline(always)]
fn calmness(edge: &BorderU, x: f32, y: f32, nx: f32, ny: f32) -> f32 {
    let one = |distance: f32, width: f32| {
        let share = more(1.0 - distance / more(width, 1e-3), 0.0);
        if width > 0.0 {
            share * share / width
        } else {
            0.0
        }
    };
    let [l, r, b, t] = edge.calm;
    more(
        more(one(x, l), one(nx - x, r)),
        more(one(y, b), one(ny - y, t)),
    )
}

fn calm(
    _: &Cpu,
    _: [u32; 3],
    at: &WaterU,
    edge: &BorderU,
    ground: &[f32],
    depth: &mut [f32],
    u: &mut [f32],
    v: &mut [f32],
    added: &mut [f32],
) {
    let [nx, ny] = at.size();
    let (width, height) = (nx as f32, ny as f32);
    let strips = strips(edge, nx);
    let (inner, last) = v.split_at_mut(nx * ny);
    let rows = depth
        .par_chunks_mut(nx)
        .zip(added.par_chunks_mut(nx))
        .zip(u.par_chunks_mut(nx + 1))
        .zip(inner.par_chunks_mut(nx));
    rows.enumerate()
        .with_min_len(4)
        .for_each(|(j, (((depth, added), u), v))| {
            let y = j as f32;
            let [_, _, b, t] = edge.calm;
            let inside = y >= b && height - y - 1.0 >= t;
            let ranges = if inside {
                strips.clone()
            } else {
                [0..nx, nx..nx]
            };
            for range in ranges {
                let first = range.start;
                let ground = &ground[j * nx..][range.clone()];
                let (depth, added) = (&mut depth[range.clone()], &mut added[range.clone()]);
                let (u, v) = (&mut u[range.clone()], &mut v[range]);
                calm_row(
                    at,
                    edge,
                    [first as f32, y, width, height],
                    ground,
                    depth,
                    u,
                    v,
                    added,
                );
            }
            if at.joined(0) {
                u[nx] = u[0];
            }
        });
    if at.joined(1) {
        last.copy_from_slice(&inner[..nx]);
    }
}

crate::simd_fn! {
    /// Cells of a row from `place` on: column, row, columns and rows in all.
    fn calm_row(
        at: &WaterU, edge: &BorderU, place: [f32; 4], ground: &[f32], depth: &mut [f32], u: &mut [f32], v: &mut [f32], added: &mut [f32],
    ) {
        let n = depth.len();
        let (at, edge) = (*at, *edge);
        let [first, y, width, height] = place;
        let (ground, added, u, v) = (&ground[..n], &mut added[..n], &mut u[..n], &mut v[..n]);
        for i in 0..n {
            let x = first + i as i32 as f32;
            let rest = more(at.rest - ground[i], 0.0);
            let rate = edge.strength * (at.gravity * rest).sqrt() * (at.dt / at.h);
            let own = 1.0 / (1.0 + rate * calmness(&edge, x + 0.5, y + 0.5, width, height));
            // Elsewhere the sum would not be what it was, to the last digit.
            let old = depth[i];
            let new = if own < 1.0 { rest + (old - rest) * own } else { old };
            added[i] += new - old;
            depth[i] = new;
            u[i] *= 1.0 / (1.0 + rate * calmness(&edge, x, y + 0.5, width, height));
            v[i] *= 1.0 / (1.0 + rate * calmness(&edge, x + 0.5, y, width, height));
        }
    }
}

/// The columns in which a row away from the bottom and the top has calm cells.
fn strips(edge: &BorderU, nx: usize) -> [std::ops::Range<usize>; 2] {
    let left = (edge.calm[0].ceil() as usize + 1).min(nx);
    let right = nx
        .saturating_sub(edge.calm[1].ceil() as usize + 1)
        .max(left);
    let left = if edge.calm[0] > 0.0 { left } else { 0 };
    let right = if edge.calm[1] > 0.0 { right } else { nx };
    [0..left, right..nx]
}

fn walls(
    _: &Cpu,
    _: [u32; 3],
    at: &WaterU,
    solid: &[u32],
    solid_velocity: &[f32],
    u: &mut [f32],
    v: &mut [f32],
) {
    let [nx, ny] = at.size();
    let (inner, last) = v.split_at_mut(nx * ny);
    let rows = u.par_chunks_mut(nx + 1).zip(inner.par_chunks_mut(nx));
    // Velocity along an axis of the solids beside a face, if there are some.
    let moves = |a: usize, b: usize, axis: usize| {
        let of = |c: usize| solid_velocity[4 * c + axis];
        match (solid[a] != 0, solid[b] != 0) {
            (true, true) => Some(0.5 * (of(a) + of(b))),
            (true, false) => Some(of(a)),
            (false, true) => Some(of(b)),
            _ => None,
        }
    };
    rows.enumerate().with_min_len(8).for_each(|(j, (u, v))| {
        let below = at.before(j, ny, 1);
        let here = |j: usize| &solid[j * nx..][..nx];
        if here(j).iter().chain(here(below)).all(|s| *s == 0) {
            return;
        }
        for i in 0..nx {
            let c = j * nx + i;
            let left = at.before(i, nx, 0);
            if left != i
                && let Some(speed) = moves(j * nx + left, c, 0)
            {
                u[i] = speed;
            }
            if below != j
                && let Some(speed) = moves(below * nx + i, c, 1)
            {
                v[i] = speed;
            }
        }
        if at.joined(0) {
            u[nx] = u[0];
        }
    });
    if at.joined(1) {
        last.copy_from_slice(&inner[..nx]);
    }
}
