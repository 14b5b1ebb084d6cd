import package::scene::items::{EmitterU, PlaceU, RasterU, StrokeU, blend, brush, in_box, sample_point};
import package::scene::shape::{MASK, cover, mask_distance, mask_tap, solid_distance, to_local};

// Emitters and brush strokes change dye and temperature; solids hold no dye:
// (emitters, strokes, texels, solid) → scalars (red, green, blue, temperature).
@group(0) @binding(0) var<uniform> raster: RasterU;
@group(0) @binding(1) var<storage, read> emitters: array<EmitterU>;
@group(0) @binding(2) var<storage, read> strokes: array<StrokeU>;
@group(0) @binding(3) var<storage, read> texels: array<f32>;
@group(0) @binding(4) var<storage, read> solid: array<u32>;
@group(0) @binding(5) var<storage, read_write> scalars: array<vec4f>;

// Distance of a point to a shape, m. It reads this kernel's texels, and cannot be imported.
fn distance_to(place: PlaceU, p: vec3f) -> f32 {
    let q = to_local(place, p);
    if place.family != MASK { return solid_distance(place, q); }
    let tap = mask_tap(place, q);
    let t = tap.texels;
    return mask_distance(place, q, tap, vec4f(texels[t.x], texels[t.y], texels[t.z], texels[t.w]));
}

// Dye does not become negative by what acts here.
fn dye_of(new_dye: vec3f, acts: bool) -> vec3f {
    return select(new_dye, vec3f(0.0), vec3<bool>(acts) & (new_dye < vec3f(0.0)));
}

fn emitted(old: vec4f, e: EmitterU, coverage: f32) -> vec4f {
    var v = old;
    let s = e.velocity.w;
    let dt = raster.dt;
    if e.dye_blend != 0u {
        let dye = vec3f(
            blend(e.dye_blend, v.x, e.dye.x, s, dt, coverage),
            blend(e.dye_blend, v.y, e.dye.y, s, dt, coverage),
            blend(e.dye_blend, v.z, e.dye.z, s, dt, coverage),
        );
        v = vec4f(dye_of(dye, coverage > 0.0), v.w);
    }
    if e.temperature_blend != 0u {
        v.w = blend(e.temperature_blend, v.w, e.dye.w, s, dt, coverage);
    }
    return v;
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if any(id >= raster.dims) { return; }
    let cell = (id.z * raster.dims.y + id.y) * raster.dims.x + id.x;
    let p = sample_point(raster, id);
    var v = scalars[cell];
    for (var n = 0u; n < raster.emitters; n++) {
        if !in_box(emitters[n].place.low, emitters[n].place.high, p) { continue; }
        let coverage = cover(distance_to(emitters[n].place, p), emitters[n].ramp, raster.h);
        v = emitted(v, emitters[n], coverage);
    }
    for (var n = 0u; n < raster.strokes; n++) {
        if !in_box(strokes[n].low, strokes[n].high, p) { continue; }
        let amount = brush(strokes[n], p) * raster.dt;
        v = vec4f(dye_of(v.xyz + strokes[n].dye.xyz * amount, amount > 0.0), v.w);
    }
    if raster.obstacles > 0u && solid[cell] != 0u {
        v = vec4f(0.0, 0.0, 0.0, v.w);
    }
    scalars[cell] = v;
}
