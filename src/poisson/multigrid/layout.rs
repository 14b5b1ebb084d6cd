//! Which levels there are, and where each lies in the arrays that all share.

/// Most cells of a level that one workgroup does, or one thread.
pub(super) const SMALL: usize = 1024;
/// Fewest cells of a coarse level whose sweeps the CPU does in one way (see `sweeps`): on less, the way in and out costs more
/// than it saves.
const LARGE: usize = 4096;
/// Most cells along an axis of the coarsest level.
const COARSEST: u32 = 4;

/// A level. The finest is number 0 and has nothing in the arrays.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Level {
    pub dims: [u32; 3],
    pub cells: usize,
    /// In the integers: the children of each cell, the code of each cell, and the flags of each row.
    pub ints: usize,
    /// In the coefficients: weights of the faces towards x+, y+ and z+ (the last in 3D only), what else is on the diagonal, one
    /// over the diagonal, and the share of the next cell in each finer cell along x, y, z.
    pub coef: usize,
    /// In the state: x, x' and b.
    pub state: usize,
}

/// All levels.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    pub levels: Vec<Level>,
    /// Axes with more than one cell on the finest level, at least two: planes of weights.
    pub axes: usize,
    pub ints: usize,
    pub coef: usize,
    pub state: usize,
}

impl Layout {
    /// For arrays of `dims`. There is always a second level.
    pub fn new(dims: [u32; 3]) -> Self {
        let axes = if dims[2] > 1 { 3 } else { 2 };
        let count = |dims: [u32; 3]| dims.iter().map(|n| *n as usize).product::<usize>();
        let finest = Level {
            dims,
            cells: count(dims),
            ints: 0,
            coef: 0,
            state: 0,
        };
        let mut all = Self {
            levels: vec![finest],
            axes,
            ints: 0,
            coef: 0,
            state: 0,
        };
        let mut fine = dims;
        loop {
            let dims = fine.map(|n| n.div_ceil(2));
            let cells = count(dims);
            all.levels.push(Level {
                dims,
                cells,
                ints: all.ints,
                coef: all.coef,
                state: all.state,
            });
            all.ints += 2 * cells + cells / dims[0] as usize;
            all.coef += (axes + 2) * cells + fine.iter().map(|n| *n as usize).sum::<usize>();
            all.state += 3 * cells;
            fine = dims;
            if fine.iter().all(|n| *n <= COARSEST) {
                return all;
            }
        }
    }

    /// The coarse levels that the CPU relaxes in one way: those of so many cells that this pays.
    pub fn large(&self) -> &[Level] {
        let count = self.levels[1..self.first_small()]
            .iter()
            .take_while(|l| l.cells >= LARGE)
            .count();
        &self.levels[1..][..count]
    }

    /// The coarsest level.
    pub fn last(&self) -> usize {
        self.levels.len() - 1
    }

    /// The first level that is small, as are all after it; the coarsest always is.
    pub fn first_small(&self) -> usize {
        let small = |l: &Level| l.cells <= SMALL;
        let first = self.levels.iter().skip(1).position(small);
        first.map_or(self.last(), |at| at + 1)
    }

    /// What the kernel is told of each level, three to a level: cells along x, y, z and in all; where it begins in the
    /// integers, the coefficients and the state, and the planes of weights; cells of the finer level along x, y, z.
    pub fn table(&self) -> Vec<[u32; 4]> {
        let mut table = Vec::new();
        for (number, level) in self.levels.iter().enumerate() {
            let finer = &self.levels[number.saturating_sub(1)];
            let [x, y, z] = level.dims;
            table.push([x, y, z, level.cells as u32]);
            let at = [level.ints, level.coef, level.state, self.axes];
            table.push(at.map(|n| n as u32));
            table.push([finer.dims[0], finer.dims[1], finer.dims[2], 0]);
        }
        table
    }
}

/// Cell `id` of an array of `dims`, and back.
#[inline(always)]
pub(super) fn index(dims: [u32; 3], id: [usize; 3]) -> usize {
    (id[2] * dims[1] as usize + id[1]) * dims[0] as usize + id[0]
}

/// See [`index`].
#[inline(always)]
pub(super) fn place(dims: [u32; 3], cell: usize) -> [usize; 3] {
    let [nx, ny, _] = dims.map(|n| n as usize);
    [cell % nx, cell / nx % ny, cell / (nx * ny)]
}

/// The cell behind face `f` (x−, x+, y−, y+, z−, z+), going round at the edges.
#[inline(always)]
pub(super) fn behind(dims: [u32; 3], mut id: [usize; 3], f: usize) -> [usize; 3] {
    let (axis, n) = (f / 2, dims[f / 2] as usize);
    id[axis] = match (f & 1, id[axis]) {
        (0, 0) => n - 1,
        (0, at) => at - 1,
        (_, at) if at + 1 == n => 0,
        (_, at) => at + 1,
    };
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_halve_down_to_four_and_do_not_overlap() {
        let layout = Layout::new([512, 37, 1]);
        let dims: Vec<_> = layout
            .levels
            .iter()
            .map(|l| [l.dims[0], l.dims[1]])
            .collect();
        let expected = [
            [512, 37],
            [256, 19],
            [128, 10],
            [64, 5],
            [32, 3],
            [16, 2],
            [8, 1],
            [4, 1],
        ];
        assert_eq!(dims, expected);
        for pair in layout.levels[1..].windows(2) {
            let rows = pair[0].cells / pair[0].dims[0] as usize;
            assert_eq!(pair[0].ints + 2 * pair[0].cells + rows, pair[1].ints);
            assert_eq!(pair[0].state + 3 * pair[0].cells, pair[1].state);
            assert!(pair[0].coef + 4 * pair[0].cells < pair[1].coef);
        }
        assert_eq!(layout.levels[layout.first_small()].dims, [64, 5, 1]);
        assert_eq!(Layout::new([1, 1, 1]).levels.len(), 2);
    }

    #[test]
    fn behind_goes_round() {
        let dims = [3, 2, 4];
        for cell in 0..24 {
            let id = place(dims, cell);
            assert_eq!(index(dims, id), cell);
            for f in 0..6 {
                assert_eq!(behind(dims, behind(dims, id, f), f ^ 1), id);
            }
        }
    }
}
