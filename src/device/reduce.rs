//! Reductions: kernels that leave partial results for a check, and sums for the CPU that do not depend on the threads.
//!
//! Partial `i` takes the values `i`, `i + 1024`, `i + 2048`, … in this order, on both sides. That needs no barrier and no
//! shared memory, and on the CPU it is a loop over slices of 1024 that vectorises. (Measured on lavapipe: 170–280 µs
//! against 1070–1230 µs for a tree with barriers.)

use rayon::prelude::*;

use super::{Cpu, KernelInfo, PARTIALS};
use crate::{kernel, shared, simd_fn};

shared! {
    /// How many values are reduced.
    pub struct Reduce {
        /// Number of values.
        pub len: u32,
    }
}

kernel! {
    /// outᵢ = max |x| over the values of partial i. A NaN anywhere stays. Run with `items = [PARTIALS, 1, 1]`.
    pub MaxAbsPartials = "common/max_abs_partials.wgsl", max_abs_partials {
        uniform p: Reduce, read x: f32, write out: f32,
    }
}

kernel! {
    /// outᵢ = Σ x² over the values of partial i. Run with `items = [PARTIALS, 1, 1]`.
    pub SumSquaresPartials = "common/sum_squares_partials.wgsl", sum_squares_partials {
        uniform p: Reduce, read x: f32, write out: f32,
    }
}

/// The kernels of this module.
pub const KERNELS: &[KernelInfo] = &[
    <MaxAbsPartials as super::Kernel>::INFO,
    <SumSquaresPartials as super::Kernel>::INFO,
];

fn max_abs_partials(_cpu: &Cpu, _items: [u32; 3], p: &Reduce, x: &[f32], out: &mut [f32]) {
    strided(&x[..x.len().min(p.len as usize)], out, max_abs_into);
}

fn sum_squares_partials(_cpu: &Cpu, _items: [u32; 3], p: &Reduce, x: &[f32], out: &mut [f32]) {
    strided(&x[..x.len().min(p.len as usize)], out, add_squares_into);
}

/// Each task owns a range of partials and walks through all slices, so the order within a partial is fixed.
fn strided(x: &[f32], out: &mut [f32], into: impl Fn(&mut [f32], &[f32]) + Sync) {
    const RANGE: usize = PARTIALS / 4;
    out[..PARTIALS]
        .par_chunks_mut(RANGE)
        .enumerate()
        .for_each(|(range, acc)| {
            acc.fill(0.0);
            let begin = range * RANGE;
            for slice in x.chunks(PARTIALS) {
                if begin < slice.len() {
                    into(acc, &slice[begin..slice.len().min(begin + RANGE)]);
                }
            }
        });
}

simd_fn! {
    /// acc ← max(acc, |x|), by bits: magnitudes order as integers do, and NaN is the largest.
    fn max_abs_into(acc: &mut [f32], x: &[f32]) {
        for (a, x) in acc.iter_mut().zip(x) {
            *a = f32::from_bits(a.to_bits().max(x.to_bits() & 0x7fff_ffff));
        }
    }
    fn add_squares_into(acc: &mut [f32], x: &[f32]) {
        for (a, x) in acc.iter_mut().zip(x) {
            *a += x * x;
        }
    }
    /// Eight running sums in f64, so that the loop vectorises and its order is fixed.
    fn block_sum(x: &[f32]) -> f64 {
        let mut acc = [0.0f64; 8];
        let (chunks, rest) = x.as_chunks::<8>();
        for c in chunks {
            for (a, x) in acc.iter_mut().zip(c) {
                *a += f64::from(*x);
            }
        }
        for (a, x) in acc.iter_mut().zip(rest) {
            *a += f64::from(*x);
        }
        acc.iter().sum()
    }
    fn block_dot(x: &[f32], y: &[f32]) -> f64 {
        let mut acc = [0.0f64; 8];
        for (x, y) in x.chunks(8).zip(y.chunks(8)) {
            for (a, (x, y)) in acc.iter_mut().zip(x.iter().zip(y)) {
                *a += f64::from(*x) * f64::from(*y);
            }
        }
        acc.iter().sum()
    }
    fn block_max_abs(x: &[f32]) -> u32 {
        x.iter().fold(0, |m, x| m.max(x.to_bits() & 0x7fff_ffff))
    }
}

const BLOCK: usize = 4096;

/// Σ x in f64, in blocks of a fixed size: the same bits at any number of threads.
pub fn reduce_sum(x: &[f32]) -> f64 {
    let blocks: Vec<f64> = x.par_chunks(BLOCK).map(block_sum).collect();
    blocks.iter().sum()
}

/// Σ x·y in f64, in blocks of a fixed size: the same bits at any number of threads.
pub fn reduce_dot(x: &[f32], y: &[f32]) -> f64 {
    let blocks: Vec<f64> = x
        .par_chunks(BLOCK)
        .zip(y.par_chunks(BLOCK))
        .map(|(x, y)| block_dot(x, y))
        .collect();
    blocks.iter().sum()
}

/// max |x|; NaN where there is one, 0 for nothing.
pub fn reduce_max_abs(x: &[f32]) -> f32 {
    let bits = x.par_chunks(BLOCK).map(block_max_abs).max();
    f32::from_bits(bits.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(n: usize) -> Vec<f32> {
        let mut s = 1u32;
        let mut next = || {
            s = s.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (s >> 8) as f32 / 8_388_608.0 - 1.0
        };
        (0..n).map(|_| next()).collect()
    }

    #[test]
    fn reductions_do_not_depend_on_the_number_of_threads() {
        let x = noise(100_003);
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| (reduce_sum(&x), reduce_dot(&x, &x), reduce_max_abs(&x)))
        };
        let one = run(1);
        assert_eq!(one, run(2));
        assert_eq!(one, run(7));
        let exact: f64 = x.iter().map(|v| f64::from(*v)).sum();
        assert!((one.0 - exact).abs() < 1e-9 * x.len() as f64);
        assert_eq!(one.2, x.iter().fold(0.0f32, |m, v| m.max(v.abs())));
    }

    #[test]
    fn shaders_fit_their_kernels() {
        for kernel in KERNELS {
            crate::device::check_kernel(kernel).unwrap();
        }
    }

    #[test]
    fn a_nan_is_the_largest_magnitude() {
        let mut x = noise(5000);
        x[4999] = f32::NAN;
        assert!(reduce_max_abs(&x).is_nan());
        assert_eq!(reduce_max_abs(&[]), 0.0);
    }

    #[test]
    fn partials_take_every_1024th_value() {
        let x = noise(3 * PARTIALS + 17);
        let mut out = vec![7.0; PARTIALS];
        strided(&x, &mut out, add_squares_into);
        for (i, o) in out.iter().enumerate() {
            let expected = x
                .iter()
                .skip(i)
                .step_by(PARTIALS)
                .fold(0.0, |s, v| s + v * v);
            assert_eq!(*o, expected);
        }
    }
}
