//! The triad a = b + s·c (McCalpin 1995, *STREAM*): how many bytes a second a device moves, which bounds what stencils do.

use std::time::Instant;

use rayon::prelude::*;

use super::kernels::{TriadFactor, TriadPass, triad_block};
use super::{Backend, Buf, Cpu, Device, Result};

/// Three arrays, and a clock.
pub struct Triad {
    a: Buf<f32>,
    b: Buf<f32>,
    c: Buf<f32>,
}

impl Triad {
    /// Over arrays of `len` values each, rounded up to a multiple of four.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn new(dev: &mut Device, len: usize) -> Result<Self> {
        let len = len.next_multiple_of(4).max(4);
        Ok(Self {
            a: dev.buf("triad a", len)?,
            b: dev.buf_from("triad b", &vec![1.0f32; len])?,
            c: dev.buf_from("triad c", &vec![2.0f32; len])?,
        })
    }

    /// Bytes a second in so many passes, which follow each other: 12 for each value.
    ///
    /// On the CPU each thread repeats its own part without waiting for the others, so that no fork and join is in the
    /// number, and the part stays in the thread's caches if it fits there.
    ///
    /// # Errors
    /// As [`Device::sync`].
    pub fn bytes_per_s(&mut self, dev: &mut Device, passes: u32) -> Result<f64> {
        let len = self.a.len();
        dev.sync()?;
        let begin = Instant::now();
        match &mut dev.backend {
            Backend::Cpu(cpu) => {
                passes_on_cpu(cpu, passes, self.a.host_mut(), self.b.host(), self.c.host());
            }
            Backend::Gpu(_) => {
                for pass in 0..passes {
                    let p = TriadFactor {
                        len: len as u32,
                        s: pass as f32,
                    };
                    let (a, b, c) = (&mut self.a, &self.b, &self.c);
                    dev.run([len as u32 / 4, 1, 1], TriadPass { p, b, c, a });
                }
                dev.sync()?;
            }
        }
        let bytes = 12.0 * len as f64 * f64::from(passes);
        Ok(bytes / begin.elapsed().as_secs_f64())
    }
}

fn passes_on_cpu(cpu: &Cpu, passes: u32, a: &mut [f32], b: &[f32], c: &[f32]) {
    let part = a.len().div_ceil(cpu.threads());
    cpu.install(|_| {
        a.par_chunks_mut(part)
            .zip(b.par_chunks(part).zip(c.par_chunks(part)))
            .with_max_len(1)
            .for_each(|(a, (b, c))| {
                for pass in 0..passes {
                    triad_block(a, b, std::hint::black_box(pass as f32), c);
                    std::hint::black_box(&mut *a);
                }
            });
    });
}
