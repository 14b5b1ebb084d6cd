//! Running a document: the synchronous core.

mod simulation;

pub use simulation::{Checkpoint, Fault, Simulation};
