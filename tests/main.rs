//! The tests that look at the whole, one file an area.

mod kernels;
mod parity;
mod poisson;
mod scene;
mod shaders;
mod stable_fluids;
mod view;
