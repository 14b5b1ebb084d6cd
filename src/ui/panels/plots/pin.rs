//! A run that is kept to compare the next one with.

use super::charts::{Axis, Chart, charts, residual};
use crate::sim::Snapshot;

/// The plots of a run as they were when it was pinned. It outlives resets, edits and other methods.
pub struct Pinned {
    /// The look and the frame.
    pub name: String,
    charts: Vec<Chart>,
}

impl Pinned {
    /// Keeps what is plotted now; none where there is nothing.
    pub fn of(look: &str, snapshot: &Snapshot) -> Option<Self> {
        let mut charts = charts(snapshot, false);
        if charts.is_empty() {
            return None;
        }
        charts.extend(residual(snapshot, true));
        Some(Self {
            name: format!("{look}, frame {}", snapshot.frame),
            charts,
        })
    }

    /// The chart to be drawn behind another one.
    pub fn behind(&self, chart: &Chart) -> Option<&Chart> {
        let same = |c: &&Chart| c.title == chart.title && c.x == chart.x;
        self.charts.iter().find(same)
    }

    /// Puts in charts of which the present run has nothing yet, empty, so that the pinned one is seen.
    pub fn complete(&self, charts: &mut Vec<Chart>, by_time: bool) {
        // The curve of a solve is kept along both axes.
        let other = match by_time {
            true => Axis::Iteration,
            false => Axis::Milliseconds,
        };
        let both = |c: &Chart| {
            let mut same = self.charts.iter().filter(|o| o.title == c.title);
            same.any(|o| o.x != c.x)
        };
        for (i, pinned) in self.charts.iter().enumerate() {
            if pinned.x == other && both(pinned) {
                continue;
            }
            let known = |all: &[Chart]| all.iter().any(|c| c.title == pinned.title);
            if known(charts) {
                continue;
            }
            let mut empty = pinned.clone();
            for series in &mut empty.series {
                series.points.clear();
            }
            let words = "Nothing measured in this run yet.".to_owned();
            empty.verdict = (words, crate::ui::theme::weak());
            charts.insert(i.min(charts.len()), empty);
        }
    }
}
