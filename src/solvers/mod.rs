//! The methods: one folder each, and the registry that everything else iterates.
//!
//! A method turns a [`SceneFrame`] and its parameters into fields, one step at a time. Everything else (command line,
//! parameter panel, presets, bake, tests of every method) finds it through the registry at the end of this file and knows
//! no method by name.
//!
//! # Adding a method
//!
//! 1. Copy the folder `src/solvers/stable_fluids` to `src/solvers/<id>`, with `<id>` in snake case. Throw away what the
//!    method does not need, at first `speed.rs`, a measurement of this one method. Three things stay: `mod.rs` must export
//!    `Parameters` (declared by [`params!`](crate::params!)), `Solver` (which implements [`Method`]) and `KERNELS` (the
//!    method's own). Nothing shared is copied: a method on a staggered grid finds advection, viscosity, forces, divergence,
//!    gradient and the sums for its report in [`grid`](crate::grid), solvers of linear systems in [`poisson`](crate::poisson).
//!    One that solves for no pressure still runs [`PressureStencil`](crate::grid::PressureStencil): its codes say which cells
//!    are fluid.
//! 2. In `mod.rs`, set [`Method::INFO`]: the id, the title, a summary, what it is good for and what not, its cost, the
//!    paper, the dimensions, the parts of the scene that are honoured, the fields, and how far CPU and GPU may differ
//!    ([`MethodInfo::parity`], at most 1e-3). The documentation of `Parameters` says what the method is. Its card in the
//!    editor shows all this, with the picture of its first preset.
//! 3. Add one entry at the end of the registry below: a doc comment that says what the method is good for, then
//!    `<Name> = <id>,`. The name is what presets say (`method: <Name>(…)`), the id is what the command line says. The first
//!    entry is what an empty document has, and its looks come first in the editor.
//! 4. Write [`Method::step`] as the paper's algorithm box, dispatching kernels. A kernel is declared by
//!    [`kernel!`](crate::kernel!) with the name of its shader and its twin on the CPU, and listed in the folder's `KERNELS`;
//!    the shader goes to `shaders/<id>/<kernel>.wgsl`, and may import the modules of shared ones
//!    (`import package::grid::lattice::{Lattice};`). Its twin is compared with it by a case in `tests/kernels/`, which a test
//!    asks for by name.
//! 5. Look at it: `cargo build`, then `target/debug/eddy methods`, and any look with `--method <id>`:
//!    `target/debug/eddy snapshot presets/stable_fluids/ink_drop.ron --method <id> --frame 60 --out look.png`.
//! 6. Put presets into `presets/<id>/`: a copy of another method's with its own name, description, tags and
//!    `method: <Name>(…)`, or a document saved by the editor. Each needs a picture:
//!    `target/debug/eddy snapshot presets/<id>/<look>.ron --frame 90 --size 512 --out assets/thumbnails/<id>/<look>.png`.
//! 7. Write what is written from the declarations, `docs/methods.md` and the canonical form of the presets:
//!    `EDDY_UPDATE=1 ./x test --test suite -- docs:: presets::they_are_canonically_written`. Then `./x check`: formatting,
//!    lints, and tests that go over the registry. They compare both devices, look for parameters without effect, shaders
//!    without kernel, reset, go on from checkpoints, count memory, and load every preset. But for the cases of the method's
//!    own kernels, no test or other file is changed.
//!
//! What a method must keep, or these tests say so: the same state and parameters give the same bits at any number of threads
//! (gather, no atomic sums of floats); [`Method::state`] holds all that the next step depends on; no buffer is made in a
//! step but where obstacles change, and [`Method::memory_bytes`] is what [`Method::new`] takes, within a twentieth; where no
//! obstacle moves, a step and its report read nothing back at once ([`Device::read`]), so that a GPU has the next frame to do
//! while the report is on its way; every field shows something in a scene with something of everything; a pressure solve calls
//! its system `pressure` ([`StepReport::pressure`]), which is what plots and `eddy compare` show.

mod pressure;
mod report;
pub mod transport;
mod uses;

use crate::device::{Buf, Device, KernelInfo, Result, Ticket};
use crate::field::{FieldDesc, Grid};
use crate::grid::{Mac, Side};
use crate::params::Params;
use crate::scene::{Condition, SceneFrame};

pub use crate::poisson::SolveReport;
pub use pressure::{pressure_solver, system_solvers};
pub use report::{Invariant, StepReport, pressure_ms};
pub use uses::used_by;

/// A part of the scene that a method may or may not honour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Feature {
    /// Dye from emitters and strokes.
    Dye,
    /// Temperature and buoyancy.
    Temperature,
    /// Velocity from emitters and strokes.
    Velocity,
    /// Solid things.
    Obstacles,
    /// Solid things that move or turn.
    MovingObstacles,
    /// Wind motors.
    Motors,
    /// Open faces.
    OpenFaces,
    /// Faces through which fluid enters.
    InflowFaces,
    /// Joined opposite faces.
    PeriodicFaces,
    /// Gravity.
    Gravity,
    /// Faces that let waves out.
    AbsorbingFaces,
    /// Hills, shores and beds under water.
    Terrain,
    /// Water from emitters: springs, drops, rain.
    Liquid,
    /// Things that float.
    Boats,
}

impl Feature {
    /// Every part, in the order in which they are listed.
    pub const ALL: &[Self] = &[
        Self::Dye,
        Self::Temperature,
        Self::Velocity,
        Self::Gravity,
        Self::Obstacles,
        Self::MovingObstacles,
        Self::Motors,
        Self::OpenFaces,
        Self::InflowFaces,
        Self::PeriodicFaces,
        Self::AbsorbingFaces,
        Self::Terrain,
        Self::Liquid,
        Self::Boats,
    ];

    /// As in `eddy methods --json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dye => "dye",
            Self::Temperature => "temperature",
            Self::Velocity => "velocity",
            Self::Obstacles => "obstacles",
            Self::MovingObstacles => "moving_obstacles",
            Self::Motors => "motors",
            Self::OpenFaces => "open_faces",
            Self::InflowFaces => "inflow_faces",
            Self::PeriodicFaces => "periodic_faces",
            Self::Gravity => "gravity",
            Self::AbsorbingFaces => "absorbing_faces",
            Self::Terrain => "terrain",
            Self::Liquid => "liquid",
            Self::Boats => "boats",
        }
    }
}

/// What a step of a method costs with its default parameters, counted in passes over all its cells or particles: that is
/// true on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// Some passes.
    Cheap,
    /// Some tens of passes.
    Moderate,
    /// Hundreds of passes, or many short steps a frame.
    Costly,
}

impl Cost {
    /// As in `eddy methods --json`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cheap => "cheap",
            Self::Moderate => "moderate",
            Self::Costly => "costly",
        }
    }
    /// What it means, in a phrase.
    pub fn doc(self) -> &'static str {
        match self {
            Self::Cheap => "some passes over all cells a step",
            Self::Moderate => "some tens of passes over all cells a step",
            Self::Costly => "hundreds of passes over all cells, or many short steps, a frame",
        }
    }
}

/// What is known about a method without running it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MethodInfo {
    /// Snake case, as on the command line.
    pub id: &'static str,
    /// As shown.
    pub title: &'static str,
    /// What it is good for, in a sentence.
    pub summary: &'static str,
    /// Looks that it does well, for artists: goes on after "Good for".
    pub good_for: &'static str,
    /// Looks for which another method is the better choice: goes on after "Not for".
    pub not_for: &'static str,
    /// What a step costs.
    pub cost: Cost,
    /// Authors, year, title.
    pub paper: &'static str,
    /// Dimensions it works in.
    pub dims: &'static [u32],
    /// Largest relative L2 difference between CPU and GPU fields after ten smooth steps.
    pub parity: f32,
    /// Parts of the scene that it honours.
    pub honours: &'static [Feature],
    /// Fields that it can show and export.
    pub fields: &'static [FieldDesc],
}

/// A field on the device: for each cell, `desc.components` numbers at `offset`, `stride` numbers apart.
pub struct Field<'a> {
    /// What it is.
    pub desc: FieldDesc,
    /// Where it is.
    pub grid: Grid,
    /// The numbers.
    pub buf: &'a Buf<f32>,
    /// Numbers from one cell to the next.
    pub stride: u32,
    /// First number of a cell.
    pub offset: u32,
}

/// A real-time fluid method. Its folder exports `Solver`, which implements this, and `Parameters`.
pub trait Method: Sized + Send {
    /// Its parameters.
    type Params: Params + Clone + Default + PartialEq + Send + Sync;
    /// What is known without running it.
    const INFO: MethodInfo;

    /// Makes the initial state: fluid at rest, no dye.
    ///
    /// # Errors
    /// Memory, or a device that fails.
    fn new(dev: &mut Device, scene: &SceneFrame, params: &Self::Params) -> Result<Self>;

    /// Bytes that [`Method::new`] will take, to be asked for beforehand.
    fn memory_bytes(grid: &Grid, params: &Self::Params) -> u64;

    /// The largest stable or accurate step, s; each method's documentation gives the formula. May be infinite.
    fn max_dt(&self, scene: &SceneFrame, params: &Self::Params) -> f32;

    /// Advances by `dt` seconds. Errors of the device surface at its next read.
    fn step(&mut self, dev: &mut Device, scene: &SceneFrame, params: &Self::Params, dt: f32);

    /// Asks what the last step did, and waits for nothing: numbers are asked for by [`Device::read_later`], what is to be
    /// made of them is said by [`Ticket::map`], and they are there when the device has done its work.
    ///
    /// # Errors
    /// Whatever went wrong in the steps since the last report.
    fn report(&mut self, dev: &mut Device) -> Result<Ticket<StepReport>>;

    /// The field of that name, derived from the state if need be; none if the method does not have it.
    fn field(&mut self, dev: &mut Device, name: &str) -> Option<Field<'_>>;

    /// Everything that a checkpoint must keep.
    fn state(&mut self) -> Vec<StatePart<'_>>;

    /// Called after a checkpoint was put back into [`Method::state`], for what is derived from it.
    fn restored(&mut self) {}
}

/// The staggered grid with its faces, as the scene has them.
fn mac_of(scene: &SceneFrame) -> Mac {
    let sides = scene.faces.map(|face| match face.condition {
        Condition::NoSlip => Side::NoSlip(face.velocity),
        Condition::FreeSlip => Side::FreeSlip,
        Condition::Open | Condition::Absorbing => Side::Open,
        Condition::Periodic => Side::Periodic,
        Condition::Inflow => Side::Inflow(face.velocity),
    });
    Mac::new(scene.grid, sides)
}

/// A part of the state of a method.
pub struct StatePart<'a> {
    /// Its name, for messages.
    pub name: &'static str,
    /// For values that stand on the faces perpendicular to an axis, the axis. Others stand in the cells, any number of them
    /// in each, or have no place.
    pub faces: Option<usize>,
    /// Its values.
    pub buf: &'a mut Buf<f32>,
}

impl<'a> StatePart<'a> {
    /// Values of cells, or without a place.
    pub fn new(name: &'static str, buf: &'a mut Buf<f32>) -> Self {
        Self {
            name,
            faces: None,
            buf,
        }
    }
    /// Values on the faces perpendicular to `axis`.
    pub fn on_faces(name: &'static str, axis: usize, buf: &'a mut Buf<f32>) -> Self {
        Self {
            name,
            faces: Some(axis),
            buf,
        }
    }
}

/// A method whose type is not known: what the simulation runs.
pub trait AnyMethod: Send {
    /// See [`Method::INFO`].
    fn info(&self) -> &'static MethodInfo;
    /// See [`Method::max_dt`].
    fn max_dt(&self, scene: &SceneFrame, params: &MethodParams) -> f32;
    /// See [`Method::step`].
    fn step(&mut self, dev: &mut Device, scene: &SceneFrame, params: &MethodParams, dt: f32);
    /// See [`Method::report`].
    ///
    /// # Errors
    /// A device that fails.
    fn report(&mut self, dev: &mut Device) -> Result<Ticket<StepReport>>;
    /// See [`Method::field`].
    fn field(&mut self, dev: &mut Device, name: &str) -> Option<Field<'_>>;
    /// See [`Method::state`].
    fn state(&mut self) -> Vec<StatePart<'_>>;
    /// See [`Method::restored`].
    fn restored(&mut self);
}

/// A method that stands in the registry.
trait Registered: Method {
    const STATIC_INFO: &'static MethodInfo;
    /// Its parameters, if they are what `all` holds.
    fn of(all: &MethodParams) -> Option<&Self::Params>;
}

impl<M: Registered> AnyMethod for M {
    fn info(&self) -> &'static MethodInfo {
        M::STATIC_INFO
    }
    fn max_dt(&self, scene: &SceneFrame, params: &MethodParams) -> f32 {
        M::of(params).map_or(f32::INFINITY, |p| Method::max_dt(self, scene, p))
    }
    fn step(&mut self, dev: &mut Device, scene: &SceneFrame, params: &MethodParams, dt: f32) {
        if let Some(p) = M::of(params) {
            Method::step(self, dev, scene, p, dt);
        }
    }
    fn report(&mut self, dev: &mut Device) -> Result<Ticket<StepReport>> {
        Method::report(self, dev)
    }
    fn field(&mut self, dev: &mut Device, name: &str) -> Option<Field<'_>> {
        Method::field(self, dev, name)
    }
    fn state(&mut self) -> Vec<StatePart<'_>> {
        Method::state(self)
    }
    fn restored(&mut self) {
        Method::restored(self);
    }
}

macro_rules! registry {
    ($($(#[doc = $doc:literal])+ $variant:ident = $module:ident),+ $(,)?) => {
        $(pub mod $module;)+

        crate::variants! {
            /// Which method, with its parameters.
            pub enum MethodParams { $($(#[doc = $doc])+ $variant($module::Parameters),)+ }
        }

        /// Every method, in the order in which they are offered.
        pub const METHODS: &[&MethodInfo] = &[$(&<$module::Solver as Method>::INFO),+];

        /// The kernels of every method, in the same order.
        pub const KERNELS: &[&[KernelInfo]] = &[$($module::KERNELS),+];

        $(impl Registered for $module::Solver {
            const STATIC_INFO: &'static MethodInfo = &<Self as Method>::INFO;
            fn of(all: &MethodParams) -> Option<&Self::Params> {
                #[allow(unreachable_patterns, reason = "with one method there is nothing else")]
                match all { MethodParams::$variant(p) => Some(p), _ => None }
            }
        })+

        impl MethodParams {
            /// What is known about the method.
            pub fn info(&self) -> &'static MethodInfo {
                match self { $(Self::$variant(_) => <$module::Solver as Registered>::STATIC_INFO),+ }
            }
            /// The method with that id, with its default parameters.
            pub fn from_id(id: &str) -> Option<Self> {
                METHODS.iter().position(|m| m.id == id).map(Self::from_index)
            }
            /// Makes the method's initial state.
            ///
            /// # Errors
            /// Memory, or a device that fails.
            pub fn create(&self, dev: &mut Device, scene: &SceneFrame) -> Result<Box<dyn AnyMethod>> {
                Ok(match self { $(Self::$variant(p) => Box::new(<$module::Solver as Method>::new(dev, scene, p)?)),+ })
            }
            /// Bytes that the method takes.
            pub fn memory_bytes(&self, grid: &Grid) -> u64 {
                match self { $(Self::$variant(p) => <$module::Solver as Method>::memory_bytes(grid, p)),+ }
            }
        }
    };
}

registry! {
    /// Stam 1999: semi-Lagrangian advection, then projection onto divergence-free fields. Smoke, fire, dye in water, wind.
    StableFluids = stable_fluids,
    /// Populations stream and collide: wakes, jets and vortex streets that stay lively, with no pressure to solve for.
    LatticeBoltzmann = lattice_boltzmann,
    /// Stelling and Duinmeijer 2003: water as a height over the ground. Ponds, rivers, wakes, shores, floods.
    ShallowWater = shallow_water,
}
