import package::scene::items::{ObstacleU, PlaceU, RasterU, sample_point};
import package::scene::shape::{MASK, mask_distance, mask_tap, solid_distance, to_local};

// Union of obstacles, φ = min φ_n; velocity of solids v + ω × (p − c): (obstacles, texels) → (sdf, solid, solid_velocity).
@group(0) @binding(0) var<uniform> raster: RasterU;
@group(0) @binding(1) var<storage, read> obstacles: array<ObstacleU>;
@group(0) @binding(2) var<storage, read> texels: array<f32>;
@group(0) @binding(3) var<storage, read_write> sdf: array<f32>;
@group(0) @binding(4) var<storage, read_write> solid: array<u32>;
@group(0) @binding(5) var<storage, read_write> solid_velocity: array<vec4f>;

const FAR = 1e18;

// Distance of a point to a shape, m. It reads this kernel's texels, and cannot be imported.
fn distance_to(place: PlaceU, p: vec3f) -> f32 {
    let q = to_local(place, p);
    if place.family != MASK { return solid_distance(place, q); }
    let tap = mask_tap(place, q);
    let t = tap.texels;
    return mask_distance(place, q, tap, vec4f(texels[t.x], texels[t.y], texels[t.z], texels[t.w]));
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if any(id >= raster.dims) { return; }
    let cell = (id.z * raster.dims.y + id.y) * raster.dims.x + id.x;
    let p = sample_point(raster, id);
    var least = FAR;
    var owner = 0u;
    for (var n = 0u; n < raster.obstacles; n++) {
        let d = distance_to(obstacles[n].place, p);
        if d < least {
            least = d;
            owner = select(owner, n + 1u, d < 0.0);
        }
    }
    var velocity = vec4f(0.0);
    if owner > 0u {
        let o = obstacles[owner - 1u];
        let r = p - vec3f(o.place.row_x.w, o.place.row_y.w, o.place.row_z.w);
        velocity = vec4f(
            o.velocity.x + o.turn.y * r.z - o.turn.z * r.y,
            o.velocity.y + o.turn.z * r.x - o.turn.x * r.z,
            o.velocity.z + o.turn.x * r.y - o.turn.y * r.x,
            o.velocity.w,
        );
    }
    sdf[cell] = least;
    solid[cell] = owner;
    solid_velocity[cell] = velocity;
}
