import package::poisson::pcg::common::{ConjugateU, Scalars};
import package::poisson::pcg::total::total;

// δ = p · A p from its partial sums, α = γ / δ: (partials) → scalars. One workgroup.

@group(0) @binding(0) var<uniform> cg: ConjugateU;
@group(0) @binding(1) var<storage, read> partials: array<f32>;
@group(0) @binding(2) var<storage, read_write> scalars: array<Scalars>;

@compute @workgroup_size(256, 1, 1)
fn main(@builtin(local_invocation_index) lane: u32) {
    var share = 0.0;
    for (var k = lane; k < cg.tiles.w; k += 256u) {
        share += partials[k];
    }
    let delta = total(lane, share);
    if (lane == 0u) {
        let alpha = scalars[0].gamma / delta;
        scalars[0].delta = delta;
        // Neither what is not a number, nor a direction in which nothing changes.
        scalars[0].alpha = select(0.0, alpha, delta > 0.0 && abs(alpha) < 1e30);
    }
}
