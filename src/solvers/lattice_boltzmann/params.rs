//! What one can set.

use crate::solvers::transport::{Backtrace, Limiter, Scheme};

crate::params! {
    /// Keeps of each cell only density, motion and stress. Calm and robust: the choice for thin fluids and coarse grids.
    pub struct Regularised {}
}

crate::params! {
    /// Two rates, so that walls stand where they are drawn whatever the viscosity.
    pub struct TwoRates {
        /// Ties the two rates together. At 3/16 a straight wall stands exactly half way between cells; at 1/4 the flow is most stable.
        live magic: f32 = 0.1875, hard 1e-4..=1.0, soft 0.05..=0.5;
    }
}

crate::params! {
    /// One rate for everything. The textbook form: sharp and cheap, but thin fluids ring and burst, and thick ones shift the walls.
    pub struct OneRate {}
}

crate::variants! {
    /// How populations settle when they meet in a cell.
    pub enum Collision {
        /// Density, motion and stress are kept, the rest is dropped.
        Regularised(Regularised),
        /// Two relaxation times (TRT).
        TwoRates(TwoRates),
        /// One relaxation time (BGK).
        OneRate(OneRate),
    }
}

crate::params! {
    /// As many as the fastest thing in the scene asks for.
    pub struct AutoSteps {
        /// Cells that the fastest thing in the scene moves in one lattice step. Smaller is nearer to water and air, which hardly compress, and costs more steps.
        live speed: f32 = 0.1, hard 0.005..=0.25, soft 0.02..=0.2;
        /// Fastest flow to be reckoned with. At zero it is taken from inflows, emitters, motors, obstacles and strokes; set it where fans spin the air up beyond that.
        live top_speed: f32 = 0.0, hard 0.0..=1e5, soft 0.0..=20.0, "m/s";
    }
}

crate::params! {
    /// A given number.
    pub struct FixedSteps {
        /// Lattice steps in each step of the simulation. Too few for the speed of the scene are refused.
        live count: u32 = 24, hard 1..=4096, soft 1..=128, log;
    }
}

crate::variants! {
    /// Lattice steps in each step of the simulation.
    pub enum Steps {
        /// Chosen from the speeds in the scene.
        Auto(AutoSteps),
        /// Always the same.
        Fixed(FixedSteps),
    }
}

crate::params! {
    /// Lattice Boltzmann (D2Q9): populations of particles stream from cell to cell and collide. No equation is solved for the
    /// pressure: sound waves carry it, at a speed that the number of lattice steps sets.
    pub struct Parameters {
        /// Kinematic viscosity: thicker fluids come to rest sooner and swirl less. Air 1.5e-5, water 1e-6; what the grid cannot show at that size the eddy viscosity takes over.
        live viscosity: f32 = 1e-4, hard 1e-9..=1e3, soft 1e-6..=1e-2, log, "m²/s";
        /// Friction by eddies that are smaller than a cell (Smagorinsky's constant). Keeps thin fluids from bursting; more is smoother. At zero only the viscosity acts.
        live eddy_viscosity: f32 = 0.12, hard 0.0..=1.0, soft 0.0..=0.3;
        /// How populations settle when they meet in a cell.
        @collision: Collision;
        /// Lattice steps in each step of the simulation.
        @steps: Steps;
        /// Gives back to small swirls what the grid has blurred away: curls and wisps; too much looks boiling.
        live vorticity_confinement: f32 = 0.0, hard 0.0..=1e4, soft 0.0..=10.0, "1/s";
        /// How dye and heat are carried along: soft or crisp edges.
        restart dye_advection: Scheme = Scheme::MacCormack;
        /// What keeps the sharper schemes from overshooting: without it rings appear round edges.
        live limiter: Limiter = Limiter::Clamp;
        /// How exactly the way back along the flow is found: matters where dye turns far in one step.
        live backtrace: Backtrace = Backtrace::Rk2;
        /// How fast dye fades: at 0.7 half of it is gone in a second.
        live dye_dissipation: f32 = 0.0, hard 0.0..=1e3, soft 0.0..=5.0, "1/s";
        /// How fast heat is lost to the surroundings: hot smoke stops rising sooner.
        live cooling: f32 = 0.0, hard 0.0..=1e3, soft 0.0..=5.0, "1/s";
    }
}
