//! The iteration.

use super::Preconditioner as Choice;
use super::cholesky::IncompleteCholesky;
use super::kernels::{
    ConjugateAdvance, ConjugateAlpha, ConjugateBeta, ConjugateDirection, ConjugateProducts,
    ConjugateU, Scalars,
};
use crate::device::{Buf, Device, Result};
use crate::poisson::solve::{Iteration, Known};
use crate::poisson::{Preconditioner, SolverParams, System};

/// The vectors, with what preconditions.
pub(super) struct Conjugate {
    dims: [u32; 3],
    /// Residual, as the iteration keeps it up.
    r: Buf<f32>,
    /// Direction of the last iteration, and room for the next.
    p: [Buf<f32>; 2],
    partials: Buf<f32>,
    scalars: Buf<Scalars>,
    chosen: Choice,
    applied: Option<Applied>,
}

/// A preconditioner that is more than a diagonal.
struct Applied {
    preconditioner: Box<dyn Preconditioner>,
    z: Buf<f32>,
}

/// Whether the preconditioner is the one of the last solve.
pub(super) enum Helper {
    Same,
    New,
}

impl Choice {
    /// The solver that offers it, if one does.
    pub(super) fn solver(self) -> Option<SolverParams> {
        match self {
            Self::Multigrid => Some(SolverParams::Multigrid(Default::default())),
            Self::Spectral => Some(SolverParams::Spectral(Default::default())),
            _ => None,
        }
    }
    /// Whether it is more than a diagonal.
    fn is_applied(self) -> bool {
        !matches!(self, Self::None | Self::Jacobi)
    }
    fn make(self, dev: &mut Device, dims: [u32; 3]) -> Result<Option<Applied>> {
        let made = match (self, self.solver()) {
            (_, Some(solver)) => solver.preconditioner(dev, dims),
            (Self::IncompleteCholesky, _) => {
                let factor = IncompleteCholesky::new(dev, dims);
                Some(factor.map(|f| Box::new(f) as Box<dyn Preconditioner>))
            }
            _ => None,
        };
        let Some(preconditioner) = made.transpose()? else {
            return Ok(None);
        };
        let cells = dims.iter().map(|n| *n as usize).product();
        let z = dev.buf("preconditioned residual", cells)?;
        Ok(Some(Applied { preconditioner, z }))
    }
    fn memory_bytes(self, dims: [u32; 3]) -> u64 {
        let cells: u64 = dims.iter().map(|n| u64::from(*n)).product();
        match (self, self.solver()) {
            (_, Some(solver)) => 4 * cells + solver.preconditioner_bytes(dims),
            (Self::IncompleteCholesky, _) => 4 * cells + IncompleteCholesky::memory_bytes(dims),
            _ => 0,
        }
    }
}

impl Conjugate {
    /// For arrays of `dims`.
    ///
    /// # Errors
    /// Memory, a device that fails, or a preconditioner that it does not have.
    pub fn new(dev: &mut Device, dims: [u32; 3], choice: Choice) -> Result<Self> {
        let cells = dims.iter().map(|n| *n as usize).product();
        let tiles = ConjugateU::new(dims, 0.0).tiles[3] as usize;
        Ok(Self {
            dims,
            r: dev.buf("kept residual", cells)?,
            p: [dev.buf("direction", cells)?, dev.buf("direction", cells)?],
            partials: dev.buf("products of tiles", 2 * tiles)?,
            scalars: dev.buf("scalars of an iteration", 1)?,
            chosen: choice,
            applied: choice.make(dev, dims)?,
        })
    }

    /// Bytes that [`Conjugate::new`] takes.
    pub fn memory_bytes(dims: [u32; 3], choice: Choice) -> u64 {
        let cells: u64 = dims.iter().map(|n| u64::from(*n)).product();
        let tiles = u64::from(ConjugateU::new(dims, 0.0).tiles[3]);
        12 * cells + 8 * tiles + size_of::<Scalars>() as u64 + choice.memory_bytes(dims)
    }

    /// Makes another preconditioner where another is asked for.
    ///
    /// # Errors
    /// As [`Conjugate::new`]. Then the next solve tries again.
    pub fn choose(&mut self, dev: &mut Device, dims: [u32; 3], choice: Choice) -> Result<Helper> {
        if self.chosen == choice && self.applied.is_some() == choice.is_applied() {
            return Ok(Helper::Same);
        }
        self.chosen = choice;
        // First the old one's memory is given back.
        self.applied = None;
        self.applied = choice.make(dev, dims)?;
        Ok(Helper::New)
    }
}

impl Iteration for Conjugate {
    const WANDERS: bool = true;

    fn prepare(&mut self, _dims: [u32; 3], _stencil: &[u32], _shift: f32) {}

    fn prepare_levels(&mut self, dev: &mut Device, stencil: &[u32], shift: f32) -> Result<()> {
        match &mut self.applied {
            Some(a) => a.preconditioner.prepare(dev, self.dims, stencil, shift),
            None => Ok(()),
        }
    }

    fn block(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        known: &mut Known<'_>,
        iterations: u32,
    ) {
        if known.first {
            known.level_residual(dev);
            std::mem::swap(&mut self.r, known.residual);
        }
        for n in 0..iterations {
            let mut cg = ConjugateU::new(system.dims, system.shift);
            cg.begin = u32::from(known.first && n == 0);
            cg.cells[3] = u32::from(self.chosen == Choice::Jacobi);
            cg.two = u32::from(self.applied.is_some());
            self.precondition(dev, system, x, known, cg);
            self.go(dev, system, x, cg);
        }
    }
}

#[cfg(test)]
impl Conjugate {
    /// The residual as it is kept up.
    pub fn residual(&self) -> &Buf<f32> {
        &self.r
    }
    /// What the preconditioner makes of the right-hand side.
    pub fn preconditioned(&mut self, dev: &mut Device, system: &System<'_>) -> Vec<f32> {
        let applied = self.applied.as_mut().expect("more than a diagonal");
        applied.preconditioner.apply(dev, system, &mut applied.z);
        applied.z.host().to_vec()
    }
}

impl Conjugate {
    /// Step 1 of an iteration.
    fn precondition(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        known: &mut Known<'_>,
        cg: ConjugateU,
    ) {
        if let Some(Applied { preconditioner, z }) = &mut self.applied {
            let rhs = &self.r;
            preconditioner.apply(dev, &System { rhs, ..*system }, z);
            known.level(dev, z);
            let products = ConjugateProducts {
                cg,
                stencil: system.stencil,
                direction: &self.p[0],
                z,
                r: &self.r,
                partials: &mut self.partials,
            };
            dev.run(cg.items(), products);
        } else if cg.begin == 1 {
            // The step of length zero leaves r · z.
            dev.clear(&mut self.scalars);
            self.advance(dev, system, x, cg);
        }
        let (partials, scalars) = (&self.partials, &mut self.scalars);
        dev.run(
            [1, 1, 1],
            ConjugateBeta {
                cg,
                partials,
                scalars,
            },
        );
    }

    /// Steps 2 and 3.
    fn go(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, cg: ConjugateU) {
        let [old, direction] = &mut self.p;
        let next = ConjugateDirection {
            cg,
            stencil: system.stencil,
            z: self.applied.as_ref().map_or(&self.r, |a| &a.z),
            old,
            scalars: &self.scalars,
            direction,
            partials: &mut self.partials,
        };
        dev.run(cg.items(), next);
        self.p.swap(0, 1);
        let (partials, scalars) = (&self.partials, &mut self.scalars);
        dev.run(
            [1, 1, 1],
            ConjugateAlpha {
                cg,
                partials,
                scalars,
            },
        );
        self.advance(dev, system, x, cg);
    }

    fn advance(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, cg: ConjugateU) {
        let advance = ConjugateAdvance {
            cg,
            stencil: system.stencil,
            direction: &self.p[0],
            scalars: &self.scalars,
            x,
            r: &mut self.r,
            partials: &mut self.partials,
        };
        dev.run(cg.items(), advance);
    }
}
