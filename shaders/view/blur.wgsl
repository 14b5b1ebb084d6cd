import package::view::look::{Look, finite};

// Obstacles of the picture: coverage, then coverage blurred by a binomial filter of nine taps each way.
// obstacle → solid (two planes)
@group(0) @binding(0) var<uniform> look: Look;
@group(0) @binding(1) var<storage, read> obstacle: array<f32>;
@group(0) @binding(2) var<storage, read_write> solid: array<f32>;

fn coverage(x: i32, y: i32) -> f32 {
    let at = clamp(vec2<i32>(x, y), vec2<i32>(0), vec2<i32>(look.cells) - 1);
    return clamp(finite(obstacle[look.first_cell + u32(at.y) * look.cells.x + u32(at.x)]), 0.0, 1.0);
}

fn tap(distance: i32) -> f32 {
    var weights = array<f32, 5>(70.0, 56.0, 28.0, 8.0, 1.0);
    return weights[abs(distance)] / 256.0;
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = look.cells;
    if id.x >= n.x || id.y >= n.y { return; }
    let at = vec2<i32>(id.xy);
    var sum = 0.0;
    for (var y = -4; y <= 4; y++) {
        var line = 0.0;
        for (var x = -4; x <= 4; x++) { line += tap(x) * coverage(at.x + x, at.y + y); }
        sum += tap(y) * line;
    }
    let cell = id.y * n.x + id.x;
    solid[cell] = coverage(at.x, at.y);
    solid[n.x * n.y + cell] = sum;
}
