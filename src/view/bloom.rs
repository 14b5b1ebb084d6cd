//! Step 2: the glow of bright dye. The picture is halved several times, each level blurred by the binomial filter
//! (1 3 3 1)/8 on the way down and by linear interpolation on the way up, and the mean of all levels is the glow.
//! Twin of `shaders/view/halve.wgsl` and `double.wgsl`.

use rayon::prelude::*;

use super::cells::Planes;

/// Brightness at which the source of the glow levels off.
pub const LIMIT: f32 = 4.0;

/// Levels of the pyramid below the grid: until the shorter edge has fewer than eight cells, six at most.
pub fn levels(cells: [u32; 2]) -> u32 {
    let mut shorter = cells[0].min(cells[1]);
    let mut levels = 0;
    while shorter >= 8 && levels < 6 {
        shorter = shorter.div_ceil(2);
        levels += 1;
    }
    levels
}

/// The sum of all levels at half the size of the grid; none where there are no levels.
pub fn glow(cells: &Planes, solid: Option<&[f32]>, levels: u32) -> Option<Planes> {
    if levels == 0 {
        return None;
    }
    let mut pyramid = vec![halve(&source(cells, solid))];
    for _ in 1..levels {
        let next = halve(&pyramid[pyramid.len() - 1]);
        pyramid.push(next);
    }
    while pyramid.len() > 1 {
        let coarse = pyramid.pop()?;
        let fine = pyramid.last_mut()?;
        add_doubled(fine, &coarse);
    }
    pyramid.pop()
}

/// Dye outside obstacles, held below [`LIMIT`].
fn source(cells: &Planes, solid: Option<&[f32]>) -> Planes {
    let mut out = Planes::zeros(cells.width, cells.height, 3);
    let n = cells.width * cells.height;
    let (r, rest) = out.data.split_at_mut(n);
    let (g, b) = rest.split_at_mut(n);
    let from = [cells.plane(0), cells.plane(1), cells.plane(2)];
    for i in 0..n {
        let rgb = [from[0][i], from[1][i], from[2][i]];
        let peak = rgb[0].max(rgb[1]).max(rgb[2]);
        let factor = LIMIT / (LIMIT + peak) * (1.0 - solid.map_or(0.0, |s| s[i]));
        r[i] = rgb[0] * factor;
        g[i] = rgb[1] * factor;
        b[i] = rgb[2] * factor;
    }
    out
}

/// Half as many cells each way, rounded up.
fn halve(from: &Planes) -> Planes {
    let (nx, ny) = (from.width, from.height);
    let (mx, my) = (nx.div_ceil(2), ny.div_ceil(2));
    let mut out = Planes::zeros(mx, my, 3);
    out.data.par_chunks_mut(mx).enumerate().for_each_init(
        || vec![0.0; nx],
        |column, (row, to)| {
            let plane = from.plane(row / my);
            let j = 2 * (row % my);
            let line = |y: usize| &plane[y * nx..(y + 1) * nx];
            let (a, b) = (line(j.saturating_sub(1)), line(j));
            let (c, d) = (line((j + 1).min(ny - 1)), line((j + 2).min(ny - 1)));
            for i in 0..nx {
                column[i] = (a[i] + 3.0 * (b[i] + c[i]) + d[i]) * 0.125;
            }
            for (i, to) in to.iter_mut().enumerate() {
                let x = 2 * i;
                let (a, b) = (column[x.saturating_sub(1)], column[x]);
                let (c, d) = (column[(x + 1).min(nx - 1)], column[(x + 2).min(nx - 1)]);
                *to = (a + 3.0 * (b + c) + d) * 0.125;
            }
        },
    );
    out
}

/// Adds `coarse`, interpolated linearly, to a picture of twice the size.
fn add_doubled(fine: &mut Planes, coarse: &Planes) {
    let (nx, ny) = (fine.width, fine.height);
    fine.data.par_chunks_mut(nx).enumerate().for_each_init(
        || vec![0.0; nx],
        |line, (row, to)| {
            double_row(line, coarse, row / ny, row % ny);
            to.iter_mut().zip(&*line).for_each(|(to, from)| *to += from);
        },
    );
}

/// Row `j` of plane `k` of a picture of twice the size of `coarse`.
fn double_row(to: &mut [f32], coarse: &Planes, k: usize, j: usize) {
    let (mx, my, plane) = (coarse.width, coarse.height, coarse.plane(k));
    let near = |i: usize, n: usize| {
        let other = if i % 2 == 1 {
            i / 2 + 1
        } else {
            (i / 2).saturating_sub(1)
        };
        ((i / 2).min(n - 1), other.min(n - 1))
    };
    let (y, y2) = near(j, my);
    let (first, second) = (&plane[y * mx..][..mx], &plane[y2 * mx..][..mx]);
    for (i, to) in to.iter_mut().enumerate() {
        let (x, x2) = near(i, mx);
        *to = 0.75 * (0.75 * first[x] + 0.25 * first[x2])
            + 0.25 * (0.75 * second[x] + 0.25 * second[x2]);
    }
}

/// Row `j` of plane `k` of the glow at the size of the grid, times `strength`; zeros where there is no glow.
pub fn glow_row(to: &mut [f32], glow: Option<&Planes>, k: usize, j: usize, strength: f32) {
    match glow {
        Some(glow) => {
            double_row(to, glow, k, j);
            to.iter_mut().for_each(|v| *v *= strength);
        }
        None => to.fill(0.0),
    }
}
