//! The tests that look at the whole, one file an area.

mod kernels;
mod poisson;
mod scene;
mod shaders;
mod view;
