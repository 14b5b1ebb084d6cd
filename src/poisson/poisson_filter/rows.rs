//! All passes of an application at once, on the CPU.
//!
//! A row of results needs four rows of what the filters along y make, and those only as long as the filters along x take to
//! read them: so a thread makes them, with their mirrored ends, in a few kilobytes that stay in the first-level cache, and no
//! pass writes anything for the next to read. In 3D a thread does a layer: four planes of what the filters along z make, then
//! row by row as before. Taps are added in pairs, each pair read once for all four filters of the first pass, and [`TOGETHER`]
//! pairs at a time, so that sums are not read and written for each.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::filters::LANES;
use super::kernels::{FilterU, seen, seen_cell};
use super::sides::PAD;
use crate::device::{Buf, Device, Result};
use crate::poisson::UNKNOWN;

/// Pairs that are added at a time.
const TOGETHER: usize = 4;
/// Cells of a row that are done at a time: four sums and what is added to them take 24 KiB.
const STRETCH: usize = 512;

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
        if self.rows > 1 {
            LANES * self.layer()
        } else {
            0
        }
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
    /// Products of F, and of G.
    pub rank: usize,
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
            for (end, place) in [places[at + radius - 1 - k], places[at + radius + 1 + k]]
                .into_iter()
                .enumerate()
            {
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
    let layers = x
        .par_chunks_mut(parts.layer())
        .with_min_len(if dims[2] > 1 { 1 } else { 4 });
    layers.enumerate().for_each(|(layer, x)| {
        let thread = rayon::current_thread_index().unwrap_or(0) % scratch.len();
        let mut memory = scratch[thread]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
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
    fn group(
        &self,
        group: usize,
        parts: Parts,
        layer: usize,
        sums: &mut [f32],
        lines: &mut [f32],
        planes: &mut [f32],
    ) {
        let (plan, radius) = (&self.plan, self.plan.radius as usize);
        let begin = plan.bank as usize + group * (radius + 1);
        let [taps, signed] = self.taps.map(|t| &t[begin..][..=radius]);
        let input = match self.second {
            Some(second) if group >= plan.split as usize => second,
            _ => self.first,
        };
        let (three, lanes) = (parts.rows > 1, self.lanes(group));
        let along = plan.places(self.places, 0, radius);
        let slow = plan.places(self.places, if three { 2 } else { 1 }, radius);
        let reads = Reads::new(slow, layer, radius, parts.layer());
        let inner = three.then(|| plan.places(self.places, 1, radius));
        if three {
            spread(
                input,
                &reads,
                taps,
                lanes,
                parts.layer(),
                planes,
                parts.layer(),
                0,
            );
        }
        for (j, sums) in sums.chunks_exact_mut(parts.row).enumerate() {
            match inner {
                None => spread(
                    input, &reads, taps, lanes, parts.row, lines, parts.line, PAD,
                ),
                Some(places) => {
                    let reads = Reads::new(places, j, radius, parts.row);
                    for (lane, line) in lines.chunks_exact_mut(parts.line).take(lanes).enumerate() {
                        let plane = &planes[lane * parts.layer()..][..parts.layer()];
                        filter(plane, &reads, taps, lane, parts.row, &mut line[PAD..]);
                    }
                }
            }
            for (lane, line) in lines.chunks_exact_mut(parts.line).take(lanes).enumerate() {
                mirror(line, along, radius, parts.row);
                gather(line, signed, lane, sums);
            }
        }
    }

    /// Products of a vector: the last of F, and of G, may have fewer than it has room for.
    fn lanes(&self, group: usize) -> usize {
        let groups = match self.second {
            Some(_) => self.plan.split,
            None => self.plan.groups,
        };
        (self.rank - group % groups as usize * LANES).min(LANES)
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

/// Filters of one input, for `n` numbers: one, or all four, to outputs that begin at `skip` and lie `line` apart.
fn spread(
    input: &[f32],
    reads: &Reads,
    taps: &[[f32; LANES]],
    lanes: usize,
    n: usize,
    out: &mut [f32],
    line: usize,
    skip: usize,
) {
    if lanes < 2 {
        for (lane, out) in out.chunks_mut(line).take(lanes).enumerate() {
            filter(input, reads, taps, lane, n, &mut out[skip..]);
        }
        return;
    }
    let (a, rest) = out.split_at_mut(line);
    let (b, rest) = rest.split_at_mut(line);
    let (c, d) = rest.split_at_mut(line);
    for begin in (0..n).step_by(STRETCH) {
        let m = STRETCH.min(n - begin);
        let [a, b, c, d] =
            [&mut *a, &mut *b, &mut *c, &mut *d].map(|o| &mut o[skip + begin..][..m]);
        let centre = &input[reads.centre + begin..][..m];
        for (out, w) in [&mut *a, &mut *b, &mut *c, &mut *d]
            .into_iter()
            .zip(taps[0])
        {
            scale(centre, w, out);
        }
        let (many, few) = reads.pairs().as_chunks::<TOGETHER>();
        let (weights, last) = taps[1..].as_chunks::<TOGETHER>();
        for (pairs, w) in many.iter().zip(weights) {
            let rows = Rows::of(input, pairs, begin, m);
            if reads.plain {
                add_four::<TOGETHER, true>(rows, w, a, b, c, d);
            } else {
                add_four::<TOGETHER, false>(rows, w, a, b, c, d);
            }
        }
        for (pair, w) in few.iter().zip(last) {
            add_four::<1, false>(Rows::of(input, &[*pair], begin, m), &[*w], a, b, c, d);
        }
    }
}

/// One filter, for `n` numbers.
fn filter(
    input: &[f32],
    reads: &Reads,
    taps: &[[f32; LANES]],
    lane: usize,
    n: usize,
    out: &mut [f32],
) {
    for begin in (0..n).step_by(STRETCH) {
        let m = STRETCH.min(n - begin);
        let out = &mut out[begin..][..m];
        scale(&input[reads.centre + begin..][..m], taps[0][lane], out);
        let (many, few) = reads.pairs().as_chunks::<TOGETHER>();
        let (weights, last) = taps[1..].as_chunks::<TOGETHER>();
        for (pairs, w) in many.iter().zip(weights) {
            let (rows, w) = (Rows::of(input, pairs, begin, m), w.map(|w| w[lane]));
            if reads.plain {
                add_one::<TOGETHER, true>(rows, &w, out);
            } else {
                add_one::<TOGETHER, false>(rows, &w, out);
            }
        }
        for (pair, w) in few.iter().zip(last) {
            add_one::<1, false>(Rows::of(input, &[*pair], begin, m), &[w[lane]], out);
        }
    }
}

/// Adds a filter along x of a row with mirrored ends to the sums.
fn gather(line: &[f32], taps: &[[f32; LANES]], lane: usize, sums: &mut [f32]) {
    let n = sums.len();
    for begin in (0..n).step_by(STRETCH) {
        let m = STRETCH.min(n - begin);
        let (sums, at) = (&mut sums[begin..][..m], PAD + begin);
        let beside = |k: usize| Pair {
            at: [at - k, at + k],
            sign: [1.0; 2],
        };
        // The centre is the half of a pair with itself.
        add_one::<1, true>(
            Rows::of(line, &[beside(0)], 0, m),
            &[0.5 * taps[0][lane]],
            sums,
        );
        let (many, few) = taps[1..].as_chunks::<TOGETHER>();
        for (group, w) in many.iter().enumerate() {
            let pairs = std::array::from_fn(|q| beside(group * TOGETHER + q + 1));
            add_one::<TOGETHER, true>(Rows::of(line, &pairs, 0, m), &w.map(|w| w[lane]), sums);
        }
        for (q, w) in few.iter().enumerate() {
            let pair = beside(many.len() * TOGETHER + q + 1);
            add_one::<1, true>(Rows::of(line, &[pair], 0, m), &[w[lane]], sums);
        }
    }
}

/// Pairs of rows, all of the same length.
#[derive(Clone, Copy)]
struct Rows<'a, const N: usize> {
    one: [&'a [f32]; N],
    other: [&'a [f32]; N],
    sign: [[f32; 2]; N],
}

impl<'a, const N: usize> Rows<'a, N> {
    /// `n` numbers of each from number `begin` on.
    #[inline(always)]
    fn of(input: &'a [f32], pairs: &[Pair; N], begin: usize, n: usize) -> Self {
        let end = |end: usize| pairs.map(|p| &input[p.at[end] + begin..][..n]);
        Self {
            one: end(0),
            other: end(1),
            sign: pairs.map(|p| p.sign),
        }
    }
    #[inline(always)]
    fn cut(self, n: usize) -> Self {
        Self {
            one: self.one.map(|r| &r[..n]),
            other: self.other.map(|r| &r[..n]),
            sign: self.sign,
        }
    }
    /// The sum of pair `q` at cell `i`.
    #[inline(always)]
    fn sum<const PLAIN: bool>(&self, q: usize, i: usize) -> f32 {
        let [s, t] = self.sign[q];
        let (one, other) = (self.one[q][i], self.other[q][i]);
        if PLAIN {
            one + other
        } else {
            s * one + t * other
        }
    }
}

crate::wide_simd_fn! {
    fn scale(input: &[f32], w: f32, out: &mut [f32]) {
        for (out, v) in out.iter_mut().zip(input) {
            *out = w * v;
        }
    }
}

crate::wide_simd_fn! {
    /// Adds N pairs to one output.
    fn add_one<const N: usize, const PLAIN: bool>(rows: Rows<'_, N>, w: &[f32; N], out: &mut [f32]) {
        let (rows, w) = (rows.cut(out.len()), *w);
        for (i, out) in out.iter_mut().enumerate() {
            for (q, w) in w.iter().enumerate() {
                *out += w * rows.sum::<PLAIN>(q, i);
            }
        }
    }
}

crate::wide_simd_fn! {
    /// Adds N pairs to four outputs, each with its own weights.
    fn add_four<const N: usize, const PLAIN: bool>(rows: Rows<'_, N>, w: &[[f32; LANES]; N], a: &mut [f32], b: &mut [f32], c: &mut [f32], d: &mut [f32]) {
        let n = a.len();
        let (rows, w) = (rows.cut(n), *w);
        let (a, b, c, d) = (&mut a[..n], &mut b[..n], &mut c[..n], &mut d[..n]);
        for i in 0..n {
            let (mut p, mut q, mut r, mut s) = (a[i], b[i], c[i], d[i]);
            for (k, w) in w.iter().enumerate() {
                let v = rows.sum::<PLAIN>(k, i);
                p += w[0] * v;
                q += w[1] * v;
                r += w[2] * v;
                s += w[3] * v;
            }
            (a[i], b[i], c[i], d[i]) = (p, q, r, s);
        }
    }
}
