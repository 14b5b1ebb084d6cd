import package::grid::lattice::{Factor, Lattice};
import package::grid::codes::{UNKNOWN};

// Partial result p of cells p, p + 1024, …: (stencil, u, v, scalars) → largest |u|², Σ|u|², largest |∇·u|, Σ(∇·u)²; Σ of
// red, green, blue and temperature; number of fluid cells; Σ u, Σ v. per_cell = 1/h.

@group(0) @binding(0) var<uniform> at: Lattice;
@group(0) @binding(1) var<uniform> per_cell: Factor;
@group(0) @binding(2) var<storage, read> stencil: array<u32>;
@group(0) @binding(3) var<storage, read> u: array<f32>;
@group(0) @binding(4) var<storage, read> v: array<f32>;
@group(0) @binding(5) var<storage, read> scalars: array<vec4<f32>>;
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
    let nx = at.size.x;
    let n = nx * at.size.y;
    var flow = vec4<f32>(0.0);
    var carried = vec4<f32>(0.0);
    var count = 0.0;
    var momentum = vec2<f32>(0.0);
    for (var k = id.x; k < n; k += PARTIALS) {
        if ((stencil[k] & UNKNOWN) == 0u) {
            continue;
        }
        let l = (k / nx) * (nx + 1u) + k % nx;
        let left = u[l];
        let right = u[l + 1u];
        let low = v[k];
        let high = v[k + nx];
        let x = 0.5 * (left + right);
        let y = 0.5 * (low + high);
        let speed2 = x * x + y * y;
        let divergence = per_cell.value * ((right - left) + (high - low));
        flow.x = worst(flow.x, speed2);
        flow.y += speed2;
        flow.z = worst(flow.z, abs(divergence));
        flow.w += divergence * divergence;
        carried += scalars[k];
        count += 1.0;
        momentum += vec2<f32>(x, y);
    }
    partials[3u * id.x] = flow;
    partials[3u * id.x + 1u] = carried;
    partials[3u * id.x + 2u] = vec4<f32>(count, momentum, 0.0);
}
