import package::grid::lattice::{Lattice, ghost, periodic};

// a = (w·dye − β·T)·g + ε·h·(∇|ω|/|∇|ω|| × ω): (scalars, ω, solid) → two numbers a cell, m/s². Beside walls and obstacles,
// where the vorticity is theirs, and beside open faces, where it would feed itself, the second part is left out.

struct Acceleration {
    gravity: vec4<f32>,
    expansion: f32,
    dye_weight: f32,
    /// ε·h, m.
    confinement: f32,
    unused: f32,
}

@group(0) @binding(0) var<uniform> at: Lattice;
@group(0) @binding(1) var<uniform> by: Acceleration;
@group(0) @binding(2) var<storage, read> scalars: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> vorticity: array<f32>;
@group(0) @binding(4) var<storage, read> solid: array<u32>;
@group(0) @binding(5) var<storage, read_write> out: array<vec2<f32>>;

fn omega(i: i32, j: i32) -> f32 {
    let x = ghost(at, i, 0u);
    let y = ghost(at, j, 1u);
    return y.sign * (x.sign * vorticity[y.index * at.size.x + x.index] + x.add) + y.add;
}

/// Whether cell i is beside a face of the domain that is not joined with another one.
fn at_end(i: u32, axis: u32) -> bool {
    return !periodic(at, axis) && (i == 0u || i + 1u == at.size[axis]);
}

fn solid_at(i: i32, j: i32) -> u32 {
    return solid[ghost(at, j, 1u).index * at.size.x + ghost(at, i, 0u).index];
}

fn swirls(id: vec2<u32>) -> bool {
    let i = i32(id.x);
    let j = i32(id.y);
    let about = solid_at(i, j) | solid_at(i - 1, j) | solid_at(i + 1, j) | solid_at(i, j - 1) | solid_at(i, j + 1);
    return about == 0u && !at_end(id.x, 0u) && !at_end(id.y, 1u);
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= at.size.x || id.y >= at.size.y) {
        return;
    }
    let k = id.y * at.size.x + id.x;
    let s = scalars[k];
    let brightness = (s.x + s.y + s.z) * (1.0 / 3.0);
    let weight = by.dye_weight * brightness - by.expansion * s.w;
    var a = weight * by.gravity.xy;
    if (by.confinement != 0.0 && swirls(id.xy)) {
        let i = i32(id.x);
        let j = i32(id.y);
        let dx = abs(omega(i + 1, j)) - abs(omega(i - 1, j));
        let dy = abs(omega(i, j + 1)) - abs(omega(i, j - 1));
        let length = max(sqrt(dx * dx + dy * dy), 1e-20);
        let w = omega(i, j);
        a.x += by.confinement * (dy / length * w);
        a.y += by.confinement * (-(dx / length) * w);
    }
    out[k] = a;
}
