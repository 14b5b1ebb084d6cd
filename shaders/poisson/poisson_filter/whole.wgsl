import package::grid::codes::UNKNOWN;
import package::poisson::poisson_filter::plan::{FilterU, cell_of, place_at, result_of, sign_of};

// A whole kernel, not separated, by its octant: (places, octant, input, stencil) → x.

@group(0) @binding(0) var<uniform> plan: FilterU;
@group(0) @binding(1) var<storage, read> places: array<u32>;
@group(0) @binding(2) var<storage, read> octant: array<f32>;
@group(0) @binding(3) var<storage, read> first: array<f32>;
@group(0) @binding(4) var<storage, read> stencil: array<u32>;
@group(0) @binding(5) var<storage, read_write> x: array<f32>;

/// How far `at` is from the centre.
fn distance_of(at: u32, centre: u32) -> u32 {
    return select(centre - at, at - centre, at > centre);
}

/// Input at cell `at` − radius along x, in the row that begins at `row`.
fn input_at(row: u32, at: u32) -> f32 {
    let place = places[place_at(plan, 0u, at, plan.radius)];
    return sign_of(place) * first[row + cell_of(place)];
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let cells = plan.cells;
    if (any(id >= cells.xyz)) {
        return;
    }
    let radius = plan.radius;
    let side = radius + 1u;
    let deep = select(0u, radius, cells.z > 1u);
    var sum = 0.0;
    for (var dk = 0u; dk <= 2u * deep; dk++) {
        let layer = places[place_at(plan, 2u, id.z + dk, deep)];
        let ok = distance_of(dk, deep);
        // Only as far as the sum of all offsets is at most the radius.
        for (var dj = ok; dj <= 2u * radius - ok; dj++) {
            let oj = distance_of(dj, radius);
            let line = places[place_at(plan, 1u, id.y + dj, radius)];
            let row = (cell_of(layer) * cells.y + cell_of(line)) * cells.x;
            let bank = plan.bank + (ok * side + oj) * side;
            let signs = sign_of(layer) * sign_of(line);
            sum += octant[bank] * (signs * input_at(row, id.x + radius));
            for (var k = 1u; k <= radius - ok - oj; k++) {
                let left = signs * input_at(row, id.x + radius - k);
                let right = signs * input_at(row, id.x + radius + k);
                sum += octant[bank + k] * (left + right);
            }
        }
    }
    let i = (id.z * cells.y + id.y) * cells.x + id.x;
    x[i] = select(0.0, result_of(plan, x[i], first[i], sum), (stencil[i] & UNKNOWN) != 0u);
}
