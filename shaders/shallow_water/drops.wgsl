import package::shallow_water::water::{WaterU, joined};

// Drops of spray: the twin of src/solvers/shallow_water/spray.rs.

struct SprayU {
    begins: f32,
    share: f32,
    lift: f32,
    dt: f32,
    step: u32,
    seed: u32,
    strips: u32,
    unused: u32,
}

const STRIP = 8u;
const QUANTA = 4096.0;
const MOST = 512.0;

fn depth_quantum(at: WaterU) -> f32 { return at.h / QUANTA; }
fn speed_quantum(at: WaterU) -> f32 { return at.fastest / QUANTA; }

// A number from 0 to 1.
fn random(seed: u32, slot: u32, step: u32) -> f32 {
    var x = (seed * 0x9E3779B9u) ^ (slot * 0x85EBCA6Bu) ^ (step * 0xC2B2AE35u);
    for (var n = 0; n < 2; n++) {
        x ^= x >> 16u;
        x *= 0x7FEB352Du;
        x ^= x >> 15u;
        x *= 0x846CA68Bu;
    }
    return f32((x ^ (x >> 16u)) >> 8u) * (1.0 / 16777216.0);
}

fn along(at: WaterU, x: f32, n: u32, axis: u32) -> u32 {
    var i = floor(x / at.h);
    if joined(at, axis) { i -= floor(i / f32(n)) * f32(n); }
    return u32(min(max(i, 0.0), f32(n - 1u)));
}

// The cell over which a place is; beyond the ends it is the one at the edge, or comes in at the other side.
fn cell_under(at: WaterU, p: vec4f) -> u32 {
    return along(at, p.y, at.cells.y, 1u) * at.cells.x + along(at, p.x, at.cells.x, 0u);
}
