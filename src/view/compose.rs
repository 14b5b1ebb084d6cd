//! Step 4: from cells to pixels. Twin of `shaders/view/stretch.wgsl` and `compose.wgsl`.

use rayon::prelude::*;

use super::cells::Planes;
use super::colormap::{ENTRIES, direction};
use super::look::{DIRECTION, Look, MAP};

/// Blur and sharpness of the cubic filter (B and C of Mitchell and Netravali 1988). Less blur shows stairs along
/// slanted edges, more takes the detail of single cells.
const B: f32 = 0.2;
const C: f32 = 0.4;

/// For each pixel of a line, the cells that it is made of and their weights, which add up to one.
struct Filter {
    taps: usize,
    cells: Vec<u32>,
    weights: Vec<f32>,
}

impl Filter {
    /// From `n` cells to `size` pixels. Where there are fewer pixels than cells, the filter widens to cover all cells.
    fn new(n: usize, size: usize) -> Self {
        let step = n as f32 / size as f32;
        let width = step.max(1.0);
        let taps = 2 * (2.0 * width).ceil() as usize;
        let (mut cells, mut weights) = (Vec::new(), Vec::new());
        for pixel in 0..size {
            let x = (pixel as f32 + 0.5) * step - 0.5;
            let first = x.floor() as i64 - taps as i64 / 2 + 1;
            let raw: Vec<f32> = (0..taps)
                .map(|k| cubic(((first + k as i64) as f32 - x) / width))
                .collect();
            let sum: f32 = raw.iter().sum();
            weights.extend(raw.iter().map(|w| w / sum));
            cells.extend((0..taps).map(|k| (first + k as i64).clamp(0, n as i64 - 1) as u32));
        }
        Self {
            taps,
            cells,
            weights,
        }
    }
}

fn cubic(x: f32) -> f32 {
    let x = x.abs();
    if x < 1.0 {
        ((12.0 - 9.0 * B - 6.0 * C) * x * x * x + (12.0 * B + 6.0 * C - 18.0) * x * x + 6.0
            - 2.0 * B)
            / 6.0
    } else if x < 2.0 {
        ((-B - 6.0 * C) * x * x * x + (6.0 * B + 30.0 * C) * x * x - (12.0 * B + 48.0 * C) * x
            + 8.0 * B
            + 24.0 * C)
            / 6.0
    } else {
        0.0
    }
}

/// The pixels, row 0 at the top.
pub fn compose(look: &Look, planes: &Planes, table: &[[f32; 3]; ENTRIES]) -> Vec<u8> {
    let [width, height] = look.size.map(|n| n as usize);
    let stretched = stretch(planes, width);
    let down = Filter::new(planes.height, height);
    let mut rgba = vec![255; 4 * width * height];
    rgba.par_chunks_mut(4 * width).enumerate().for_each_init(
        || vec![0.0_f32; look.planes() * width],
        |line, (row, to)| {
            let y = height - 1 - row;
            let taps = y * down.taps..(y + 1) * down.taps;
            for (k, line) in line.chunks_mut(width).enumerate() {
                line.fill(0.0);
                let plane = stretched.plane(k);
                for (&cell, &weight) in down.cells[taps.clone()]
                    .iter()
                    .zip(&down.weights[taps.clone()])
                {
                    let from = &plane[cell as usize * width..][..width];
                    line.iter_mut()
                        .zip(from)
                        .for_each(|(to, from)| *to += weight * from);
                }
            }
            pixels(look, line, table, row as u32, to);
        },
    );
    rgba
}

/// Interpolates along x, to `width` numbers a row.
fn stretch(planes: &Planes, width: usize) -> Planes {
    let filter = Filter::new(planes.width, width);
    let count = planes.data.len() / (planes.width * planes.height);
    let mut out = Planes::zeros(width, planes.height, count);
    out.data
        .par_chunks_mut(width)
        .zip(planes.data.par_chunks(planes.width))
        .for_each(|(to, from)| {
            let cells = filter.cells.chunks_exact(filter.taps);
            let weights = filter.weights.chunks_exact(filter.taps);
            for ((to, cells), weights) in to.iter_mut().zip(cells).zip(weights) {
                *to = cells
                    .iter()
                    .zip(weights)
                    .map(|(&c, w)| from[c as usize] * w)
                    .sum();
            }
        });
    out
}

/// One row: `line` holds its planes one after another.
fn pixels(look: &Look, line: &[f32], table: &[[f32; 3]; ENTRIES], row: u32, to: &mut [u8]) {
    let width = look.size[0] as usize;
    let fields = look.field_planes();
    let solid = look.planes() > fields;
    let edge = edge(look);
    for (x, to) in to.chunks_exact_mut(4).enumerate() {
        let at = |k: usize| line[k * width + x];
        let mut rgb = match look.mode {
            MAP => mapped(table, (at(0) - look.low) * look.inv_range),
            DIRECTION => turned([at(0), at(1)], look.inv_range),
            _ => [at(0), at(1), at(2)],
        };
        if solid {
            let cover = smooth_step((at(fields) - 0.5) / edge * 0.5 + 0.5);
            if cover > 0.0 {
                for (c, rgb) in rgb.iter_mut().enumerate() {
                    *rgb += cover * (at(fields + 1 + c) - *rgb);
                }
            }
        }
        let threshold = dither(x as u32, row);
        for (c, rgb) in rgb.iter().enumerate() {
            to[c] = (rgb.clamp(0.0, 1.0) * 255.0 + threshold) as u8;
        }
    }
}

/// Half the width of an obstacle's edge, as a share of its coverage: about a pixel.
fn edge(look: &Look) -> f32 {
    let cells_a_pixel = look.cells[0] as f32 / look.size[0] as f32;
    (0.6 * cells_a_pixel).clamp(0.06, 0.5)
}

fn smooth_step(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[inline]
fn mapped(table: &[[f32; 3]; ENTRIES], t: f32) -> [f32; 3] {
    let x = t.clamp(0.0, 1.0) * (ENTRIES - 1) as f32;
    let i = (x as usize).min(ENTRIES - 2);
    let f = x - i as f32;
    let (a, b) = (&table[i], &table[i + 1]);
    std::array::from_fn(|c| a[c] + f * (b[c] - a[c]))
}

#[inline]
fn turned(v: [f32; 2], inv_range: f32) -> [f32; 3] {
    let bright = ((v[0] * v[0] + v[1] * v[1]).sqrt() * inv_range)
        .clamp(0.0, 1.0)
        .sqrt();
    direction(v).map(|c| c * bright)
}

/// A threshold between 0 and 1 for each pixel, evenly spread over every neighbourhood: the fractional part of a plane of
/// slopes 1/ρ and 1/ρ², ρ the plastic number (Roberts 2018). Whole numbers, so that every machine agrees.
#[inline]
fn dither(x: u32, y: u32) -> f32 {
    let sum = x
        .wrapping_mul(3_242_174_889)
        .wrapping_add(y.wrapping_mul(2_447_445_414));
    ((sum >> 9) as f32 + 0.5) * (1.0 / 8_388_608.0)
}
