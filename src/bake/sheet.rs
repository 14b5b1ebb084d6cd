//! Flipbook sheets: cells row by row from the top left, each with a gutter.

use serde::{Deserialize, Serialize};

use super::BakeError;
use super::plan::MAX_EDGE;
use super::texels::Texels;
use crate::document::{Output, Spare};

/// More frames than any sheet can hold in a useful size.
const MAX_FRAMES: u32 = 65_536;

/// The shape of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sheet {
    /// Cells across.
    pub columns: u32,
    /// Cells down.
    pub rows: u32,
    /// Texels around each frame.
    pub gutter: u32,
    /// Real frames; further cells repeat the last one.
    pub frames: u32,
}

impl Sheet {
    /// Size in texels for frames of `size`.
    pub fn size(&self, size: [u32; 2]) -> [u32; 2] {
        [
            self.columns * (size[0] + 2 * self.gutter),
            self.rows * (size[1] + 2 * self.gutter),
        ]
    }
}

/// Works out the sheet for `count` frames.
///
/// # Errors
/// Frames that do not fit, empty cells where those are refused, a sheet that no engine reads.
pub fn plan(output: &Output, count: u32, size: [u32; 2], at: &str) -> Result<Sheet, BakeError> {
    if count > MAX_FRAMES {
        let message =
            format!("a sheet of {count} frames is more than the {MAX_FRAMES} that are possible");
        return Err(BakeError::setting(format!("{at}.layout"), message));
    }
    let (columns, rows) = match (output.columns, output.rows) {
        (0, 0) => automatic(count, size, output.spare),
        (0, rows) => (count.div_ceil(rows), rows),
        (columns, 0) => (columns, count.div_ceil(columns)),
        both => both,
    };
    let cells = u64::from(columns) * u64::from(rows);
    if cells < u64::from(count) {
        let message = format!("{columns} × {rows} cells do not hold {count} frames");
        return Err(BakeError::setting(format!("{at}.columns"), message));
    }
    if cells > u64::from(count) && output.spare == Spare::Refuse {
        let full = count - count % columns;
        let message = format!(
            "{count} frames leave {} of {columns} × {rows} cells empty; bake {} or {cells} frames, choose other columns, or let the last frame repeat",
            cells - u64::from(count),
            full.max(1),
        );
        return Err(BakeError::setting(format!("{at}.spare"), message));
    }
    let edge =
        |n: u32, cells: u32| (u64::from(n) + 2 * u64::from(output.gutter)) * u64::from(cells);
    let (w, h) = (edge(size[0], columns), edge(size[1], rows));
    if w.max(h) > u64::from(MAX_EDGE) {
        let message = format!(
            "a sheet of {columns} × {rows} frames would be {w} × {h} texels, and engines read {MAX_EDGE}; set a smaller width or fewer frames"
        );
        return Err(BakeError::setting(format!("{at}.width"), message));
    }
    Ok(Sheet {
        columns,
        rows,
        gutter: output.gutter,
        frames: count,
    })
}

/// The shape whose sheet is nearest to a square: one that has a cell for each frame if it is at most twice as long as
/// wide (or if nothing else is allowed), else the one with the fewest spare cells.
fn automatic(count: u32, size: [u32; 2], spare: Spare) -> (u32, u32) {
    let elongation = |columns: u32, rows: u32| {
        let (w, h) = (
            f64::from(columns) * f64::from(size[0]),
            f64::from(rows) * f64::from(size[1]),
        );
        (w / h).max(h / w)
    };
    let by = |a: &(u32, u32), b: &(u32, u32)| elongation(a.0, a.1).total_cmp(&elongation(b.0, b.1));
    let exact = (1..=count)
        .filter(|columns| count.is_multiple_of(*columns))
        .map(|columns| (columns, count / columns))
        .min_by(by)
        .unwrap_or((count, 1));
    if spare == Spare::Refuse || elongation(exact.0, exact.1) <= 2.01 {
        return exact;
    }
    (1..=count)
        .map(|columns| (columns, count.div_ceil(columns)))
        .filter(|(c, r)| elongation(*c, *r) <= 2.01)
        .min_by(|a, b| (a.0 * a.1).cmp(&(b.0 * b.1)).then_with(|| by(a, b)))
        .unwrap_or(exact)
}

/// Copies a frame into its cell, gutter included: opposite texels where the axis is periodic, else the edge repeated.
pub fn place(sheet: &Sheet, into: &mut Texels, cell: u32, frame: &Texels, periodic: [bool; 2]) {
    let n = frame.channels;
    let (g, w, h) = (
        i64::from(sheet.gutter),
        i64::from(frame.width),
        i64::from(frame.height),
    );
    let left = (cell % sheet.columns) as usize * (w + 2 * g) as usize;
    let top = (cell / sheet.columns) as usize * (h + 2 * g) as usize;
    let inside = |i: i64, len: i64, periodic: bool| -> usize {
        (if periodic {
            i.rem_euclid(len)
        } else {
            i.clamp(0, len - 1)
        }) as usize
    };
    let stride = into.width as usize * n;
    for y in -g..h + g {
        let from = frame.row(inside(y, h, periodic[1]) as u32);
        let start = (top + (y + g) as usize) * stride + left * n;
        let row = &mut into.data[start..start + (w + 2 * g) as usize * n];
        for (x, texel) in (-g..w + g).zip(row.chunks_exact_mut(n)) {
            let i = inside(x, w, periodic[0]) * n;
            texel.copy_from_slice(&from[i..i + n]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn automatic_sheets_are_near_square_and_full_where_they_can_be() {
        let auto = |n, spare| automatic(n, [64, 64], spare);
        assert_eq!(auto(64, Spare::RepeatLast), (8, 8));
        assert_eq!(auto(60, Spare::RepeatLast), (6, 10));
        assert_eq!(auto(1, Spare::RepeatLast), (1, 1));
        assert_eq!(auto(7, Spare::Refuse).0 * auto(7, Spare::Refuse).1, 7);
        let (c, r) = auto(61, Spare::RepeatLast);
        assert!(
            c * r >= 61 && c * r <= 64 && c.abs_diff(r) <= 8,
            "{c} × {r}"
        );
        assert_eq!(automatic(8, [128, 64], Spare::RepeatLast), (2, 4));
    }

    #[test]
    fn gutters_repeat_the_edge_or_wrap() {
        let frame = Texels {
            width: 2,
            height: 1,
            channels: 1,
            data: vec![1.0, 2.0],
        };
        let sheet = Sheet {
            columns: 1,
            rows: 1,
            gutter: 1,
            frames: 1,
        };
        let mut out = Texels::new(4, 3, 1);
        place(&sheet, &mut out, 0, &frame, [false; 2]);
        assert_eq!(out.row(0), [1.0, 1.0, 2.0, 2.0]);
        assert_eq!(out.row(1), [1.0, 1.0, 2.0, 2.0]);
        place(&sheet, &mut out, 0, &frame, [true, false]);
        assert_eq!(out.row(1), [2.0, 1.0, 2.0, 1.0]);
    }
}
