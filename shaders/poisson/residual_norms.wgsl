// Σ r² and max |r| of the cells p, p + 1024, p + 2048, … for each p: residual → squares, largest.
// Strided, without barriers: neighbouring invocations read neighbouring cells.

struct CountU {
    /// Items; the rest is nothing.
    count: vec4<u32>,
}

@group(0) @binding(0) var<uniform> size: CountU;
@group(0) @binding(1) var<storage, read> residual: array<f32>;
@group(0) @binding(2) var<storage, read_write> squares: array<f32>;
@group(0) @binding(3) var<storage, read_write> largest: array<f32>;

const PARTIALS: u32 = 1024u;

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= PARTIALS) {
        return;
    }
    var square = 0.0;
    var most = 0.0;
    for (var i = id.x; i < size.count.x; i += PARTIALS) {
        let r = residual[i];
        square += r * r;
        // A residual that is not a number wins, and stays.
        if (abs(r) > most || r != r) {
            most = abs(r);
        }
    }
    squares[id.x] = square;
    largest[id.x] = most;
}
