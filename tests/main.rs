//! The tests that look at the whole, one file an area.
#![allow(
    clippy::unwrap_used,
    reason = "a test that unwraps an error fails with it"
)]

mod advection;
mod animation;
mod architecture;
mod bake;
mod cli;
mod compare;
mod device;
mod docs;
mod documents;
mod kernels;
mod lattice_boltzmann;
mod loops;
mod obstacles;
mod parity;
mod physics;
mod poisson;
mod presets;
mod registry;
mod scene;
mod shaders;
mod shallow_water;
mod stable_fluids;
mod ui;
mod view;
