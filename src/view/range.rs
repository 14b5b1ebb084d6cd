//! The range of values that a colour map spans.

use super::colormap;
use crate::document::{ColorMap, ViewSettings};
use crate::field::{FieldData, FieldDesc, RangeHint};

/// Values that are looked at; more are sampled evenly.
const SAMPLES: usize = 1 << 15;
/// Share of the values that may lie beyond either end.
const BEYOND: f32 = 0.004;

/// Values at the two ends of the colour map, in the field's unit: those of the settings, or, where these follow the field,
/// a range that holds all but a few outliers, rounded outwards so that it does not tremble from frame to frame. Fields of
/// both signs get a range that is symmetric about zero, and heights one that need not hold it. The first is always less than the second.
pub fn range(field: &FieldData, settings: &ViewSettings) -> [f32; 2] {
    if !settings.auto_range {
        let (a, b) = (settings.range_low, settings.range_high);
        if a.is_finite() && b.is_finite() {
            return if b > a {
                [a, b]
            } else {
                [a, a + 1e-6_f32.max(a.abs() * 1e-6)]
            };
        }
    }
    if field.desc.range == RangeHint::Unit {
        return [0.0, 1.0];
    }
    let mut values = sample(field);
    let Some((low, high)) = ends(&mut values) else {
        return [0.0, 1.0];
    };
    if field.desc.range == RangeHint::Signed && field.desc.components == 1 {
        let m = round_up(low.abs().max(high.abs()));
        return [-m, m];
    }
    if field.desc.range == RangeHint::Level {
        let step = round_up((high - low).max(1e-6 * low.abs())) / 10.0;
        let low = (low / step).floor() * step;
        return [low, ((high / step).ceil() * step).max(low + step)];
    }
    let least = if low < 0.0 { -round_up(-low) } else { 0.0 };
    [least, round_up(high.max(0.0))]
}

/// Finite values: scalars, lengths of vectors, luminance of colours.
fn sample(field: &FieldData) -> Vec<f32> {
    let n = field.desc.components.max(1) as usize;
    let cells = field.data.len() / n;
    let step = (cells / SAMPLES).max(1);
    (0..cells)
        .step_by(step)
        .map(|cell| measure(&field.desc, &field.data[cell * n..(cell + 1) * n]))
        .filter(|v| v.is_finite())
        .collect()
}

/// What the colours of a value stand for: a scalar itself, the length of a vector, the luminance of a colour, how far a
/// direction leans from the viewer.
pub fn measure(desc: &FieldDesc, values: &[f32]) -> f32 {
    match (values, desc.range) {
        ([v], _) => *v,
        ([r, g, b], RangeHint::Color) => luminance([*r, *g, *b]),
        // How far it leans from the viewer.
        ([x, y, _], RangeHint::Direction) => x.hypot(*y),
        (v, _) => v.iter().map(|x| x * x).sum::<f32>().sqrt(),
    }
}

/// How often values occur in a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// Values at the two ends.
    pub range: [f32; 2],
    /// Share of the cells for each stretch between the ends, from low to high.
    pub shares: Vec<f32>,
    /// Share of the cells below the low end, and above the high one.
    pub beyond: [f32; 2],
}

impl Histogram {
    /// Counts a field (large ones by evenly spaced samples) in so many stretches of a range.
    pub fn of(field: &FieldData, range: [f32; 2], stretches: usize) -> Self {
        let values = sample(field);
        let each = 1.0 / values.len().max(1) as f32;
        let (mut shares, mut beyond) = (vec![0.0; stretches.max(1)], [0.0; 2]);
        let [low, high] = range;
        for v in values {
            if v < low {
                beyond[0] += each;
            } else if v > high {
                beyond[1] += each;
            } else {
                let at = (v - low) / (high - low).max(f32::MIN_POSITIVE) * shares.len() as f32;
                let last = shares.len() - 1;
                shares[(at as usize).min(last)] += each;
            }
        }
        Self {
            range,
            shares,
            beyond,
        }
    }
}

fn ends(values: &mut [f32]) -> Option<(f32, f32)> {
    if values.is_empty() {
        return None;
    }
    let k = (values.len() as f32 * BEYOND) as usize;
    let last = values.len() - 1 - k;
    let low = *values.select_nth_unstable_by(k, f32::total_cmp).1;
    let high = *values.select_nth_unstable_by(last, f32::total_cmp).1;
    Some((low, high))
}

/// The next of 1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten; one for zero.
fn round_up(v: f32) -> f32 {
    if v <= 1e-20 {
        return 1.0;
    }
    let v = f64::from(v);
    let decade = 10_f64.powf(v.log10().floor());
    let steps = [1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    let step = steps
        .iter()
        .find(|&&s| s * decade >= v * 0.999)
        .unwrap_or(&10.0);
    (step * decade) as f32
}

/// Relative luminance of linear Rec. 709 colour.
pub(super) fn luminance([r, g, b]: [f32; 3]) -> f32 {
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// What stands beside the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Legend {
    /// The colour map, never `Auto`. `Hue` for a vector means direction as hue and length as brightness.
    pub map: ColorMap,
    /// Values at its ends.
    pub range: [f32; 2],
    /// Unit of these values.
    pub unit: &'static str,
}

/// The legend of a picture; none for dye that is shown in its own colours.
pub fn legend(field: &FieldData, settings: &ViewSettings) -> Option<Legend> {
    let own = field.desc.range == RangeHint::Color && field.desc.components >= 3;
    if own && settings.color_map == ColorMap::Auto {
        return None;
    }
    Some(Legend {
        map: colormap::resolve(settings.color_map, &field.desc),
        range: range(field, settings),
        unit: field.desc.unit,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Grid;

    #[test]
    fn every_cell_is_counted_once() {
        let field = FieldData {
            desc: FieldDesc {
                name: "heat",
                label: "Heat",
                unit: "K",
                components: 1,
                range: RangeHint::Signed,
            },
            grid: Grid {
                cells: [5, 2, 1],
                h: 1.0,
            },
            data: vec![-3.0, 0.0, 0.1, 1.0, 1.9, 2.0, 2.1, 0.5, 0.6, f32::NAN],
        };
        let histogram = Histogram::of(&field, [0.0, 2.0], 4);
        let counts: Vec<f32> = histogram.shares.iter().map(|s| (s * 9.0).round()).collect();
        assert_eq!(counts, [2.0, 2.0, 1.0, 2.0]);
        assert!(
            histogram
                .beyond
                .iter()
                .all(|b| (b * 9.0 - 1.0).abs() < 1e-5)
        );
        assert_eq!(measure(&field.desc, &[-3.0]), -3.0);
        let vector = FieldDesc {
            components: 2,
            ..field.desc
        };
        assert_eq!(measure(&vector, &[3.0, 4.0]), 5.0);
    }
}
