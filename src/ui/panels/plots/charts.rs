//! What is plotted.

use std::fmt::Write as _;
use std::sync::Arc;

use egui::Color32;

use super::words;
use crate::sim::{HistoryPoint, Snapshot};
use crate::solvers::Invariant;

/// Most points of a line that are drawn: more than pixels do not show.
pub const POINTS: usize = 600;

/// A line of a plot, in order of x.
#[derive(Clone)]
pub struct Series {
    pub name: String,
    pub points: Vec<[f64; 2]>,
}

impl Series {
    /// The sample nearest to x.
    pub fn nearest(&self, x: f64) -> Option<[f64; 2]> {
        let after = self.points.partition_point(|p| p[0] < x);
        let near = self.points[after.saturating_sub(1)..].iter().take(2);
        near.copied()
            .min_by(|a, b| (a[0] - x).abs().total_cmp(&(b[0] - x).abs()))
    }
    /// The value of the sample at exactly x.
    pub fn at(&self, x: f64) -> Option<f64> {
        let at = self.points.binary_search_by(|p| p[0].total_cmp(&x));
        at.ok().map(|i| self.points[i][1])
    }
}

/// Along what values are plotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Frames.
    Frame,
    /// Iterations of a solve.
    Iteration,
    /// Time since a solve began, ms.
    Milliseconds,
    /// Length of waves in cells, as a power of two.
    Wavelength,
}

impl Axis {
    /// As in "by …".
    pub fn by(self) -> &'static str {
        match self {
            Self::Frame => "by frame",
            Self::Iteration => "by iteration",
            Self::Milliseconds => "by time in ms, spread evenly over the iterations",
            Self::Wavelength => "by length of its waves in cells",
        }
    }
    /// Heading of a column.
    pub fn column(self) -> &'static str {
        match self {
            Self::Frame => "frame",
            Self::Iteration => "iteration",
            Self::Milliseconds => "time (ms)",
            Self::Wavelength => "length of waves (powers of 2 of a cell)",
        }
    }
    /// A place on it.
    pub fn place(self, x: f64) -> String {
        match self {
            Self::Frame => format!("Frame {x:.0}"),
            Self::Iteration => format!("Iteration {x:.0}"),
            Self::Milliseconds => format!("{x:.2} ms"),
            Self::Wavelength => {
                let ends = [x - 0.5, x + 0.5].map(f64::exp2);
                format!("Waves of {:.0} to {:.0} cells", ends[0], ends[1])
            }
        }
    }
}

/// What is compared with a pinned run.
#[derive(Clone)]
pub struct Compared {
    /// Which series.
    pub series: usize,
    /// As in "0.4 times the …".
    pub what: String,
}

/// One plot.
#[derive(Clone)]
pub struct Chart {
    pub title: String,
    pub unit: String,
    pub x: Axis,
    /// When it was measured, where that is not now or the axis does not say it.
    pub when: String,
    pub log: bool,
    pub series: Vec<Series>,
    pub compared: Compared,
    pub verdict: (String, Color32),
}

impl Chart {
    /// The sample of any series nearest to x.
    pub fn nearest(&self, x: f64) -> Option<f64> {
        let near = self.series.iter().filter_map(|s| s.nearest(x));
        near.map(|p| p[0])
            .min_by(|a, b| (a - x).abs().total_cmp(&(b - x).abs()))
    }

    /// The numbers as a table: a column for x, one for each series, then one for each of a pinned run.
    pub fn csv(&self, pinned: Option<&Self>) -> String {
        let unit = match self.unit.as_str() {
            "" => String::new(),
            unit => format!(" ({unit})"),
        };
        let mut text = self.x.column().to_owned();
        let before = pinned.map_or(&[][..], |p| &p.series);
        let named = self.series.iter().map(|s| ("", s));
        let all = named.chain(before.iter().map(|s| ("pinned ", s)));
        let all: Vec<(&str, &Series)> = all.collect();
        for (whose, series) in &all {
            let _ = write!(text, ",{whose}{}{unit}", series.name);
        }
        text.push('\n');
        let xs = all.iter().flat_map(|(_, s)| &s.points).map(|p| p[0]);
        let mut xs: Vec<f64> = xs.collect();
        xs.sort_by(f64::total_cmp);
        xs.dedup();
        for x in xs {
            let _ = write!(text, "{x}");
            for (_, series) in &all {
                let _ = match series.at(x) {
                    Some(value) => write!(text, ",{value}"),
                    None => write!(text, ","),
                };
            }
            text.push('\n');
        }
        text
    }
}

/// All plots of what the simulation looks like now. The error of a solve is plotted along its iterations or, where that is
/// asked for and known, along its time.
pub fn charts(snapshot: &Snapshot, by_time: bool) -> Vec<Chart> {
    let mut charts = Vec::new();
    charts.extend(residual(snapshot, by_time));
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

/// The error along the latest pressure solve in which it was measured, and how the last one went.
pub fn residual(snapshot: &Snapshot, by_time: bool) -> Option<Chart> {
    let solve = snapshot.report.pressure()?;
    let last = solve.curve.last()?.0;
    if solve.l2_before <= 0.0 {
        return None;
    }
    // The words speak of the frame that the curve shows, not of a later one.
    let measured = measured_at(&snapshot.history, &solve.curve);
    let when = match measured {
        Some(p) => format!("measured at frame {}", p.frame),
        None => "measured earlier".to_owned(),
    };
    // The curve is that of one solve: one a sub-step.
    let one = |p: &HistoryPoint| Some(p.pressure_ms()? / f64::from(p.substeps.max(1)));
    let ms = measured.and_then(one);
    let (x, step) = match ms.filter(|_| by_time && last > 0) {
        Some(ms) => (Axis::Milliseconds, ms / f64::from(last)),
        None => (Axis::Iteration, 1.0),
    };
    let point = |(i, r): &(u32, f32)| [f64::from(*i) * step, f64::from(*r)];
    Some(Chart {
        title: "Pressure error".to_owned(),
        unit: solve.unit.to_owned(),
        x,
        when,
        log: true,
        series: vec![Series {
            name: "root mean square".to_owned(),
            points: solve.curve.iter().map(point).collect(),
        }],
        compared: Compared {
            series: 0,
            what: "error".to_owned(),
        },
        verdict: words::of_solve(last_frame(snapshot), solve, measured),
    })
}

/// The frame whose pressure solve a curve belongs to: the last one with its ends. The curve is measured in some frames
/// only, because measuring takes time.
fn measured_at<'a>(
    history: &'a [Arc<HistoryPoint>],
    curve: &[(u32, f32)],
) -> Option<&'a HistoryPoint> {
    let (first, last) = (curve.first()?, curve.last()?);
    let is_it = |p: &HistoryPoint| p.iterations == last.0 && p.residual == [first.1, last.1];
    let found = history.iter().rev().find(|p| is_it(p));
    found.map(|p| &**p)
}

/// The last frame of which there is a report.
fn last_frame(snapshot: &Snapshot) -> u32 {
    let last = snapshot.history.last();
    last.map_or(snapshot.frame, |p| p.frame)
}

/// A value of every frame.
fn by_frame(history: &[Arc<HistoryPoint>], value: impl Fn(&HistoryPoint) -> f64) -> Vec<[f64; 2]> {
    let point = |p: &Arc<HistoryPoint>| [f64::from(p.frame), value(p)];
    // What was not measured, or is no number, is no point.
    let points = history.iter().map(point);
    points.filter(|p| p[1].is_finite()).collect()
}

/// The error before and after each frame's pressure solve.
fn before_and_after(history: &[Arc<HistoryPoint>], unit: &str) -> Option<Chart> {
    let last = history.last()?;
    if last.residual[0] <= 0.0 {
        return None;
    }
    let series = |name: &str, value: &dyn Fn(&HistoryPoint) -> f32| Series {
        name: name.to_owned(),
        points: by_frame(history, |p| f64::from(value(p))),
    };
    Some(Chart {
        title: "Error before and after".to_owned(),
        unit: unit.to_owned(),
        x: Axis::Frame,
        when: String::new(),
        log: true,
        series: vec![
            series("without a guess", &|p| p.brought),
            series("before", &|p| p.residual[0]),
            series("after", &|p| p.residual[1]),
        ],
        compared: Compared {
            series: 2,
            what: "error after the solve".to_owned(),
        },
        verdict: words::of_ends(last),
    })
}

fn over_time(history: &[Arc<HistoryPoint>], invariant: &Invariant) -> Chart {
    let value = |p: &HistoryPoint| {
        let found = p.invariants.iter().find(|i| i.name == invariant.name);
        found.map_or(f64::NAN, |i| i.value)
    };
    let points = by_frame(history, value);
    let verdict = words::of_value(invariant, &thinned(&points));
    Chart {
        title: invariant.label.to_owned(),
        unit: invariant.unit.to_owned(),
        x: Axis::Frame,
        when: String::new(),
        log: invariant.name.starts_with("divergence"),
        series: vec![Series {
            name: invariant.label.to_owned(),
            points,
        }],
        compared: Compared {
            series: 0,
            what: words::within(invariant.label),
        },
        verdict,
    }
}

/// At most so many points as can be seen: the extremes of each stretch are kept.
pub fn thinned(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let step = points.len().div_ceil(POINTS / 2).max(1);
    if step <= 2 {
        return points.to_vec();
    }
    let mut out = Vec::with_capacity(POINTS);
    for stretch in points.chunks(step) {
        let all = || stretch.iter().copied().filter(|p| p[1].is_finite());
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
pub mod tests {
    use super::*;

    pub fn series(name: &str, points: &[[f64; 2]]) -> Series {
        Series {
            name: name.to_owned(),
            points: points.to_vec(),
        }
    }

    pub fn chart(series: Vec<Series>) -> Chart {
        Chart {
            title: "Error".to_owned(),
            unit: "1/s".to_owned(),
            x: Axis::Frame,
            when: String::new(),
            log: true,
            compared: Compared {
                series: series.len() - 1,
                what: "error".to_owned(),
            },
            series,
            verdict: (String::new(), Color32::WHITE),
        }
    }

    #[test]
    fn numbers_are_copied_as_a_table() {
        let now = chart(vec![
            series("before", &[[1.0, 0.5], [2.0, 0.25]]),
            series("after", &[[2.0, 1e-9]]),
        ]);
        assert_eq!(
            now.csv(None),
            "frame,before (1/s),after (1/s)\n1,0.5,\n2,0.25,0.000000001\n"
        );
        let pinned = chart(vec![series("before", &[[2.0, 4.0], [3.0, 8.0]])]);
        assert_eq!(
            now.csv(Some(&pinned)),
            "frame,before (1/s),after (1/s),pinned before (1/s)\n1,0.5,,\n2,0.25,0.000000001,4\n3,,,8\n"
        );
    }

    #[test]
    fn the_nearest_sample_is_found() {
        let line = series("a", &[[1.0, 10.0], [4.0, 40.0], [5.0, 50.0]]);
        let near = |x| line.nearest(x).map(|p| p[0]);
        let found = [-3.0, 2.4, 2.6, 4.4, 4.6, 99.0].map(near);
        assert_eq!(found, [1.0, 1.0, 4.0, 4.0, 5.0, 5.0].map(Some));
        assert_eq!(series("none", &[]).nearest(1.0), None);
        let chart = chart(vec![line, series("b", &[[2.0, 0.0]])]);
        assert_eq!(chart.nearest(2.3), Some(2.0));
    }

    #[test]
    fn long_histories_keep_their_extremes() {
        let value = |frame: u32| if frame == 4321 { 50.0 } else { 1.0 };
        let all: Vec<[f64; 2]> = (0..10_000).map(|f| [f64::from(f), value(f)]).collect();
        let points = thinned(&all);
        assert!(points.len() <= POINTS + 2);
        assert!(points.contains(&[4321.0, 50.0]));
        assert!(points.windows(2).all(|w| w[0][0] <= w[1][0]));
    }

    #[test]
    fn a_curve_is_found_in_the_frame_that_it_was_measured_at() {
        let point = |frame| {
            Arc::new(HistoryPoint {
                frame,
                residual: [1.0, 0.1],
                iterations: 10,
                ..HistoryPoint::default()
            })
        };
        let mut h: Vec<_> = (0..30).map(point).collect();
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
}
