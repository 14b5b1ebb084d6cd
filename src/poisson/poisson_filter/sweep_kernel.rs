//! What n sweeps are as a convolution.
//!
//! On an endless grid a sweep is `x' = J x + b/d`, with d = 2·dim + shift on the diagonal and J the mean over the neighbours
//! times 2·dim/d. So n sweeps are `xₙ = F b + G x₀` with `F = (I + J + … + Jⁿ⁻¹)/d` and `G = Jⁿ`. Both are even along each
//! axis and the same along all of them, so that one octant tells all.
//!
//! The first sweep may have a weight ω of its own: `F = (I + … + Jⁿ⁻² + ω Jⁿ⁻¹)/d` and `G = Jⁿ⁻¹ ((1 − ω) I + ω J)`.

/// A kernel by its values at offsets from 0 to `side` − 1 along each axis, x fastest.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Octant {
    pub side: usize,
    /// Axes: 2 or 3.
    pub dim: usize,
    pub values: Vec<f64>,
}

impl Octant {
    fn zero(side: usize, dim: usize) -> Self {
        Self {
            side,
            dim,
            values: vec![0.0; side.pow(dim as u32)],
        }
    }

    /// Value at an offset.
    pub fn at(&self, offset: [usize; 3]) -> f64 {
        let k = if self.dim > 2 { offset[2] } else { 0 };
        self.values[(k * self.side + offset[1]) * self.side + offset[0]]
    }

    /// Sum over the whole kernel: what becomes of a constant.
    #[cfg(test)]
    pub fn sum(&self) -> f64 {
        let twice = |offset: usize| if offset == 0 { 1.0 } else { 2.0 };
        let s = self.side;
        let of = |(c, v): (usize, &f64)| {
            let deep = if self.dim > 2 {
                twice(c / (s * s))
            } else {
                1.0
            };
            v * twice(c % s) * twice(c / s % s) * deep
        };
        self.values.iter().enumerate().map(of).sum()
    }

    /// J of this kernel, as far as there is room.
    fn swept(&self, diagonal: f64) -> Self {
        let s = self.side;
        let mut next = Self::zero(s, self.dim);
        let layers = if self.dim > 2 { s } else { 1 };
        let strides = [1, s, s * s];
        for c in 0..s * s * layers {
            let offset = [c % s, c / s % s, c / (s * s)];
            let mut sum = 0.0;
            for axis in 0..self.dim {
                let (at, stride) = (offset[axis], strides[axis]);
                sum += self.values[if at == 0 { c + stride } else { c - stride }];
                if at + 1 < s {
                    sum += self.values[c + stride];
                }
            }
            next.values[c] = sum / diagonal;
        }
        next
    }
}

/// Sweeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweeps {
    /// How many; at least one.
    pub order: usize,
    /// Axes.
    pub dim: usize,
    pub shift: f64,
    /// Weight of the first one.
    pub first: f64,
}

impl Sweeps {
    fn diagonal(&self) -> f64 {
        2.0 * self.dim as f64 + self.shift
    }

    /// Weight of the sum at a power of J.
    fn share(&self, power: usize) -> f64 {
        let last = power + 1 == self.order;
        if last { self.first } else { 1.0 }
    }
}

/// F and G.
pub(super) fn of_sweeps(sweeps: &Sweeps) -> [Octant; 2] {
    let (diagonal, side) = (sweeps.diagonal(), sweeps.order + 1);
    let mut power = Octant::zero(side, sweeps.dim);
    power.values[0] = 1.0;
    let mut sum = Octant::zero(side, sweeps.dim);
    for n in 0..sweeps.order {
        let share = sweeps.share(n);
        for (sum, value) in sum.values.iter_mut().zip(&power.values) {
            *sum += share * value / diagonal;
        }
        let mut next = power.swept(diagonal);
        for (next, value) in next.values.iter_mut().zip(&power.values) {
            *next = share * *next + (1.0 - share) * value;
        }
        power = next;
    }
    [sum, power]
}

/// What F and G make of a wave of which A makes λ.
pub(super) fn gains_of_sweeps(sweeps: &Sweeps, lambda: f64) -> [f64; 2] {
    let j = 1.0 - lambda / sweeps.diagonal();
    let (mut sum, mut power) = (0.0, 1.0);
    for n in 0..sweeps.order {
        let share = sweeps.share(n);
        sum += share * power;
        power *= share * j + (1.0 - share);
    }
    [sum / sweeps.diagonal(), power]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(order: usize, dim: usize, shift: f64) -> [Octant; 2] {
        of_sweeps(&Sweeps {
            order,
            dim,
            shift,
            first: 1.0,
        })
    }

    #[test]
    fn three_sweeps_have_the_printed_kernel() {
        let [f, g] = plain(3, 2, 0.0);
        for (offset, value) in [
            ([0, 0, 0], 0.3125),
            ([1, 0, 0], 0.0625),
            ([1, 1, 0], 0.03125),
            ([0, 2, 0], 0.015625),
            ([2, 1, 0], 0.0),
            ([3, 0, 0], 0.0),
        ] {
            assert!((f.at(offset) - value).abs() < 1e-6, "{offset:?}");
        }
        assert!((g.at([3, 0, 0]) - 1.0 / 64.0).abs() < 1e-12);
        assert!((g.at([1, 0, 0]) - 9.0 / 64.0).abs() < 1e-12);
        assert_eq!(g.at([0, 0, 0]), 0.0);
    }

    #[test]
    fn kernels_add_up_to_a_quarter_or_a_sixth_of_the_order() {
        for order in [1, 2, 7, 32, 60] {
            let [f, g] = plain(order, 2, 0.0);
            assert!((f.sum() - order as f64 / 4.0).abs() < 1e-11 * order as f64);
            assert!((g.sum() - 1.0).abs() < 1e-12);
        }
        for order in [1, 5, 16] {
            let [f, g] = plain(order, 3, 0.0);
            assert!((f.sum() - order as f64 / 6.0).abs() < 1e-11 * order as f64);
            assert!((g.sum() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_shift_makes_both_smaller() {
        let [f, g] = plain(5, 2, 0.5);
        let q: f64 = 4.0 / 4.5;
        assert!((g.sum() - q.powi(5)).abs() < 1e-12);
        assert!((f.sum() - (1.0 - q.powi(5)) / 0.5).abs() < 1e-12);
    }
}
