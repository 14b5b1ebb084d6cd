//! Viscous diffusion of the velocity, one component at a time: the kernels of [`crate::grid::diffuse`], and for the implicit
//! step a Poisson solver for each component.

use crate::device::{Buf, Device, Result, Ticket};
use crate::grid::{
    DiffuseExplicit, DiffusionResult, DiffusionSystem, Factor, Lattice, Mac, ViscosityStencil,
};
use crate::poisson::{AnySolver, SolveReport, SolverParams, System};

/// The two components' systems.
pub struct Diffusion {
    h: f32,
    revision: u64,
    components: [Component; 2],
}

struct Component {
    at: Lattice,
    stencil: Buf<u32>,
    implicit: Option<Implicit>,
}

struct Implicit {
    x: Buf<f32>,
    rhs: Buf<f32>,
    solver: Box<dyn AnySolver>,
}

impl Diffusion {
    /// Room for the systems; for implicit viscosity with the solver that is given.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn new(dev: &mut Device, mac: &Mac, solver: Option<&SolverParams>) -> Result<Self> {
        let mut component = |axis| -> Result<Component> {
            let at = mac.velocity(axis);
            let dims = at.distinct();
            let n = dims.iter().map(|&n| n as usize).product();
            let implicit = match solver {
                None => None,
                Some(params) => Some(Implicit {
                    x: dev.buf("viscosity solution", n)?,
                    rhs: dev.buf("viscosity right-hand side", n)?,
                    solver: params.create(dev, dims)?,
                }),
            };
            Ok(Component {
                at,
                stencil: dev.buf("viscosity stencil", n)?,
                implicit,
            })
        };
        Ok(Self {
            h: mac.grid.h,
            revision: 0,
            components: [component(0)?, component(1)?],
        })
    }

    /// What [`Diffusion::new`] takes, bytes.
    pub fn memory_bytes(mac: &Mac, solver: Option<&SolverParams>) -> u64 {
        [0, 1]
            .map(|axis| {
                let dims = mac.velocity(axis).distinct();
                let n: u64 = dims.iter().map(|&n| u64::from(n)).product();
                n * 4 + solver.map_or(0, |s| n * 8 + s.memory_bytes(dims))
            })
            .iter()
            .sum()
    }

    /// Takes note of the faces of the domain and of which cells are solid.
    pub fn rebuild(
        &mut self,
        dev: &mut Device,
        mac: &Mac,
        solid: &Buf<u32>,
        solid_velocity: &Buf<f32>,
    ) {
        self.revision += 1;
        for (axis, component) in self.components.iter_mut().enumerate() {
            component.at = mac.velocity(axis);
            dev.run(
                component.at.distinct(),
                ViscosityStencil {
                    at: component.at,
                    solid,
                    solid_velocity,
                    stencil: &mut component.stencil,
                },
            );
        }
    }

    /// One explicit step of a component: u → out. Stable up to `dt = h²/(4ν)`.
    pub fn explicit(
        &self,
        dev: &mut Device,
        axis: usize,
        nu_dt: f32,
        u: &Buf<f32>,
        out: &mut Buf<f32>,
    ) {
        let component = &self.components[axis];
        dev.run(
            component.at.items(),
            DiffuseExplicit {
                at: component.at,
                factor: Factor {
                    value: nu_dt / (self.h * self.h),
                },
                stencil: &component.stencil,
                u,
                out,
            },
        );
    }

    /// One implicit step of a component in place.
    pub fn implicit(
        &mut self,
        dev: &mut Device,
        axis: usize,
        nu_dt: f32,
        u: &mut Buf<f32>,
        params: &SolverParams,
    ) {
        let Component {
            at,
            stencil,
            implicit: Some(implicit),
        } = &mut self.components[axis]
        else {
            return;
        };
        let shift = self.h * self.h / nu_dt;
        dev.run(
            at.distinct(),
            DiffusionSystem {
                at: *at,
                factor: Factor { value: shift },
                stencil,
                u,
                x: &mut implicit.x,
                rhs: &mut implicit.rhs,
            },
        );
        let system = System {
            dims: at.distinct(),
            stencil,
            revision: self.revision,
            shift,
            rhs: &implicit.rhs,
            residual_scale: 1.0 / shift,
            name: ["viscosity of u", "viscosity of v"][axis],
            unit: "m/s",
        };
        implicit.solver.solve(dev, &system, &mut implicit.x, params);
        dev.run(
            at.items(),
            DiffusionResult {
                at: *at,
                stencil,
                x: &implicit.x,
                u,
            },
        );
    }

    /// Asks what the last implicit solves did.
    ///
    /// # Errors
    /// A device that fails.
    pub fn reports(&mut self, dev: &mut Device) -> Result<Vec<Ticket<SolveReport>>> {
        let solvers = self
            .components
            .iter_mut()
            .filter_map(|c| c.implicit.as_mut());
        solvers.map(|i| i.solver.report(dev)).collect()
    }
}
