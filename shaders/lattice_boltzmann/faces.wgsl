import package::grid::lattice::{FIXED, Lattice, cells_beside, periodic};

// A component of the velocity on faces, from that in cells: (solid, cells) → faces. Faces of solids have theirs.

@group(0) @binding(0) var<uniform> at: Lattice;
@group(0) @binding(1) var<storage, read> solid: array<u32>;
@group(0) @binding(2) var<storage, read> cells: array<f32>;
@group(0) @binding(3) var<storage, read_write> faces: array<f32>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= at.size.x || id.y >= at.size.y) {
        return;
    }
    let axis = at.size.w;
    let k = id.y * at.size.x + id.x;
    let here = id[axis];
    if (!periodic(at, axis)) {
        if (here == 0u && at.low_kind[axis] == FIXED) {
            faces[k] = at.low[axis];
            return;
        }
        if (here == at.cells[axis] && at.high_kind[axis] == FIXED) {
            faces[k] = at.high[axis];
            return;
        }
    }
    let pair = cells_beside(at, id.xy);
    let a = cells[pair.x];
    let b = cells[pair.y];
    let first = solid[pair.x] != 0u;
    let second = solid[pair.y] != 0u;
    if (first != second) {
        faces[k] = select(b, a, first);
        return;
    }
    faces[k] = a + (b - a) * 0.5;
}
