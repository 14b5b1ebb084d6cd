//! The ranges of a whole sequence: extremes per channel, and percentiles per group of channels.

use super::plan::OutputPlan;
use super::texels::Texels;
use crate::document::RangeMode;

/// Low bits of a float that a bucket of the histogram leaves out: buckets are 1/2048 of their value wide.
const BUCKET_SHIFT: u32 = 12;

/// Memory of one histogram.
pub const HISTOGRAM_BYTES: u64 = 8 << (31 - BUCKET_SHIFT);

/// Counts of magnitudes by their leading bits. Adding is exact, so the order in which frames come does not matter.
#[derive(Clone)]
struct Histogram {
    counts: Vec<u64>,
    total: u64,
}

impl Histogram {
    fn new() -> Self {
        Self {
            counts: vec![0; 1 << (31 - BUCKET_SHIFT)],
            total: 0,
        }
    }
    fn add(&mut self, magnitude: f32) {
        self.counts[(magnitude.max(0.0).to_bits() >> BUCKET_SHIFT) as usize] += 1;
        self.total += 1;
    }
    /// The least bucket end below which `percent` of all magnitudes lie.
    fn percentile(&self, percent: f32) -> f32 {
        let wanted = (self.total as f64 * f64::from(percent) / 100.0).ceil() as u64;
        let mut seen = 0;
        for (bucket, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return f32::from_bits(((bucket as u32 + 1) << BUCKET_SHIFT) - 1);
            }
        }
        0.0
    }
}

/// Extremes and, where a percentile is asked for, histograms of all frames.
pub struct Ranges {
    /// Least value of each channel.
    pub min: Vec<f32>,
    /// Greatest value of each channel.
    pub max: Vec<f32>,
    histograms: Vec<Histogram>,
}

impl Ranges {
    /// Of no frame yet.
    pub fn new(plan: &OutputPlan) -> Self {
        let groups = plan.groups.len();
        Self {
            min: vec![f32::INFINITY; plan.channels.len()],
            max: vec![f32::NEG_INFINITY; plan.channels.len()],
            histograms: if plan.range == RangeMode::Percentile {
                vec![Histogram::new(); groups]
            } else {
                Vec::new()
            },
        }
    }

    /// Takes a frame into account.
    pub fn add(&mut self, plan: &OutputPlan, texels: &Texels) {
        for texel in texels.data.chunks_exact(texels.channels) {
            for (c, v) in texel.iter().enumerate() {
                self.min[c] = self.min[c].min(*v);
                self.max[c] = self.max[c].max(*v);
            }
        }
        if self.histograms.is_empty() {
            return;
        }
        for (c, channel) in plan.channels.iter().enumerate() {
            let Some(group) = channel.group else { continue };
            let both = plan.groups[group].both_signs;
            let histogram = &mut self.histograms[group];
            for v in texels.data.iter().skip(c).step_by(texels.channels) {
                histogram.add(if both { v.abs() } else { *v });
            }
        }
    }

    /// Low and high end of a group: all channels that read the same field share one range, so that directions stay true.
    ///
    /// Both signs: −vmax to vmax. Between zero and one, and directions: just that. Heights: least to greatest. Others: zero (or
    /// the least value, where one is negative and it is not a colour) to the greatest value. Where there is no extent, one is used.
    pub fn of_group(&self, plan: &OutputPlan, group: usize) -> [f32; 2] {
        let kind = &plan.groups[group];
        let channels =
            || (0..plan.channels.len()).filter(|c| plan.channels[*c].group == Some(group));
        let mut low = channels()
            .map(|c| self.min[c])
            .fold(f32::INFINITY, f32::min);
        let mut high = channels()
            .map(|c| self.max[c])
            .fold(f32::NEG_INFINITY, f32::max);
        if plan.range == RangeMode::Fixed {
            [low, high] = plan.fixed;
        } else {
            if let Some(known) = kind.known {
                return known;
            }
            low = match (kind.color, kind.level) {
                (true, _) => 0.0,
                (_, true) => low,
                _ => low.min(0.0),
            };
        }
        let percentile = self
            .histograms
            .get(group)
            .map(|h| h.percentile(plan.percentile));
        if kind.both_signs {
            let vmax = low.abs().max(high.abs());
            let vmax = percentile.map_or(vmax, |p| p.min(vmax));
            let vmax = if vmax > 0.0 { vmax } else { 1.0 };
            return [-vmax, vmax];
        }
        let high = percentile.map_or(high, |p| p.min(high));
        if high > low {
            [low, high]
        } else {
            [low, low + 1.0]
        }
    }
}
