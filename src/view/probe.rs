//! The values of a field under the pointer.

use crate::field::FieldData;

/// The components at a position (m, from the low corner), interpolated linearly between cell centres; none outside the
/// domain. A 3D field is probed in its middle layer.
pub fn probe(field: &FieldData, world: [f32; 2]) -> Option<Vec<f32>> {
    let [nx, ny, nz] = field.grid.cells.map(|n| n as usize);
    let n = field.desc.components.max(1) as usize;
    let h = field.grid.h;
    let size = field.grid.size();
    let inside = (0..2).all(|a| world[a] >= 0.0 && world[a] <= size[a]);
    if !inside || nx * ny * nz == 0 || field.data.len() < nx * ny * nz * n {
        return None;
    }
    let layer = nx * ny * (nz / 2);
    let (x, y) = (world[0] / h - 0.5, world[1] / h - 0.5);
    let along = |x: f32, n: usize| {
        let x = x.clamp(0.0, (n - 1) as f32);
        let i = (x as usize).min(n - 1);
        (i, (i + 1).min(n - 1), x - i as f32)
    };
    let (i0, i1, fx) = along(x, nx);
    let (j0, j1, fy) = along(y, ny);
    let at = |i: usize, j: usize, c: usize| field.data[(layer + j * nx + i) * n + c];
    Some(
        (0..n)
            .map(|c| {
                let low = at(i0, j0, c) * (1.0 - fx) + at(i1, j0, c) * fx;
                let high = at(i0, j1, c) * (1.0 - fx) + at(i1, j1, c) * fx;
                low * (1.0 - fy) + high * fy
            })
            .collect(),
    )
}
