import package::shallow_water::water::WaterU;

// Height of the surface in m, or speed in m/s: (depth, ground, u, v) → out.
struct WantedU { what: u32 }

@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<uniform> wanted: WantedU;
@group(0) @binding(2) var<storage, read> depth: array<f32>;
@group(0) @binding(3) var<storage, read> ground: array<f32>;
@group(0) @binding(4) var<storage, read> u: array<f32>;
@group(0) @binding(5) var<storage, read> v: array<f32>;
@group(0) @binding(6) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= at.cells) { return; }
    let c = id.y * at.cells.x + id.x;
    let k = c + id.y;
    let x = 0.5 * (u[k] + u[k + 1u]);
    let y = 0.5 * (v[c] + v[c + at.cells.x]);
    out[c] = select(sqrt(x * x + y * y), depth[c] + ground[c], wanted.what == 0u);
}
