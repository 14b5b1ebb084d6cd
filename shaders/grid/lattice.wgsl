// Where samples stand, and what lies beyond the ends of an array: the twin of src/grid/lattice.rs.

const COPY: u32 = 0u;
const FACE: u32 = 1u;
const NODE: u32 = 2u;
const FIXED: u32 = 3u;

struct Lattice {
    /// Cells of the domain; in the last place one bit for each periodic axis.
    cells: vec4<u32>,
    /// Samples along each axis; in the last place the axis of the component (3 for none).
    size: vec4<u32>,
    /// Position of the first sample; 0 or ½ an axis.
    offset: vec4<f32>,
    /// COPY, FACE, NODE or FIXED at the low end of each axis.
    low_kind: vec4<u32>,
    high_kind: vec4<u32>,
    /// The known value at the low end.
    low: vec4<f32>,
    high: vec4<f32>,
}

struct Factor {
    value: f32,
}

/// The two samples between which a position lies along one axis.
struct Tap {
    i0: u32,
    i1: u32,
    /// Weight of the second.
    s: f32,
    /// Whether the known value stands for them.
    given0: bool,
    given1: bool,
    value: f32,
}

fn periodic(at: Lattice, axis: u32) -> bool {
    return ((at.cells.w >> axis) & 1u) == 1u;
}

/// Samples along an axis that are not copies of others.
fn distinct(at: Lattice, axis: u32) -> u32 {
    return select(at.size[axis], at.cells[axis], periodic(at, axis));
}

/// The samples about position x (in cells) along an axis.
fn tap(at: Lattice, x: f32, axis: u32) -> Tap {
    let g = x - at.offset[axis];
    let n = at.size[axis];
    if (periodic(at, axis)) {
        let period = at.cells[axis];
        let w = g - floor(g / f32(period)) * f32(period);
        let i = min(u32(w), period - 1u);
        return Tap(i, select(i + 1u, 0u, i + 1u == n), w - f32(i), false, false, 0.0);
    }
    let last = n - 1u;
    if (g < 0.0) {
        let kind = at.low_kind[axis];
        if (kind == FACE) {
            return Tap(0u, 0u, max(2.0 * g + 1.0, 0.0), true, false, at.low[axis]);
        }
        if (kind == NODE) {
            return Tap(0u, 0u, max(g + 1.0, 0.0), true, false, at.low[axis]);
        }
        return Tap(0u, 0u, 0.0, false, false, 0.0);
    }
    if (g > f32(last)) {
        let kind = at.high_kind[axis];
        let d = g - f32(last);
        if (kind == FACE) {
            return Tap(last, last, min(2.0 * d, 1.0), false, true, at.high[axis]);
        }
        if (kind == NODE) {
            return Tap(last, last, min(d, 1.0), false, true, at.high[axis]);
        }
        return Tap(last, last, 0.0, false, false, 0.0);
    }
    let i = min(u32(g), last);
    return Tap(i, min(i + 1u, last), g - f32(i), false, false, 0.0);
}

/// Places in an array `width` wide of the four samples about a position: low row first.
fn four(x: Tap, y: Tap, width: u32) -> vec4<u32> {
    return vec4<u32>(y.i0, y.i0, y.i1, y.i1) * width + vec4<u32>(x.i0, x.i1, x.i0, x.i1);
}

/// The four values about a position: the samples that stand there, and beyond an end what is known.
fn known(x: Tap, y: Tap, samples: vec4<f32>) -> vec4<f32> {
    let beside = select(samples, vec4<f32>(x.value), vec4<bool>(x.given0, x.given1, x.given0, x.given1));
    return select(beside, vec4<f32>(y.value), vec4<bool>(y.given0, y.given0, y.given1, y.given1));
}

/// The value at a position from the four about it.
fn bilinear(x: Tap, y: Tap, c: vec4<f32>) -> f32 {
    return lerp(lerp(c.x, c.y, x.s), lerp(c.z, c.w, x.s), y.s);
}

/// Whether a position has stayed where nothing comes in from outside.
fn stays(at: Lattice, p: vec2<f32>) -> bool {
    return stays_along(at, p.x, 0u) && stays_along(at, p.y, 1u);
}

fn stays_along(at: Lattice, x: f32, axis: u32) -> bool {
    if (periodic(at, axis)) {
        return true;
    }
    let low = select(0.0, at.offset[axis], at.low_kind[axis] == NODE);
    let high = f32(at.cells[axis]) - select(0.0, at.offset[axis], at.high_kind[axis] == NODE);
    return x >= low && x <= high;
}

/// index, and sign and constant so that `sign · data[index] + constant` is the value at sample i along an axis, at most
/// one place beyond an end.
struct Ghost {
    index: u32,
    sign: f32,
    add: f32,
}

fn ghost(at: Lattice, i: i32, axis: u32) -> Ghost {
    let n = i32(at.size[axis]);
    let period = i32(at.cells[axis]);
    if (i >= 0 && i < n) {
        return Ghost(u32(i), 1.0, 0.0);
    }
    if (periodic(at, axis)) {
        return Ghost(u32((i + period) % period), 1.0, 0.0);
    }
    let end = select(u32(n - 1), 0u, i < 0);
    let kind = select(at.high_kind[axis], at.low_kind[axis], i < 0);
    let value = select(at.high[axis], at.low[axis], i < 0);
    if (kind == FACE) {
        return Ghost(end, -1.0, 2.0 * value);
    }
    if (kind == NODE) {
        return Ghost(end, 0.0, value);
    }
    return Ghost(end, 1.0, 0.0);
}

fn lerp(a: f32, b: f32, s: f32) -> f32 {
    return a + (b - a) * s;
}

/// The neighbour of sample i on one side (0 low, 1 high) along an axis of n; n beyond an end.
fn neighbour(i: u32, n: u32, side: u32, round: bool) -> u32 {
    if (side == 0u) {
        if (i > 0u) {
            return i - 1u;
        }
        return select(n, n - 1u, round);
    }
    if (i + 1u < n) {
        return i + 1u;
    }
    return select(n, 0u, round);
}

/// Positions in the array of cells of the two cells beside face (i, j); the same one twice at an end that is not periodic.
fn cells_beside(at: Lattice, id: vec2<u32>) -> vec2<u32> {
    let axis = at.size.w;
    let n = at.cells[axis];
    let i = id[axis];
    var pair = vec2<u32>(i - 1u, i);
    if (i == 0u || i == n) {
        let one = select(n - 1u, 0u, i == 0u);
        pair = select(vec2<u32>(one, one), vec2<u32>(n - 1u, 0u), periodic(at, axis));
    }
    if (axis == 0u) {
        return vec2<u32>(id.y * at.cells.x + pair.x, id.y * at.cells.x + pair.y);
    }
    return vec2<u32>(pair.x * at.cells.x + id.x, pair.y * at.cells.x + id.x);
}
