//! The range of values that a colour map spans.

use super::colormap;
use crate::document::{ColorMap, ViewSettings};
use crate::field::{FieldData, RangeHint};

/// Values that are looked at; more are sampled evenly.
const SAMPLES: usize = 1 << 15;
/// Share of the values that may lie beyond either end.
const BEYOND: f32 = 0.004;

/// Values at the two ends of the colour map, in the field's unit: those of the settings, or, where these follow the field,
/// a range that holds all but a few outliers, rounded outwards so that it does not tremble from frame to frame. Fields of
/// both signs get a range that is symmetric about zero. The first is always less than the second.
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
        .map(|cell| {
            let v = &field.data[cell * n..(cell + 1) * n];
            match (v, field.desc.range) {
                ([v], _) => *v,
                ([r, g, b], RangeHint::Color) => luminance([*r, *g, *b]),
                (v, _) => v.iter().map(|x| x * x).sum::<f32>().sqrt(),
            }
        })
        .filter(|v| v.is_finite())
        .collect()
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
