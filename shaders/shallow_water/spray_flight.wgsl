import package::shallow_water::water::WaterU;
import package::shallow_water::drops::{SprayU, cell_under, speed_quantum};

// Drops fly and land: (depth, ground) → (drops, landed). One item a drop; sums of whole numbers, in any order.
@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<uniform> spray: SprayU;
@group(0) @binding(2) var<storage, read> depth: array<f32>;
@group(0) @binding(3) var<storage, read> ground: array<f32>;
@group(0) @binding(4) var<storage, read_write> drops: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> landed: array<atomic<u32>>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= spray.strips || id.y >= at.cells.y { return; }
    let slot = id.y * spray.strips + id.x;
    var p = drops[2u * slot];
    if p.w == 0.0 { return; }
    var q = drops[2u * slot + 1u];
    let speed = speed_quantum(at);
    p.x += q.x * speed * spray.dt;
    p.y += q.y * speed * spray.dt;
    p.z += q.z * spray.dt;
    q.z -= at.gravity * spray.dt;
    q.w += spray.dt;
    let c = cell_under(at, p);
    if q.z < 0.0 && p.z <= depth[c] + ground[c] {
        let count = i32(p.w);
        atomicAdd(&landed[3u * c], u32(count));
        atomicAdd(&landed[3u * c + 1u], bitcast<u32>(count * i32(q.x)));
        atomicAdd(&landed[3u * c + 2u], bitcast<u32>(count * i32(q.y)));
        p.w = 0.0;
    }
    drops[2u * slot] = p;
    drops[2u * slot + 1u] = q;
}
