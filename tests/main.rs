//! The tests that look at the whole, one file an area.

mod kernels;
mod poisson;
mod scene;
mod stable_fluids;
mod shaders;
mod view;
