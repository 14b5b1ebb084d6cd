import package::grid::codes::UNKNOWN;
import package::poisson::stencil::{SweepU, around, behind, inverse_diagonal};

// x' = (1−ω) x + ω D⁻¹ (b + links of x): (stencil, b, x) → relaxed.

@group(0) @binding(0) var<uniform> sweep: SweepU;
@group(0) @binding(1) var<storage, read> stencil: array<u32>;
@group(0) @binding(2) var<storage, read> rhs: array<f32>;
@group(0) @binding(3) var<storage, read> x: array<f32>;
@group(0) @binding(4) var<storage, read_write> relaxed: array<f32>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (any(id >= sweep.cells.xyz)) {
        return;
    }
    let i = (id.z * sweep.cells.y + id.y) * sweep.cells.x + id.x;
    let code = stencil[i];
    let at = around(id, sweep.cells.xyz);
    var sum = ((behind(code, 0u, x[at[0]]) + behind(code, 1u, x[at[1]])) + behind(code, 2u, x[at[2]])) + behind(code, 3u, x[at[3]]);
    if (sweep.cells.z > 1u) {
        sum = (sum + behind(code, 4u, x[at[4]])) + behind(code, 5u, x[at[5]]);
    }
    let inverse = inverse_diagonal(code, sweep.cells.z > 1u, sweep.shift);
    let to = select((sum + rhs[i]) * inverse, 0.0, inverse == 0.0);
    let moved = select((1.0 - sweep.weight) * x[i] + sweep.weight * to, to, sweep.weight == 1.0);
    relaxed[i] = select(0.0, moved, (code & UNKNOWN) != 0u);
}
