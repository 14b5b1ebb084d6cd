//! Changing a document: what can be asked for, what an edit is, and how it is undone.
//!
//! [`Action`] is what a shortcut, a menu or the palette asks for; [`Edit`] is a change of the document that can be named
//! and applied; [`History`] keeps snapshots (`Arc<Document>`) with a label each. Simulated state is never undone.

mod action;
mod change;
mod history;

pub use action::Action;
pub use change::{Edit, List};
pub use history::History;
