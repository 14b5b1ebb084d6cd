import package::common::item::item;
import package::grid::lattice::{Factor};

// Share of each cell that obstacles take, from the distance at its centre: sdf → 0..1. per_cell = 1/h.

@group(0) @binding(0) var<uniform> per_cell: Factor;
@group(0) @binding(1) var<storage, read> sdf: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(256, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let k = item(id, groups, 256u);
    if (k >= arrayLength(&out)) {
        return;
    }
    out[k] = clamp(0.5 - sdf[k] * per_cell.value, 0.0, 1.0);
}
