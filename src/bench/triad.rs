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

    /// Time of [`PASSES`] passes. On the CPU each thread does all passes on its own part in one parallel region, so that
    /// neither a fork nor another thread's data disturbs it: the most that memory and caches give.
    pub fn seconds(&mut self, dev: &mut Device) -> Result<f64> {
        dev.sync()?;
        let begin = std::time::Instant::now();
        let count = self.arrays[0].len();
        let [a, b, c] = &mut self.arrays;
        if let Some(threads) = dev.cpu().map(Cpu::threads) {
            let part = count.div_ceil(threads).max(1);
            let (a, b, c) = (a.host_mut(), b.host_mut(), c.host_mut());
            let work = |_: &Cpu| {
                a.par_chunks_mut(part)
                    .zip(b.par_chunks_mut(part))
                    .zip(c.par_chunks_mut(part))
                    .with_max_len(1)
                    .for_each(|((a, b), c)| passes(a, b, c));
            };
            dev.either("triad", work, |_| {});
        } else {
            for _ in 0..PASSES {
                let u = TriadU {
                    count: count as u32,
                    factor: 0.5,
                };
                dev.run([count as u32, 1, 1], TriadPass { u, b, c, a });
            }
            dev.sync()?;
        }
        Ok(begin.elapsed().as_secs_f64())
    }
}

fn passes<'a>(mut a: &'a mut [f32], mut b: &'a mut [f32], mut c: &'a mut [f32]) {
    for _ in 0..PASSES {
        axpy(a, b, c, 0.5);
        // The next pass reads what this one wrote, so that none can be left out.
        (a, b, c) = (c, a, b);
    }
}

crate::simd_fn! {
    fn axpy(a: &mut [f32], b: &[f32], c: &[f32], s: f32) {
        for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
            *a = b + s * c;
        }
    }
}

fn triad_pass(_: &Cpu, _: [u32; 3], u: &TriadU, b: &[f32], c: &[f32], a: &mut [f32]) {
    const BLOCK: usize = 16 * 1024;
    a[..u.count as usize]
        .par_chunks_mut(BLOCK)
        .zip(b.par_chunks(BLOCK).zip(c.par_chunks(BLOCK)))
        .for_each(|(a, (b, c))| axpy(a, b, c, u.factor));
}
