import package::poisson::pcg::common::{ConjugateU, Scalars};
import package::poisson::pcg::total::total;

// γ = r · z from its partial sums, and β: γ / γ of before, or −(z · A p) / δ where that sum is there too: (partials) → scalars.
// One workgroup.

@group(0) @binding(0) var<uniform> cg: ConjugateU;
@group(0) @binding(1) var<storage, read> partials: array<f32>;
@group(0) @binding(2) var<storage, read_write> scalars: array<Scalars>;

/// Of γ at the beginning, below which r is made of rounding errors: its square root is some three ulps.
const FLOOR: f32 = 1e-13;

@compute @workgroup_size(256, 1, 1)
fn main(@builtin(local_invocation_index) lane: u32) {
    var with_r = 0.0;
    var with_ap = 0.0;
    for (var k = lane; k < cg.tiles.w; k += 256u) {
        with_r += partials[k];
        if (cg.two == 1u) {
            with_ap += partials[cg.tiles.w + k];
        }
    }
    let gamma = total(lane, with_r);
    let along = total(lane, with_ap);
    if (lane == 0u) {
        var s = scalars[0];
        if (cg.begin == 1u) {
            s.floor = FLOOR * abs(gamma);
            s.gamma = 0.0;
        }
        var beta = gamma / s.gamma;
        if (cg.two == 1u) {
            beta = -along / s.delta;
        }
        let more = abs(gamma) > s.floor && abs(gamma) < 1e38;
        let goes_on = more && cg.begin == 0u && abs(beta) < 1e30;
        s.gamma = select(0.0, gamma, more);
        s.beta = select(0.0, beta, goes_on);
        scalars[0] = s;
    }
}
