// What all kernels of the water are told, and its neighbours: the twin of src/solvers/shallow_water/water.rs.

struct WaterU {
    cells: vec2u,
    flags: u32,
    h: f32,
    dt: f32,
    gravity: f32,
    dry: f32,
    friction: f32,
    max_speed: f32,
    deepest: f32,
    rest: f32,
    fastest: f32,
}

const CARRIED = 4u;

// Whether the ends of an axis are joined.
fn joined(at: WaterU, axis: u32) -> bool {
    return ((at.flags >> axis) & 1u) == 1u;
}

// Row or column before k of n; the same one where there is none.
fn before(at: WaterU, k: u32, n: u32, axis: u32) -> u32 {
    if k > 0u { return k - 1u; }
    return select(0u, n - 1u, joined(at, axis));
}

// Row or column after k of n; the same one where there is none.
fn after(at: WaterU, k: u32, n: u32, axis: u32) -> u32 {
    if k + 1u < n { return k + 1u; }
    return select(k, 0u, joined(at, axis));
}

// What flows at speed u out of the cell before or after the face.
fn upwind(u: f32, first: f32, second: f32) -> f32 {
    return u * select(second, first, u > 0.0);
}
