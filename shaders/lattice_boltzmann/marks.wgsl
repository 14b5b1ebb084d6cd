import package::lattice_boltzmann::d2q9::{LatticeU, Q, direction, place};

// Marks of cells that are solid or have a link to something that is no fluid, 32 cells a word: solid → marks.

@group(0) @binding(0) var<uniform> lattice: LatticeU;
@group(0) @binding(1) var<storage, read> solid: array<u32>;
@group(0) @binding(2) var<storage, read_write> marks: array<u32>;

@compute @workgroup_size(8, 8, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= lattice.cells.w || id.y >= lattice.cells.y) {
        return;
    }
    var word = 0u;
    for (var bit = 0u; bit < 32u; bit++) {
        let i = 32u * id.x + bit;
        if (i >= lattice.cells.x) {
            break;
        }
        var special = false;
        for (var q = 0u; q < Q; q++) {
            let c = direction(q);
            let k = place(lattice, i32(i) - c.x, i32(id.y) - c.y);
            if (k < 0) {
                special = true;
            } else if (solid[k] != 0u) {
                special = true;
            }
        }
        word |= select(0u, 1u, special) << bit;
    }
    marks[id.y * lattice.cells.w + id.x] = word;
}
