//! One of those that run side by side, and what is measured of it.

use std::time::Instant;

use super::measure::{Reference, Row};
use crate::document::Document;
use crate::field::{FieldData, difference_l2, median};
use crate::sim::{Fault, Simulation};
use crate::solvers::StepReport;

/// One of those that run side by side.
pub(super) struct Racer {
    /// Which way it is; none for the reference.
    pub way: Option<usize>,
    simulation: Result<Simulation, String>,
    times: Vec<f64>,
    solves: Vec<f64>,
    last: StepReport,
}

impl Racer {
    pub fn new(way: Option<usize>, simulation: Simulation) -> Self {
        Self {
            way,
            simulation: Ok(simulation),
            times: Vec::new(),
            solves: Vec::new(),
            last: StepReport::default(),
        }
    }

    /// One that could not even begin.
    pub fn failed(way: Option<usize>, error: String) -> Self {
        Self {
            way,
            simulation: Err(error),
            times: Vec::new(),
            solves: Vec::new(),
            last: StepReport::default(),
        }
    }

    /// It cannot go on. What it held is given back.
    pub fn fail(&mut self, error: String) {
        self.simulation = Err(error);
    }

    /// Why it could not go on.
    pub fn error(&self) -> &str {
        self.simulation.as_ref().err().map_or("", String::as_str)
    }

    pub fn simulation(&mut self) -> Option<&mut Simulation> {
        self.simulation.as_mut().ok()
    }

    pub fn document(&self) -> Option<&Document> {
        self.simulation.as_ref().ok().map(|s| &**s.document())
    }

    /// The next frame. Nothing where it has failed.
    pub fn step(&mut self, cancelled: &dyn Fn() -> bool) -> Result<(), Fault> {
        let Ok(simulation) = &mut self.simulation else {
            return Ok(());
        };
        let begin = Instant::now();
        self.last = simulation.step(cancelled)?;
        self.times.push(begin.elapsed().as_secs_f64() * 1e3);
        self.solves.extend(self.last.pressure_ms());
        Ok(())
    }

    /// What has come of it so far; none where it has failed.
    pub fn outcome(&mut self) -> Result<Option<Outcome>, Fault> {
        let Ok(simulation) = &mut self.simulation else {
            return Ok(None);
        };
        Ok(Some(Outcome {
            ms_per_frame: median(&mut self.times).unwrap_or(0.0),
            solve_ms: median(&mut self.solves),
            dye: field(simulation, "dye")?,
            velocity: field(simulation, "velocity")?,
            report: self.last.clone(),
            memory_bytes: simulation.device().memory_used(),
        }))
    }
}

/// What a way has come to.
pub(super) struct Outcome {
    ms_per_frame: f64,
    solve_ms: Option<f64>,
    report: StepReport,
    dye: Option<FieldData>,
    velocity: Option<FieldData>,
    memory_bytes: u64,
}

fn rms(field: &FieldData) -> f64 {
    let sum: f64 = field.data.iter().map(|v| f64::from(*v).powi(2)).sum();
    (sum / field.data.len().max(1) as f64).sqrt()
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
    /// Itself as what others are measured against.
    pub(super) fn reference(&self, words: String) -> Reference {
        Reference {
            row: self.row("reference", "reference", Some(self)),
            words,
            dye_rms: self.dye.as_ref().map(rms),
            velocity_rms: self.velocity.as_ref().map(rms),
        }
    }

    /// Its numbers, with what it differs by from a reference at the same frame.
    pub(super) fn row(&self, id: &str, label: &str, reference: Option<&Self>) -> Row {
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
                reference.and_then(|r| between(&self.dye, &r.dye)),
                reference.and_then(|r| between(&self.velocity, &r.velocity)),
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

    use crate::document::{Document, set_by_name as set};
    use crate::sim::Simulation;

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
