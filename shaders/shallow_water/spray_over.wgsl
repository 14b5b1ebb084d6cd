import package::shallow_water::water::WaterU;
import package::shallow_water::drops::{SprayU, cell_under};

// Quanta of depth of the drops over each cell: (drops) → landed.
@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<uniform> spray: SprayU;
@group(0) @binding(2) var<storage, read> drops: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> landed: array<atomic<u32>>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= spray.strips || id.y >= at.cells.y { return; }
    let p = drops[2u * (id.y * spray.strips + id.x)];
    if p.w != 0.0 { atomicAdd(&landed[3u * cell_under(at, p)], u32(p.w)); }
}
