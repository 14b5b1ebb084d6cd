//! Eddy.
#![recursion_limit = "512"]
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
