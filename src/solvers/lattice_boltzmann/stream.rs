//! Streaming and collision in one pass: every cell pulls what its neighbours sent towards it, lets it collide, and stores it.
//!
//! On a GPU from one buffer to another. On the CPU in place, a row at a time from low y to high: of the rows about it a row
//! needs what goes up from the one below, which has been overwritten and was kept in a line of its own, and what goes down
//! from the one above, which has not. Bands of rows are worked on at once; what they need of each other is copied before. That
//! halves the memory, and stores go where loads have just been: 72 bytes a cell instead of 108 with what a cache fetches to
//! overwrite it.

use rayon::prelude::*;

use super::links::Links;
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
    g.copy_from_slice(f);
    let job = Job {
        links: Links {
            lattice,
            solid,
            solid_velocity,
        },
        marks,
        force,
    };
    job.advance(cpu, g, 1);
}

/// Directions that go up, and those that go down.
const UP: [usize; 3] = [3, 5, 8];
const DOWN: [usize; 3] = [4, 6, 7];

/// Place among [`UP`] or [`DOWN`].
const LINE: [usize; Q] = [0, 0, 0, 0, 0, 1, 1, 2, 2];

/// Steps on the CPU.
pub struct Job<'a> {
    /// Walls and obstacles.
    pub links: Links<'a>,
    /// Marks of cells with links.
    pub marks: &'a [u32],
    /// Acceleration, cells a step²: all along x, then all along y.
    pub force: &'a [f32],
}

/// Some rows of all populations.
struct Band<'a> {
    first: usize,
    rows: [&'a mut [f32]; Q],
    /// What goes up from the row below, then what goes down from the row above.
    halo: &'a [f32],
}

impl Job<'_> {
    /// So many steps, in place. The result does not depend on the bands.
    pub fn advance(&self, cpu: &Cpu, f: &mut [f32], steps: u32) {
        let [nx, ny, ..] = self.links.lattice.cells.map(|n| n as usize);
        let n = nx * ny;
        let height = ny.div_ceil(4 * cpu.threads()).clamp(8, 64);
        let mut halos = vec![0.0; ny.div_ceil(height) * 6 * nx];
        for _ in 0..steps {
            halos.par_chunks_mut(6 * nx).enumerate().for_each(|(b, halo)| {
                let below = (b * height + ny - 1) % ny;
                let above = ((b + 1) * height).min(ny) % ny;
                let rows = UP.map(|q| (q, below)).into_iter().chain(DOWN.map(|q| (q, above)));
                for (line, (q, j)) in halo.chunks_exact_mut(nx).zip(rows) {
                    line.copy_from_slice(&f[q * n + j * nx..][..nx]);
                }
            });
            let mut bands = bands(f, n, nx * height, &halos, 6 * nx);
            bands.par_iter_mut().with_max_len(1).for_each(|band| {
                band.first *= height;
                self.sweep(band);
            });
        }
    }

    fn sweep(&self, band: &mut Band<'_>) {
        let nx = self.links.lattice.cells[0] as usize;
        let [kind, eddies, forced, past] = self.links.lattice.mode;
        let [tau, magic, factor, _] = self.links.lattice.relax;
        let relax = Relax {
            tau,
            magic,
            eddies: factor,
        };
        let [plain, pushed] = [false, true].map(|force| chosen(kind, force, eddies != 0));
        let mut runs = vec![[[0.0; LANES]; Q]; nx.div_ceil(LANES)];
        let mut below = band.halo[..3 * nx].to_vec();
        let mut kept = vec![0.0; 3 * nx];
        let mut solids = Vec::new();
        let mut a = [[0.0; LANES]; 3];
        for row in 0..band.rows[0].len() / nx {
            let j = band.first + row;
            gather(band, row, nx, &below, &mut runs);
            self.mend(band, row, nx, &below, &mut runs, &mut solids);
            for (line, q) in kept.chunks_exact_mut(nx).zip(UP) {
                line.copy_from_slice(&band.rows[q][row * nx..][..nx]);
            }
            let has_force = (forced as usize..past as usize).contains(&j);
            for (c, run) in runs.iter_mut().enumerate() {
                let begin = c * LANES;
                let len = LANES.min(nx - begin);
                if has_force {
                    let n = self.force.len() / 2;
                    for (axis, a) in a[..2].iter_mut().enumerate() {
                        let from = &self.force[axis * n + j * nx + begin..][..len];
                        a[..len].copy_from_slice(from);
                    }
                    pushed(run, &a, &relax);
                } else {
                    plain(run, &a, &relax);
                }
                for i in solids.iter().filter(|i| (begin..begin + len).contains(*i)) {
                    for q in 0..Q {
                        run[q][i - begin] = band.rows[q][row * nx + i];
                    }
                }
                for (q, run) in run.iter().enumerate() {
                    store(run, &mut band.rows[q][row * nx + begin..][..len]);
                }
            }
            std::mem::swap(&mut below, &mut kept);
        }
    }

    /// Replaces what did not come from fluid cells, and notes the solid ones.
    fn mend(
        &self,
        band: &Band<'_>,
        row: usize,
        nx: usize,
        below: &[f32],
        runs: &mut [Run<Q>],
        solids: &mut Vec<usize>,
    ) {
        solids.clear();
        let j = band.first + row;
        let words = self.links.lattice.cells[3] as usize;
        let own = |q: usize, i: usize| band.rows[q][row * nx + i];
        for (w, word) in self.marks[j * words..][..words].iter().enumerate() {
            let mut left = *word;
            while left != 0 {
                let i = 32 * w + left.trailing_zeros() as usize;
                left &= left - 1;
                if self.links.solid[j * nx + i] != 0 {
                    solids.push(i);
                    continue;
                }
                for q in 1..Q {
                    let beyond = |q: usize, i: usize| source(band, row, nx, below, q)[i];
                    if let Some(value) = self.links.incoming(q, [i, j], &own, &beyond) {
                        runs[i / LANES][q][i % LANES] = value;
                    }
                }
            }
        }
    }
}

/// The row from which direction `q` comes, as it was before the step.
#[inline(always)]
fn source<'a>(
    band: &'a Band<'_>,
    row: usize,
    nx: usize,
    below: &'a [f32],
    q: usize,
) -> &'a [f32] {
    let rows = &band.rows[q];
    match C[q][1] {
        0 => &rows[row * nx..][..nx],
        1 => &below[LINE[q] * nx..][..nx],
        _ if (row + 1) * nx < rows.len() => &rows[(row + 1) * nx..][..nx],
        _ => &band.halo[(3 + LINE[q]) * nx..][..nx],
    }
}

/// Pulls a row, as if there were fluid everywhere and the ends were joined.
fn gather(band: &Band<'_>, row: usize, nx: usize, below: &[f32], runs: &mut [Run<Q>]) {
    for q in 0..Q {
        let src = source(band, row, nx, below, q);
        for (c, run) in runs.iter_mut().enumerate() {
            let begin = c * LANES;
            let len = LANES.min(nx - begin);
            let to = &mut run[q];
            match C[q][0] {
                0 => load(&src[begin..begin + len], to),
                1 if begin > 0 => load(&src[begin - 1..begin + len - 1], to),
                1 => {
                    to[0] = src[nx - 1];
                    to[1..len].copy_from_slice(&src[..len - 1]);
                }
                _ if begin + len < nx => load(&src[begin + 1..begin + len + 1], to),
                _ => {
                    to[..len - 1].copy_from_slice(&src[begin + 1..]);
                    to[len - 1] = src[0];
                }
            }
        }
    }
}

crate::simd_fn! {
    // Of a whole run without a call to a function that first asks how much there is to copy.
    fn load(src: &[f32], to: &mut [f32; LANES]) {
        match src.as_array::<LANES>() {
            Some(src) => *to = *src,
            None => to[..src.len()].copy_from_slice(src),
        }
    }
    fn store(run: &[f32; LANES], to: &mut [f32]) {
        match to.as_mut_array::<LANES>() {
            Some(to) => *to = *run,
            None => to.copy_from_slice(&run[..to.len()]),
        }
    }
}

/// Bands of `len` values of each population; `first` is yet the number of the band.
fn bands<'a>(
    f: &'a mut [f32],
    n: usize,
    len: usize,
    halos: &'a [f32],
    halo: usize,
) -> Vec<Band<'a>> {
    let mut planes: Vec<_> = f.chunks_exact_mut(n).map(|p| p.chunks_mut(len)).collect();
    let halos = halos.chunks_exact(halo).enumerate();
    halos
        .map(|(first, halo)| Band {
            first,
            rows: std::array::from_fn(|q| {
                planes.get_mut(q).and_then(Iterator::next).unwrap_or_default()
            }),
            halo,
        })
        .collect()
}
