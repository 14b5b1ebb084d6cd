import package::shallow_water::water::{WaterU, joined};
import package::shallow_water::edge::BorderU;

// Before absorbing faces, what differs from water at rest dies away: (ground) → (depth, u, v, added).
// σ = s √(g h₀) / w · (1 − d/w)², d from the face and w the width.
@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<uniform> edge: BorderU;
@group(0) @binding(2) var<storage, read> ground: array<f32>;
@group(0) @binding(3) var<storage, read_write> depth: array<f32>;
@group(0) @binding(4) var<storage, read_write> u: array<f32>;
@group(0) @binding(5) var<storage, read_write> v: array<f32>;
@group(0) @binding(6) var<storage, read_write> added: array<f32>;

fn one(distance: f32, width: f32) -> f32 {
    let share = max(1.0 - distance / max(width, 1e-3), 0.0);
    return select(0.0, share * share / width, width > 0.0);
}

fn share(rate: f32, x: f32, y: f32) -> f32 {
    let nx = f32(at.cells.x);
    let ny = f32(at.cells.y);
    let e = edge.calm;
    let strongest = max(max(one(x, e.x), one(nx - x, e.y)), max(one(y, e.z), one(ny - y, e.w)));
    return 1.0 / (1.0 + rate * strongest);
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= at.cells) { return; }
    let c = id.y * at.cells.x + id.x;
    let k = c + id.y;
    let x = f32(id.x);
    let y = f32(id.y);
    let rest = max(at.rest - ground[c], 0.0);
    let rate = edge.strength * sqrt(at.gravity * rest) * (at.dt / at.h);
    let own = share(rate, x + 0.5, y + 0.5);
    // Elsewhere the sum would not be what it was, to the last digit.
    if own < 1.0 {
        let value = rest + (depth[c] - rest) * own;
        added[c] += value - depth[c];
        depth[c] = value;
    }
    u[k] *= share(rate, x, y + 0.5);
    v[c] *= share(rate, x + 0.5, y);
    if id.x == 0u && joined(at, 0u) { u[k + at.cells.x] = u[k]; }
    if id.y == 0u && joined(at, 1u) { v[c + at.cells.x * at.cells.y] = v[c]; }
}
