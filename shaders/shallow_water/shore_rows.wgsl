import package::shallow_water::water::{WaterU, after, before, joined};
import package::shallow_water::maps::MapsU;

// Cells along the row to the nearest one on the other side of the shore, less than zero on land: (depth, sdf) → near.
// One item a row; Saito and Toriwaki 1994, step 1.

@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<uniform> maps: MapsU;
@group(0) @binding(2) var<storage, read> depth: array<f32>;
@group(0) @binding(3) var<storage, read> sdf: array<f32>;
@group(0) @binding(4) var<storage, read_write> near: array<f32>;

const FAR = 1e9;

fn wet(c: u32) -> bool {
    return depth[c] > maps.shore_depth && sdf[c] > 0.0;
}

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= at.cells.y { return; }
    let nx = at.cells.x;
    let first = id.x * nx;
    // Joined rows are gone round twice: what lies before the first cell is known then.
    let all = nx * select(1u, 2u, joined(at, 0u));
    var cells = FAR;
    for (var k = 0u; k < all; k++) {
        let i = k % nx;
        cells = select(cells + 1.0, 1.0, wet(first + before(at, i, nx, 0u)) != wet(first + i));
        near[first + i] = cells;
    }
    cells = FAR;
    for (var k = all; k > 0u; k--) {
        let i = (k - 1u) % nx;
        cells = select(cells + 1.0, 1.0, wet(first + after(at, i, nx, 0u)) != wet(first + i));
        if k <= nx {
            let least = min(near[first + i], cells);
            near[first + i] = select(-least, least, wet(first + i));
        }
    }
}
