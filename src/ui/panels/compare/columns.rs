//! The columns of the table: their values, units, the best of each, and the order of the rows.

use std::fmt::Write as _;

use crate::compare::Row;
use crate::ui::compare_job::Results;
use crate::ui::format;

/// A column: its name among those of the comparison (empty for memory), its heading, and whether less is better.
pub struct Column {
    pub name: &'static str,
    pub head: &'static str,
    pub doc: &'static str,
    better: bool,
}

const fn column(name: &'static str, head: &'static str, doc: &'static str, better: bool) -> Column {
    Column {
        name,
        head,
        doc,
        better,
    }
}

/// The columns, in order.
pub const COLUMNS: [Column; 10] = [
    column(
        "ms_per_frame",
        "Frame",
        "Time to simulate a frame, the median of all.",
        true,
    ),
    column(
        "solve_ms",
        "Solve",
        "The part of a frame that goes into the pressure, in all its sub-steps.",
        true,
    ),
    column(
        "iterations",
        "Iterations",
        "Iterations of the last pressure solve.",
        false,
    ),
    column(
        "residual_l2_before",
        "Error before",
        "Pressure error before the last solve.",
        false,
    ),
    column(
        "residual_l2",
        "Error left",
        "Pressure error after the last solve, as a root mean square.",
        true,
    ),
    column(
        "residual_linf",
        "Worst error",
        "Pressure error after the last solve, in the worst cell.",
        true,
    ),
    column(
        "divergence_linf",
        "Divergence",
        "Fluid that appears or vanishes in the worst cell.",
        true,
    ),
    column(
        "dye_difference_l2",
        "Dye off by",
        "Difference of the dye from the reference's.",
        true,
    ),
    column(
        "velocity_difference_l2",
        "Flow off by",
        "Difference of the velocity from the reference's.",
        true,
    ),
    column(
        "",
        "Memory",
        "What the buffers of the simulation take.",
        true,
    ),
];

impl Column {
    pub fn value(&self, row: &Row) -> Option<f64> {
        match self.name {
            "" => row.memory_bytes.map(|bytes| bytes as f64),
            name => row.get(name),
        }
    }
    pub fn unit(&self, rows: &[Row]) -> &'static str {
        match self.name {
            "" => "MB",
            // One that has failed has no units.
            name => rows
                .iter()
                .find(|r| r.error.is_none())
                .map_or("", |r| r.unit(name)),
        }
    }
    pub fn shown(&self, row: &Row) -> String {
        match self.value(row) {
            None => "–".to_owned(),
            Some(v) if self.name.is_empty() => format::number(v * 1e-6),
            Some(v) => format::number(v),
        }
    }
    /// The least value, where less is better and not all look alike.
    pub fn best(&self, rows: &[Row]) -> Option<f64> {
        let values = || {
            rows.iter()
                .filter_map(|r| self.value(r))
                .filter(|v| v.is_finite())
        };
        let (low, high) = (values().reduce(f64::min)?, values().reduce(f64::max)?);
        let apart = format::number(low) != format::number(high);
        (self.better && apart).then_some(low)
    }
}

/// By which column the rows are in order, and whether the largest comes first. None for the order in which they ran.
#[derive(Default)]
pub struct Order(pub Option<(usize, bool)>);

impl Order {
    pub fn next(&mut self, column: usize) {
        self.0 = match self.0 {
            Some((c, false)) if c == column => Some((column, true)),
            Some((c, true)) if c == column => None,
            _ => Some((column, false)),
        };
    }

    /// Positions of the rows as shown; what has no number comes last.
    pub fn of(&self, rows: &[Row]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..rows.len()).collect();
        if let Some((column, down)) = self.0 {
            let key = |i: &usize| COLUMNS[column].value(&rows[*i]);
            order.sort_by(|a, b| match (key(a), key(b)) {
                (Some(a), Some(b)) if down => b.total_cmp(&a),
                (Some(a), Some(b)) => a.total_cmp(&b),
                (a, b) => b.is_some().cmp(&a.is_some()),
            });
        }
        order
    }
}

/// The numbers as a table for a spreadsheet, the reference at last.
pub fn csv(results: &Results) -> String {
    let mut text = "way".to_owned();
    for column in &COLUMNS {
        let unit = match column.name {
            "" => "B",
            _ => column.unit(&results.rows),
        };
        let _ = match unit {
            "" => write!(text, ",{}", column.head),
            unit => write!(text, ",{} ({unit})", column.head),
        };
    }
    let failed = results.rows.iter().any(|r| r.error.is_some());
    text.push_str(if failed { ",Failed\n" } else { "\n" });
    for row in results.rows.iter().chain([&results.reference.row]) {
        let _ = write!(text, "\"{}\"", row.label.replace('"', "\"\""));
        for column in &COLUMNS {
            let _ = match column.value(row) {
                Some(v) => write!(text, ",{v}"),
                None => write!(text, ","),
            };
        }
        if failed {
            let why = row.error.as_deref().unwrap_or("").replace('"', "\"\"");
            let _ = write!(text, ",\"{why}\"");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ms: f64, iterations: Option<f64>) -> Row {
        let mut values = [None; crate::compare::COLUMNS.len()];
        (values[0], values[2]) = (Some(ms), iterations);
        Row {
            id: String::new(),
            label: String::new(),
            values,
            units: [""; crate::compare::COLUMNS.len()],
            brought: None,
            memory_bytes: Some(1_500_000),
            error: None,
        }
    }

    #[test]
    fn rows_are_sorted_by_a_click_and_the_best_is_known() {
        let rows = [row(3.0, Some(2.0)), row(1.0, None), row(2.0, Some(9.0))];
        let mut order = Order::default();
        assert_eq!(order.of(&rows), [0, 1, 2]);
        order.next(0);
        assert_eq!(order.of(&rows), [1, 2, 0]);
        order.next(0);
        assert_eq!(order.of(&rows), [0, 2, 1]);
        order.next(2);
        assert_eq!(order.of(&rows), [0, 2, 1]);
        for _ in 0..2 {
            order.next(2);
        }
        assert_eq!(order.of(&rows), [0, 1, 2]);
        assert_eq!(COLUMNS[0].best(&rows), Some(1.0));
        assert_eq!(
            COLUMNS[2].best(&rows),
            None,
            "fewer iterations are no better"
        );
        assert_eq!(COLUMNS[9].best(&rows), None, "all are alike");
        assert_eq!(COLUMNS[9].shown(&rows[0]), "1.5");
    }
}
