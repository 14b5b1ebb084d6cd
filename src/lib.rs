//! Eddy.
#![recursion_limit = "512"]
pub mod device;
pub mod field;
pub mod params;
pub mod poisson;
pub mod scene;
pub mod solvers;
