//! Viscous diffusion of the velocity, `∂u/∂t = ν ∇²u`, one component at a time.
//!
//! Each component has a system of its own in the form of [`codes`](super::codes): unknown where the face is neither on a
//! wall nor on a solid; `FACE` towards walls and solids to which the fluid sticks (known half a cell away), `NODE` towards
//! faces whose velocity is known, `CLOSED` towards what the fluid slides along. Explicit: `u' = u − (ν dt/h²)(A u − k)`
//! with k the known values; implicit (backward Euler): `(h²/(ν dt) + A) u' = h²/(ν dt) u + k`.
//!
//! Along a periodic axis the last sample of a component repeats the first, so systems are kept on distinct samples only.

use rayon::prelude::*;

use super::codes::{CLOSED, FACE, LINK, NODE, UNKNOWN};
use super::lattice::{self, Lattice, neighbour};
use super::sources::Factor;
use crate::device::Cpu;

crate::kernel! {
    /// Codes of a component's system: (solid, solid velocity) → stencil.
    pub ViscosityStencil = "grid/viscosity_stencil.wgsl", viscosity_stencil {
        uniform at: Lattice, read solid: u32, read solid_velocity: f32, write stencil: u32,
    }
}
crate::kernel! {
    /// u' = u + (ν dt/h²) · Σ w (u_neighbour − u): (stencil, u) → out. `factor` is ν dt/h².
    pub DiffuseExplicit = "grid/diffuse_explicit.wgsl", diffuse_explicit {
        uniform at: Lattice, uniform factor: Factor, read stencil: u32, read u: f32, write out: f32,
    }
}
crate::kernel! {
    /// First guess u and right-hand side shift·u + known values: (stencil, u) → (x, b). `factor` is the shift.
    pub DiffusionSystem = "grid/diffusion_system.wgsl", diffusion_system {
        uniform at: Lattice, uniform factor: Factor, read stencil: u32, read u: f32, write x: f32, write rhs: f32,
    }
}
crate::kernel! {
    /// Puts the solution back among the faces: (stencil, x) → u.
    pub DiffusionResult = "grid/diffusion_result.wgsl", diffusion_result {
        uniform at: Lattice, read stencil: u32, read x: f32, write u: f32,
    }
}

/// What stands at distinct sample (i, j): whether it is unknown, and if not, whether the fluid slides along the solid in
/// which it lies.
enum Stand {
    Unknown,
    /// On a wall or on the surface of a solid: known here.
    Surface,
    /// Inside a solid: known, if at all, half way to here.
    Inside {
        slides: bool,
    },
}

fn stand(at: &Lattice, solid: &[u32], solid_velocity: &[f32], i: usize, j: usize) -> Stand {
    let axis = at.size[3] as usize;
    let here = [i, j][axis];
    let end = |kind: u32, place: u32| kind == lattice::FIXED && here == place as usize;
    if end(at.low_kind[axis], 0) || end(at.high_kind[axis], at.size[axis] - 1) {
        return Stand::Surface;
    }
    let cells = at.cells_beside(i, j);
    match cells.map(|k| solid[k] != 0) {
        [false, false] => Stand::Unknown,
        [true, true] => Stand::Inside {
            slides: cells.iter().any(|k| solid_velocity[4 * k + 3] != 0.0),
        },
        _ => Stand::Surface,
    }
}

fn viscosity_stencil(
    _: &Cpu,
    _: [u32; 3],
    at: &Lattice,
    solid: &[u32],
    solid_velocity: &[f32],
    stencil: &mut [u32],
) {
    let n = at.distinct().map(|n| n as usize);
    stencil
        .par_chunks_mut(n[0])
        .enumerate()
        .for_each(|(j, row)| {
            for (i, out) in row.iter_mut().enumerate() {
                *out = 0;
                if !matches!(stand(at, solid, solid_velocity, i, j), Stand::Unknown) {
                    continue;
                }
                *out = UNKNOWN;
                for face in 0..4 {
                    let (along, side) = (face / 2, face % 2);
                    let code = match neighbour([i, j][along], n[along], side, at.periodic(along)) {
                        Some(other) => {
                            let (x, y) = if along == 0 { (other, j) } else { (i, other) };
                            match stand(at, solid, solid_velocity, x, y) {
                                Stand::Unknown => LINK,
                                Stand::Surface => NODE,
                                // Along the normal a surface lies between, so this is across.
                                Stand::Inside { slides: true } => CLOSED,
                                Stand::Inside { slides: false } => FACE,
                            }
                        }
                        None if [at.low_kind, at.high_kind][side][along] == lattice::FACE => FACE,
                        None => CLOSED,
                    };
                    *out |= code << (2 * face);
                }
            }
        });
}

/// The neighbours of distinct sample (i, j) in the order of the codes: their values, or what is known beyond the ends.
#[inline]
fn neighbours(at: &Lattice, n: [u32; 3], u: &[f32], i: usize, j: usize) -> [f32; 4] {
    let width = at.size[0] as usize;
    std::array::from_fn(|face| {
        let (along, side) = (face / 2, face % 2);
        match neighbour([i, j][along], n[along] as usize, side, at.periodic(along)) {
            Some(other) if along == 0 => u[j * width + other],
            Some(other) => u[other * width + i],
            None => [at.low, at.high][side][along],
        }
    })
}

/// Weight of each code: nothing, a cell away, half a cell away, a cell away.
const WEIGHT: [f32; 4] = [0.0, 1.0, 2.0, 1.0];

/// Every face a link.
const FREE: u32 = UNKNOWN | 0x55;

crate::simd_fn! {
    /// Whether every sample has an unknown at each side.
    fn all_free(codes: &[u32]) -> bool {
        codes.iter().fold(0, |any, c| any | (c ^ FREE)) == 0
    }

    /// All samples of a row but the first and the last.
    fn diffuse_row(factor: f32, here: &[f32], low: &[f32], high: &[f32], out: &mut [f32]) {
        let n = out.len() - 2;
        let (left, mid, right) = (&here[..n], &here[1..n + 1], &here[2..n + 2]);
        let (low, high, out) = (&low[1..n + 1], &high[1..n + 1], &mut out[1..n + 1]);
        for i in 0..n {
            let c = mid[i];
            let sum = (((left[i] - c) + (right[i] - c)) + (low[i] - c)) + (high[i] - c);
            out[i] = c + factor * sum;
        }
    }
}

fn diffuse_explicit(
    _: &Cpu,
    _: [u32; 3],
    at: &Lattice,
    factor: &Factor,
    stencil: &[u32],
    u: &[f32],
    out: &mut [f32],
) {
    let n = at.distinct();
    let width = at.size[0] as usize;
    let (nx, ny) = (n[0] as usize, n[1] as usize);
    out.par_chunks_mut(width)
        .with_min_len(8)
        .enumerate()
        .for_each(|(j, out)| {
            let codes = &stencil[(j % ny) * nx..][..nx];
            let here = &u[j * width..][..width];
            let one = |i: usize| {
                let code = codes[i];
                if code & UNKNOWN == 0 {
                    return here[i];
                }
                let near = neighbours(at, n, u, i, j % ny);
                let flow = |f: usize| WEIGHT[(code >> (2 * f) & 3) as usize] * (near[f] - here[i]);
                here[i] + factor.value * (((flow(0) + flow(1)) + flow(2)) + flow(3))
            };
            // The two samples next to each end may have a wall as neighbour.
            let plain = j > 0 && j + 1 < ny && nx > 4 && all_free(&codes[2..nx - 2]);
            if plain {
                let (low, high) = (&u[(j - 1) * width..][..nx], &u[(j + 1) * width..][..nx]);
                diffuse_row(factor.value, here, low, high, &mut out[..nx]);
                for i in [0, 1, nx - 2, nx - 1] {
                    out[i] = one(i);
                }
            } else {
                (0..nx).for_each(|i| out[i] = one(i));
            }
            if width > nx {
                out[nx] = out[0];
            }
        });
}

fn diffusion_system(
    _: &Cpu,
    _: [u32; 3],
    at: &Lattice,
    factor: &Factor,
    stencil: &[u32],
    u: &[f32],
    x: &mut [f32],
    rhs: &mut [f32],
) {
    let n = at.distinct();
    let (nx, width) = (n[0] as usize, at.size[0] as usize);
    let rows = x.par_chunks_mut(nx).zip(rhs.par_chunks_mut(nx));
    rows.with_min_len(8).enumerate().for_each(|(j, (x, rhs))| {
        let codes = &stencil[j * nx..][..nx];
        let here = &u[j * width..][..nx];
        for i in 0..nx {
            let code = codes[i];
            (x[i], rhs[i]) = if code & UNKNOWN == 0 {
                (0.0, 0.0)
            } else if code & 0xff == FREE & 0xff {
                (here[i], factor.value * here[i])
            } else {
                let near = neighbours(at, n, u, i, j);
                let known = |f: usize| match code >> (2 * f) & 3 {
                    LINK => 0.0,
                    c => WEIGHT[c as usize] * near[f],
                };
                let sum = ((known(0) + known(1)) + known(2)) + known(3);
                (here[i], factor.value * here[i] + sum)
            };
        }
    });
}

fn diffusion_result(_: &Cpu, _: [u32; 3], at: &Lattice, stencil: &[u32], x: &[f32], u: &mut [f32]) {
    let n = at.distinct();
    let (nx, ny, width) = (n[0] as usize, n[1] as usize, at.size[0] as usize);
    u.par_chunks_mut(width)
        .with_min_len(8)
        .enumerate()
        .for_each(|(j, u)| {
            let begin = (j % ny) * nx;
            let (codes, x) = (&stencil[begin..][..nx], &x[begin..][..nx]);
            for i in 0..nx {
                u[i] = if codes[i] & UNKNOWN != 0 { x[i] } else { u[i] };
            }
            if width > nx {
                u[nx] = u[0];
            }
        });
}
