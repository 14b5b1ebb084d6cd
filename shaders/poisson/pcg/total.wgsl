// Adds up partial sums in a fixed order, by one workgroup of 256: each lane every 256th, then 16 lanes, then the lanes.

var<workgroup> totals: array<f32, 256>;

/// Valid in lane 0. Called by all, with their own share.
fn total(lane: u32, share: f32) -> f32 {
    totals[lane] = share;
    workgroupBarrier();
    if (lane < 16u) {
        var sum = 0.0;
        for (var k = lane; k < 256u; k += 16u) {
            sum += totals[k];
        }
        totals[lane] = sum;
    }
    workgroupBarrier();
    var all = 0.0;
    if (lane == 0u) {
        for (var k = 0u; k < 16u; k++) {
            all += totals[k];
        }
    }
    workgroupBarrier();
    return all;
}
