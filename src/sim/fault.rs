//! What stops a simulation.

use crate::device::DeviceError;
use crate::field::Grid;

/// Beyond this many sub-steps a frame is refused: the parameters ask for something that would not end.
pub(super) const MOST_SUBSTEPS: u32 = 2000;

/// Why a simulation cannot go on.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Fault {
    /// The device failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// More memory is needed than may be taken without asking.
    #[error("{} MiB of memory are needed, and {} MiB may be taken without asking", needed.div_ceil(1 << 20), limit >> 20)]
    Memory {
        /// Bytes that the document needs, about.
        needed: u64,
        /// Bytes that may be taken.
        limit: u64,
    },
    /// A value is not finite.
    #[error("{field} is not a finite number{} in frame {frame}. Smaller forces, a lower CFL limit or what was there before the last change keep it finite", place(*cell))]
    NotFinite {
        /// Part of the state.
        field: String,
        /// Where; none for what is worked out from all cells.
        cell: Option<[u32; 3]>,
        /// When.
        frame: u32,
    },
    /// The method's stability limit asks for too many sub-steps.
    #[error(
        "one frame would need {needed:.0} sub-steps to stay stable, and at most {MOST_SUBSTEPS} are taken: {hint}"
    )]
    Unstable {
        /// Sub-steps that the limit asks for.
        needed: f32,
        /// What to change.
        hint: &'static str,
    },
    /// The scene cannot be evaluated: an image that cannot be read, say.
    #[error("{0}")]
    Scene(String),
    /// The caller asked to stop.
    #[error("cancelled")]
    Cancelled,
    /// A mistake in Eddy.
    #[error("internal error: {0}")]
    Internal(String),
}

/// The cell, or the face, to which one of `len` values belongs that stand on faces or, any number of them, in cells.
pub(super) fn cell_of(grid: &Grid, faces: Option<usize>, len: usize, index: usize) -> [u32; 3] {
    let dims = faces.map_or(grid.cells, |axis| grid.faces(axis));
    let places: usize = dims.iter().map(|n| *n as usize).product();
    let cell = index / (len / places.max(1)).max(1);
    let (nx, ny) = (dims[0].max(1) as usize, dims[1].max(1) as usize);
    [
        (cell % nx) as u32,
        (cell / nx % ny) as u32,
        (cell / (nx * ny)) as u32,
    ]
}

/// As in "at cell (3, 4, 0)".
fn place(cell: Option<[u32; 3]>) -> String {
    match cell {
        Some([i, j, k]) => format!(" at cell ({i}, {j}, {k})"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_belongs_to_its_cell_also_where_faces_of_both_kinds_are_as_many() {
        let grid = Grid {
            cells: [4, 4, 1],
            h: 1.0,
        };
        assert_eq!(cell_of(&grid, Some(0), 20, 3 * 5 + 2), [2, 3, 0]);
        assert_eq!(cell_of(&grid, Some(1), 20, 3 * 4 + 2), [2, 3, 0]);
        assert_eq!(cell_of(&grid, None, 64, 4 * (3 * 4 + 2) + 1), [2, 3, 0]);
        assert_eq!(cell_of(&grid, None, 1, 0), [0, 0, 0]);
    }
}
