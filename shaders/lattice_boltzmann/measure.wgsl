import package::lattice_boltzmann::d2q9::{LatticeU};

// Partial result p of fluid cells p, p + 1024, …: (rho, u, v, scalars, solid) → largest |u|², Σ|u|², Σ(ρ−1), number of
// cells; Σ of red, green, blue and temperature; Σ u, Σ v, largest |ρ−1|.

@group(0) @binding(0) var<uniform> lattice: LatticeU;
@group(0) @binding(1) var<storage, read> rho: array<f32>;
@group(0) @binding(2) var<storage, read> u: array<f32>;
@group(0) @binding(3) var<storage, read> v: array<f32>;
@group(0) @binding(4) var<storage, read> scalars: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> solid: array<u32>;
@group(0) @binding(6) var<storage, read_write> partials: array<vec4<f32>>;

const PARTIALS: u32 = 1024u;

/// The larger one; what is not a number stays.
fn worst(a: f32, b: f32) -> f32 {
    return select(b, a, b <= a || a != a);
}

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= PARTIALS) {
        return;
    }
    let n = lattice.cells.x * lattice.cells.y;
    var flow = vec4<f32>(0.0);
    var carried = vec4<f32>(0.0);
    var rest = vec4<f32>(0.0);
    for (var k = id.x; k < n; k += PARTIALS) {
        if (solid[k] != 0u) {
            continue;
        }
        let speed2 = u[k] * u[k] + v[k] * v[k];
        flow.x = worst(flow.x, speed2);
        flow.y += speed2;
        flow.z += rho[k];
        flow.w += 1.0;
        carried += scalars[k];
        rest.x += u[k];
        rest.y += v[k];
        rest.z = worst(rest.z, abs(rho[k]));
    }
    partials[3u * id.x] = flow;
    partials[3u * id.x + 1u] = carried;
    partials[3u * id.x + 2u] = rest;
}
