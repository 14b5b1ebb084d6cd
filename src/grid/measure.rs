//! What is conserved, and what should be small: reductions over all fluid cells.

use rayon::prelude::*;

use super::codes::UNKNOWN;
use super::lattice::Lattice;
use super::sources::Factor;
use crate::device::{Buf, Cpu, Device, PARTIALS, Result, Ticket};

/// Numbers that each partial result has.
const VALUES: usize = 12;

crate::kernel! {
    /// Partial result p of cells p, p + 1024, …: (stencil, u, v, scalars) → largest |u|², Σ|u|², largest |∇·u|,
    /// Σ(∇·u)², Σ red, Σ green, Σ blue, Σ temperature, number of fluid cells, Σ u, Σ v, nothing. `per_cell` is 1/h.
    pub Measure = "grid/measure.wgsl", measure {
        uniform at: Lattice, uniform per_cell: Factor,
        read stencil: u32, read u: f32, read v: f32, read scalars: f32, write partials: f32,
    }
}

/// Room for partial results.
pub struct Measurement {
    partials: Buf<f32>,
}

/// Sums over all fluid cells.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Largest speed at a centre, m/s.
    pub max_speed: f64,
    /// Σ |u|², m²/s².
    pub speed2: f64,
    /// Largest divergence, 1/s.
    pub max_divergence: f64,
    /// Σ (∇·u)², 1/s².
    pub divergence2: f64,
    /// Σ of red, green, blue and temperature.
    pub scalars: [f64; 4],
    /// Fluid cells.
    pub cells: f64,
    /// Σ u along x and y, m/s.
    pub velocity: [f64; 2],
}

impl Measurement {
    /// Makes room.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn new(dev: &mut Device) -> Result<Self> {
        Ok(Self {
            partials: dev.buf("partial measures", PARTIALS * VALUES)?,
        })
    }

    /// Measures, after the work so far.
    pub fn totals(
        &mut self,
        dev: &mut Device,
        at: Lattice,
        h: f32,
        stencil: &Buf<u32>,
        u: &Buf<f32>,
        v: &Buf<f32>,
        scalars: &Buf<f32>,
    ) -> Ticket<Totals> {
        dev.run(
            [PARTIALS as u32, 1, 1],
            Measure {
                at,
                per_cell: Factor { value: 1.0 / h },
                stencil,
                u,
                v,
                scalars,
                partials: &mut self.partials,
            },
        );
        dev.read_later(&self.partials)
            .map(|partials| sum(&partials))
    }
}

/// Puts partial results together.
fn sum(partials: &[f32]) -> Totals {
    let mut all = Totals::default();
    for p in partials.chunks_exact(VALUES) {
        let p: [f64; VALUES] = std::array::from_fn(|i| f64::from(p[i]));
        all.max_speed = larger(all.max_speed, p[0]);
        all.speed2 += p[1];
        all.max_divergence = larger(all.max_divergence, p[2]);
        all.divergence2 += p[3];
        all.scalars = std::array::from_fn(|i| all.scalars[i] + p[4 + i]);
        all.cells += p[8];
        all.velocity = [all.velocity[0] + p[9], all.velocity[1] + p[10]];
    }
    all.max_speed = all.max_speed.sqrt();
    all
}

/// The larger one; what is not a number wins.
fn larger(a: f64, b: f64) -> f64 {
    if b <= a || a.is_nan() { a } else { b }
}

/// The larger one; what is not a number stays.
#[inline]
fn worst(a: f32, b: f32) -> f32 {
    if b <= a || a.is_nan() { a } else { b }
}

/// Partial results that one task takes; neighbours in memory.
const LANES: usize = 128;

fn measure(
    _: &Cpu,
    _: [u32; 3],
    at: &Lattice,
    per_cell: &Factor,
    stencil: &[u32],
    u: &[f32],
    v: &[f32],
    scalars: &[f32],
    partials: &mut [f32],
) {
    let nx = at.size[0] as usize;
    let n = nx * at.size[1] as usize;
    let of_cell = |k: usize, sums: &mut [f32]| {
        if stencil[k] & UNKNOWN == 0 {
            return;
        }
        let (i, j) = (k % nx, k / nx);
        let (left, right) = (u[j * (nx + 1) + i], u[j * (nx + 1) + i + 1]);
        let (low, high) = (v[k], v[k + nx]);
        let (x, y) = (0.5 * (left + right), 0.5 * (low + high));
        let speed2 = x * x + y * y;
        let divergence = per_cell.value * ((right - left) + (high - low));
        sums[0] = worst(sums[0], speed2);
        sums[1] += speed2;
        sums[2] = worst(sums[2], divergence.abs());
        sums[3] += divergence * divergence;
        for c in 0..4 {
            sums[4 + c] += scalars[4 * k + c];
        }
        sums[8] += 1.0;
        sums[9] += x;
        sums[10] += y;
    };
    partials
        .par_chunks_mut(LANES * VALUES)
        .enumerate()
        .for_each(|(task, partials)| {
            partials.fill(0.0);
            for base in (task * LANES..n).step_by(PARTIALS) {
                for (lane, sums) in partials.chunks_exact_mut(VALUES).enumerate() {
                    if base + lane < n {
                        of_cell(base + lane, sums);
                    }
                }
            }
        });
}
