//! Eddy: a desktop editor for the look of real-time wind and water, and a headless baker of field textures.
//!
//! A [`document::Document`] (scene, method, view, bake) goes in; fields and reports come out; viewport, plots, bake and
//! command line only look.
//!
//! ```text
//! Document ──▶ sim::Runner ──▶ Method::step(Device, SceneFrame, Params) ──▶ fields + StepReport ──▶ view │ ui │ bake │ cli
//!    ▲ edit (undoable)              │ dispatches kernels: a WGSL file or its CPU twin
//!    └── ui: panels, shortcuts
//! ```
//!
//! Read in this order:
//!
//! 1. [`mod@params`]: one declaration gives a struct, its file form, its sliders and its documentation.
//! 2. [`field`]: grids and fields as plain data.
//! 3. [`device`]: kernels in two forms, WGSL and CPU, dispatched by one schedule.
//! 4. [`scene`]: what is simulated, whatever the method, and the rasteriser that every method reads.
//! 5. [`grid`] and [`poisson`]: shared kernels and linear solvers.
//! 6. [`solvers`]: the registry of methods. **To add a method, copy a folder: the recipe stands there.**
//! 7. [`sim`]: a document that runs, and the thread on which it does.
//! 8. [`compare`]: one scene in several ways, cost and error side by side.
//! 9. [`document`], [`edit`], [`bake`], [`view`], [`ui`], [`app`], [`cli`], [`mod@bench`].
//!
//! Who may use whom is checked by `tests/architecture.rs`.
#![recursion_limit = "512"]

pub mod app;
pub mod bake;
pub mod bench;
pub mod cli;
pub mod compare;
pub mod device;
pub mod document;
pub mod edit;
pub mod field;
pub mod grid;
pub mod params;
pub mod poisson;
pub mod scene;
pub mod sim;
pub mod solvers;
pub mod ui;
pub mod view;
