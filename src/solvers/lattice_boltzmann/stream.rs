//! Streaming and collision in one pass: every cell pulls what its neighbours sent towards it, lets it collide, and stores it.
//!
//! A GPU does a step from one buffer to another. The CPU does [`DEEP`] at once: it copies a band of rows, with as many more on
//! each side, to where the second-level cache holds it, steps it there in place, and copies what is right of it back; each step
//! makes the rows that are right fewer by one on each side. In place, from low y to high, a row needs of the rows about it what
//! goes up from the one below, which has been overwritten and was kept in a line of its own, and what goes down from the one
//! above, which has not. (512² cells and 24 steps on two threads: 14 to 15 ms; where each step goes through memory, 18 ms.)

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::links::{JOINED, Links};
use super::sets::d2q9::{C, Q, chosen};
use super::sets::{LANES, Relax, Run};
use crate::device::Cpu;

crate::shared! {
    /// The lattice, in its own units: cells and steps.
    pub struct LatticeU {
        /// Cells along x, y and z; words of marks a row.
        pub cells: [u32; 4],
        /// What the faces left, right, bottom and top are; see [`links`](super::links).
        pub kinds: [u32; 4],
        /// Velocity of the left face, cells a step.
        pub left: [f32; 4],
        /// Of the right one.
        pub right: [f32; 4],
        /// Of the one below.
        pub bottom: [f32; 4],
        /// Of the one above.
        pub top: [f32; 4],
        /// τ, (τ⁺ − ½)(τ⁻ − ½), 18√2 C², and the factor from m/s to cells a step.
        pub relax: [f32; 4],
        /// Kind of collision, whether there is an eddy viscosity, first row with a force, one past the last.
        pub mode: [u32; 4],
    }
}

crate::kernel! {
    /// One step: (f, marks, solid, solid velocity, force) → g.
    pub LatticeStep = "lattice_boltzmann/step.wgsl", step {
        uniform lattice: LatticeU, read f: f32, read marks: u32, read solid: u32, read solid_velocity: f32,
        read force: f32, write g: f32,
    }
}

fn step(
    cpu: &Cpu,
    _: [u32; 3],
    lattice: &LatticeU,
    f: &[f32],
    marks: &[u32],
    solid: &[u32],
    solid_velocity: &[f32],
    force: &[f32],
    g: &mut [f32],
) {
    let job = Job {
        links: Links {
            lattice,
            solid,
            solid_velocity,
        },
        marks,
        force,
    };
    job.pass(cpu, f, g, 1, &Pool::default());
}

/// Steps that a band does in the cache.
pub const DEEP: u32 = 8;

/// Numbers between the populations of two directions: without them those of a cell would share a few sets of the caches.
const PADDING: usize = 112;

/// Directions that go up.
const UP: [usize; 3] = [3, 5, 8];

/// Place among [`UP`].
const LINE: [usize; Q] = [0, 0, 0, 0, 0, 1, 0, 0, 2];

/// Steps on the CPU.
pub struct Job<'a> {
    /// Walls and obstacles.
    pub links: Links<'a>,
    /// Marks of cells with links.
    pub marks: &'a [u32],
    /// Acceleration, cells a step²: all along x, then all along y.
    pub force: &'a [f32],
}

/// Room for bands, which threads take and give back.
#[derive(Default)]
pub struct Pool(Mutex<Vec<Vec<f32>>>);

impl Pool {
    fn with<R>(&self, work: impl FnOnce(&mut Vec<f32>) -> R) -> R {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut room = lock().pop().unwrap_or_default();
        let result = work(&mut room);
        lock().push(room);
        result
    }
}

/// Some rows of all populations, in a place of their own.
struct Band<'a> {
    /// The row of the domain that is the first one here.
    first: usize,
    rows: [&'a mut [f32]; Q],
}

impl Job<'_> {
    /// So many steps of `f`; `g` is room. Says whether the result lies in `g`. It does not depend on threads or bands.
    pub fn advance(&self, cpu: &Cpu, f: &mut [f32], g: &mut [f32], steps: u32) -> bool {
        let pool = Pool::default();
        let (mut from, mut to, mut left, mut swapped) = (f, g, steps, false);
        while left > 0 {
            let now = left.min(DEEP);
            self.pass(cpu, from, to, now, &pool);
            (from, to) = (to, from);
            swapped = !swapped;
            left -= now;
        }
        swapped
    }

    /// Some steps from one set of populations to another.
    fn pass(&self, cpu: &Cpu, f: &[f32], g: &mut [f32], steps: u32, pool: &Pool) {
        let [nx, ny, ..] = self.links.lattice.cells.map(|n| n as usize);
        let n = nx * ny;
        let height = ny.div_ceil(4 * cpu.threads()).clamp(8, 64);
        let mut planes: Vec<_> = g
            .chunks_exact_mut(n)
            .map(|plane| plane.chunks_mut(nx * height))
            .collect();
        let mut next = || -> [&mut [f32]; Q] {
            std::array::from_fn(|q| {
                planes
                    .get_mut(q)
                    .and_then(Iterator::next)
                    .unwrap_or_default()
            })
        };
        let mut bands: Vec<_> = (0..ny.div_ceil(height))
            .map(|b| (b * height, next()))
            .collect();
        bands
            .par_iter_mut()
            .with_max_len(1)
            .for_each(|(first, out)| {
                pool.with(|room| self.band(f, *first, out, steps as usize, room));
            });
    }

    /// Rows from `first` on of the result of some steps.
    fn band(
        &self,
        f: &[f32],
        first: usize,
        out: &mut [&mut [f32]; Q],
        steps: usize,
        room: &mut Vec<f32>,
    ) {
        let [nx, ny, ..] = self.links.lattice.cells.map(|n| n as usize);
        let height = out[0].len() / nx;
        let joined = self.links.lattice.kinds[2] == JOINED;
        // What the steps need beyond the band; there is nothing beyond a wall.
        let below = if joined { steps } else { steps.min(first) };
        let above = if joined {
            steps
        } else {
            steps.min(ny - first - height)
        };
        let all = below + height + above;
        let begin = (first + steps * ny - below) % ny;
        let plane = all * nx + PADDING;
        room.resize(Q * plane, 0.0);
        for (q, plane) in room.chunks_exact_mut(plane).enumerate() {
            for (r, row) in plane[..all * nx].chunks_exact_mut(nx).enumerate() {
                let j = (begin + r) % ny;
                row.copy_from_slice(&f[q * nx * ny + j * nx..][..nx]);
            }
        }
        let mut planes = room
            .chunks_exact_mut(plane)
            .map(|plane| &mut plane[..all * nx]);
        let mut band = Band {
            first: begin,
            rows: std::array::from_fn(|_| planes.next().unwrap_or_default()),
        };
        for step in 1..=steps {
            // Towards a wall no row is lost.
            let low = if begin == 0 && !joined { 0 } else { step };
            let high = if begin + all == ny && !joined {
                all
            } else {
                all - step
            };
            self.sweep(&mut band, low, high);
        }
        for (out, rows) in out.iter_mut().zip(&band.rows) {
            out.copy_from_slice(&rows[below * nx..][..height * nx]);
        }
    }

    /// A step of rows `low..high` of a band, in place.
    fn sweep(&self, band: &mut Band<'_>, low: usize, high: usize) {
        let [nx, ny, ..] = self.links.lattice.cells.map(|n| n as usize);
        let [kind, eddies, forced, past] = self.links.lattice.mode;
        let [tau, magic, factor, _] = self.links.lattice.relax;
        let relax = Relax {
            tau,
            magic,
            eddies: factor,
        };
        let [plain, pushed] = [false, true].map(|force| chosen(kind, force, eddies != 0));
        // What a row becomes is kept until all of it is known: cells need what was beside them.
        let mut done = vec![[[0.0; LANES]; Q]; nx.div_ceil(LANES)];
        let mut run = [[0.0; LANES]; Q];
        let (mut below, mut kept) = (vec![0.0; 3 * nx], vec![0.0; 3 * nx]);
        if let Some(row) = low.checked_sub(1) {
            keep(band, row, nx, &mut below);
        }
        let mut solids = Vec::new();
        let mut a = [[0.0; LANES]; 3];
        for row in low..high {
            let j = (band.first + row) % ny;
            let has_force = (forced as usize..past as usize).contains(&j);
            for (c, out) in done.iter_mut().enumerate() {
                let begin = c * LANES;
                let len = LANES.min(nx - begin);
                if has_force {
                    let n = self.force.len() / 2;
                    for (axis, a) in a[..2].iter_mut().enumerate() {
                        let from = &self.force[axis * n + j * nx + begin..][..len];
                        a[..len].copy_from_slice(from);
                    }
                }
                let collide = if has_force { pushed } else { plain };
                if let Some(sources) = self.sources(band, row, j, &below, begin) {
                    collide(&sources, out, &a, &relax);
                    continue;
                }
                gather(band, row, nx, &below, begin, &mut run);
                solids.clear();
                self.mend(band, row, j, &below, begin, &mut run, &mut solids);
                collide(&std::array::from_fn(|q| &run[q]), out, &a, &relax);
                for i in &solids {
                    for (q, out) in out.iter_mut().enumerate() {
                        out[i - begin] = band.rows[q][row * nx + i];
                    }
                }
            }
            keep(band, row, nx, &mut kept);
            for (c, run) in done.iter().enumerate() {
                let begin = c * LANES;
                let len = LANES.min(nx - begin);
                for (q, run) in run.iter().enumerate() {
                    band.rows[q][row * nx + begin..][..len].copy_from_slice(&run[..len]);
                }
            }
            std::mem::swap(&mut below, &mut kept);
        }
    }

    /// Where the populations of a run come from, if all come from fluid cells as they lie there.
    #[inline]
    fn sources<'a>(
        &self,
        band: &'a Band<'_>,
        row: usize,
        j: usize,
        below: &'a [f32],
        begin: usize,
    ) -> Option<[&'a [f32; LANES]; Q]> {
        let [nx, _, _, words] = self.links.lattice.cells.map(|n| n as usize);
        let first = j * words + begin / 32;
        if begin == 0
            || begin + LANES >= nx
            || self.marks[first..first + LANES / 32] != [0; LANES / 32]
        {
            return None;
        }
        let mut all = [&[0.0; LANES]; Q];
        for (q, from) in all.iter_mut().enumerate() {
            let src = source(band, row, nx, below, q);
            let at = begin.wrapping_add_signed(-C[q][0] as isize);
            *from = src.get(at..)?.first_chunk::<LANES>()?;
        }
        Some(all)
    }

    /// Replaces what did not come from fluid cells, and notes the solid ones.
    fn mend(
        &self,
        band: &Band<'_>,
        row: usize,
        j: usize,
        below: &[f32],
        begin: usize,
        run: &mut Run<Q>,
        solids: &mut Vec<usize>,
    ) {
        let nx = self.links.lattice.cells[0] as usize;
        let words = self.links.lattice.cells[3] as usize;
        let own = |q: usize, i: usize| band.rows[q][row * nx + i];
        for w in (begin / 32..words).take(LANES / 32) {
            let mut left = self.marks[j * words + w];
            while left != 0 {
                let i = 32 * w + left.trailing_zeros() as usize;
                left &= left - 1;
                if self.links.solid[j * nx + i] != 0 {
                    solids.push(i);
                    continue;
                }
                for (q, to) in run.iter_mut().enumerate().skip(1) {
                    let beyond = |q: usize, i: usize| source(band, row, nx, below, q)[i];
                    if let Some(value) = self.links.incoming(q, [i, j], &own, &beyond) {
                        to[i - begin] = value;
                    }
                }
            }
        }
    }
}

/// The row from which direction `q` comes, as it was before the step.
#[inline(always)]
fn source<'a>(band: &'a Band<'_>, row: usize, nx: usize, below: &'a [f32], q: usize) -> &'a [f32] {
    let rows = &band.rows[q];
    match C[q][1] {
        0 => &rows[row * nx..][..nx],
        1 => &below[LINE[q] * nx..][..nx],
        // Beyond the last row there is a wall, whose links are mended.
        _ if (row + 1) * nx < rows.len() => &rows[(row + 1) * nx..][..nx],
        _ => &rows[row * nx..][..nx],
    }
}

/// Keeps what goes up from a row.
fn keep(band: &Band<'_>, row: usize, nx: usize, lines: &mut [f32]) {
    for (line, q) in lines.chunks_exact_mut(nx).zip(UP) {
        line.copy_from_slice(&band.rows[q][row * nx..][..nx]);
    }
}

/// Pulls a run of a row, as if there were fluid everywhere and the ends were joined.
fn gather(band: &Band<'_>, row: usize, nx: usize, below: &[f32], begin: usize, run: &mut Run<Q>) {
    let len = LANES.min(nx - begin);
    for (q, to) in run.iter_mut().enumerate() {
        let src = source(band, row, nx, below, q);
        let to = &mut to[..len];
        match C[q][0] {
            0 => to.copy_from_slice(&src[begin..begin + len]),
            1 => {
                to[0] = src[(begin + nx - 1) % nx];
                to[1..].copy_from_slice(&src[begin..begin + len - 1]);
            }
            _ => {
                to[..len - 1].copy_from_slice(&src[begin + 1..begin + len]);
                to[len - 1] = src[(begin + len) % nx];
            }
        }
    }
}
