//! The box that a stencil is, or the smallest box that bounds it from above.
//!
//! Transforms solve a box: every cell an unknown, the same condition all over a side. Of any other system `A` this finds a box
//! `M` with `xᵀAx ≤ xᵀMx` for every x: a link that is missing in `A` is there in `M`, a side has the heaviest of its
//! conditions, and known values inside the box are covered by a shift. All eigenvalues of `M⁻¹A` then lie between 0 and 1,
//! so that `x += M⁻¹(b − Ax)` takes away a part of every error and adds to none.

use crate::poisson::stencil::{face, faces, plain_code};
use crate::poisson::{CLOSED, FACE, LINK, NODE, UNKNOWN};

/// What lies beyond an end of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Nothing.
    Closed,
    /// A known value half a cell away.
    Face,
    /// A known value a cell away.
    Node,
}

/// Both ends of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// The last cell is linked to the first.
    Periodic,
    /// The low end and the high one.
    Of(End, End),
}

impl Ends {
    pub const CLOSED: Self = Self::Of(End::Closed, End::Closed);
}

/// A box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bound {
    /// The ends of each axis.
    pub ends: [Ends; 3],
    /// What covers known values inside, to be added to the shift of the system.
    pub shift: f32,
    /// Whether the system is this box.
    pub exact: bool,
}

/// Cells of a side by their codes.
type Counts = [u32; 4];

impl Bound {
    /// Of a stencil with codes for each cell.
    pub fn of(dims: [u32; 3], stencil: &[u32]) -> Self {
        let mut look = Look {
            dims,
            counts: [[0; 4]; 6],
            full: true,
            heaviest: 0,
        };
        look.all(stencil);
        let mut exact = look.full;
        let ends = [0, 1, 2].map(|axis| {
            let (ends, same) = match axis {
                2 if dims[2] == 1 => (Ends::CLOSED, true),
                _ => bounding(look.counts[2 * axis], look.counts[2 * axis + 1]),
            };
            exact &= same;
            ends
        });
        Self {
            ends,
            shift: look.heaviest as f32,
            exact,
        }
    }
}

struct Look {
    dims: [u32; 3],
    /// For each side of the box.
    counts: [Counts; 6],
    /// Whether all cells are unknowns with links to all others beside them.
    full: bool,
    /// The largest weight that known values inside the box have in a cell.
    heaviest: u32,
}

impl Look {
    fn all(&mut self, stencil: &[u32]) {
        let [nx, ny, nz] = self.dims.map(|n| n as usize);
        let faces = faces(self.dims);
        let plain = plain_code(faces);
        let mask = UNKNOWN | ((1 << (2 * faces)) - 1);
        for (row, codes) in stencil.chunks_exact(nx).enumerate() {
            let (j, k) = (row % ny, row / ny);
            let inside = j > 0 && j + 1 < ny && (faces == 4 || k > 0 && k + 1 < nz);
            let middle = 1..nx.max(2) - 1;
            // Nearly all of a grid, at the speed of memory.
            let skip = inside && codes[middle.clone()].iter().all(|c| c & mask == plain);
            for i in (0..nx).filter(|i| !(skip && middle.contains(i))) {
                self.cell([i, j, k], codes[i], faces);
            }
        }
    }

    fn cell(&mut self, at: [usize; 3], code: u32, faces: u32) {
        if code & UNKNOWN == 0 {
            self.full = false;
            return;
        }
        let mut weight = 0;
        for f in 0..faces {
            let axis = f as usize / 2;
            let end = if f % 2 == 0 {
                0
            } else {
                self.dims[axis] as usize - 1
            };
            let behind = face(code, f);
            if at[axis] == end {
                self.counts[f as usize][behind as usize] += 1;
            } else {
                self.full &= behind == LINK;
                weight += match behind {
                    FACE => 2,
                    NODE => 1,
                    _ => 0,
                };
            }
        }
        self.heaviest = self.heaviest.max(weight);
    }
}

/// The ends that bound all cells of both sides of an axis, and whether they are those of all.
fn bounding(low: Counts, high: Counts) -> (Ends, bool) {
    let with = |code: u32| low[code as usize] + high[code as usize];
    if with(LINK) == 0 {
        let (low, low_same) = heaviest(low);
        let (high, high_same) = heaviest(high);
        return (Ends::Of(low, high), low_same && high_same);
    }
    match with(FACE) + with(NODE) {
        0 => (Ends::Periodic, with(CLOSED) == 0),
        // 2a² + 2b² is at least (a − b)²: known values at both faces bound a link, too.
        _ => (Ends::Of(End::Face, End::Face), false),
    }
}

/// The heaviest condition of a side, and whether it is that of all its cells.
fn heaviest(side: Counts) -> (End, bool) {
    let all: u32 = side.iter().sum();
    let (end, code) = match side.map(|n| n > 0) {
        [_, _, true, _] => (End::Face, FACE),
        [_, _, _, true] => (End::Node, NODE),
        _ => (End::Closed, CLOSED),
    };
    (end, side[code as usize] == all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Codes of a box with the given sides.
    fn codes(dims: [usize; 3], sides: [u32; 6]) -> Vec<u32> {
        let mut all = Vec::new();
        for c in 0..dims.iter().product() {
            let at = [c % dims[0], c / dims[0] % dims[1], c / (dims[0] * dims[1])];
            let mut code = UNKNOWN;
            for f in 0..6 {
                let end = if f % 2 == 0 { 0 } else { dims[f / 2] - 1 };
                code |= if at[f / 2] == end { sides[f] } else { LINK } << (2 * f);
            }
            all.push(code);
        }
        all
    }

    fn bound(dims: [usize; 3], codes: &[u32]) -> Bound {
        Bound::of(dims.map(|n| n as u32), codes)
    }

    #[test]
    fn boxes_are_what_they_are() {
        use End::{Closed, Face, Node};
        for dims in [[7, 5, 1], [4, 6, 5], [1, 3, 1], [2, 1, 2]] {
            let sides = [CLOSED, FACE, NODE, FACE, LINK, LINK];
            let found = bound(dims, &codes(dims, sides));
            let z = if dims[2] == 1 {
                Ends::CLOSED
            } else {
                Ends::Periodic
            };
            let ends = [Ends::Of(Closed, Face), Ends::Of(Node, Face), z];
            assert_eq!(
                found,
                Bound {
                    ends,
                    shift: 0.0,
                    exact: true
                },
                "{dims:?}"
            );
        }
    }

    #[test]
    fn all_else_is_bounded() {
        let dims = [7, 5, 1];
        let closed = [CLOSED; 6];
        let mut hole = codes(dims, closed);
        hole[17] = 0;
        assert_eq!(
            bound(dims, &hole),
            Bound {
                ends: [Ends::CLOSED; 3],
                shift: 0.0,
                exact: false
            }
        );
        // A missing link is no obstacle, but no box either.
        let mut cut = codes(dims, closed);
        cut[16] &= !(LINK << 2);
        cut[17] &= !LINK;
        assert!(!bound(dims, &cut).exact);
        // Two conditions on one side: the heavier bounds the other.
        let mut two = codes(dims, closed);
        two[0] |= NODE;
        let found = bound(dims, &two);
        assert_eq!(found.ends[0], Ends::Of(End::Node, End::Closed));
        two[7] |= FACE;
        assert_eq!(bound(dims, &two).ends[0], Ends::Of(End::Face, End::Closed));
        assert!(!found.exact);
        // Links across a side some of which is closed.
        let mut gap = codes(dims, [LINK, LINK, CLOSED, CLOSED, CLOSED, CLOSED]);
        gap[0] &= !LINK;
        gap[6] &= !(LINK << 2);
        assert_eq!(bound(dims, &gap).ends[0], Ends::Periodic);
        assert!(!bound(dims, &gap).exact);
        gap[0] |= NODE;
        assert_eq!(bound(dims, &gap).ends[0], Ends::Of(End::Face, End::Face));
        // Known values inside are covered by a shift.
        let mut known = codes(dims, closed);
        known[17] = UNKNOWN | FACE | NODE << 2 | LINK << 4 | LINK << 6;
        assert_eq!(bound(dims, &known).shift, 3.0);
    }
}
