//! The tests that look at the whole, one file an area.
#![allow(
    clippy::unwrap_used,
    reason = "a test that unwraps an error fails with it"
)]

mod bake;
mod device;
mod kernels;
mod loops;
mod parity;
mod poisson;
mod scene;
mod shaders;
mod stable_fluids;
mod view;
