import package::grid::codes::{FACE_CODE, LINK, UNKNOWN, code_of};
import package::poisson::stencil::{around, behind, weight};

// Parts of a multigrid cycle, one by one or as a program: (tables, coarse operators, stencil, b, x) → x, state of the coarse levels.
//   smooth   x' = D⁻¹ (b + W x) in the cells of one colour, there and back, in either order of the colours;
//   restrict b of the coarser level = Σ of the residuals of a cell's children;
//   prolong  x += what the coarser level says, linearly interpolated between its cells as far as links go, or as it is.
// Level 0 is the system itself. A program is run by one workgroup, which waits for itself after each part.

struct CycleU {
    /// Kind, level, first pass, passes.
    part: vec4<u32>,
    /// Parts of the program; zero: the part above.
    count: u32,
    /// Where the program begins in the tables.
    program: u32,
    /// Added to the diagonal of level 0.
    shift: f32,
    pad0: f32,
}

@group(0) @binding(0) var<uniform> cycle: CycleU;
@group(0) @binding(1) var<storage, read> tables: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> ints: array<u32>;
@group(0) @binding(3) var<storage, read> coef: array<f32>;
@group(0) @binding(4) var<storage, read> stencil: array<u32>;
@group(0) @binding(5) var<storage, read> rhs: array<f32>;
@group(0) @binding(6) var<storage, read_write> x: array<f32>;
@group(0) @binding(7) var<storage, read_write> state: array<f32>;

/// Kinds of parts; 0 is to smooth.
const SMOOTH_ZERO: u32 = 1u;
const CLEAR: u32 = 2u;
const RESTRICT: u32 = 3u;
const PROLONG: u32 = 4u;
const SMOOTH_BACK: u32 = 5u;
const PROLONG_FLAT: u32 = 6u;

/// Kinds of children: they belong to the cell in which they lie, or to the one behind their outer face along x (y and z follow).
const OWN: u32 = 1u;
const ADOPTED: u32 = 2u;

struct Level {
    cells: vec3<u32>,
    count: u32,
    ints: u32,
    coef: u32,
    state: u32,
    axes: u32,
    finer: vec3<u32>,
}

fn level_of(number: u32) -> Level {
    let a = tables[3u * number];
    let b = tables[3u * number + 1u];
    let c = tables[3u * number + 2u];
    return Level(a.xyz, a.w, b.x, b.y, b.z, b.w, c.xyz);
}

fn place(cells: vec3<u32>, i: u32) -> vec3<u32> {
    return vec3<u32>(i % cells.x, i / cells.x % cells.y, i / (cells.x * cells.y));
}

fn index(cells: vec3<u32>, id: vec3<u32>) -> u32 {
    return (id.z * cells.y + id.y) * cells.x + id.x;
}

/// Relaxes the cells of one colour and copies the others: from x to x' in pass 0, back in pass 1.
fn smooth_cell(l: Level, i: u32, pass_number: u32, colour: u32, zero: bool) {
    let id = place(l.cells, i);
    let base = l.state + pass_number * l.count;
    let to = l.state + (1u - pass_number) * l.count;
    let b = state[l.state + 2u * l.count + i];
    let inverse = coef[l.coef + (l.axes + 1u) * l.count + i];
    let mine = ((id.x + id.y + id.z + colour) & 1u) == 0u;
    if (zero) {
        state[to + i] = select(0.0, b * inverse, mine);
        return;
    }
    if (!mine) {
        state[to + i] = state[base + i];
        return;
    }
    let at = around(id, l.cells);
    let wx = l.coef;
    let wy = wx + l.count;
    var sum = ((coef[wx + at[0]] * state[base + at[0]] + coef[wx + i] * state[base + at[1]]) + coef[wy + at[2]] * state[base + at[2]]) + coef[wy + i] * state[base + at[3]];
    if (l.axes > 2u) {
        let wz = wy + l.count;
        sum = (sum + coef[wz + at[4]] * state[base + at[4]]) + coef[wz + i] * state[base + at[5]];
    }
    state[to + i] = (sum + b) * inverse;
}

fn flow(code: u32, f: u32, near: f32, here: f32) -> f32 {
    return f32(weight(code, f)) * (behind(code, f, near) - here);
}

/// b − A x of a cell.
fn residual(l: Level, finest: bool, id: vec3<u32>) -> f32 {
    let i = index(l.cells, id);
    let at = around(id, l.cells);
    if (finest) {
        let code = stencil[i];
        let here = x[i];
        var all = ((flow(code, 0u, x[at[0]], here) + flow(code, 1u, x[at[1]], here)) + flow(code, 2u, x[at[2]], here)) + flow(code, 3u, x[at[3]], here);
        if (l.axes > 2u) {
            all = (all + flow(code, 4u, x[at[4]], here)) + flow(code, 5u, x[at[5]], here);
        }
        return select(0.0, (rhs[i] + all) - cycle.shift * here, (code & UNKNOWN) != 0u);
    }
    let base = l.state;
    let here = state[base + i];
    let wx = l.coef;
    let wy = wx + l.count;
    var sum = ((coef[wx + at[0]] * (state[base + at[0]] - here) + coef[wx + i] * (state[base + at[1]] - here)) + coef[wy + at[2]] * (state[base + at[2]] - here)) + coef[wy + i] * (state[base + at[3]] - here);
    if (l.axes > 2u) {
        let wz = wy + l.count;
        sum = (sum + coef[wz + at[4]] * (state[base + at[4]] - here)) + coef[wz + i] * (state[base + at[5]] - here);
    }
    let hold = coef[l.coef + l.axes * l.count + i];
    return (state[base + 2u * l.count + i] + sum) - hold * here;
}

/// Of the children of the coarse cell `parent` that are `kind`, and on the side `side` of `axis` if that is an axis.
fn residuals(l: Level, finest: bool, parent: vec3<u32>, word: u32, kind: u32, axis: u32, side: u32) -> f32 {
    var sum = 0.0;
    for (var k = 0u; k < 8u; k++) {
        let beside = axis < 3u && ((k >> axis) & 1u) != side;
        if (((word >> (3u * k)) & 7u) == kind && !beside) {
            sum += residual(l, finest, 2u * parent + vec3<u32>(k & 1u, (k >> 1u) & 1u, k >> 2u));
        }
    }
    return sum;
}

fn restrict_cell(fine: Level, finest: bool, l: Level, q: u32) {
    let id = place(l.cells, q);
    let word = ints[l.ints + q];
    var sum = residuals(fine, finest, id, word, OWN, 3u, 0u);
    let adopted = word >> 24u;
    if (adopted != 0u) {
        var at = around(id, l.cells);
        for (var f = 0u; f < 6u; f++) {
            if (((adopted >> f) & 1u) == 1u) {
                let next = ints[l.ints + at[f]];
                sum += residuals(fine, finest, place(l.cells, at[f]), next, ADOPTED + f / 2u, f / 2u, 1u - (f & 1u));
            }
        }
    }
    state[l.state + 2u * l.count + q] = sum;
}

/// Shares of a cell and of the one behind its face in what lies between: none of what is not linked, towards a known value half
/// as much at half the way.
fn shares(code: u32, f: u32, t: f32) -> vec2<f32> {
    let c = code_of(code, f);
    return select(select(vec2<f32>(1.0, 0.0), vec2<f32>(1.0 - 2.0 * t, 0.0), c == FACE_CODE), vec2<f32>(1.0 - t, t), c == LINK);
}

fn along_z(l: Level, q: u32, child: vec3<u32>, t: vec3<f32>) -> f32 {
    let here = state[l.state + q];
    if (l.finer.z < 2u) {
        return here;
    }
    let up = child.z & 1u;
    let s = shares(ints[l.ints + l.count + q], 4u + up, t.z);
    let at = around(place(l.cells, q), l.cells);
    return s.x * here + s.y * state[l.state + select(at[4], at[5], up == 1u)];
}

fn along_y(l: Level, q: u32, child: vec3<u32>, t: vec3<f32>) -> f32 {
    let here = along_z(l, q, child, t);
    if (l.finer.y < 2u) {
        return here;
    }
    let up = child.y & 1u;
    let s = shares(ints[l.ints + l.count + q], 2u + up, t.y);
    let at = around(place(l.cells, q), l.cells);
    return s.x * here + s.y * along_z(l, select(at[2], at[3], up == 1u), child, t);
}

fn along_x(l: Level, q: u32, child: vec3<u32>, t: vec3<f32>) -> f32 {
    let here = along_y(l, q, child, t);
    if (l.finer.x < 2u) {
        return here;
    }
    let up = child.x & 1u;
    let s = shares(ints[l.ints + l.count + q], up, t.x);
    let at = around(place(l.cells, q), l.cells);
    return s.x * here + s.y * along_y(l, select(at[0], at[1], up == 1u), child, t);
}

fn prolong_cell(fine: Level, finest: bool, flat: bool, l: Level, i: u32) {
    let id = place(fine.cells, i);
    let parent = id / 2u;
    var q = index(l.cells, parent);
    let k = (id.x & 1u) | ((id.y & 1u) << 1u) | ((id.z & 1u) << 2u);
    let kind = (ints[l.ints + q] >> (3u * k)) & 7u;
    if (kind == 0u) {
        return;
    }
    let table = l.coef + (l.axes + 2u) * l.count;
    var t = vec3<f32>(coef[table + id.x], coef[table + fine.cells.x + id.y], coef[table + fine.cells.x + fine.cells.y + id.z]);
    if (kind >= ADOPTED) {
        let axis = kind - ADOPTED;
        var at = around(parent, l.cells);
        q = at[2u * axis + ((k >> axis) & 1u)];
        t[axis] = 0.0;
    }
    var more = 0.0;
    if (flat) {
        more = state[l.state + q];
    } else {
        more = along_x(l, q, id, t);
    }
    if (finest) {
        x[i] += more;
    } else {
        state[fine.state + i] += more;
    }
}

@compute @workgroup_size(256, 1, 1)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let width = groups.x * 256u;
    let first = id.x + id.y * width;
    let stride = width * groups.y;
    for (var n = 0u; n < max(cycle.count, 1u); n++) {
        var part = cycle.part;
        if (cycle.count > 0u) {
            part = tables[cycle.program + n];
        }
        let fine = level_of(part.y);
        for (var pass_number = part.z; pass_number < part.z + part.w; pass_number++) {
            if (part.x <= CLEAR || part.x == SMOOTH_BACK) {
                for (var i = first; i < fine.count; i += stride) {
                    if (part.x == CLEAR) {
                        state[fine.state + i] = 0.0;
                    } else {
                        let colour = (pass_number + select(0u, 1u, part.x == SMOOTH_BACK)) & 1u;
                        smooth_cell(fine, i, pass_number & 1u, colour, part.x == SMOOTH_ZERO && pass_number == 0u);
                    }
                }
            } else {
                let coarse = level_of(part.y + 1u);
                if (part.x == RESTRICT) {
                    for (var i = first; i < coarse.count; i += stride) {
                        restrict_cell(fine, part.y == 0u, coarse, i);
                    }
                } else {
                    for (var i = first; i < fine.count; i += stride) {
                        prolong_cell(fine, part.y == 0u, part.x == PROLONG_FLAT, coarse, i);
                    }
                }
            }
            storageBarrier();
        }
    }
}
