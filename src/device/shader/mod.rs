//! Shaders: where their text comes from, linking, and what they declare.
//!
//! A kernel's file is linked with what it imports (WESL) into one WGSL text, which naga parses and validates. In release
//! builds the files are part of the program; in debug builds they are read from `shaders/`, so that an edit shows at once.

mod check;
mod link;
mod reflect;
mod source;

pub use check::{check_kernel, check_uniforms, kernel_files};
pub use link::{Linked, link};
pub use source::files as shader_files;

pub(super) use check::compare;
use reflect::uniforms;
pub(super) use reflect::{Binding, Reflection, reflect};
#[cfg(debug_assertions)]
pub(super) use source::modified;
#[cfg(all(test, debug_assertions))]
pub(super) use source::read_from;
