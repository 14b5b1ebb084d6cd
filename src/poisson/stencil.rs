//! Reading the stencil: face codes, and which cells of each row can go without reading them.
//!
//! Almost all cells of a grid are plain: an unknown with an unknown behind every face. The sweeps take
//! a row in blocks: stretches of blocks without other unknowns need no code, the other blocks come with a table. Both are
//! listed once for each revision of the stencil. (Single cells done one by one after their row, two a row, cost a third of
//! a sweep: the next sweep then loads vectors that were stored in pieces.)

use std::collections::HashMap;

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

/// Cells that a sweep takes together.
pub(super) const BLOCK: usize = 16;
/// Tables that are looked through for one that is the same.
const RECENT: usize = 8;

/// A block in which some unknown is not plain.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mixed {
    /// For each cell a bit a face, set if there is an unknown behind it.
    pub links: [u32; BLOCK],
    /// For each cell one over the diagonal, or zero.
    pub inverse: [f32; BLOCK],
}

/// The same where every face has a weight of its own.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Weighted {
    /// Of the faces x−, x+, y−, y+, z−, z+ of each cell.
    pub faces: [[f32; BLOCK]; 6],
    /// For each cell one over the diagonal, or zero.
    pub inverse: [f32; BLOCK],
}

/// Consecutive blocks of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// First cell.
    pub begin: u32,
    /// One past the last cell.
    pub end: u32,
    /// Which [`Mixed`] it is, or [`Span::PLAIN`].
    pub mixed: u32,
}

impl Span {
    /// Every unknown is plain. What a sweep makes of the other cells does not count: no unknown reads them.
    pub const PLAIN: u32 = u32::MAX;
}

/// What a sweep does to the rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Spans {
    /// Whether every cell is an unknown.
    pub full: bool,
    /// One over the diagonal of a plain cell.
    pub inverse: f32,
    first: Vec<u32>,
    spans: Vec<Span>,
    mixed: Vec<Mixed>,
    weighted: Vec<Weighted>,
}

impl Spans {
    /// Spans of row `r`, the plain ones first; blocks without an unknown are left out.
    #[inline(always)]
    pub fn row(&self, r: usize) -> &[Span] {
        &self.spans[self.first[r] as usize..self.first[r + 1] as usize]
    }
    /// The table of a span that is not plain.
    #[inline(always)]
    pub fn mixed(&self, span: &Span) -> &Mixed {
        &self.mixed[span.mixed as usize]
    }
    /// The same of spans that were made by [`Spans::weighted`]; of others there is none.
    #[inline(always)]
    pub fn weights(&self, span: &Span) -> Option<&Weighted> {
        self.weighted.get(span.mixed as usize)
    }

    /// Of rows of `cells(row)` cells. `table(row, at, inside)` says what a block is like in which so many cells from `at` on
    /// are inside; nothing if all are plain, with `inverse` for one over the diagonal.
    pub fn weighted(
        rows: usize,
        cells: impl Fn(usize) -> usize,
        inverse: f32,
        table: impl Fn(usize, usize, usize) -> Option<Weighted>,
    ) -> Self {
        let mut all = Self {
            full: true,
            inverse,
            first: vec![0],
            ..Self::default()
        };
        // Few tables differ, and most are found again one or two rows on: those of the last rows are looked through.
        let mut recent: Vec<u32> = Vec::new();
        for row in 0..rows {
            let first = all.spans.len();
            let n = cells(row);
            for at in (0..n).step_by(BLOCK) {
                let begin = at as u32;
                let Some(table) = table(row, at, BLOCK.min(n - at)) else {
                    all.plain(first, begin);
                    continue;
                };
                let known = recent.iter().rev().copied();
                let mixed = known
                    .take(RECENT)
                    .find(|k| all.weighted[*k as usize] == table);
                let mixed = mixed.unwrap_or_else(|| {
                    all.weighted.push(table);
                    all.weighted.len() as u32 - 1
                });
                if recent.last() != Some(&mixed) {
                    recent.push(mixed);
                }
                let end = begin + BLOCK as u32;
                all.spans.push(Span { begin, end, mixed });
            }
            all.spans[first..].sort_by_key(|s| s.mixed != Span::PLAIN);
            all.first.push(all.spans.len() as u32);
        }
        all
    }

    /// A plain block of the row whose spans begin at `first`.
    fn plain(&mut self, first: usize, begin: u32) {
        let end = begin + BLOCK as u32;
        match self.spans[first..].last_mut() {
            Some(last) if last.end == begin && last.mixed == Span::PLAIN => last.end = end,
            _ => self.spans.push(Span {
                begin,
                end,
                mixed: Span::PLAIN,
            }),
        }
    }

    /// Of rows of `cells(row)` cells with the codes `code(row, m)`.
    fn build(
        rows: usize,
        cells: impl Fn(usize) -> usize,
        code: impl Fn(usize, usize) -> u32,
        faces: u32,
        shift: f32,
    ) -> Self {
        let mut all = Self {
            full: true,
            inverse: inverse_diagonal(plain_code(faces), faces, shift),
            first: vec![0],
            ..Self::default()
        };
        // Where each table is, by the codes of its cells: few differ, and what is seen often stays in the cache.
        let mut known = HashMap::new();
        for row in 0..rows {
            let first = all.spans.len();
            let n = cells(row);
            let mut codes = [0; BLOCK];
            for at in (0..n).step_by(BLOCK) {
                codes.fill(0);
                let inside = BLOCK.min(n - at);
                for (m, c) in codes[..inside].iter_mut().enumerate() {
                    *c = code(row, at + m);
                }
                all.block(&mut known, first, at as u32, &codes, inside, faces, shift);
            }
            // Plain ones first: a twentieth faster than in order.
            all.spans[first..].sort_by_key(|s| s.mixed != Span::PLAIN);
            all.first.push(all.spans.len() as u32);
        }
        all
    }

    fn block(
        &mut self,
        known: &mut HashMap<[u32; BLOCK], u32>,
        first: usize,
        at: u32,
        codes: &[u32; BLOCK],
        inside: usize,
        faces: u32,
        shift: f32,
    ) {
        let plain = plain_code(faces);
        let mask = plain | ((1 << (2 * faces)) - 1);
        let unknowns = codes.iter().filter(|c| **c & UNKNOWN != 0).count();
        self.full &= unknowns == inside;
        if unknowns == 0 {
            return;
        }
        let end = at + BLOCK as u32;
        if codes.iter().filter(|c| **c & mask == plain).count() < unknowns {
            let mixed = *known.entry(*codes).or_insert_with(|| {
                self.mixed.push(Mixed {
                    links: codes
                        .map(|c| (0..6).fold(0, |l, f| l | u32::from(face(c, f) == LINK) << f)),
                    inverse: codes.map(|c| inverse_diagonal(c, faces, shift)),
                });
                self.mixed.len() as u32 - 1
            });
            self.spans.push(Span {
                begin: at,
                end,
                mixed,
            });
            return;
        }
        self.plain(first, at);
    }

    /// Of whole rows, in cells.
    pub fn whole(dims: [u32; 3], stencil: &[u32], shift: f32) -> Self {
        let nx = dims[0] as usize;
        Self::build(
            dims[1] as usize * dims[2] as usize,
            |_| nx,
            |row, i| stencil[row * nx + i],
            faces(dims),
            shift,
        )
    }

    /// Of the cells of one colour, which are every second of a row.
    pub fn colour(dims: [u32; 3], stencil: &[u32], shift: f32, colour: u32) -> Self {
        let nx = dims[0] as usize;
        let first = |row: usize| parity(dims, row, colour) as usize;
        Self::build(
            dims[1] as usize * dims[2] as usize,
            |row| (nx + 1 - first(row)) / 2,
            |row, m| stencil[row * nx + 2 * m + first(row)],
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

    /// Counts how often the unknowns of a row are covered, and looks at what the tables say.
    fn cover(
        spans: &Spans,
        row: usize,
        cell: impl Fn(usize) -> usize,
        codes: &[u32],
        seen: &mut [u32; 48],
    ) {
        let code = |m: usize| {
            if cell(m) < 37 {
                codes[row * 37 + cell(m)]
            } else {
                0
            }
        };
        for span in spans.row(row) {
            for at in span.begin as usize..span.end as usize {
                if span.mixed == Span::PLAIN {
                    assert!(code(at) == plain_code(4) || code(at) & UNKNOWN == 0);
                } else {
                    let (mixed, m) = (spans.mixed(span), at % BLOCK);
                    assert_eq!(mixed.inverse[m], inverse_diagonal(code(at), 4, 0.0));
                    assert_eq!(mixed.links[m] & 1, u32::from(face(code(at), 0) == LINK));
                }
                seen[cell(at).min(47)] += u32::from(code(at) != 0);
            }
        }
    }

    #[test]
    fn every_unknown_is_covered_once() {
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
            let mut seen = [0; 48];
            let mut seen_split = [0; 48];
            cover(&whole, row, |m| m, &codes, &mut seen);
            for c in 0..2 {
                let first = parity(dims, row, c) as usize;
                cover(
                    &split[c as usize],
                    row,
                    |m| 2 * m + first,
                    &codes,
                    &mut seen_split,
                );
            }
            for i in 0..37 {
                let unknown = codes[row * 37 + i] & UNKNOWN != 0;
                assert_eq!(seen[i], u32::from(unknown));
                assert_eq!(seen_split[i], u32::from(unknown));
            }
        }
    }
}
