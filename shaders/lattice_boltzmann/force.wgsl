import package::lattice_boltzmann::d2q9::{LatticeU, ScaleU};

// Acceleration in cells a step², from what was pushed to where, and what accelerates besides:
// (pushed u and v, u, v, acceleration, solid) → force, all along x, then all along y.

@group(0) @binding(0) var<uniform> lattice: LatticeU;
@group(0) @binding(1) var<uniform> scale: ScaleU;
@group(0) @binding(2) var<storage, read> pushed_u: array<f32>;
@group(0) @binding(3) var<storage, read> pushed_v: array<f32>;
@group(0) @binding(4) var<storage, read> u: array<f32>;
@group(0) @binding(5) var<storage, read> v: array<f32>;
@group(0) @binding(6) var<storage, read> acceleration: array<vec2<f32>>;
@group(0) @binding(7) var<storage, read> solid: array<u32>;
@group(0) @binding(8) var<storage, read_write> force: array<f32>;

@compute @workgroup_size(32, 4, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= lattice.cells.x || id.y >= lattice.cells.y) {
        return;
    }
    let n = lattice.cells.x * lattice.cells.y;
    let k = id.y * lattice.cells.x + id.x;
    let push = vec2<f32>(pushed_u[k] - u[k], pushed_v[k] - v[k]) * scale.per_step;
    let all = (push + acceleration[k]) * scale.force;
    let fluid = solid[k] == 0u;
    force[k] = select(0.0, all.x, fluid);
    force[n + k] = select(0.0, all.y, fluid);
}
