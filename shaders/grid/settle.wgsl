import package::grid::lattice::{FIXED, Lattice, distinct};
import package::grid::push::{Push, number};

// q holds what was found by going back, and becomes the result: what was pushed here, and what is left to one of that.
// See src/grid/push.rs.

@group(0) @binding(0) var<uniform> step: Push;
@group(0) @binding(1) var<uniform> at: Lattice;
@group(0) @binding(2) var<storage, read> sums: array<u32>;
@group(0) @binding(3) var<storage, read_write> q: array<f32>;

fn sum(place: u32) -> f32 {
    return number(vec2<u32>(sums[place], sums[place + 1u]));
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x >= at.size.x || id.y >= at.size.y) {
        return;
    }
    // Faces on walls keep the wall's velocity.
    for (var axis = 0u; axis < 2u; axis++) {
        let low = id[axis] == 0u && at.low_kind[axis] == FIXED;
        let high = id[axis] + 1u == at.size[axis] && at.high_kind[axis] == FIXED;
        if (low || high) {
            return;
        }
    }
    let from_ = id.y % distinct(at, 1u) * at.size.x + id.x % distinct(at, 0u);
    let place = from_ * 2u * (step.numbers + 1u);
    let share = sum(place + 2u * step.numbers);
    let over = max(share, 1.0);
    let rest = max(1.0 - share, 0.0);
    let k = (id.y * at.size.x + id.x) * step.numbers;
    for (var c = 0u; c < step.numbers; c++) {
        q[k + c] = step.gain[c] * (sum(place + 2u * c) / over + rest * q[k + c]);
    }
}
