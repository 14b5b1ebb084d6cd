//! A solver whose type is not known: what a method holds.

use super::{PoissonSolver, Registered, SolveReport, SolverInfo, SolverParams, System};
use crate::device::{Buf, Device, Result};

/// A solver whose type is not known.
pub trait AnySolver: Send {
    /// See [`PoissonSolver::INFO`].
    fn info(&self) -> SolverInfo;
    /// See [`PoissonSolver::solve`]. The time goes to a part with the system's name. Does nothing if `params` are another
    /// solver's.
    fn solve(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        params: &SolverParams,
    );
    /// See [`PoissonSolver::report`].
    ///
    /// # Errors
    /// A device that fails.
    fn report(&mut self, dev: &mut Device) -> Result<SolveReport>;
}

impl<S: Registered> AnySolver for S {
    fn info(&self) -> SolverInfo {
        S::INFO
    }
    fn solve(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        params: &SolverParams,
    ) {
        if let Some(p) = S::of(params) {
            dev.part(system.name, |dev| {
                PoissonSolver::solve(self, dev, system, x, p);
            });
        }
    }
    fn report(&mut self, dev: &mut Device) -> Result<SolveReport> {
        PoissonSolver::report(self, dev)
    }
}
