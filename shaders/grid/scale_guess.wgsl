import package::grid::lattice::{Factor, Lattice};

// p *= last step / this step, where this one is longer: (last step) → p. See src/grid/pressure.rs.

@group(0) @binding(0) var<uniform> at: Lattice;
@group(0) @binding(1) var<uniform> dt: Factor;
@group(0) @binding(2) var<storage, read> step: array<f32>;
@group(0) @binding(3) var<storage, read_write> pressure: array<f32>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= at.size.x || id.y >= at.size.y) {
        return;
    }
    if (step[0] > 0.0 && step[0] < dt.value) {
        pressure[id.y * at.size.x + id.x] *= step[0] / dt.value;
    }
}
