// a = b + s·c: (b, c) → a.

struct TriadU {
    /// Numbers in each array.
    count: u32,
    /// The factor s.
    factor: f32,
}

@group(0) @binding(0) var<uniform> u: TriadU;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read> c: array<f32>;
@group(0) @binding(3) var<storage, read_write> a: array<f32>;

@compute @workgroup_size(256, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.x + id.y * (groups.x * 256u);
    if (i < u.count) {
        a[i] = b[i] + u.factor * c[i];
    }
}
