import package::shallow_water::water::WaterU;
import package::shallow_water::drops::depth_quantum;

// Depth of what landed, which is forgotten then: → (landed, depth).
@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<storage, read_write> landed: array<u32>;
@group(0) @binding(2) var<storage, read_write> depth: array<f32>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if any(id.xy >= at.cells) { return; }
    let c = id.y * at.cells.x + id.x;
    let count = bitcast<i32>(landed[3u * c]);
    if count != 0 { depth[c] += f32(count) * depth_quantum(at); }
    landed[3u * c] = 0u;
    landed[3u * c + 1u] = 0u;
    landed[3u * c + 2u] = 0u;
}
