import package::grid::lattice::{Lattice, bilinear, four, known, stays, tap};
import package::grid::transport::{Advection, COMPENSATE, CORRECT, PLAIN, limited, ralston};

// One pass of the transport of red, green, blue and temperature: (u, v, solid, src, other) → dst. The passes are those of
// advect_component.wgsl. Solid cells hold nothing; an interpolation leaves them out and shares their weight.

@group(0) @binding(0) var<uniform> step: Advection;
@group(0) @binding(1) var<uniform> u_at: Lattice;
@group(0) @binding(2) var<uniform> v_at: Lattice;
@group(0) @binding(3) var<uniform> at: Lattice;
@group(0) @binding(4) var<storage, read> u: array<f32>;
@group(0) @binding(5) var<storage, read> v: array<f32>;
@group(0) @binding(6) var<storage, read> solid: array<u32>;
@group(0) @binding(7) var<storage, read> src: array<vec4<f32>>;
@group(0) @binding(8) var<storage, read> other: array<vec4<f32>>;
@group(0) @binding(9) var<storage, read_write> dst: array<vec4<f32>>;

fn flow(p: vec2<f32>) -> vec2<f32> {
    let ux = tap(u_at, p.x, 0u);
    let uy = tap(u_at, p.y, 1u);
    let k = four(ux, uy, u_at.size.x);
    let vx = tap(v_at, p.x, 0u);
    let vy = tap(v_at, p.y, 1u);
    let l = four(vx, vy, v_at.size.x);
    return vec2<f32>(
        bilinear(ux, uy, known(ux, uy, vec4<f32>(u[k.x], u[k.y], u[k.z], u[k.w]))),
        bilinear(vx, vy, known(vx, vy, vec4<f32>(v[l.x], v[l.y], v[l.z], v[l.w]))),
    );
}

// As in advect_component.wgsl: what calls `flow` reads this kernel's buffers, and cannot be imported.
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

fn mix4(a: vec4<f32>, b: vec4<f32>, s: f32) -> vec4<f32> {
    return a + (b - a) * s;
}

/// The four values about a position, and which of them are solid.
struct Corners {
    v: array<vec4<f32>, 4>,
    solid: vec4<bool>,
    s: vec2<f32>,
}

fn corners(from_src: bool, p: vec2<f32>) -> Corners {
    let x = tap(at, p.x, 0u);
    let y = tap(at, p.y, 1u);
    var c = Corners(array<vec4<f32>, 4>(), vec4<bool>(false), vec2<f32>(x.s, y.s));
    let is = array<u32, 2>(x.i0, x.i1);
    let js = array<u32, 2>(y.i0, y.i1);
    let given_i = array<bool, 2>(x.given0, x.given1);
    let given_j = array<bool, 2>(y.given0, y.given1);
    for (var t = 0u; t < 4u; t++) {
        let a = t % 2u;
        let b = t / 2u;
        if (given_i[a] || given_j[b]) {
            continue;
        }
        let k = js[b] * at.size.x + is[a];
        if (step.solids != 0u) {
            c.solid[t] = solid[k] != 0u;
        }
        if (from_src) {
            c.v[t] = src[k];
        } else {
            c.v[t] = other[k];
        }
    }
    return c;
}

fn blend(c: Corners, own: vec4<f32>) -> vec4<f32> {
    let sx = c.s.x;
    let sy = c.s.y;
    if (!any(c.solid)) {
        return mix4(mix4(c.v[0], c.v[1], sx), mix4(c.v[2], c.v[3], sx), sy);
    }
    let weights = vec4<f32>((1.0 - sx) * (1.0 - sy), sx * (1.0 - sy), (1.0 - sx) * sy, sx * sy);
    var sum = vec4<f32>(0.0);
    var total = 0.0;
    for (var t = 0u; t < 4u; t++) {
        if (!c.solid[t]) {
            sum += weights[t] * c.v[t];
            total += weights[t];
        }
    }
    if (total > 0.0) {
        return sum / total;
    }
    return own;
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= at.size.x || id.y >= at.size.y) {
        return;
    }
    let k = id.y * at.size.x + id.x;
    if (step.solids != 0u && solid[k] != 0u) {
        dst[k] = vec4<f32>(0.0);
        return;
    }
    let home = vec2<f32>(f32(id.x), f32(id.y)) + at.offset.xy;
    let speed = flow(home);
    let own = src[k];
    if (step.mode == COMPENSATE) {
        let ahead = trace(home, speed, -step.c);
        let back = blend(corners(false, ahead), own);
        dst[k] = select(own, own + 0.5 * (own - back), stays(at, ahead));
        return;
    }
    let behind = trace(home, speed, step.c);
    let near = corners(true, behind);
    if (step.mode == PLAIN) {
        dst[k] = step.gain * blend(near, own);
        return;
    }
    var first = vec4<f32>(0.0);
    var value = vec4<f32>(0.0);
    if (step.mode == CORRECT) {
        let ahead = trace(home, speed, -step.c);
        first = other[k];
        let back = blend(corners(false, ahead), first);
        value = first + select(0.0, 0.5, stays(at, behind) && stays(at, ahead)) * (own - back);
    } else {
        value = blend(corners(false, behind), own);
        first = blend(near, own);
    }
    var low = vec4<f32>(3.4028234e38);
    var high = vec4<f32>(-3.4028234e38);
    for (var t = 0u; t < 4u; t++) {
        if (!near.solid[t]) {
            low = min(low, near.v[t]);
            high = max(high, near.v[t]);
        }
    }
    if (all(near.solid)) {
        low = own;
        high = own;
    }
    var out = vec4<f32>(0.0);
    for (var c = 0u; c < 4u; c++) {
        out[c] = step.gain[c] * limited(value[c], low[c], high[c], first[c], step.limiter);
    }
    dst[k] = out;
}
