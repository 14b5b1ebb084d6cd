// The velocity set of two dimensions: the twin of src/solvers/lattice_boltzmann/sets.rs.

const Q: u32 = 9u;
const PAIRS: u32 = 4u;

const WALL: u32 = 0u;
const SLIP: u32 = 1u;
const OPEN: u32 = 2u;
const JOINED: u32 = 3u;

struct LatticeU {
    /// Cells along x, y and z; words of marks a row.
    cells: vec4<u32>,
    /// What the faces left, right, bottom and top are.
    kinds: vec4<u32>,
    /// Velocities of the faces, cells a step.
    left: vec4<f32>,
    right: vec4<f32>,
    bottom: vec4<f32>,
    top: vec4<f32>,
    /// tau, (tau+ - 1/2)(tau- - 1/2), 18 sqrt(2) C^2, the factor from m/s to cells a step.
    relax: vec4<f32>,
    /// Kind of collision, whether there is an eddy viscosity, first row with a force, one past the last.
    mode: vec4<u32>,
}

/// Components of direction q: pairs (1, 2) along x, (3, 4) along y, (5, 6) and (7, 8) along the diagonals.
fn direction(q: u32) -> vec2<i32> {
    if (q == 0u) {
        return vec2<i32>(0, 0);
    }
    let pair = (q - 1u) / 2u;
    let sign = select(-1, 1, q % 2u == 1u);
    return sign * pair_direction(pair);
}

fn pair_direction(pair: u32) -> vec2<i32> {
    switch pair {
        case 0u: { return vec2<i32>(1, 0); }
        case 1u: { return vec2<i32>(0, 1); }
        case 2u: { return vec2<i32>(1, 1); }
        default: { return vec2<i32>(1, -1); }
    }
}

const REST: f32 = 4.0 / 9.0;
const STRAIGHT: f32 = 1.0 / 9.0;
const DIAGONAL: f32 = 1.0 / 36.0;

/// Weight of the directions of a pair.
fn weight(pair: u32) -> f32 {
    return select(DIAGONAL, STRAIGHT, pair < 2u);
}

fn opposite(q: u32) -> u32 {
    if (q == 0u) {
        return 0u;
    }
    return select(q - 1u, q + 1u, q % 2u == 1u);
}

/// The direction with these components.
fn direction_of(c: vec2<i32>) -> u32 {
    var found = 0u;
    for (var q = 1u; q < Q; q++) {
        if (all(direction(q) == c)) {
            found = q;
        }
    }
    return found;
}

/// Density above one, and momentum.
struct Moments {
    rho: f32,
    j: vec2<f32>,
}

fn moments(f: array<f32, 9>) -> Moments {
    var m = Moments(f[0], vec2<f32>(0.0));
    for (var p = 0u; p < PAIRS; p++) {
        let a = f[2u * p + 1u];
        let b = f[2u * p + 2u];
        m.rho += a + b;
        m.j += vec2<f32>(pair_direction(p)) * (a - b);
    }
    return m;
}

/// c.v for the first direction of a pair.
fn along(p: u32, v: vec2<f32>) -> f32 {
    let c = vec2<f32>(pair_direction(p));
    return c.x * v.x + c.y * v.y;
}

/// Place of (i, j) in the arrays, joined ends leading round; -1 beyond a face along x, -2 along y, -3 both.
fn place(lattice: LatticeU, i: i32, j: i32) -> i32 {
    let n = vec2<i32>(lattice.cells.xy);
    let outside = vec2<bool>(i < 0 || i >= n.x, j < 0 || j >= n.y);
    let beyond = outside & vec2<bool>(lattice.kinds.x != JOINED, lattice.kinds.z != JOINED);
    if (any(beyond)) {
        return -(select(0, 1, beyond.x) + select(0, 2, beyond.y));
    }
    let x = select(i, (i + n.x) % n.x, outside.x);
    let y = select(j, (j + n.y) % n.y, outside.y);
    return y * n.x + x;
}

/// Factors between lattice and SI units.
struct ScaleU {
    /// m/s of a cell a step.
    speed: f32,
    /// 1/s that make an acceleration of a change of velocity.
    per_step: f32,
    /// Cells a step² of a m/s².
    force: f32,
    unused: f32,
}

/// Populations in equilibrium, without their weights.
fn equilibrium(rho: f32, u: vec2<f32>) -> array<f32, 9> {
    let r = 1.0 + rho;
    let speed2 = u.x * u.x + u.y * u.y;
    let drag = 1.5 * speed2;
    var f = array<f32, 9>();
    f[0] = REST * rho - 1.5 * REST * (r * speed2);
    for (var p = 0u; p < PAIRS; p++) {
        let w = weight(p);
        let cu = along(p, u);
        let even = w * (rho + r * (4.5 * cu * cu - drag));
        let odd = 3.0 * w * (r * cu);
        f[2u * p + 1u] = even + odd;
        f[2u * p + 2u] = even - odd;
    }
    return f;
}
