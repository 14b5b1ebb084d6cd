//! How a strip keeps its rows.

use crate::device::Buf;

use super::rows::RowAt;
use super::stencil::BLOCK;

/// Numbers before the first row of a storage: a cell's left neighbour can be read even there.
const LEAD: usize = BLOCK;

/// Numbers of a page of 4 KiB.
const PAGE: usize = 1024;

/// Numbers by which the arrays of a strip are shifted against each other within a page. Where a row is written at the same
/// place in a page as another is read, processors take the read for one of what was just written, and wait.
const SKEW: usize = 17 * BLOCK;

/// Arrays that a strip has at most.
const MOST_ARRAYS: usize = 4;

/// The storage of a strip: rows of whole blocks. Where the x axis is periodic, a row is followed by the first of its
/// numbers and preceded by the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Storage {
    /// Rows of a layer: one in 2D.
    pub rows: usize,
    /// Numbers of a row.
    pub row: usize,
    /// Numbers from one row to the next.
    pub stride: usize,
    /// Whether the x axis is periodic.
    pub round: bool,
}

impl Storage {
    /// For rows of so many numbers.
    pub fn new(dims: [u32; 3], row: usize, round: bool) -> Self {
        Self {
            rows: if dims[2] > 1 { dims[1] as usize } else { 1 },
            row,
            stride: (row + if round { 2 } else { 0 }).next_multiple_of(BLOCK),
            round,
        }
    }
    /// Numbers to be asked for, for so many layers.
    pub fn len(&self, layers: usize) -> usize {
        self.body(layers) + PAGE + MOST_ARRAYS * SKEW
    }
    fn body(&self, layers: usize) -> usize {
        LEAD + layers * self.layer() + BLOCK
    }
    /// Numbers of a layer.
    pub fn layer(&self) -> usize {
        self.rows * self.stride
    }
    /// The parts of memories of [`Storage::len`] numbers that begin at lines of the cache, each at another place in a page.
    pub fn aligned<'a, const N: usize>(&self, memory: &'a mut [Buf<f32>; N]) -> [&'a mut [f32]; N] {
        let mut array = 0;
        memory.each_mut().map(|memory| {
            let memory = memory.host_mut();
            let skip = memory.as_ptr().align_offset(4 * PAGE).min(PAGE) + array * SKEW;
            array += 1;
            let end = memory.len() - MOST_ARRAYS * SKEW + array * SKEW;
            &mut memory[skip..end]
        })
    }
    /// Repeats the ends of the row that begins at `at` beyond each other, if the axis is periodic.
    #[inline(always)]
    pub fn close(&self, x: &mut [f32], at: usize) {
        if self.round {
            x[at - 1] = x[at + self.row - 1];
            x[at + self.row] = x[at];
        }
    }
    /// Copies a layer in.
    pub fn load(&self, x: &mut [f32], layer: usize, from: &[f32]) {
        for (j, from) in from.chunks_exact(self.row).enumerate() {
            let at = self.row_at(layer, j);
            x[at..at + self.row].copy_from_slice(from);
            self.close(x, at);
        }
    }
    /// Copies a layer out.
    pub fn save(&self, x: &[f32], layer: usize, to: &mut [f32]) {
        for (j, to) in to.chunks_exact_mut(self.row).enumerate() {
            let at = self.row_at(layer, j);
            to.copy_from_slice(&x[at..at + self.row]);
        }
    }
    /// Where row `j` of a layer begins.
    #[inline(always)]
    pub fn row_at(&self, layer: usize, j: usize) -> usize {
        LEAD + (layer * self.rows + j) * self.stride
    }
    /// Row `j` of the second of three layers that follow each other, when the neighbours of its first cell along x lie at
    /// `left` and `right` from it; it is written to the same row of layer `to`, and its right-hand side is that of layer
    /// `b`. In 2D there is nothing along z.
    #[inline(always)]
    pub fn around(
        &self,
        [before, layer, after]: [usize; 3],
        [to, b]: [usize; 2],
        j: usize,
        [left, right]: [isize; 2],
        three: bool,
    ) -> RowAt {
        let at = self.row_at(layer, j);
        let x = [left, right].map(|d| at.wrapping_add_signed(d));
        let near = if three {
            let below = if j == 0 { self.rows - 1 } else { j - 1 };
            let above = if j + 1 == self.rows { 0 } else { j + 1 };
            [
                x[0],
                x[1],
                self.row_at(layer, below),
                self.row_at(layer, above),
                self.row_at(before, j),
                self.row_at(after, j),
            ]
        } else {
            let (below, above) = (self.row_at(before, 0), self.row_at(after, 0));
            [x[0], x[1], below, above, at, at]
        };
        RowAt {
            at,
            near,
            to: self.row_at(to, j),
            b: self.row_at(b, j),
        }
    }
}
