import package::shallow_water::water::WaterU;

// Partial result p of cells p, p + 1024, … and of as many drops: (depth, ground, u, v, added, drops) → Σh, Σ h|u|²/2,
// Σ h (z + h/2), Σ added, largest |u|², largest |u| + √gh, wet cells, Σ hu, Σ hv, drops in the air, their depth, largest depth.
@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<storage, read> depth: array<f32>;
@group(0) @binding(2) var<storage, read> ground: array<f32>;
@group(0) @binding(3) var<storage, read> u: array<f32>;
@group(0) @binding(4) var<storage, read> v: array<f32>;
@group(0) @binding(5) var<storage, read> added: array<f32>;
@group(0) @binding(6) var<storage, read> drops: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> partials: array<vec4f>;

const PARTIALS: u32 = 1024u;

// The larger one; what is not a number stays.
fn worst(a: f32, b: f32) -> f32 {
    return select(b, a, b <= a || a != a);
}

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= PARTIALS { return; }
    let nx = at.cells.x;
    let n = nx * at.cells.y;
    var first = vec4f(0.0);
    var second = vec4f(0.0);
    var third = vec4f(0.0);
    let count = arrayLength(&drops) / 2u;
    for (var c = id.x; c < n; c += PARTIALS) {
        let k = c + c / nx;
        let x = 0.5 * (u[k] + u[k + 1u]);
        let y = 0.5 * (v[c] + v[c + nx]);
        let h = depth[c];
        let speed2 = x * x + y * y;
        first += vec4f(h, 0.5 * h * speed2, h * (ground[c] + 0.5 * h), added[c]);
        second.x = worst(second.x, speed2);
        second.y = worst(second.y, sqrt(speed2) + sqrt(at.gravity * h));
        second.z += select(0.0, 1.0, h > at.dry);
        second.w += h * x;
        third.x += h * y;
        third.w = worst(third.w, h);
        if c < count {
            let drop = drops[2u * c].w;
            third.y += select(0.0, 1.0, drop != 0.0);
            third.z += drop;
        }
    }
    partials[3u * id.x] = first;
    partials[3u * id.x + 1u] = second;
    partials[3u * id.x + 2u] = third;
}
