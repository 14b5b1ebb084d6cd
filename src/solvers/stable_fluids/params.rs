//! What one can set.

use crate::poisson::SolverParams;
use crate::solvers::transport::{Backtrace, Limiter, Scheme};

crate::params! {
    /// The fluid has no viscosity but that of its advection scheme.
    pub struct NoViscosity {}
}

crate::params! {
    /// One pass of diffusion. Cheap, but the step must stay below h²/(4ν): thick fluids are sub-stepped.
    pub struct ExplicitViscosity {
        /// Kinematic viscosity: thicker fluids come to rest sooner and swirl less. Air 1.5e-5, water 1e-6.
        live kinematic: f32 = 1e-4, hard 0.0..=1e3, soft 1e-6..=1e-2, log, "m²/s";
    }
}

crate::params! {
    /// Diffusion by solving for the velocity at the end of the step. Stable for any viscosity and step.
    pub struct ImplicitViscosity {
        /// Kinematic viscosity: thicker fluids come to rest sooner and swirl less. Syrup 1e-3, honey 1e-2.
        live kinematic: f32 = 1e-3, hard 0.0..=1e3, soft 1e-6..=1e-1, log, "m²/s";
        /// How the velocity at the end of the step is found.
        @solver: SolverParams;
    }
}

crate::variants! {
    /// How friction inside the fluid is found.
    pub enum Viscosity {
        /// No friction inside the fluid: lively smoke and air. Only advection blurs.
        Off(NoViscosity),
        /// From the velocity at the beginning of the step: cheap, for thin fluids.
        Explicit(ExplicitViscosity),
        /// From the velocity at the end of the step: for syrup, honey and small scales.
        Implicit(ImplicitViscosity),
    }
}

impl Viscosity {
    /// Kinematic viscosity, m²/s.
    pub fn kinematic(&self) -> f32 {
        match self {
            Self::Off(_) => 0.0,
            Self::Explicit(p) => p.kinematic,
            Self::Implicit(p) => p.kinematic,
        }
    }
    pub(super) fn solver(&self) -> Option<&SolverParams> {
        match self {
            Self::Implicit(p) => Some(&p.solver),
            _ => None,
        }
    }
}

crate::params! {
    /// Stam 1999: advection along the flow, then projection onto velocities free of divergence.
    pub struct Parameters {
        /// How motion is carried along: blurry and calm, or sharp and lively.
        restart velocity_advection: Scheme = Scheme::MacCormack;
        /// How dye and heat are carried along: soft or crisp edges.
        restart dye_advection: Scheme = Scheme::MacCormack;
        /// What keeps the sharper schemes from overshooting: without it rings appear round edges.
        live limiter: Limiter = Limiter::Clamp;
        /// How exactly the way back along the flow is found: matters where fluid turns far in one step.
        live backtrace: Backtrace = Backtrace::Rk2;
        /// Friction inside the fluid.
        @viscosity: Viscosity;
        /// Gives back to small swirls what the grid has blurred away: curls and wisps; too much looks boiling.
        live vorticity_confinement: f32 = 0.0, hard 0.0..=1e4, soft 0.0..=10.0, "1/s";
        /// Slows all motion: the share that is lost a second, at first. Stirred fluid comes to rest sooner.
        live velocity_damping: f32 = 0.0, hard 0.0..=1e3, soft 0.0..=2.0, "1/s";
        /// How fast dye fades: at 0.7 half of it is gone in a second.
        live dye_dissipation: f32 = 0.0, hard 0.0..=1e3, soft 0.0..=5.0, "1/s";
        /// How fast heat is lost to the surroundings: hot smoke stops rising sooner.
        live cooling: f32 = 0.0, hard 0.0..=1e3, soft 0.0..=5.0, "1/s";
        /// Starts from the pressure of the step before. The same number of iterations leaves much less compression; off, each frame stands for itself.
        live warm_start: bool = true;
        /// How the pressure is found, which keeps the fluid from being squeezed.
        @pressure: SolverParams;
    }
}
