//! The numbers of a way, taken while it runs.

use std::time::Instant;

use super::At;
use crate::field::{FieldData, difference_l2, median};
use crate::sim::{Fault, Simulation};
use crate::solvers::StepReport;

/// A number of each way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Snake case, as in JSON.
    pub name: &'static str,
    /// As in the table of the command line.
    pub title: &'static str,
}

const fn column(name: &'static str, title: &'static str) -> Column {
    Column { name, title }
}

/// The numbers of a way, in order.
pub const COLUMNS: [Column; 9] = [
    column("ms_per_frame", "ms/frame"),
    column("solve_ms", "solve ms"),
    column("iterations", "iterations"),
    column("residual_l2_before", "residual before"),
    column("residual_l2", "after"),
    column("residual_linf", "largest"),
    column("divergence_linf", "divergence"),
    column("dye_difference_l2", "Δ dye"),
    column("velocity_difference_l2", "Δ velocity"),
];

/// What came of a way.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What makes it.
    pub id: String,
    /// As shown.
    pub label: String,
    /// In the order of [`COLUMNS`]; what there is not is none.
    pub values: [Option<f64>; COLUMNS.len()],
    /// Their units, as far as they have one.
    pub units: [&'static str; COLUMNS.len()],
    /// Root mean square of the residual that a guess of zero has, or of the guess that was made where that is larger: what
    /// there was to solve for in the last frame.
    pub brought: Option<f64>,
    /// Memory of its simulation; none where it did not come to its end.
    pub memory_bytes: Option<u64>,
    /// Why it did not come to its end. There are no numbers then.
    pub error: Option<String>,
}

impl Row {
    /// A way that did not come to its end.
    pub(super) fn failed(id: &str, label: &str, error: String) -> Self {
        Self {
            id: id.to_owned(),
            label: label.to_owned(),
            values: [None; COLUMNS.len()],
            units: [""; COLUMNS.len()],
            brought: None,
            memory_bytes: None,
            error: Some(error),
        }
    }
    /// The number in the column of that name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.values[position(name)?]
    }
    /// The unit of the column of that name.
    pub fn unit(&self, name: &str) -> &'static str {
        position(name).map_or("", |i| self.units[i])
    }
}

fn position(name: &str) -> Option<usize> {
    COLUMNS.iter().position(|c| c.name == name)
}

/// What the ways are measured against.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Its own numbers; it differs from itself by nothing.
    pub row: Row,
    /// What it is, in words.
    pub words: String,
    /// Root mean square of its dye.
    pub dye_rms: Option<f64>,
    /// Root mean square of its velocity.
    pub velocity_rms: Option<f64>,
}

pub(super) fn rms(field: &FieldData) -> f64 {
    let sum: f64 = field.data.iter().map(|v| f64::from(*v).powi(2)).sum();
    (sum / field.data.len().max(1) as f64).sqrt()
}

/// What a way has left.
pub(super) struct Outcome {
    ms_per_frame: f64,
    solve_ms: Option<f64>,
    report: StepReport,
    pub(super) dye: Option<FieldData>,
    pub(super) velocity: Option<FieldData>,
    memory_bytes: u64,
}

/// Runs a simulation from its beginning, with its warm-up. `show` is told before each frame.
pub(super) fn measure(
    simulation: &mut Simulation,
    frames: u32,
    cancelled: &dyn Fn() -> bool,
    show: &mut dyn FnMut(At),
) -> Result<Outcome, Fault> {
    let warm_up = simulation.document().time.warm_up;
    let mut done = 0;
    while simulation.warming_up() {
        show(At::WarmUp(done, warm_up));
        simulation.advance(cancelled)?;
        done += 1;
    }
    simulation.device().take_timings();
    let (mut times, mut solves) = (Vec::new(), Vec::new());
    let mut last = StepReport::default();
    for frame in 0..frames {
        show(At::Frame(frame));
        let begin = Instant::now();
        last = simulation.step(cancelled)?;
        times.push(begin.elapsed().as_secs_f64() * 1e3);
        solves.extend(last.pressure_ms());
    }
    let memory_bytes = simulation.device().memory_used();
    Ok(Outcome {
        ms_per_frame: median(&mut times).unwrap_or(0.0),
        solve_ms: median(&mut solves),
        dye: field(simulation, "dye")?,
        velocity: field(simulation, "velocity")?,
        report: last,
        memory_bytes,
    })
}

fn field(simulation: &mut Simulation, name: &str) -> Result<Option<FieldData>, Fault> {
    if simulation.fields().iter().any(|f| f.name == name) {
        Ok(Some(simulation.field(name)?))
    } else {
        Ok(None)
    }
}

/// Nothing where one of the two has no such field, or other cells.
fn difference(a: Option<&FieldData>, b: Option<&FieldData>) -> Option<f32> {
    let (a, b) = (a?, b?);
    (a.grid == b.grid && a.data.len() == b.data.len()).then(|| difference_l2(&a.data, &b.data))
}

impl Outcome {
    pub(super) fn row(&self, id: &str, label: &str, reference: &Self) -> Row {
        let solve = self.report.pressure();
        let wide = |v: Option<f32>| v.map(f64::from);
        let between =
            |a: &Option<FieldData>, b: &Option<FieldData>| wide(difference(a.as_ref(), b.as_ref()));
        let of_field = |f: &Option<FieldData>| f.as_ref().map_or("", |f| f.desc.unit);
        let residual = solve.map_or("", |s| s.unit);
        let invariants = &self.report.invariants;
        let divergence = invariants.iter().find(|i| i.name == "divergence_linf");
        Row {
            id: id.to_owned(),
            label: label.to_owned(),
            values: [
                Some(self.ms_per_frame),
                self.solve_ms,
                solve.map(|s| s.iterations.into()),
                wide(solve.map(|s| s.l2_before)),
                wide(solve.map(|s| s.l2)),
                wide(solve.map(|s| s.linf)),
                divergence.map(|i| i.value),
                between(&self.dye, &reference.dye),
                between(&self.velocity, &reference.velocity),
            ],
            units: [
                "ms",
                "ms",
                "",
                residual,
                residual,
                residual,
                divergence.map_or("", |i| i.unit),
                of_field(&self.dye),
                of_field(&self.velocity),
            ],
            brought: wide(solve.map(|s| s.l2_zero.max(s.l2_before))),
            memory_bytes: Some(self.memory_bytes),
            error: None,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;

    use super::*;
    use crate::document::{Document, set_by_name as set};

    /// What a frame of a look takes for one of its systems, the same kernels running for all of them.
    #[test]
    fn every_solve_has_its_own_time() {
        let mut document = Document::default();
        let d = &mut document.scene.domain;
        (d.cells_x, d.cells_y) = (32, 32);
        for (path, value) in [
            ("viscosity", "implicit"),
            ("viscosity.kinematic", "0.01"),
            ("pressure", "jacobi"),
            ("viscosity.solver", "jacobi"),
        ] {
            assert!(set(&mut document, path, value).is_ok(), "{path}");
        }
        let device = crate::device::Device::new(crate::device::DeviceChoice::Cpu).unwrap();
        let mut simulation =
            Simulation::new(Arc::new(document), std::path::PathBuf::new(), device).unwrap();
        let report = simulation.step(&|| false).unwrap();
        let of = |part| {
            let own = report.kernels.iter().filter(move |k| k.part == part);
            own.map(|k| k.name).collect::<Vec<_>>()
        };
        let pressure = of("pressure");
        assert!(!pressure.is_empty());
        assert_eq!(of("viscosity of u"), of("viscosity of v"));
        assert!(pressure.iter().any(|k| of("viscosity of u").contains(k)));
        assert!(of("").contains(&"AdvectComponent"));
        let ms = report.pressure_ms().unwrap();
        let all: f64 = report.kernels.iter().map(|k| k.ms).sum();
        assert!(ms > 0.0 && ms < all);
    }
}
