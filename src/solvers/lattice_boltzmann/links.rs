//! Links that end elsewhere than in a plain fluid cell: walls, obstacles, open faces.
//!
//! The population that would come from such a place is found from what left the cell itself, half a cell from the wall:
//! - no-slip and inflow: `fq = fq̄ + 6w c·U`, U the velocity of the wall (half-way bounce-back; Ladd 1994)
//! - free-slip: the mirror image of q, from the cell beside
//! - open: `fq = −fq̄ + 2 f⁺eq(ρ, u)` (anti-bounce-back; Ginzburg, Verhaeghe and d'Humières 2008), which holds the density half a
//!   cell beyond. What goes out meets the pressure outside, zero. What comes in was at rest there, so it has lost its own
//!   dynamic pressure (Bernoulli: δρ/3 = −u²/2) and brings no motion along the face. With zero there too, or with an
//!   equilibrium instead of the mirrored population, a draught feeds itself: both were tried, and burst in half a second
//!
//! Marks say which cells have such a link, or are solid: one bit a cell, 32 in a word, rows begin with a word.

use rayon::prelude::*;

use super::sets::d2q9::{C, Q, W, moments};
use super::sets::opposite;
use super::stream::LatticeU;
use crate::device::Cpu;

/// A wall to which the fluid sticks, or through which it is blown in.
pub const WALL: u32 = 0;
/// A wall along which the fluid slides.
pub const SLIP: u32 = 1;
/// Fluid enters and leaves.
pub const OPEN: u32 = 2;
/// Joined with the opposite face.
pub const JOINED: u32 = 3;

crate::kernel! {
    /// Marks of cells that are solid or have a link to something that is no fluid: solid → marks.
    pub LatticeMarks = "lattice_boltzmann/marks.wgsl", marks {
        uniform lattice: LatticeU, read solid: u32, write marks: u32,
    }
}

/// What lies at cell (i, j) or beyond the ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A cell of the domain, as its place in the arrays.
    Cell(usize),
    /// Beyond faces: whether along x, and along y.
    Beyond([bool; 2]),
}

/// Where (i, j) is; joined ends lead round.
#[inline]
pub fn place(lattice: &LatticeU, i: i32, j: i32) -> Place {
    let (nx, ny) = (lattice.cells[0] as i32, lattice.cells[1] as i32);
    let joined = [lattice.kinds[0] == JOINED, lattice.kinds[2] == JOINED];
    let out = [i < 0 || i >= nx, j < 0 || j >= ny];
    if (out[0] && !joined[0]) || (out[1] && !joined[1]) {
        return Place::Beyond([out[0] && !joined[0], out[1] && !joined[1]]);
    }
    let i = if out[0] { (i + nx) % nx } else { i };
    let j = if out[1] { (j + ny) % ny } else { j };
    Place::Cell((j * nx + i) as usize)
}

fn blocked(lattice: &LatticeU, solid: &[u32], i: i32, j: i32) -> bool {
    match place(lattice, i, j) {
        Place::Cell(k) => solid[k] != 0,
        Place::Beyond(_) => true,
    }
}

fn marks(_: &Cpu, _: [u32; 3], lattice: &LatticeU, solid: &[u32], marks: &mut [u32]) {
    let nx = lattice.cells[0] as usize;
    let words = lattice.cells[3] as usize;
    marks
        .par_chunks_mut(words)
        .enumerate()
        .for_each(|(j, row)| {
            row.fill(0);
            for i in 0..nx {
                let special = C
                    .iter()
                    .any(|c| blocked(lattice, solid, i as i32 - c[0], j as i32 - c[1]));
                row[i / 32] |= u32::from(special) << (i % 32);
            }
        });
}

/// What a link needs to know about its surroundings.
pub struct Links<'a> {
    /// The lattice.
    pub lattice: &'a LatticeU,
    /// See [`crate::scene::Raster::solid`].
    pub solid: &'a [u32],
    /// See [`crate::scene::Raster::solid_velocity`].
    pub solid_velocity: &'a [f32],
}

/// What a wall does, and its velocity in cells a step.
struct Wall {
    kind: u32,
    velocity: [f32; 2],
    /// The axis across it, of a face of the domain.
    axis: usize,
}

impl Links<'_> {
    /// The wall that lies where direction `q` comes from at cell (i, j); none where that is fluid.
    fn wall(&self, q: usize, i: usize, j: usize) -> Option<Wall> {
        let c = C[q];
        let lattice = self.lattice;
        match place(lattice, i as i32 - c[0], j as i32 - c[1]) {
            Place::Beyond(out) => {
                let x = if c[0] > 0 { 0 } else { 1 };
                let y = if c[1] > 0 { 2 } else { 3 };
                // In a corner the face that holds the fluid more counts.
                let face = match out {
                    [true, true] if lattice.kinds[y] < lattice.kinds[x] => y,
                    [true, _] => x,
                    _ => y,
                };
                let walls = [lattice.left, lattice.right, lattice.bottom, lattice.top];
                let [u, v, ..] = walls[face];
                Some(Wall {
                    kind: lattice.kinds[face],
                    velocity: [u, v],
                    axis: face / 2,
                })
            }
            Place::Cell(k) if self.solid[k] != 0 => {
                let [u, v, _, slides] = *self.solid_velocity[4 * k..].first_chunk::<4>()?;
                let scale = lattice.relax[3];
                Some(Wall {
                    kind: if slides != 0.0 { SLIP } else { WALL },
                    velocity: [u * scale, v * scale],
                    axis: 0,
                })
            }
            Place::Cell(_) => None,
        }
    }

    /// The population that comes in direction `q` at cell (i, j), if it does not simply come from a fluid cell. `own` is what
    /// was in direction q of cell i of the same row, `beyond` the same of the row from which `q` comes.
    #[inline]
    pub fn incoming(
        &self,
        q: usize,
        [i, j]: [usize; 2],
        own: &impl Fn(usize, usize) -> f32,
        beyond: &impl Fn(usize, usize) -> f32,
    ) -> Option<f32> {
        let wall = self.wall(q, i, j)?;
        let c = C[q];
        let (cx, cy) = (c[0] as f32, c[1] as f32);
        let push = 6.0 * W[q];
        if wall.kind == OPEN {
            return Some(open(q, wall.axis, &std::array::from_fn(|q| own(q, i))));
        }
        if wall.kind == SLIP && c[0] != 0 && c[1] != 0 {
            let (x, y) = (i as i32 - c[0], j as i32 - c[1]);
            let [flat, steep] = [
                blocked(self.lattice, self.solid, i as i32, y),
                blocked(self.lattice, self.solid, x, j as i32),
            ];
            let nx = self.lattice.cells[0] as i32;
            if flat && !steep {
                let from = ((x + nx) % nx) as usize;
                return Some(own(direction(c[0], -c[1]), from) + push * (cy * wall.velocity[1]));
            }
            if steep && !flat {
                return Some(beyond(direction(-c[0], c[1]), i) + push * (cx * wall.velocity[0]));
            }
        }
        let [u, v] = wall.velocity;
        Some(own(opposite(q), i) + push * (cx * u + cy * v))
    }
}

/// The direction with these components.
fn direction(x: i32, y: i32) -> usize {
    (0..Q).find(|q| C[*q] == [x, y, 0]).unwrap_or(0)
}

/// What comes through an open face across `axis` in direction q into a cell with these populations.
fn open(q: usize, axis: usize, own: &[f32; Q]) -> f32 {
    let (rho, j) = moments(own);
    let inverse = 1.0 / (1.0 + rho);
    let c = [C[q][0] as f32, C[q][1] as f32];
    let mut u = [j[0] * inverse, j[1] * inverse];
    let mut rho = 0.0;
    if c[axis] * u[axis] > 0.0 {
        u[1 - axis] = 0.0;
        rho = -1.5 * u[axis] * u[axis];
    }
    let cu = c[0] * u[0] + c[1] * u[1];
    let even = rho + (1.0 + rho) * (4.5 * cu * cu - 1.5 * (u[0] * u[0] + u[1] * u[1]));
    2.0 * W[q] * even - own[opposite(q)]
}
