// A picture at twice its size, interpolated linearly.

// The two cells that a cell of the larger picture lies between, the nearer one first.
fn near(i: u32, n: u32) -> vec2<u32> {
    let half = i / 2u;
    let below = select(0u, half - 1u, half > 0u);
    let other = select(below, half + 1u, i % 2u == 1u);
    return min(vec2<u32>(half, other), vec2<u32>(n - 1u));
}
