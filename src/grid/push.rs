//! Transport forward along the flow, with what nothing reached found by going back: the advection of the wind volume of
//! *God of War* (R. Renard, "Wind Simulation in God of War", GDC 2019), on any array of the staggered grid.
//!
//! Going back alone (see [`super::advect`]), fluid at rest before a gust finds only rest, and the gust never moves on by
//! itself. So every sample is also carried ahead, to `x + dt u`, and shared among the samples about that place in
//! proportion to their nearness. With S the sum of the shares w that reached a sample, and A the pass that goes back,
//!
//! `q'(x) = Σ w q / max(S, 1) + max(1 − S, 0) · A q (x)`
//!
//! 1. [`PushForward`]: `Σ w q` and `S`
//! 2. [`super::AdvectComponent`] or [`super::AdvectScalars`]: `A q`
//! 3. [`Settle`] makes it `q'`
//!
//! It is a mean of what was there, so that nothing leaves the range of the data at any step. Sums are of integers (see
//! [`fixed`]): the same in any order, so that threads may add as they come.

use rayon::prelude::*;

use super::flow::{CHUNK, Flow, Points, Run};
use super::lattice::{FIXED, Lattice};
use crate::device::Cpu;

crate::shared! {
    /// How something is pushed ahead.
    pub struct Push {
        /// Factors that all results are multiplied by (components use the first).
        pub gain: [f32; 4],
        /// Step over the edge of a cell, s/m.
        pub c: f32,
        /// Order of the trace: 1, 2 or 3.
        pub order: u32,
        /// Numbers of a sample: 1 or 4.
        pub numbers: u32,
        /// Not zero if some cell is solid, and the samples are those of cells.
        pub solids: u32,
    }
}

impl Push {
    /// Words in which the sums of one sample are held: two for each number and two for the shares.
    pub fn words(numbers: u32) -> u32 {
        2 * (numbers + 1)
    }
}

crate::kernel! {
    /// Shares every sample among those about the place to which the flow carries it: (u, v, solid, src) → sums, which must be
    /// zero before. What leaves through an open face or into a wall that has its own velocity is lost.
    pub PushForward = "grid/push_forward.wgsl", push_forward {
        uniform step: Push, uniform u_at: Lattice, uniform v_at: Lattice, uniform at: Lattice,
        read u: f32, read v: f32, read solid: u32, read src: f32, write sums: u32,
    }
}

crate::kernel! {
    /// q holds what was found by going back, and becomes the result: (sums, q) → q.
    pub Settle = "grid/settle.wgsl", settle {
        uniform step: Push, uniform at: Lattice, read sums: u32, write q: f32,
    }
}

/// Numbers in fixed point, 64 bits in two words, low word first. A unit is 2⁻²⁴ and what is added is kept within ±2¹⁵, so
/// that 2²⁴ samples can meet in one without overflow.
pub mod fixed {
    /// One, in units.
    const ONE: f32 = 16_777_216.0;
    const WORD: f32 = 4_294_967_296.0;
    /// The largest number that can be added.
    pub const MOST: f32 = 32_768.0;

    /// In units, rounded; what is not a number is zero.
    #[inline(always)]
    pub fn of(x: f32) -> i64 {
        // Numbers this small are rounded by what an addition loses; larger ones are integers. `f32::round_ties_even` is a
        // call where the processor is not known to have it.
        const SHIFT: f32 = 8_388_608.0;
        let size = x.abs().min(MOST) * ONE;
        let size = if size < SHIFT {
            (size + SHIFT) - SHIFT
        } else {
            size
        } as i64;
        if x < 0.0 {
            -size
        } else if x.is_nan() {
            0
        } else {
            size
        }
    }

    /// The number that two words hold.
    #[inline(always)]
    pub fn number(words: [u32; 2]) -> f32 {
        let sum = join(words);
        let size = sum.unsigned_abs();
        // Word by word, as the shader does.
        let size = (size >> 32) as f32 * WORD + size as u32 as f32;
        let size = size * (1.0 / ONE);
        if sum < 0 { -size } else { size }
    }

    /// Adds to two words.
    #[inline(always)]
    pub fn add(words: &mut [u32; 2], units: i64) {
        let sum = join(*words).wrapping_add(units);
        *words = [sum as u32, (sum >> 32) as u32];
    }

    #[inline(always)]
    fn join([low, high]: [u32; 2]) -> i64 {
        i64::from(low) | i64::from(high as i32) << 32
    }
}

/// Rows of the result that one task adds up.
const BAND: usize = 16;

fn push_forward(
    _: &Cpu,
    _: [u32; 3],
    step: &Push,
    u_at: &Lattice,
    v_at: &Lattice,
    at: &Lattice,
    u: &[f32],
    v: &[f32],
    solid: &[u32],
    src: &[f32],
    sums: &mut [u32],
) {
    let solid = if step.solids == 0 { &[] } else { solid };
    let shares = Shares { at, solid };
    let landings = land(&Flow { u, v, u_at, v_at }, at, step);
    let (numbers, words) = (
        step.numbers as usize,
        Push::words(step.numbers) as usize / 2,
    );
    let width = at.size[0] as usize;
    let distinct = at.distinct()[0] as usize;
    let (sums, _) = sums.as_chunks_mut::<2>();
    // Each task owns some rows and looks for what lands there.
    let bands = sums.par_chunks_mut(BAND * width * words).enumerate();
    bands.for_each(|(b, band)| {
        let first = b * BAND;
        let begin = first * width;
        let last = first + band.len() / (width * words) - 1;
        for (j, row) in landings.iter().enumerate() {
            if row.last < first || row.first > last {
                continue;
            }
            for i in 0..distinct {
                let k = j * width + i;
                if solid.get(k).is_some_and(|s| *s != 0) {
                    continue;
                }
                let q = &src[k * numbers..][..numbers];
                for (to, w) in shares.of(row.places[i], k) {
                    let into = to.checked_sub(begin).map(|to| to * words);
                    let Some(into) = into.and_then(|to| band.get_mut(to..to + words)) else {
                        continue;
                    };
                    for (sum, q) in into.iter_mut().zip(q) {
                        fixed::add(sum, fixed::of(w * q));
                    }
                    fixed::add(&mut into[numbers], fixed::of(w));
                }
            }
        }
    });
}

/// Where the samples of a row land.
struct Landing {
    places: Vec<[f32; 2]>,
    /// The first row that gets a share.
    first: usize,
    /// The last one.
    last: usize,
}

fn land(flow: &Flow<'_>, at: &Lattice, step: &Push) -> Vec<Landing> {
    let [width, height, _] = at.distinct().map(|n| n as usize);
    let row = |j: usize| {
        let (mut run, mut ahead) = (Run::default(), Points::default());
        let mut places = Vec::with_capacity(width);
        for i in (0..width).step_by(CHUNK) {
            let n = CHUNK.min(width - i);
            flow.place(&mut run, at, i, j, n);
            flow.trace(&mut run, -step.c, step.order, &mut ahead);
            places.extend((0..n).map(|t| ahead.get(t)));
        }
        // A share that cannot go where it should stays at home.
        let (mut first, mut last) = (j, j);
        for p in &places {
            for k in at.tap(p[1], 1).i {
                let k = k % height;
                (first, last) = (first.min(k), last.max(k));
            }
        }
        Landing {
            places,
            first,
            last,
        }
    };
    (0..height).into_par_iter().map(row).collect()
}

/// Who gets what.
struct Shares<'a> {
    at: &'a Lattice,
    /// Which cells are solid; empty where none is.
    solid: &'a [u32],
}

impl Shares<'_> {
    /// The samples about place `p`, and what each gets of sample `home`. Solid cells get nothing, and their share goes to
    /// the others; where all are solid, the sample stays at home.
    #[inline(always)]
    fn of(&self, p: [f32; 2], home: usize) -> [(usize, f32); 4] {
        let (x, y) = (self.at.tap(p[0], 0), self.at.tap(p[1], 1));
        let width = self.at.size[0] as usize;
        let distinct = self.at.distinct();
        // The far end of a periodic axis repeats the near one.
        let wrap = |k: usize, n: u32| if k < n as usize { k } else { 0 };
        let mut all: [(usize, f32); 4] = std::array::from_fn(|t| {
            let (a, b) = (t % 2, t / 2);
            let k = wrap(y.i[b], distinct[1]) * width + wrap(x.i[a], distinct[0]);
            let (wx, wy) = ([1.0 - x.s, x.s][a], [1.0 - y.s, y.s][b]);
            (k, wx * wy)
        });
        if !self.solid.is_empty() {
            let blocked = |k: usize| self.solid[k] != 0;
            let free: f32 = all.iter().filter(|s| !blocked(s.0)).map(|s| s.1).sum();
            if free <= 0.0 {
                return [(home, 1.0), (home, 0.0), (home, 0.0), (home, 0.0)];
            }
            for (k, w) in &mut all {
                *w = if blocked(*k) { 0.0 } else { *w / free };
            }
        }
        for (t, (_, w)) in all.iter_mut().enumerate() {
            if x.given[t % 2] || y.given[t / 2] {
                *w = 0.0;
            }
        }
        all
    }
}

fn settle(_: &Cpu, _: [u32; 3], step: &Push, at: &Lattice, sums: &[u32], q: &mut [f32]) {
    let (numbers, words) = (
        step.numbers as usize,
        Push::words(step.numbers) as usize / 2,
    );
    let width = at.size[0] as usize;
    let distinct = at.distinct().map(|n| n as usize);
    let (sums, _) = sums.as_chunks::<2>();
    q.par_chunks_mut(width * numbers)
        .enumerate()
        .for_each(|(j, row)| {
            for (i, q) in row.chunks_exact_mut(numbers).enumerate() {
                if on_wall(at, [i, j]) {
                    continue;
                }
                let k = j % distinct[1] * width + i % distinct[0];
                let sums = &sums[k * words..][..words];
                let share = fixed::number(sums[numbers]);
                let (over, rest) = (share.max(1.0), (1.0 - share).max(0.0));
                for ((q, sum), gain) in q.iter_mut().zip(sums).zip(step.gain) {
                    *q = gain * (fixed::number(*sum) / over + rest * *q);
                }
            }
        });
}

/// Whether the sample has a value that is known.
#[inline(always)]
fn on_wall(at: &Lattice, place: [usize; 2]) -> bool {
    (0..2).any(|a| {
        (place[a] == 0 && at.low_kind[a] == FIXED)
            || (place[a] + 1 == at.size[a] as usize && at.high_kind[a] == FIXED)
    })
}
