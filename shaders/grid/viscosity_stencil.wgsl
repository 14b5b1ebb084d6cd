import package::grid::lattice::{FACE, FIXED, Lattice, cells_beside, distinct, neighbour, periodic};
import package::grid::codes::{CLOSED, FACE_CODE, LINK, NODE_CODE, UNKNOWN};

// Codes of a component's system on its distinct samples: (solid, solid velocity) → stencil.

@group(0) @binding(0) var<uniform> at: Lattice;
@group(0) @binding(1) var<storage, read> solid: array<u32>;
@group(0) @binding(2) var<storage, read> solid_velocity: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> stencil: array<u32>;

/// The code towards a sample: LINK where it is unknown itself, NODE on a wall or the surface of a solid, else inside a solid.
fn towards(p: vec2<u32>) -> u32 {
    let axis = at.size.w;
    let low = at.low_kind[axis] == FIXED && p[axis] == 0u;
    let high = at.high_kind[axis] == FIXED && p[axis] + 1u == at.size[axis];
    if (low || high) {
        return NODE_CODE;
    }
    let cells = cells_beside(at, p);
    let a = solid[cells.x] != 0u;
    let b = solid[cells.y] != 0u;
    if (!a && !b) {
        return LINK;
    }
    if (a && b) {
        let slides = solid_velocity[cells.x].w != 0.0 || solid_velocity[cells.y].w != 0.0;
        return select(FACE_CODE, CLOSED, slides);
    }
    return NODE_CODE;
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = vec2<u32>(distinct(at, 0u), distinct(at, 1u));
    if (id.x >= n.x || id.y >= n.y) {
        return;
    }
    let k = id.y * n.x + id.x;
    if (towards(id.xy) != LINK) {
        stencil[k] = 0u;
        return;
    }
    var codes = UNKNOWN;
    for (var face = 0u; face < 4u; face++) {
        let along = face / 2u;
        let side = face % 2u;
        let next = neighbour(id[along], n[along], side, periodic(at, along));
        var code = CLOSED;
        if (next < n[along]) {
            var p = id.xy;
            p[along] = next;
            code = towards(p);
        } else {
            let kind = select(at.high_kind[along], at.low_kind[along], side == 0u);
            code = select(CLOSED, FACE_CODE, kind == FACE);
        }
        codes |= code << (2u * face);
    }
    stencil[k] = codes;
}
