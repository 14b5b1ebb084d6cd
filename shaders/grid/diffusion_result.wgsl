import package::grid::lattice::{Lattice, distinct};
import package::grid::codes::{UNKNOWN};

// Puts the solution back among the faces: (stencil, x) → u.

@group(0) @binding(0) var<uniform> at: Lattice;
@group(0) @binding(1) var<storage, read> stencil: array<u32>;
@group(0) @binding(2) var<storage, read> x: array<f32>;
@group(0) @binding(3) var<storage, read_write> u: array<f32>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= at.size.x || id.y >= at.size.y) {
        return;
    }
    let n = vec2<u32>(distinct(at, 0u), distinct(at, 1u));
    let own = id.xy % n;
    let k = own.y * n.x + own.x;
    if ((stencil[k] & UNKNOWN) != 0u) {
        u[id.y * at.size.x + id.x] = x[k];
    }
}
