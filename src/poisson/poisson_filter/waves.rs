//! What filters make of waves.
//!
//! On a box whose sides are mirrors (see `sides`) a filter has the same eigenvectors as the system: waves. Its gain is the
//! cosine transform of its taps, and what A makes of the wave is `λ = Σ 4 sin²(θ/2) + shift`.

use super::filters::Choice;
use super::separate::Product;
use super::sweep_kernel::{Sweeps, gains_of_sweeps};

/// Waves at which gains are looked at: from constant to alternating along each axis. What is the same with its axes exchanged
/// comes once.
pub(super) struct Waves {
    /// Steps of the angle from 0 to π, and one more.
    count: usize,
    dim: usize,
    shift: f64,
}

impl Waves {
    pub fn new(choice: &Choice) -> Self {
        // Gains are trigonometric polynomials of the order: some waves on each of their bumps are enough.
        let most = if choice.dim > 2 { 64 } else { 512 };
        Self {
            count: (4 * choice.order + 1).clamp(17, most),
            dim: choice.dim,
            shift: f64::from(choice.shift),
        }
    }

    fn angle(&self, step: usize) -> f64 {
        std::f64::consts::PI * step as f64 / (self.count - 1) as f64
    }

    fn each(&self) -> impl Iterator<Item = [usize; 3]> {
        let (n, deep) = (self.count, self.dim > 2);
        let planes = (0..if deep { n } else { 1 })
            .flat_map(move |k| (0..if deep { k + 1 } else { n }).map(move |j| (j, k)));
        planes.flat_map(|(j, k)| (0..=j).map(move |i| [i, j, k]))
    }

    /// λ of every wave.
    pub fn lambdas(&self) -> Vec<f64> {
        let along: Vec<f64> = (0..self.count)
            .map(|s| 4.0 * (0.5 * self.angle(s)).sin().powi(2))
            .collect();
        let sum =
            |wave: [usize; 3]| wave[..self.dim].iter().map(|s| along[*s]).sum::<f64>() + self.shift;
        self.each().map(sum).collect()
    }

    /// The gain of some products at every wave.
    pub fn gains(&self, products: &[Product]) -> Vec<f64> {
        let along = |p: &Product| -> Vec<f64> {
            let gain = |angle: f64| {
                let taps = p.filter.iter().enumerate().skip(1);
                p.filter[0]
                    + taps
                        .map(|(k, tap)| 2.0 * tap * (angle * k as f64).cos())
                        .sum::<f64>()
            };
            (0..self.count).map(|step| gain(self.angle(step))).collect()
        };
        let along: Vec<_> = products.iter().map(|p| (p.sign, along(p))).collect();
        let all = |wave: [usize; 3]| {
            let one = |(sign, gains): &(f64, Vec<f64>)| {
                wave[..self.dim].iter().fold(*sign, |p, s| p * gains[*s])
            };
            along.iter().map(one).sum()
        };
        self.each().map(all).collect()
    }

    /// The gains of whole kernels, F and G.
    pub fn whole_gains(&self, sweeps: &Sweeps) -> [Vec<f64>; 2] {
        let pairs = self
            .lambdas()
            .into_iter()
            .map(|lambda| gains_of_sweeps(sweeps, lambda));
        let (f, g) = pairs.map(|[f, g]| (f, g)).unzip();
        [f, g]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poisson::poisson_filter::separate::separate;
    use crate::poisson::poisson_filter::sweep_kernel::of_sweeps;

    /// All products together have the gain of the whole kernel, which is `(1 − G) / λ` for F.
    #[test]
    fn gains_of_products_add_up_to_those_of_the_kernel() {
        for (order, dim, shift, first) in [(6, 2, 0.0, 1.0), (5, 2, 0.3, 0.625), (3, 3, 0.0, 0.625)]
        {
            let choice = Choice {
                order,
                dim,
                shift,
                rank: None,
                threshold: 0.0,
            };
            let sweeps = Sweeps {
                order,
                dim,
                shift: f64::from(shift),
                first,
            };
            let waves = Waves::new(&choice);
            let whole = waves.whole_gains(&sweeps);
            for (kernel, whole) in of_sweeps(&sweeps).iter().zip(&whole) {
                let gains = waves.gains(&separate(kernel, 8));
                for (gain, whole) in gains.iter().zip(whole) {
                    let tolerance = if dim > 2 { 1e-3 } else { 1e-10 };
                    assert!(
                        (gain - whole).abs() < tolerance,
                        "order {order}: {gain}, {whole}"
                    );
                }
            }
            for ((f, g), lambda) in whole[0].iter().zip(&whole[1]).zip(waves.lambdas()) {
                assert!((lambda * f - (1.0 - g)).abs() < 1e-12);
            }
        }
    }
}
