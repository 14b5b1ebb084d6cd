// out[i] = Σ x² over x[i], x[i + 1024], … in this order: x → out.
struct Reduce { len: u32 }
@group(0) @binding(0) var<uniform> p: Reduce;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

const PARTIALS = 1024u;

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= PARTIALS { return; }
    var sum = 0.0;
    for (var k = id.x; k < p.len; k += PARTIALS) {
        sum += x[k] * x[k];
    }
    out[id.x] = sum;
}
