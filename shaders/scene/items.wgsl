// Items of the scene as kernels read them. The same structs stand in src/scene/records.rs, place.rs and raster/mod.rs,
// which say what each member is.

struct PlaceU {
    row_x: vec4f,
    row_y: vec4f,
    row_z: vec4f,
    size: vec4f,
    low: vec4f,
    high: vec4f,
    family: u32,
    texel: u32,
    mask_width: u32,
    mask_height: u32,
}

struct EmitterU {
    place: PlaceU,
    dye: vec4f,
    velocity: vec4f,
    dye_blend: u32,
    velocity_blend: u32,
    temperature_blend: u32,
    ramp: f32,
}

struct ObstacleU {
    place: PlaceU,
    velocity: vec4f,
    turn: vec4f,
}

struct ReliefU {
    place: PlaceU,
    height: vec4f,
    spread: vec4f,
    mode: u32,
    smooth_edge: u32,
    texel: u32,
    map_size: u32,
}

struct MotorU {
    centre: vec4f,
    direction: vec4f,
    falloff: f32,
    inflow: f32,
    kind: u32,
    core: f32,
}

struct StrokeU {
    begin: vec4f,
    end: vec4f,
    velocity: vec4f,
    dye: vec4f,
    low: vec4f,
    high: vec4f,
}

struct RasterU {
    dims: vec3u,
    h: f32,
    offset: vec3f,
    dt: f32,
    emitters: u32,
    strokes: u32,
    motors: u32,
    obstacles: u32,
    solid_low: vec3u,
    axis: u32,
    solid_high: vec3u,
    flat_z: u32,
    periodic: vec3u,
    unused: u32,
}

const ADD = 1u;
const CLAMP = 2u;

// Where sample `id` lies, m.
fn sample_point(raster: RasterU, id: vec3u) -> vec3f {
    let p = (vec3f(id) + raster.offset) * raster.h;
    return select(p, vec3f(p.xy, 0.0), raster.flat_z != 0u);
}

// Whether a point can be in a bounding box.
fn in_box(low: vec4f, high: vec4f, p: vec3f) -> bool {
    return all(p >= low.xyz) && all(p <= high.xyz);
}

// One value changed by an emitter.
// add: a + value·strength·dt·coverage; clamp: at least value·strength·coverage, at most where that is negative;
// replace: mixed with value·max(strength, 1) by coverage·min(strength, 1).
fn blend(mode: u32, a: f32, value: f32, strength: f32, dt: f32, coverage: f32) -> f32 {
    if mode == ADD { return a + value * strength * dt * coverage; }
    if mode == CLAMP {
        let bound = value * strength * coverage;
        let reached = select(a <= bound, a >= bound, bound >= 0.0);
        return select(bound, a, reached || coverage <= 0.0);
    }
    let share = coverage * clamp(strength, 0.0, 1.0);
    return a + (value * max(strength, 1.0) - a) * share;
}

// Profile of a brush at a point: (1 − (d/R)²)², d being the distance to the way that the brush goes.
fn brush(stroke: StrokeU, p: vec3f) -> f32 {
    let way = stroke.end.xyz - stroke.begin.xyz;
    let d = p - stroke.begin.xyz;
    let length = way.x * way.x + way.y * way.y + way.z * way.z;
    let along = d.x * way.x + d.y * way.y + d.z * way.z;
    let e = d - way * clamp(along / max(length, 1e-20), 0.0, 1.0);
    let radius = stroke.begin.w;
    let q = max(1.0 - (e.x * e.x + e.y * e.y + e.z * e.z) / (radius * radius), 0.0);
    return q * q;
}
