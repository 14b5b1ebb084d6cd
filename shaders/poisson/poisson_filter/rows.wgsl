import package::poisson::poisson_filter::plan::{FilterU, cell_of, place_at, sign_of};

// Four filters along x to a vector, taps in pairs: (places, taps, first and second input) → vectors, group after group.

@group(0) @binding(0) var<uniform> plan: FilterU;
@group(0) @binding(1) var<storage, read> places: array<u32>;
@group(0) @binding(2) var<storage, read> taps: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> first: array<f32>;
@group(0) @binding(4) var<storage, read> second: array<f32>;
@group(0) @binding(5) var<storage, read_write> vectors: array<vec4<f32>>;

const WIDTH: u32 = 64u;
/// Cells of a row that a group holds: its own and 128 beyond each end.
const LINE: u32 = 320u;

/// Four rows of each input.
var<workgroup> tile: array<f32, 2560>;

@compute @workgroup_size(64, 4, 1)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(workgroup_id) group_id: vec3<u32>,
) {
    let cells = plan.cells;
    let row = (min(id.z, cells.z - 1u) * cells.y + min(id.y, cells.y - 1u)) * cells.x;
    let own = local.y * LINE;
    let both = plan.split < plan.groups;
    for (var q = local.x; q < WIDTH + 2u * plan.radius; q += WIDTH) {
        let place = places[place_at(plan, 0u, group_id.x * WIDTH + q, plan.radius)];
        let at_cell = row + cell_of(place);
        tile[own + q] = sign_of(place) * first[at_cell];
        if (both) {
            tile[4u * LINE + own + q] = sign_of(place) * second[at_cell];
        }
    }
    workgroupBarrier();
    if (any(id >= cells.xyz)) {
        return;
    }
    let count = cells.x * cells.y * cells.z;
    for (var group = 0u; group < plan.groups; group++) {
        let at = own + local.x + plan.radius + select(0u, 4u * LINE, group >= plan.split);
        let bank = plan.bank + group * (plan.radius + 1u);
        var sum = taps[bank] * tile[at];
        for (var k = 1u; k <= plan.radius; k++) {
            sum += taps[bank + k] * (tile[at - k] + tile[at + k]);
        }
        vectors[group * count + row + id.x] = sum;
    }
}
