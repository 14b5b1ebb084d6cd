import package::common::item::item;
import package::poisson::count::CountU;

// Σ values over each chunk, by eight lanes: (chunks, values) → sums.

@group(0) @binding(0) var<uniform> size: CountU;
@group(0) @binding(1) var<storage, read> chunks: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> values: array<f32>;
@group(0) @binding(3) var<storage, read_write> sums: array<f32>;

@compute @workgroup_size(64, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let i = item(id, groups, 64u);
    if (i >= size.count) {
        return;
    }
    let begin = chunks[i].x;
    let end = begin + chunks[i].y;
    var low = vec4<f32>(0.0);
    var high = vec4<f32>(0.0);
    var c = begin;
    for (; c + 8u <= end; c += 8u) {
        low += vec4<f32>(values[c], values[c + 1u], values[c + 2u], values[c + 3u]);
        high += vec4<f32>(values[c + 4u], values[c + 5u], values[c + 6u], values[c + 7u]);
    }
    for (var lane = 0u; c + lane < end; lane++) {
        if (lane < 4u) {
            low[lane] += values[c + lane];
        } else {
            high[lane - 4u] += values[c + lane];
        }
    }
    sums[i] = ((low.x + low.y) + (low.z + low.w)) + ((high.x + high.y) + (high.z + high.w));
}
