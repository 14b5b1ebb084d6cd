// Puts the partial residuals together, notes the norm, and closes the loop's gate when it is small enough or not finite:
// partials, template_args, progress → progress, history, gate.
//
// Lane i of 32 takes the partials i, i + 32, …; then every lane takes all lanes in order. The twin does the same.
// progress: iterations, checks, done (0 no, 1 small enough, 2 not finite).
struct CheckRule {
    begin: u32,      // 1: this is the check before the first iteration
    iterations: u32, // since the last check
    squares: u32,    // 1: partials are sums of squares, 0: largest magnitudes
    capacity: u32,   // residuals that fit into the history
    tolerance: f32,
    count: f32,      // unknowns, for the mean square
}
@group(0) @binding(0) var<uniform> p: CheckRule;
@group(0) @binding(1) var<storage, read> partials: array<f32>;
@group(0) @binding(2) var<storage, read> template_args: array<u32>;
@group(0) @binding(3) var<storage, read_write> progress: array<u32>;
@group(0) @binding(4) var<storage, read_write> history: array<f32>;
@group(0) @binding(5) var<storage, read_write> gate: array<u32>;

const LANES = 32u;
const PARTIALS = 1024u;
const GATE_WORDS = 384u;

var<workgroup> lanes: array<f32, 32>;

// Magnitudes order as their bits do, and NaN is the largest.
fn join(a: f32, b: f32) -> f32 {
    if p.squares == 1u {
        return a + b;
    }
    return bitcast<f32>(max(bitcast<u32>(a), bitcast<u32>(b)));
}

@compute @workgroup_size(32, 1, 1)
fn main(@builtin(local_invocation_index) lane: u32) {
    let first = p.begin == 1u;
    let iterations = select(progress[0], 0u, first) + p.iterations;
    let checks = select(progress[1], 0u, first);
    let done_before = select(progress[2], 0u, first);
    var own = 0.0;
    for (var k = lane; k < PARTIALS; k += LANES) {
        own = join(own, partials[k]);
    }
    lanes[lane] = own;
    workgroupBarrier();
    var norm = 0.0;
    for (var k = 0u; k < LANES; k++) {
        norm = join(norm, lanes[k]);
    }
    if p.squares == 1u {
        norm = sqrt(norm / p.count);
    }
    if done_before != 0u {
        return;
    }
    let not_finite = (bitcast<u32>(norm) & 0x7f800000u) == 0x7f800000u;
    var done = 0u;
    if not_finite {
        done = 2u;
    } else if p.tolerance > 0.0 && norm <= p.tolerance {
        done = 1u;
    }
    for (var k = lane; k < GATE_WORDS; k += LANES) {
        gate[k] = select(0u, template_args[k], done == 0u);
    }
    if lane == 0u {
        progress[0] = iterations;
        progress[1] = checks + 1u;
        progress[2] = done;
        history[min(checks, p.capacity - 1u)] = norm;
    }
}
