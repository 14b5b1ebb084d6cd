//! Reading the stencil: face codes, and which cells of each row can go without reading them.
//!
//! Almost all cells of a grid are plain: an unknown with an unknown behind every face. The sweeps run over stretches that
//! cover the plain cells of a row without touching any code, then over the mixed cells one by one. Both are listed once for
//! each revision of the stencil.

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

/// All ones for each face with an unknown behind it.
fn links(code: u32) -> [u32; 6] {
    [0, 1, 2, 3, 4, 5].map(|f| u32::from(face(code, f) == LINK).wrapping_neg())
}

/// Cells that the fast path takes together. Stretches begin and end at multiples of it.
pub(super) const BLOCK: usize = 16;

/// A cell that needs its code. It is kept here with what follows from it: the codes of a large grid lie far apart, and
/// reading them from there took a sixth of a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mixed {
    /// Position in the row.
    pub at: u32,
    /// One over the diagonal.
    pub inverse: f32,
    /// For each face all ones if there is an unknown behind it, else zeros.
    pub masks: [u32; 6],
}

/// What a sweep does to the rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Spans {
    /// Whether every cell is an unknown.
    pub full: bool,
    first: Vec<[u32; 2]>,
    plain: Vec<[u32; 2]>,
    mixed: Vec<Mixed>,
}

impl Spans {
    /// Stretches of row `r`, from and to: all its plain cells, and others, whose result does not count.
    #[inline(always)]
    pub fn plain(&self, r: usize) -> &[[u32; 2]] {
        &self.plain[self.first[r][0] as usize..self.first[r + 1][0] as usize]
    }
    /// Mixed cells of row `r`. They come after the plain ones, over whose results they write theirs.
    #[inline(always)]
    pub fn mixed(&self, r: usize) -> &[Mixed] {
        &self.mixed[self.first[r][1] as usize..self.first[r + 1][1] as usize]
    }

    /// Of rows whose cell `m` has the code `code(row, m)`.
    fn build(
        rows: usize,
        cells: impl Fn(usize) -> u32,
        code: impl Fn(usize, u32) -> u32,
        edge: impl Fn(usize, u32) -> bool,
        faces: u32,
        shift: f32,
    ) -> Self {
        let plain = plain_code(faces);
        let mask = plain | ((1 << (2 * faces)) - 1);
        let mut all = Self {
            full: true,
            first: vec![[0, 0]],
            ..Self::default()
        };
        for row in 0..rows {
            let first = all.plain.len();
            for m in 0..cells(row) {
                let code = code(row, m);
                if code & mask == plain && !edge(row, m) {
                    let block = m / BLOCK as u32 * BLOCK as u32;
                    match all.plain[first..].last_mut() {
                        Some(last) if last[1] > m => {}
                        Some(last) if last[1] == block => last[1] += BLOCK as u32,
                        _ => all.plain.push([block, block + BLOCK as u32]),
                    }
                } else if code & UNKNOWN != 0 {
                    all.mixed.push(Mixed {
                        at: m,
                        inverse: inverse_diagonal(code, faces, shift),
                        masks: links(code),
                    });
                } else {
                    all.full = false;
                }
            }
            all.first
                .push([all.plain.len() as u32, all.mixed.len() as u32]);
        }
        all
    }

    /// Of whole rows, in cells.
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

    /// Of the cells of one colour, which are every second of a row.
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
            let mut seen = [0; 37];
            let mut seen_split = [0; 37];
            for m in whole.mixed(row) {
                let code = codes[row * 37 + m.at as usize];
                seen[m.at as usize] += 1;
                assert_eq!(m.inverse, inverse_diagonal(code, 4, 0.0));
                assert_eq!(m.masks, links(code));
            }
            for i in (0..37).filter(|i| codes[row * 37 + i] == plain_code(4)) {
                let covers = |s: &&[u32; 2]| (s[0]..s[1]).contains(&(i as u32));
                seen[i] += whole.plain(row).iter().filter(covers).count();
            }
            for c in 0..2 {
                let at = |m: u32| (2 * m + parity(dims, row, c)) as usize;
                for m in split[c as usize].mixed(row) {
                    seen_split[at(m.at)] += 1;
                }
                for span in split[c as usize].plain(row) {
                    for i in (span[0]..span[1]).map(at).filter(|i| *i < 37) {
                        seen_split[i] += usize::from(codes[row * 37 + i] == plain_code(4));
                    }
                }
            }
            for i in 0..37 {
                let unknown = codes[row * 37 + i] & UNKNOWN != 0;
                assert_eq!(seen[i], usize::from(unknown));
                assert_eq!(seen_split[i], usize::from(unknown));
            }
        }
    }
}
