import package::common::item::item;
import package::poisson::count::CountU;

// values −= mean of the part that the cell is in: (part of each cell, means) → values.

@group(0) @binding(0) var<uniform> size: CountU;
@group(0) @binding(1) var<storage, read> part: array<u32>;
@group(0) @binding(2) var<storage, read> means: array<f32>;
@group(0) @binding(3) var<storage, read_write> values: array<f32>;

@compute @workgroup_size(256, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = item(id, groups, 256u);
    if (i >= size.count) {
        return;
    }
    values[i] = values[i] - means[part[i]];
}
