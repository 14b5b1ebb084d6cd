//! Where the lines behind a plot stand.

use egui_plot::GridMark;

/// A line at every so many whole numbers, few enough that each has its number beside it.
#[expect(clippy::needless_pass_by_value, reason = "as the plot calls it")]
pub fn few_whole_steps(input: egui_plot::GridInput) -> Vec<GridMark> {
    steps(input.bounds, 1.0)
}

/// The same for numbers that need not be whole.
#[expect(clippy::needless_pass_by_value, reason = "as the plot calls it")]
pub fn few_steps(input: egui_plot::GridInput) -> Vec<GridMark> {
    steps(input.bounds, 1e-6)
}

fn steps((low, high): (f64, f64), least: f64) -> Vec<GridMark> {
    const MOST: f64 = 5.0;
    let rough = ((high - low) / MOST).max(least);
    let decade = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|m| m * decade);
    let step = steps.into_iter().find(|s| *s >= rough).unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    (first..)
        .map(|i| i as f64 * step)
        .take_while(|value| *value <= high)
        .take(16)
        .map(|value| GridMark {
            value,
            step_size: step,
        })
        .collect()
}

/// A strong line at each power of ten, or every so many, and where there is room faint ones at its multiples.
#[expect(clippy::needless_pass_by_value, reason = "as the plot calls it")]
pub fn decades(input: egui_plot::GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let step = ((high - low) / 5.0).ceil().max(1.0);
    let mark = |value, step_size| GridMark { value, step_size };
    let first = (low / step).floor() as i64;
    let last = (high / step).ceil() as i64;
    let mut marks = Vec::new();
    for decade in (first..=last).take(64) {
        let value = decade as f64 * step;
        marks.push(mark(value, step));
        if high - low <= 3.0 {
            marks.extend((2..10).map(|n| {
                // The larger step has a number beside it where it fits.
                let step = if n == 2 || n == 5 { 0.3 } else { 0.1 };
                mark(value + f64::from(n).log10(), step)
            }));
        }
    }
    marks.retain(|m| (low..=high).contains(&m.value));
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_have_few_lines() {
        let at = |low, high| -> Vec<f64> {
            let bounds = (low, high);
            let marks = few_whole_steps(egui_plot::GridInput {
                bounds,
                base_step_size: 0.01,
            });
            marks.iter().map(|m| m.value).collect()
        };
        assert_eq!(at(-2.0, 82.0), [0.0, 20.0, 40.0, 60.0, 80.0]);
        assert_eq!(at(0.0, 80.0), [0.0, 20.0, 40.0, 60.0, 80.0]);
        assert_eq!(at(0.2, 3.1), [1.0, 2.0, 3.0]);
        assert_eq!(at(0.0, 0.0), [0.0]);
        assert!(at(-1e9, 1e9).len() < 10);
    }

    #[test]
    fn every_decade_has_its_line() {
        let grid = |low, high| {
            decades(egui_plot::GridInput {
                bounds: (low, high),
                base_step_size: 0.01,
            })
        };
        let strong = |low, high| -> Vec<f64> {
            let marks = grid(low, high);
            let strong = marks.iter().filter(|m| m.step_size >= 1.0);
            strong.map(|m| m.value).collect()
        };
        assert_eq!(strong(-3.5, 0.5), [-3.0, -2.0, -1.0, 0.0]);
        assert_eq!(strong(-12.0, 3.0), [-12.0, -9.0, -6.0, -3.0, 0.0, 3.0]);
        assert!(grid(-1.0, 1.0).len() > 15, "faint lines between");
        assert!(grid(-9.0, 0.0).iter().all(|m| m.step_size > 0.5));
    }
}
