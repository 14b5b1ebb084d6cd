// out[i] = max |x| over x[i], x[i + 1024], …: x → out. Magnitudes are compared by their bits, so that a NaN stays.
struct Reduce { len: u32 }
@group(0) @binding(0) var<uniform> p: Reduce;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

const PARTIALS = 1024u;

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= PARTIALS { return; }
    var m = 0u;
    for (var k = id.x; k < p.len; k += PARTIALS) {
        m = max(m, bitcast<u32>(x[k]) & 0x7fffffffu);
    }
    out[id.x] = bitcast<f32>(m);
}
