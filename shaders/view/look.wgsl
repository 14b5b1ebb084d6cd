// What the passes of the picture share; the structs stand in src/view/look.rs, which says what each member is.

const GLOW: u32 = 0u;
const INK: u32 = 1u;
const MAP: u32 = 2u;
const DIRECTION: u32 = 3u;

struct Look {
    cells: vec2<u32>,
    size: vec2<u32>,
    mode: u32,
    components: u32,
    first_cell: u32,
    solid: u32,
    gain: f32,
    bloom: f32,
    shading: f32,
    low: f32,
    inv_range: f32,
    luminance: u32,
    levels: u32,
    pad: u32,
    background: vec4<f32>,
    obstacles: vec4<f32>,
}

// Sizes of a step of the bloom pyramid.
struct Level {
    fine: vec2<u32>,
    coarse: vec2<u32>,
    first: u32,
    pad0: u32,
    pad1: u32,
    pad2: u32,
}

// Planes that carry the field.
fn field_planes(look: Look) -> u32 {
    return select(select(2u, 1u, look.mode == MAP), 3u, look.mode <= INK);
}

// Not a number and infinity become zero.
fn finite(v: f32) -> f32 {
    return select(0.0, v, abs(v) < 1e30);
}

// B and C of Mitchell and Netravali; as in src/view/compose.rs.
const B: f32 = 0.2;
const C: f32 = 0.4;

fn cubic(signed: f32) -> f32 {
    let x = abs(signed);
    let near = ((12.0 - 9.0 * B - 6.0 * C) * x * x * x + (12.0 * B + 6.0 * C - 18.0) * x * x + 6.0 - 2.0 * B) / 6.0;
    let far = ((-B - 6.0 * C) * x * x * x + (6.0 * B + 30.0 * C) * x * x - (12.0 * B + 48.0 * C) * x + 8.0 * B + 24.0 * C) / 6.0;
    return select(select(0.0, far, x < 2.0), near, x < 1.0);
}

// The cells of which a pixel is made: position among cells, width of the filter, first cell, number of cells.
struct Taps {
    x: f32,
    width: f32,
    first: i32,
    count: i32,
}

fn taps(pixel: u32, n: u32, size: u32) -> Taps {
    let step = f32(n) / f32(size);
    let x = (f32(pixel) + 0.5) * step - 0.5;
    let width = max(step, 1.0);
    let count = 2 * i32(ceil(2.0 * width));
    return Taps(x, width, i32(floor(x)) - count / 2 + 1, count);
}
