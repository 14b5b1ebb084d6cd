import package::shallow_water::water::{WaterU, joined};

// Distance to the shore in m, less than zero on land: near → out. Saito and Toriwaki 1994, step 2.

@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<storage, read> near: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

// Square of the cells to the other side along a row, none where the row is there itself.
fn reach(c: u32, side: f32) -> f32 {
    let cells = max(side * near[c], 0.0);
    return cells * cells;
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= at.cells) { return; }
    let nx = at.cells.x;
    let ny = at.cells.y;
    let around = joined(at, 1u);
    let most = select(ny - 1u, ny / 2u, around);
    let own = near[id.y * nx + id.x];
    let side = select(-1.0, 1.0, own > 0.0);
    var best = min(own * own, f32(nx * nx + ny * ny));
    for (var k = 1u; k <= most; k++) {
        let square = f32(k * k);
        if square >= best { break; }
        if id.y >= k || around {
            best = min(best, reach((id.y + ny - k) % ny * nx + id.x, side) + square);
        }
        if id.y + k < ny || around {
            best = min(best, reach((id.y + k) % ny * nx + id.x, side) + square);
        }
    }
    out[id.y * nx + id.x] = side * (sqrt(best) - 0.5) * at.h;
}
