import package::grid::lattice::{Lattice, cells_beside, lerp, neighbour, periodic};

// Faces of solid cells take the solid's velocity; between two solid cells, if the fluid slides along one of them, that of
// the fluid beside it: (solid, solid velocity, u) → out.

@group(0) @binding(0) var<uniform> at: Lattice;
@group(0) @binding(1) var<storage, read> solid: array<u32>;
@group(0) @binding(2) var<storage, read> solid_velocity: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> u: array<f32>;
@group(0) @binding(4) var<storage, read_write> out: array<f32>;

fn is_solid(k: u32) -> bool {
    return solid[k] != 0u;
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= at.size.x || id.y >= at.size.y) {
        return;
    }
    let axis = at.size.w;
    let k = id.y * at.size.x + id.x;
    let cells = cells_beside(at, id.xy);
    let a = is_solid(cells.x);
    let b = is_solid(cells.y);
    if (!a && !b) {
        out[k] = u[k];
        return;
    }
    let va = solid_velocity[cells.x];
    let vb = solid_velocity[cells.y];
    var value = select(vb[axis], va[axis], a);
    if (a && b) {
        value = lerp(va[axis], vb[axis], 0.5);
        if (va.w != 0.0 || vb.w != 0.0) {
            let across = 1u - axis;
            var sum = 0.0;
            var count = 0.0;
            for (var side = 0u; side < 2u; side++) {
                let next = neighbour(id[across], at.size[across], side, periodic(at, across));
                if (next < at.size[across]) {
                    var p = id.xy;
                    p[across] = next;
                    let beside = cells_beside(at, p);
                    if (!is_solid(beside.x) && !is_solid(beside.y)) {
                        sum += u[p.y * at.size.x + p.x];
                        count += 1.0;
                    }
                }
            }
            if (count > 0.0) {
                value = sum / count;
            }
        }
    }
    out[k] = value;
}
