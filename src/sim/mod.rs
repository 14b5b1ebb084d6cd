//! Running a document: the synchronous core, and the thread that the editor talks to.

mod checkpoints;
mod mailbox;
mod runner;
mod simulation;
#[cfg(test)]
mod tests;
mod worker;

pub use runner::{Command, HistoryPoint, Runner, Snapshot, State};
pub use simulation::{Checkpoint, Fault, Simulation};
