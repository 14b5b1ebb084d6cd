import package::grid::lattice::{Factor, Lattice, neighbour, periodic};
import package::grid::codes::{FACE_CODE, LINK, UNKNOWN, code_of};

// f · (b − A p): (stencil, b, p) → out.

@group(0) @binding(0) var<uniform> at: Lattice;
@group(0) @binding(1) var<uniform> factor: Factor;
@group(0) @binding(2) var<storage, read> stencil: array<u32>;
@group(0) @binding(3) var<storage, read> rhs: array<f32>;
@group(0) @binding(4) var<storage, read> pressure: array<f32>;
@group(0) @binding(5) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= at.size.x || id.y >= at.size.y) {
        return;
    }
    let k = id.y * at.size.x + id.x;
    let codes = stencil[k];
    let here = pressure[k];
    var sum = rhs[k];
    for (var face = 0u; face < 4u; face++) {
        let axis = face / 2u;
        let next = neighbour(id[axis], at.size[axis], face % 2u, periodic(at, axis));
        var near = 0.0;
        if (next < at.size[axis]) {
            var p = id.xy;
            p[axis] = next;
            near = pressure[p.y * at.size.x + p.x];
        }
        let code = code_of(codes, face);
        if (code == LINK) {
            sum += near - here;
        } else if (code == FACE_CODE) {
            sum += -2.0 * here;
        }
    }
    out[k] = select(0.0, factor.value * sum, (codes & UNKNOWN) != 0u);
}
