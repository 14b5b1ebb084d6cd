//! What is plotted, and what it means in plain words.

use std::fmt::Write as _;

use egui::Color32;

use crate::sim::{HistoryPoint, Snapshot};
use crate::solvers::Invariant;
use crate::ui::{format, theme};

/// Most points of a line: more than pixels do not show.
const POINTS: usize = 600;

/// A line of a plot.
pub struct Series {
    pub name: String,
    pub points: Vec<[f64; 2]>,
}

/// One plot.
pub struct Chart {
    pub title: String,
    pub unit: String,
    pub x: &'static str,
    /// When it was measured, where that is not now or the axis does not say it.
    pub when: String,
    pub log: bool,
    pub series: Vec<Series>,
    pub verdict: (String, Color32),
}

impl Chart {
    /// The numbers as a table: a column for x, then one for each series.
    pub fn csv(&self) -> String {
        let unit = match self.unit.as_str() {
            "" => String::new(),
            unit => format!(" ({unit})"),
        };
        let mut text = self.x.to_owned();
        for series in &self.series {
            let _ = write!(text, ",{}{unit}", series.name);
        }
        text.push('\n');
        let mut all: Vec<f64> = self
            .series
            .iter()
            .flat_map(|s| &s.points)
            .map(|p| p[0])
            .collect();
        all.sort_by(f64::total_cmp);
        all.dedup();
        for x in all {
            let _ = write!(text, "{x}");
            for series in &self.series {
                // They are in order of x.
                let at = series.points.binary_search_by(|p| p[0].total_cmp(&x));
                let _ = match at {
                    Ok(at) => write!(text, ",{}", series.points[at][1]),
                    Err(_) => write!(text, ","),
                };
            }
            text.push('\n');
        }
        text
    }
}

/// All plots of what the simulation looks like now.
pub fn charts(snapshot: &Snapshot) -> Vec<Chart> {
    let mut charts = Vec::new();
    charts.extend(residual(snapshot));
    let unit = snapshot.report.pressure().map_or("", |solve| solve.unit);
    charts.extend(before_and_after(&snapshot.history, unit));
    if let Some(last) = snapshot.history.last() {
        charts.extend(
            last.invariants
                .iter()
                .map(|invariant| over_time(&snapshot.history, invariant)),
        );
    }
    charts
}

/// The error by iteration of the latest pressure solve along which it was measured, and how the last one went.
fn residual(snapshot: &Snapshot) -> Option<Chart> {
    let solve = snapshot.report.pressure()?;
    if solve.curve.is_empty() || solve.l2_before <= 0.0 {
        return None;
    }
    // The words speak of the frame that the curve shows, not of a later one.
    let measured = measured_at(&snapshot.history, &solve.curve);
    let (when, at) = match measured {
        Some(p) => (
            format!("measured at frame {}", p.frame),
            format!("at frame {}", p.frame),
        ),
        None => (
            "measured earlier".to_owned(),
            "when it was measured".to_owned(),
        ),
    };
    let now = snapshot.history.last().map_or(snapshot.frame, |p| p.frame);
    let is_now = measured.is_some_and(|p| p.frame == now);
    let ends = (solve.curve.first(), solve.curve.last());
    let (begin, end, count) = match ends {
        (Some(first), Some(last)) if !is_now => (
            measured.map_or(first.1, |p| p.brought.max(first.1)),
            last.1,
            last.0,
        ),
        _ => (
            solve.l2_before.max(solve.l2_zero),
            solve.l2,
            solve.iterations,
        ),
    };
    let drop = f64::from(begin) / f64::from(end.max(f32::MIN_POSITIVE));
    let iterations = format::count(count as usize, "iteration");
    let verdict = if solve.converged {
        let fell = match drop {
            d if d < HARDLY => "there was hardly any error".to_owned(),
            d => format!("the error fell {} times", roughly(d)),
        };
        (
            format!("Converged {at} after {iterations}: {fell}."),
            theme::good(),
        )
    } else {
        let smaller = match drop {
            d if d < HARDLY => "hardly any smaller".to_owned(),
            d => format!("{} times smaller", roughly(d)),
        };
        (
            format!(
                "Not converged {at}: after {iterations} the error is {smaller}. \
                 More iterations or another solver bring it down."
            ),
            theme::warn(),
        )
    };
    Some(Chart {
        title: "Pressure error".to_owned(),
        unit: solve.unit.to_owned(),
        x: "iteration",
        when,
        log: true,
        series: vec![Series {
            name: "root mean square".to_owned(),
            points: solve
                .curve
                .iter()
                .map(|(i, r)| [f64::from(*i), f64::from(*r)])
                .collect(),
        }],
        verdict,
    })
}

/// Two digits: words that change with every frame stay about as long as they are.
fn roughly(times: f64) -> String {
    match times {
        t if t < 10.0 => format!("{t:.1}"),
        t if t < 1e5 => format!("{t:.0}"),
        t => format::number(t),
    }
}

/// Below so many times an error is as large as it was.
const HARDLY: f64 = 1.05;

/// The frame whose pressure solve a curve belongs to: the last one with its ends. The curve is measured in some frames
/// only, because measuring takes time.
fn measured_at<'a>(
    history: &'a [std::sync::Arc<HistoryPoint>],
    curve: &[(u32, f32)],
) -> Option<&'a HistoryPoint> {
    let (first, last) = (curve.first()?, curve.last()?);
    let is_it = |p: &HistoryPoint| p.iterations == last.0 && p.residual == [first.1, last.1];
    let found = history.iter().rev().find(|p| is_it(p));
    found.map(|p| &**p)
}

/// The error before and after each frame's pressure solve.
fn before_and_after(history: &[std::sync::Arc<HistoryPoint>], unit: &str) -> Option<Chart> {
    let last = history.last()?;
    if last.residual[0] <= 0.0 {
        return None;
    }
    let line = |k: usize, name: &str| Series {
        name: name.to_owned(),
        points: thinned(history, |p| f64::from(p.residual[k])),
    };
    // A warm start has most of the answer already: what is left is a share of what there was to solve for.
    let [before, after] = last.residual.map(f64::from);
    let whole = before.max(f64::from(last.brought));
    let left = after / whole.max(f64::MIN_POSITIVE) * 100.0;
    let verdict = if left < 1.0 {
        (
            format!(
                "{} % of the error is left after the solve.",
                format::number(left)
            ),
            theme::good(),
        )
    } else if left < 20.0 {
        (
            format!("{left:.0} % of the error is left: fine for a look, not for a measurement."),
            theme::text(),
        )
    } else {
        (
            format!(
                "{left:.0} % of the error is left: swirls lose life and fluid seems to vanish."
            ),
            theme::warn(),
        )
    };
    Some(Chart {
        title: "Error before and after".to_owned(),
        unit: unit.to_owned(),
        x: "frame",
        when: String::new(),
        log: true,
        series: vec![
            Series {
                name: "without a guess".to_owned(),
                points: thinned(history, |p| f64::from(p.brought)),
            },
            line(0, "before"),
            line(1, "after"),
        ],
        verdict,
    })
}

fn over_time(history: &[std::sync::Arc<HistoryPoint>], invariant: &Invariant) -> Chart {
    let value = |p: &HistoryPoint| {
        p.invariants
            .iter()
            .find(|i| i.name == invariant.name)
            .map_or(f64::NAN, |i| i.value)
    };
    let points = thinned(history, |p| value(p));
    let verdict = explain(invariant, &points);
    Chart {
        title: invariant.label.to_owned(),
        unit: invariant.unit.to_owned(),
        x: "frame",
        when: String::new(),
        log: invariant.name.starts_with("divergence"),
        series: vec![Series {
            name: invariant.label.to_owned(),
            points,
        }],
        verdict,
    }
}

/// What the last value means, in plain words.
fn explain(invariant: &Invariant, points: &[[f64; 2]]) -> (String, Color32) {
    let value = invariant.value;
    let now = format::with_unit(value, invariant.unit);
    let trend = trend(points);
    let plain = |text: String| (text, theme::text());
    match invariant.name {
        "cfl" if value > 8.0 => (
            format!(
                "The fluid crosses {} cells a step: details smear. Allow more sub-steps.",
                format::number(value)
            ),
            theme::warn(),
        ),
        "cfl" => plain(format!(
            "The fluid crosses {} cells a step at most.",
            format::number(value)
        )),
        name if name.starts_with("divergence") => plain(format!(
            "Fluid appears or vanishes at up to {now}; zero is perfect."
        )),
        "kinetic_energy" => plain(format!("Energy of motion: {now}, {trend}.")),
        "dye_mass" => plain(format!("Dye in all: {now}, {trend}.")),
        _ => plain(format!("Now {now}, {trend}.")),
    }
}

/// Whether the second half of what is shown lies above or below the first.
fn trend(points: &[[f64; 2]]) -> &'static str {
    let half = points.len() / 2;
    if half < 4 {
        return "just begun";
    }
    let mean = |p: &[[f64; 2]]| p.iter().map(|p| p[1]).sum::<f64>() / p.len() as f64;
    let recent = &points[half..];
    let (a, b) = recent.split_at(recent.len() / 2);
    let (a, b) = (mean(a), mean(b));
    let scale = a.abs().max(b.abs()).max(1e-30);
    match (b - a) / scale {
        d if d > 0.03 => "rising",
        d if d < -0.03 => "falling",
        _ => "steady",
    }
}

/// At most so many points as can be seen: the extremes of each stretch are kept.
fn thinned(
    history: &[std::sync::Arc<HistoryPoint>],
    value: impl Fn(&HistoryPoint) -> f64,
) -> Vec<[f64; 2]> {
    let step = history.len().div_ceil(POINTS / 2).max(1);
    let point = |p: &HistoryPoint| [f64::from(p.frame), value(p)];
    if step <= 2 {
        return history.iter().map(|p| point(p)).collect();
    }
    let mut out = Vec::with_capacity(POINTS);
    for stretch in history.chunks(step) {
        let all = || {
            stretch
                .iter()
                .map(|p| point(p))
                .filter(|p| p[1].is_finite())
        };
        let low = all().min_by(|a, b| a[1].total_cmp(&b[1]));
        let high = all().max_by(|a, b| a[1].total_cmp(&b[1]));
        let mut pair: Vec<[f64; 2]> = low.into_iter().chain(high).collect();
        pair.sort_by(|a, b| a[0].total_cmp(&b[0]));
        pair.dedup();
        out.extend(pair);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn history(n: u32) -> Vec<Arc<HistoryPoint>> {
        (0..n)
            .map(|frame| {
                Arc::new(HistoryPoint {
                    frame,
                    frame_ms: 1.0,
                    substeps: 1,
                    residual: [1.0, 0.1],
                    brought: 1.0,
                    iterations: 10,
                    invariants: Vec::new(),
                })
            })
            .collect()
    }

    #[test]
    fn numbers_are_copied_as_a_table() {
        let series = |name: &str, points: &[[f64; 2]]| Series {
            name: name.to_owned(),
            points: points.to_vec(),
        };
        let chart = Chart {
            title: "Error".to_owned(),
            unit: "1/s".to_owned(),
            x: "frame",
            when: String::new(),
            log: true,
            series: vec![
                series("before", &[[1.0, 0.5], [2.0, 0.25]]),
                series("after", &[[2.0, 1e-9]]),
            ],
            verdict: (String::new(), Color32::WHITE),
        };
        assert_eq!(
            chart.csv(),
            "frame,before (1/s),after (1/s)\n1,0.5,\n2,0.25,0.000000001\n"
        );
    }

    #[test]
    fn long_histories_keep_their_extremes() {
        let h = history(10_000);
        let spike = |p: &HistoryPoint| if p.frame == 4321 { 50.0 } else { 1.0 };
        let points = thinned(&h, spike);
        assert!(points.len() <= POINTS + 2);
        assert!(points.contains(&[4321.0, 50.0]));
        assert!(points.windows(2).all(|w| w[0][0] <= w[1][0]));
    }

    #[test]
    fn a_curve_is_found_in_the_frame_that_it_was_measured_at() {
        let mut h = history(30);
        let curve = [(0, 2.0), (5, 0.5), (10, 0.25)];
        let at =
            |h: &[Arc<HistoryPoint>], curve: &[(u32, f32)]| measured_at(h, curve).map(|p| p.frame);
        assert_eq!(at(&h, &curve), None);
        for (frame, residual) in [(3, [2.0, 0.25]), (24, [2.0, 0.25]), (29, [2.0, 0.2])] {
            Arc::make_mut(&mut h[frame]).residual = residual;
        }
        assert_eq!(at(&h, &curve), Some(24));
        assert_eq!(at(&h, &[]), None);
    }

    #[test]
    fn a_trend_is_seen() {
        let line = |f: fn(f64) -> f64| -> Vec<[f64; 2]> {
            (0..100).map(|i| [f64::from(i), f(f64::from(i))]).collect()
        };
        assert_eq!(trend(&line(|x| x)), "rising");
        assert_eq!(trend(&line(|x| 200.0 - x)), "falling");
        assert_eq!(trend(&line(|_| 3.0)), "steady");
    }
}
