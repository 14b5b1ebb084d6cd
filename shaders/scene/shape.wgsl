// Signed distance and coverage of shapes. The twin of src/scene/place.rs.
import package::scene::items::PlaceU;

const ROUND = 0u;
const BOX = 1u;
const MASK = 2u;

// The point in the shape's own frame.
fn to_local(place: PlaceU, p: vec3f) -> vec3f {
    let d = p - vec3f(place.row_x.w, place.row_y.w, place.row_z.w);
    return vec3f(
        place.row_x.x * d.x + place.row_x.y * d.y + place.row_x.z * d.z,
        place.row_y.x * d.x + place.row_y.y * d.y + place.row_y.z * d.z,
        place.row_z.x * d.x + place.row_z.y * d.y + place.row_z.z * d.z,
    );
}

// Distance of a point in the shape's own frame, m, for all families but pictures.
fn solid_distance(place: PlaceU, q: vec3f) -> f32 {
    let size = place.size;
    if place.family == ROUND {
        let x = q.x - min(max(q.x, -size.x), size.x);
        return sqrt(x * x + q.y * q.y + q.z * q.z) - size.y;
    }
    let d = abs(q) - size.xyz;
    let o = max(d, vec3f(0.0));
    return sqrt(o.x * o.x + o.y * o.y + o.z * o.z) + min(max(max(d.x, d.y), d.z), 0.0) - size.w;
}

// The four texels that a point of a picture lies between, how far, and how far beyond the picture it is, texels.
struct Tap {
    texels: vec4u,
    share: vec2f,
    gap: f32,
}

fn mask_tap(place: PlaceU, q: vec3f) -> Tap {
    let pixel = place.size.x;
    let last = vec2f(f32(place.mask_width - 1u), f32(place.mask_height - 1u));
    let at = q.xy / pixel + 0.5 * last;
    let inside = clamp(at, vec2f(0.0), last);
    let cell = min(floor(inside), last - 1.0);
    let beyond = at - inside;
    let first = place.texel + u32(cell.y) * place.mask_width + u32(cell.x);
    return Tap(
        vec4u(first, first + 1u, first + place.mask_width, first + place.mask_width + 1u),
        inside - cell,
        sqrt(beyond.x * beyond.x + beyond.y * beyond.y),
    );
}

// Distance of a point to an extruded picture, m; `t` are the tap's texels, (0,0), (1,0), (0,1), (1,1).
fn mask_distance(place: PlaceU, q: vec3f, tap: Tap, t: vec4f) -> f32 {
    let low = t.x + (t.y - t.x) * tap.share.x;
    let high = t.z + (t.w - t.z) * tap.share.x;
    let plane = (low + (high - low) * tap.share.y + tap.gap) * place.size.x;
    let depth = abs(q.z) - place.size.z;
    let a = max(plane, 0.0);
    let b = max(depth, 0.0);
    return min(max(plane, depth), 0.0) + sqrt(a * a + b * b);
}

// Linear ramp inside the shape, at least one cell wide and then centred on the edge.
fn cover(distance: f32, ramp: f32, h: f32) -> f32 {
    return clamp((0.5 * h - distance) * ramp, 0.0, 1.0);
}
