//! Loops by tail blend, and how well the ends of time and space meet.
//!
//! N + B frames f are simulated after the warm-up. Then `out[k] = f[B + k]` for k < N − B, and for j in 0..B, with
//! `w = (j + 1) / (B + 1)`, `out[N − B + j] = (1 − w) · f[N + j] + w · f[j]`: the end fades into what led up to `out[0] = f[B]`.

use serde::{Deserialize, Serialize};

use super::channel::Source;
use super::plan::{LoopPlan, OutputPlan};
use super::texels::Texels;
use crate::document::VectorBlend;

/// The simulated frames that make up frame `k` of a loop of `n`: one, or two with the weight of the second.
pub fn parts(k: u32, n: u32, blend: u32) -> (u32, Option<(u32, f32)>) {
    let plain = n - blend.min(n);
    if k < plain {
        return (blend + k, None);
    }
    let j = k - plain;
    (n + j, Some((j, (j + 1) as f32 / (blend + 1) as f32)))
}

/// Fades from `a` to `b`. Scalars, colours and lengths are averaged, vectors joined by the rule.
pub fn fade(output: &OutputPlan, rule: LoopPlan, mut a: Texels, b: &Texels, w: f32) -> Texels {
    let (averaged, vectors) = split(output, rule.vectors);
    let n = a.channels;
    let mix = |a: f32, b: f32| (1.0 - w) * a + w * b;
    let length = |v: &[f32], set: &[usize]| set.iter().map(|&c| v[c] * v[c]).sum::<f32>().sqrt();
    for (a, b) in a.data.chunks_exact_mut(n).zip(b.data.chunks_exact(n)) {
        for &c in &averaged {
            a[c] = mix(a[c], b[c]);
        }
        for set in &vectors {
            let (long_a, long_b) = (length(a, set), length(b, set));
            let second = w * long_b > (1.0 - w) * long_a;
            if rule.vectors == VectorBlend::KeepLength {
                let sum: Vec<f32> = set.iter().map(|&c| mix(a[c], b[c])).collect();
                let (long, wanted) = (
                    sum.iter().map(|v| v * v).sum::<f32>().sqrt(),
                    mix(long_a, long_b),
                );
                // Where the two all but cancel there is no direction between them, and the stronger one stays.
                if long > 1e-3 * wanted {
                    for (&c, v) in set.iter().zip(sum) {
                        a[c] = v * (wanted / long);
                    }
                    continue;
                }
            }
            if second {
                for &c in set {
                    a[c] = b[c];
                }
            }
        }
    }
    a
}

/// Channels that are averaged, and sets of channels that make up a vector. Where the stronger vector is selected, its length
/// goes with it.
fn split(output: &OutputPlan, rule: VectorBlend) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut sets: Vec<(&str, Vec<usize>)> = Vec::new();
    let mut averaged = Vec::new();
    for (c, channel) in output.channels.iter().enumerate() {
        let whole = match rule {
            VectorBlend::Average => false,
            VectorBlend::KeepLength => matches!(channel.source, Source::Component(..)),
            VectorBlend::Select => true,
        };
        match channel.source.field() {
            Some(field) if whole && channel.source.is_vector() => {
                match sets.iter_mut().find(|s| s.0 == field.name) {
                    Some(set) => set.1.push(c),
                    None => sets.push((field.name, vec![c])),
                }
            }
            _ => averaged.push(c),
        }
    }
    (averaged, sets.into_iter().map(|s| s.1).collect())
}

/// How the jump from the last frame back to the first compares with the steps between frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SeamScore {
    /// Root mean square difference across the seam.
    pub seam: f32,
    /// Mean of the root mean square differences elsewhere.
    pub elsewhere: f32,
    /// Their ratio: about 1 is seamless, far above it is seen as a jump. Zero where nothing moves at all.
    pub ratio: f32,
}

impl SeamScore {
    fn new(seam: f64, elsewhere: f64) -> Self {
        Self {
            seam: seam as f32,
            elsewhere: elsewhere as f32,
            ratio: if elsewhere > 0.0 {
                (seam / elsewhere) as f32
            } else {
                0.0
            },
        }
    }
}

/// Watches frames go by and measures how well the last meets the first, and how well opposite edges meet.
#[derive(Default)]
pub struct SeamMeter {
    first: Option<Texels>,
    last: Option<Texels>,
    steps: Vec<f64>,
    /// Sums of squares and counts: across the edges and between neighbours inside, for x and y.
    space: [[(f64, u64); 2]; 2],
}

fn rms_difference(a: &Texels, b: &Texels) -> f64 {
    let sum: f64 = a
        .data
        .iter()
        .zip(&b.data)
        .map(|(a, b)| f64::from(a - b).powi(2))
        .sum();
    (sum / a.data.len().max(1) as f64).sqrt()
}

impl SeamMeter {
    /// Takes the next frame into account.
    pub fn add(&mut self, frame: Texels, periodic: [bool; 2]) {
        for (axis, periodic) in periodic.into_iter().enumerate() {
            if periodic {
                self.add_space(&frame, axis);
            }
        }
        if let Some(last) = &self.last {
            self.steps.push(rms_difference(last, &frame));
        }
        if self.first.is_none() {
            self.first = Some(frame.clone());
        }
        self.last = Some(frame);
    }

    fn add_space(&mut self, frame: &Texels, axis: usize) {
        let n = frame.channels;
        let (len, others) = if axis == 0 {
            (frame.width, frame.height)
        } else {
            (frame.height, frame.width)
        };
        let at = |i: u32, other: u32| {
            if axis == 0 {
                frame.at(i, other)
            } else {
                frame.at(other, i)
            }
        };
        for other in 0..others {
            for i in 0..len {
                let next = (i + 1) % len;
                let (a, b) = (at(i, other), at(next, other));
                let square: f64 = a.iter().zip(b).map(|(a, b)| f64::from(a - b).powi(2)).sum();
                let slot = &mut self.space[axis][usize::from(next != 0)];
                slot.0 += square;
                slot.1 += n as u64;
            }
        }
    }

    /// The seam in time; none for fewer than three frames.
    pub fn time(&self) -> Option<SeamScore> {
        let (first, last) = (self.first.as_ref()?, self.last.as_ref()?);
        if self.steps.len() < 2 {
            return None;
        }
        let mean = self.steps.iter().sum::<f64>() / self.steps.len() as f64;
        Some(SeamScore::new(rms_difference(last, first), mean))
    }

    /// The seam along an axis: neighbours across the edge against neighbours inside; none where it is not periodic.
    pub fn space(&self, axis: usize) -> Option<SeamScore> {
        let [edge, inside] = self.space[axis];
        let rms = |(sum, count): (f64, u64)| (sum / count.max(1) as f64).sqrt();
        (edge.1 > 0).then(|| SeamScore::new(rms(edge), rms(inside)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tail_leads_up_to_the_first_frame() {
        let (n, b) = (6, 2);
        assert_eq!(parts(0, n, b), (2, None));
        assert_eq!(parts(3, n, b), (5, None));
        assert_eq!(parts(4, n, b), (6, Some((0, 1.0 / 3.0))));
        assert_eq!(parts(5, n, b), (7, Some((1, 2.0 / 3.0))));
    }

    #[test]
    fn a_cosine_that_fits_has_no_seam_and_a_ramp_has_one() {
        let frame = |v: f32| Texels {
            width: 8,
            height: 1,
            channels: 1,
            data: (0..8)
                .map(|x| v + (x as f32 * std::f32::consts::TAU / 8.0).cos())
                .collect(),
        };
        let mut ramp = SeamMeter::default();
        let mut still = SeamMeter::default();
        for k in 0..5 {
            ramp.add(frame(k as f32), [true, false]);
            still.add(frame(0.0), [false; 2]);
        }
        let time = ramp.time().expect("five frames");
        assert!((time.ratio - 4.0).abs() < 1e-5, "{time:?}");
        let space = ramp.space(0).expect("periodic");
        assert!(space.ratio > 0.3 && space.ratio < 1.5, "{space:?}");
        assert_eq!(ramp.space(1), None);
        assert_eq!(still.time().expect("five frames").ratio, 0.0);
    }
}
