import package::grid::codes::UNKNOWN;
import package::poisson::pcg::common::{ConjugateU, ROWS, Scalars, applied};
import package::poisson::pcg::tile::tile_sum;
import package::poisson::stencil::{around, inverse_diagonal};

// x += α p, r −= α A p, and Σ r · z over each tile, z being r or r / D: (stencil, p, scalars) → x, r, partials.

@group(0) @binding(0) var<uniform> cg: ConjugateU;
@group(0) @binding(1) var<storage, read> stencil: array<u32>;
@group(0) @binding(2) var<storage, read> direction: array<f32>;
@group(0) @binding(3) var<storage, read> scalars: array<Scalars>;
@group(0) @binding(4) var<storage, read_write> x: array<f32>;
@group(0) @binding(5) var<storage, read_write> r: array<f32>;
@group(0) @binding(6) var<storage, read_write> partials: array<f32>;

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(workgroup_id) tile: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let alpha = scalars[0].alpha;
    let three = cg.cells.z > 1u;
    var sum = 0.0;
    for (var n = 0u; n < ROWS; n++) {
        let id = vec3<u32>(tile.x * 64u + lane, tile.y * ROWS + n, tile.z);
        if (all(id < cg.cells.xyz)) {
            let c = (id.z * cg.cells.y + id.y) * cg.cells.x + id.x;
            let code = stencil[c];
            var left = r[c];
            // Where nothing moves, there may be no direction yet.
            if (alpha != 0.0) {
                let at = around(id, cg.cells.xyz);
                let here = direction[c];
                var near = array<f32, 6>(direction[at[0]], direction[at[1]], direction[at[2]], direction[at[3]], 0.0, 0.0);
                if (three) {
                    near[4] = direction[at[4]];
                    near[5] = direction[at[5]];
                }
                left -= alpha * applied(code, here, near, three, cg.shift);
                r[c] = left;
                x[c] = select(0.0, x[c] + alpha * here, (code & UNKNOWN) != 0u);
            }
            var term = left * left;
            if (cg.cells.w == 1u) {
                term *= inverse_diagonal(code, three, cg.shift);
            }
            sum += term;
        }
    }
    let all_of_it = tile_sum(lane, sum);
    if (lane == 0u) {
        partials[(tile.z * cg.tiles.y + tile.y) * cg.tiles.x + tile.x] = all_of_it;
    }
}
