import package::grid::codes::UNKNOWN;

// Lines of an axis to their modes (ANALYSE), back (SYNTHESISE), or to their modes, divided by the sums of eigenvalues, and back:
// (tables, eigenvalues, source) → result. What the tables hold stands in src/poisson/spectral/axis.rs and plan.rs.
//
// A workgroup takes W pairs of lines, a pair as real and imaginary part of one, whole in workgroup memory. Number p of pair w
// stands at p W + w. Lines along x are read along the line, all others across the lines, so that neighbours in a workgroup read
// neighbours in memory; every number is read and written once. One invocation does a butterfly. All stages are in place.
//
// Between the passes along x the grid lies in tiles of sixteen columns, row by row: row r of tile t holds cells 16 t … 16 t + 15 of
// row r of the grid.

struct SpectralU {
    /// Cells along x, y, z, and the axis of the lines.
    cells: vec4<u32>,
    /// Cells of a line, length of its Fourier transform, numbers that this works on, pairs of lines a workgroup.
    line: vec4<u32>,
    /// ANALYSE and so on, the sum of the indices of partners, the first index of the result, stages.
    what: vec4<u32>,
    /// Where the tables of the axis begin: places, turns. Radices of the stages, four bits each: the first eight, the others.
    tables: vec4<u32>,
    /// Added to the eigenvalues.
    shift: f32,
    pad0: f32,
    pad1: f32,
    pad2: f32,
}

@group(0) @binding(0) var<uniform> job: SpectralU;
@group(0) @binding(1) var<storage, read> places: array<u32>;
@group(0) @binding(2) var<storage, read> turns: array<vec2<f32>>;
@group(0) @binding(3) var<storage, read> lambda: array<f32>;
@group(0) @binding(4) var<storage, read> stencil: array<u32>;
@group(0) @binding(5) var<storage, read> source: array<f32>;
@group(0) @binding(6) var<storage, read_write> result: array<f32>;

const ANALYSE: u32 = 1u;
const SYNTHESISE: u32 = 2u;
const ADD: u32 = 4u;
const CHIRP: u32 = 8u;
const WIDTH: u32 = 256u;

/// 16 KiB, which every adapter has.
var<workgroup> memory: array<vec2<f32>, 2048>;

/// Numbers 16, 256, … apart lie in the same banks of the memory. Exchanged within sixteen by their higher digits, those that are
/// read together do not.
fn spread(at: u32) -> u32 {
    return at ^ (((at >> 4u) ^ (at >> 8u)) & 15u);
}

fn fetch(at: u32) -> vec2<f32> {
    return memory[spread(at)];
}

fn put(at: u32, z: vec2<f32>) {
    memory[spread(at)] = z;
}

fn times(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

fn conj(a: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(a.x, -a.y);
}

/// −i a.
fn turned(a: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(a.y, -a.x);
}

fn does(what: u32) -> bool {
    return (job.what.x & what) != 0u;
}

/// Where the tables of the axis begin: s of the cells, t of the frequencies, roots of unity, chirp, its transform.
fn s_of(i: u32) -> vec2<f32> {
    return turns[job.tables.y + i];
}

fn t_of(k: u32) -> vec2<f32> {
    return turns[job.tables.y + job.line.x + k];
}

fn root(m: u32) -> vec2<f32> {
    return turns[job.tables.y + job.line.x + job.line.y + m];
}

fn chirp(k: u32) -> vec2<f32> {
    return turns[job.tables.y + job.line.x + job.line.y + job.line.z + k];
}

fn spectrum(m: u32) -> vec2<f32> {
    return turns[job.tables.y + job.line.x + 2u * job.line.y + job.line.z + m];
}

/// A line: where its first cell lies, how far the next one is, the numbers of the first on the axes.
struct Line {
    first: u32,
    step: u32,
    at: vec3<u32>,
}

/// Lines along x: rows. Others: sixteen for each row of sixteen cells of a tile, even where the grid is narrower.
fn lines() -> u32 {
    let n = job.cells.xyz;
    let tiles = (n.x + 15u) / 16u;
    return select(tiles * 16u * select(n.z, n.y, job.cells.w == 2u), n.y * n.z, job.cells.w == 0u);
}

fn line(number: u32) -> Line {
    let n = job.cells.xyz;
    let lane = number % 16u;
    let other = number / 16u;
    if (job.cells.w == 0u) {
        return Line(number, 0u, vec3<u32>(0u, number % n.y, number / n.y));
    } else if (job.cells.w == 1u) {
        return Line(other * n.y * 16u + lane, 16u, vec3<u32>(other / n.z * 16u + lane, 0u, other % n.z));
    }
    let at = vec3<u32>(other / n.y * 16u + lane, other % n.y, 0u);
    return Line((other / n.y * n.z * n.y + at.y) * 16u + lane, n.y * 16u, at);
}

/// Where cell `i` of a line lies. Lines along x begin in the grid or in tiles.
fn place(l: Line, i: u32, tiles: bool) -> u32 {
    if (job.cells.w > 0u) {
        return l.first + i * l.step;
    }
    let rows = job.cells.y * job.cells.z;
    return select(l.first * job.cells.x + i, (i / 16u * rows + l.first) * 16u + i % 16u, tiles);
}

/// Whether there is such a line.
fn is_there(number: u32, l: Line) -> bool {
    return number < lines() && l.at.x < job.cells.x;
}

/// Cell (x) and pair (y) of the item `t` of loading and storing.
fn item(t: u32) -> vec2<u32> {
    let w = job.line.w;
    return select(vec2<u32>(t / w, t % w), vec2<u32>(t % job.line.x, t / job.line.x), job.cells.w == 0u);
}

/// Number `i` of a line; zero where there is no line.
fn load(number: u32, i: u32) -> f32 {
    let l = line(number);
    if (!is_there(number, l)) {
        return 0.0;
    }
    return source[place(l, i, !does(ANALYSE))];
}

fn store(number: u32, i: u32, value: f32) {
    let l = line(number);
    if (!is_there(number, l)) {
        return;
    }
    let at = place(l, i, !does(SYNTHESISE));
    if (!does(ADD)) {
        result[at] = value;
    } else if ((stencil[at] & UNKNOWN) != 0u) {
        result[at] += value;
    }
}

fn load_all(first: u32, me: u32) {
    let w = job.line.w;
    if (job.line.x < job.line.z) {
        for (var t = me; t < job.line.z * w; t += WIDTH) {
            put(t, vec2<f32>(0.0));
        }
        workgroupBarrier();
    }
    for (var t = me; t < job.line.x * w; t += WIDTH) {
        let at = item(t);
        let z = vec2<f32>(load(first + at.y, at.x), load(first + w + at.y, at.x));
        if (does(ANALYSE)) {
            put(places[job.tables.x + at.x] * w + at.y, times(z, s_of(at.x)));
        } else {
            put((at.x + job.what.z) * w + at.y, z);
        }
    }
    workgroupBarrier();
}

fn store_all(first: u32, me: u32) {
    let w = job.line.w;
    for (var t = me; t < job.line.x * w; t += WIDTH) {
        let at = item(t);
        var z: vec2<f32>;
        if (does(SYNTHESISE)) {
            z = fetch(places[job.tables.x + at.x] * w + at.y);
            z = times(select(z, conj(z), does(CHIRP)), s_of(at.x));
        } else {
            z = fetch((at.x + job.what.z) * w + at.y);
        }
        store(first + at.y, at.x, z.x);
        store(first + w + at.y, at.x, z.y);
    }
}

/// The factor of input m of the butterfly j, or output where they are transposed.
fn twiddled(z: vec2<f32>, m: u32, twist: u32, now: bool) -> vec2<f32> {
    if (!now || twist == 0u) {
        return z;
    }
    return times(z, root(m * twist));
}

fn two(at: u32, step: u32, twist: u32, transposed: bool) {
    let a = fetch(at);
    let b = twiddled(fetch(at + step), 1u, twist, !transposed);
    put(at, a + b);
    put(at + step, twiddled(a - b, 1u, twist, transposed));
}

fn three(at: u32, step: u32, twist: u32, transposed: bool) {
    let a = fetch(at);
    let b = twiddled(fetch(at + step), 1u, twist, !transposed);
    let c = twiddled(fetch(at + 2u * step), 2u, twist, !transposed);
    let even = a - 0.5 * (b + c);
    let odd = turned(0.8660254037844386 * (b - c));
    put(at, a + (b + c));
    put(at + step, twiddled(even + odd, 1u, twist, transposed));
    put(at + 2u * step, twiddled(even - odd, 2u, twist, transposed));
}

fn four(at: u32, step: u32, twist: u32, transposed: bool) {
    let a = fetch(at);
    let b = twiddled(fetch(at + step), 1u, twist, !transposed);
    let c = twiddled(fetch(at + 2u * step), 2u, twist, !transposed);
    let d = twiddled(fetch(at + 3u * step), 3u, twist, !transposed);
    let odd = turned(b - d);
    put(at, (a + c) + (b + d));
    put(at + step, twiddled((a - c) + odd, 1u, twist, transposed));
    put(at + 2u * step, twiddled((a + c) - (b + d), 2u, twist, transposed));
    put(at + 3u * step, twiddled((a - c) - odd, 3u, twist, transposed));
}

fn five(at: u32, step: u32, twist: u32, transposed: bool) {
    let a = fetch(at);
    let b = twiddled(fetch(at + step), 1u, twist, !transposed);
    let c = twiddled(fetch(at + 2u * step), 2u, twist, !transposed);
    let d = twiddled(fetch(at + 3u * step), 3u, twist, !transposed);
    let e = twiddled(fetch(at + 4u * step), 4u, twist, !transposed);
    let c1 = 0.30901699437494745;
    let c2 = -0.8090169943749475;
    let s1 = 0.9510565162951535;
    let s2 = 0.5877852522924731;
    let even1 = (a + c1 * (b + e)) + c2 * (c + d);
    let even2 = (a + c2 * (b + e)) + c1 * (c + d);
    let odd1 = turned(s1 * (b - e) + s2 * (c - d));
    let odd2 = turned(s2 * (b - e) - s1 * (c - d));
    put(at, (a + (b + e)) + (c + d));
    put(at + step, twiddled(even1 + odd1, 1u, twist, transposed));
    put(at + 2u * step, twiddled(even2 + odd2, 2u, twist, transposed));
    put(at + 3u * step, twiddled(even2 - odd2, 3u, twist, transposed));
    put(at + 4u * step, twiddled(even1 - odd1, 4u, twist, transposed));
}

/// Of 7, 11 or 13 numbers: rare, so by a loop, with the roots of unity of the whole.
fn more(r: u32, at: u32, step: u32, twist: u32, transposed: bool) {
    var u: array<vec2<f32>, 13>;
    var sum = vec2<f32>(0.0);
    for (var m = 0u; m < r; m++) {
        u[m] = twiddled(fetch(at + m * step), m, twist, !transposed);
        sum += u[m];
    }
    put(at, sum);
    let apart = job.line.z / r;
    for (var k = 1u; k < r; k++) {
        sum = u[0];
        for (var m = 1u; m < r; m++) {
            sum += times(u[m], root(m * k % r * apart));
        }
        put(at + k * step, twiddled(sum, k, twist, transposed));
    }
}

/// Transforms of `span` numbers become some of `span` r; transposed, the other way.
fn stage(r: u32, span: u32, transposed: bool, me: u32) {
    let w = job.line.w;
    for (var t = me; t < job.line.z / r * w; t += WIDTH) {
        let pair = t % w;
        let j = t / w % span;
        let at = (t / w / span * span * r + j) * w + pair;
        let twist = j * (job.line.z / (span * r));
        switch (r) {
            case 2u: { two(at, span * w, twist, transposed); }
            case 3u: { three(at, span * w, twist, transposed); }
            case 4u: { four(at, span * w, twist, transposed); }
            case 5u: { five(at, span * w, twist, transposed); }
            default: { more(r, at, span * w, twist, transposed); }
        }
    }
    workgroupBarrier();
}

fn radix(n: u32) -> u32 {
    return (select(job.tables.w, job.tables.z, n < 8u) >> (4u * (n % 8u))) & 15u;
}

fn stages(transposed: bool, me: u32) {
    var span = select(1u, job.line.z, transposed);
    for (var n = 0u; n < job.what.w; n++) {
        let r = radix(select(n, job.what.w - 1u - n, transposed));
        span = select(span, span / r, transposed);
        stage(r, span, transposed, me);
        span = select(span * r, span, transposed);
    }
}

/// A Fourier transform from places to natural order, or transposed; by convolution, the conjugate of it.
fn fourier(transposed: bool, me: u32) {
    if (!does(CHIRP)) {
        stages(transposed, me);
        return;
    }
    let w = job.line.w;
    stages(true, me);
    for (var t = me; t < job.line.z * w; t += WIDTH) {
        put(t, conj(times(fetch(t), spectrum(t / w))));
    }
    workgroupBarrier();
    stages(false, me);
}

/// The shift and the eigenvalues of the other axes, of a line.
fn others(number: u32) -> f32 {
    let n = job.cells.xyz;
    let at = min(line(min(number, lines() - 1u)).at, n - 1u);
    let x = lambda[at.x];
    let y = lambda[n.x + at.y];
    let z = lambda[n.x + n.y + at.z];
    return job.shift + select(x, 0.0, job.cells.w == 0u) + select(y, 0.0, job.cells.w == 1u) + select(z, 0.0, job.cells.w == 2u);
}

/// Mode k of two lines divided by its eigenvalue; where that is zero nothing is known, and it becomes zero.
fn divided(x: vec2<f32>, k: u32, more: vec2<f32>) -> vec2<f32> {
    let axis = select(select(job.cells.x + job.cells.y, job.cells.x, job.cells.w == 1u), 0u, job.cells.w == 0u);
    // Frequencies that are no modes have a factor of zero.
    let sum = lambda[axis + min(max(k, job.what.z) - job.what.z, job.line.x - 1u)] + more;
    return select(vec2<f32>(0.0), x / max(sum, vec2<f32>(1e-30)), sum > vec2<f32>(0.0));
}

/// Takes the lines of each pair apart, divides, puts them together again: of these, what the pass does. Here the lines are the
/// components of x and p, for k and for its partner.
fn modes(first: u32, me: u32) {
    let w = job.line.w;
    let n = job.line.y;
    let pairs = (n + select(1u, 2u, job.what.y == 0u)) / 2u;
    for (var t = me; t < pairs * w; t += WIDTH) {
        let k = t / w;
        let pair = t % w;
        let partner = (job.what.y + n - k) % n;
        var x = fetch(k * w + pair);
        var p = fetch(partner * w + pair);
        let tk = t_of(k);
        let tp = t_of(partner);
        if (does(ANALYSE)) {
            if (does(CHIRP)) {
                x = times(conj(x), chirp(k));
                p = times(conj(p), chirp(partner));
            }
            // The transforms of the first line and of the second; those of the partner are conjugates.
            let a = 0.5 * vec2<f32>(x.x + p.x, x.y - p.y);
            let b = 0.5 * vec2<f32>(x.y + p.y, p.x - x.x);
            x = vec2<f32>(tk.x * a.x - tk.y * a.y, tk.x * b.x - tk.y * b.y);
            p = vec2<f32>(tp.x * a.x + tp.y * a.y, tp.x * b.x + tp.y * b.y);
        }
        if (does(ANALYSE) && does(SYNTHESISE)) {
            let more = vec2<f32>(others(first + pair), others(first + w + pair));
            x = divided(x, k, more);
            p = divided(p, partner, more);
        }
        if (does(SYNTHESISE)) {
            let re = 0.5 * (tk.x * x + tp.x * p);
            let im = 0.5 * (tk.y * x - tp.y * p);
            x = vec2<f32>(re.x - im.y, im.x + re.y);
            p = vec2<f32>(re.x + im.y, re.y - im.x);
            if (does(CHIRP)) {
                x = times(x, chirp(k));
                p = times(p, chirp(partner));
            }
        }
        put(partner * w + pair, p);
        put(k * w + pair, x);
    }
    if (does(SYNTHESISE)) {
        for (var t = n * w + me; t < job.line.z * w; t += WIDTH) {
            put(t, vec2<f32>(0.0));
        }
    }
    workgroupBarrier();
}

@compute @workgroup_size(256, 1, 1)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) me: u32) {
    let first = (group.y * groups.x + group.x) * 2u * job.line.w;
    load_all(first, me);
    if (does(ANALYSE)) {
        fourier(false, me);
    }
    modes(first, me);
    if (does(SYNTHESISE)) {
        fourier(true, me);
    }
    store_all(first, me);
}
