// Copies, as a kernel, so that it can stand in a loop that stops by itself: source → copied.

struct CountU {
    /// Items.
    count: u32,
}

@group(0) @binding(0) var<uniform> size: CountU;
@group(0) @binding(1) var<storage, read> source: array<f32>;
@group(0) @binding(2) var<storage, read_write> copied: array<f32>;

@compute @workgroup_size(256, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = id.x + id.y * (groups.x * 256u);
    if (i < size.count) {
        copied[i] = source[i];
    }
}
