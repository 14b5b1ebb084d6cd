import package::grid::codes::UNKNOWN;
import package::poisson::stencil::{SweepU, around, behind, weight};

// r = b − A x, from differences, which keeps digits where x is large: (stencil, b, x) → residual.

@group(0) @binding(0) var<uniform> sweep: SweepU;
@group(0) @binding(1) var<storage, read> stencil: array<u32>;
@group(0) @binding(2) var<storage, read> rhs: array<f32>;
@group(0) @binding(3) var<storage, read> x: array<f32>;
@group(0) @binding(4) var<storage, read_write> residual: array<f32>;

fn flow(code: u32, f: u32, near: f32, here: f32) -> f32 {
    return f32(weight(code, f)) * (behind(code, f, near) - here);
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (any(id >= sweep.cells.xyz)) {
        return;
    }
    let i = (id.z * sweep.cells.y + id.y) * sweep.cells.x + id.x;
    let code = stencil[i];
    let at = around(id, sweep.cells.xyz);
    let here = x[i];
    var all = ((flow(code, 0u, x[at[0]], here) + flow(code, 1u, x[at[1]], here)) + flow(code, 2u, x[at[2]], here)) + flow(code, 3u, x[at[3]], here);
    if (sweep.cells.z > 1u) {
        all = (all + flow(code, 4u, x[at[4]], here)) + flow(code, 5u, x[at[5]], here);
    }
    residual[i] = select(0.0, (rhs[i] + all) - sweep.shift * here, (code & UNKNOWN) != 0u);
}
