import package::view::glow::near;
import package::view::look::Level;

// Bloom, upwards: adds a level, interpolated linearly, to the next finer one.
// (fine, coarse) → fine
@group(0) @binding(0) var<uniform> level: Level;
@group(0) @binding(1) var<storage, read_write> fine: array<f32>;
@group(0) @binding(2) var<storage, read> coarse: array<f32>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = level.fine;
    let m = level.coarse;
    if id.x >= n.x || id.y >= n.y { return; }
    let x = near(id.x, m.x);
    let y = near(id.y, m.y);
    for (var k = 0u; k < 3u; k++) {
        let plane = k * m.x * m.y;
        let first = 0.75 * coarse[plane + y.x * m.x + x.x] + 0.25 * coarse[plane + y.x * m.x + x.y];
        let second = 0.75 * coarse[plane + y.y * m.x + x.x] + 0.25 * coarse[plane + y.y * m.x + x.y];
        fine[k * n.x * n.y + id.y * n.x + id.x] += 0.75 * first + 0.25 * second;
    }
}
