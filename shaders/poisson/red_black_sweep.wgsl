import package::grid::codes::UNKNOWN;
import package::poisson::stencil::{SweepU, around, behind, inverse_diagonal};

// x' = (1−ω) x + ω D⁻¹ (b + links of x) in the cells of one colour, x elsewhere: (stencil, b, x) → relaxed.
// From one array to another: in place, cells of one colour that meet across a periodic face would race.

@group(0) @binding(0) var<uniform> sweep: SweepU;
@group(0) @binding(1) var<storage, read> stencil: array<u32>;
@group(0) @binding(2) var<storage, read> rhs: array<f32>;
@group(0) @binding(3) var<storage, read> x: array<f32>;
@group(0) @binding(4) var<storage, read_write> relaxed: array<f32>;

/// Faces that lie at the ends of axes of odd length: there, cells of one colour meet.
fn seam(at: vec3<u32>, cells: vec3<u32>) -> u32 {
    let odd = ((cells & vec3<u32>(1u)) == vec3<u32>(1u)) & (cells > vec3<u32>(1u));
    let low = select(vec3<u32>(0u), vec3<u32>(1u), odd & (at == vec3<u32>(0u)));
    let high = select(vec3<u32>(0u), vec3<u32>(4u), odd & (at + 1u == cells));
    let ends = low | high;
    return ends.x | (ends.y << 4u) | (ends.z << 8u);
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (any(id >= sweep.cells.xyz)) {
        return;
    }
    let i = (id.z * sweep.cells.y + id.y) * sweep.cells.x + id.x;
    let code = stencil[i];
    let at = around(id, sweep.cells.xyz);
    if (((id.x + id.y + id.z + sweep.cells.w) & 1u) == 1u) {
        relaxed[i] = x[i];
        return;
    }
    var sum = ((behind(code, 0u, x[at[0]]) + behind(code, 1u, x[at[1]])) + behind(code, 2u, x[at[2]])) + behind(code, 3u, x[at[3]]);
    if (sweep.cells.z > 1u) {
        sum = (sum + behind(code, 4u, x[at[4]])) + behind(code, 5u, x[at[5]]);
    }
    let inverse = inverse_diagonal(code, sweep.cells.z > 1u, sweep.shift);
    let to = select((sum + rhs[i]) * inverse, 0.0, inverse == 0.0);
    // Cells that are relaxed together must not move further than to the relaxed value. A link is 1, of two bits.
    let meets = (code & ~(code >> 1u) & seam(id, sweep.cells.xyz)) != 0u;
    let weight = select(sweep.weight, 1.0, meets);
    let moved = select((1.0 - weight) * x[i] + weight * to, to, weight == 1.0);
    relaxed[i] = select(0.0, moved, (code & UNKNOWN) != 0u);
}
