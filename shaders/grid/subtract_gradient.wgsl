import package::grid::lattice::{Factor, Lattice};
import package::grid::codes::{FACE_CODE, LINK, code_of};

// u −= dt/h · (difference of p), where the Poisson system has a link or a known pressure: (stencil, p) → u.

@group(0) @binding(0) var<uniform> at: Lattice;
@group(0) @binding(1) var<uniform> factor: Factor;
@group(0) @binding(2) var<storage, read> stencil: array<u32>;
@group(0) @binding(3) var<storage, read> pressure: array<f32>;
@group(0) @binding(4) var<storage, read_write> u: array<f32>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= at.size.x || id.y >= at.size.y) {
        return;
    }
    let axis = at.size.w;
    let n = at.cells[axis];
    let i = id[axis];
    // The cell on the high side and its low face; at the high end the last cell and its high face.
    var here = id.xy;
    here[axis] = min(i, n - 1u);
    let side = select(0u, 1u, i == n);
    var low = id.xy;
    low[axis] = select(i - 1u, n - 1u, i == 0u || i == n);
    var high = id.xy;
    high[axis] = select(i, 0u, i == n);
    let code = code_of(stencil[here.y * at.cells.x + here.x], 2u * axis + side);
    let p_low = pressure[low.y * at.cells.x + low.x];
    let p_high = pressure[high.y * at.cells.x + high.x];
    var difference = 0.0;
    if (code == LINK) {
        difference = p_high - p_low;
    } else if (code == FACE_CODE) {
        difference = select(2.0 * p_high, -2.0 * p_low, side == 1u);
    }
    u[id.y * at.size.x + id.x] -= factor.value * difference;
}
