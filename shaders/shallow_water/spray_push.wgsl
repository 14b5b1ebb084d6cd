import package::shallow_water::water::{WaterU, before};
import package::shallow_water::drops::{depth_quantum, speed_quantum};

// Momentum of what landed, half of it to each face of its cell: (depth, landed) → (u, v).
@group(0) @binding(0) var<uniform> at: WaterU;
@group(0) @binding(1) var<storage, read> depth: array<f32>;
@group(0) @binding(2) var<storage, read> landed: array<u32>;
@group(0) @binding(3) var<storage, read_write> u: array<f32>;
@group(0) @binding(4) var<storage, read_write> v: array<f32>;

fn pushed(axis: u32, a: u32, b: u32, speed: f32) -> f32 {
    let more_a = bitcast<i32>(landed[3u * a]);
    let more_b = bitcast<i32>(landed[3u * b]);
    if more_a == 0 && more_b == 0 { return speed; }
    let quantum = depth_quantum(at);
    let sum = bitcast<i32>(landed[3u * a + 1u + axis] + landed[3u * b + 1u + axis]);
    let momentum = f32(sum) * (quantum * speed_quantum(at));
    let old = depth[a] + depth[b];
    return (old * speed + momentum) / max(old + f32(more_a + more_b) * quantum, at.dry);
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
    if left != id.x {
        u[k] = pushed(0u, id.y * nx + left, c, u[k]);
        if id.x == 0u { u[k + nx] = u[k]; }
    }
    if below != id.y {
        v[c] = pushed(1u, below * nx + id.x, c, v[c]);
        if id.y == 0u { v[c + nx * ny] = v[c]; }
    }
}
