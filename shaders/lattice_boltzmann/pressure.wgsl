import package::common::item::item;
import package::lattice_boltzmann::d2q9::{ScaleU};

// p = (rho − 1)/3 · (m/s of a cell a step)²: rho → out.

@group(0) @binding(0) var<uniform> scale: ScaleU;
@group(0) @binding(1) var<storage, read> rho: array<f32>;
@group(0) @binding(2) var<storage, read_write> out: array<f32>;

@compute @workgroup_size(256, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let k = item(id, groups, 256u);
    if k >= arrayLength(&out) { return; }
    out[k] = rho[k] * (scale.speed * scale.speed * (1.0 / 3.0));
}
