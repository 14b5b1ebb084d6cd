import package::grid::lattice::{Factor, Lattice, ghost};

// ω = ∂v/∂x − ∂u/∂y at centres: (u, v) → 1/s. half = 1/(2h).

@group(0) @binding(0) var<uniform> u_at: Lattice;
@group(0) @binding(1) var<uniform> v_at: Lattice;
@group(0) @binding(2) var<uniform> half: Factor;
@group(0) @binding(3) var<storage, read> u: array<f32>;
@group(0) @binding(4) var<storage, read> v: array<f32>;
@group(0) @binding(5) var<storage, read_write> out: array<f32>;

fn u_value(i: i32, j: i32) -> f32 {
    let x = ghost(u_at, i, 0u);
    let y = ghost(u_at, j, 1u);
    return y.sign * (x.sign * u[y.index * u_at.size.x + x.index] + x.add) + y.add;
}

fn v_value(i: i32, j: i32) -> f32 {
    let x = ghost(v_at, i, 0u);
    let y = ghost(v_at, j, 1u);
    return y.sign * (x.sign * v[y.index * v_at.size.x + x.index] + x.add) + y.add;
}

fn u_sum(i: i32, j: i32) -> f32 {
    return u_value(i, j) + u_value(i + 1, j);
}

fn v_sum(i: i32, j: i32) -> f32 {
    return v_value(i, j) + v_value(i, j + 1);
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= u_at.cells.x || id.y >= u_at.cells.y) {
        return;
    }
    let i = i32(id.x);
    let j = i32(id.y);
    let dv = v_sum(i + 1, j) - v_sum(i - 1, j);
    let du = u_sum(i, j + 1) - u_sum(i, j - 1);
    out[id.y * u_at.cells.x + id.x] = 0.5 * half.value * (dv - du);
}
