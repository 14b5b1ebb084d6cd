import package::scene::items::{EmitterU, MotorU, PlaceU, RasterU, StrokeU, blend, brush, in_box, sample_point};
import package::scene::shape::{MASK, cover, mask_distance, mask_tap, solid_distance, to_local};

// Emitters, motors and brush strokes change one component of the velocity:
// (emitters, motors, strokes, texels) → u.
@group(0) @binding(0) var<uniform> raster: RasterU;
@group(0) @binding(1) var<storage, read> emitters: array<EmitterU>;
@group(0) @binding(2) var<storage, read> motors: array<MotorU>;
@group(0) @binding(3) var<storage, read> strokes: array<StrokeU>;
@group(0) @binding(4) var<storage, read> texels: array<f32>;
@group(0) @binding(5) var<storage, read_write> u: array<f32>;

// Distance of a point to a shape, m. It reads this kernel's texels, and cannot be imported.
fn distance_to(place: PlaceU, p: vec3f) -> f32 {
    let q = to_local(place, p);
    if place.family != MASK { return solid_distance(place, q); }
    let tap = mask_tap(place, q);
    let t = tap.texels;
    return mask_distance(place, q, tap, vec4f(texels[t.x], texels[t.y], texels[t.z], texels[t.w]));
}

// (1 − (r/R)²)^falloff; the common exponents do without a power.
fn falloff(q: f32, power: f32) -> f32 {
    if power == 0.0 { return 1.0; }
    if power == 1.0 { return q; }
    if power == 2.0 { return q * q; }
    return pow(q, power);
}

// Component of the direction of the push; its length falls to zero within one cell of the centre.
fn direction(m: MotorU, axis: u32, d: vec3f) -> f32 {
    if m.kind == 0u { return m.direction[axis]; }
    if m.kind == 1u { return d[axis] / max(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), m.core); }
    let r = max(sqrt(d.x * d.x + d.y * d.y), m.core);
    if axis == 0u { return (-d.y - m.inflow * d.x) / r; }
    if axis == 1u { return (d.x - m.inflow * d.y) / r; }
    return 0.0;
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if any(id >= raster.dims) { return; }
    let at = (id.z * raster.dims.y + id.y) * raster.dims.x + id.x;
    let axis = raster.axis;
    let p = sample_point(raster, id);
    var v = u[at];
    for (var n = 0u; n < raster.emitters; n++) {
        let mode = emitters[n].velocity_blend;
        if mode == 0u || !in_box(emitters[n].place.low, emitters[n].place.high, p) { continue; }
        let coverage = cover(distance_to(emitters[n].place, p), emitters[n].ramp, raster.h);
        v = blend(mode, v, emitters[n].velocity[axis], emitters[n].velocity.w, raster.dt, coverage);
    }
    for (var n = 0u; n < raster.motors; n++) {
        let m = motors[n];
        let d = p - m.centre.xyz;
        let q = 1.0 - (d.x * d.x + d.y * d.y + d.z * d.z) / (m.centre.w * m.centre.w);
        if q > 0.0 { v += m.direction.w * falloff(q, m.falloff) * direction(m, axis, d) * raster.dt; }
    }
    for (var n = 0u; n < raster.strokes; n++) {
        if strokes[n].end.w <= 0.0 || !in_box(strokes[n].low, strokes[n].high, p) { continue; }
        v += (strokes[n].velocity[axis] - v) * (brush(strokes[n], p) * strokes[n].end.w);
    }
    u[at] = v;
}
