//! The box that bounds a system, for conjugate gradients among obstacles.

use super::box_solve::BoxSolve;
use crate::device::{Buf, Device, Result};
use crate::poisson::{Preconditioner, System};

/// M⁻¹ of the box M that bounds A, on the unknowns of A alone.
///
/// M is symmetric and M − A takes energy from nothing, so all eigenvalues of M⁻¹A are in (0, 1], and most of them are 1: an
/// obstacle changes only the cells beside it (Buzbee, Dorr, George and Golub 1971, *The direct solution of the discrete Poisson
/// equation on irregular regions*).
pub(super) struct BoundingBox(BoxSolve);

impl BoundingBox {
    /// For arrays of `dims`.
    ///
    /// # Errors
    /// Memory, or a device that fails.
    pub fn new(dev: &mut Device, dims: [u32; 3]) -> Result<Self> {
        BoxSolve::new(dev, dims).map(Self)
    }
}

impl Preconditioner for BoundingBox {
    fn prepare(&mut self, dev: &mut Device, _: [u32; 3], stencil: &[u32], _: f32) -> Result<()> {
        self.0.prepare(dev, stencil)
    }

    fn apply(&mut self, dev: &mut Device, system: &System<'_>, z: &mut Buf<f32>) {
        dev.clear(z);
        self.0.add(dev, system.stencil, system.shift, system.rhs, z);
    }
}
