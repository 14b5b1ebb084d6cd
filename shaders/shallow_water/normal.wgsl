import package::shallow_water::water::{WaterU, after, before};
import package::shallow_water::maps::MapsU;

// The normal of the surface: n = (−s ∂η/∂x, −s ∂η/∂y, 1) / |…| with η = z + h: (depth, ground, sdf) → three numbers a cell.

@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<uniform> maps: MapsU;
@group(0) @binding(2) var<storage, read> depth: array<f32>;
@group(0) @binding(3) var<storage, read> ground: array<f32>;
@group(0) @binding(4) var<storage, read> sdf: array<f32>;
@group(0) @binding(5) var<storage, read_write> out: array<f32>;

// Slope between two neighbours, times s; of the one there is at an end of the domain and beside an obstacle.
fn slope(c: u32, before: u32, after: u32) -> f32 {
    let low = select(c, before, sdf[before] > 0.0);
    let high = select(c, after, sdf[after] > 0.0);
    let per = select(0.5 * maps.steep, maps.steep, low == c || high == c);
    return ((depth[high] + ground[high]) - (depth[low] + ground[low])) * (per / at.h);
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= at.cells) { return; }
    let nx = at.cells.x;
    let ny = at.cells.y;
    let c = id.y * nx + id.x;
    var x = 0.0;
    var y = 0.0;
    if sdf[c] > 0.0 {
        x = -slope(c, id.y * nx + before(at, id.x, nx, 0u), id.y * nx + after(at, id.x, nx, 0u));
        y = -slope(c, before(at, id.y, ny, 1u) * nx + id.x, after(at, id.y, ny, 1u) * nx + id.x);
    }
    let z = 1.0 / sqrt(x * x + y * y + 1.0);
    out[3u * c] = x * z;
    out[3u * c + 1u] = y * z;
    out[3u * c + 2u] = z;
}
