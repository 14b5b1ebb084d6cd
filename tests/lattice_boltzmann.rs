//! Lattice Boltzmann: against formulas, independent measurements, and itself on other devices.

mod flows;
mod lattice;
pub mod parts;
