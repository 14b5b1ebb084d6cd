import package::shallow_water::water::{CARRIED, WaterU, after, before, joined};

// u ← u + dt (momentum that the fluxes bring − g ∇η − friction): (depth, head, u, v, qx, qy) → (next_u, next_v).
@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<storage, read> depth: array<f32>;
@group(0) @binding(2) var<storage, read> head: array<f32>;
@group(0) @binding(3) var<storage, read> u: array<f32>;
@group(0) @binding(4) var<storage, read> v: array<f32>;
@group(0) @binding(5) var<storage, read> qx: array<f32>;
@group(0) @binding(6) var<storage, read> qy: array<f32>;
@group(0) @binding(7) var<storage, read_write> next_u: array<f32>;
@group(0) @binding(8) var<storage, read_write> next_v: array<f32>;

// The cells a and b before and after a face; velocities before, at and after it and beside it; fluxes likewise, and through
// the corners on either side; the mean velocity across.
fn face(a: u32, b: u32, along: vec3f, beside: vec2f, flux: vec3f, corner: vec4f, across: vec4f) -> f32 {
    let h0 = depth[a];
    let h1 = depth[b];
    let rate = at.dt / at.h;
    // Two quotients by one division: 1/h at the face, and H/h where it is deeper than H.
    let mean = max(0.5 * (h0 + h1), at.dry);
    let deep = max(max(h0, h1), at.deepest);
    let both = 1.0 / (mean * deep);
    let per_depth = both * deep;
    let slower = both * mean * at.deepest;
    let z0 = head[a];
    let z1 = head[b];
    // A fall does not push water on; what is less than the heights can tell is no slope.
    let limited = min(max((h1 + z1) - (h0 + z0), -(h0 + at.h)), h1 + at.h);
    let blur = 1.2e-7 * ((h0 + h1) + (abs(z0) + abs(z1)));
    let rise = select(0.0, limited, abs(limited) > blur);
    let own = along.y;
    var value = own - rate * at.gravity * slower * rise;
    if (at.flags & CARRIED) != 0u {
        let line = max(0.5 * (flux.x + flux.y), 0.0) * (along.x - own) + max(-0.5 * (flux.y + flux.z), 0.0) * (along.z - own);
        let side = max(0.5 * (corner.x + corner.y), 0.0) * (beside.x - own) + max(-0.5 * (corner.z + corner.w), 0.0) * (beside.y - own);
        value += rate * per_depth * (line + side);
    }
    let other = 0.25 * ((across.x + across.y) + (across.z + across.w));
    let speed = sqrt(own * own + other * other);
    value /= 1.0 + at.friction * at.dt * speed * per_depth;
    value = min(max(value, -at.max_speed), at.max_speed);
    let source = select(h1, h0, value > 0.0);
    return select(0.0, value, source > at.dry);
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let nx = at.cells.x;
    let ny = at.cells.y;
    if id.x >= nx || id.y >= ny { return; }
    let i = id.x;
    let j = id.y;
    let w = nx + 1u;
    let c = j * nx + i;
    let k = j * w + i;
    let left = before(at, i, nx, 0u);
    let right = after(at, i, nx, 0u);
    let below = before(at, j, ny, 1u);
    let above = after(at, j, ny, 1u);
    var x = u[k];
    if left != i {
        let m = select(k - 1u, k + nx - 1u, i == 0u);
        let l = j * nx + left;
        x = face(
            l, c, vec3f(u[m], u[k], u[k + 1u]), vec2f(u[below * w + i], u[above * w + i]), vec3f(qx[m], qx[k], qx[k + 1u]),
            vec4f(qy[l], qy[c], qy[l + nx], qy[c + nx]), vec4f(v[l], v[c], v[l + nx], v[c + nx]),
        );
    }
    next_u[k] = x;
    if i == 0u && joined(at, 0u) { next_u[k + nx] = x; }
    if i + 1u == nx && !joined(at, 0u) { next_u[k + 1u] = u[k + 1u]; }
    var y = v[c];
    if below != j {
        let l = below * nx + i;
        let f = below * w + i;
        y = face(
            l, c, vec3f(v[l], v[c], v[c + nx]), vec2f(v[j * nx + left], v[j * nx + right]), vec3f(qy[l], qy[c], qy[c + nx]),
            vec4f(qx[f], qx[k], qx[f + 1u], qx[k + 1u]), vec4f(u[f], u[k], u[f + 1u], u[k + 1u]),
        );
    }
    next_v[c] = y;
    if j == 0u && joined(at, 1u) { next_v[c + ny * nx] = y; }
    if j + 1u == ny && !joined(at, 1u) { next_v[c + nx] = v[c + nx]; }
}
