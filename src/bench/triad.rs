//! What memory allows: a = b + s·c.

use rayon::prelude::*;

use crate::device::{Buf, Cpu, Device, Kernel, KernelInfo, Result};

/// Passes that are timed together.
const PASSES: u32 = 40;

crate::shared! {
    /// Size and factor of a triad.
    pub struct TriadU {
        /// Numbers in each array.
        pub count: u32,
        /// The factor s.
        pub factor: f32,
    }
}

crate::kernel! {
    /// a = b + s·c: (b, c) → a.
    pub TriadPass = "bench/triad.wgsl", triad_pass {
        uniform u: TriadU, read b: f32, read c: f32, write a: f32,
    }
}

/// The kernels of this module.
pub const KERNELS: &[KernelInfo] = &[TriadPass::INFO];

/// Three arrays.
pub(super) struct Triad {
    arrays: [Buf<f32>; 3],
}

impl Triad {
    /// Over `count` numbers an array.
    pub fn new(dev: &mut Device, count: u32) -> Result<Self> {
        let mut make = |label| dev.buf(label, count as usize);
        Ok(Self {
            arrays: [make("triad a")?, make("triad b")?, make("triad c")?],
        })
    }

    /// Bytes of all passes that [`Triad::seconds`] times.
    pub fn bytes(&self) -> f64 {
        12.0 * f64::from(PASSES) * self.arrays[0].len() as f64
    }

    /// Time of [`PASSES`] passes. As in STREAM (McCalpin 1995), each pass is a parallel loop of its own, in which every
    /// thread has one part of the arrays, which stays in its caches.
    pub fn seconds(&mut self, dev: &mut Device) -> Result<f64> {
        let u = TriadU {
            count: self.arrays[0].len() as u32,
            factor: 0.5,
        };
        dev.sync()?;
        let begin = std::time::Instant::now();
        for _ in 0..PASSES {
            let [a, b, c] = &mut self.arrays;
            dev.run([u.count, 1, 1], TriadPass { u, b, c, a });
            // The next pass reads what this one wrote.
            self.arrays.rotate_left(1);
        }
        dev.sync()?;
        Ok(begin.elapsed().as_secs_f64())
    }
}

crate::simd_fn! {
    fn axpy(a: &mut [f32], b: &[f32], c: &[f32], s: f32) {
        for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
            *a = b + s * c;
        }
    }
}

fn triad_pass(cpu: &Cpu, _: [u32; 3], u: &TriadU, b: &[f32], c: &[f32], a: &mut [f32]) {
    let count = u.count as usize;
    let part = count.div_ceil(cpu.threads()).max(1);
    a[..count]
        .par_chunks_mut(part)
        .zip(b.par_chunks(part).zip(c.par_chunks(part)))
        .with_max_len(1)
        .for_each(|(a, (b, c))| axpy(a, b, c, u.factor));
}
