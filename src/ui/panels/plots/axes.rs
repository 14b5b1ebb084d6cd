//! Where the lines behind a plot stand.

use egui_plot::{GridMark, Plot};

use crate::ui::theme;

/// An empty plot that stays where it is: no drag, no zoom, and no label but one's own.
pub fn still(id: impl egui::AsIdSalt, height: f32) -> Plot<'static> {
    Plot::new(id)
        .height(height)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .show_background(true)
        .show_crosshair(false)
        .y_axis_min_width(46.0)
        .grid_color(theme::line())
        .label_formatter(|_| None)
}

/// The number of a line along whole numbers; none between them.
pub fn whole(value: f64) -> String {
    match (value - value.round()).abs() < 1e-6 {
        true => format!("{value:.0}"),
        false => String::new(),
    }
}

/// The power of two that a whole number stands for; none between them.
pub fn power_of_two(value: f64) -> String {
    match (value - value.round()).abs() < 1e-6 {
        true => format!("{:.0}", value.round().exp2()),
        false => String::new(),
    }
}

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

fn steps(bounds: (f64, f64), least: f64) -> Vec<GridMark> {
    let all: Vec<f64> = steps_of(bounds, least, 5.0).collect();
    let step = all.windows(2).next().map_or(1.0, |pair| pair[1] - pair[0]);
    all.into_iter().map(|value| mark(value, step)).collect()
}

/// Multiples of a round number, about so many of them.
fn steps_of((low, high): (f64, f64), least: f64, most: f64) -> impl Iterator<Item = f64> {
    let rough = ((high - low) / most).max(least);
    let decade = 10_f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|m| m * decade);
    let step = steps.into_iter().find(|s| *s >= rough).unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    let all = (first..).map(move |i| i as f64 * step);
    all.take_while(move |value| *value <= high).take(16)
}

/// Three lines or so along y, each with its number beside it however low the plot is.
#[expect(clippy::needless_pass_by_value, reason = "as the plot calls it")]
pub fn values(input: egui_plot::GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let steps = steps_of((low, high), 1e-12, 3.0);
    // The further apart they claim to be, the surer the numbers are shown.
    steps.map(|value| mark(value, high - low)).collect()
}

fn mark(value: f64, step_size: f64) -> GridMark {
    GridMark { value, step_size }
}

/// The same along a logarithmic axis: powers of ten, of which every so many has a number; within one or two, round numbers
/// between them. Faint lines at all multiples where there is room.
#[expect(clippy::needless_pass_by_value, reason = "as the plot calls it")]
pub fn decades(input: egui_plot::GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let span = high - low;
    let inside = |v: &f64| (low..=high).contains(v);
    let every = (span / 3.0).ceil().max(1.0);
    let first = (low / every).floor() as i64;
    let powers = (first..).map(|i| i as f64 * every).take(64);
    let mut named: Vec<f64> = powers.take_while(|v| *v <= high).filter(inside).collect();
    if named.len() < 2 {
        let decades = low.floor() as i64..=high.floor() as i64;
        let round = decades.flat_map(|d| [1.0, 2.0, 5.0].map(|n: f64| d as f64 + n.log10()));
        named = round.filter(inside).collect();
    }
    if named.len() < 2 {
        let ends = (10_f64.powf(low), 10_f64.powf(high));
        named = steps_of(ends, 1e-300, 4.0).map(f64::log10).collect();
    }
    let mut marks: Vec<GridMark> = named.into_iter().map(|v| mark(v, span)).collect();
    if (0.5..=3.0).contains(&span) {
        let decades = low.floor() as i64..=high.floor() as i64;
        let between = decades.flat_map(|d| (1..10).map(move |n| d as f64 + f64::from(n).log10()));
        marks.extend(between.filter(inside).map(|v| mark(v, 0.1)));
    }
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

    /// The numbers beside a logarithmic axis.
    fn numbers(low: f64, high: f64) -> Vec<f64> {
        let marks = decades(egui_plot::GridInput {
            bounds: (low, high),
            base_step_size: 0.01,
        });
        assert!(marks.iter().all(|m| (low..=high).contains(&m.value)));
        let named = marks.iter().filter(|m| m.step_size == high - low);
        named.map(|m| m.value).collect()
    }

    #[test]
    fn every_range_has_some_numbers_and_not_too_many() {
        assert_eq!(numbers(-3.5, 0.5), [-2.0, 0.0]);
        assert_eq!(numbers(-12.0, 3.0), [-10.0, -5.0, 0.0]);
        for (low, high) in [
            (-1.0, 1.0),
            (-0.2, 0.4),
            (0.05, 0.25),
            (0.9, 1.1),
            (2.31, 2.39),
            (-5.02, -4.97),
            (-12.0, 6.5),
        ] {
            let n = numbers(low, high).len();
            assert!((2..=6).contains(&n), "{low} to {high}: {n}");
        }
        let linear = values(egui_plot::GridInput {
            bounds: (0.0, 75.0),
            base_step_size: 1.0,
        });
        assert_eq!(linear.len(), 2);
        assert!(linear.iter().all(|m| m.step_size == 75.0));
    }
}
