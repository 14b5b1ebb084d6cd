import package::view::look::{Level, Look};

// Bloom, downwards: half as many cells each way, blurred by (1 3 3 1)/8. The first level takes dye outside obstacles, held
// below a limit. fine → coarse
@group(0) @binding(0) var<uniform> look: Look;
@group(0) @binding(1) var<uniform> level: Level;
@group(0) @binding(2) var<storage, read> fine: array<f32>;
@group(0) @binding(3) var<storage, read> solid: array<f32>;
@group(0) @binding(4) var<storage, read_write> coarse: array<f32>;

const LIMIT: f32 = 4.0;

fn source(x: i32, y: i32) -> vec3<f32> {
    let at = clamp(vec2<i32>(x, y), vec2<i32>(0), vec2<i32>(level.fine) - 1);
    let cell = u32(at.y) * level.fine.x + u32(at.x);
    let plane = level.fine.x * level.fine.y;
    let rgb = vec3<f32>(fine[cell], fine[plane + cell], fine[2u * plane + cell]);
    if level.first == 0u { return rgb; }
    var open = 1.0;
    if look.solid == 1u { open = 1.0 - solid[cell]; }
    return rgb * (LIMIT / (LIMIT + max(max(rgb.r, rgb.g), rgb.b)) * open);
}

fn line(x: i32, y: i32) -> vec3<f32> {
    return (source(x, y - 1) + 3.0 * (source(x, y) + source(x, y + 1)) + source(x, y + 2)) * 0.125;
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = level.coarse;
    if id.x >= n.x || id.y >= n.y { return; }
    let x = 2 * i32(id.x);
    let y = 2 * i32(id.y);
    let top = i32(level.fine.x) - 1;
    let rgb = (line(max(x - 1, 0), y) + 3.0 * (line(x, y) + line(min(x + 1, top), y)) + line(min(x + 2, top), y)) * 0.125;
    let cell = id.y * n.x + id.x;
    for (var k = 0u; k < 3u; k++) { coarse[k * n.x * n.y + cell] = rgb[k]; }
}
