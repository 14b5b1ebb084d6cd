//! Stable Fluids.

use super::{Feature, Field, Method, MethodInfo, StepReport};
use crate::device::{Buf, Device, Result};
use crate::field::{FieldDesc, Grid, RangeHint};
use crate::poisson::SolverParams;
use crate::scene::SceneFrame;

crate::params! {
    /// Stam 1999: semi-Lagrangian advection, then projection.
    pub struct Parameters {
        /// Kinematic viscosity of the fluid.
        live viscosity: f32 = 1e-6, hard 0.0..=1e3, soft 0.0..=1e-2, log, "m²/s";
        /// How the pressure is found.
        @pressure: SolverParams;
    }
}

const DYE: FieldDesc = FieldDesc { name: "dye", label: "Dye", unit: "", components: 3, range: RangeHint::Color };

/// State.
pub struct Solver {
    grid: Grid,
    scalars: Buf<f32>,
}

impl Method for Solver {
    type Params = Parameters;
    const INFO: MethodInfo = MethodInfo {
        id: "stable_fluids",
        title: "Stable Fluids",
        summary: "",
        paper: "",
        dims: &[2],
        parity: 1e-5,
        honours: &[Feature::Dye],
        fields: &[DYE],
    };
    fn new(dev: &mut Device, scene: &SceneFrame, _: &Parameters) -> Result<Self> {
        Ok(Self { grid: scene.grid, scalars: dev.buf("scalars", scene.grid.len() * 4)? })
    }
    fn memory_bytes(grid: &Grid, _: &Parameters) -> u64 {
        grid.len() as u64 * 16
    }
    fn max_dt(&self, _: &SceneFrame, _: &Parameters) -> f32 {
        f32::INFINITY
    }
    fn step(&mut self, _: &mut Device, _: &SceneFrame, _: &Parameters, _: f32) {}
    fn report(&mut self, _: &mut Device) -> Result<StepReport> {
        Ok(StepReport::default())
    }
    fn field(&mut self, _: &mut Device, name: &str) -> Option<Field<'_>> {
        (name == "dye").then_some(Field { desc: DYE, grid: self.grid, buf: &self.scalars, stride: 4, offset: 0 })
    }
    fn state(&mut self) -> Vec<(&'static str, &mut Buf<f32>)> {
        vec![("scalars", &mut self.scalars)]
    }
}
