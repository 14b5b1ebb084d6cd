import package::view::look::{Look, cubic, field_planes, taps};

// Step 4 of the picture, along x: each row of each plane gets as many numbers as the picture has columns.
// toned → stretched
@group(0) @binding(0) var<uniform> look: Look;
@group(0) @binding(1) var<storage, read> toned: array<f32>;
@group(0) @binding(2) var<storage, read_write> stretched: array<f32>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = look.cells;
    let width = look.size.x;
    if id.x >= width || id.y >= n.y { return; }
    let t = taps(id.x, n.x, width);
    for (var k = 0u; k < field_planes(look) + 4u * look.solid; k++) {
        let row = (k * n.y + id.y) * n.x;
        var sum = 0.0;
        var weight = 0.0;
        for (var i = 0; i < t.count; i++) {
            let w = cubic((f32(t.first + i) - t.x) / t.width);
            sum += w * toned[row + u32(clamp(t.first + i, 0, i32(n.x) - 1))];
            weight += w;
        }
        stretched[(k * n.y + id.y) * width + id.x] = sum / weight;
    }
}
