//! What makes conjugate gradients converge sooner: something that is nearly the inverse of A and cheap.

use super::System;
use crate::device::{Buf, Device, Result};

/// A linear M⁻¹ that resembles A⁻¹, symmetric and positive.
///
/// A solver offers one by [`super::PoissonSolver::preconditioner`].
pub trait Preconditioner: Send {
    /// The stencil or the shift is another; `stencil` holds the codes. Called before the first [`Preconditioner::apply`].
    ///
    /// # Errors
    /// Memory, a device that fails, or a system that cannot be preconditioned there.
    fn prepare(
        &mut self,
        dev: &mut Device,
        dims: [u32; 3],
        stencil: &[u32],
        shift: f32,
    ) -> Result<()>;
    /// z = M⁻¹ r, `system.rhs` being r. Whatever z holds does not count; where there is no unknown it becomes zero. Called
    /// within loops of the device: nothing may be written or read by the host.
    fn apply(&mut self, dev: &mut Device, system: &System<'_>, z: &mut Buf<f32>);
}

#[cfg(test)]
mod tests {
    use crate::poisson::{SOLVERS, preconditioned_by};

    #[test]
    fn whoever_offers_a_preconditioner_is_found() {
        let found = SOLVERS.iter().filter(|s| preconditioned_by(s.id).is_some());
        let found: Vec<_> = found.map(|s| s.id).collect();
        assert_eq!(found, ["multigrid", "spectral"]);
    }
}
