//! The triad a = b + s·c: how many bytes a second a device moves, which bounds what stencils can do.

use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::kernels::{Triad, TriadFactor, triad_block};
use super::{Backend, Cpu, Device, Result};

/// Bytes that are moved between two looks at the clock, at least.
const ROUND: u64 = 96 << 20;
/// Rounds that the best is taken of, at least.
const ROUNDS: u32 = 5;
/// How long the best is looked for.
const TIME: Duration = Duration::from_millis(300);

impl Device {
    /// Bytes a second of a = b + s·c (three numbers moved for each value), the three arrays together taking about
    /// `footprint` bytes. The best of a third of a second.
    ///
    /// On the CPU each thread repeats its part without waiting for the others, so that no fork and join is in the number.
    ///
    /// # Errors
    /// As [`Device::buf`] and [`Device::sync`].
    pub fn triad(&mut self, footprint: u64) -> Result<f64> {
        let len = (footprint / 12).next_multiple_of(4).max(1024) as usize;
        let mut a = self.buf("triad a", len)?;
        let b = self.buf_from("triad b", &vec![1.0f32; len])?;
        let c = self.buf_from("triad c", &vec![2.0f32; len])?;
        let sweeps = ROUND.div_ceil(12 * len as u64) as u32;
        let began = Instant::now();
        let mut best = f64::INFINITY;
        let mut rounds = 0;
        while rounds < ROUNDS || began.elapsed() < TIME {
            rounds += 1;
            let start = Instant::now();
            match &mut self.backend {
                Backend::Cpu(cpu) => sweeps_on_cpu(cpu, sweeps, a.host_mut(), b.host(), c.host()),
                Backend::Gpu(_) => {
                    for sweep in 0..sweeps {
                        let p = TriadFactor {
                            len: len as u32,
                            s: sweep as f32,
                        };
                        let triad = Triad {
                            p,
                            b: &b,
                            c: &c,
                            a: &mut a,
                        };
                        self.run([len as u32 / 4, 1, 1], triad);
                    }
                    self.sync()?;
                }
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        Ok(f64::from(sweeps) * 12.0 * len as f64 / best)
    }
}

fn sweeps_on_cpu(cpu: &Cpu, sweeps: u32, a: &mut [f32], b: &[f32], c: &[f32]) {
    let part = a.len().div_ceil(cpu.threads());
    cpu.install(|_| {
        a.par_chunks_mut(part)
            .zip(b.par_chunks(part).zip(c.par_chunks(part)))
            .for_each(|(a, (b, c))| {
                for sweep in 0..sweeps {
                    triad_block(a, b, std::hint::black_box(sweep as f32), c);
                    std::hint::black_box(&mut *a);
                }
            });
    });
}
