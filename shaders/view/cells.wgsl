import package::view::look::{DIRECTION, INK, Look, field_planes, finite};

// Step 1 of the picture: the field as planes; solid cells take the mean of the fluid around them.
// (field, obstacle) → cells
@group(0) @binding(0) var<uniform> look: Look;
@group(0) @binding(1) var<storage, read> field: array<f32>;
@group(0) @binding(2) var<storage, read> obstacle: array<f32>;
@group(0) @binding(3) var<storage, read_write> cells: array<f32>;

const REACH: i32 = 2;

fn fluid(cell: u32) -> f32 {
    return 1.0 - clamp(finite(obstacle[look.first_cell + cell]), 0.0, 1.0);
}

// What plane k holds for a cell.
fn number(cell: u32, k: u32) -> f32 {
    let at = (look.first_cell + cell) * look.components;
    if look.mode <= INK { return max(finite(field[at + k] * look.gain), 0.0); }
    if look.mode == DIRECTION { return finite(field[at + k]); }
    if look.components == 1u { return finite(field[at]); }
    if look.luminance == 1u {
        return finite(0.2126 * field[at] + 0.7152 * field[at + 1u] + 0.0722 * field[at + 2u]);
    }
    var sum = 0.0;
    for (var c = 0u; c < look.components; c++) { sum += field[at + c] * field[at + c]; }
    return finite(sqrt(sum));
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = look.cells;
    if id.x >= n.x || id.y >= n.y { return; }
    let cell = id.y * n.x + id.x;
    let inside = look.solid == 1u && fluid(cell) < 0.5;
    for (var k = 0u; k < field_planes(look); k++) {
        var v = 0.0;
        if inside {
            var weight = 0.0;
            let low = max(vec2<i32>(id.xy) - REACH, vec2<i32>(0));
            let high = min(vec2<i32>(id.xy) + REACH, vec2<i32>(n) - 1);
            for (var y = low.y; y <= high.y; y++) {
                for (var x = low.x; x <= high.x; x++) {
                    let there = u32(y) * n.x + u32(x);
                    let w = fluid(there) * fluid(there);
                    v += w * number(there, k);
                    weight += w;
                }
            }
            v = select(0.0, v / weight, weight > 1e-3);
        } else {
            v = number(cell, k);
        }
        cells[k * n.x * n.y + cell] = v;
    }
}
