import package::common::item::item;

// Both components beside each other: (u, v) → out.

@group(0) @binding(0) var<storage, read> u: array<f32>;
@group(0) @binding(1) var<storage, read> v: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<vec2<f32>>;

@compute @workgroup_size(256, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = item(id, groups, 256u);
    if k >= arrayLength(&out) { return; }
    out[k] = vec2<f32>(u[k], v[k]);
}
