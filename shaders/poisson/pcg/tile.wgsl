// The sum of one number of each of the 64 invocations of a workgroup, in a fixed order: eight lanes, then the lanes.

var<workgroup> lanes: array<f32, 64>;

/// Valid in lane 0. Called by all.
fn tile_sum(lane: u32, value: f32) -> f32 {
    lanes[lane] = value;
    workgroupBarrier();
    if (lane < 8u) {
        var sum = 0.0;
        for (var k = lane; k < 64u; k += 8u) {
            sum += lanes[k];
        }
        lanes[lane] = sum;
    }
    workgroupBarrier();
    var all = 0.0;
    if (lane == 0u) {
        for (var k = 0u; k < 8u; k++) {
            all += lanes[k];
        }
    }
    workgroupBarrier();
    return all;
}
