import package::view::glow::near;
import package::view::look::{GLOW, INK, Look, field_planes};

// Step 3 of the picture: from light to what the screen shows, cell by cell; as src/view/tone.rs.
// (cells, solid, glow) → toned
@group(0) @binding(0) var<uniform> look: Look;
@group(0) @binding(1) var<storage, read> cells: array<f32>;
@group(0) @binding(2) var<storage, read> solid: array<f32>;
@group(0) @binding(3) var<storage, read> glow: array<f32>;
@group(0) @binding(4) var<storage, read_write> toned: array<f32>;

const LEAK: f32 = 0.035;
const KEEP: f32 = 0.8;
const HALF_KEEP: f32 = 4.0;
const TOE: f32 = 0.012;
const LIGHT = vec3<f32>(-0.47, 0.62, 0.63);
const RELIEF: f32 = 2.6;
const BEVEL: f32 = 3.0;
const HALF_HEIGHT: f32 = 0.45;
const GLOW_STRENGTH: f32 = 0.6;
const GREY: f32 = 1.06;
const SHADOW: f32 = 0.55;
const DENSITY: f32 = 1.35;

fn plane() -> u32 {
    return look.cells.x * look.cells.y;
}

fn dye(cell: u32) -> vec3<f32> {
    return vec3<f32>(cells[cell], cells[plane() + cell], cells[2u * plane() + cell]);
}

fn height(cell: u32) -> f32 {
    let rgb = dye(cell);
    let half_sum = (rgb.r + rgb.g + rgb.b) * 0.5;
    return half_sum / (half_sum + HALF_HEIGHT);
}

fn lambert(difference: vec2<f32>, steepness: f32) -> f32 {
    let g = 0.5 * steepness * difference;
    let facing = LIGHT.z - dot(g, LIGHT.xy);
    return max(facing, 0.0) / (LIGHT.z * sqrt(1.0 + dot(g, g)));
}

// The sum of all levels of the bloom pyramid.
fn light(at: vec2<u32>) -> vec3<f32> {
    if look.mode != GLOW || look.levels == 0u { return vec3<f32>(0.0); }
    let m = (look.cells + 1u) / 2u;
    let x = near(at.x, m.x);
    let y = near(at.y, m.y);
    var sum = vec3<f32>(0.0);
    for (var k = 0u; k < 3u; k++) {
        let first = k * m.x * m.y;
        let a = 0.75 * glow[first + y.x * m.x + x.x] + 0.25 * glow[first + y.x * m.x + x.y];
        let b = 0.75 * glow[first + y.y * m.x + x.x] + 0.25 * glow[first + y.y * m.x + x.y];
        sum[k] = 0.75 * a + 0.25 * b;
    }
    return sum / f32(look.levels);
}

fn near_exp(x: vec3<f32>) -> vec3<f32> {
    return 1.0 + x * (1.0 + x * (0.5 + x * 0.2));
}

// The sRGB curve by square roots.
fn encode(light: vec3<f32>) -> vec3<f32> {
    let v = clamp(light, vec3<f32>(0.0), vec3<f32>(1.0));
    let root = sqrt(v);
    let fourth = sqrt(root);
    let curve = 0.64264977 * root + 0.7118672 * fourth - 0.33678187 * sqrt(fourth) - 0.017735075 * v;
    return select(curve, 12.92 * v, v < vec3<f32>(0.0031308));
}

fn film(light: vec3<f32>) -> vec3<f32> {
    let rgb = light * light / (light + TOE);
    let mean = (rgb.r + rgb.g + rgb.b) * (1.0 / 3.0);
    let peak = max(max(max(rgb.r, rgb.g), rgb.b), 1e-12);
    let kept = (1.0 - 1.0 / near_exp(vec3<f32>(peak))) / peak;
    let keep = KEEP / (1.0 + peak * peak * (1.0 / (HALF_KEEP * HALF_KEEP)));
    let own = 1.0 - 1.0 / near_exp(rgb + LEAK * (mean - rgb));
    return encode(own + keep * (rgb * kept - own));
}

@compute @workgroup_size(16, 16, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let n = look.cells;
    if id.x >= n.x || id.y >= n.y { return; }
    let cell = id.y * n.x + id.x;
    let left = id.y * n.x + max(id.x, 1u) - 1u;
    let right = id.y * n.x + min(id.x + 1u, n.x - 1u);
    let below = (max(id.y, 1u) - 1u) * n.x + id.x;
    let above = min(id.y + 1u, n.y - 1u) * n.x + id.x;
    let fields = field_planes(look);
    var shadow = 1.0;
    if look.solid == 1u { shadow = 1.0 - SHADOW * solid[plane() + cell]; }

    if look.mode <= INK {
        let rgb = dye(cell);
        let relief = lambert(vec2<f32>(height(right) - height(left), height(above) - height(below)), RELIEF) - 1.0;
        var shown = vec3<f32>(0.0);
        if look.mode == INK {
            let most = max(max(rgb.r, rgb.g), rgb.b) * GREY;
            let lit = max(1.0 + 0.35 * look.shading * relief, 0.0) * shadow;
            shown = encode(look.background.rgb * lit / near_exp((most - rgb) * DENSITY));
        } else {
            let lit = max(1.0 + look.shading * relief, 0.0);
            let around = GLOW_STRENGTH * look.bloom * light(id.xy);
            shown = film((rgb * lit + around + look.background.rgb) * shadow);
        }
        for (var k = 0u; k < 3u; k++) { toned[k * plane() + cell] = shown[k]; }
    } else {
        for (var k = 0u; k < fields; k++) { toned[k * plane() + cell] = cells[k * plane() + cell]; }
    }
    if look.solid == 1u {
        let blurred = plane();
        let slope = vec2<f32>(solid[blurred + right] - solid[blurred + left], solid[blurred + above] - solid[blurred + below]);
        let bevel = lambert(slope, BEVEL);
        let own = look.obstacles.rgb;
        let lit = light(id.xy) * (0.04 + 1.6 * own) + own * (0.25 + 0.75 * bevel * bevel);
        let shown = select(encode(lit), film(lit), look.mode == GLOW);
        toned[fields * plane() + cell] = solid[cell];
        for (var k = 0u; k < 3u; k++) { toned[(fields + 1u + k) * plane() + cell] = shown[k]; }
    }
}
