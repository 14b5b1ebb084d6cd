//! Sweeps in red–black order: the cells of one colour of a chequerboard, then those of the other, each from the newest
//! values of its neighbours, which all have the other colour (Young 1954), and weighted against its old value.
//!
//! On the CPU a block of iterations runs on strips with the colours apart (see `strips` and `red_black_strip`), or, if they are
//! few, in one way through (`red_black_stream`); on a GPU each
//! colour is a pass from one buffer to another.
//!
//! Across a periodic axis of odd length, cells of one colour meet. There each takes the other's value from before the
//! sweep, and the CPU does whole sweeps one after the other. A weight above one could grow without bounds there (it asks for
//! (2/ω − 1) D to outweigh the links between cells that are relaxed together), so that those cells are relaxed with weight one.

use super::System;
use super::kernels::{RedBlackSweep, SweepU};
use super::red_black_stream::Streams;
use super::red_black_strip::{Job, Strips};
use super::solve::Sweeps;
use super::stencil::{Spans, wraps};
use crate::device::{Buf, Cpu, Device, Result, default_threads};

/// The weights of the sweeps of one colour that follow each other.
#[derive(Clone, Copy)]
pub(super) struct Weights {
    /// ρ², the square of the spectral radius of the Jacobi iteration for which they are meant; zero for a constant weight.
    rho2: f64,
    next: f64,
    first: bool,
}

impl Weights {
    /// The same for all.
    pub fn constant(weight: f32) -> Self {
        Self {
            rho2: 0.0,
            next: f64::from(weight),
            first: true,
        }
    }

    /// The largest ω to which weights may come in so many iterations.
    ///
    /// Where a solve begins with the pressure of the frame before, an error that it turns round and leaves larger than a
    /// third grows from frame to frame (see [`crate::poisson`]). What is left of the errors of Jacobi's spectrum between −ρ
    /// and ρ is at most 1/T(1/ρ), T being the Chebyshev polynomial whose degree is the number of half sweeps; of those
    /// beyond it is positive. So ρ is the largest for which that is a quarter.
    pub fn most(iterations: u32) -> f32 {
        let degree = 2.0 * f64::from(iterations.max(1));
        let eta = 4.0_f64.acosh() / degree;
        // 1/ρ = cosh η, and ω = 2/(1 + √(1 − ρ²)).
        (2.0 / (1.0 + eta.tanh())) as f32
    }

    /// Those of the cyclic Chebyshev iteration (Golub and Varga 1961), which come to ω: 1, 1/(1 − ρ²/2), and from then on
    /// 1/(1 − ρ²ω/4), with ρ² = 4(ω − 1)/ω². The errors that are left are Chebyshev polynomials of those of Jacobi, scaled
    /// to one at one: no error grows on the way, where with ω from the first sweep on they grow before they shrink.
    pub fn rising(omega: f32) -> Self {
        let omega = f64::from(omega);
        if omega <= 1.0 {
            return Self::constant(omega as f32);
        }
        Self {
            rho2: 4.0 * (omega - 1.0) / (omega * omega),
            next: 1.0,
            first: true,
        }
    }

    fn take(&mut self) -> f32 {
        let weight = self.next;
        if self.rho2 > 0.0 {
            let share = if self.first { 0.5 } else { 0.25 * weight };
            self.next = 1.0 / (1.0 - self.rho2 * share);
            self.first = false;
        }
        weight as f32
    }
}

/// Sweeps, with the memory that they need.
pub(super) struct RedBlackSweeps {
    /// Weights of the relaxed values, from the next sweep on.
    pub weights: Weights,
    /// The colour that is relaxed first.
    pub first: u32,
    /// Whether the right-hand side is that of the block before.
    pub same_rhs: bool,
    /// Whether the strips hold a right-hand side.
    held: bool,
    spans: [Spans; 2],
    wraps: [bool; 3],
    /// The other buffer of a pass; on the CPU only once an odd periodic axis needs it.
    other: Option<Buf<f32>>,
    /// On the CPU: for many sweeps, and for few.
    strips: Option<(Strips, Streams)>,
}

impl RedBlackSweeps {
    /// For arrays of `dims`.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn new(dev: &mut Device, dims: [u32; 3]) -> Result<Self> {
        let cells = dims.iter().map(|n| *n as usize).product();
        let threads = dev.cpu().map(Cpu::threads);
        let strips = match threads {
            Some(threads) => Some((
                Strips::new(dev, dims, threads)?,
                Streams::new(dev, dims, threads)?,
            )),
            None => None,
        };
        let even = dims.iter().all(|n| n % 2 == 0 || *n == 1);
        let other = if strips.is_none() || !even {
            Some(dev.buf("red-black x'", cells)?)
        } else {
            None
        };
        Ok(Self {
            weights: Weights::constant(1.0),
            first: 0,
            same_rhs: false,
            held: false,
            spans: Default::default(),
            wraps: [false; 3],
            other,
            strips,
        })
    }

    /// Bytes that [`RedBlackSweeps::new`] takes at most.
    pub fn memory_bytes(dims: [u32; 3]) -> u64 {
        let cells: u64 = dims.iter().map(|n| u64::from(*n)).product();
        let threads = default_threads();
        Strips::memory_bytes(dims, threads) + Streams::memory_bytes(dims, threads) + 4 * cells
    }
}

impl Sweeps for RedBlackSweeps {
    fn prepare(&mut self, dims: [u32; 3], stencil: &[u32], shift: f32) {
        self.spans = [0, 1].map(|c| Spans::colour(dims, stencil, shift, c));
        self.wraps = wraps(dims, stencil);
    }

    fn block(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, iterations: u32) {
        let dims = system.dims;
        // Along an axis of one cell there is nothing to meet.
        let weights: Vec<f32> = (0..2 * iterations).map(|_| self.weights.take()).collect();
        let meets = (0..3).any(|a| self.wraps[a] && dims[a] > 1 && dims[a] % 2 == 1);
        match (&mut self.strips, &mut self.other) {
            (Some((strips, streams)), _) if !meets => {
                let few = streams.suit(weights.len());
                let job = Job {
                    dims,
                    stencil: system.stencil.host(),
                    spans: &self.spans,
                    rhs: system.rhs.host(),
                    from_zero: false,
                    rhs_is_there: self.same_rhs && self.held && !few,
                    weights: &weights,
                    first: self.first as usize,
                    wraps: self.wraps,
                };
                let on_cpu = |_: &Cpu| match few {
                    true => streams.run(&job, x.host_mut(), weights.len()),
                    false => strips.run(&job, x.host_mut(), weights.len()),
                };
                dev.either("RedBlackSweeps", on_cpu, |_| {});
                self.held = !few;
            }
            (_, Some(other)) => {
                for pair in weights.chunks_exact(2) {
                    dev.run(dims, sweep(system, self.first, pair[0], x, other));
                    dev.run(dims, sweep(system, 1 - self.first, pair[1], other, x));
                }
            }
            // An odd axis always comes with the other buffer.
            (_, None) => {}
        }
    }
}

fn sweep<'a>(
    system: &System<'a>,
    colour: u32,
    weight: f32,
    x: &'a Buf<f32>,
    relaxed: &'a mut Buf<f32>,
) -> RedBlackSweep<'a> {
    let [nx, ny, nz] = system.dims;
    RedBlackSweep {
        sweep: SweepU {
            cells: [nx, ny, nz, colour],
            weight,
            ..SweepU::new(system.dims, system.shift)
        },
        stencil: system.stencil,
        rhs: system.rhs,
        x,
        relaxed,
    }
}
