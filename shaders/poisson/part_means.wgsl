import package::common::item::item;
import package::poisson::count::CountU;

// Mean of each singular part: (parts, sums of its chunks) → means.

@group(0) @binding(0) var<uniform> size: CountU;
@group(0) @binding(1) var<storage, read> parts: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> sums: array<f32>;
@group(0) @binding(3) var<storage, read_write> means: array<f32>;

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = item(id, groups, 64u);
    if (i >= size.count) {
        return;
    }
    let part = parts[i];
    var sum = 0.0;
    for (var c = part.x; c < part.y; c++) {
        sum += sums[c];
    }
    means[i] = sum / f32(max(part.z, 1u));
}
