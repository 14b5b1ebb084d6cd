import package::scene::items::RasterU;

// Cells that obstacles have left take the mean of the nearest fluid about them, up to four cells away:
// (covered, solid, scalars) → filled.
@group(0) @binding(0) var<uniform> raster: RasterU;
@group(0) @binding(1) var<storage, read> covered: array<f32>;
@group(0) @binding(2) var<storage, read> solid: array<u32>;
@group(0) @binding(3) var<storage, read> scalars: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> filled: array<vec4f>;

const REACH: i32 = 4;

// Sum over the fluid of the cells at distance r (largest of the coordinates'), and their number.
fn ring(centre: vec3i, r: i32) -> array<vec4f, 2> {
    let dims = vec3i(raster.dims);
    let low = max(centre - r, vec3i(0));
    let high = min(centre + r, dims - 1);
    var sum = vec4f(0.0);
    var count = 0.0;
    for (var k = low.z; k <= high.z; k++) {
        for (var j = low.y; j <= high.y; j++) {
            for (var i = low.x; i <= high.x; i++) {
                let away = abs(vec3i(i, j, k) - centre);
                if max(max(away.x, away.y), away.z) != r { continue; }
                let cell = (k * dims.y + j) * dims.x + i;
                if covered[cell] == 0.0 && solid[cell] == 0u {
                    sum += scalars[cell];
                    count += 1.0;
                }
            }
        }
    }
    return array<vec4f, 2>(sum, vec4f(count));
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if any(id >= raster.dims) { return; }
    let cell = (id.z * raster.dims.y + id.y) * raster.dims.x + id.x;
    var v = scalars[cell];
    if covered[cell] != 0.0 && solid[cell] == 0u {
        v = vec4f(0.0);
        for (var r = 1; r <= REACH; r++) {
            let found = ring(vec3i(id), r);
            if found[1].x > 0.0 {
                v = found[0] / found[1].x;
                break;
            }
        }
    }
    filled[cell] = v;
}
