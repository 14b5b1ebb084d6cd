import package::grid::codes::UNKNOWN;
import package::poisson::poisson_filter::plan::{FilterU, cell_of, place_at, result_of, sign_of};

// The filters along y or z, taps in pairs, at last added up: (places, taps, vectors, first input, stencil) → passed, or x.
// A group does 8 columns of 32 cells. Its tile holds 48 cells beyond both ends, which is enough for almost all filters; for taps
// beyond those it is filled again, half of it with what lies before and half with what lies behind.

@group(0) @binding(0) var<uniform> plan: FilterU;
@group(0) @binding(1) var<storage, read> places: array<u32>;
@group(0) @binding(2) var<storage, read> taps: array<vec4<f32>>;
@group(0) @binding(3) var<storage, read> vectors: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> first: array<f32>;
@group(0) @binding(5) var<storage, read> stencil: array<u32>;
@group(0) @binding(6) var<storage, read_write> passed: array<vec4<f32>>;
@group(0) @binding(7) var<storage, read_write> x: array<f32>;

const WIDTH: u32 = 8u;
const HEIGHT: u32 = 32u;
/// Cells of a column in the tile.
const COLUMN: u32 = 128u;
/// Taps on each side of the first filling, and of each further one.
const NEAR: u32 = 48u;
const FAR: u32 = 33u;

var<workgroup> tile: array<vec4<f32>, 1024>;

@compute @workgroup_size(8, 32, 1)
fn main(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(workgroup_id) group_id: vec3<u32>,
) {
    let cells = plan.cells;
    let up = plan.axis == 1u;
    // Along the columns and across them, in cells and in memory.
    let length = select(cells.z, cells.y, up);
    let width = select(cells.y, cells.z, up);
    let stride = select(cells.x * cells.y, cells.x, up);
    let across = select(cells.x, cells.x * cells.y, up);
    let base = min(id.x, cells.x - 1u) + min(id.z, width - 1u) * across;
    let inside = id.x < cells.x && id.y < length && id.z < width;
    let i = base + min(id.y, length - 1u) * stride;
    let count = cells.x * cells.y * cells.z;
    let begin = group_id.y * HEIGHT;
    var total = 0.0;
    for (var group = 0u; group < plan.groups; group++) {
        let bank = plan.bank + group * (plan.radius + 1u);
        var sum = vec4<f32>(0.0);
        var nearest = 0u;
        while (nearest <= plan.radius) {
            let whole = nearest == 0u;
            let farthest = min(plan.radius, nearest + select(FAR - 1u, NEAR, whole));
            workgroupBarrier();
            for (var q = local.y; q < COLUMN; q += HEIGHT) {
                let behind = !whole && q >= COLUMN / 2u;
                let at = select(begin + q, begin + q - COLUMN / 2u + nearest, behind);
                let place = places[place_at(plan, plan.axis, at, select(farthest, 0u, behind))];
                if (!whole || q < HEIGHT + 2u * farthest) {
                    tile[q * WIDTH + local.x] = sign_of(place) * vectors[group * count + base + cell_of(place) * stride];
                }
            }
            workgroupBarrier();
            let before = local.y + farthest;
            let behind = local.y + select(COLUMN / 2u - nearest, farthest, whole);
            if (whole) {
                sum = taps[bank] * tile[before * WIDTH + local.x];
            }
            for (var k = max(nearest, 1u); k <= farthest; k++) {
                sum += taps[bank + k] * (tile[(before - k) * WIDTH + local.x] + tile[(behind + k) * WIDTH + local.x]);
            }
            nearest = farthest + 1u;
        }
        if (plan.last == 0u && inside) {
            passed[group * count + i] = sum;
        }
        total += ((sum.x + sum.y) + sum.z) + sum.w;
    }
    if (plan.last != 0u && inside) {
        x[i] = select(0.0, result_of(plan, x[i], first[i], total), (stencil[i] & UNKNOWN) != 0u);
    }
}
