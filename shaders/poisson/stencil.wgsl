// Reading the stencil: two bits a face in the order x−, x+, y−, y+, z−, z+; bit 12: the cell is an unknown.

const LINK: u32 = 1u;
const UNKNOWN: u32 = 4096u;

/// The two bits of a face.
fn face(code: u32, f: u32) -> u32 {
    return (code >> (2u * f)) & 3u;
}

/// Weight of a face: 0 closed, 1 link, 2 face, 1 node.
fn weight_of(code: u32, f: u32) -> u32 {
    let c = face(code, f);
    return c - 2u * (c & (c >> 1u));
}

/// The value behind a link; zero behind any other face.
fn behind(code: u32, f: u32, value: f32) -> f32 {
    return select(0.0, value, face(code, f) == LINK);
}

/// One over the diagonal; zero where the cell is not an unknown, or has nothing that holds its value.
fn inverse_diagonal(code: u32, three: bool, shift: f32) -> f32 {
    var w = weight_of(code, 0u) + weight_of(code, 1u) + weight_of(code, 2u) + weight_of(code, 3u);
    if (three) {
        w += weight_of(code, 4u) + weight_of(code, 5u);
    }
    let diagonal = shift + f32(w);
    let known = (code & UNKNOWN) == 0u || diagonal <= 0.0;
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
