import package::grid::lattice::{FIXED, Lattice, Tap, bilinear, four, known, stays, tap};
import package::grid::transport::{Advection, COMPENSATE, CORRECT, PLAIN, limited, ralston};

// One pass of the transport of a velocity component: (u, v, src, other) → dst. With A the semi-Lagrangian pass and B the
// same with −u: plain dst = A src; correct dst = other + ½ (src − B other); compensate dst = src + ½ (src − B other);
// limit dst = A other. See src/grid/advect.rs.

@group(0) @binding(0) var<uniform> step: Advection;
@group(0) @binding(1) var<uniform> u_at: Lattice;
@group(0) @binding(2) var<uniform> v_at: Lattice;
@group(0) @binding(3) var<uniform> at: Lattice;
@group(0) @binding(4) var<storage, read> u: array<f32>;
@group(0) @binding(5) var<storage, read> v: array<f32>;
@group(0) @binding(6) var<storage, read> src: array<f32>;
@group(0) @binding(7) var<storage, read> other: array<f32>;
@group(0) @binding(8) var<storage, read_write> dst: array<f32>;

const U: u32 = 0u;
const V: u32 = 1u;
const SRC: u32 = 2u;
const OTHER: u32 = 3u;

fn samples(which: u32, k: vec4<u32>) -> vec4<f32> {
    switch (which) {
        case 0u: { return vec4<f32>(u[k.x], u[k.y], u[k.z], u[k.w]); }
        case 1u: { return vec4<f32>(v[k.x], v[k.y], v[k.z], v[k.w]); }
        case 2u: { return vec4<f32>(src[k.x], src[k.y], src[k.z], src[k.w]); }
        default: { return vec4<f32>(other[k.x], other[k.y], other[k.z], other[k.w]); }
    }
}

fn corners(which: u32, width: u32, x: Tap, y: Tap) -> vec4<f32> {
    return known(x, y, samples(which, four(x, y, width)));
}

fn sample(which: u32, where_: Lattice, p: vec2<f32>) -> f32 {
    let x = tap(where_, p.x, 0u);
    let y = tap(where_, p.y, 1u);
    return bilinear(x, y, corners(which, where_.size.x, x, y));
}

fn flow(p: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(sample(U, u_at, p), sample(V, v_at, p));
}

// As in advect_scalars.wgsl: what calls `flow` reads this kernel's buffers, and cannot be imported.
fn trace(home: vec2<f32>, k: vec2<f32>, c: f32) -> vec2<f32> {
    if (step.order <= 1u) {
        return home - c * k;
    }
    let k2 = flow(home - 0.5 * c * k);
    if (step.order == 2u) {
        return home - c * k2;
    }
    let k3 = flow(home - 0.75 * c * k2);
    return home - c * ralston(k, k2, k3);
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= at.size.x || id.y >= at.size.y) {
        return;
    }
    let k = id.y * at.size.x + id.x;
    // Faces on walls keep the wall's velocity.
    for (var axis = 0u; axis < 2u; axis++) {
        if (id[axis] == 0u && at.low_kind[axis] == FIXED) {
            dst[k] = at.low[axis];
            return;
        }
        if (id[axis] + 1u == at.size[axis] && at.high_kind[axis] == FIXED) {
            dst[k] = at.high[axis];
            return;
        }
    }
    let home = vec2<f32>(f32(id.x), f32(id.y)) + at.offset.xy;
    let speed = flow(home);
    let own = src[k];
    if (step.mode == COMPENSATE) {
        let ahead = trace(home, speed, -step.c);
        let back = sample(OTHER, at, ahead);
        dst[k] = select(own, own + 0.5 * (own - back), stays(at, ahead));
        return;
    }
    let behind = trace(home, speed, step.c);
    if (step.mode == PLAIN) {
        dst[k] = step.gain.x * sample(SRC, at, behind);
        return;
    }
    let c = corners(SRC, at.size.x, tap(at, behind.x, 0u), tap(at, behind.y, 1u));
    let low = min(min(c.x, c.y), min(c.z, c.w));
    let high = max(max(c.x, c.y), max(c.z, c.w));
    var first = 0.0;
    var value = 0.0;
    if (step.mode == CORRECT) {
        let ahead = trace(home, speed, -step.c);
        let back = sample(OTHER, at, ahead);
        first = other[k];
        value = first + 0.5 * select(0.0, own - back, stays(at, behind) && stays(at, ahead));
    } else {
        value = sample(OTHER, at, behind);
        first = sample(SRC, at, behind);
    }
    dst[k] = step.gain.x * limited(value, low, high, first, step.limiter);
}
