import package::poisson::pcg::common::{ConjugateU, ROWS, Scalars, applied};
import package::poisson::pcg::tile::tile_sum;
import package::poisson::stencil::{around, inverse_diagonal};

// p' = z + β p, and Σ p' · A p' over each tile: (stencil, z, p, scalars) → p', partials. z is r / D where asked for.
// Neighbours' new values are made again instead of waiting for them.

@group(0) @binding(0) var<uniform> cg: ConjugateU;
@group(0) @binding(1) var<storage, read> stencil: array<u32>;
@group(0) @binding(2) var<storage, read> z: array<f32>;
@group(0) @binding(3) var<storage, read> old: array<f32>;
@group(0) @binding(4) var<storage, read> scalars: array<Scalars>;
@group(0) @binding(5) var<storage, read_write> direction: array<f32>;
@group(0) @binding(6) var<storage, read_write> partials: array<f32>;

fn value(c: u32, beta: f32) -> f32 {
    var v = z[c];
    if (cg.cells.w == 1u) {
        v *= inverse_diagonal(stencil[c], cg.cells.z > 1u, cg.shift);
    }
    // Before the first there is no old direction.
    if (beta == 0.0) {
        return v;
    }
    return v + beta * old[c];
}

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(workgroup_id) tile: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let beta = scalars[0].beta;
    var sum = 0.0;
    for (var n = 0u; n < ROWS; n++) {
        let id = vec3<u32>(tile.x * 64u + lane, tile.y * ROWS + n, tile.z);
        if (all(id < cg.cells.xyz)) {
            let c = (id.z * cg.cells.y + id.y) * cg.cells.x + id.x;
            let at = around(id, cg.cells.xyz);
            let here = value(c, beta);
            direction[c] = here;
            var near = array<f32, 6>(value(at[0], beta), value(at[1], beta), value(at[2], beta), value(at[3], beta), 0.0, 0.0);
            if (cg.cells.z > 1u) {
                near[4] = value(at[4], beta);
                near[5] = value(at[5], beta);
            }
            sum += here * applied(stencil[c], here, near, cg.cells.z > 1u, cg.shift);
        }
    }
    let all_of_it = tile_sum(lane, sum);
    if (lane == 0u) {
        partials[(tile.z * cg.tiles.y + tile.y) * cg.tiles.x + tile.x] = all_of_it;
    }
}
