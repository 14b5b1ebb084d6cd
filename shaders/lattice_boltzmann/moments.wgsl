import package::lattice_boltzmann::d2q9::{LatticeU, Q, ScaleU, moments};

// Density above one, and velocity in m/s, that of solids in them: (f, force, solid, solid velocity) → (rho, u, v).
// Populations after a collision have the whole of the step's push, of which the velocity has half.

@group(0) @binding(0) var<uniform> lattice: LatticeU;
@group(0) @binding(1) var<uniform> scale: ScaleU;
@group(0) @binding(2) var<storage, read> f: array<f32>;
@group(0) @binding(3) var<storage, read> force: array<f32>;
@group(0) @binding(4) var<storage, read> solid: array<u32>;
@group(0) @binding(5) var<storage, read> solid_velocity: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> rho: array<f32>;
@group(0) @binding(7) var<storage, read_write> u: array<f32>;
@group(0) @binding(8) var<storage, read_write> v: array<f32>;

@compute @workgroup_size(32, 4, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= lattice.cells.x || id.y >= lattice.cells.y) {
        return;
    }
    let n = lattice.cells.x * lattice.cells.y;
    let k = id.y * lattice.cells.x + id.x;
    if (solid[k] != 0u) {
        rho[k] = 0.0;
        u[k] = solid_velocity[k].x;
        v[k] = solid_velocity[k].y;
        return;
    }
    var own = array<f32, 9>();
    for (var q = 0u; q < Q; q++) {
        own[q] = f[q * n + k];
    }
    let m = moments(own);
    let inverse = 1.0 / (1.0 + m.rho);
    rho[k] = m.rho;
    u[k] = scale.speed * (m.j.x * inverse - 0.5 * force[k]);
    v[k] = scale.speed * (m.j.y * inverse - 0.5 * force[n + k]);
}
