//! The operators of the coarse levels, and what joins each level with the next, made on the host once for each stencil.
//!
//! A coarse cell is the union of up to 2×2(×2) finer ones, its children. What flows through a face between two coarse cells
//! is the sum of what flows through the finer faces that are open, over the distance between the centres of the coarse cells:
//! finite volumes. So a face that is half behind an obstacle counts half, and at the end of an odd row, where a coarse cell
//! has one child, distances are what they are. Where all faces are open this is the stencil of the finest level again.
//!
//! Children of one cell that an obstacle separates from each other must not share one value, or corrections leak through thin
//! walls. The largest connected group keeps the cell; another child joins the cell behind its outer face, if there is a link,
//! or goes without correction, and its neighbours then feel it as a value that does not change.

use super::layout::{Layout, behind, index, place};
use super::operators::{codes, put_coefficients, put_row_flags, put_shares};
use crate::poisson::stencil::{face, faces};
use crate::poisson::{FACE, LINK, NODE, UNKNOWN};

/// A child has no correction.
pub(super) const ORPHAN: u32 = 0;
/// A child belongs to the cell that it lies in.
pub(super) const OWN: u32 = 1;
/// A child belongs to the cell behind its outer face along x; one more along y, two more along z.
pub(super) const ADOPTED: u32 = 2;
/// Bits of the children's word, three a child, after which six bits say behind which faces there are adopted children.
pub(super) const FLAGS: u32 = 24;

/// What is made, as it goes to the device.
pub(super) struct Coarse {
    pub ints: Vec<u32>,
    pub coef: Vec<f32>,
}

/// A face with a known value.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub cell: u32,
    pub face: u32,
    pub area: f32,
    pub distance: f32,
}

/// A level while the next is made from it.
pub(super) struct Host {
    pub dims: [u32; 3],
    pub unknown: Vec<bool>,
    /// Weights of the faces towards x+, y+, z+.
    pub weights: [Vec<f32>; 3],
    pub known: Vec<Known>,
    /// What else is on the diagonal.
    pub hold: Vec<f32>,
    /// Where the cells of each axis end, in cells of the finest level.
    pub edges: [Vec<f32>; 3],
}

impl Host {
    fn finest(dims: [u32; 3], stencil: &[u32], shift: f32) -> Self {
        let mut known = Vec::new();
        for (code, cell) in stencil.iter().zip(0..).filter(|c| c.0 & UNKNOWN != 0) {
            for f in 0..faces(dims) {
                let distance = match face(*code, f) {
                    FACE => 0.5,
                    NODE => 1.0,
                    _ => continue,
                };
                known.push(Known {
                    cell,
                    face: f,
                    area: 1.0,
                    distance,
                });
            }
        }
        let open = |code: &u32, f: u32| code & UNKNOWN != 0 && face(*code, f) == LINK;
        let weights = [1, 3, 5].map(|f: u32| match dims[f as usize / 2] {
            1 => Vec::new(),
            _ => stencil.iter().map(|c| f32::from(open(c, f))).collect(),
        });
        let unknown: Vec<bool> = stencil.iter().map(|c| c & UNKNOWN != 0).collect();
        Self {
            dims,
            hold: unknown
                .iter()
                .map(|u| if *u { shift } else { 0.0 })
                .collect(),
            unknown,
            weights,
            known,
            edges: dims.map(|n| (0..=n).map(|i| i as f32).collect()),
        }
    }

    /// Weight of the face `f` of a cell.
    fn weight(&self, id: [usize; 3], f: usize) -> f32 {
        let axis = f / 2;
        if self.dims[axis] < 2 {
            return 0.0;
        }
        let at = if f & 1 == 1 {
            id
        } else {
            behind(self.dims, id, f)
        };
        self.weights[axis][index(self.dims, at)]
    }

    pub fn centre(&self, axis: usize, i: usize) -> f32 {
        0.5 * (self.edges[axis][i] + self.edges[axis][i + 1])
    }

    /// From the centre of cell `i` to that of the next.
    pub fn distance(&self, axis: usize, i: usize) -> f32 {
        let n = self.dims[axis] as usize;
        if i + 1 < n {
            self.centre(axis, i + 1) - self.centre(axis, i)
        } else {
            self.edges[axis][n] - self.centre(axis, i) + self.centre(axis, 0)
        }
    }

    /// What stands on the diagonal beside the weights.
    pub fn diagonal(&self) -> Vec<f32> {
        let mut diagonal = self.hold.clone();
        for k in &self.known {
            diagonal[k.cell as usize] += k.area / k.distance;
        }
        diagonal
    }

    /// Whether a coarse cell has all its children, each linked with those beside it.
    #[inline(always)]
    fn whole(&self, parent: [usize; 3]) -> bool {
        let [nx, ny, nz] = self.dims.map(|n| n as usize);
        let [i, j, k] = parent.map(|p| 2 * p);
        let (dx, dy, dz) = (1, nx, nx * ny);
        if (nx > 1 && i + 1 >= nx) || (ny > 1 && j + 1 >= ny) || (nz > 1 && k + 1 >= nz) {
            return false;
        }
        let cell = (k * ny + j) * nx + i;
        let pair = |at: usize| nx < 2 || self.weights[0][at] > 0.0;
        let square = |at: usize| {
            pair(at)
                && (ny < 2
                    || pair(at + dy)
                        && self.weights[1][at] > 0.0
                        && (nx < 2 || self.weights[1][at + dx] > 0.0))
        };
        let columns = |at: usize| {
            let row =
                |at: usize| self.weights[2][at] > 0.0 && (nx < 2 || self.weights[2][at + dx] > 0.0);
            row(at) && (ny < 2 || row(at + dy))
        };
        self.unknown[cell] && square(cell) && (nz < 2 || square(cell + dz) && columns(cell))
    }

    /// Which of the children of a coarse cell there are (a bit each), and which of them keep it: the largest group that
    /// hangs together.
    fn group(&self, parent: [usize; 3]) -> (u32, u32) {
        let mut there = 0_u32;
        let mut joined = [0_u32; 8];
        for k in 0..8 {
            let Some(id) = child(self.dims, parent, k) else {
                continue;
            };
            let cell = index(self.dims, id);
            if !self.unknown[cell] {
                continue;
            }
            there |= 1 << k;
            for (axis, weights) in self.weights.iter().enumerate() {
                let next = k | 1 << axis;
                if next != k && child(self.dims, parent, next).is_some() && weights[cell] > 0.0 {
                    joined[k] |= 1 << next;
                    joined[next] |= 1 << k;
                }
            }
        }
        let (mut rest, mut best) = (there, 0_u32);
        while rest != 0 {
            let mut group = rest & rest.wrapping_neg();
            loop {
                let more = (0..8).fold(group, |g, k| {
                    if group >> k & 1 == 1 {
                        g | joined[k]
                    } else {
                        g
                    }
                });
                if more == group {
                    break;
                }
                group = more;
            }
            rest &= !group;
            if group.count_ones() > best.count_ones() {
                best = group;
            }
        }
        (there, best)
    }
}

/// The word of a coarse cell that has all its children.
pub(super) fn all_own(fine: [u32; 3]) -> u32 {
    (0..8)
        .filter(|k| (0..3).all(|a| k >> a & 1 == 0 || fine[a] > 1))
        .fold(0, |word, k| word | OWN << (3 * k))
}

/// Where child `k` (a bit an axis) of a coarse cell is.
#[inline(always)]
pub(super) fn offspring(parent: [usize; 3], k: usize) -> [usize; 3] {
    [0, 1, 2].map(|a| 2 * parent[a] + (k >> a & 1))
}

/// The same, if there is one.
#[inline(always)]
fn child(fine: [u32; 3], parent: [usize; 3], k: usize) -> Option<[usize; 3]> {
    let id = offspring(parent, k);
    (0..3).all(|a| id[a] < fine[a] as usize).then_some(id)
}

/// Calls `face(cell, the cell behind its upper face, number of the cell along the axis)` for every cell, row by row: a division
/// a cell would cost more than all else.
#[inline(always)]
pub(super) fn each_face(dims: [u32; 3], axis: usize, mut face: impl FnMut(usize, usize, usize)) {
    let [nx, ny, nz] = dims.map(|n| n as usize);
    for (k, j) in (0..nz).flat_map(|k| (0..ny).map(move |j| (k, j))) {
        let row = (k * ny + j) * nx;
        match axis {
            0 => {
                (0..nx - 1).for_each(|i| face(row + i, row + i + 1, i));
                face(row + nx - 1, row, nx - 1);
            }
            1 => {
                let next = (k * ny + (j + 1) % ny) * nx;
                (0..nx).for_each(|i| face(row + i, next + i, j));
            }
            _ => {
                let next = ((k + 1) % nz * ny + j) * nx;
                (0..nx).for_each(|i| face(row + i, next + i, k));
            }
        }
    }
}

/// To which coarse cell each finer one belongs.
struct Family {
    /// Words as they go to the device.
    words: Vec<u32>,
    /// For each finer cell its coarse cell, or `u32::MAX`.
    parents: Vec<u32>,
}

fn family(fine: &Host, dims: [u32; 3]) -> Family {
    let cells = dims.iter().map(|n| *n as usize).product::<usize>();
    let mut words = vec![0; cells];
    let mut parents = vec![u32::MAX; fine.unknown.len()];
    let mut others = Vec::new();
    let full = all_own(fine.dims);
    for (q, word) in words.iter_mut().enumerate() {
        let parent = place(dims, q);
        if fine.whole(parent) {
            *word = full;
            for k in (0..8).filter(|k| full >> (3 * k) & 1 == 1) {
                parents[index(fine.dims, offspring(parent, k))] = q as u32;
            }
            continue;
        }
        let (there, own) = fine.group(parent);
        for k in (0..8).filter(|k| there >> k & 1 == 1) {
            let Some(id) = child(fine.dims, parent, k) else {
                continue;
            };
            if own >> k & 1 == 1 {
                *word |= OWN << (3 * k);
                parents[index(fine.dims, id)] = q as u32;
            } else {
                others.push((parent, id, k));
            }
        }
    }
    // Who else takes a child must have its own by now, so the adopted are written down afterwards.
    let mut adopted = Vec::new();
    for (parent, id, k) in others {
        let mut best = (0.0, 0);
        for axis in 0..3 {
            let f = 2 * axis + (k >> axis & 1);
            let weight = fine.weight(id, f);
            let other = parents[index(fine.dims, behind(fine.dims, id, f))];
            let beside = index(dims, behind(dims, parent, f)) as u32;
            if weight > best.0 && other == beside && beside != index(dims, parent) as u32 {
                best = (weight, f);
            }
        }
        if best.0 > 0.0 {
            adopted.push((parent, id, k, best.1));
        }
    }
    for (parent, id, k, f) in adopted {
        let by = index(dims, behind(dims, parent, f));
        parents[index(fine.dims, id)] = by as u32;
        words[index(dims, parent)] |= (ADOPTED + f as u32 / 2) << (3 * k);
        words[by] |= 1 << (FLAGS + (f as u32 ^ 1));
    }
    Family { words, parents }
}

/// The next level.
fn coarser(fine: &Host, dims: [u32; 3], family: &Family) -> Host {
    let cells = family.words.len();
    let own = |word: &u32| (0..8).any(|k| word >> (3 * k) & 7 == OWN);
    let mut coarse = Host {
        dims,
        unknown: family.words.iter().map(own).collect(),
        weights: [0, 1, 2].map(|a| {
            if dims[a] > 1 {
                vec![0.0; cells]
            } else {
                Vec::new()
            }
        }),
        known: Vec::new(),
        hold: vec![0.0; cells],
        edges: [0, 1, 2].map(|a| {
            let (edges, n) = (&fine.edges[a], fine.dims[a] as usize);
            (0..=dims[a] as usize)
                .map(|i| edges[(2 * i).min(n)])
                .collect()
        }),
    };
    for (hold, parent) in fine.hold.iter().zip(&family.parents) {
        if let Some(to) = coarse.hold.get_mut(*parent as usize) {
            *to += hold;
        }
    }
    let mut lost = Vec::new();
    for axis in 0..3 {
        join_faces(fine, &mut coarse, family, axis, &mut lost);
    }
    reroute(&mut coarse, &lost);
    for k in &fine.known {
        let parent = family.parents[k.cell as usize];
        if parent == u32::MAX {
            continue;
        }
        let axis = k.face as usize / 2;
        let from = fine.centre(axis, place(fine.dims, k.cell as usize)[axis]);
        let to = coarse.centre(axis, place(dims, parent as usize)[axis]);
        let further = if k.face & 1 == 1 {
            from - to
        } else {
            to - from
        };
        coarse.known.push(Known {
            cell: parent,
            // A wall inside a coarse cell may even lie at its centre.
            distance: (k.distance + further).max(0.25 * k.distance),
            ..*k
        });
    }
    coarse
}

/// Adds up the faces between coarse cells, along one axis. Links between cells that do not face each other are `lost`.
fn join_faces(
    fine: &Host,
    coarse: &mut Host,
    family: &Family,
    axis: usize,
    lost: &mut Vec<(u32, u32, f32)>,
) {
    let weights = &fine.weights[axis];
    let share: Vec<f32> = (0..fine.dims[axis] as usize)
        .map(|i| match coarse.dims[axis] {
            ..2 => 0.0,
            _ => fine.distance(axis, i) / coarse.distance(axis, i / 2),
        })
        .collect();
    if weights.is_empty() {
        return;
    }
    // Where a cell lies; an adopted one belongs elsewhere.
    let lies = |cell: usize| index(coarse.dims, place(fine.dims, cell).map(|i| i / 2)) as u32;
    let (mut held, mut sums) = (Vec::new(), vec![0.0; coarse.unknown.len()]);
    each_face(fine.dims, axis, |cell, next, along| {
        let (weight, a, b) = (weights[cell], family.parents[cell], family.parents[next]);
        if weight == 0.0 || a == b {
            return;
        }
        match (a, b) {
            // Behind the face is a value that does not change.
            (u32::MAX, p) | (p, u32::MAX) => held.push((p, weight)),
            _ => {
                let beside = behind(coarse.dims, place(coarse.dims, a as usize), 2 * axis + 1);
                if index(coarse.dims, beside) as u32 != b {
                    lost.push((a, b, weight));
                } else if lies(cell) != a || lies(next) != b {
                    sums[a as usize] += 0.5 * weight;
                } else {
                    sums[a as usize] += weight * share[along];
                }
            }
        }
    });
    for (p, weight) in held {
        coarse.hold[p as usize] += weight;
    }
    if coarse.dims[axis] > 1 {
        coarse.weights[axis] = sums;
    }
}

/// What flowed through a link that was lost goes round by the two links of the corner, if they are there. If not, part of a
/// coarse level might be cut off and float: it is held instead.
fn reroute(coarse: &mut Host, lost: &[(u32, u32, f32)]) {
    for &(a, b, weight) in lost {
        let from = place(coarse.dims, a as usize);
        let to = place(coarse.dims, b as usize);
        let step = |id: [usize; 3], f: usize| {
            (coarse.weight(id, f) > 0.0).then(|| behind(coarse.dims, id, f))
        };
        let corner = (0..6).find_map(|f| {
            let by = step(from, f)?;
            let g = (0..6).find(|g| step(by, *g) == Some(to))?;
            Some([(from, f), (by, g)])
        });
        let Some(ways) = corner else {
            coarse.hold[a as usize] += 0.5 * weight;
            coarse.hold[b as usize] += 0.5 * weight;
            continue;
        };
        for (id, f) in ways {
            let at = if f & 1 == 1 {
                id
            } else {
                behind(coarse.dims, id, f)
            };
            coarse.weights[f / 2][index(coarse.dims, at)] += 0.5 * weight;
        }
    }
}

/// Makes all levels.
pub(super) fn coarsen(layout: &Layout, stencil: &[u32], shift: f32) -> Coarse {
    let mut out = Coarse {
        ints: Vec::with_capacity(layout.ints),
        coef: Vec::with_capacity(layout.coef),
    };
    let mut fine = Host::finest(layout.levels[0].dims, stencil, shift);
    for level in &layout.levels[1..] {
        let family = family(&fine, level.dims);
        let coarse = coarser(&fine, level.dims, &family);
        out.ints.extend(&family.words);
        out.ints.extend(codes(&coarse));
        let begin = out.coef.len();
        put_coefficients(&mut out.coef, &coarse, layout.axes);
        put_row_flags(
            &mut out.ints,
            level,
            &out.coef[begin..],
            layout.axes,
            &family.words,
            all_own(fine.dims),
        );
        for axis in 0..3 {
            put_shares(&mut out.coef, &fine, &coarse, axis);
        }
        fine = coarse;
    }
    out
}
