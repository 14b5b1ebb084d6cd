//! What should be conserved, and what should be small, as a report says it.

use crate::field::Grid;
use crate::grid::Totals;
use crate::solvers::Invariant;

/// The totals after a step of `dt` s as invariants of a report.
pub fn invariants(totals: &Totals, grid: &Grid, dt: f32) -> Vec<Invariant> {
    let (h, dt) = (f64::from(grid.h), f64::from(dt));
    let cells = totals.cells.max(1.0);
    let area = h * h;
    let item = Invariant::new;
    let dye = (totals.scalars[0] + totals.scalars[1] + totals.scalars[2]) / 3.0;
    vec![
        item("max_speed", "Largest speed", "m/s", totals.max_speed),
        item("cfl", "Cells a step (CFL)", "", totals.max_speed * dt / h),
        item(
            "kinetic_energy",
            "Kinetic energy over density",
            "m⁴/s²",
            0.5 * totals.speed2 * area,
        ),
        item(
            "momentum_x",
            "Momentum over density, to the right",
            "m³/s",
            totals.velocity[0] * area,
        ),
        item(
            "momentum_y",
            "Momentum over density, upwards",
            "m³/s",
            totals.velocity[1] * area,
        ),
        item(
            "divergence_linf",
            "Largest divergence",
            "1/s",
            totals.max_divergence,
        ),
        item(
            "divergence_l2",
            "Divergence, root mean square",
            "1/s",
            (totals.divergence2 / cells).sqrt(),
        ),
        item(
            "dye_mass",
            "Dye: mean of the colours times area",
            "m²",
            dye * area,
        ),
        item(
            "mean_temperature",
            "Mean temperature",
            "K",
            totals.scalars[3] / cells,
        ),
    ]
}
