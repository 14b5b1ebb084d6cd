import package::shallow_water::water::WaterU;
import package::shallow_water::edge::{BorderU, CLOSED, INFLOW, JOINED};

// Velocity and flux through the faces of the domain, and what they do to the cells there:
// (ground) → (depth, u, v, qx, qy, added). One item a cell of the edge: bottom row, top row, left, right.
@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<uniform> edge: BorderU;
@group(0) @binding(2) var<storage, read> ground: array<f32>;
@group(0) @binding(3) var<storage, read_write> depth: array<f32>;
@group(0) @binding(4) var<storage, read_write> u: array<f32>;
@group(0) @binding(5) var<storage, read_write> v: array<f32>;
@group(0) @binding(6) var<storage, read_write> qx: array<f32>;
@group(0) @binding(7) var<storage, read_write> qy: array<f32>;
@group(0) @binding(8) var<storage, read_write> added: array<f32>;

// Velocity at a face of the domain and the flux through it; out is the sign of the way out.
fn passes(side: u32, out: f32, h: f32, ground: f32) -> vec2f {
    let kind = edge.kind[side];
    if kind == CLOSED { return vec2f(0.0); }
    let outside = max(at.rest - ground, 0.0);
    var speed = edge.speed[side];
    if kind != INFLOW {
        let mean = max(max(h, outside), at.dry);
        let wave = sqrt(at.gravity * mean);
        let high = (h + ground) - max(at.rest, ground);
        speed = out * min(max(high * (wave / mean), -wave), wave);
    }
    let leaves = out * speed;
    speed = out * min(max(leaves, -at.max_speed), at.max_speed);
    var source = outside;
    if leaves > 0.0 { source = min(h, 0.5 * h / max(leaves * (at.dt / at.h), 1e-20)); }
    return select(vec2f(0.0), vec2f(speed, speed * source), source > at.dry);
}

// What flows through a face into cell c; the velocity and the flux are left in the result.
fn enters(c: u32, side: u32, out: f32) -> vec2f {
    let passed = passes(side, out, depth[c], ground[c]);
    let comes = -out * passed.y * (at.dt / at.h);
    depth[c] += comes;
    added[c] += comes;
    return passed;
}

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let nx = at.cells.x;
    let ny = at.cells.y;
    let n = id.x;
    var i = n % nx;
    var j = select(0u, ny - 1u, n >= nx);
    if n >= 2u * nx {
        let k = n - 2u * nx;
        if k >= 2u * (ny - 2u) { return; }
        i = select(0u, nx - 1u, k >= ny - 2u);
        j = 1u + k % (ny - 2u);
    }
    let c = j * nx + i;
    let left = j * (nx + 1u) + i;
    if i == 0u && edge.kind.x != JOINED {
        let p = enters(c, 0u, -1.0);
        u[left] = p.x;
        qx[left] = p.y;
    }
    if i + 1u == nx && edge.kind.y != JOINED {
        let p = enters(c, 1u, 1.0);
        u[left + 1u] = p.x;
        qx[left + 1u] = p.y;
    }
    if j == 0u && edge.kind.z != JOINED {
        let p = enters(c, 2u, -1.0);
        v[c] = p.x;
        qy[c] = p.y;
    }
    if j + 1u == ny && edge.kind.w != JOINED {
        let p = enters(c, 3u, 1.0);
        v[c + nx] = p.x;
        qy[c + nx] = p.y;
    }
}
