import package::scene::items::RasterU;

// Cells that obstacles have left take the mean of the nearest fluid about them, up to four cells away:
// (covered, solid) → scalars. What is written is never read: it was covered.
@group(0) @binding(0) var<uniform> raster: RasterU;
@group(0) @binding(1) var<storage, read> covered: array<f32>;
@group(0) @binding(2) var<storage, read> solid: array<u32>;
@group(0) @binding(3) var<storage, read_write> scalars: array<vec4f>;

const REACH: i32 = 4;

// The cell at a place that may lie beyond an end, or −1 if there is none.
fn cell_at(place: vec3i) -> i32 {
    let dims = vec3i(raster.dims);
    let joined = ((place % dims) + dims) % dims;
    let p = select(place, joined, raster.periodic != vec3u(0u));
    if any(p < vec3i(0)) || any(p >= dims) { return -1; }
    return (p.z * dims.y + p.y) * dims.x + p.x;
}

// Sum over the fluid of the cells at distance r (largest of the coordinates'), and their number.
fn ring(centre: vec3i, r: i32) -> array<vec4f, 2> {
    let deep = select(r, 0, raster.flat_z != 0u);
    var sum = vec4f(0.0);
    var count = 0.0;
    for (var k = -deep; k <= deep; k++) {
        for (var j = -r; j <= r; j++) {
            for (var i = -r; i <= r; i++) {
                if max(max(abs(i), abs(j)), abs(k)) != r { continue; }
                let cell = cell_at(centre + vec3i(i, j, k));
                if cell < 0 { continue; }
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
    if covered[cell] == 0.0 || solid[cell] != 0u { return; }
    var v = vec4f(0.0);
    for (var r = 1; r <= REACH; r++) {
        let found = ring(vec3i(id), r);
        if found[1].x > 0.0 {
            v = found[0] / found[1].x;
            break;
        }
    }
    scalars[cell] = v;
}
