//! Where the pressure error sits: in long waves or in short ones.

use std::sync::Arc;

use super::charts::{Axis, Chart, Compared, Series};
use super::words;
use crate::field::{Octave, spectrum};
use crate::sim::Snapshot;
use crate::ui::beside::Beside;

/// The field whose waves are sorted.
const FIELD: &str = "residual";

/// Whether it is wanted, and what was found last.
#[derive(Default)]
pub struct Spectrum {
    /// The artist wants to see it: the field has to be read back for it.
    pub on: bool,
    /// The pass in which the panel was seen last.
    seen: u64,
    beside: Beside<u64, (u32, Vec<Octave>)>,
    /// The frame, and what was found of it.
    found: Option<(u32, Vec<Octave>)>,
}

impl Spectrum {
    /// The field that is needed as long as the plot is seen.
    pub fn wants(&self, pass: u64) -> Option<&'static str> {
        (self.on && pass.saturating_sub(self.seen) <= 2).then_some(FIELD)
    }

    /// Forgets what it was of.
    pub fn forget(&mut self) {
        (self.found, self.beside) = (None, Beside::default());
    }

    /// The plot of the latest frame that has been worked out; begins with the present one.
    pub fn chart(&mut self, ctx: &egui::Context, snapshot: &Snapshot) -> Option<Chart> {
        if !self.on {
            return None;
        }
        self.seen = ctx.cumulative_pass_nr();
        if let Some(found) = self.beside.take() {
            self.found = Some(found);
        }
        let field = snapshot.field(FIELD)?;
        let (field, frame) = (Arc::clone(field), snapshot.frame);
        self.beside
            .ask(ctx, snapshot.serial, move || (frame, spectrum(&field)));
        let (frame, octaves) = self.found.as_ref()?;
        let point = |o: &Octave| [o.wavelength.log2(), o.rms];
        let points: Vec<[f64; 2]> = octaves.iter().map(point).collect();
        (!points.is_empty()).then(|| Chart {
            title: "Where the error sits".to_owned(),
            unit: snapshot.report.pressure().map_or("", |s| s.unit).to_owned(),
            x: Axis::Wavelength,
            when: format!("at frame {frame}"),
            log: true,
            verdict: words::of_spectrum(octaves),
            series: vec![Series {
                name: "root mean square".to_owned(),
                points,
            }],
            compared: Compared {
                series: 0,
                what: "error of these waves".to_owned(),
            },
        })
    }
}
