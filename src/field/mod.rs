//! Plain data: grids, and fields that have been read back from a device.

mod spectrum;
mod stats;

pub use spectrum::{Octave, spectrum};
pub use stats::{FieldStats, difference_l2, median};

/// A regular grid of square or cubic cells. A 2D grid has one layer.
///
/// Cell `(i, j, k)` has its centre at `((i+½)·h, (j+½)·h, (k+½)·h)`; arrays run x fastest, then y, then z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Cells along x, y and z.
    pub cells: [u32; 3],
    /// Edge of a cell, m.
    pub h: f32,
}

impl Grid {
    /// Number of cells.
    pub fn len(&self) -> usize {
        self.cells.iter().map(|&n| n as usize).product()
    }
    /// Whether it has no cell.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// 2 or 3.
    pub fn dim(&self) -> u32 {
        if self.cells[2] <= 1 { 2 } else { 3 }
    }
    /// Size in m.
    pub fn size(&self) -> [f32; 3] {
        self.cells.map(|n| n as f32 * self.h)
    }
    /// Number of MAC faces normal to `axis` along each axis: one more than cells along `axis` itself.
    pub fn faces(&self, axis: usize) -> [u32; 3] {
        let mut n = self.cells;
        n[axis] += 1;
        n
    }
    /// Number of MAC faces normal to `axis`.
    pub fn face_count(&self, axis: usize) -> usize {
        self.faces(axis).iter().map(|&n| n as usize).product()
    }
    /// Position of a cell in an array.
    pub fn index(&self, i: u32, j: u32, k: u32) -> usize {
        (k as usize * self.cells[1] as usize + j as usize) * self.cells[0] as usize + i as usize
    }
}

/// What the values of a field are likely to be, for the first choice of a colour map and its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeHint {
    /// From zero up: a sequential map.
    Positive,
    /// Both signs about zero: a diverging map.
    Signed,
    /// Between zero and one.
    Unit,
    /// Heights over a datum: of either sign, and zero means nothing. A sequential map from the lowest to the highest.
    Level,
    /// A direction: a vector of length one.
    Direction,
    /// Linear RGB, shown as it is.
    Color,
}

/// What a field is. Values are cell-centred and interleaved by component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldDesc {
    /// Snake case, as in documents.
    pub name: &'static str,
    /// As shown.
    pub label: &'static str,
    /// SI unit, or empty.
    pub unit: &'static str,
    /// Numbers a cell: 1 scalar, 2 or 3 vector or colour.
    pub components: u32,
    /// Likely values.
    pub range: RangeHint,
}

impl FieldDesc {
    /// In the order in which they stand above.
    pub const fn new(
        name: &'static str,
        label: &'static str,
        unit: &'static str,
        components: u32,
        range: RangeHint,
    ) -> Self {
        Self {
            name,
            label,
            unit,
            components,
            range,
        }
    }
}

/// A field as read back: `components` interleaved numbers for each cell of `grid`.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldData {
    /// What it is.
    pub desc: FieldDesc,
    /// Where it is.
    pub grid: Grid,
    /// `grid.len() · desc.components` values.
    pub data: Vec<f32>,
}
