import package::poisson::pcg::common::{ConjugateU, ROWS, applied};
import package::poisson::pcg::tile::tile_sum;
import package::poisson::stencil::around;

// Σ r · z over each tile, then Σ z · A p: (stencil, p, z, r) → partials.

@group(0) @binding(0) var<uniform> cg: ConjugateU;
@group(0) @binding(1) var<storage, read> stencil: array<u32>;
@group(0) @binding(2) var<storage, read> direction: array<f32>;
@group(0) @binding(3) var<storage, read> z: array<f32>;
@group(0) @binding(4) var<storage, read> r: array<f32>;
@group(0) @binding(5) var<storage, read_write> partials: array<f32>;

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(workgroup_id) tile: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let three = cg.cells.z > 1u;
    var with_r = 0.0;
    var with_ap = 0.0;
    for (var n = 0u; n < ROWS; n++) {
        let id = vec3<u32>(tile.x * 64u + lane, tile.y * ROWS + n, tile.z);
        if (all(id < cg.cells.xyz)) {
            let c = (id.z * cg.cells.y + id.y) * cg.cells.x + id.x;
            let value = z[c];
            with_r += r[c] * value;
            // In the first iteration there is no direction yet.
            if (cg.begin == 0u) {
                let at = around(id, cg.cells.xyz);
                var near = array<f32, 6>(direction[at[0]], direction[at[1]], direction[at[2]], direction[at[3]], 0.0, 0.0);
                if (three) {
                    near[4] = direction[at[4]];
                    near[5] = direction[at[5]];
                }
                with_ap += value * applied(stencil[c], direction[c], near, three, cg.shift);
            }
        }
    }
    let at = (tile.z * cg.tiles.y + tile.y) * cg.tiles.x + tile.x;
    let first = tile_sum(lane, with_r);
    let second = tile_sum(lane, with_ap);
    if (lane == 0u) {
        partials[at] = first;
        partials[cg.tiles.w + at] = second;
    }
}
