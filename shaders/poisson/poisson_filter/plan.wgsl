// What the passes of a Poisson filter share: how they are told what to do, and how they see beyond the sides of the box.

struct FilterU {
    /// Cells along x, y, z; places beyond each side in the table of places.
    cells: vec4<u32>,
    /// Taps on each side.
    radius: u32,
    /// Vectors of filters.
    groups: u32,
    /// The first vector that is applied to the second input.
    split: u32,
    /// Along y (1) or z (2).
    axis: u32,
    /// Where the taps begin.
    bank: u32,
    /// Whether x is made, or the vectors are passed on.
    last: u32,
    /// Times x before.
    keep: f32,
    /// Times the first input at the cell itself.
    centre: f32,
    /// Times what comes of all of it but x.
    weight: f32,
    pad0: f32,
    pad1: f32,
    pad2: f32,
}

/// Bit of a place whose value is seen with its sign changed. Place 0 is nothing, others are a cell plus one.
const NEGATIVE: u32 = 0x80000000u;

/// Index in the table of places of cell `at` − `back` of an axis; what lies too far beyond the end is the last place.
fn place_at(plan: FilterU, axis: u32, at: u32, back: u32) -> u32 {
    let pad = plan.cells.w;
    var begin = 0u;
    if (axis > 0u) {
        begin += plan.cells.x + 2u * pad;
    }
    if (axis > 1u) {
        begin += plan.cells.y + 2u * pad;
    }
    return begin + min(at + pad - back, plan.cells[axis] + 2u * pad - 1u);
}

/// The cell that is seen at a place; any, where nothing is seen.
fn cell_of(place: u32) -> u32 {
    return max(place & ~NEGATIVE, 1u) - 1u;
}

/// 1, −1, or 0 where nothing is seen.
fn sign_of(place: u32) -> f32 {
    return select(select(1.0, -1.0, (place & NEGATIVE) != 0u), 0.0, place == 0u);
}

/// What is made of a cell.
fn result_of(plan: FilterU, x: f32, first: f32, sum: f32) -> f32 {
    let made = plan.weight * (plan.centre * first + sum);
    return select(plan.keep * x + made, made, plan.keep == 0.0);
}
