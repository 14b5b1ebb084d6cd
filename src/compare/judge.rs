//! Which way is worth its cost.

use super::{Reference, Row};

/// What is meant by error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// What is left of the pressure error.
    Pressure,
    /// Fluid that appears or vanishes.
    Divergence,
    /// How far the dye is from that of the reference.
    Dye,
    /// How far the velocity is from that of the reference.
    Velocity,
}

impl Measure {
    /// Every one, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Pressure, Self::Divergence, Self::Dye, Self::Velocity];

    /// The column that holds it.
    pub fn column(self) -> &'static str {
        match self {
            Self::Pressure => "residual_l2",
            Self::Divergence => "divergence_linf",
            Self::Dye => "dye_difference_l2",
            Self::Velocity => "velocity_difference_l2",
        }
    }

    /// How far a way is from perfect, as a share: of the pressure error that there was to solve for, of the reference's own
    /// dye or velocity, or by how much its divergence is above the reference's. Nothing where that cannot be said.
    pub fn share(self, row: &Row, reference: &Reference) -> Option<f64> {
        let value = row.get(self.column())?;
        let of = |whole: f64| match (value, whole) {
            (0.0, _) => Some(0.0),
            (v, w) if w > 0.0 && v.is_finite() => Some(v / w),
            _ => None,
        };
        match self {
            Self::Pressure => of(row.brought?),
            Self::Divergence => of(reference.row.get(self.column())?).map(|s| (s - 1.0).max(0.0)),
            Self::Dye => of(reference.dye_rms?),
            Self::Velocity => of(reference.velocity_rms?),
        }
    }
}

/// What is meant by cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cost {
    /// Time a frame, ms.
    #[default]
    Time,
    /// Memory of the simulation, MB.
    Memory,
}

impl Cost {
    /// Every one, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::Time, Self::Memory];

    /// What a way costs; none where it did not come to its end.
    pub fn of(self, row: &Row) -> Option<f64> {
        match self {
            Self::Time => row.get("ms_per_frame"),
            Self::Memory => row.memory_bytes.map(|bytes| bytes as f64 * 1e-6),
        }
    }
}

/// What a look may cost and how far it may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// Most time a frame, ms.
    pub ms: f64,
    /// What is meant by error.
    pub measure: Measure,
    /// The largest error, as a share; see [`Measure::share`].
    pub share: f64,
}

impl Budget {
    /// The ways that keep to it, the one with the least error first.
    pub fn kept(&self, rows: &[Row], reference: &Reference) -> Vec<usize> {
        let fits = |row: &Row| {
            let share = self.measure.share(row, reference)?;
            let ms = row.get("ms_per_frame")?;
            (ms <= self.ms && share <= self.share).then_some(share)
        };
        let mut all: Vec<(usize, f64)> = rows
            .iter()
            .enumerate()
            .filter_map(|(i, row)| Some((i, fits(row)?)))
            .collect();
        all.sort_by(|a, b| a.1.total_cmp(&b.1));
        all.into_iter().map(|(i, _)| i).collect()
    }
}

/// The points, cost and error, that no other one is better than: cheaper and no worse, or as cheap and better. By cost.
pub fn pareto(points: &[[f64; 2]]) -> Vec<usize> {
    let finite = |i: &usize| points[*i].iter().all(|v| v.is_finite());
    let mut order: Vec<usize> = (0..points.len()).filter(finite).collect();
    order.sort_by(|a, b| {
        let (a, b) = (points[*a], points[*b]);
        a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]))
    });
    let mut front: Vec<usize> = Vec::new();
    for i in order {
        if front
            .last()
            .is_none_or(|last| points[i][1] < points[*last][1])
        {
            front.push(i);
        }
    }
    front
}

/// Costs that differ by less than this share cannot be told apart.
const ALIKE: f64 = 0.1;

/// The cheapest way whose error is at most that share; of those that cost about as little, the one with the least error.
pub fn cheapest_within(
    rows: &[Row],
    reference: &Reference,
    measure: Measure,
    cost: Cost,
    share: f64,
) -> Option<usize> {
    let good = |row: &Row| measure.share(row, reference).is_some_and(|s| s <= share);
    let costs = || rows.iter().map(|row| cost.of(row).filter(|_| good(row)));
    let lowest = costs().nth(least(costs())?)??;
    let alike = costs().zip(rows).map(|(cost, row)| {
        let as_cheap = cost? <= lowest * (1.0 + ALIKE);
        measure.share(row, reference).filter(|_| as_cheap)
    });
    least(alike)
}

/// The way with the least error.
pub fn closest(rows: &[Row], reference: &Reference, measure: Measure) -> Option<usize> {
    least(rows.iter().map(|row| measure.share(row, reference)))
}

/// A share of the pressure error that is so small that it does not matter who leaves less.
const SOLVED: f64 = 1e-4;

/// Said where a way has left clearly less of the pressure error than the reference: what it differs by is then no error.
pub fn doubt(rows: &[Row], reference: &Reference) -> Option<String> {
    let left = |row: &Row| row.get("residual_l2").filter(|v| v.is_finite());
    let of_reference = left(&reference.row)?;
    if of_reference <= SOLVED * reference.row.brought.unwrap_or(0.0) {
        return None;
    }
    let row = rows.get(least(rows.iter().map(left))?)?;
    (left(row)? < 0.9 * of_reference).then(|| {
        format!(
            "“{}” leaves less pressure error than the reference: where it differs from the reference, the reference may be \
             the one that is off.",
            row.label
        )
    })
}

/// Where the least of some values stands, the first of equal ones.
fn least(values: impl Iterator<Item = Option<f64>>) -> Option<usize> {
    let known = values.enumerate().filter_map(|(i, v)| Some((i, v?)));
    known.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(i, _)| i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::COLUMNS;

    fn row(label: &str, ms: f64, left: f64, velocity: f64) -> Row {
        let mut values = [None; COLUMNS.len()];
        (values[0], values[4], values[8]) = (Some(ms), Some(left), Some(velocity));
        values[6] = Some(left * 10.0);
        Row {
            id: label.to_owned(),
            label: label.to_owned(),
            values,
            units: [""; COLUMNS.len()],
            brought: Some(2.0),
            memory_bytes: Some(1),
            error: None,
        }
    }

    fn reference() -> Reference {
        Reference {
            row: row("reference", 100.0, 0.01, 0.0),
            words: String::new(),
            dye_rms: None,
            velocity_rms: Some(4.0),
        }
    }

    #[test]
    fn the_front_holds_what_nothing_beats() {
        let points = [
            [4.0, 0.1],
            [1.0, 1.0],
            [2.0, 0.5],
            [3.0, 0.6],
            [2.0, 0.7],
            [5.0, 0.1],
            [0.5, f64::NAN],
        ];
        assert_eq!(pareto(&points), [1, 2, 0]);
        assert!(pareto(&[]).is_empty());
    }

    #[test]
    fn shares_are_of_what_there_was() {
        let (row, reference) = (row("a", 1.0, 0.1, 1.0), reference());
        let share = |m: Measure| m.share(&row, &reference);
        assert_eq!(share(Measure::Pressure), Some(0.05));
        assert_eq!(share(Measure::Velocity), Some(0.25));
        assert_eq!(share(Measure::Divergence).map(f64::round), Some(9.0));
        assert_eq!(share(Measure::Dye), None);
    }

    #[test]
    fn the_cheapest_that_is_good_enough_is_found_or_else_the_closest() {
        let rows = [
            row("cheap", 1.0, 1.0, 2.0),
            row("good", 3.0, 0.08, 0.1),
            row("dear", 9.0, 0.01, 0.05),
        ];
        let reference = reference();
        let found = |m, share| cheapest_within(&rows, &reference, m, Cost::Time, share);
        assert_eq!(found(Measure::Pressure, 0.05), Some(1));
        assert_eq!(found(Measure::Velocity, 0.6), Some(0));
        assert_eq!(found(Measure::Divergence, 0.05), Some(2));
        assert_eq!(found(Measure::Velocity, 0.001), None);
        assert_eq!(found(Measure::Dye, 1.0), None);
        // A twentieth more time is none.
        let alike = [
            row("noise", 3.0, 0.08, 0.1),
            row("better", 3.15, 0.001, 0.1),
        ];
        let best = |rows| cheapest_within(rows, &reference, Measure::Pressure, Cost::Time, 0.05);
        assert_eq!(best(&alike), Some(1));
        assert_eq!(closest(&rows, &reference, Measure::Velocity), Some(2));
    }

    #[test]
    fn a_budget_is_kept_by_what_costs_and_errs_little_enough() {
        let rows = [
            row("cheap", 1.0, 1.0, 2.0),
            row("good", 3.0, 0.08, 0.1),
            row("better", 4.0, 0.02, 0.1),
            row("dear", 9.0, 0.01, 0.05),
        ];
        let budget = |ms, share| Budget {
            ms,
            measure: Measure::Pressure,
            share,
        };
        let kept = |ms, share| budget(ms, share).kept(&rows, &reference());
        assert_eq!(kept(5.0, 0.05), [2, 1]);
        assert_eq!(kept(3.5, 0.05), [1]);
        assert!(kept(2.0, 0.05).is_empty());
        assert_eq!(kept(2.0, 0.6), [0]);
        assert_eq!(Cost::Memory.of(&rows[0]), Some(1e-6));
    }

    #[test]
    fn a_way_that_leaves_less_than_the_reference_is_named() {
        let rows = [row("few", 1.0, 0.1, 2.0), row("deep", 2.0, 0.001, 1.0)];
        let mut reference = reference();
        let text = doubt(&rows, &reference).expect("one is closer");
        assert!(text.starts_with("“deep” leaves less"), "{text}");
        assert_eq!(doubt(&rows[..1], &reference), None);
        // Both have solved it: what is left is rounding.
        reference.row.values[4] = Some(2e-4 * 0.9);
        reference.row.brought = Some(2.0);
        assert_eq!(doubt(&[row("deep", 2.0, 1e-5, 1.0)], &reference), None);
    }
}
