import package::shallow_water::water::{WaterU, before, joined};

// Faces of solid cells move as they do: (solid, solid_velocity) → (u, v).
@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<storage, read> solid: array<u32>;
@group(0) @binding(2) var<storage, read> solid_velocity: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> u: array<f32>;
@group(0) @binding(4) var<storage, read_write> v: array<f32>;

// Velocity along an axis of the solids beside a face; some must be.
fn moves(a: u32, b: u32, axis: u32) -> f32 {
    let x = solid_velocity[a][axis];
    let y = solid_velocity[b][axis];
    if solid[a] != 0u && solid[b] != 0u { return 0.5 * (x + y); }
    return select(y, x, solid[a] != 0u);
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let nx = at.cells.x;
    let ny = at.cells.y;
    if id.x >= nx || id.y >= ny { return; }
    let c = id.y * nx + id.x;
    let k = c + id.y;
    let left = before(at, id.x, nx, 0u);
    let below = before(at, id.y, ny, 1u);
    let l = id.y * nx + left;
    let b = below * nx + id.x;
    if left != id.x && (solid[l] != 0u || solid[c] != 0u) {
        u[k] = moves(l, c, 0u);
        if id.x == 0u { u[k + nx] = u[k]; }
    }
    if below != id.y && (solid[b] != 0u || solid[c] != 0u) {
        v[c] = moves(b, c, 1u);
        if id.y == 0u { v[c + nx * ny] = v[c]; }
    }
}
