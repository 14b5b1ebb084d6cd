import package::grid::codes::{LINK, UNKNOWN, code_of, weight_of};

// What sweeps and residuals share: how they are told the size of the system, and how they read its codes.

struct SweepU {
    /// Cells along x, y, z; the colour to relax (red–black only).
    cells: vec4<u32>,
    /// Added to the diagonal.
    shift: f32,
    /// Weight of the relaxed value.
    weight: f32,
    pad0: f32,
    pad1: f32,
}

/// Weight of a face: 0 closed, 1 link, 2 face, 1 node.
fn weight(codes: u32, face: u32) -> u32 {
    return weight_of(code_of(codes, face));
}

/// The value behind a link; zero behind any other face.
fn behind(codes: u32, face: u32, value: f32) -> f32 {
    return select(0.0, value, code_of(codes, face) == LINK);
}

/// One over the diagonal; zero where the cell is not an unknown, or has nothing that holds its value.
fn inverse_diagonal(codes: u32, three: bool, shift: f32) -> f32 {
    var w = weight(codes, 0u) + weight(codes, 1u) + weight(codes, 2u) + weight(codes, 3u);
    if (three) {
        w += weight(codes, 4u) + weight(codes, 5u);
    }
    let diagonal = shift + f32(w);
    let known = (codes & UNKNOWN) == 0u || diagonal <= 0.0;
    return select(1.0 / max(diagonal, 1e-30), 0.0, known);
}

/// Index of the cell behind each face, going round at the edges: x−, x+, y−, y+ and z−, z+.
fn around(id: vec3<u32>, cells: vec3<u32>) -> array<u32, 6> {
    let i = (id.z * cells.y + id.y) * cells.x + id.x;
    let layer = cells.x * cells.y;
    return array<u32, 6>(
        select(i - 1u, i + cells.x - 1u, id.x == 0u),
        select(i + 1u, i + 1u - cells.x, id.x + 1u == cells.x),
        select(i - cells.x, i + layer - cells.x, id.y == 0u),
        select(i + cells.x, i + cells.x - layer, id.y + 1u == cells.y),
        select(i - layer, i + (cells.z - 1u) * layer, id.z == 0u),
        select(i + layer, i - (cells.z - 1u) * layer, id.z + 1u == cells.z),
    );
}
