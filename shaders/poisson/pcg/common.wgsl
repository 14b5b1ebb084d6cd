import package::grid::codes::UNKNOWN;
import package::poisson::stencil::{behind, weight};

// What the kernels of conjugate gradients share: how they are told of the system, and A x in a cell.
// A workgroup takes a tile of 64 cells along x and ROWS along y, an invocation a column of it, and leaves one partial sum.

struct ConjugateU {
    /// Cells along x, y, z; 1 where the preconditioner is the diagonal.
    cells: vec4<u32>,
    /// Tiles along x, y, z; in all.
    tiles: vec4<u32>,
    /// Added to the diagonal.
    shift: f32,
    /// 1 where these are the first scalars of a solve.
    begin: u32,
    /// 1 where there are two sums.
    two: u32,
    pad0: u32,
}

struct Scalars {
    /// r · z.
    gamma: f32,
    /// How far to go along p.
    alpha: f32,
    /// How much of the old direction is in the new one.
    beta: f32,
    /// p · A p.
    delta: f32,
    /// What r · z must exceed for r to say anything.
    floor: f32,
}

const ROWS: u32 = 4u;

fn flow(code: u32, f: u32, near: f32, here: f32) -> f32 {
    return f32(weight(code, f)) * (behind(code, f, near) - here);
}

/// A x of a cell, from its value and those behind its faces.
fn applied(code: u32, here: f32, near: array<f32, 6>, three: bool, shift: f32) -> f32 {
    var all = ((flow(code, 0u, near[0], here) + flow(code, 1u, near[1], here)) + flow(code, 2u, near[2], here)) + flow(code, 3u, near[3], here);
    if (three) {
        all = (all + flow(code, 4u, near[4], here)) + flow(code, 5u, near[5], here);
    }
    return select(0.0, shift * here - all, (code & UNKNOWN) != 0u);
}
