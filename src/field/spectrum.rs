//! How much of a field is in long waves and how much in short ones.
//!
//! 1. The cosine transform of the field (DCT-II along each axis, orthonormal): as if it were mirrored at its edges, so that
//!    an edge is no wave.
//! 2. The coefficient (kx, ky) is a wave of 1/√((kx/2nx)² + (ky/2ny)²) cells. Those of an octave are taken together: by
//!    Parseval's identity the squares of all octaves add up to that of the field without its mean.

use rustdct::DctPlanner;

use super::FieldData;

/// Waves between two lengths, the longer one twice the shorter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Octave {
    /// The length in the middle of the octave, in cells.
    pub wavelength: f64,
    /// Root mean square of what these waves make of the field, in its unit.
    pub rms: f64,
}

/// The octaves of the first component of a field, the shortest waves first; of the middle layer in 3D. Empty where a value
/// is not finite.
pub fn spectrum(field: &FieldData) -> Vec<Octave> {
    let [nx, ny, nz] = field.grid.cells.map(|n| n.max(1) as usize);
    let components = field.desc.components.max(1) as usize;
    let layer = nx * ny * components;
    let from = layer * (nz / 2);
    let Some(values) = field.data.get(from..from + layer) else {
        return Vec::new();
    };
    let mut values: Vec<f64> = values
        .iter()
        .step_by(components)
        .map(|v| f64::from(*v))
        .collect();
    if values.iter().any(|v| !v.is_finite()) {
        return Vec::new();
    }
    transform(&mut values, nx);
    let mut across = turned(&values, nx, ny);
    transform(&mut across, ny);
    octaves(&across, [nx, ny])
}

/// The orthonormal DCT-II of each row of `n` values.
fn transform(values: &mut [f64], n: usize) {
    let plan = DctPlanner::new().plan_dct2(n);
    let scale = (2.0 / n as f64).sqrt();
    for row in values.chunks_exact_mut(n) {
        plan.process_dct2(row);
        row.iter_mut().for_each(|v| *v *= scale);
        row[0] *= std::f64::consts::FRAC_1_SQRT_2;
    }
}

/// Columns as rows.
fn turned(values: &[f64], nx: usize, ny: usize) -> Vec<f64> {
    let column = |i: usize| (0..ny).map(move |j| values[j * nx + i]);
    (0..nx).flat_map(column).collect()
}

/// Coefficients by octave; `across` has a row for each kx.
fn octaves(across: &[f64], [nx, ny]: [usize; 2]) -> Vec<Octave> {
    let mut sums: Vec<f64> = Vec::new();
    for (kx, row) in across.chunks_exact(ny).enumerate() {
        for (ky, value) in row.iter().enumerate() {
            let (fx, fy) = (kx as f64 / (2 * nx) as f64, ky as f64 / (2 * ny) as f64);
            let frequency = fx.hypot(fy);
            if frequency == 0.0 {
                continue;
            }
            // Along a diagonal waves can be shorter than two cells; one of exactly a power of two is the shortest of its octave.
            let octave = ((1.0 / frequency).log2() + 1e-9).max(1.0) as usize - 1;
            if sums.len() <= octave {
                sums.resize(octave + 1, 0.0);
            }
            sums[octave] += value * value;
        }
    }
    let cells = (nx * ny) as f64;
    let octave = |(i, sum): (usize, f64)| Octave {
        wavelength: 2.0_f64.powf(i as f64 + 1.5),
        rms: (sum / cells).sqrt(),
    };
    sums.into_iter().enumerate().map(octave).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::field::{FieldDesc, Grid, RangeHint};

    fn field(cells: [u32; 3], value: impl Fn(usize, usize) -> f32) -> FieldData {
        let [nx, ny, _] = cells.map(|n| n as usize);
        FieldData {
            desc: FieldDesc {
                name: "residual",
                label: "Residual",
                unit: "1/s",
                components: 1,
                range: RangeHint::Signed,
            },
            grid: Grid { cells, h: 1.0 },
            data: (0..nx * ny).map(|c| value(c % nx, c / nx)).collect(),
        }
    }

    #[test]
    fn a_wave_is_found_at_its_length_with_its_strength() {
        // kx = 8 of 64 cells: a wave of 16 cells, which is the fourth octave's shortest.
        let wave = |i: usize, _: usize| {
            3.0 * (std::f32::consts::PI * 8.0 * (i as f32 + 0.5) / 64.0).cos() + 5.0
        };
        let found = spectrum(&field([64, 48, 1], wave));
        let strongest = found.iter().max_by(|a, b| a.rms.total_cmp(&b.rms)).unwrap();
        assert!((11.0..32.0).contains(&strongest.wavelength), "{found:?}");
        assert!(
            (strongest.rms - 3.0 / 2f64.sqrt()).abs() < 1e-5,
            "{found:?}"
        );
        let rest: f64 = found.iter().map(|o| o.rms).sum::<f64>() - strongest.rms;
        assert!(rest < 1e-5, "{found:?}");
    }

    #[test]
    fn octaves_add_up_to_the_field_without_its_mean() {
        let noise = |i: usize, j: usize| ((i * 7919 + j * 104_729) % 1000) as f32 * 1e-3;
        let field = field([37, 81, 1], noise);
        let found = spectrum(&field);
        let n = field.data.len() as f64;
        let mean = field.data.iter().map(|v| f64::from(*v)).sum::<f64>() / n;
        let whole: f64 = field
            .data
            .iter()
            .map(|v| (f64::from(*v) - mean).powi(2))
            .sum();
        let sum: f64 = found.iter().map(|o| o.rms * o.rms).sum();
        assert!((sum / (whole / n) - 1.0).abs() < 1e-9);
        assert!(
            found
                .windows(2)
                .all(|w| w[1].wavelength == 2.0 * w[0].wavelength)
        );
    }

    #[test]
    fn what_is_no_number_has_no_spectrum() {
        assert!(spectrum(&field([8, 8, 1], |_, _| f32::NAN)).is_empty());
        assert!(spectrum(&field([1, 1, 1], |_, _| 1.0)).is_empty());
    }
}
