// What pushing ahead is told, and its numbers in fixed point: the twin of src/grid/push.rs.

struct Push {
    gain: vec4<f32>,
    /// Step over the edge of a cell, s/m.
    c: f32,
    /// Order of the trace.
    order: u32,
    /// Numbers of a sample: 1 or 4.
    numbers: u32,
    solids: u32,
}

/// One, in units of fixed point.
const ONE: f32 = 16777216.0;
const MOST: f32 = 32768.0;
const WORD: f32 = 4294967296.0;

/// A number in units, as the low and the high word of an integer of 64 bits.
fn fixed(x: f32) -> vec2<u32> {
    // What is not a number counts for nothing, seen by its bits: comparisons need not see it.
    if ((bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u) {
        return vec2<u32>(0u);
    }
    // All of this is exact: the size is an integer of 24 significant bits below 2³⁹.
    let size = round(min(abs(x), MOST) * ONE);
    let high = floor(size / WORD);
    let words = vec2<u32>(u32(size - high * WORD), u32(high));
    return select(words, negative(words), x < 0.0);
}

/// The number that two words hold.
fn number(words: vec2<u32>) -> f32 {
    let below = (words.y >> 31u) == 1u;
    let size = select(words, negative(words), below);
    let sum = f32(size.y) * WORD + f32(size.x);
    return select(sum, -sum, below) * (1.0 / ONE);
}

fn negative(words: vec2<u32>) -> vec2<u32> {
    let low = ~words.x + 1u;
    return vec2<u32>(low, ~words.y + select(0u, 1u, low == 0u));
}
