import package::lattice_boltzmann::d2q9::{
    LatticeU, OPEN, PAIRS, Q, REST, SLIP, WALL, along, direction, direction_of, moments, opposite, pair_direction, place, weight,
};

// One step of all populations, pulled and collided: (f, marks, solid, solid velocity, force) → g. Populations are stored
// without their weights, all of one direction after the other.

@group(0) @binding(0) var<uniform> lattice: LatticeU;
@group(0) @binding(1) var<storage, read> f: array<f32>;
@group(0) @binding(2) var<storage, read> marks: array<u32>;
@group(0) @binding(3) var<storage, read> solid: array<u32>;
@group(0) @binding(4) var<storage, read> solid_velocity: array<vec4<f32>>;
@group(0) @binding(5) var<storage, read> force: array<f32>;
@group(0) @binding(6) var<storage, read_write> g: array<f32>;

const BRAKE: f32 = 0.25;
const TRT: u32 = 1u;
const REGULARISED: u32 = 2u;

fn blocked(i: i32, j: i32) -> bool {
    let k = place(lattice, i, j);
    if (k < 0) {
        return true;
    }
    return solid[k] != 0u;
}

/// What comes through an open face across an axis in direction q into cell k.
fn open(q: u32, axis: u32, k: u32, n: u32) -> f32 {
    var own = array<f32, 9>();
    for (var q = 0u; q < Q; q++) {
        own[q] = f[q * n + k];
    }
    let c = vec2<f32>(direction(q));
    let w = weight((q - 1u) / 2u);
    let m = moments(own);
    var u = m.j * (1.0 / (1.0 + m.rho));
    var rho = 0.0;
    if (c[axis] * u[axis] > 0.0) {
        rho = -1.5 * u[axis] * u[axis];
        u *= select(vec2<f32>(0.0, 1.0), vec2<f32>(1.0, 0.0), axis == 0u);
    }
    let cu = c.x * u.x + c.y * u.y;
    let even = rho + (1.0 + rho) * (4.5 * cu * cu - 1.5 * (u.x * u.x + u.y * u.y));
    return 2.0 * w * even - own[opposite(q)];
}

/// The population that comes in direction q at a cell with links.
fn incoming(q: u32, id: vec2<u32>, n: u32) -> f32 {
    let nx = lattice.cells.x;
    let k = id.y * nx + id.x;
    let c = direction(q);
    let x = i32(id.x) - c.x;
    let y = i32(id.y) - c.y;
    let source = place(lattice, x, y);
    var kind = WALL;
    var velocity = vec2<f32>(0.0);
    var axis = 0u;
    if (source >= 0) {
        if (solid[source] == 0u) {
            return f[q * n + u32(source)];
        }
        let v = solid_velocity[source];
        kind = select(WALL, SLIP, v.w != 0.0);
        velocity = v.xy * lattice.relax.w;
    } else {
        let fx = select(1u, 0u, c.x > 0);
        let fy = select(3u, 2u, c.y > 0);
        // In a corner the face that holds the fluid more counts.
        var face = fy;
        if (source == -1 || (source == -3 && lattice.kinds[fy] >= lattice.kinds[fx])) {
            face = fx;
        }
        kind = lattice.kinds[face];
        axis = face / 2u;
        switch face {
            case 0u: { velocity = lattice.left.xy; }
            case 1u: { velocity = lattice.right.xy; }
            case 2u: { velocity = lattice.bottom.xy; }
            default: { velocity = lattice.top.xy; }
        }
    }
    let cf = vec2<f32>(c);
    let w = weight((q - 1u) / 2u);
    let push = 6.0 * w;
    if (kind == OPEN) {
        return open(q, axis, k, n);
    }
    if (kind == SLIP && c.x != 0 && c.y != 0) {
        let below = blocked(i32(id.x), y);
        let beside = blocked(x, i32(id.y));
        if (below && !beside) {
            let mirror = direction_of(vec2<i32>(c.x, -c.y));
            return f[mirror * n + u32(place(lattice, x, i32(id.y)))] + push * (cf.y * velocity.y);
        }
        if (beside && !below) {
            let mirror = direction_of(vec2<i32>(-c.x, c.y));
            return f[mirror * n + u32(place(lattice, i32(id.x), y))] + push * (cf.x * velocity.x);
        }
    }
    return f[opposite(q) * n + k] + push * (cf.x * velocity.x + cf.y * velocity.y);
}

fn rates(tau: f32) -> vec2<f32> {
    let even = 1.0 / tau;
    if (lattice.mode.x == TRT) {
        return vec2<f32>(even, 1.0 / (0.5 + lattice.relax.y / (tau - 0.5)));
    }
    return vec2<f32>(even);
}

@compute @workgroup_size(32, 4, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let nx = lattice.cells.x;
    if (id.x >= nx || id.y >= lattice.cells.y) {
        return;
    }
    let n = nx * lattice.cells.y;
    let k = id.y * nx + id.x;
    let special = (marks[id.y * lattice.cells.w + id.x / 32u] >> (id.x % 32u)) & 1u;
    var h = array<f32, 9>();
    if (special == 0u) {
        for (var q = 0u; q < Q; q++) {
            let c = direction(q);
            h[q] = f[q * n + u32(place(lattice, i32(id.x) - c.x, i32(id.y) - c.y))];
        }
    } else {
        if (solid[k] != 0u) {
            for (var q = 0u; q < Q; q++) {
                g[q * n + k] = f[q * n + k];
            }
            return;
        }
        h[0] = f[k];
        for (var q = 1u; q < Q; q++) {
            h[q] = incoming(q, id.xy, n);
        }
    }
    var a = vec2<f32>(0.0);
    if (id.y >= lattice.mode.z && id.y < lattice.mode.w) {
        a = vec2<f32>(force[k], force[n + k]);
    }
    let m = moments(h);
    let rho = m.rho;
    let r = 1.0 + rho;
    let inverse = 1.0 / r;
    var u = m.j * inverse + 0.5 * a;
    var speed2 = u.x * u.x + u.y * u.y;
    let eddies = lattice.mode.y != 0u;
    if (eddies) {
        let brake = BRAKE / sqrt(select(BRAKE * BRAKE, speed2, speed2 > BRAKE * BRAKE));
        u *= brake;
        speed2 *= brake * brake;
    }
    let drag = 1.5 * speed2;
    let regularised = lattice.mode.x == REGULARISED;
    // Stress: xx, yy, xy.
    var stress = vec3<f32>(0.0);
    if (eddies || regularised) {
        for (var p = 0u; p < PAIRS; p++) {
            let cu = along(p, u);
            let e = 2.0 * weight(p) * (rho + r * (4.5 * cu * cu - drag));
            let s = (h[2u * p + 1u] + h[2u * p + 2u]) - e;
            let c = vec2<f32>(pair_direction(p));
            stress += vec3<f32>(c.x * c.x, c.y * c.y, c.x * c.y) * s;
        }
    }
    let tau0 = lattice.relax.x;
    var rate = rates(tau0);
    if (eddies) {
        let size = stress.x * stress.x + stress.y * stress.y;
        let shear = sqrt(size + 2.0 * (stress.z * stress.z)) * inverse;
        rate = rates(0.5 * (tau0 + sqrt(tau0 * tau0 + lattice.relax.z * shear)));
    }
    let push = r * a;
    let power = u.x * push.x + u.y * push.y;
    let keep = 1.0 - 0.5 * rate;
    let trace = stress.x + stress.y;
    let third = trace * (1.0 / 3.0);
    let rest = REST * (rho - r * drag);
    var f0 = h[0] + rate.x * (rest - h[0]);
    if (regularised) {
        f0 = rest - (1.0 - rate.x) * (1.5 * REST * trace);
    }
    g[k] = f0 - keep.x * (3.0 * REST * power);
    for (var p = 0u; p < PAIRS; p++) {
        let first = h[2u * p + 1u];
        let second = h[2u * p + 2u];
        let w = weight(p);
        let cu = along(p, u);
        let cf = along(p, push);
        let e = 2.0 * w * (rho + r * (4.5 * cu * cu - drag));
        let o = 6.0 * w * (r * cu);
        let even_force = keep.x * (w * (9.0 * cu * cf - 3.0 * power));
        if (regularised) {
            let c = vec2<f32>(pair_direction(p));
            let squared = c.x * c.x * stress.x + c.y * c.y * stress.y + 2.0 * (c.x * c.y) * stress.z;
            let x = 0.5 * e + (1.0 - rate.x) * (4.5 * w * (squared - third)) + even_force;
            let y = 0.5 * o + 1.5 * w * cf;
            g[(2u * p + 1u) * n + k] = x + y;
            g[(2u * p + 2u) * n + k] = x - y;
        } else {
            let x = 0.5 * rate.x * (e - (first + second)) + even_force;
            let y = 0.5 * rate.y * (o - (first - second)) + keep.y * (3.0 * w * cf);
            g[(2u * p + 1u) * n + k] = first + (x + y);
            g[(2u * p + 2u) * n + k] = second + (x - y);
        }
    }
}
