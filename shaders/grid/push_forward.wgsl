import package::grid::lattice::{Lattice, Tap, bilinear, distinct, four, known, tap};
import package::grid::push::{Push, fixed};
import package::grid::transport::ralston;

// Shares every sample among those about the place to which the flow carries it: (u, v, solid, src) → sums, two words for
// each number of a sample and two for the shares. See src/grid/push.rs.

@group(0) @binding(0) var<uniform> step: Push;
@group(0) @binding(1) var<uniform> u_at: Lattice;
@group(0) @binding(2) var<uniform> v_at: Lattice;
@group(0) @binding(3) var<uniform> at: Lattice;
@group(0) @binding(4) var<storage, read> u: array<f32>;
@group(0) @binding(5) var<storage, read> v: array<f32>;
@group(0) @binding(6) var<storage, read> solid: array<u32>;
@group(0) @binding(7) var<storage, read> src: array<f32>;
@group(0) @binding(8) var<storage, read_write> sums: array<atomic<u32>>;

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

/// Adds to two words. All sums of low words carry as often, in whatever order they are made.
fn add(place: u32, x: f32) {
    let words = fixed(x);
    let before = atomicAdd(&sums[place], words.x);
    let high = words.y + select(0u, 1u, before > 0xffffffffu - words.x);
    if (high != 0u) {
        atomicAdd(&sums[place + 1u], high);
    }
}

/// Gives a share of sample `home` to sample `to`.
fn give(home: u32, to: u32, w: f32) {
    let place = to * 2u * (step.numbers + 1u);
    for (var c = 0u; c < step.numbers; c++) {
        add(place + 2u * c, w * src[home * step.numbers + c]);
    }
    add(place + 2u * step.numbers, w);
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    // The far end of a periodic axis repeats the near one.
    let n = vec2<u32>(distinct(at, 0u), distinct(at, 1u));
    if (id.x >= n.x || id.y >= n.y) {
        return;
    }
    let home = id.y * at.size.x + id.x;
    if (step.solids != 0u && solid[home] != 0u) {
        return;
    }
    let place = vec2<f32>(f32(id.x), f32(id.y)) + at.offset.xy;
    let ahead = trace(place, flow(place), -step.c);
    let x = tap(at, ahead.x, 0u);
    let y = tap(at, ahead.y, 1u);
    let i = select(vec2<u32>(x.i0, x.i1), vec2<u32>(0u), vec2<u32>(x.i0, x.i1) >= n.xx);
    let j = select(vec2<u32>(y.i0, y.i1), vec2<u32>(0u), vec2<u32>(y.i0, y.i1) >= n.yy);
    let k = vec4<u32>(j.x, j.x, j.y, j.y) * at.size.x + i.xyxy;
    var w = vec4<f32>(1.0 - x.s, x.s, 1.0 - x.s, x.s) * vec4<f32>(1.0 - y.s, 1.0 - y.s, y.s, y.s);
    if (step.solids != 0u) {
        // Solid cells get nothing, and their share goes to the others.
        let blocked = vec4<u32>(solid[k.x], solid[k.y], solid[k.z], solid[k.w]) != vec4<u32>(0u);
        w = select(w, vec4<f32>(0.0), blocked);
        let free = w.x + w.y + w.z + w.w;
        if (free <= 0.0) {
            give(home, home, 1.0);
            return;
        }
        w /= free;
    }
    w = select(w, vec4<f32>(0.0), vec4<bool>(x.given0, x.given1, x.given0, x.given1));
    w = select(w, vec4<f32>(0.0), vec4<bool>(y.given0, y.given0, y.given1, y.given1));
    for (var t = 0u; t < 4u; t++) {
        if (w[t] != 0.0) {
            give(home, k[t], w[t]);
        }
    }
}
