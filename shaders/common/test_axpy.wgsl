// y = y + a·x: x, y → y.
import package::common::item::item;

struct AxpyFactor { len: u32, a: f32 }
@group(0) @binding(0) var<uniform> p: AxpyFactor;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = item(id, groups, 64u);
    if i >= p.len { return; }
    y[i] = y[i] + p.a * x[i];
}
