//! What a filter sees beyond the sides of the box: the box again, as in a mirror.
//!
//! A closed side shows it as it is. A value known on the side (zero) shows it with its sign changed, a value known one cell
//! further shows it so about that cell, and a periodic axis begins again. On what they show, sweeps with the same diagonal
//! everywhere do as they do in the box, so that their convolution is right up to the sides.
//!
//! What the mirrors cannot show are obstacles, and sides that are closed in one place and open in another: for those only the
//! correction of a residual is right. It converges as long as the system is at most so stiff as the box for which the filters
//! are made: so a side counts as the stiffest that any of its cells is. An open face in the middle of the box doubles what its
//! link would be.

use crate::poisson::stencil::{face, faces};
use crate::poisson::{CLOSED, FACE, LINK, NODE, UNKNOWN};

/// Cells that are shown beyond each side: as many as the longest filter has taps.
pub(super) const PAD: usize = super::filters::MAX_ORDER;
/// In a table of places: nothing is seen there.
pub(super) const NOTHING: u32 = 0;
/// In a table of places: with its sign changed.
pub(super) const NEGATIVE: u32 = 1 << 31;

/// What the stencil says of the box.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sides {
    /// Kind of the side at the low and the high end of each axis.
    kinds: [[u32; 2]; 3],
    /// Whether every cell is an unknown, and every side of one kind.
    pub plain: bool,
    /// How many times as stiff as the box the system is at most.
    pub harder: f64,
}

impl Sides {
    pub fn of(dims: [u32; 3], stencil: &[u32]) -> Self {
        let n = dims.map(|n| n as usize);
        let faces = faces(dims);
        // Kinds of faces that there are at each side, and inside, a bit each.
        let (mut outer, mut inner) = ([0_u32; 6], 0_u32);
        let mut full = true;
        for (row, codes) in stencil.chunks_exact(n[0].max(1)).enumerate() {
            let (j, k) = (row % n[1], row / n[1]);
            for (i, code) in codes.iter().enumerate() {
                if code & UNKNOWN == 0 {
                    full = false;
                    continue;
                }
                for f in 0..faces {
                    let (at, last) = ([i, j, k][f as usize / 2], n[f as usize / 2] - 1);
                    let outside = at == if f % 2 == 0 { 0 } else { last };
                    let seen = if outside {
                        &mut outer[f as usize]
                    } else {
                        &mut inner
                    };
                    *seen |= 1 << face(*code, f);
                }
            }
        }
        let mut kinds = [0, 1, 2].map(|axis| [0, 1].map(|end| stiffest(outer[2 * axis + end])));
        for ends in &mut kinds {
            // An axis goes round at both ends or at none.
            if ends.contains(&LINK) && ends[0] != ends[1] {
                *ends = ends.map(|kind| if kind == LINK { FACE } else { kind });
            }
        }
        let plain =
            full && inner & !(1 << LINK) == 0 && outer.iter().all(|seen| seen.count_ones() <= 1);
        let mixed = |seen: &u32| seen & (1 << NODE) != 0 && seen & (1 << LINK) != 0;
        let doubled = inner & (1 << FACE) != 0 || outer.iter().any(mixed);
        Self {
            kinds,
            plain,
            harder: if doubled { 2.0 } else { 1.0 },
        }
    }

    /// For every axis, for the places from `PAD` before its first cell to `PAD` behind its last: the cell that is seen there
    /// plus one, with [`NEGATIVE`], or [`NOTHING`].
    pub fn places(&self, dims: [u32; 3]) -> Vec<u32> {
        let of = |axis: usize| {
            let n = i64::from(dims[axis]);
            (-(PAD as i64)..n + PAD as i64).map(move |at| self.place(axis, n, at))
        };
        (0..3).flat_map(of).collect()
    }

    fn place(&self, axis: usize, n: i64, mut at: i64) -> u32 {
        let mut sign = 0;
        while at < 0 || at >= n {
            // Cells beyond the side, from zero on.
            let high = at >= n;
            let beyond = if high { at - n } else { -1 - at };
            let mirrored = |beyond: i64| if high { n - 1 - beyond } else { beyond };
            match self.kinds[axis][usize::from(high)] {
                LINK => at += if high { -n } else { n },
                FACE => {
                    at = mirrored(beyond);
                    sign ^= NEGATIVE;
                }
                NODE if beyond == 0 => return NOTHING,
                NODE => {
                    at = mirrored(beyond - 1);
                    sign ^= NEGATIVE;
                }
                _ => at = mirrored(beyond),
            }
        }
        (at as u32 + 1) | sign
    }
}

/// Numbers of [`Sides::places`].
pub(super) fn places_len(dims: [u32; 3]) -> usize {
    dims.iter().map(|n| *n as usize + 2 * PAD).sum()
}

/// The kind to be taken for a side on which there are some.
fn stiffest(seen: u32) -> u32 {
    let there = |kind: &u32| seen & (1 << kind) != 0;
    [FACE, NODE, LINK].into_iter().find(there).unwrap_or(CLOSED)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sides(low: u32, high: u32) -> Sides {
        Sides {
            kinds: [[low, high]; 3],
            plain: true,
            harder: 1.0,
        }
    }

    /// What is seen at the places from −6 to 8 of an axis of three cells: cell numbers from 1, negative where the sign changes.
    fn seen(low: u32, high: u32) -> Vec<i64> {
        let places = sides(low, high).places([3, 1, 1]);
        let signed = |place: &u32| {
            let cell = i64::from(place & !NEGATIVE);
            if place & NEGATIVE == 0 { cell } else { -cell }
        };
        places[PAD - 6..PAD + 9].iter().map(signed).collect()
    }

    #[test]
    fn mirrors_show_the_box_again_and_again() {
        assert_eq!(
            seen(CLOSED, CLOSED),
            [1, 2, 3, 3, 2, 1, 1, 2, 3, 3, 2, 1, 1, 2, 3]
        );
        assert_eq!(
            seen(LINK, LINK),
            [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3]
        );
        assert_eq!(
            seen(FACE, FACE),
            [1, 2, 3, -3, -2, -1, 1, 2, 3, -3, -2, -1, 1, 2, 3]
        );
        assert_eq!(
            seen(NODE, NODE),
            [3, 0, -3, -2, -1, 0, 1, 2, 3, 0, -3, -2, -1, 0, 1]
        );
        assert_eq!(
            seen(CLOSED, FACE),
            [-1, -2, -3, 3, 2, 1, 1, 2, 3, -3, -2, -1, -1, -2, -3]
        );
    }

    #[test]
    fn a_side_is_as_stiff_as_its_stiffest_cell() {
        let link_all = (0..4).fold(UNKNOWN, |c, f| c | LINK << (2 * f));
        let closed_left = link_all & !3;
        // Two rows of two cells, open to the left in one of them, closed elsewhere outside.
        let right = (link_all & !(3 << 2)) & !(3 << 4);
        let codes = [
            (closed_left & !(3 << 4)) | FACE,
            right,
            closed_left & !(3 << 6),
            (link_all & !(3 << 2)) & !(3 << 6),
        ];
        let found = Sides::of([2, 2, 1], &codes);
        assert_eq!(found.kinds[0], [FACE, CLOSED]);
        assert_eq!(found.kinds[1], [CLOSED, CLOSED]);
        assert!(!found.plain && found.harder == 1.0);
    }
}
