import package::grid::lattice::{Lattice, lerp};

// Mean of the two faces of each cell: (u, v) → two numbers a cell.

@group(0) @binding(0) var<uniform> at: Lattice;
@group(0) @binding(1) var<storage, read> u: array<f32>;
@group(0) @binding(2) var<storage, read> v: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<vec2<f32>>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = at.size.xy;
    if (id.x >= n.x || id.y >= n.y) {
        return;
    }
    let k = id.y * n.x + id.x;
    let l = id.y * (n.x + 1u) + id.x;
    out[k] = vec2<f32>(lerp(u[l], u[l + 1u], 0.5), lerp(v[k], v[k + n.x], 0.5));
}
