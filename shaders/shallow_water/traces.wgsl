import package::shallow_water::water::{WaterU, after, before};

// Foam is born where water breaks and stays on water; ground is wet under water and dries:
// (depth, ground, u, v) → (scalars, wet). Foam is the fourth of the scalars.
// w = h·max(−∇·u, 0) + max(−u·∇η, 0).

struct TraceU {
    foam: f32,
    calm: f32,
    film: f32,
    stays: f32,
    dt: f32,
    carries: f32,
    unused1: f32,
    unused2: f32,
}

@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<uniform> trace: TraceU;
@group(0) @binding(2) var<storage, read> depth: array<f32>;
@group(0) @binding(3) var<storage, read> ground: array<f32>;
@group(0) @binding(4) var<storage, read> u: array<f32>;
@group(0) @binding(5) var<storage, read> v: array<f32>;
@group(0) @binding(6) var<storage, read_write> scalars: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> wet: array<f32>;

fn surface(i: u32, j: u32, own: f32) -> f32 {
    let c = j * at.cells.x + i;
    return select(own, depth[c] + ground[c], depth[c] > at.dry);
}

fn breaks(i: u32, j: u32) -> f32 {
    let nx = at.cells.x;
    let ny = at.cells.y;
    let c = j * nx + i;
    let k = c + j;
    let own = depth[c] + ground[c];
    let opens = ((u[k + 1u] - u[k]) + (v[c + nx] - v[c])) / at.h;
    let x = 0.5 * (u[k] + u[k + 1u]);
    let y = 0.5 * (v[c] + v[c + nx]);
    let sx = (surface(after(at, i, nx, 0u), j, own) - surface(before(at, i, nx, 0u), j, own)) * (0.5 / at.h);
    let sy = (surface(i, after(at, j, ny, 1u), own) - surface(i, before(at, j, ny, 1u), own)) * (0.5 / at.h);
    return depth[c] * max(-opens, 0.0) + max(-(x * sx + y * sy), 0.0);
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= at.cells) { return; }
    let c = id.y * at.cells.x + id.x;
    let h = depth[c];
    wet[c] = max(min(h / trace.film, 1.0), wet[c] * trace.stays);
    if trace.carries == 0.0 { return; }
    let born = trace.foam * max(breaks(id.x, id.y) - trace.calm, 0.0) * trace.dt;
    let foam = min(scalars[c].w + born, 1.0);
    scalars[c] = vec4f(scalars[c].xyz, select(0.0, foam, h > at.dry));
}
