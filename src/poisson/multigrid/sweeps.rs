//! The sweeps of a large coarse level on the CPU.
//!
//! Those before and after a correction are few, and go through the level in one way as on the finest one (see
//! `red_black_stream`), each colour in an array of its own. Most blocks of cells are linked alike with all that is round them
//! and go without reading their weights. Every value is computed by the same operations from the same values as by the passes
//! of `rows`.

use super::layout::Level;
use super::operators::EVEN;
use crate::device::{Device, Result};
use crate::poisson::red_black_stream::{MOST, Streams};
use crate::poisson::red_black_strip::Job;
use crate::poisson::stencil::{BLOCK, Spans, Weighted, parity};

/// The sweeps of one level, with their memory.
pub(super) struct LevelSweeps {
    level: Level,
    axes: usize,
    spans: [Spans; 2],
    wraps: [bool; 3],
    streams: Streams,
}

impl LevelSweeps {
    /// For a level of operators with so many planes of weights, on so many threads.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn new(dev: &mut Device, level: &Level, axes: usize, threads: usize) -> Result<Self> {
        Ok(Self {
            level: level.clone(),
            axes,
            spans: Default::default(),
            wraps: [false; 3],
            streams: Streams::new(dev, level.dims, threads)?,
        })
    }

    /// Bytes that [`LevelSweeps::new`] takes.
    pub fn memory_bytes(level: &Level, threads: usize) -> u64 {
        Streams::memory_bytes(level.dims, threads)
    }

    /// Takes new operators.
    pub fn prepare(&mut self, ints: &[u32], coef: &[f32]) {
        let op = Operator::of(&self.level, self.axes, ints, coef);
        self.wraps = op.wraps();
        let inverse = op.plain_inverse();
        self.spans = [0, 1].map(|colour| op.spans(colour, inverse));
    }

    /// Whether cells of one colour meet across a periodic axis: then whole passes must follow each other.
    pub fn meets(&self) -> bool {
        let odd = |a: &usize| self.level.dims[*a] > 1 && self.level.dims[*a] % 2 == 1;
        (0..3).filter(odd).any(|a| self.wraps[a])
    }

    /// `sweeps` sweeps, beginning with the colour `first`, on what the level has of the state; from zero or from its x.
    pub fn run(&mut self, state: &mut [f32], first: u32, sweeps: u32, from_zero: bool) {
        let (x, rest) =
            state[self.level.state..][..3 * self.level.cells].split_at_mut(self.level.cells);
        let weights = [1.0; MOST];
        let mut left = 2 * sweeps as usize;
        let mut job = Job {
            dims: self.level.dims,
            stencil: &[],
            spans: &self.spans,
            rhs: &rest[self.level.cells..],
            from_zero,
            rhs_is_there: false,
            weights: &weights,
            first: first as usize,
            wraps: self.wraps,
        };
        while left > 0 {
            let now = left.min(MOST);
            self.streams.run(&job, x, now);
            job.from_zero = false;
            left -= now;
        }
    }
}

/// The operator of a level.
struct Operator<'a> {
    dims: [usize; 3],
    /// Of the faces towards x+, y+ and z+.
    weights: [&'a [f32]; 3],
    inverse: &'a [f32],
    /// Of each row.
    flags: &'a [u32],
}

impl<'a> Operator<'a> {
    fn of(level: &Level, axes: usize, ints: &'a [u32], coef: &'a [f32]) -> Self {
        let plane = |p: usize| &coef[level.coef + p * level.cells..][..level.cells];
        Self {
            dims: level.dims.map(|n| n as usize),
            weights: [plane(0), plane(1), if axes > 2 { plane(2) } else { &[] }],
            inverse: plane(axes + 1),
            flags: &ints[level.ints + 2 * level.cells..][..level.cells / level.dims[0] as usize],
        }
    }

    /// Which axes have links from the last cell to the first.
    fn wraps(&self) -> [bool; 3] {
        let [nx, ny, nz] = self.dims;
        let [x, y, z] = self.weights;
        let layer = nx * ny;
        [
            x.chunks_exact(nx).any(|row| row[nx - 1] > 0.0),
            y.chunks_exact(layer)
                .any(|layer| layer[(ny - 1) * nx..].iter().any(|w| *w > 0.0)),
            !z.is_empty() && z[(nz - 1) * layer..].iter().any(|w| *w > 0.0),
        ]
    }

    /// Weights of the faces of cell `i` of row `r`.
    fn faces(&self, r: usize, i: usize) -> [f32; 6] {
        let [nx, ny, nz] = self.dims;
        let (j, k) = (r % ny, r / ny);
        let [x, y, z] = self.weights;
        let before = |n: usize, at: usize| if at == 0 { n - 1 } else { at - 1 };
        let [back, front] = if z.is_empty() {
            [0.0; 2]
        } else {
            [before(nz, k), k].map(|k| z[(k * ny + j) * nx + i])
        };
        [
            x[r * nx + before(nx, i)],
            x[r * nx + i],
            y[(k * ny + before(ny, j)) * nx + i],
            y[r * nx + i],
            back,
            front,
        ]
    }

    /// Weights of a cell that is linked alike with all around it.
    fn plain(&self) -> [f32; 6] {
        let z = if self.weights[2].is_empty() { 0.0 } else { 1.0 };
        [1.0, 1.0, 1.0, 1.0, z, z]
    }

    /// One over the diagonal of most cells of weight one: those that something else holds have less.
    fn plain_inverse(&self) -> f32 {
        let (nx, plain) = (self.dims[0], self.plain());
        let rows = self
            .flags
            .iter()
            .enumerate()
            .filter(|row| *row.1 & EVEN != 0);
        let inner = rows.map(|(r, _)| (r, nx / 2));
        let inner = inner.filter(|(r, i)| self.faces(*r, *i) == plain);
        inner.fold(0.0, |most, (r, i)| self.inverse[r * nx + i].max(most))
    }

    fn spans(&self, colour: u32, inverse: f32) -> Spans {
        let (nx, plain) = (self.dims[0], self.plain());
        let dims = self.dims.map(|n| n as u32);
        let first = |row: usize| parity(dims, row, colour) as usize;
        let is_plain =
            |r: usize, i: usize| self.inverse[r * nx + i] == inverse && self.faces(r, i) == plain;
        Spans::weighted(
            self.flags.len(),
            |row| (nx + 1 - first(row)) / 2,
            inverse,
            |row, at, inside| {
                let cell = |m: usize| 2 * (at + m) + first(row);
                let inner = self.flags[row] & EVEN != 0 && is_plain(row, nx / 2);
                let all = (0..inside).map(cell).all(|i| {
                    let known = inner && i > 0 && i + 1 < nx;
                    known || is_plain(row, i)
                });
                if all {
                    return None;
                }
                let mut table = Weighted {
                    faces: [[0.0; BLOCK]; 6],
                    inverse: [0.0; BLOCK],
                };
                for m in 0..inside {
                    table.inverse[m] = self.inverse[row * nx + cell(m)];
                    let faces = self.faces(row, cell(m));
                    for (of_face, weight) in table.faces.iter_mut().zip(faces) {
                        of_face[m] = weight;
                    }
                }
                Some(table)
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::coarsen::coarsen;
    use super::super::layout::Layout;
    use super::super::rows::{Arrays, smooth};
    use super::*;
    use crate::poisson::{FACE, LINK, UNKNOWN};

    /// A box with holes and, along some axes, with links round the edges; elsewhere a known value is on the outer faces.
    fn stencil(dims: [u32; 3], round: [bool; 3]) -> Vec<u32> {
        let [nx, ny, nz] = dims;
        let open = |i: u32, j: u32, k: u32| {
            !(i * 7 + j * 13 + k * 5).is_multiple_of(31) && !(20..33).contains(&(i + k))
        };
        let mut codes = Vec::new();
        for (k, j, i) in
            (0..nz).flat_map(|k| (0..ny).flat_map(move |j| (0..nx).map(move |i| (k, j, i))))
        {
            let mut code = if open(i, j, k) { UNKNOWN } else { 0 };
            for f in 0..if nz > 1 { 6 } else { 4 } {
                let (axis, mut at) = (f / 2, [i, j, k]);
                let n = dims[axis];
                let outer = at[axis] == if f % 2 == 0 { 0 } else { n - 1 };
                at[axis] = (at[axis] + if f % 2 == 0 { n - 1 } else { 1 }) % n;
                let kind = match (outer && !round[axis], open(at[0], at[1], at[2])) {
                    (true, _) => FACE,
                    (_, true) => LINK,
                    _ => continue,
                };
                code |= if open(i, j, k) { kind << (2 * f) } else { 0 };
            }
            codes.push(code);
        }
        codes
    }

    #[test]
    fn one_way_through_is_the_passes() {
        for (dims, round) in [
            ([130, 400, 1], [false; 3]),
            ([163, 201, 1], [false; 3]),
            ([128, 600, 1], [true, true, false]),
            ([30, 20, 61], [false; 3]),
            ([32, 40, 48], [true, false, true]),
        ] {
            let layout = Layout::new(dims);
            let made = coarsen(&layout, &stencil(dims, round), 0.1);
            let tables = layout.table();
            let level = &layout.levels[1];
            let start: Vec<f32> = (0..layout.state as u32)
                .map(|n| (n.wrapping_mul(2_654_435_761) >> 8) as f32 * 1e-7 - 0.8)
                .collect();
            for (first, sweeps, zero) in [(0, 2, true), (1, 3, false), (0, 5, false)] {
                let mut by_passes = start.clone();
                let mut arrays = Arrays {
                    tables: &tables,
                    ints: &made.ints,
                    coef: &made.coef,
                    stencil: &[],
                    rhs: &[],
                    shift: 0.0,
                    x: &mut [],
                    state: &mut by_passes,
                };
                for pass in 0..2 * sweeps {
                    smooth(
                        &mut arrays,
                        1,
                        pass & 1,
                        (pass + first) & 1,
                        zero && pass == 0,
                    );
                }
                for threads in [1, 3] {
                    let mut dev = Device::cpu_with_threads(threads);
                    let mut one = LevelSweeps::new(&mut dev, level, layout.axes, threads).unwrap();
                    one.prepare(&made.ints, &made.coef);
                    assert!(!one.meets());
                    let mut state = start.clone();
                    dev.threads()
                        .run(|| one.run(&mut state, first, sweeps, zero));
                    let x = level.state..level.state + level.cells;
                    assert!(state[x.clone()] == by_passes[x], "{dims:?} {first} {zero}");
                }
            }
        }
    }
}
