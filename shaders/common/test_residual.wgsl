// out = b − A·x, A the five-point Laplacian on n² cells, zero around them: b, x → out. For the tests of loops.
struct Square { n: u32 }
@group(0) @binding(0) var<uniform> p: Square;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read> x: array<f32>;
@group(0) @binding(3) var<storage, read_write> out: array<f32>;

fn at(i: u32, j: u32) -> f32 {
    if i < p.n && j < p.n {
        return x[j * p.n + i];
    }
    return 0.0;
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= p.n || id.y >= p.n { return; }
    let c = id.y * p.n + id.x;
    out[c] = b[c] - (4.0 * x[c] - ((at(id.x - 1u, id.y) + at(id.x + 1u, id.y)) + (at(id.x, id.y - 1u) + at(id.x, id.y + 1u))));
}
