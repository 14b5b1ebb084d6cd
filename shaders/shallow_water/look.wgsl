import package::shallow_water::water::{WaterU, after, before};

// What is seen from above: (depth, ground, scalars, wet, spray) → red, green, blue. See src/solvers/shallow_water/look.rs.

struct LookU {
    ground: vec4f,
    deep: vec4f,
    sky: vec4f,
    sun: vec4f,
    share: vec4f,
}

@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<uniform> look: LookU;
@group(0) @binding(2) var<storage, read> depth: array<f32>;
@group(0) @binding(3) var<storage, read> ground: array<f32>;
@group(0) @binding(4) var<storage, read> scalars: array<vec4f>;
@group(0) @binding(5) var<storage, read> wet: array<f32>;
@group(0) @binding(6) var<storage, read> spray: array<f32>;
@group(0) @binding(7) var<storage, read_write> out: array<f32>;

// Height of the surface in a cell as another sees it: its own where the cell is dry.
fn surface(c: u32, own: f32) -> f32 {
    return select(own, depth[c] + ground[c], depth[c] > at.dry);
}

// One over the length of (x, y, 1).
fn unit(x: f32, y: f32) -> f32 {
    return 1.0 / sqrt(x * x + y * y + 1.0);
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let nx = at.cells.x;
    let ny = at.cells.y;
    if id.x >= nx || id.y >= ny { return; }
    let c = id.y * nx + id.x;
    let l = id.y * nx + before(at, id.x, nx, 0u);
    let r = id.y * nx + after(at, id.x, nx, 0u);
    let b = before(at, id.y, ny, 1u) * nx + id.x;
    let t = after(at, id.y, ny, 1u) * nx + id.x;
    let d = depth[c];
    let own = d + ground[c];
    let steep = look.ground.w;
    let half_edge = 0.5 / at.h;
    let x = -((surface(r, own) - surface(l, own)) * half_edge) * steep;
    let y = -((surface(t, own) - surface(b, own)) * half_edge) * steep;
    let gx = -((ground[r] - ground[l]) * half_edge) * steep;
    let gy = -((ground[t] - ground[b]) * half_edge) * steep;
    let bend = ((own - 0.5 * (surface(l, own) + surface(r, own))) + (own - 0.5 * (surface(b, own) + surface(t, own)))) / at.h;
    let sun = look.sun;
    let z = unit(x, y);
    let ground_light = max((gx * sun.x + gy * sun.y + sun.z) * unit(gx, gy), 0.0);
    let covered = min(d * look.share.w, 1.0);
    let gather = 1.0 + covered * min(max(look.share.y * bend * d * (1.0 / at.h), -0.5), 1.5);
    let lit = (0.25 + 0.75 * ground_light) * (1.0 - 0.45 * wet[c]) * gather;
    var clear = 1.0 / (1.0 + d * look.deep.w);
    clear = clear * clear;
    let p = 1.0 - z;
    let fresnel = look.sky.w + (1.0 - look.sky.w) * (p * p * (p * p) * p);
    let mx = 2.0 * z * z * x;
    let my = 2.0 * z * z * y;
    let mz = 2.0 * z * z - 1.0;
    var near = max(mx * sun.x + my * sun.y + mz * sun.z, 0.0);
    near = near * near;
    near = near * near;
    near = near * near;
    near = near * near;
    let glint = near * near * sun.w;
    let water_light = 0.55 + 0.45 * max((x * sun.x + y * sun.y + sun.z) * z, 0.0);
    let cell = scalars[c];
    let foam = min(look.share.x * cell.w, 1.0) * covered;
    let drops = min(spray[c] * 6.0 / at.h, 1.0);
    let white = foam + drops * (1.0 - foam);
    let below = look.ground.xyz * lit * clear + look.deep.xyz * water_light * (1.0 - clear);
    let shown = below + (look.sky.xyz - below) * fresnel + glint + look.share.z * cell.xyz;
    let dry = look.ground.xyz * lit;
    let seen = dry + (shown - dry) * covered;
    let all = seen + (0.9 * water_light - seen) * white;
    out[3u * c] = all.x;
    out[3u * c + 1u] = all.y;
    out[3u * c + 2u] = all.z;
}
