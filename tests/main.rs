//! The tests that look at the whole, one file an area.

mod architecture;
mod documents;
mod kernels;
mod poisson;
mod registry;
mod scene;
mod shaders;
mod view;
