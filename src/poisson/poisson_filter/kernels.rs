//! The passes as a GPU does them, with plain twins. On the CPU a solve goes by `rows` instead, which begins with the slowest axis
//! and keeps nothing between the passes.

use rayon::prelude::*;

use super::filters::LANES;
use super::sides::{NEGATIVE, NOTHING};
use crate::device::{Cpu, Kernel, KernelInfo};
use crate::poisson::UNKNOWN;

crate::shared! {
    /// What a pass does.
    pub struct FilterU {
        /// Cells along x, y, z; places beyond each side in the table of places.
        pub cells: [u32; 4],
        /// Taps on each side.
        pub radius: u32,
        /// Vectors of filters.
        pub groups: u32,
        /// The first vector that is applied to the second input.
        pub split: u32,
        /// Along y (1) or z (2).
        pub axis: u32,
        /// Where the taps begin.
        pub bank: u32,
        /// Whether x is made, or the vectors are passed on.
        pub last: u32,
        /// Times x before.
        pub keep: f32,
        /// Times the first input at the cell itself.
        pub centre: f32,
        /// Times what comes of all of it but x.
        pub weight: f32,
        /// Nothing.
        pub pad0: f32,
        /// Nothing.
        pub pad1: f32,
        /// Nothing.
        pub pad2: f32,
    }
}

crate::kernel! {
    /// Four filters along x to a vector: (places, taps, first and second input) → vectors.
    pub FilterRows = "poisson/poisson_filter/rows.wgsl", filter_rows {
        uniform plan: FilterU, read places: u32, read taps: [f32; 4], read first: f32, read second: f32, write vectors: [f32; 4],
    }
}

crate::kernel! {
    /// The filters along y or z, at last added up: (places, taps, vectors, first input, stencil) → vectors or x.
    pub FilterColumns = "poisson/poisson_filter/columns.wgsl", filter_columns {
        uniform plan: FilterU, read places: u32, read taps: [f32; 4], read vectors: [f32; 4], read first: f32, read stencil: u32,
        write passed: [f32; 4], write x: f32,
    }
}

crate::kernel! {
    /// A whole kernel, not separated: (places, octant, input, stencil) → x.
    pub FilterWhole = "poisson/poisson_filter/whole.wgsl", filter_whole {
        uniform plan: FilterU, read places: u32, read octant: f32, read first: f32, read stencil: u32, write x: f32,
    }
}

/// All of them.
pub const KERNELS: &[KernelInfo] = &[FilterRows::INFO, FilterColumns::INFO, FilterWhole::INFO];

impl FilterU {
    pub(super) fn dims(&self) -> [usize; 3] {
        [0, 1, 2].map(|a| self.cells[a] as usize)
    }

    /// The places of an axis, beginning with that of cell −`radius`, if there are `radius` taps on each side.
    pub(super) fn places<'a>(&self, all: &'a [u32], axis: usize, radius: usize) -> &'a [u32] {
        let pad = self.cells[3] as usize;
        let before: usize = (0..axis).map(|a| self.cells[a] as usize + 2 * pad).sum();
        &all[before + pad - radius..][..self.cells[axis] as usize + 2 * radius]
    }

    /// What is made of a cell.
    #[inline(always)]
    pub(super) fn result(&self, x: f32, first: f32, sum: f32) -> f32 {
        let new = self.weight * (self.centre * first + sum);
        if self.keep == 0.0 {
            new
        } else {
            self.keep * x + new
        }
    }
}

/// What is seen at a place, `value` being that of a cell.
#[inline(always)]
pub(super) fn seen(place: u32, value: impl Fn(usize) -> f32) -> f32 {
    if place == NOTHING {
        return 0.0;
    }
    let value = value((place & !NEGATIVE) as usize - 1);
    if place & NEGATIVE == 0 { value } else { -value }
}

fn filter_rows(
    _: &Cpu,
    _: [u32; 3],
    plan: &FilterU,
    places: &[u32],
    taps: &[[f32; 4]],
    first: &[f32],
    second: &[f32],
    vectors: &mut [[f32; 4]],
) {
    let [nx, ny, nz] = plan.dims();
    let (radius, cells) = (plan.radius as usize, nx * ny * nz);
    let places = plan.places(places, 0, radius);
    let rows = vectors[..cells * plan.groups as usize].par_chunks_mut(nx);
    rows.enumerate().for_each(|(row, out)| {
        let (group, row) = (row / (ny * nz), row % (ny * nz));
        let input = if group < plan.split as usize {
            first
        } else {
            second
        };
        let input = &input[row * nx..][..nx];
        let taps = &taps[plan.bank as usize + group * (radius + 1)..][..=radius];
        for (i, out) in out.iter_mut().enumerate() {
            let at = |p: usize| seen(places[p], |c| input[c]);
            *out = taps[0].map(|w| w * at(i + radius));
            for (k, w) in taps.iter().enumerate().skip(1) {
                let pair = at(i + radius - k) + at(i + radius + k);
                for lane in 0..LANES {
                    out[lane] += w[lane] * pair;
                }
            }
        }
    });
}

fn filter_columns(
    _: &Cpu,
    _: [u32; 3],
    plan: &FilterU,
    places: &[u32],
    taps: &[[f32; 4]],
    vectors: &[[f32; 4]],
    first: &[f32],
    stencil: &[u32],
    passed: &mut [[f32; 4]],
    x: &mut [f32],
) {
    let [nx, ny, nz] = plan.dims();
    let (radius, cells, axis) = (plan.radius as usize, nx * ny * nz, plan.axis as usize);
    let stride = if axis == 1 { nx } else { nx * ny };
    let places = plan.places(places, axis, radius);
    let filtered = |group: usize, c: usize| {
        let vectors = &vectors[group * cells..][..cells];
        let taps = &taps[plan.bank as usize + group * (radius + 1)..][..=radius];
        let along = c / stride % plan.cells[axis] as usize;
        let at = |p: usize, lane: usize| {
            seen(places[p], |a| {
                vectors[c - along * stride + a * stride][lane]
            })
        };
        std::array::from_fn::<f32, LANES, _>(|lane| {
            let centre = taps[0][lane] * at(along + radius, lane);
            let pairs = taps.iter().enumerate().skip(1);
            pairs.fold(centre, |sum, (k, w)| {
                sum + w[lane] * (at(along + radius - k, lane) + at(along + radius + k, lane))
            })
        })
    };
    let groups = plan.groups as usize;
    if plan.last == 0 {
        let all = passed[..cells * groups].par_iter_mut().enumerate();
        all.for_each(|(c, out)| *out = filtered(c / cells, c % cells));
        return;
    }
    x[..cells].par_iter_mut().enumerate().for_each(|(c, x)| {
        let mut sum = 0.0;
        for group in 0..groups {
            let [p, q, r, s] = filtered(group, c);
            sum += ((p + q) + r) + s;
        }
        *x = if stencil[c] & UNKNOWN == 0 {
            0.0
        } else {
            plan.result(*x, first[c], sum)
        };
    });
}

fn filter_whole(
    _: &Cpu,
    _: [u32; 3],
    plan: &FilterU,
    places: &[u32],
    octant: &[f32],
    first: &[f32],
    stencil: &[u32],
    x: &mut [f32],
) {
    let [nx, ny, nz] = plan.dims();
    let (radius, side) = (plan.radius as usize, plan.radius as usize + 1);
    let deep = if nz > 1 { radius } else { 0 };
    let [along, up, out] = [0, 1, 2].map(|axis| plan.places(places, axis, radius));
    let begin = || (vec![0.0; nx + 2 * radius], vec![0.0; nx]);
    let rows = x[..nx * ny * nz].par_chunks_mut(nx).enumerate();
    rows.for_each_init(begin, |(line, sum), (row, x)| {
        let (j, k) = (row % ny, row / ny);
        sum.fill(0.0);
        for (dk, dj) in (0..=2 * deep).flat_map(|dk| (0..=2 * radius).map(move |dj| (dk, dj))) {
            let (oj, ok) = (dj.abs_diff(radius), dk.abs_diff(deep));
            let Some(reach) = radius.checked_sub(oj + ok) else {
                continue;
            };
            let layer = seen_cell(out[k + dk + radius - deep]);
            let (Some((layer, s)), Some((up, t))) = (layer, seen_cell(up[j + dj])) else {
                continue;
            };
            let input = &first[(layer * ny + up) * nx..][..nx];
            for (line, place) in line.iter_mut().zip(along) {
                *line = s * t * seen(*place, |c| input[c]);
            }
            let taps = &octant[plan.bank as usize + (ok * side + oj) * side..][..=reach];
            whole_row(line, taps, radius, sum);
        }
        let (codes, input) = (&stencil[row * nx..][..nx], &first[row * nx..][..nx]);
        for (((x, code), sum), first) in x.iter_mut().zip(codes).zip(sum).zip(input) {
            *x = if code & UNKNOWN == 0 {
                0.0
            } else {
                plan.result(*x, *first, *sum)
            };
        }
    });
}

/// The cell that is seen at a place, and its sign.
#[inline(always)]
pub(super) fn seen_cell(place: u32) -> Option<(usize, f32)> {
    let sign = if place & NEGATIVE == 0 { 1.0 } else { -1.0 };
    (place != NOTHING).then(|| ((place & !NEGATIVE) as usize - 1, sign))
}

crate::simd_fn! {
    /// Adds a row of the kernel, its taps in pairs, to the sums of a row of cells.
    fn whole_row(line: &[f32], taps: &[f32], radius: usize, sum: &mut [f32]) {
        let n = sum.len();
        for (sum, line) in sum.iter_mut().zip(&line[radius..]) {
            *sum += taps[0] * line;
        }
        for (k, w) in taps.iter().enumerate().skip(1) {
            let (left, right) = (&line[radius - k..][..n], &line[radius + k..][..n]);
            for i in 0..n {
                sum[i] += w * (left[i] + right[i]);
            }
        }
    }
}
