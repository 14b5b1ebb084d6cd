import package::grid::lattice::{Factor, Lattice, distinct, neighbour, periodic};
import package::grid::codes::{LINK, UNKNOWN, code_of, weight_of};

// First guess u and right-hand side shift·u + known values: (stencil, u) → (x, b). factor = shift = h²/(ν dt).

@group(0) @binding(0) var<uniform> at: Lattice;
@group(0) @binding(1) var<uniform> factor: Factor;
@group(0) @binding(2) var<storage, read> stencil: array<u32>;
@group(0) @binding(3) var<storage, read> u: array<f32>;
@group(0) @binding(4) var<storage, read_write> x: array<f32>;
@group(0) @binding(5) var<storage, read_write> rhs: array<f32>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = vec2<u32>(distinct(at, 0u), distinct(at, 1u));
    if (id.x >= n.x || id.y >= n.y) {
        return;
    }
    let k = id.y * n.x + id.x;
    let codes = stencil[k];
    if ((codes & UNKNOWN) == 0u) {
        x[k] = 0.0;
        rhs[k] = 0.0;
        return;
    }
    let here = u[id.y * at.size.x + id.x];
    var sum = 0.0;
    for (var face = 0u; face < 4u; face++) {
        let code = code_of(codes, face);
        if (code != LINK) {
            let along = face / 2u;
            let side = face % 2u;
            let next = neighbour(id[along], n[along], side, periodic(at, along));
            var near = select(at.high[along], at.low[along], side == 0u);
            if (next < n[along]) {
                var p = id.xy;
                p[along] = next;
                near = u[p.y * at.size.x + p.x];
            }
            sum += f32(weight_of(code)) * near;
        }
    }
    x[k] = here;
    rhs[k] = factor.value * here + sum;
}
