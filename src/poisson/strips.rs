//! Many sweeps in one parallel region, on the CPU.
//!
//! A fork and join costs as much as a 512² sweep where waking a thread is slow, and threads that share rows would have to
//! wait for each other after each sweep. So all sweeps are one parallel region, in which each thread has one strip of the
//! slowest axis. A strip works on private copies with a halo of `depth` layers (rows in 2D) on each side, does up to
//! `depth` sweeps on a range that shrinks by one layer a sweep, and only then takes new halos from its neighbours. Within
//! a strip, sweeps follow each other as a wave: sweep s runs on layer t − s at time t, so that a few layers go through
//! [`WAVE`] sweeps while they are in the first-level cache.
//!
//! Every value is computed by the same operations from the same values as by whole sweeps one after the other, so the
//! result does not depend on the number of threads, bit for bit.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use crate::device::{self, Buf, Device};

/// Sweeps that follow each other as a wave. Measured on 512², one core: 115 ns a row without waves, 76 with four, 94 with
/// eight, whose rows no longer fit a first-level cache of 48 KiB. Even, so that every wave begins with an even sweep.
pub(super) const WAVE: usize = 4;

/// Fewest cells that are worth a thread.
const CELLS_A_STRIP: usize = 8192;

/// How the slowest axis is cut.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Plan {
    /// Layers along the slowest axis: rows in 2D, planes in 3D.
    pub layers: usize,
    /// Layers of each strip but the last, which may have fewer.
    pub height: usize,
    /// Most sweeps between two exchanges, and layers of a halo. Even, so that red–black sweeps go on as they began.
    pub depth: usize,
}

impl Plan {
    /// Cuts arrays of `dims` for so many threads.
    pub fn new(dims: [u32; 3], threads: usize) -> Self {
        let layers = if dims[2] > 1 { dims[2] } else { dims[1] } as usize;
        let cells = dims.iter().map(|n| *n as usize).product::<usize>();
        let strips = threads
            .min(cells / CELLS_A_STRIP)
            .clamp(1, layers.div_ceil(4));
        let height = layers.div_ceil(strips);
        // A halo costs (depth − 1) / 2 layers a sweep and side, an exchange some 10 µs; waves should be whole.
        let depth = match height / 12 {
            ..WAVE => 2,
            many => (many / WAVE * WAVE).min(32),
        };
        Self {
            layers,
            height,
            depth,
        }
    }
    /// Number of strips.
    pub fn strips(&self) -> usize {
        self.layers.div_ceil(self.height)
    }
    /// Layers that a strip holds, with its halos.
    pub fn held(&self) -> usize {
        self.height + 2 * self.depth
    }
    /// Layers of strip `s`.
    pub fn own(&self, s: usize) -> Range<usize> {
        s * self.height..((s + 1) * self.height).min(self.layers)
    }
    /// The strip that has layer `l` of the domain, and where the layer lies among that strip's edges: its first `depth`
    /// layers, then its last.
    fn edge(&self, l: usize) -> (usize, usize) {
        let s = l / self.height;
        let own = self.own(s);
        let at = l - own.start;
        let slot = if at < self.depth {
            at
        } else {
            self.depth + (at + self.depth).saturating_sub(own.len())
        };
        (s, slot)
    }
}

/// What a strip holds and does to a layer. Layers are counted from the beginning of its storage.
pub(super) trait Strip: Send + Sync {
    /// Applies sweep number `sweep` of all rounds to `layer`, which is layer `global` of the domain. The first sweep of a
    /// wave has an even number.
    fn sweep(&mut self, sweep: usize, layer: usize, global: usize);
    /// Follows the last sweep of a wave if their number is odd.
    fn settle(&mut self, layer: usize);
    /// Puts the newest values of `layer` into `to`.
    fn save(&self, layer: usize, to: &mut [f32]);
    /// Takes `layer` from `from`.
    fn load(&mut self, layer: usize, from: &[f32]);
    /// Takes `layer`, which is layer `global` of the domain, from the whole of x, and what else it needs for it.
    fn fill(&mut self, x: &[f32], layer: usize, global: usize);
}

/// The edges of all strips, twice: those of even rounds and those of odd ones.
pub(super) struct Edges {
    plan: Plan,
    layer_len: usize,
    tables: [Buf<f32>; 2],
}

impl Edges {
    /// Room for layers of `layer_len` numbers.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn new(dev: &mut Device, plan: &Plan, layer_len: usize) -> device::Result<Self> {
        let len = plan.strips() * 2 * plan.depth * layer_len;
        Ok(Self {
            plan: plan.clone(),
            layer_len,
            tables: [dev.buf("strip edges", len)?, dev.buf("strip edges", len)?],
        })
    }
    /// Numbers that [`Edges::new`] takes.
    pub fn len(plan: &Plan, layer_len: usize) -> usize {
        2 * plan.strips() * 2 * plan.depth * layer_len
    }

    /// Runs `sweeps` sweeps, at least one, on `x`; the strips hold the result. `round` says whether the domain is periodic
    /// along the slowest axis.
    ///
    /// Each strip has a thread that stays with it through all rounds and waits for the others between them. Where there are
    /// fewer threads than strips, one does all, round by round.
    pub fn run<S: Strip>(&mut self, strips: &mut [S], x: &[f32], sweeps: usize, round: bool) {
        let (plan, len) = (&self.plan, self.layer_len);
        let slot = 2 * plan.depth * len;
        let shared = self.tables.each_mut().map(|table| {
            let parts = table.host_mut().chunks_mut(slot);
            parts.map(RwLock::new).collect::<Vec<_>>()
        });
        let rounds = sweeps.div_ceil(plan.depth);
        let one_round = |s: usize, strip: &mut S, r: usize| {
            let reach = Reach::new(plan, s, round);
            let n = plan.depth.min(sweeps - r * plan.depth);
            if r > 0 {
                load_halos(plan, &reach, strip, &shared[(r - 1) & 1], len);
            }
            wave(&reach, strip, r * plan.depth, n, (r == 0).then_some(x));
            if r + 1 < rounds {
                // Whoever reads what was here two rounds ago has done so: it has finished the round after.
                save_edges(
                    plan,
                    &reach,
                    strip,
                    &mut hold(shared[r & 1][s].write()),
                    len,
                );
            }
        };
        if rayon::current_num_threads() < strips.len() {
            for r in 0..rounds {
                for (s, strip) in strips.iter_mut().enumerate() {
                    one_round(s, strip, r);
                }
            }
            return;
        }
        let finished: Vec<_> = strips.iter().map(|_| AtomicUsize::new(0)).collect();
        let strips: Vec<_> = strips.iter_mut().map(Mutex::new).collect();
        rayon::broadcast(|thread| {
            let s = thread.index();
            let Some(strip) = strips.get(s) else { return };
            let mut strip = hold(strip.lock());
            let _done = Done(&finished[s]);
            for r in 0..rounds {
                wait_for(&finished, r);
                one_round(s, &mut strip, r);
                finished[s].store(r + 1, Ordering::Release);
            }
        });
    }
}

/// Waits until all strips have finished `rounds` rounds. They take the same time, so this is short, and shorter than going
/// to sleep; but a thread that another program has pushed off its core must be let back on.
fn wait_for(finished: &[AtomicUsize], rounds: usize) {
    const PATIENCE: u32 = 2000;
    for strip in finished {
        let mut tries = 0;
        while strip.load(Ordering::Acquire) < rounds {
            tries += 1;
            if tries < PATIENCE {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
    }
}

/// Lets the others go on when a strip has done all, or has panicked.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(usize::MAX, Ordering::Release);
    }
}

/// What a lock guards, even if a thread has panicked with it: that panic goes on to whoever began the work.
fn hold<T>(locked: Result<T, PoisonError<T>>) -> T {
    locked.unwrap_or_else(PoisonError::into_inner)
}

/// Which layers a strip may compute.
pub(super) struct Reach {
    /// Its own layers in the domain.
    pub own: Range<usize>,
    /// Layers of halo below its own.
    pub below: usize,
    /// Layers of halo above its own.
    pub above: usize,
    /// Where its own layers begin in its storage.
    pub offset: usize,
    layers: usize,
    /// As many times `layers` as keep the difference with `offset` from being negative, less `offset`.
    bias: usize,
}

impl Reach {
    /// Of strip `s`; at an end of the domain that is not joined to the other there is no halo.
    pub fn new(plan: &Plan, s: usize, round: bool) -> Self {
        let own = plan.own(s);
        Self {
            below: if own.start > 0 || round {
                plan.depth
            } else {
                0
            },
            above: if own.end < plan.layers || round {
                plan.depth
            } else {
                0
            },
            own,
            offset: plan.depth,
            layers: plan.layers,
            bias: plan.depth.next_multiple_of(plan.layers) - plan.depth,
        }
    }
    /// Layer of the domain that lies at `layer` of the storage.
    pub fn global(&self, layer: usize) -> usize {
        // Halos of a flat domain may go round more than once. No division: this is asked for every row of every sweep.
        let mut global = self.own.start + layer + self.bias;
        while global >= self.layers {
            global -= self.layers;
        }
        global
    }
    /// All layers that are held.
    pub fn all(&self) -> Range<usize> {
        self.offset - self.below..self.offset + self.own.len() + self.above
    }
    /// Its own layers in the storage.
    pub fn inner(&self) -> Range<usize> {
        self.offset..self.offset + self.own.len()
    }
    /// Layers that sweep `s` of `n` must compute.
    pub fn of_sweep(&self, s: usize, n: usize) -> Range<usize> {
        let spare = n - 1 - s;
        self.offset - self.below.min(spare)..self.offset + self.own.len() + self.above.min(spare)
    }
}

/// `n` sweeps, the first of which has number `first`. Where `x` is given, layers are taken from it just before the first sweep reads them.
fn wave(reach: &Reach, strip: &mut impl Strip, first: usize, n: usize, x: Option<&[f32]>) {
    let mut done = 0;
    let all = reach.all();
    let mut filled = if x.is_some() { all.start } else { all.end };
    while done < n {
        let together = WAVE.min(n - done);
        let range = reach.of_sweep(done, n);
        let odd = together % 2;
        for time in range.start..range.end + together - 1 + odd {
            while let Some(x) = x
                && filled < all.end.min(time + 2)
            {
                strip.fill(x, filled, reach.global(filled));
                filled += 1;
            }
            for s in 0..together.min(time + 1) {
                let layer = time - s;
                if reach.of_sweep(done + s, n).contains(&layer) {
                    strip.sweep(first + done + s, layer, reach.global(layer));
                }
            }
            if odd == 1
                && let Some(layer) = time.checked_sub(together)
                && reach.of_sweep(done + together - 1, n).contains(&layer)
            {
                strip.settle(layer);
            }
        }
        done += together;
    }
}

fn load_halos(
    plan: &Plan,
    reach: &Reach,
    strip: &mut impl Strip,
    edges: &[RwLock<&mut [f32]>],
    len: usize,
) {
    let (all, inner) = (reach.all(), reach.inner());
    for layer in (all.start..inner.start).chain(inner.end..all.end) {
        let (owner, slot) = plan.edge(reach.global(layer));
        let edges = hold(edges[owner].read());
        strip.load(layer, &edges[slot * len..][..len]);
    }
}

fn save_edges(plan: &Plan, reach: &Reach, strip: &impl Strip, edges: &mut [f32], len: usize) {
    for layer in reach.inner() {
        let at = layer - reach.offset;
        if at < plan.depth || at + plan.depth >= reach.own.len() {
            let (_, slot) = plan.edge(reach.own.start + at);
            strip.save(layer, &mut edges[slot * len..][..len]);
        }
    }
}

/// Cuts an array into the layers of each strip.
pub(super) fn cut<'a>(plan: &Plan, mut x: &'a mut [f32], layer_len: usize) -> Vec<&'a mut [f32]> {
    let mut parts = Vec::with_capacity(plan.strips());
    for s in 0..plan.strips() {
        let (part, rest) = x.split_at_mut(plan.own(s).len() * layer_len);
        parts.push(part);
        x = rest;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_needed_layer_has_an_edge() {
        for (layers, height, depth) in
            [(512, 256, 21), (40, 7, 2), (9, 4, 8), (4, 4, 4), (13, 5, 3)]
        {
            let plan = Plan {
                layers,
                height,
                depth,
            };
            for s in 0..plan.strips() {
                let reach = Reach::new(&plan, s, true);
                for layer in reach.all() {
                    if reach.inner().contains(&layer) {
                        continue;
                    }
                    let global = reach.global(layer);
                    let (owner, slot) = plan.edge(global);
                    assert_eq!(owner, global / height);
                    assert!(slot < 2 * depth);
                    let own = plan.own(owner);
                    let at = global - own.start;
                    assert!(at < depth || at + depth >= own.len());
                }
            }
        }
    }

    #[test]
    fn edges_do_not_overlap() {
        for (layers, height, depth) in [(512, 256, 21), (40, 7, 2), (9, 4, 8), (13, 5, 3)] {
            let plan = Plan {
                layers,
                height,
                depth,
            };
            let mut seen = std::collections::HashMap::new();
            for l in 0..layers {
                let own = plan.own(l / height);
                let at = l - own.start;
                if at < depth || at + depth >= own.len() {
                    assert_eq!(seen.insert(plan.edge(l), l), None);
                }
            }
        }
    }
}
