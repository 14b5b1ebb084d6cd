import package::grid::lattice::{Factor, Lattice};
import package::grid::codes::{UNKNOWN};

// f · ((u_right − u_left) + (v_top − v_bottom)) in cells that are unknowns, else 0: (stencil, u, v) → out.

@group(0) @binding(0) var<uniform> at: Lattice;
@group(0) @binding(1) var<uniform> factor: Factor;
@group(0) @binding(2) var<storage, read> stencil: array<u32>;
@group(0) @binding(3) var<storage, read> u: array<f32>;
@group(0) @binding(4) var<storage, read> v: array<f32>;
@group(0) @binding(5) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = at.size.xy;
    if (id.x >= n.x || id.y >= n.y) {
        return;
    }
    let k = id.y * n.x + id.x;
    let l = id.y * (n.x + 1u) + id.x;
    let sum = (u[l + 1u] - u[l]) + (v[k + n.x] - v[k]);
    out[k] = select(0.0, factor.value * sum, (stencil[k] & UNKNOWN) != 0u);
}
