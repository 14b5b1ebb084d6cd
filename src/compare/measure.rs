//! Runs the ways one after the other and takes their numbers.

use std::sync::Arc;
use std::time::Instant;

use super::Way;
use crate::document::Document;
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
    /// Memory of its simulation.
    pub memory_bytes: u64,
}

impl Row {
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
    /// Root mean square of its dye.
    pub dye_rms: Option<f64>,
    /// Root mean square of its velocity.
    pub velocity_rms: Option<f64>,
}

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// In this order, after the reference.
    pub ways: Vec<Way>,
    /// What they are measured against.
    pub reference: Arc<Document>,
    /// Frames of each.
    pub frames: u32,
}

/// How far a comparison is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// What is run.
    pub label: &'a str,
    /// The frame that comes next; none during the warm-up.
    pub frame: Option<u32>,
    /// Frames done of all ways, the reference first.
    pub done: u64,
    /// Frames in all.
    pub total: u64,
}

/// Who looks on.
pub struct Watch<'a> {
    /// Whether to stop; asked before each sub-step.
    pub cancelled: &'a dyn Fn() -> bool,
    /// Told before each frame.
    pub progress: &'a mut dyn FnMut(Progress<'_>),
}

/// Is given what came of a way, none being the reference, and its simulation at the last frame.
pub type Done<'a, E> = dyn FnMut(Option<usize>, &Row, &mut Simulation) -> Result<(), E> + 'a;

/// Runs the reference, then every way. `open` makes the simulation of a document; `done` is given what came of each.
///
/// # Errors
/// What `open` and `done` say, a simulation that cannot go on, or [`Fault::Cancelled`].
pub fn run<E: From<Fault>>(
    plan: &Plan,
    open: &mut dyn FnMut(Arc<Document>) -> Result<Simulation, E>,
    watch: &mut Watch<'_>,
    done: &mut Done<'_, E>,
) -> Result<Reference, E> {
    let total = u64::from(plan.frames) * (plan.ways.len() as u64 + 1);
    let mut each = |n: usize, id: &str, label: &str, document: &Arc<Document>| {
        let before = n as u64 * u64::from(plan.frames);
        let mut show = |frame: Option<u32>| {
            let done = before + u64::from(frame.unwrap_or(0));
            (watch.progress)(Progress {
                label,
                frame,
                done,
                total,
            });
        };
        let mut simulation = open(Arc::clone(document))?;
        let outcome = measure(&mut simulation, plan.frames, watch.cancelled, &mut show)?;
        Ok::<_, E>((simulation, outcome, id.to_owned(), label.to_owned()))
    };
    let (mut simulation, reference, id, label) =
        each(0, "reference", "reference", &plan.reference)?;
    let row = reference.row(id, label, &reference);
    done(None, &row, &mut simulation)?;
    drop(simulation);
    for (i, way) in plan.ways.iter().enumerate() {
        let (mut simulation, outcome, id, label) = each(i + 1, &way.id, &way.label, &way.document)?;
        done(
            Some(i),
            &outcome.row(id, label, &reference),
            &mut simulation,
        )?;
    }
    Ok(Reference {
        row,
        dye_rms: reference.dye.as_ref().map(rms),
        velocity_rms: reference.velocity.as_ref().map(rms),
    })
}

fn rms(field: &FieldData) -> f64 {
    let sum: f64 = field.data.iter().map(|v| f64::from(*v).powi(2)).sum();
    (sum / field.data.len().max(1) as f64).sqrt()
}

/// What a way has left.
struct Outcome {
    ms_per_frame: f64,
    solve_ms: Option<f64>,
    report: StepReport,
    dye: Option<FieldData>,
    velocity: Option<FieldData>,
    memory_bytes: u64,
}

fn measure(
    simulation: &mut Simulation,
    frames: u32,
    cancelled: &dyn Fn() -> bool,
    show: &mut dyn FnMut(Option<u32>),
) -> Result<Outcome, Fault> {
    while simulation.warming_up() {
        show(None);
        simulation.advance(cancelled)?;
    }
    simulation.device().take_timings();
    let (mut times, mut solves) = (Vec::new(), Vec::new());
    let mut last = StepReport::default();
    for frame in 0..frames {
        show(Some(frame));
        let begin = Instant::now();
        last = simulation.step(cancelled)?;
        times.push(begin.elapsed().as_secs_f64() * 1e3);
        solves.extend(pressure_ms(&last));
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

/// What the pressure solves of a frame took; none where that is not known. Other solves, of the viscosity say, run the same
/// kernels, but for another part of the frame.
fn pressure_ms(report: &StepReport) -> Option<f64> {
    let part = report.pressure()?.system;
    let of_it = report.kernels.iter().filter(|k| k.part == part);
    of_it.map(|k| k.ms).reduce(|sum, ms| sum + ms)
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
    fn row(&self, id: String, label: String, reference: &Self) -> Row {
        let solve = self.report.pressure();
        let wide = |v: Option<f32>| v.map(f64::from);
        let between =
            |a: &Option<FieldData>, b: &Option<FieldData>| wide(difference(a.as_ref(), b.as_ref()));
        let of_field = |f: &Option<FieldData>| f.as_ref().map_or("", |f| f.desc.unit);
        let residual = solve.map_or("", |s| s.unit);
        let invariants = &self.report.invariants;
        let divergence = invariants.iter().find(|i| i.name == "divergence_linf");
        Row {
            id,
            label,
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
            memory_bytes: self.memory_bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::document::set_by_name as set;

    /// A frame with solves of two kinds by the same kernels.
    #[test]
    fn only_the_pressure_solve_is_counted() {
        use crate::solvers::SolveReport;
        let time = |name, part, ms| crate::device::KernelTime {
            name,
            part,
            ms,
            runs: 1,
        };
        let solve = |system| SolveReport {
            system,
            ..SolveReport::default()
        };
        let mut report = StepReport {
            solves: vec![solve("viscosity of u"), solve("pressure")],
            kernels: vec![
                time("jacobi_sweeps", "viscosity of u", 100.0),
                time("jacobi_sweeps", "pressure", 1.0),
                time("residual", "pressure", 2.0),
                time("residual", "", 50.0),
            ],
            ..StepReport::default()
        };
        assert_eq!(pressure_ms(&report), Some(3.0));
        report.kernels.truncate(1);
        assert_eq!(pressure_ms(&report), None);
    }

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
        let ms = pressure_ms(&report).unwrap();
        let all: f64 = report.kernels.iter().map(|k| k.ms).sum();
        assert!(ms > 0.0 && ms < all);
    }
}
