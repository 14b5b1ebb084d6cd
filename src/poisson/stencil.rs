//! Reading the stencil: face codes, and which cells of each row can go without reading them.
//!
//! Almost all cells of a grid are plain: an unknown with an unknown behind every face. Each row is cut into spans of plain
//! cells, which the sweeps run without touching the codes, and of mixed cells, whose inverse diagonal is kept. This is
//! done once for each revision of the stencil.

use super::{LINK, UNKNOWN};

/// The two bits of face `f` (0..6).
#[inline(always)]
pub(super) fn face(code: u32, f: u32) -> u32 {
    (code >> (2 * f)) & 3
}

/// Number of faces that count: the codes along z are not read where there is one layer.
pub(super) fn faces(dims: [u32; 3]) -> u32 {
    if dims[2] > 1 { 6 } else { 4 }
}

/// Sum of the weights of the faces: 0 closed, 1 link, 2 face, 1 node.
#[inline(always)]
pub(super) fn weights(code: u32, faces: u32) -> u32 {
    let mut sum = 0;
    for f in 0..faces {
        // 0, 1, 2, 1 for 0, 1, 2, 3.
        let c = face(code, f);
        sum += c - (c & (c >> 1)) * 2;
    }
    sum
}

/// One over the diagonal; zero where the cell is not an unknown, or has nothing that holds its value.
#[inline(always)]
pub(super) fn inverse_diagonal(code: u32, faces: u32, shift: f32) -> f32 {
    let diagonal = shift + weights(code, faces) as f32;
    if code & UNKNOWN != 0 && diagonal > 0.0 {
        1.0 / diagonal
    } else {
        0.0
    }
}

/// The code of a cell with an unknown behind each of its faces.
pub(super) fn plain_code(faces: u32) -> u32 {
    (0..faces).fold(UNKNOWN, |code, f| code | (LINK << (2 * f)))
}

/// A stretch of unknowns in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// First cell.
    pub begin: u32,
    /// One past the last cell.
    pub end: u32,
    /// Where the inverse diagonals begin, or [`Span::PLAIN`].
    pub mixed: u32,
}

impl Span {
    /// Every cell is plain.
    pub const PLAIN: u32 = u32::MAX;
}

/// The spans of all rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Spans {
    first: Vec<u32>,
    spans: Vec<Span>,
    inverse: Vec<f32>,
}

impl Spans {
    /// Spans of row `r`.
    #[inline(always)]
    pub fn row(&self, r: usize) -> &[Span] {
        &self.spans[self.first[r] as usize..self.first[r + 1] as usize]
    }
    /// Inverse diagonals of a mixed span.
    #[inline(always)]
    pub fn inverse(&self, span: &Span) -> &[f32] {
        let first = span.mixed as usize;
        &self.inverse[first..first + (span.end - span.begin) as usize]
    }

    /// Spans of rows whose cell `m` has the code `code(row, m)`.
    fn build(
        rows: usize,
        cells: impl Fn(usize) -> u32,
        code: impl Fn(usize, u32) -> u32,
        edge: impl Fn(usize, u32) -> bool,
        faces: u32,
        shift: f32,
    ) -> Self {
        let plain = plain_code(faces);
        let mask = plain_code(faces) | ((1 << (2 * faces)) - 1);
        let mut all = Self::default();
        all.first.push(0);
        for row in 0..rows {
            let n = cells(row);
            let is_plain = |m: u32| code(row, m) & mask == plain && !edge(row, m);
            let mut m = 0;
            while m < n {
                let begin = m;
                if is_plain(m) {
                    while m < n && is_plain(m) {
                        m += 1;
                    }
                    all.spans.push(Span {
                        begin,
                        end: m,
                        mixed: Span::PLAIN,
                    });
                } else if code(row, m) & UNKNOWN != 0 {
                    let mixed = all.inverse.len() as u32;
                    while m < n && code(row, m) & UNKNOWN != 0 && !is_plain(m) {
                        all.inverse
                            .push(inverse_diagonal(code(row, m), faces, shift));
                        m += 1;
                    }
                    all.spans.push(Span {
                        begin,
                        end: m,
                        mixed,
                    });
                } else {
                    m += 1;
                }
            }
            all.first.push(all.spans.len() as u32);
        }
        all
    }

    /// Spans of whole rows, in cells.
    pub fn whole(dims: [u32; 3], stencil: &[u32], shift: f32) -> Self {
        let nx = dims[0];
        Self::build(
            dims[1] as usize * dims[2] as usize,
            |_| nx,
            |row, i| stencil[row * nx as usize + i as usize],
            |_, i| i == 0 || i + 1 == nx,
            faces(dims),
            shift,
        )
    }

    /// Spans of the cells of one colour, in every second cell of the row.
    pub fn colour(dims: [u32; 3], stencil: &[u32], shift: f32, colour: u32) -> Self {
        let nx = dims[0];
        let at = |row: usize, m: u32| 2 * m + parity(dims, row, colour);
        Self::build(
            dims[1] as usize * dims[2] as usize,
            |row| (nx + 1 - parity(dims, row, colour)) / 2,
            |row, m| stencil[row * nx as usize + at(row, m) as usize],
            |row, m| at(row, m) == 0 || at(row, m) + 1 == nx,
            faces(dims),
            shift,
        )
    }
}

/// Position (0 or 1) of the first cell of a colour in row `row` (counting on through the layers): colour 0 holds the
/// cells whose indices add up to an even number.
#[inline(always)]
pub(super) fn parity(dims: [u32; 3], row: usize, colour: u32) -> u32 {
    let (j, k) = (row as u32 % dims[1], row as u32 / dims[1]);
    (j + k + colour) & 1
}

/// Which axes have links from the last cell to the first.
pub(super) fn wraps(dims: [u32; 3], stencil: &[u32]) -> [bool; 3] {
    let [nx, ny, nz] = dims.map(|n| n as usize);
    if stencil.len() < nx * ny * nz {
        return [false; 3];
    }
    let link = |c: usize, f: u32| stencil[c] & UNKNOWN != 0 && face(stencil[c], f) == LINK;
    let layer = nx * ny;
    [
        (0..ny * nz).any(|row| link(row * nx, 0)),
        (0..nz).any(|k| (0..nx).any(|i| link(k * layer + i, 2))),
        nz > 1 && (0..layer).any(|c| link(c, 4)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poisson::{CLOSED, FACE, NODE};

    #[test]
    fn weights_of_the_four_codes() {
        for (code, weight) in [(CLOSED, 0), (LINK, 1), (FACE, 2), (NODE, 1)] {
            for f in 0..6 {
                assert_eq!(weights(code << (2 * f), 6), weight);
            }
        }
        assert_eq!(weights(plain_code(4), 4), 4);
        assert_eq!(weights(plain_code(6), 6), 6);
    }

    #[test]
    fn spans_cover_exactly_the_unknowns() {
        // Deterministic mask with plain stretches, mixed cells and holes.
        let dims = [37, 9, 1];
        let solid = |i: i64, j: i64| {
            i < 0
                || j < 0
                || i >= 37
                || j >= 9
                || (i * 7 + j * 13) % 23 == 0
                || (20..24).contains(&i)
        };
        let mut codes = vec![];
        for j in 0..9 {
            for i in 0..37 {
                let mut code = 0;
                if !solid(i, j) {
                    code = UNKNOWN;
                    for (f, (di, dj)) in [(-1, 0), (1, 0), (0, -1), (0, 1)].iter().enumerate() {
                        if !solid(i + di, j + dj) {
                            code |= LINK << (2 * f);
                        }
                    }
                }
                codes.push(code);
            }
        }
        let whole = Spans::whole(dims, &codes, 0.0);
        let split = [0, 1].map(|c| Spans::colour(dims, &codes, 0.0, c));
        for row in 0..9 {
            let mut seen = [0; 37];
            let mut seen_split = [0; 37];
            for span in whole.row(row) {
                for i in span.begin..span.end {
                    seen[i as usize] += 1;
                    let code = codes[row * 37 + i as usize];
                    if span.mixed == Span::PLAIN {
                        assert_eq!(code, plain_code(4));
                    } else {
                        let inv = whole.inverse(span)[(i - span.begin) as usize];
                        assert_eq!(inv, inverse_diagonal(code, 4, 0.0));
                    }
                }
            }
            for c in 0..2 {
                for span in split[c as usize].row(row) {
                    for m in span.begin..span.end {
                        seen_split[(2 * m + parity(dims, row, c)) as usize] += 1;
                    }
                }
            }
            for i in 0..37 {
                let unknown = codes[row * 37 + i] & UNKNOWN != 0;
                assert_eq!(seen[i], i32::from(unknown));
                assert_eq!(seen_split[i], i32::from(unknown));
            }
        }
    }
}
