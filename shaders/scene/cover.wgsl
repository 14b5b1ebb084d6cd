import package::scene::items::RasterU;

// 1 in solid cells, else 0: solid → covered.
@group(0) @binding(0) var<uniform> raster: RasterU;
@group(0) @binding(1) var<storage, read> solid: array<u32>;
@group(0) @binding(2) var<storage, read_write> covered: array<f32>;

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if any(id >= raster.dims) { return; }
    let cell = (id.z * raster.dims.y + id.y) * raster.dims.x + id.x;
    covered[cell] = select(0.0, 1.0, solid[cell] != 0u);
}
