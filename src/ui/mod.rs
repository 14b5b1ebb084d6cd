//! The interface: what one sees of the document, the simulation and a bake, and how the hand reaches them.
//!
//! [`editor::Editor`] holds the state. Each frame it looks at what the simulation and background work have done, draws the
//! [`shell`] with the [`panels`] in it, and at the end of the frame fulfils what they asked for. Panels change nothing
//! themselves: they give back outcomes and requests. All parameters are drawn by one [`inspector`] from their declarations.
//! Nothing here waits: files, dialogs and bakes have threads of their own, and the simulation is only looked at.

pub mod bake_job;
mod beside;
pub mod compare_job;
pub(crate) mod diamond;
pub mod dock;
pub mod editor;
pub mod files;
pub mod format;
pub mod icons;
pub mod inspector;
pub mod kept;
mod keying;
pub mod keys_sheet;
pub mod lettering;
pub mod logbook;
mod meter;
mod palette;
pub mod panels;
mod panes;
pub mod path_field;
pub mod presets;
mod questions;
pub mod recent;
mod requests;
pub mod rescue;
pub mod services;
pub mod shelf;
pub mod shell;
mod shortcuts;
pub mod stored;
pub mod theme;
mod toasts;
pub mod welcome;
mod widgets;
mod workspace;
