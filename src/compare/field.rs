//! Fields that are kept to be looked at, and what differs between two.

use std::sync::Arc;

use crate::field::{FieldData, FieldDesc, Grid, RangeHint};

/// The middle layer of a field with at most so many cells along its longer edge: the mean of blocks of cells.
pub fn coarser(field: &FieldData, most: u32) -> FieldData {
    let [nx, ny, nz] = field.grid.cells.map(|n| n.max(1) as usize);
    let n = field.desc.components.max(1) as usize;
    let block = nx.max(ny).div_ceil(most.max(1) as usize);
    let (cx, cy) = (nx.div_ceil(block), ny.div_ceil(block));
    let layer = nx * ny * (nz / 2);
    let mut data = Vec::with_capacity(cx * cy * n);
    for j in 0..cy {
        for i in 0..cx {
            let rows = j * block..((j + 1) * block).min(ny);
            let columns = i * block..((i + 1) * block).min(nx);
            let count = (rows.len() * columns.len()) as f32;
            for c in 0..n {
                let sum: f32 = rows
                    .clone()
                    .flat_map(|y| columns.clone().map(move |x| layer + y * nx + x))
                    .filter_map(|cell| field.data.get(cell * n + c))
                    .sum();
                data.push(sum / count);
            }
        }
    }
    FieldData {
        desc: field.desc,
        grid: Grid {
            cells: [cx as u32, cy as u32, 1],
            h: field.grid.h * block as f32,
        },
        data,
    }
}

/// A field that is kept, and what its numbers are of.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// All of it, or [`coarser`].
    pub field: Arc<FieldData>,
    /// What a number is the mean of; empty where every cell is kept.
    pub of: String,
}

impl Kept {
    /// All of a field if it takes at most so many bytes, else what is left of it with `most` cells along an edge.
    pub fn new(field: FieldData, bytes: u64, most: u32) -> Self {
        if field.data.len() as u64 * 4 <= bytes {
            return Self {
                field: Arc::new(field),
                of: String::new(),
            };
        }
        let small = coarser(&field, most);
        let [nx, ny, nz] = field.grid.cells;
        let block = nx.max(ny).div_ceil(most.max(1));
        let of = match (block > 1, nz > 1) {
            (true, false) => format!("blocks of {block} × {block} cells"),
            (true, true) => format!("blocks of {block} × {block} cells of the middle layer"),
            (false, true) => "the cells of the middle layer".to_owned(),
            (false, false) => String::new(),
        };
        Self {
            field: Arc::new(small),
            of,
        }
    }
}

/// How far two fields are apart in each cell: the length of the difference. Nothing where they are not of the same kind
/// and size.
pub fn difference(a: &FieldData, b: &FieldData) -> Option<FieldData> {
    let same = a.grid == b.grid && a.desc == b.desc && a.data.len() == b.data.len();
    let n = a.desc.components.max(1) as usize;
    let cell = |(a, b): (&[f32], &[f32])| {
        let squares = a.iter().zip(b).map(|(a, b)| (a - b).powi(2));
        squares.sum::<f32>().sqrt()
    };
    let cells = a.data.chunks_exact(n).zip(b.data.chunks_exact(n));
    same.then(|| FieldData {
        desc: FieldDesc {
            name: "difference",
            label: "Difference",
            unit: a.desc.unit,
            components: 1,
            range: RangeHint::Positive,
        },
        grid: a.grid,
        data: cells.map(cell).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vectors(cells: [u32; 3], value: impl Fn(usize) -> f32) -> FieldData {
        let grid = Grid { cells, h: 0.5 };
        FieldData {
            desc: FieldDesc {
                name: "velocity",
                label: "Velocity",
                unit: "m/s",
                components: 2,
                range: RangeHint::Signed,
            },
            grid,
            data: (0..grid.len() * 2).map(value).collect(),
        }
    }

    #[test]
    fn blocks_are_averaged_and_the_middle_layer_is_taken() {
        let field = vectors(
            [5, 3, 3],
            |i| if i % 2 == 0 { (i / 30) as f32 } else { 7.0 },
        );
        let small = coarser(&field, 3);
        assert_eq!((small.grid.cells, small.grid.h), ([3, 2, 1], 1.0));
        assert_eq!(small.data.len(), 12);
        assert!(small.data.chunks_exact(2).all(|v| v == [1.0, 7.0]));
        let flat = vectors([4, 2, 1], |i| i as f32);
        assert_eq!(coarser(&flat, 64), flat);
        assert_eq!(coarser(&flat, 2).data, [5.0, 6.0, 9.0, 10.0]);
    }

    #[test]
    fn a_difference_is_a_length_in_the_same_unit() {
        let (a, b) = (
            vectors([2, 2, 1], |_| 0.0),
            vectors([2, 2, 1], |i| [3.0, -4.0][i % 2]),
        );
        let d = difference(&a, &b).expect("the same kind and size");
        assert_eq!(
            (d.data.as_slice(), d.desc.unit),
            ([5.0; 4].as_slice(), "m/s")
        );
        assert!(difference(&a, &vectors([4, 1, 1], |_| 0.0)).is_none());
    }

    #[test]
    fn what_has_room_is_kept_whole_and_what_has_not_says_what_it_is_of() {
        let field = vectors([8, 4, 1], |i| i as f32);
        let whole = Kept::new(field.clone(), 8 * 4 * 2 * 4, 4);
        assert_eq!((&*whole.field, whole.of.as_str()), (&field, ""));
        let small = Kept::new(field, 8 * 4 * 2 * 4 - 1, 4);
        assert_eq!(small.field.grid.cells, [4, 2, 1]);
        assert_eq!(small.of, "blocks of 2 × 2 cells");
        let deep = Kept::new(vectors([4, 4, 4], |_| 0.0), 0, 8);
        assert_eq!(deep.of, "the cells of the middle layer");
    }
}
