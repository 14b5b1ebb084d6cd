//! Transport of a velocity component along the flow.
//!
//! Semi-Lagrangian (Stam 1999): `q'(x) = q(x − dt u)`, in one pass. The two schemes of second order estimate that
//! pass's error by going back again: with A the pass and B the pass with −u,
//! - MacCormack (Selle et al. 2008): `q' = A q + ½ (q − B A q)`, two passes;
//! - BFECC (Dupont and Liu 2003): `q' = A (q + ½ (q − B A q))`, three passes.
//!
//! The last pass keeps the result among the four values from which the first one interpolated. Where a traced point left
//! the domain there is nothing to correct with, and the semi-Lagrangian value stays.

use rayon::prelude::*;

use super::flow::{CHUNK, Flow, Lane, Points, Run, stays};
use super::lattice::{FIXED, Lattice};
use crate::device::Cpu;

/// Semi-Lagrangian: `dst = gain · A src`.
pub const PLAIN: u32 = 0;
/// Second pass of MacCormack, `other = A src`: `dst = gain · (other + ½ (src − B other))`, limited.
pub const CORRECT: u32 = 1;
/// Second pass of BFECC, `other = A src`: `dst = src + ½ (src − B other)`.
pub const COMPENSATE: u32 = 2;
/// Third pass of BFECC, `other` being the result of the second: `dst = gain · A other`, limited.
pub const LIMIT: u32 = 3;

/// No limit.
pub const FREE: u32 = 0;
/// The nearest value inside the range.
pub const CLAMP: u32 = 1;
/// The semi-Lagrangian value where the result is out of range.
pub const REVERT: u32 = 2;

crate::shared! {
    /// How something is carried.
    pub struct Advection {
        /// Factors that all results are multiplied by (components use the first).
        pub gain: [f32; 4],
        /// Step over the edge of a cell, s/m.
        pub c: f32,
        /// Order of the trace: 1, 2 or 3.
        pub order: u32,
        /// [`PLAIN`], [`CORRECT`], [`COMPENSATE`] or [`LIMIT`].
        pub mode: u32,
        /// [`FREE`], [`CLAMP`] or [`REVERT`].
        pub limiter: u32,
        /// Not zero if some cell is solid.
        pub solids: u32,
        /// Nothing.
        pub unused0: u32,
        /// Nothing.
        pub unused1: u32,
        /// Nothing.
        pub unused2: u32,
    }
}

crate::kernel! {
    /// One pass of the transport of a velocity component: (u, v, src, other) → dst. `at` is the component's lattice.
    pub AdvectComponent = "grid/advect_component.wgsl", advect_component {
        uniform step: Advection, uniform u_at: Lattice, uniform v_at: Lattice, uniform at: Lattice,
        read u: f32, read v: f32, read src: f32, read other: f32, write dst: f32,
    }
}

fn advect_component(
    _: &Cpu,
    _: [u32; 3],
    step: &Advection,
    u_at: &Lattice,
    v_at: &Lattice,
    at: &Lattice,
    u: &[f32],
    v: &[f32],
    src: &[f32],
    other: &[f32],
    dst: &mut [f32],
) {
    let flow = Flow { u, v, u_at, v_at };
    let width = at.size[0] as usize;
    let last_row = at.size[1] as usize - 1;
    dst.par_chunks_mut(width).enumerate().for_each(|(j, row)| {
        match j {
            0 if at.low_kind[1] == FIXED => return row.fill(at.low[1]),
            _ if j == last_row && at.high_kind[1] == FIXED => return row.fill(at.high[1]),
            _ => {}
        }
        let mut work = Work::default();
        for (c, out) in row.chunks_mut(CHUNK).enumerate() {
            let (i, n) = (c * CHUNK, out.len());
            flow.place(&mut work.run, at, i, j, n);
            work.carry(&flow, at, step, src, other, j * width + i);
            out.copy_from_slice(&work.value[..n]);
        }
        if at.low_kind[0] == FIXED {
            row[0] = at.low[0];
        }
        if at.high_kind[0] == FIXED {
            row[width - 1] = at.high[0];
        }
    });
}

/// A run of samples on its way.
struct Work {
    run: Run,
    behind: Points,
    ahead: Points,
    first: Lane,
    low: Lane,
    high: Lane,
    value: Lane,
}

impl Default for Work {
    fn default() -> Self {
        let zero = [0.0; CHUNK];
        Self {
            run: Run::default(),
            behind: Points::default(),
            ahead: Points::default(),
            first: zero,
            low: zero,
            high: zero,
            value: zero,
        }
    }
}

impl Work {
    /// Leaves the result of the pass for the run, which begins at `begin` in the arrays, in `value`.
    fn carry(
        &mut self,
        flow: &Flow<'_>,
        at: &Lattice,
        step: &Advection,
        src: &[f32],
        other: &[f32],
        begin: usize,
    ) {
        let Self {
            run,
            behind,
            ahead,
            first,
            low,
            high,
            value,
        } = self;
        let n = run.home.n;
        let own = &src[begin..begin + n];
        if step.mode == COMPENSATE {
            flow.trace(run, -step.c, step.order, ahead);
            run.sampler.sample(at, other, ahead, value);
            let stays = stays(at, ahead);
            for (t, own) in own.iter().enumerate() {
                value[t] = if stays[t] {
                    own + 0.5 * (own - value[t])
                } else {
                    *own
                };
            }
            return;
        }
        flow.trace(run, step.c, step.order, behind);
        run.sampler.gather(at, src, behind);
        if step.mode == PLAIN {
            run.sampler.blend(value);
            value.iter_mut().for_each(|v| *v *= step.gain[0]);
            return;
        }
        run.sampler.extremes(low, high);
        if step.mode == CORRECT {
            flow.trace(run, -step.c, step.order, ahead);
            run.sampler.sample(at, other, ahead, value);
            let (behind, ahead) = (stays(at, behind), stays(at, ahead));
            first[..n].copy_from_slice(&other[begin..begin + n]);
            for (t, own) in own.iter().enumerate() {
                let error = if behind[t] & ahead[t] {
                    own - value[t]
                } else {
                    0.0
                };
                value[t] = first[t] + 0.5 * error;
            }
        } else {
            run.sampler.blend(first);
            run.sampler.sample(at, other, behind, value);
        }
        for t in 0..CHUNK {
            value[t] = step.gain[0] * limited(value[t], low[t], high[t], first[t], step.limiter);
        }
    }
}

/// `value` kept between `low` and `high`; what is not a number stays so.
#[inline(always)]
pub(super) fn limited(value: f32, low: f32, high: f32, fallback: f32, limiter: u32) -> f32 {
    // Written without branches, so that loops over it vectorise.
    let (under, over) = (value < low, value > high);
    let bound = if under { low } else { high };
    let instead = if limiter == REVERT { fallback } else { bound };
    if (under | over) & (limiter != FREE) {
        instead
    } else {
        value
    }
}
