import package::shallow_water::water::{WaterU, after, before};
import package::shallow_water::drops::{MOST, STRIP, SprayU, depth_quantum, random, speed_quantum};

// Drops are thrown up where their strip breaks most, which is a landing with the other sign:
// (depth, ground, u, v) → (drops, landed). One item a strip; only the strip's own cells are written.
@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<uniform> spray: SprayU;
@group(0) @binding(2) var<storage, read> depth: array<f32>;
@group(0) @binding(3) var<storage, read> ground: array<f32>;
@group(0) @binding(4) var<storage, read> u: array<f32>;
@group(0) @binding(5) var<storage, read> v: array<f32>;
@group(0) @binding(6) var<storage, read_write> drops: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> landed: array<u32>;

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
    let nx = at.cells.x;
    if id.x >= spray.strips || id.y >= at.cells.y { return; }
    let j = id.y;
    let slot = j * spray.strips + id.x;
    if drops[2u * slot].w != 0.0 { return; }
    let first = id.x * STRIP;
    var best = first;
    var most = 0.0;
    for (var i = first; i < min(first + STRIP, nx); i++) {
        let w = breaks(i, j);
        if w > most {
            best = i;
            most = w;
        }
    }
    let c = j * nx + best;
    let h = depth[c];
    let count = min(floor(spray.share * h / depth_quantum(at)), MOST);
    if most <= spray.begins || count < 1.0 || h <= 4.0 * at.dry { return; }
    let k = c + j;
    let x = round(0.5 * (u[k] + u[k + 1u]) / speed_quantum(at));
    let y = round(0.5 * (v[c] + v[c + nx]) / speed_quantum(at));
    let across = (f32(best) + random(spray.seed, slot, spray.step)) * at.h;
    let up = (f32(j) + random(spray.seed + 1u, slot, spray.step)) * at.h;
    drops[2u * slot] = vec4f(across, up, h + ground[c], count);
    drops[2u * slot + 1u] = vec4f(x, y, spray.lift * most * (0.5 + random(spray.seed + 2u, slot, spray.step)), 0.0);
    landed[3u * c] -= u32(i32(count));
    landed[3u * c + 1u] -= bitcast<u32>(i32(count) * i32(x));
    landed[3u * c + 2u] -= bitcast<u32>(i32(count) * i32(y));
}
