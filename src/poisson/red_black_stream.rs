//! A few red–black sweeps in one way through the rows, on the CPU.
//!
//! Multigrid asks for two or four sweeps at a time. Strips (see `strips`) would copy all in, sweep over it, and copy all
//! out; that took three times as long as the sweeps. Here each layer comes in, goes through all sweeps while it and its
//! neighbours are in a ring of few layers, and goes out to where it came from: sweep s is at layer t − s when layer t + 1
//! comes in. A thread has a range of layers and does those beyond its ends, as far as its own depend on them, again by
//! itself, from copies of what was there before. So there is nothing to wait for.
//!
//! Every value is computed by the same operations from the same values as by whole sweeps, one after the other.

use rayon::prelude::*;

use super::red_black_strip::{Job, RedBlackStrip, storage};
use super::storage::Storage;
use super::strips::{Plan, Reach, cut};
use crate::device::{Buf, Device, Result};

/// Most sweeps of one colour that are done in one way: four iterations.
pub(super) const MOST: usize = 8;
/// Layers of a ring: those that the first and the last sweep read, and the one that comes in.
const RING: usize = MOST + 2;
/// Layers of its own that a thread must have for each that it does again.
const WORTH: usize = 4;

/// The memory of all ranges.
pub(super) struct Streams {
    plan: Plan,
    rings: Vec<[Buf<f32>; 4]>,
    /// Layers below and above each range as they are before the sweeps.
    halos: Buf<f32>,
}

impl Streams {
    /// For arrays of `dims`, on so many threads.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn new(dev: &mut Device, dims: [u32; 3], threads: usize) -> Result<Self> {
        let (plan, storage) = (Plan::new(dims, threads), storage(dims, true));
        let mut rings = Vec::new();
        for _ in 0..plan.strips() {
            let mut make = |label| dev.buf(label, storage.len(RING));
            rings.push([
                make("ring of red")?,
                make("ring of black")?,
                make("ring of red b")?,
                make("ring of black b")?,
            ]);
        }
        let halos = plan.strips() * 2 * MOST * layer_len(dims);
        Ok(Self {
            rings,
            halos: dev.buf("halos of ranges", halos)?,
            plan,
        })
    }

    /// Bytes that [`Streams::new`] takes.
    pub fn memory_bytes(dims: [u32; 3], threads: usize) -> u64 {
        let (plan, storage) = (Plan::new(dims, threads), storage(dims, true));
        let range = 4 * storage.len(RING) + 2 * MOST * layer_len(dims);
        4 * (plan.strips() * range) as u64
    }

    /// Whether so many sweeps are better done here.
    pub fn suit(&self, sweeps: usize) -> bool {
        sweeps <= MOST && (self.plan.strips() == 1 || WORTH * sweeps <= self.plan.height)
    }

    /// `sweeps` sweeps, at least one and at most [`MOST`], on `x`, of the colours in turn.
    pub fn run(&mut self, job: &Job<'_>, x: &mut [f32], sweeps: usize) {
        let plan = Plan {
            depth: sweeps,
            ..self.plan.clone()
        };
        let round = job.wraps[if job.dims[2] > 1 { 2 } else { 1 }];
        let storage = Storage {
            round: job.wraps[0],
            ..storage(job.dims, job.wraps[0])
        };
        let layer = layer_len(job.dims);
        let halos = self.halos.host_mut().chunks_exact_mut(2 * MOST * layer);
        let mut ranges: Vec<Range<'_>> = Vec::new();
        for (s, (ring, halo)) in self.rings.iter_mut().zip(halos).enumerate() {
            let reach = Reach::new(&plan, s, round);
            let (inner, all) = (reach.inner(), reach.all());
            let (below, above) = halo.split_at_mut(MOST * layer);
            copy_layers(&reach, all.start..inner.start, x, below, layer);
            copy_layers(&reach, inner.end..all.end, x, above, layer);
            let [red, black, red_b, black_b] = storage.aligned(ring);
            ranges.push(Range {
                strip: RedBlackStrip {
                    job,
                    storage,
                    x: [red, black],
                    rhs: [red_b, black_b],
                },
                reach,
                below,
                above,
                layer,
            });
        }
        cut(&self.plan, x, layer)
            .into_par_iter()
            .zip(ranges)
            .with_max_len(1)
            .for_each(|(own, mut range)| range.go(own, sweeps));
    }
}

fn layer_len(dims: [u32; 3]) -> usize {
    let rows = if dims[2] > 1 { dims[1] } else { 1 };
    dims[0] as usize * rows as usize
}

fn copy_layers(
    reach: &Reach,
    layers: std::ops::Range<usize>,
    x: &[f32],
    to: &mut [f32],
    len: usize,
) {
    for (layer, to) in layers.zip(to.chunks_exact_mut(len)) {
        to.copy_from_slice(&x[reach.global(layer) * len..][..len]);
    }
}

/// What a thread does. Its layers lie in the ring at their numbers modulo [`RING`].
struct Range<'a> {
    strip: RedBlackStrip<'a>,
    reach: Reach,
    below: &'a [f32],
    above: &'a [f32],
    layer: usize,
}

impl Range<'_> {
    fn go(&mut self, own: &mut [f32], sweeps: usize) {
        let (first, all) = (self.reach.of_sweep(0, sweeps), self.reach.all());
        let inner = self.reach.inner();
        let mut come = all.start;
        for time in first.start..inner.end + sweeps {
            while come < all.end.min(time + 2) {
                self.come(come, own);
                come += 1;
            }
            for s in 0..sweeps.min(time + 1) {
                let layer = time - s;
                if self.reach.of_sweep(s, sweeps).contains(&layer) {
                    let near = [layer - 1, layer, layer + 1].map(|l| l % RING);
                    self.strip.sweep_at(s, near, self.reach.global(layer));
                }
            }
            if let Some(layer) = (time + 1).checked_sub(sweeps)
                && inner.contains(&layer)
            {
                let out = &mut own[(layer - inner.start) * self.layer..][..self.layer];
                self.strip
                    .finish(layer % RING, self.reach.global(layer), out);
            }
        }
    }

    /// A layer comes into the ring. Of its own, none has gone out yet that has not come in.
    fn come(&mut self, layer: usize, own: &[f32]) {
        let (all, inner) = (self.reach.all(), self.reach.inner());
        let (from, at) = if layer < inner.start {
            (self.below, layer - all.start)
        } else if layer < inner.end {
            (own, layer - inner.start)
        } else {
            (self.above, layer - inner.end)
        };
        let x = &from[at * self.layer..][..self.layer];
        self.strip
            .fill_at(x, layer % RING, self.reach.global(layer));
    }
}
