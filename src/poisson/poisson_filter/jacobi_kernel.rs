//! What n sweeps are as a convolution.
//!
//! On an endless grid a sweep is `x' = J x + b/d`, with d = 2·dim + shift on the diagonal and J the mean over the neighbours
//! times 2·dim/d. So n sweeps are `xₙ = F b + G x₀` with `F = (I + J + … + Jⁿ⁻¹)/d` and `G = Jⁿ`. Both are even along each
//! axis and the same along all of them, so that one octant tells all.

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
            let deep = if self.dim > 2 { twice(c / (s * s)) } else { 1.0 };
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

/// F and G of so many sweeps, at least one.
pub(super) fn of_sweeps(order: usize, dim: usize, shift: f64) -> [Octant; 2] {
    let diagonal = 2.0 * dim as f64 + shift;
    let side = order + 1;
    let mut power = Octant::zero(side, dim);
    power.values[0] = 1.0;
    let mut sum = Octant::zero(side, dim);
    for _ in 0..order {
        for (sum, value) in sum.values.iter_mut().zip(&power.values) {
            *sum += value / diagonal;
        }
        power = power.swept(diagonal);
    }
    [sum, power]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_sweeps_have_the_printed_kernel() {
        let [f, g] = of_sweeps(3, 2, 0.0);
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
            let [f, g] = of_sweeps(order, 2, 0.0);
            assert!((f.sum() - order as f64 / 4.0).abs() < 1e-11 * order as f64);
            assert!((g.sum() - 1.0).abs() < 1e-12);
        }
        for order in [1, 5, 16] {
            let [f, g] = of_sweeps(order, 3, 0.0);
            assert!((f.sum() - order as f64 / 6.0).abs() < 1e-11 * order as f64);
            assert!((g.sum() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_shift_makes_both_smaller() {
        let [f, g] = of_sweeps(5, 2, 0.5);
        let q: f64 = 4.0 / 4.5;
        assert!((g.sum() - q.powi(5)).abs() < 1e-12);
        assert!((f.sum() - (1.0 - q.powi(5)) / 0.5).abs() < 1e-12);
    }
}
