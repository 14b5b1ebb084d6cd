//! Sweeps in red–black order: the cells of one colour of a chequerboard, then those of the other, each from the newest
//! values of its neighbours, which all have the other colour (Young 1954), and weighted against its old value.
//!
//! On the CPU a block of iterations runs on strips with the colours apart (see `strips` and `red_black_strip`); on a GPU each
//! colour is a pass from one buffer to another.
//!
//! Across a periodic axis of odd length, cells of one colour meet. There each takes the other's value from before the
//! sweep, and the CPU does whole sweeps one after the other. A weight above one could grow without bounds there (it asks for
//! (2/ω − 1) D to outweigh the links between cells that are relaxed together), so that those cells are relaxed with weight one.

use super::System;
use super::kernels::{RedBlackSweep, SweepU};
use super::red_black_strip::{Job, Strips};
use super::solve::Sweeps;
use super::stencil::{Spans, wraps};
use crate::device::{Buf, Cpu, Device, Result, default_threads};

/// Sweeps, with the memory that they need.
pub(super) struct RedBlackSweeps {
    /// Weight ω of the relaxed value.
    pub weight: f32,
    /// Whether the right-hand side is that of the block before.
    pub same_rhs: bool,
    spans: [Spans; 2],
    wraps: [bool; 3],
    /// The other buffer of a pass; on the CPU only once an odd periodic axis needs it.
    other: Option<Buf<f32>>,
    strips: Option<Strips>,
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
            Some(threads) => Some(Strips::new(dev, dims, threads)?),
            None => None,
        };
        let even = dims.iter().all(|n| n % 2 == 0 || *n == 1);
        let other = if strips.is_none() || !even {
            Some(dev.buf("red-black x'", cells)?)
        } else {
            None
        };
        Ok(Self {
            weight: 1.0,
            same_rhs: false,
            spans: Default::default(),
            wraps: [false; 3],
            other,
            strips,
        })
    }

    /// Bytes that [`RedBlackSweeps::new`] takes at most.
    pub fn memory_bytes(dims: [u32; 3]) -> u64 {
        let cells: u64 = dims.iter().map(|n| u64::from(*n)).product();
        Strips::memory_bytes(dims, default_threads()) + 4 * cells
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
        let meets = (0..3).any(|a| self.wraps[a] && dims[a] > 1 && dims[a] % 2 == 1);
        match (&mut self.strips, &mut self.other) {
            (Some(strips), _) if !meets => {
                let job = Job {
                    dims,
                    stencil: system.stencil.host(),
                    spans: &self.spans,
                    rhs: system.rhs.host(),
                    rhs_is_there: self.same_rhs,
                    weight: self.weight,
                    wraps: self.wraps,
                };
                let on_cpu = |_: &Cpu| strips.run(&job, x.host_mut(), 2 * iterations as usize);
                dev.either("RedBlackSweeps", on_cpu, |_| {});
            }
            (_, Some(other)) => {
                for _ in 0..iterations {
                    dev.run(dims, sweep(system, 0, self.weight, x, other));
                    dev.run(dims, sweep(system, 1, self.weight, other, x));
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
