// What the passes of advection are told, and their limiter: the twin of src/grid/advect.rs.

const PLAIN: u32 = 0u;
const CORRECT: u32 = 1u;
const COMPENSATE: u32 = 2u;

struct Advection {
    gain: vec4<f32>,
    /// Step over the edge of a cell, s/m.
    c: f32,
    /// Order of the trace.
    order: u32,
    mode: u32,
    /// 0 free, 1 clamp, 2 revert.
    limiter: u32,
    solids: u32,
    unused0: u32,
    unused1: u32,
    unused2: u32,
}

fn limited(value: f32, low: f32, high: f32, fallback: f32, limiter: u32) -> f32 {
    let under = value < low;
    let over = value > high;
    if (limiter == 0u || !(under || over)) {
        return value;
    }
    if (limiter == 2u) {
        return fallback;
    }
    return select(high, low, under);
}

fn ralston(a: vec2<f32>, b: vec2<f32>, c: vec2<f32>) -> vec2<f32> {
    return (2.0 * a + 3.0 * b + 4.0 * c) * (1.0 / 9.0);
}
