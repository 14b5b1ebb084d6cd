import package::grid::lattice::{Factor, Lattice, distinct, neighbour, periodic};
import package::grid::codes::{UNKNOWN, code_of, weight_of};

// u' = u + (ν dt/h²) · Σ w (u_neighbour − u): (stencil, u) → out. factor = ν dt/h².

@group(0) @binding(0) var<uniform> at: Lattice;
@group(0) @binding(1) var<uniform> factor: Factor;
@group(0) @binding(2) var<storage, read> stencil: array<u32>;
@group(0) @binding(3) var<storage, read> u: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= at.size.x || id.y >= at.size.y) {
        return;
    }
    let n = vec2<u32>(distinct(at, 0u), distinct(at, 1u));
    // The far end of a periodic axis repeats the near one.
    let own = id.xy % n;
    let codes = stencil[own.y * n.x + own.x];
    let here = u[own.y * at.size.x + own.x];
    let k = id.y * at.size.x + id.x;
    if ((codes & UNKNOWN) == 0u) {
        out[k] = here;
        return;
    }
    var sum = 0.0;
    for (var face = 0u; face < 4u; face++) {
        let along = face / 2u;
        let side = face % 2u;
        let next = neighbour(own[along], n[along], side, periodic(at, along));
        var near = select(at.high[along], at.low[along], side == 0u);
        if (next < n[along]) {
            var p = own;
            p[along] = next;
            near = u[p.y * at.size.x + p.x];
        }
        sum += f32(weight_of(code_of(codes, face))) * (near - here);
    }
    out[k] = here + factor.value * sum;
}
