import package::shallow_water::water::{WaterU, after, before, joined, upwind};

// h ← h − dt ∇·q with upwind fluxes, which are kept: (depth, u, v) → (next, qx, qy). What leaves a cell shrinks to what it
// has.
@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<storage, read> depth: array<f32>;
@group(0) @binding(2) var<storage, read> u: array<f32>;
@group(0) @binding(3) var<storage, read> v: array<f32>;
@group(0) @binding(4) var<storage, read_write> next: array<f32>;
@group(0) @binding(5) var<storage, read_write> qx: array<f32>;
@group(0) @binding(6) var<storage, read_write> qy: array<f32>;

// Depth of a cell times the share of what wants to leave it that may.
fn may_leave(i: u32, j: u32) -> f32 {
    let nx = at.cells.x;
    let k = j * (nx + 1u) + i;
    let c = j * nx + i;
    let leaves = (max(u[k + 1u], 0.0) + max(-u[k], 0.0)) + (max(v[c + nx], 0.0) + max(-v[c], 0.0));
    return depth[c] * (1.0 / max((at.dt / at.h) * leaves, 1.0));
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let nx = at.cells.x;
    let ny = at.cells.y;
    if id.x >= nx || id.y >= ny { return; }
    let i = id.x;
    let j = id.y;
    let c = j * nx + i;
    let k = j * (nx + 1u) + i;
    let own = may_leave(i, j);
    let left = before(at, i, nx, 0u);
    let right = after(at, i, nx, 0u);
    let below = before(at, j, ny, 1u);
    let above = after(at, j, ny, 1u);
    var x0 = 0.0;
    var x1 = 0.0;
    var y0 = 0.0;
    var y1 = 0.0;
    if left != i { x0 = upwind(u[k], may_leave(left, j), own); }
    // The face at the far end of a joined axis is the one at the near end.
    if right != i { x1 = upwind(u[select(k + 1u, j * (nx + 1u), i + 1u == nx)], own, may_leave(right, j)); }
    if below != j { y0 = upwind(v[c], may_leave(i, below), own); }
    if above != j { y1 = upwind(v[select(c + nx, i, j + 1u == ny)], own, may_leave(i, above)); }
    next[c] = max(depth[c] - (at.dt / at.h) * ((x1 - x0) + (y1 - y0)), 0.0);
    qx[k] = x0;
    qy[c] = y0;
    if i + 1u == nx { qx[k + 1u] = x1; }
    if j + 1u == ny { qy[c + nx] = y1; }
}
