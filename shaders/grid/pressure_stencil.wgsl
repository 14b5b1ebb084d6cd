import package::grid::lattice::{FACE, Lattice, neighbour, periodic};
import package::grid::codes::{CLOSED, FACE_CODE, LINK, UNKNOWN};

// Codes of the Poisson system: solid → stencil. A cell that hangs on nothing has no pressure.

@group(0) @binding(0) var<uniform> at: Lattice;
@group(0) @binding(1) var<storage, read> solid: array<u32>;
@group(0) @binding(2) var<storage, read_write> stencil: array<u32>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= at.size.x || id.y >= at.size.y) {
        return;
    }
    let k = id.y * at.size.x + id.x;
    if (solid[k] != 0u) {
        stencil[k] = 0u;
        return;
    }
    var codes = 0u;
    for (var face = 0u; face < 4u; face++) {
        let axis = face / 2u;
        let side = face % 2u;
        let next = neighbour(id[axis], at.size[axis], side, periodic(at, axis));
        var code = CLOSED;
        if (next < at.size[axis]) {
            var p = id.xy;
            p[axis] = next;
            code = select(CLOSED, LINK, solid[p.y * at.size.x + p.x] == 0u);
        } else {
            let kind = select(at.high_kind[axis], at.low_kind[axis], side == 0u);
            code = select(CLOSED, FACE_CODE, kind == FACE);
        }
        codes |= code << (2u * face);
    }
    stencil[k] = select(0u, codes | UNKNOWN, codes != 0u);
}
