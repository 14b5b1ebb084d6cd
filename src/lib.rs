//! Eddy.
#![recursion_limit = "512"]
pub mod bake;
pub mod device;
pub mod document;
pub mod field;
pub mod params;
pub mod poisson;
pub mod scene;
pub mod sim;
pub mod solvers;
