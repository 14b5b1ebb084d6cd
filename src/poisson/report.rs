//! What a solve says about itself.

/// One solve of a linear system.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolveReport {
    /// Id of the solver.
    pub solver: &'static str,
    /// What was solved for: `pressure`, `viscosity`.
    pub system: &'static str,
    /// Iterations done.
    pub iterations: u32,
    /// Root mean square of the residual by iteration, from before the first to after the last.
    pub residuals: Vec<(u32, f32)>,
    /// The same of the latest solve along which it was measured; this one is often measured at its ends only.
    pub curve: Vec<(u32, f32)>,
    /// Root mean square of the residual that a guess of zero has: what there was to solve for. A warm start begins below it.
    pub l2_zero: f32,
    /// Root mean square of the residual before the solve.
    pub l2_before: f32,
    /// Root mean square of the residual after the solve.
    pub l2: f32,
    /// Largest residual after the solve.
    pub linf: f32,
    /// Unit of the residuals.
    pub unit: &'static str,
    /// Whether the tolerance was met (never, where none was asked for).
    pub converged: bool,
    /// Whether the system is more than the solver was made for, such as obstacles for one that is exact in boxes only: what it does
    /// is no less right, but it takes more iterations than one expects of it.
    pub approximate: bool,
}
