//! Changing a document: what can be asked for, what an edit is, and how it is undone.
//!
//! [`Action`] is what a shortcut, a menu or the palette asks for; [`Edit`] is a change of the document that can be named
//! and applied; [`figure`] says how an item of the scene stands in the plane and what pulling at it changes, [`arrange`]
//! what is done to several items at once; [`History`] keeps snapshots (`Arc<Document>`) with a label each. Simulated state is never undone.

mod action;
pub mod arrange;
mod change;
pub mod figure;
mod history;

pub use action::Action;
pub use change::{Edit, List};
pub use figure::Item;
pub use history::History;
