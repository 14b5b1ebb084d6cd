//! Making the velocity free of divergence: solve `∇²p = ∇·u / dt`, then `u −= dt ∇p` (Chorin 1968; on the staggered grid
//! both operators fit exactly, so a converged solve leaves no divergence).
//!
//! 1. [`PressureStencil`]: which neighbours a cell's pressure hangs on, when obstacles change
//! 2. [`Divergence`]: the right-hand side
//! 3. [`ScaleGuess`], then the Poisson solver of the parameters
//! 4. [`SubtractGradient`]: once for each component

use crate::device::kernels::{Fill, FillValue};
use crate::device::{Buf, Device, Result, Ticket};
use crate::grid::{
    Divergence, Factor, Lattice, Mac, PressureResidual, PressureStencil, ScaleGuess,
    SubtractGradient,
};
use crate::poisson::{AnySolver, SolveReport, SolverParams, System};

/// The pressure with all that finds it.
pub struct Projection {
    at: Lattice,
    components: [Lattice; 2],
    h: f32,
    dt: f32,
    revision: u64,
    /// Codes of the system, for each cell.
    pub stencil: Buf<u32>,
    /// Right-hand side of the last solve, m²/s².
    pub rhs: Buf<f32>,
    /// Pressure over density, m²/s².
    pub pressure: Buf<f32>,
    /// Length of the last step, s, zero before the first; one number, on the device.
    pub step: Buf<f32>,
    solver: Box<dyn AnySolver>,
}

impl Projection {
    /// Zero pressure. [`Projection::rebuild`] must be called before the first solve.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn new(dev: &mut Device, mac: &Mac, params: &SolverParams) -> Result<Self> {
        let n = mac.grid.len();
        Ok(Self {
            at: mac.pressure(),
            components: [mac.velocity(0), mac.velocity(1)],
            h: mac.grid.h,
            dt: 0.0,
            revision: 0,
            stencil: dev.buf("pressure stencil", n)?,
            rhs: dev.buf("pressure right-hand side", n)?,
            pressure: dev.buf("pressure", n)?,
            step: dev.buf("last step", 1)?,
            solver: params.create(dev, mac.grid.cells)?,
        })
    }

    /// What [`Projection::new`] takes, bytes.
    pub fn memory_bytes(mac: &Mac, params: &SolverParams) -> u64 {
        mac.grid.len() as u64 * 12 + 4 + params.memory_bytes(mac.grid.cells)
    }

    /// Takes note of the faces of the domain and of which cells are solid.
    pub fn rebuild(&mut self, dev: &mut Device, mac: &Mac, solid: &Buf<u32>) {
        self.at = mac.pressure();
        self.components = [mac.velocity(0), mac.velocity(1)];
        self.revision += 1;
        dev.run(
            self.at.items(),
            PressureStencil {
                at: self.at,
                solid,
                stencil: &mut self.stencil,
            },
        );
    }

    /// Projects the velocity. The guess is the pressure of the last solve, or zero.
    pub fn project(
        &mut self,
        dev: &mut Device,
        u: &mut Buf<f32>,
        v: &mut Buf<f32>,
        dt: f32,
        warm_start: bool,
        params: &SolverParams,
    ) {
        self.dt = dt;
        dev.run(
            self.at.items(),
            Divergence {
                at: self.at,
                factor: Factor {
                    value: -(self.h / dt),
                },
                stencil: &self.stencil,
                u,
                v,
                out: &mut self.rhs,
            },
        );
        if warm_start {
            self.scale_guess(dev, dt);
        } else {
            dev.clear(&mut self.pressure);
        }
        let system = System {
            dims: self.at.items(),
            stencil: &self.stencil,
            revision: self.revision,
            shift: 0.0,
            rhs: &self.rhs,
            residual_scale: dt / (self.h * self.h),
            name: "pressure",
            unit: "1/s",
        };
        self.solver.solve(dev, &system, &mut self.pressure, params);
        let p = FillValue { len: 1, value: dt };
        dev.run(
            [1, 1, 1],
            Fill {
                p,
                x: &mut self.step,
            },
        );
        for (at, u) in self.components.into_iter().zip([u, v]) {
            dev.run(
                at.items(),
                SubtractGradient {
                    at,
                    factor: Factor { value: dt / self.h },
                    stencil: &self.stencil,
                    pressure: &self.pressure,
                    u,
                },
            );
        }
    }

    /// Makes the pressure of the last step a guess for one of `dt`. What it takes from the velocity grows with the step: after
    /// a much shorter one, in which it stood against a blow, it would take more than there is. So it takes no more than then.
    fn scale_guess(&mut self, dev: &mut Device, dt: f32) {
        let dt_u = Factor { value: dt };
        let (at, step, pressure) = (self.at, &self.step, &mut self.pressure);
        dev.run(
            at.items(),
            ScaleGuess {
                at,
                dt: dt_u,
                step,
                pressure,
            },
        );
    }

    /// The divergence of a velocity in 1/s; zero in solid cells.
    pub fn divergence(&self, dev: &mut Device, u: &Buf<f32>, v: &Buf<f32>, out: &mut Buf<f32>) {
        dev.run(
            self.at.items(),
            Divergence {
                at: self.at,
                factor: Factor {
                    value: 1.0 / self.h,
                },
                stencil: &self.stencil,
                u,
                v,
                out,
            },
        );
    }

    /// What the last solve left, in 1/s: the divergence that stays. Zero before the first solve.
    pub fn residual(&self, dev: &mut Device, out: &mut Buf<f32>) {
        dev.run(
            self.at.items(),
            PressureResidual {
                at: self.at,
                factor: Factor {
                    value: -self.dt / (self.h * self.h),
                },
                stencil: &self.stencil,
                rhs: &self.rhs,
                pressure: &self.pressure,
                out,
            },
        );
    }

    /// Asks what the last solve did.
    ///
    /// # Errors
    /// A device that fails.
    pub fn report(&mut self, dev: &mut Device) -> Result<Ticket<SolveReport>> {
        self.solver.report(dev)
    }
}
