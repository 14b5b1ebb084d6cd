//! Gauss–Seidel.

use super::{PoissonSolver, SolveReport, SolverInfo, System};
use crate::device::{Buf, Device, Result};

crate::params! {
    /// Gauss–Seidel iteration.
    pub struct Parameters {
        /// Most sweeps a solve. More make the flow less compressible and cost more.
        live iterations: u32 = 40, hard 1..=100_000, soft 1..=400, log;
    }
}

/// Working memory.
pub struct Solver;

impl PoissonSolver for Solver {
    type Params = Parameters;
    const INFO: SolverInfo = SolverInfo { id: "gauss_seidel", title: "Gauss–Seidel", summary: "", paper: "", obstacles: true };
    fn new(_: &mut Device, _: [u32; 3], _: &Parameters) -> Result<Self> { Ok(Self) }
    fn memory_bytes(_: [u32; 3], _: &Parameters) -> u64 { 0 }
    fn solve(&mut self, _: &mut Device, _: &System<'_>, _: &mut Buf<f32>, _: &Parameters) {}
    fn report(&mut self, _: &mut Device) -> Result<SolveReport> { Ok(SolveReport::default()) }
}
