//! What a step says about itself.

use crate::device::KernelTime;
use crate::poisson::SolveReport;

/// What a method calls the system of its pressure, among its solves and its kernels.
const PRESSURE: &str = "pressure";

/// What the pressure solves of a frame took, of all its sub-steps together, ms; none where that was not measured. Other
/// solves, of the viscosity say, run the same kernels, but for another part of the frame.
pub fn pressure_ms(kernels: &[KernelTime]) -> Option<f64> {
    let of_it = kernels.iter().filter(|k| k.part == PRESSURE);
    let ms: f64 = of_it.map(|k| k.ms).sum();
    (ms > 0.0).then_some(ms)
}

/// A quantity that should stay, or whose change tells something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Invariant {
    /// Snake case: `kinetic_energy`, `momentum_x`, `divergence_linf`, `divergence_l2`, `max_speed`, `cfl`, `dye_mass`, `mean_temperature`…
    pub name: &'static str,
    /// As shown.
    pub label: &'static str,
    /// SI unit, or empty.
    pub unit: &'static str,
    /// The value.
    pub value: f64,
}

impl Invariant {
    /// In the order in which they stand above.
    pub const fn new(
        name: &'static str,
        label: &'static str,
        unit: &'static str,
        value: f64,
    ) -> Self {
        Self {
            name,
            label,
            unit,
            value,
        }
    }
}

/// One step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Simulated time after the step, s.
    pub time: f64,
    /// Length of the last sub-step, s.
    pub dt: f32,
    /// Sub-steps since the last report.
    pub substeps: u32,
    /// Solves of the last sub-step.
    pub solves: Vec<SolveReport>,
    /// Invariants after the step.
    pub invariants: Vec<Invariant>,
    /// What people should know about the step: that something is at the edge of what the method can do, and what would help.
    pub notices: Vec<String>,
    /// Time per kernel since the last report.
    pub kernels: Vec<KernelTime>,
}

impl StepReport {
    /// The value of an invariant.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.invariants
            .iter()
            .find(|i| i.name == name)
            .map(|i| i.value)
    }
    /// The pressure solve, if there was one.
    pub fn pressure(&self) -> Option<&SolveReport> {
        self.solves.iter().find(|s| s.system == PRESSURE)
    }
    /// See [`pressure_ms`].
    pub fn pressure_ms(&self) -> Option<f64> {
        pressure_ms(&self.kernels)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame with solves of two kinds by the same kernels.
    #[test]
    fn only_the_pressure_solve_is_counted() {
        let time = |name, part, ms| KernelTime {
            name,
            part,
            ms,
            runs: 1,
        };
        let mut report = StepReport {
            substeps: 2,
            kernels: vec![
                time("jacobi_sweeps", "viscosity of u", 100.0),
                time("jacobi_sweeps", "pressure", 1.0),
                time("residual", "pressure", 2.0),
                time("residual", "", 50.0),
            ],
            ..StepReport::default()
        };
        assert_eq!(report.pressure_ms(), Some(3.0), "of all sub-steps");
        report.kernels.truncate(1);
        assert_eq!(report.pressure_ms(), None);
    }
}
