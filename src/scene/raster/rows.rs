//! What the twins share: which samples an item can reach, and where samples lie.

use std::ops::Range;

use super::RasterU;
use crate::field::Grid;
use crate::scene::ObstacleU;

/// Samples that are handled at once.
pub const BLOCK: usize = 128;

/// The samples along each axis that a bounding box can hold, and perhaps some more.
pub struct Reach {
    x: Range<usize>,
    y: Range<usize>,
    z: Range<usize>,
}

impl Reach {
    pub fn new(raster: &RasterU, low: &[f32; 4], high: &[f32; 4]) -> Self {
        let along = |axis: usize| {
            range(
                low[axis],
                high[axis],
                raster.h,
                raster.offset[axis],
                raster.dims[axis],
            )
        };
        let z = if raster.flat_z != 0 {
            0..raster.dims[2] as usize
        } else {
            along(2)
        };
        Self {
            x: along(0),
            y: along(1),
            z,
        }
    }

    /// The samples of a row, if it can be reached.
    pub fn in_row(&self, row: &Row) -> Option<Range<usize>> {
        (self.y.contains(&row.j) && self.z.contains(&row.k) && !self.x.is_empty())
            .then(|| self.x.clone())
    }
}

fn range(low: f32, high: f32, h: f32, offset: f32, n: u32) -> Range<usize> {
    // Casts saturate, so that a box far away or without end is no problem.
    let first = (low / h - offset).floor() as usize;
    let last = ((high / h - offset).ceil().max(-1.0) + 1.0) as usize;
    let n = n as usize;
    first.min(n)..last.min(n).max(first.min(n))
}

/// Cells that hold all obstacles: the first, and one past the last, along each axis.
pub fn union_box(grid: &Grid, obstacles: &[ObstacleU]) -> [[u32; 3]; 2] {
    let (mut first, mut last) = (grid.cells, [0; 3]);
    for o in obstacles {
        for (axis, n) in grid.cells.into_iter().enumerate() {
            let r = range(o.place.low[axis], o.place.high[axis], grid.h, 0.5, n);
            first[axis] = first[axis].min(r.start as u32);
            last[axis] = last[axis].max(r.end as u32);
        }
    }
    [first, last]
}

/// A row of samples along x.
#[derive(Clone, Copy)]
pub struct Row {
    pub j: usize,
    pub k: usize,
    /// Position of the row, m.
    pub y: f32,
    pub z: f32,
    h: f32,
    offset: f32,
}

impl Row {
    /// Row `index` of all rows, y before z.
    pub fn new(raster: &RasterU, index: usize) -> Self {
        let rows = (raster.dims[1] as usize).max(1);
        let (j, k) = (index % rows, index / rows);
        Self {
            j,
            k,
            y: (j as f32 + raster.offset[1]) * raster.h,
            z: if raster.flat_z != 0 {
                0.0
            } else {
                (k as f32 + raster.offset[2]) * raster.h
            },
            h: raster.h,
            offset: raster.offset[0],
        }
    }

    /// Position of sample `i`, m.
    #[inline(always)]
    pub fn point(&self, i: usize) -> [f32; 3] {
        // Through i32: that conversion is one instruction for eight numbers.
        [(i as i32 as f32 + self.offset) * self.h, self.y, self.z]
    }
}
