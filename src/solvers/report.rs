//! What a step says about itself.

use crate::device::KernelTime;
use crate::poisson::SolveReport;

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
        self.solves.iter().find(|s| s.system == "pressure")
    }
}
