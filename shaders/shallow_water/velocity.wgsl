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

// Share of a cell that water may cross in a sub-step, both ways together.
const MOST_CROSSED = 0.95;

// The smaller slope of two that go the same way, else none.
fn gentler(a: f32, b: f32) -> f32 {
    return max(min(a, b), 0.0) + min(max(a, b), 0.0);
}

// What two fluxes bring, one from below and one to above: q (u* − u), u* drawn on along the gentler slope. outer are the
// velocities two faces away, near those one face away, below and above.
fn brings(from_low: f32, to_high: f32, outer: vec2f, near: vec2f, own: f32) -> f32 {
    let s0 = near.x - outer.x;
    let s1 = own - near.x;
    let s2 = near.y - own;
    let s3 = outer.y - near.y;
    let low = gentler(s0, s1);
    let middle = gentler(s1, s2);
    let high = gentler(s2, s3);
    return (max(from_low, 0.0) * (0.5 * low - s1) + max(-to_high, 0.0) * (s2 - 0.5 * high))
        + 0.5 * middle * (max(-from_low, 0.0) - max(to_high, 0.0));
}

// The cells a and b before and after a face; its velocity, those one and two faces away along and beside; the fluxes before,
// at and after it, and through the corners on either side; the velocities across at the corners.
fn face(
    a: u32, b: u32, own: f32, along: vec4f, beside: vec4f, flux: vec3f, corner: vec4f, across: vec4f,
) -> f32 {
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
    var value = own - rate * at.gravity * slower * rise;
    if (at.flags & CARRIED) != 0u {
        let line = brings(0.5 * (flux.x + flux.y), 0.5 * (flux.y + flux.z), along.xw, along.yz, own);
        let side = brings(0.5 * (corner.x + corner.y), 0.5 * (corner.z + corner.w), beside.xw, beside.yz, own);
        value += rate * per_depth * (line + side);
    }
    let other = 0.25 * ((across.x + across.y) + (across.z + across.w));
    let speed = sqrt(own * own + other * other);
    value /= 1.0 + at.friction * at.dt * speed * per_depth;
    // What crosses more than a cell, along both axes together, would run past itself: it breaks into stripes. Askew those
    // come sooner, as slopes are drawn on along each axis for itself.
    let passes = abs(value);
    let aside = abs(other);
    value /= max(rate * (1.0 / MOST_CROSSED) * (passes + aside + min(passes, aside)), 1.0);
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
    let left2 = before(at, left, nx, 0u);
    let right2 = after(at, right, nx, 0u);
    let below2 = before(at, below, ny, 1u);
    let above2 = after(at, above, ny, 1u);
    var x = u[k];
    if left != i {
        let first = j * w;
        let m = first + select(i - 1u, nx - 1u, i == 0u);
        let mm = first + select(select(i - 2u, select(0u, nx - 1u, joined(at, 0u)), i == 1u), nx - 2u, i == 0u);
        let pp = first + select(i + 2u, select(nx, 1u, joined(at, 0u)), i + 1u == nx);
        let l = j * nx + left;
        x = face(
            l, c, u[k], vec4f(u[mm], u[m], u[k + 1u], u[pp]),
            vec4f(u[below2 * w + i], u[below * w + i], u[above * w + i], u[above2 * w + i]), vec3f(qx[m], qx[k], qx[k + 1u]),
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
        let row = j * nx;
        let pp = select(j + 2u, select(ny, 1u, joined(at, 1u)), j + 1u == ny) * nx + i;
        y = face(
            l, c, v[c], vec4f(v[below2 * nx + i], v[l], v[c + nx], v[pp]),
            vec4f(v[row + left2], v[row + left], v[row + right], v[row + right2]), vec3f(qy[l], qy[c], qy[c + nx]),
            vec4f(qx[f], qx[k], qx[f + 1u], qx[k + 1u]), vec4f(u[f], u[k], u[f + 1u], u[k + 1u]),
        );
    }
    next_v[c] = y;
    if j == 0u && joined(at, 1u) { next_v[c + ny * nx] = y; }
    if j + 1u == ny && !joined(at, 1u) { next_v[c + nx] = v[c + nx]; }
}
