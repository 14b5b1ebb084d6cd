//! The scene at a moment.

use crate::field::Grid;

/// The scene at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneFrame {
    /// The cells.
    pub grid: Grid,
    /// Simulated time, s.
    pub time: f64,
}
