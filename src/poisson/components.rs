//! Connected parts of the unknowns on which the system is singular.
//!
//! Where no known value and no shift holds a part, its right-hand side must add up to zero or there is no solution, and
//! its solution is only known up to a constant. The parts are found on the host, once for each revision of the stencil:
//! runs of linked cells in each row are joined (union–find) with the runs that they touch in the rows before.

use super::stencil::{face, faces};
use super::{FACE, LINK, NODE, UNKNOWN};

/// Most cells that one chunk of a sum covers.
pub(super) const CHUNK: u32 = 256;

/// The singular parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Components {
    /// Number of unknowns in all.
    pub unknowns: u32,
    /// For each cell: its part, from 1; 0 where it is in none.
    pub of_cell: Vec<u32>,
    /// Stretches of consecutive cells of one part: first cell, number, part, 0. Sorted by part, then by cell.
    pub chunks: Vec<[u32; 4]>,
    /// For each part, from 1: first chunk, one past the last, number of cells, 0. Entry 0 is empty.
    pub parts: Vec<[u32; 4]>,
}

/// A run of cells of a row, each linked to the next.
#[derive(Clone, Copy)]
struct Run {
    begin: u32,
    end: u32,
    parent: u32,
    held: bool,
}

fn root(runs: &mut [Run], mut r: u32) -> u32 {
    while runs[r as usize].parent != r {
        let above = runs[runs[r as usize].parent as usize].parent;
        runs[r as usize].parent = above;
        r = above;
    }
    r
}

fn join(runs: &mut [Run], a: u32, b: u32) {
    let (a, b) = (root(runs, a), root(runs, b));
    let (low, high) = (a.min(b), a.max(b));
    runs[high as usize].parent = low;
    runs[low as usize].held |= runs[high as usize].held;
}

impl Components {
    /// Finds the parts. With a shift nothing is singular.
    pub fn find(dims: [u32; 3], stencil: &[u32], shift: f32) -> Self {
        let unknowns = stencil.iter().filter(|c| **c & UNKNOWN != 0).count() as u32;
        let mut found = Self {
            unknowns,
            parts: vec![[0; 4]],
            ..Self::default()
        };
        if shift > 0.0 || unknowns == 0 {
            return found;
        }
        let (mut runs, first) = runs(dims, stencil);
        join_rows(dims, stencil, &mut runs, &first);
        found.number(dims, &mut runs, &first);
        found
    }

    /// Numbers the parts that nothing holds and lists their chunks.
    fn number(&mut self, dims: [u32; 3], runs: &mut [Run], first: &[u32]) {
        let nx = dims[0];
        let mut part_of_root = vec![0; runs.len()];
        let mut stretches: Vec<[u32; 4]> = Vec::new();
        for row in 0..first.len() - 1 {
            for r in first[row]..first[row + 1] {
                let top = root(runs, r);
                if runs[top as usize].held {
                    continue;
                }
                if part_of_root[top as usize] == 0 {
                    part_of_root[top as usize] = self.parts.len() as u32;
                    self.parts.push([0; 4]);
                }
                let part = part_of_root[top as usize];
                let run = runs[r as usize];
                let (begin, len) = (row as u32 * nx + run.begin, run.end - run.begin);
                match stretches.last_mut() {
                    Some(last) if last[2] == part && last[0] + last[1] == begin => last[1] += len,
                    _ => stretches.push([begin, len, part, 0]),
                }
            }
        }
        if self.parts.len() == 1 {
            return;
        }
        self.of_cell = vec![0; nx as usize * dims[1] as usize * dims[2] as usize];
        for s in &stretches {
            self.of_cell[s[0] as usize..(s[0] + s[1]) as usize].fill(s[2]);
        }
        stretches.sort_by_key(|s| (s[2], s[0]));
        for [begin, len, part, _] in stretches {
            let entry = &mut self.parts[part as usize];
            if entry[2] == 0 {
                entry[0] = self.chunks.len() as u32;
            }
            entry[2] += len;
            for at in (0..len).step_by(CHUNK as usize) {
                self.chunks.push([begin + at, CHUNK.min(len - at), part, 0]);
            }
            entry[1] = self.chunks.len() as u32;
        }
    }
}

/// Runs of all rows, and the first run of each row.
fn runs(dims: [u32; 3], stencil: &[u32]) -> (Vec<Run>, Vec<u32>) {
    let (nx, faces) = (dims[0] as usize, faces(dims));
    let mut runs: Vec<Run> = Vec::new();
    let mut first = vec![0];
    for row in stencil.chunks_exact(nx) {
        let mut open = false;
        for (i, code) in row.iter().enumerate() {
            if code & UNKNOWN == 0 {
                open = false;
                continue;
            }
            let held = (0..faces).any(|f| matches!(face(*code, f), FACE | NODE));
            let linked = open && face(*code, 0) == LINK;
            match runs.last_mut() {
                Some(run) if linked => {
                    run.end += 1;
                    run.held |= held;
                }
                _ => runs.push(Run {
                    begin: i as u32,
                    end: i as u32 + 1,
                    parent: runs.len() as u32,
                    held,
                }),
            }
            open = true;
        }
        first.push(runs.len() as u32);
    }
    (runs, first)
}

/// Joins runs across the faces between rows, and round the periodic ones.
fn join_rows(dims: [u32; 3], stencil: &[u32], runs: &mut [Run], first: &[u32]) {
    let [nx, ny, nz] = dims.map(|n| n as usize);
    for row in 0..ny * nz {
        let (j, k) = (row % ny, row / ny);
        let mine = first[row]..first[row + 1];
        if !mine.is_empty() && face(stencil[row * nx], 0) == LINK {
            join(runs, mine.start, mine.end - 1);
        }
        touch(stencil, nx, runs, first, row, k * ny + (j + ny - 1) % ny, 2);
        if nz > 1 {
            touch(stencil, nx, runs, first, row, (k + nz - 1) % nz * ny + j, 4);
        }
    }
}

/// Joins the runs of row `a` with those of row `b` that lie behind face `f`.
fn touch(stencil: &[u32], nx: usize, runs: &mut [Run], first: &[u32], a: usize, b: usize, f: u32) {
    let mut other = first[b];
    for r in first[a]..first[a + 1] {
        let (begin, end) = (runs[r as usize].begin, runs[r as usize].end);
        let mut i = begin;
        while i < end {
            while other < first[b + 1] && runs[other as usize].end <= i {
                other += 1;
            }
            if other == first[b + 1] {
                return;
            }
            let until = runs[other as usize].end.min(end);
            i = i.max(runs[other as usize].begin);
            // One open face in the stretch is enough.
            if (i..until).any(|i| face(stencil[a * nx + i as usize], f) == LINK) {
                join(runs, r, other);
            }
            i = until.max(i);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poisson::CLOSED;

    /// Codes of a picture: '#' is solid, faces of the box have `outside`.
    fn codes(rows: &[&str], outside: u32) -> ([u32; 3], Vec<u32>) {
        let (nx, ny) = (rows[0].len() as i32, rows.len() as i32);
        let at = |i: i32, j: i32| {
            if i < 0 || j < 0 || i >= nx || j >= ny {
                return None;
            }
            Some(rows[j as usize].as_bytes()[i as usize] != b'#')
        };
        let mut codes = vec![];
        for j in 0..ny {
            for i in 0..nx {
                let mut code = 0;
                if at(i, j) == Some(true) {
                    code = UNKNOWN;
                    for (f, (di, dj)) in [(-1, 0), (1, 0), (0, -1), (0, 1)].iter().enumerate() {
                        code |= match at(i + di, j + dj) {
                            None => outside,
                            Some(true) => LINK,
                            Some(false) => CLOSED,
                        } << (2 * f);
                    }
                }
                codes.push(code);
            }
        }
        ([nx as u32, ny as u32, 1], codes)
    }

    #[test]
    fn closed_box_with_a_pocket_has_two_parts() {
        let picture = ["......", ".####.", ".#..#.", ".####.", "......"];
        let (dims, codes) = codes(&picture, CLOSED);
        let found = Components::find(dims, &codes, 0.0);
        assert_eq!(found.unknowns, 20);
        assert_eq!(found.parts.len(), 3);
        assert_eq!((found.parts[1][2], found.parts[2][2]), (18, 2));
        assert_eq!(&found.of_cell[12..18], &[1, 0, 2, 2, 0, 1]);
        let counted: u32 = found.chunks.iter().map(|c| c[1]).sum();
        assert_eq!(counted, 20);
    }

    #[test]
    fn an_open_box_leaves_only_the_pocket() {
        let picture = ["......", ".####.", ".#..#.", ".####.", "......"];
        let (dims, codes) = codes(&picture, FACE);
        let found = Components::find(dims, &codes, 0.0);
        assert_eq!(found.parts.len(), 2);
        assert_eq!(&found.of_cell[12..18], &[0, 0, 1, 1, 0, 0]);
        assert_eq!(Components::find(dims, &codes, 0.1).parts.len(), 1);
    }

    #[test]
    fn periodic_faces_join() {
        let (dims, mut c) = codes(&["..#..", "..#.."], CLOSED);
        assert_eq!(Components::find(dims, &c, 0.0).parts.len(), 3);
        c[0] |= LINK;
        c[4] |= LINK << 2;
        assert_eq!(Components::find(dims, &c, 0.0).parts.len(), 2);
    }

    #[test]
    fn u_shapes_join_late() {
        let (dims, c) = codes(&[".#.#.", ".#.#.", ".....", "#####", "....."], CLOSED);
        let found = Components::find(dims, &c, 0.0);
        assert_eq!(found.parts.len(), 3);
        assert_eq!((found.parts[1][2], found.parts[2][2]), (11, 5));
    }
}
