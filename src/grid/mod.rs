//! Eulerian kernels that grid methods share, on a staggered (MAC) grid (Harlow and Welch 1965).
//!
//! Velocity components stand on the faces of cells: `u` is an array of (nx+1)·ny at (i, j+½)·h, `v` of nx·(ny+1) at
//! (i+½, j)·h. Scalars stand at the centres: four interleaved numbers a cell, linear red, green, blue and temperature. A
//! [`Lattice`] says where the samples of an array stand and what lies beyond its ends; every kernel that looks beyond a
//! cell takes one, so that walls, open faces and periodic ones are treated alike everywhere.
//!
//! - [`lattice`]: positions, ends, interpolation
//! - [`flow`]: the velocity at any point, and tracing along it
//! - [`advect`], [`advect_scalars`]: transport
//! - [`push`]: transport forward as well
//! - [`sources`]: buoyancy and vorticity confinement
//! - [`solids`]: the velocity inside and on obstacles
//! - [`codes`]: which neighbours an unknown has, as the solvers of [`crate::poisson`] read it
//! - [`pressure`]: divergence and gradient, with the codes of the pressure
//! - [`diffuse`]: viscosity, explicit or as a system for each component
//! - [`mod@derive`]: cell-centred velocity, vorticity, coverage by obstacles
//! - [`measure`]: sums and extremes over the fluid

pub mod advect;
pub mod advect_scalars;
pub mod codes;
pub mod derive;
pub mod diffuse;
pub mod flow;
pub mod lattice;
pub mod measure;
pub mod pressure;
pub mod push;
pub mod solids;
pub mod sources;

pub use advect::{AdvectComponent, Advection};
pub use advect_scalars::AdvectScalars;
pub use derive::{CellVelocity, Coverage, Curl};
pub use diffuse::{DiffuseExplicit, DiffusionResult, DiffusionSystem, ViscosityStencil};
pub use lattice::{Lattice, Mac, Side};
pub use measure::{Measure, Measurement, Totals};
pub use pressure::{Divergence, PressureResidual, PressureStencil, ScaleGuess, SubtractGradient};
pub use push::{Push, PushForward, Settle};
pub use solids::Enforce;
pub use sources::{Accelerate, Acceleration, AddAcceleration, Factor};

use crate::device::{Kernel, KernelInfo};

/// Every kernel of this folder.
pub const KERNELS: &[KernelInfo] = &[
    AdvectComponent::INFO,
    AdvectScalars::INFO,
    PushForward::INFO,
    Settle::INFO,
    CellVelocity::INFO,
    Coverage::INFO,
    Curl::INFO,
    Accelerate::INFO,
    AddAcceleration::INFO,
    Enforce::INFO,
    PressureStencil::INFO,
    Divergence::INFO,
    ScaleGuess::INFO,
    SubtractGradient::INFO,
    PressureResidual::INFO,
    ViscosityStencil::INFO,
    DiffuseExplicit::INFO,
    DiffusionSystem::INFO,
    DiffusionResult::INFO,
    Measure::INFO,
];
