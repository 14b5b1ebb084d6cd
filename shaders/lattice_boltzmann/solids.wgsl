import package::lattice_boltzmann::d2q9::{LatticeU, Q, equilibrium};

// Solid cells are in equilibrium at the velocity of the solid, for when it leaves: (solid, solid velocity) → f.

@group(0) @binding(0) var<uniform> lattice: LatticeU;
@group(0) @binding(1) var<storage, read> solid: array<u32>;
@group(0) @binding(2) var<storage, read> solid_velocity: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read_write> f: array<f32>;

@compute @workgroup_size(32, 4, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= lattice.cells.x || id.y >= lattice.cells.y) {
        return;
    }
    let n = lattice.cells.x * lattice.cells.y;
    let k = id.y * lattice.cells.x + id.x;
    if (solid[k] == 0u) {
        return;
    }
    let balanced = equilibrium(0.0, solid_velocity[k].xy * lattice.relax.w);
    for (var q = 0u; q < Q; q++) {
        f[q * n + k] = balanced[q];
    }
}
