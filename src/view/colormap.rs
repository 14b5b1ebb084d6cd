//! Colour maps, each a few points in OKLab (Ottosson 2020), so that even steps of a value are even steps to the eye.

use std::sync::OnceLock;

use crate::document::ColorMap;
use crate::field::{FieldDesc, RangeHint};

/// Entries of a table.
pub const ENTRIES: usize = 256;

/// A point of a map: lightness, chroma, hue in degrees.
type Point = [f32; 3];

// Hue runs from violet over blue and green to yellow while lightness climbs evenly.
const VIRIDIS: &[Point] = &[
    [0.26, 0.115, 315.0],
    [0.42, 0.115, 277.0],
    [0.58, 0.095, 225.0],
    [0.74, 0.145, 158.0],
    [0.92, 0.185, 106.0],
];
// From black over violet and red to pale yellow.
const INFERNO: &[Point] = &[
    [0.04, 0.01, 285.0],
    [0.25, 0.12, 304.0],
    [0.44, 0.17, 358.0],
    [0.63, 0.19, 396.0],
    [0.81, 0.16, 432.0],
    [0.97, 0.07, 464.0],
];
// Blue and red of the same lightness about a light grey. Chroma passes through zero, so the hue may jump there.
const COOL: &[Point] = &[
    [0.40, 0.16, 264.0],
    [0.66, 0.12, 258.0],
    [0.91, 0.005, 255.0],
];
const WARM: &[Point] = &[[0.91, 0.005, 40.0], [0.66, 0.14, 33.0], [0.40, 0.15, 24.0]];

/// The colour at `t` (0 to 1, clamped; not a number counts as 0): sRGB, each channel 0 to 1. `Auto` is Viridis.
pub fn sample(map: ColorMap, t: f32) -> [f32; 3] {
    let table = table(map);
    let x = if t.is_finite() {
        t.clamp(0.0, 1.0)
    } else {
        0.0
    } * (ENTRIES - 1) as f32;
    let i = (x as usize).min(ENTRIES - 2);
    let f = x - i as f32;
    std::array::from_fn(|c| table[i][c] * (1.0 - f) + table[i + 1][c] * f)
}

/// What `Auto` means for a field; any other map is kept.
pub fn resolve(map: ColorMap, desc: &FieldDesc) -> ColorMap {
    match (map, desc.range, desc.components) {
        (ColorMap::Auto, RangeHint::Color, _) => ColorMap::Viridis,
        (ColorMap::Auto, _, 2 | 3) => ColorMap::Hue,
        (ColorMap::Auto, RangeHint::Signed, _) => ColorMap::CoolWarm,
        (ColorMap::Auto, RangeHint::Unit, _) => ColorMap::Grey,
        (ColorMap::Auto, RangeHint::Positive, _) if desc.unit == "K" => ColorMap::Inferno,
        (ColorMap::Auto, RangeHint::Positive | RangeHint::Level | RangeHint::Direction, _) => {
            ColorMap::Viridis
        }
        (map, ..) => map,
    }
}

/// A strip of the map for a legend: `n` opaque colours from the low to the high end.
pub fn strip(map: ColorMap, n: usize) -> Vec<[u8; 4]> {
    (0..n)
        .map(|i| {
            let t = i as f32 / n.saturating_sub(1).max(1) as f32;
            let [r, g, b] = sample(map, t).map(|c| (c * 255.0 + 0.5) as u8);
            [r, g, b, 255]
        })
        .collect()
}

/// The hue of a direction at full brightness, sRGB: three cosines a third of a turn apart. Right is red.
pub fn direction([x, y]: [f32; 2]) -> [f32; 3] {
    let length = (x * x + y * y).sqrt().max(1e-20);
    let (x, y) = (x / length, y / length);
    [
        0.5 + 0.5 * x,
        0.5 + 0.5 * (-0.5 * x + 0.866_025_4 * y),
        0.5 + 0.5 * (-0.5 * x - 0.866_025_4 * y),
    ]
}

/// The entries of a map.
pub(super) fn table(map: ColorMap) -> &'static [[f32; 3]; ENTRIES] {
    static TABLES: OnceLock<[[[f32; 3]; ENTRIES]; 5]> = OnceLock::new();
    let tables = TABLES.get_or_init(|| {
        let fill = |f: &dyn Fn(f32) -> [f32; 3]| {
            std::array::from_fn(|i| f(i as f32 / (ENTRIES - 1) as f32))
        };
        [
            fill(&|t| oklch_to_srgb(along(VIRIDIS, t))),
            fill(&|t| oklch_to_srgb(along(INFERNO, t))),
            fill(&|t| {
                oklch_to_srgb(if t < 0.5 {
                    along(COOL, t * 2.0)
                } else {
                    along(WARM, t * 2.0 - 1.0)
                })
            }),
            fill(&|t| [t; 3]),
            fill(&|t| {
                direction([
                    (t * std::f32::consts::TAU).cos(),
                    (t * std::f32::consts::TAU).sin(),
                ])
            }),
        ]
    });
    &tables[match map {
        ColorMap::Auto | ColorMap::Viridis => 0,
        ColorMap::Inferno => 1,
        ColorMap::CoolWarm => 2,
        ColorMap::Grey => 3,
        ColorMap::Hue => 4,
    }]
}

/// Straight lines between the points, which are evenly spaced.
fn along(points: &[Point], t: f32) -> Point {
    let x = t.clamp(0.0, 1.0) * (points.len() - 1) as f32;
    let i = (x as usize).min(points.len() - 2);
    let f = x - i as f32;
    // A smooth curve through the points: the slopes are those of the neighbours.
    let p = |k: isize| points[(i as isize + k).clamp(0, points.len() as isize - 1) as usize];
    let (a, b, c, d) = (p(-1), p(0), p(1), p(2));
    std::array::from_fn(|k| {
        if k == 0 {
            // Lightness stays linear.
            return b[0] + (c[0] - b[0]) * f;
        }
        let (m0, m1) = ((c[k] - a[k]) * 0.5, (d[k] - b[k]) * 0.5);
        let (f2, f3) = (f * f, f * f * f);
        (2.0 * f3 - 3.0 * f2 + 1.0) * b[k]
            + (f3 - 2.0 * f2 + f) * m0
            + (3.0 * f2 - 2.0 * f3) * c[k]
            + (f3 - f2) * m1
    })
}

/// Less colourful where the screen cannot show it, so that lightness and hue stay.
fn oklch_to_srgb([l, chroma, hue]: Point) -> [f32; 3] {
    let (sin, cos) = hue.to_radians().sin_cos();
    let (mut low, mut high) = (0.0, chroma);
    let inside = |c: f32| {
        oklab_to_linear([l, c * cos, c * sin])
            .iter()
            .all(|&v| (-1e-4..=1.0001).contains(&v))
    };
    if !inside(chroma) {
        for _ in 0..16 {
            let middle = 0.5 * (low + high);
            *(if inside(middle) { &mut low } else { &mut high }) = middle;
        }
        high = low;
    }
    oklab_to_linear([l, high * cos, high * sin]).map(encode)
}

fn oklab_to_linear([l, a, b]: [f32; 3]) -> [f32; 3] {
    let l_ = (l + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m_ = (l - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s_ = (l - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    [
        4.076_741_7 * l_ - 3.307_711_6 * m_ + 0.230_969_94 * s_,
        -1.268_438 * l_ + 2.609_757_4 * m_ - 0.341_319_4 * s_,
        -0.004_196_086 * l_ - 0.703_418_6 * m_ + 1.707_614_7 * s_,
    ]
}

/// Linear light to the sRGB curve (IEC 61966-2-1).
fn encode(v: f32) -> f32 {
    let v = v.clamp(0.0, 1.0);
    if v <= 0.003_130_8 {
        12.92 * v
    } else {
        1.055 * v.powf(1.0 / 2.4) - 0.055
    }
}
