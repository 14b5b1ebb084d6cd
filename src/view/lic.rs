//! Line-integral convolution: noise smeared along the flow, so that its direction is seen everywhere at once (Cabral and
//! Leedom 1993, *Imaging vector fields using line integral convolution*).
//!
//! 1. The directions of the flow are sampled once a texel.
//! 2. From each texel a line is followed both ways, a texel a step, and the noise under it is added up.
//! 3. The weights are their windowed ripple, which moves along the line with the phase: streaks seem to run downstream.
//! 4. The sum is divided by its standard deviation, so that the contrast is the same for every phase.

use rayon::prelude::*;

use super::streams::Flow;

/// Steps each way.
const REACH: usize = 16;
/// Ripples along half of the line.
const RIPPLES: f32 = 1.0;
/// Below this share of the greatest speed streaks fade: there the direction means nothing.
const SLOW: f32 = 0.02;

/// Where streaks are wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    /// Column and row of the lower left texel, counted from the origin of the domain.
    pub first: [i32; 2],
    /// Edge of a texel, m.
    pub texel: f32,
    /// Texels along x and y.
    pub size: [usize; 2],
}

impl Patch {
    /// What covers a part of the domain, from its lower left to its upper right corner in metres, with about `most` texels.
    /// The texels of one edge length stand in one raster, so that the noise stays where it is when the part moves. None
    /// for a part without area.
    pub fn covering(low: [f32; 2], high: [f32; 2], most: f32) -> Option<Self> {
        let [w, h] = [high[0] - low[0], high[1] - low[1]];
        let least = (w * h / most).sqrt();
        if !(w > 0.0 && h > 0.0 && least.is_normal()) {
            return None;
        }
        // Lengths in steps of a half octave.
        let texel = ((least.log2() * 2.0).ceil() * 0.5).exp2();
        let first = low.map(|v| (v / texel).floor() as i32);
        let last = high.map(|v| (v / texel).ceil() as i32);
        let size = [0, 1].map(|k| last[k].saturating_sub(first[k]).clamp(1, 8192) as usize);
        Some(Self { first, texel, size })
    }

    /// The lower left and the upper right corner, m.
    pub fn corners(&self) -> [[f32; 2]; 2] {
        let at = |k: usize, n: i32| (self.first[k] + n) as f32 * self.texel;
        [
            [at(0, 0), at(1, 0)],
            [at(0, self.size[0] as i32), at(1, self.size[1] as i32)],
        ]
    }
}

/// The streaks, from −1 (dark) to 1 (light) and 0 where nothing flows; row 0 is at the top. The phase counts in periods.
pub fn streaks(flow: &Flow<'_>, patch: &Patch, phase: f32) -> Vec<f32> {
    let [nx, ny] = patch.size;
    let directions = directions(flow, patch);
    let weights = weights(phase);
    let norm = weights.iter().map(|w| w * w).sum::<f32>().sqrt().max(1e-6);
    let mut out = vec![0.0; nx * ny];
    out.par_chunks_mut(nx).enumerate().for_each(|(row, out)| {
        let j = ny - 1 - row;
        for (i, out) in out.iter_mut().enumerate() {
            let [.., sure] = directions[j * nx + i];
            if sure > 0.0 {
                let sum = convolved(patch, &directions, &weights, [i, j]);
                // Two standard deviations are as light, or dark, as it gets.
                *out = sure * (sum / (2.0 * norm)).clamp(-1.0, 1.0);
            }
        }
    });
    out
}

/// Of each texel the direction of the flow, and how much it means, from 0 to 1.
fn directions(flow: &Flow<'_>, patch: &Patch) -> Vec<[f32; 3]> {
    let nx = patch.size[0];
    let slow = (SLOW * flow.fastest()).max(f32::MIN_POSITIVE);
    let mut out = vec![[0.0; 3]; nx * patch.size[1]];
    out.par_chunks_mut(nx).enumerate().for_each(|(j, row)| {
        for (i, out) in row.iter_mut().enumerate() {
            let at = |k: usize, n: usize| (patch.first[k] as f32 + n as f32 + 0.5) * patch.texel;
            let Some([u, v]) = flow.at([at(0, i), at(1, j)]) else {
                continue;
            };
            let speed = u.hypot(v);
            if speed.is_normal() {
                let sure = (speed / slow).min(1.0);
                *out = [u / speed, v / speed, sure * sure];
            }
        }
    });
    out
}

/// The noise under the line through the middle of a texel.
fn convolved(
    patch: &Patch,
    directions: &[[f32; 3]],
    weights: &[f32; 2 * REACH + 1],
    [i, j]: [usize; 2],
) -> f32 {
    let [nx, ny] = patch.size;
    let mut sum = weights[REACH] * noise(patch, [i, j]);
    for sign in [1.0, -1.0] {
        let (mut x, mut y) = (i as f32 + 0.5, j as f32 + 0.5);
        let mut here = [i, j];
        for step in 1..=REACH {
            let [u, v, sure] = directions[here[1] * nx + here[0]];
            if sure == 0.0 {
                break;
            }
            (x, y) = (x + sign * u, y + sign * v);
            if !(x >= 0.0 && y >= 0.0 && x < nx as f32 && y < ny as f32) {
                break;
            }
            here = [x as usize, y as usize];
            let tap = if sign > 0.0 {
                REACH + step
            } else {
                REACH - step
            };
            sum += weights[tap] * noise(patch, here);
        }
    }
    sum
}

/// A ripple under a window. With the phase it moves upstream, and what is seen moves downstream.
fn weights(phase: f32) -> [f32; 2 * REACH + 1] {
    use std::f32::consts::PI;
    std::array::from_fn(|k| {
        let along = (k as f32 - REACH as f32) / (REACH as f32 + 1.0);
        let window = 0.5 + 0.5 * (PI * along).cos();
        let ripple = 0.5 + 0.5 * (2.0 * PI * (RIPPLES * along + phase)).cos();
        window * ripple
    })
}

/// White noise of mean zero and variance one.
fn noise(patch: &Patch, at: [usize; 2]) -> f32 {
    let [x, y] = [0, 1].map(|k| (patch.first[k].wrapping_add(at[k] as i32)) as u32);
    let mut h = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77);
    h = (h ^ (h >> 15)).wrapping_mul(0x2C1B_3C6D);
    h = (h ^ (h >> 12)).wrapping_mul(0x297A_2D39);
    h ^= h >> 15;
    // Evenly between ±√3.
    (h as f32 / u32::MAX as f32 - 0.5) * 12.0_f32.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::streams::tests::field;

    const PATCH: Patch = Patch {
        first: [0, 0],
        texel: 1.0 / 128.0,
        size: [128, 128],
    };

    fn streaks_of(velocity: impl Fn(f32, f32) -> [f32; 2], phase: f32) -> Vec<f32> {
        let field = field(64, velocity);
        let flow = Flow::new(&field).expect("two components");
        streaks(&flow, &PATCH, phase)
    }

    /// How much values are alike that lie so many texels apart; rows go down.
    fn alike(a: &[f32], b: &[f32], [dx, dy]: [usize; 2]) -> f32 {
        let (mut sum, mut squares) = (0.0, 0.0);
        for j in 20..100 {
            for i in 20..100 {
                sum += a[j * 128 + i] * b[(j + dy) * 128 + i + dx];
                squares += a[j * 128 + i] * a[j * 128 + i];
            }
        }
        sum / squares
    }

    #[test]
    fn streaks_lie_along_the_flow() {
        let along_x = streaks_of(|_, _| [2.0, 0.0], 0.0);
        assert!(alike(&along_x, &along_x, [3, 0]) > 0.6);
        assert!(alike(&along_x, &along_x, [0, 3]).abs() < 0.1);
        let along_y = streaks_of(|_, _| [0.0, -1.0], 0.0);
        assert!(alike(&along_y, &along_y, [0, 3]) > 0.6);
        assert!(alike(&along_y, &along_y, [3, 0]).abs() < 0.1);
    }

    #[test]
    fn the_phase_moves_them_downstream_and_comes_round() {
        let wind = |_: f32, _: f32| [1.0, 0.0];
        let [now, later] = [0.0, 0.2].map(|phase| streaks_of(wind, phase));
        let ahead = alike(&now, &later, [3, 0]);
        assert!(
            ahead > 0.8 && ahead > alike(&later, &now, [3, 0]) + 0.2,
            "{ahead}"
        );
        assert_eq!(now, streaks_of(wind, 0.0));
        let round = streaks_of(wind, 1.0);
        assert!(now.iter().zip(&round).all(|(a, b)| (a - b).abs() < 1e-3));
    }

    #[test]
    fn they_spread_evenly_and_fade_where_nothing_flows() {
        let all = streaks_of(|x, y| [-(y - 0.5), x - 0.5], 0.3);
        let mean = all.iter().sum::<f32>() / all.len() as f32;
        let spread = (all.iter().map(|v| v * v).sum::<f32>() / all.len() as f32).sqrt();
        assert!(
            mean.abs() < 0.05 && (0.35..0.55).contains(&spread),
            "{mean} {spread}"
        );
        let mid = 64 * 128 + 64;
        assert!(all[mid].abs() < 0.05);
        assert!(streaks_of(|_, _| [0.0, 0.0], 0.0).iter().all(|v| *v == 0.0));
        let broken = streaks_of(|_, _| [f32::NAN, 1.0], 0.0);
        assert!(broken.iter().all(|v| *v == 0.0));
    }

    #[test]
    fn noise_stays_in_its_place_when_the_part_moves() {
        let a = Patch::covering([0.0, 0.0], [1.0, 0.5], 1e4).expect("an area");
        let b = Patch::covering([0.25, 0.1], [1.25, 0.6], 1e4).expect("an area");
        assert_eq!(a.texel, b.texel);
        let n = a.size[0] * a.size[1];
        assert!((4_500..=10_500).contains(&n), "{n}");
        let shift = [0, 1].map(|k| (b.first[k] - a.first[k]) as usize);
        assert_eq!(noise(&a, shift), noise(&b, [0, 0]));
        let [low, high] = a.corners();
        assert!(low == [0.0, 0.0] && high[0] >= 1.0 && high[1] >= 0.5);
        for (low, high) in [
            ([0.0, 0.0], [0.0, 1.0]),
            ([0.0, 0.0], [f32::NAN, 1.0]),
            ([1.0, 1.0], [0.0, 0.0]),
        ] {
            assert_eq!(Patch::covering(low, high, 1e4), None);
        }
        assert!(
            Patch::covering([-1e30, 0.0], [1e30, 1e-3], 1e4).is_some_and(|p| p.size[0] <= 8192)
        );
    }
}
