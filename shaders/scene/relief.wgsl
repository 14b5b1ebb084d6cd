import package::scene::items::{PlaceU, RasterU, ReliefU, blend, in_box, sample_point};
import package::scene::shape::{MASK, cover, mask_distance, mask_tap, solid_distance, to_local};

// What changes heights, one item after the other: (items, texels) → heights; what changed is added to change where
// raster.axis is not zero, and heights stay above zero then.
@group(0) @binding(0) var<uniform> raster: RasterU;
@group(0) @binding(1) var<storage, read> items: array<ReliefU>;
@group(0) @binding(2) var<storage, read> texels: array<f32>;
@group(0) @binding(3) var<storage, read_write> heights: array<f32>;
@group(0) @binding(4) var<storage, read_write> change: array<f32>;

// Distance of a point to a shape, m. It reads this kernel's texels, and cannot be imported.
fn distance_to(place: PlaceU, p: vec3f) -> f32 {
    let q = to_local(place, p);
    if place.family != MASK { return solid_distance(place, q); }
    let tap = mask_tap(place, q);
    let t = tap.texels;
    return mask_distance(place, q, tap, vec4f(texels[t.x], texels[t.y], texels[t.z], texels[t.w]));
}

// Height at a point: of all, or from the map.
fn height(item: ReliefU, p: vec3f) -> f32 {
    if item.map_size == 0u { return item.height.y; }
    let w = item.map_size & 0xffffu;
    let h = item.map_size >> 16u;
    let q = to_local(item.place, p);
    let last = vec2f(f32(w - 1u), f32(h - 1u));
    let at = clamp((0.5 + 0.5 * q.xy / item.spread.xy) * (last + 1.0) - 0.5, vec2f(0.0), last);
    let cell = floor(at);
    let share = at - cell;
    let next = min(cell + 1.0, last);
    let below = item.texel + u32(cell.y) * w;
    let above = item.texel + u32(next.y) * w;
    let a = texels[below + u32(cell.x)];
    let b = texels[above + u32(cell.x)];
    let low = a + (texels[below + u32(next.x)] - a) * share.x;
    let high = b + (texels[above + u32(next.x)] - b) * share.x;
    let t = low + (high - low) * share.y;
    return item.height.x + (item.height.y - item.height.x) * t;
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if any(id >= raster.dims) { return; }
    let cell = (id.z * raster.dims.y + id.y) * raster.dims.x + id.x;
    let p = sample_point(raster, id);
    let noted = raster.axis != 0u;
    var v = heights[cell];
    var sum = change[cell];
    for (var n = 0u; n < raster.emitters; n++) {
        if !in_box(items[n].place.low, items[n].place.high, p) { continue; }
        var c = cover(distance_to(items[n].place, p), items[n].height.w, raster.h);
        if items[n].smooth_edge != 0u { c = c * c * (3.0 - 2.0 * c); }
        var new_height = blend(items[n].mode, v, height(items[n], p), items[n].height.z, raster.dt, c);
        if noted {
            new_height = max(new_height, 0.0);
            sum += new_height - v;
        }
        v = new_height;
    }
    heights[cell] = v;
    change[cell] = sum;
}
