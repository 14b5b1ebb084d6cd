//! What lies behind each face of a cell, as the linear systems on the grid say it.
//!
//! One `u32` a cell holds two bits a face, in the order x−, x+, y−, y+, z−, z+ from bit 0, and bit 12 ([`UNKNOWN`]). What
//! the codes weigh in a system is said in [`crate::poisson`].

/// Nothing behind the face.
pub const CLOSED: u32 = 0;
/// An unknown behind the face.
pub const LINK: u32 = 1;
/// Zero on the face.
pub const FACE: u32 = 2;
/// Zero one cell behind.
pub const NODE: u32 = 3;
/// The cell is an unknown.
pub const UNKNOWN: u32 = 1 << 12;
