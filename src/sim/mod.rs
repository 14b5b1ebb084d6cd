//! Running a document: the synchronous core, and the thread that the editor talks to.

mod backup;
mod checkpoints;
mod fault;
mod flight;
mod mailbox;
mod runner;
mod simulation;
#[cfg(test)]
mod tests;
mod worker;

use std::any::Any;

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("of an unknown kind").to_owned()
}

pub use fault::Fault;
pub use flight::Landed;
pub use runner::{Command, HistoryPoint, Runner, Snapshot, State};
pub use simulation::{Checkpoint, Simulation};
