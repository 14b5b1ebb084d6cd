import package::grid::lattice::{FIXED, Factor, Lattice, cells_beside, lerp, periodic};

// u += dt · mean of the acceleration of the cells on both sides: a → u.

@group(0) @binding(0) var<uniform> at: Lattice;
@group(0) @binding(1) var<uniform> dt: Factor;
@group(0) @binding(2) var<storage, read> acceleration: array<vec2<f32>>;
@group(0) @binding(3) var<storage, read_write> u: array<f32>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= at.size.x || id.y >= at.size.y) {
        return;
    }
    let axis = at.size.w;
    let i = id[axis];
    if (!periodic(at, axis)) {
        if (i == 0u && at.low_kind[axis] == FIXED) {
            return;
        }
        if (i == at.cells[axis] && at.high_kind[axis] == FIXED) {
            return;
        }
    }
    let cells = cells_beside(at, id.xy);
    u[id.y * at.size.x + id.x] += dt.value * lerp(acceleration[cells.x][axis], acceleration[cells.y][axis], 0.5);
}
