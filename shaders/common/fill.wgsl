// x = value.
import package::common::item::item;

struct FillValue { len: u32, value: f32 }
@group(0) @binding(0) var<uniform> p: FillValue;
@group(0) @binding(1) var<storage, read_write> x: array<f32>;

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let i = item(id, groups, 64u);
    if i >= p.len { return; }
    x[i] = p.value;
}
