import package::view::look::{DIRECTION, Look, MAP, cubic, field_planes, taps};

// Step 4 of the picture, along y, and the colours; as src/view/compose.rs. Row 0 of the picture is at the top.
// (stretched, table) → picture
@group(0) @binding(0) var<uniform> look: Look;
@group(0) @binding(1) var<storage, read> stretched: array<f32>;
@group(0) @binding(2) var<storage, read> colors: array<vec4<f32>>;
@group(0) @binding(3) var picture: texture_storage_2d<rgba8unorm, write>;

fn mapped(t: f32) -> vec3<f32> {
    let last = arrayLength(&colors) - 1u;
    let x = clamp(t, 0.0, 1.0) * f32(last);
    let i = min(u32(x), last - 1u);
    return mix(colors[i].rgb, colors[i + 1u].rgb, x - f32(i));
}

fn turned(v: vec2<f32>) -> vec3<f32> {
    let long = length(v);
    let bright = sqrt(clamp(long * look.inv_range, 0.0, 1.0));
    let d = v / max(long, 1e-20);
    let third = vec3<f32>(d.x, -0.5 * d.x + 0.8660254 * d.y, -0.5 * d.x - 0.8660254 * d.y);
    return bright * (0.5 + 0.5 * third);
}

fn dither(x: u32, y: u32) -> f32 {
    let sum = x * 3242174889u + y * 2447445414u;
    return (f32(sum >> 9u) + 0.5) * (1.0 / 8388608.0);
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = look.size;
    if id.x >= size.x || id.y >= size.y { return; }
    let rows = look.cells.y;
    let t = taps(size.y - 1u - id.y, rows, size.y);
    let fields = field_planes(look);
    var v = array<f32, 7>();
    for (var k = 0u; k < fields + 4u * look.solid; k++) {
        var sum = 0.0;
        var weight = 0.0;
        for (var i = 0; i < t.count; i++) {
            let w = cubic((f32(t.first + i) - t.x) / t.width);
            let row = u32(clamp(t.first + i, 0, i32(rows) - 1));
            sum += w * stretched[(k * rows + row) * size.x + id.x];
            weight += w;
        }
        v[k] = sum / weight;
    }
    var rgb = vec3<f32>(v[0], v[1], v[2]);
    if look.mode == MAP { rgb = mapped((v[0] - look.low) * look.inv_range); }
    if look.mode == DIRECTION { rgb = turned(vec2<f32>(v[0], v[1])); }
    if look.solid == 1u {
        let edge = clamp(0.6 * f32(look.cells.x) / f32(size.x), 0.06, 0.5);
        let cover = smoothstep(0.0, 1.0, (v[fields] - 0.5) / edge * 0.5 + 0.5);
        rgb += cover * (vec3<f32>(v[fields + 1u], v[fields + 2u], v[fields + 3u]) - rgb);
    }
    let steps = floor(clamp(rgb, vec3<f32>(0.0), vec3<f32>(1.0)) * 255.0 + dither(id.x, id.y));
    textureStore(picture, id.xy, vec4<f32>(min(steps, vec3<f32>(255.0)) / 255.0, 1.0));
}
