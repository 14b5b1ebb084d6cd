// Shows the shaded picture in the editor: a rectangle of the target, filled from the texture with linear filtering.
// texture (sRGB values) → target

struct BlitU {
    // Left, top, right, bottom in normalised device coordinates.
    corners: vec4<f32>,
    // One where the target expects linear light and applies the curve itself.
    linear: u32,
    pad0: u32,
    pad1: u32,
    pad2: u32,
}

@group(0) @binding(0) var<uniform> blit: BlitU;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var filtered: sampler;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn corner(@builtin(vertex_index) index: u32) -> Corner {
    let uv = vec2<f32>(f32(index & 1u), f32(index >> 1u));
    let position = mix(blit.corners.xy, blit.corners.zw, uv);
    return Corner(vec4<f32>(position, 0.0, 1.0), uv);
}

@fragment
fn pixel(at: Corner) -> @location(0) vec4<f32> {
    let shown = textureSample(picture, filtered, at.uv).rgb;
    let low = shown / 12.92;
    let high = pow((shown + 0.055) / 1.055, vec3<f32>(2.4));
    let light = select(high, low, shown <= vec3<f32>(0.04045));
    return vec4<f32>(select(shown, light, blit.linear == 1u), 1.0);
}
