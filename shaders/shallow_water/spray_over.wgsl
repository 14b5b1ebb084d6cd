import package::shallow_water::water::WaterU;
import package::shallow_water::drops::{SprayU, cell_under};

// Quanta of depth of the drops over each cell: (drops) → landed. A drop is shared by the four cells whose middles are about it,
// so that it moves evenly.
@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<uniform> spray: SprayU;
@group(0) @binding(2) var<storage, read> drops: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> landed: array<atomic<u32>>;

// The cell whose middle lies before a place, and how far it is from there to the next one.
fn split(place: f32) -> vec2f {
    let x = place / at.h - 0.5;
    return vec2f(floor(x), x - floor(x));
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= spray.strips || id.y >= at.cells.y { return; }
    let p = drops[2u * (id.y * spray.strips + id.x)];
    if p.w == 0.0 { return; }
    let x = split(p.x);
    let y = split(p.y);
    let right = floor(p.w * x.y);
    for (var side = 0u; side < 2u; side++) {
        let column = select(p.w - right, right, side == 1u);
        let above = floor(column * y.y);
        for (var level = 0u; level < 2u; level++) {
            let place = vec4f((x.x + f32(side) + 0.5) * at.h, (y.x + f32(level) + 0.5) * at.h, p.z, p.w);
            let count = select(column - above, above, level == 1u);
            atomicAdd(&landed[3u * cell_under(at, place)], u32(count));
        }
    }
}
