import package::lattice_boltzmann::d2q9::{LatticeU, PAIRS, Q, REST, equilibrium, moments, pair_direction, weight};

// Populations for a step of another length: f → f. Density and velocity are kept in SI units, and of what is not in
// equilibrium the part that carries stress.

struct RescaleU {
    /// Factor of velocities: new step over old.
    speed: f32,
    /// Factor of what is not in equilibrium.
    stress: f32,
}

@group(0) @binding(0) var<uniform> lattice: LatticeU;
@group(0) @binding(1) var<uniform> by: RescaleU;
@group(0) @binding(2) var<storage, read_write> f: array<f32>;

@compute @workgroup_size(32, 4, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= lattice.cells.x || id.y >= lattice.cells.y) {
        return;
    }
    let n = lattice.cells.x * lattice.cells.y;
    let k = id.y * lattice.cells.x + id.x;
    var own = array<f32, 9>();
    for (var q = 0u; q < Q; q++) {
        own[q] = f[q * n + k];
    }
    let m = moments(own);
    let u = m.j * (1.0 / (1.0 + m.rho));
    let before = equilibrium(m.rho, u);
    // xx, yy, xy.
    var pi = vec3<f32>(0.0);
    for (var p = 0u; p < PAIRS; p++) {
        let a = 2u * p + 1u;
        let b = 2u * p + 2u;
        let c = vec2<f32>(pair_direction(p));
        pi += vec3<f32>(c.x * c.x, c.y * c.y, c.x * c.y) * ((own[a] + own[b]) - (before[a] + before[b]));
    }
    let after = equilibrium(m.rho * (by.speed * by.speed), u * by.speed);
    let trace = pi.x + pi.y;
    let third = trace * (1.0 / 3.0);
    f[k] = after[0] + (-1.5 * REST * trace) * by.stress;
    for (var p = 0u; p < PAIRS; p++) {
        let c = vec2<f32>(pair_direction(p));
        let squared = c.x * c.x * pi.x + c.y * c.y * pi.y + 2.0 * (c.x * c.y) * pi.z;
        let rest = (4.5 * weight(p) * (squared - third)) * by.stress;
        f[(2u * p + 1u) * n + k] = after[2u * p + 1u] + rest;
        f[(2u * p + 2u) * n + k] = after[2u * p + 2u] + rest;
    }
}
