//! All passes of an application at once, on the CPU.
//!
//! A row of results needs four rows of what the filters along y make, and those only as long as the filters along x take to
//! read them: so a thread makes them, with their mirrored ends, in a few kilobytes that stay in the first-level cache, and no
//! pass writes anything for the next to read. In 3D a thread does a layer: four planes of what the filters along z make, then
//! row by row as before. Taps are added in pairs, each pair read once for all four filters of the first pass. In all of it the
//! loop over the taps is the inner one, around it one over blocks of a row, whose sums stay in registers.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::filters::LANES;
use super::kernels::{FilterU, seen, seen_cell};
use super::sides::PAD;
use crate::device::{Buf, Device, Result};
use crate::poisson::UNKNOWN;

/// Cells whose sums are kept in registers.
const BLOCK: usize = 16;

/// The working memory of each thread.
pub(super) struct Scratch(Vec<Mutex<Buf<f32>>>);

/// How it is divided.
#[derive(Clone, Copy)]
struct Parts {
    /// Cells of a row.
    row: usize,
    /// Rows of a layer along the slowest axis: one in 2D.
    rows: usize,
    /// Numbers of a row with mirrored ends.
    line: usize,
}

impl Parts {
    fn new(dims: [u32; 3]) -> Self {
        let [nx, ny, nz] = dims.map(|n| n as usize);
        Self {
            row: nx,
            rows: if nz > 1 { ny } else { 1 },
            line: nx + 2 * PAD,
        }
    }
    fn layer(&self) -> usize {
        self.row * self.rows
    }
    fn planes(&self) -> usize {
        if self.rows > 1 { LANES * self.layer() } else { 0 }
    }
    /// The sums, four rows with ends, and in 3D four planes.
    fn len(&self) -> usize {
        self.layer() + LANES * self.line + self.planes()
    }
}

impl Scratch {
    pub fn new(dev: &mut Device, dims: [u32; 3], threads: usize) -> Result<Self> {
        let len = Parts::new(dims).len();
        let make = |_| Ok(Mutex::new(dev.buf("filtered rows", len)?));
        (0..threads).map(make).collect::<Result<_>>().map(Self)
    }

    pub fn memory_bytes(dims: [u32; 3], threads: usize) -> u64 {
        4 * (threads * Parts::new(dims).len()) as u64
    }
}

/// What an application reads.
pub(super) struct Job<'a> {
    pub plan: FilterU,
    pub places: &'a [u32],
    /// Taps of all vectors, and the same with signs.
    pub taps: [&'a [[f32; LANES]]; 2],
    pub first: &'a [f32],
    /// The second input; without it, the first is the only one.
    pub second: Option<&'a [f32]>,
    /// Codes, if some cells are no unknowns.
    pub stencil: Option<&'a [u32]>,
}

/// A pair of rows that get the same taps: where they begin, and the signs with which they are seen.
#[derive(Clone, Copy, Default)]
struct Pair {
    at: [usize; 2],
    sign: [f32; 2],
}

/// The rows that a filter along an axis reads for one cell of it.
struct Reads {
    centre: usize,
    pairs: [Pair; PAD],
    radius: usize,
    /// Whether all are seen as they are.
    plain: bool,
}

impl Reads {
    /// For cell `at`, `stride` numbers lying between the rows of one cell and the next.
    fn new(places: &[u32], at: usize, radius: usize, stride: usize) -> Self {
        let mut reads = Self {
            centre: at * stride,
            pairs: [Pair::default(); PAD],
            radius,
            plain: true,
        };
        for (k, pair) in reads.pairs[..radius].iter_mut().enumerate() {
            for (end, place) in [places[at + radius - 1 - k], places[at + radius + 1 + k]].into_iter().enumerate() {
                let (cell, sign) = seen_cell(place).unwrap_or((0, 0.0));
                (pair.at[end], pair.sign[end]) = (cell * stride, sign);
                reads.plain &= sign == 1.0;
            }
        }
        reads
    }
    fn pairs(&self) -> &[Pair] {
        &self.pairs[..self.radius]
    }
}

/// Applies the filters; `x` is neither input.
pub(super) fn run(job: &Job<'_>, scratch: &mut Scratch, x: &mut [f32]) {
    let dims = [0, 1, 2].map(|a| job.plan.cells[a]);
    let parts = Parts::new(dims);
    let scratch = &scratch.0;
    let layers = x.par_chunks_mut(parts.layer()).with_min_len(if dims[2] > 1 { 1 } else { 4 });
    layers.enumerate().for_each(|(layer, x)| {
        let thread = rayon::current_thread_index().unwrap_or(0) % scratch.len();
        let mut memory = scratch[thread].lock().unwrap_or_else(PoisonError::into_inner);
        let (sums, rest) = memory.host_mut().split_at_mut(parts.layer());
        let (lines, planes) = rest.split_at_mut(LANES * parts.line);
        sums.fill(0.0);
        for group in 0..job.plan.groups as usize {
            job.group(group, parts, layer, sums, lines, planes);
        }
        job.finish(layer, sums, x);
    });
}

impl Job<'_> {
    /// Adds what a vector of filters makes of a layer.
    fn group(&self, group: usize, parts: Parts, layer: usize, sums: &mut [f32], lines: &mut [f32], planes: &mut [f32]) {
        let (plan, radius) = (&self.plan, self.plan.radius as usize);
        let own = group * (radius + 1)..(group + 1) * (radius + 1);
        let [taps, signed] = self.taps.map(|t| &t[own.clone()]);
        let input = match self.second {
            Some(second) if group >= plan.split as usize => second,
            _ => self.first,
        };
        let three = parts.rows > 1;
        let along = plan.places(self.places, 0, radius);
        let slow = plan.places(self.places, if three { 2 } else { 1 }, radius);
        let reads = Reads::new(slow, layer, radius, parts.layer());
        let inner = three.then(|| plan.places(self.places, 1, radius));
        if three {
            spread(input, &reads, taps, parts.layer(), planes, parts.layer(), 0);
        }
        for (j, sums) in sums.chunks_exact_mut(parts.row).enumerate() {
            match inner {
                None => spread(input, &reads, taps, parts.row, lines, parts.line, PAD),
                Some(places) => {
                    let reads = Reads::new(places, j, radius, parts.row);
                    for (lane, line) in lines.chunks_exact_mut(parts.line).enumerate() {
                        let plane = &planes[lane * parts.layer()..][..parts.layer()];
                        filter(plane, &reads, taps, lane, parts.row, &mut line[PAD..]);
                    }
                }
            }
            for line in lines.chunks_exact_mut(parts.line) {
                mirror(line, along, radius, parts.row);
            }
            gather(lines, parts.line, signed, sums);
        }
    }

    /// Makes x of the sums of a layer.
    fn finish(&self, layer: usize, sums: &[f32], x: &mut [f32]) {
        let first = &self.first[layer * x.len()..][..x.len()];
        for ((x, sum), first) in x.iter_mut().zip(sums).zip(first) {
            *x = self.plan.result(*x, *first, *sum);
        }
        if let Some(stencil) = self.stencil {
            let codes = &stencil[layer * x.len()..][..x.len()];
            for (x, code) in x.iter_mut().zip(codes) {
                *x = if code & UNKNOWN == 0 { 0.0 } else { *x };
            }
        }
    }
}

/// Puts what is seen beyond the ends of a row beside them.
fn mirror(line: &mut [f32], places: &[u32], radius: usize, n: usize) {
    for p in (0..radius).chain(n + radius..n + 2 * radius) {
        line[PAD - radius + p] = seen(places[p], |c| line[PAD + c]);
    }
}

/// Four filters of one input: `n` numbers to each of four outputs, which begin at `skip` and lie `line` apart.
fn spread(input: &[f32], reads: &Reads, taps: &[[f32; LANES]], n: usize, out: &mut [f32], line: usize, skip: usize) {
    if reads.plain {
        spread_all::<true>(input, reads, taps, n, out, line, skip);
    } else {
        spread_all::<false>(input, reads, taps, n, out, line, skip);
    }
}

/// One filter: `n` numbers.
fn filter(input: &[f32], reads: &Reads, taps: &[[f32; LANES]], lane: usize, n: usize, out: &mut [f32]) {
    if reads.plain {
        filter_all::<true>(input, reads, taps, lane, n, out);
    } else {
        filter_all::<false>(input, reads, taps, lane, n, out);
    }
}

/// The sum of a pair of rows from number `at` on.
#[inline(always)]
fn pair<const N: usize, const PLAIN: bool>(input: &[f32], pair: &Pair, at: usize) -> [f32; N] {
    let [a, b] = pair.at.map(|row| &input[row + at..][..N]);
    let [s, t] = pair.sign;
    std::array::from_fn(|i| if PLAIN { a[i] + b[i] } else { s * a[i] + t * b[i] })
}

#[inline(always)]
fn spread_block<const N: usize, const PLAIN: bool>(input: &[f32], reads: &Reads, taps: &[[f32; LANES]], at: usize) -> [[f32; N]; LANES] {
    let centre = &input[reads.centre + at..][..N];
    let mut sums = taps[0].map(|w| std::array::from_fn(|i| w * centre[i]));
    for (p, w) in reads.pairs().iter().zip(&taps[1..]) {
        let v = pair::<N, PLAIN>(input, p, at);
        for lane in 0..LANES {
            for i in 0..N {
                sums[lane][i] += w[lane] * v[i];
            }
        }
    }
    sums
}

#[inline(always)]
fn filter_block<const N: usize, const PLAIN: bool>(input: &[f32], reads: &Reads, taps: &[[f32; LANES]], lane: usize, at: usize) -> [f32; N] {
    let centre = &input[reads.centre + at..][..N];
    let mut sum = std::array::from_fn(|i| taps[0][lane] * centre[i]);
    for (p, w) in reads.pairs().iter().zip(&taps[1..]) {
        let v = pair::<N, PLAIN>(input, p, at);
        for i in 0..N {
            sum[i] += w[lane] * v[i];
        }
    }
    sum
}

/// The four filters along x of four rows, added up.
#[inline(always)]
fn gather_block<const N: usize>(lines: &[f32], line: usize, taps: &[[f32; LANES]], at: usize) -> [f32; N] {
    let mut sums = [[0.0; N]; LANES];
    for (lane, sum) in sums.iter_mut().enumerate() {
        let radius = taps.len() - 1;
        let row = &lines[lane * line + PAD + at - radius..][..N + 2 * radius];
        for i in 0..N {
            sum[i] = taps[0][lane] * row[radius + i];
        }
        for (k, w) in taps.iter().enumerate().skip(1) {
            let (left, right) = (&row[radius - k..][..N], &row[radius + k..][..N]);
            for i in 0..N {
                sum[i] += w[lane] * (left[i] + right[i]);
            }
        }
    }
    std::array::from_fn(|i| ((sums[0][i] + sums[1][i]) + sums[2][i]) + sums[3][i])
}

crate::simd_fn! {
    fn spread_all<const PLAIN: bool>(input: &[f32], reads: &Reads, taps: &[[f32; LANES]], n: usize, out: &mut [f32], line: usize, skip: usize) {
        let blocks = n / BLOCK * BLOCK;
        for at in (0..blocks).step_by(BLOCK) {
            let sums = spread_block::<BLOCK, PLAIN>(input, reads, taps, at);
            for (lane, sum) in sums.iter().enumerate() {
                out[lane * line + skip + at..][..BLOCK].copy_from_slice(sum);
            }
        }
        for at in blocks..n {
            let sums = spread_block::<1, PLAIN>(input, reads, taps, at);
            for (lane, [sum]) in sums.iter().enumerate() {
                out[lane * line + skip + at] = *sum;
            }
        }
    }
    fn filter_all<const PLAIN: bool>(input: &[f32], reads: &Reads, taps: &[[f32; LANES]], lane: usize, n: usize, out: &mut [f32]) {
        let blocks = n / BLOCK * BLOCK;
        for at in (0..blocks).step_by(BLOCK) {
            out[at..][..BLOCK].copy_from_slice(&filter_block::<BLOCK, PLAIN>(input, reads, taps, lane, at));
        }
        for at in blocks..n {
            [out[at]] = filter_block::<1, PLAIN>(input, reads, taps, lane, at);
        }
    }
    fn gather(lines: &[f32], line: usize, taps: &[[f32; LANES]], sums: &mut [f32]) {
        let n = sums.len();
        let blocks = n / BLOCK * BLOCK;
        for at in (0..blocks).step_by(BLOCK) {
            let block = gather_block::<BLOCK>(lines, line, taps, at);
            for (sum, more) in sums[at..][..BLOCK].iter_mut().zip(&block) {
                *sum += more;
            }
        }
        for at in blocks..n {
            let [more] = gather_block::<1>(lines, line, taps, at);
            sums[at] += more;
        }
    }
}
