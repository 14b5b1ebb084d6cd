//! Reductions: kernels that leave partial results for a check. They do not depend on the number of threads.
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
    fn shaders_fit_their_kernels() {
        for kernel in KERNELS {
            crate::device::check_kernel(kernel).unwrap();
        }
    }

    #[test]
    fn a_nan_is_the_largest_magnitude() {
        let mut x = noise(5000);
        x[4999] = f32::NAN;
        let mut out = vec![7.0; PARTIALS];
        strided(&x, &mut out, max_abs_into);
        assert!(out[4999 % PARTIALS].is_nan());
        assert_eq!(out.iter().filter(|o| o.is_nan()).count(), 1);
    }

    #[test]
    fn partials_do_not_depend_on_the_number_of_threads() {
        let x = noise(100_003);
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let mut out = vec![7.0; PARTIALS];
            pool.install(|| strided(&x, &mut out, add_squares_into));
            out
        };
        let one = run(1);
        assert_eq!(one, run(2));
        assert_eq!(one, run(7));
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
