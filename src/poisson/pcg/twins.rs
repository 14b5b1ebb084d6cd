//! The kernels on the CPU: each a single way through the arrays, in stretches of rows that threads take.

use rayon::prelude::*;

use super::kernels::{ConjugateU, Scalars, TILE, TILE_ROWS};
use crate::device::Cpu;
use crate::poisson::UNKNOWN;
use crate::poisson::cells::{Rows, residual, stretch};
use crate::poisson::stencil::{inverse_diagonal, plain_code};

/// Rows of a stretch: whole tiles, few enough that what one step leaves is in the cache for the next.
const STRETCH: usize = 4 * TILE_ROWS;
/// Of γ at the beginning, below which r is made of rounding errors: its square root is some three ulps.
const FLOOR: f32 = 1e-13;

/// Consecutive rows of one layer, with the partial sums of their tiles.
struct Stretch<'a, const N: usize> {
    /// The first of them, counting on through the layers.
    first: usize,
    /// Their part of each array that is written.
    out: [&'a mut [f32]; N],
    partials: &'a mut [f32],
}

/// Cuts arrays into stretches.
fn stretches<'a, const N: usize>(
    u: &ConjugateU,
    mut out: [&'a mut [f32]; N],
    mut partials: &'a mut [f32],
) -> Vec<Stretch<'a, N>> {
    let [nx, ny, nz] = u.dims().map(|n| n as usize);
    let mut all = Vec::new();
    for (k, j) in (0..nz).flat_map(|k| (0..ny).step_by(STRETCH).map(move |j| (k, j))) {
        let rows = STRETCH.min(ny - j);
        let (mine, rest) = partials.split_at_mut(rows.div_ceil(TILE_ROWS) * u.tiles[0] as usize);
        partials = rest;
        all.push(Stretch {
            first: k * ny + j,
            out: out.each_mut().map(|out| {
                let (mine, rest) = std::mem::take(out).split_at_mut(rows * nx);
                *out = rest;
                mine
            }),
            partials: mine,
        });
    }
    all
}

/// Sums of the columns of a row of tiles, which become one number a tile.
struct Columns(Vec<f32>);

impl Columns {
    fn new(u: &ConjugateU) -> Self {
        Self(vec![0.0; u.tiles[0] as usize * TILE])
    }
    fn add(&mut self, row: &[f32]) {
        add_row(&mut self.0, row);
    }
    /// Leaves the sums of the tiles, as the shader's `tile_sum` does.
    fn finish(&mut self, partials: &mut [f32]) {
        for (columns, partial) in self.0.as_chunks::<TILE>().0.iter().zip(partials) {
            let mut lanes = [0.0_f32; 8];
            for eight in columns.as_chunks::<8>().0 {
                for (lane, v) in lanes.iter_mut().zip(eight) {
                    *lane += v;
                }
            }
            *partial = lanes.iter().sum();
        }
        self.0.fill(0.0);
    }
}

/// Adds up partial sums, as the shaders' `total` does.
fn total(partials: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 256];
    for row in partials.chunks(256) {
        for (lane, v) in lanes.iter_mut().zip(row) {
            *lane += v;
        }
    }
    let mut few = [0.0_f32; 16];
    for row in lanes.as_chunks::<16>().0 {
        for (sum, v) in few.iter_mut().zip(row) {
            *sum += v;
        }
    }
    few.iter().sum()
}

/// The rows behind the faces along y and z.
fn around(dims: [u32; 3], row: usize) -> [usize; 4] {
    let [_, ny, nz] = dims.map(|n| n as usize);
    let (j, k) = (row % ny, row / ny);
    [
        k * ny + (j + ny - 1) % ny,
        k * ny + (j + 1) % ny,
        (k + nz - 1) % nz * ny + j,
        (k + 1) % nz * ny + j,
    ]
}

/// What a new direction is made of.
struct Next<'a> {
    u: &'a ConjugateU,
    stencil: &'a [u32],
    z: &'a [f32],
    old: &'a [f32],
    beta: f32,
}

impl Next<'_> {
    /// Row `r` of it.
    fn row(&self, r: usize, out: &mut [f32]) {
        let at = r * out.len()..(r + 1) * out.len();
        let (z, old, code) = (
            &self.z[at.clone()],
            &self.old[at.clone()],
            &self.stencil[at],
        );
        out.copy_from_slice(z);
        if self.u.cells[3] == 1 {
            divide_row(self.u, code, out);
        }
        // Before the first there is no old direction.
        if self.beta != 0.0 {
            add_scaled_row(self.beta, old, out);
        }
    }
}

pub(super) fn direction(
    _: &Cpu,
    _: [u32; 3],
    u: &ConjugateU,
    stencil: &[u32],
    z: &[f32],
    old: &[f32],
    scalars: &[Scalars],
    direction: &mut [f32],
    partials: &mut [f32],
) {
    let (dims, nx) = (u.dims(), u.cells[0] as usize);
    let beta = scalars[0].beta;
    let next = Next {
        u,
        stencil,
        z,
        old,
        beta,
    };
    let scratch = || (Columns::new(u), vec![0.0; 5 * nx]);
    stretches(u, [direction], partials)
        .into_par_iter()
        .for_each_init(scratch, |(columns, scratch), stretch| {
            let [out] = stretch.out;
            for (n, out) in out.chunks_exact_mut(nx).enumerate() {
                next.row(stretch.first + n, out);
            }
            let (out, rows) = (&*out, out.len() / nx);
            let (product, made) = scratch.split_at_mut(nx);
            for n in 0..rows {
                // Rows of others are made again instead of waiting for them.
                let mut made = made.chunks_exact_mut(nx);
                let near = around(dims, stretch.first + n).map(|row| {
                    match row.checked_sub(stretch.first) {
                        Some(at) if at < rows => &out[at * nx..][..nx],
                        _ => {
                            let to = made.next().unwrap_or_default();
                            next.row(row, to);
                            &*to
                        }
                    }
                });
                let (c, code) = (
                    &out[n * nx..][..nx],
                    &stencil[(stretch.first + n) * nx..][..nx],
                );
                energy_row(u, Rows { c, near }, code, product);
                columns.add(product);
                finish(columns, n, rows, stretch.partials, u);
            }
        });
}

/// After the last row of a row of tiles, leaves their sums.
fn finish(columns: &mut Columns, row: usize, rows: usize, partials: &mut [f32], u: &ConjugateU) {
    if (row + 1).is_multiple_of(TILE_ROWS) || row + 1 == rows {
        let tiles = u.tiles[0] as usize;
        columns.finish(&mut partials[row / TILE_ROWS * tiles..][..tiles]);
    }
}

pub(super) fn advance(
    _: &Cpu,
    _: [u32; 3],
    u: &ConjugateU,
    stencil: &[u32],
    direction: &[f32],
    scalars: &[Scalars],
    x: &mut [f32],
    r: &mut [f32],
    partials: &mut [f32],
) {
    let (dims, nx) = (u.dims(), u.cells[0] as usize);
    let alpha = scalars[0].alpha;
    let scratch = || (Columns::new(u), vec![0.0; nx]);
    stretches(u, [x, r], partials)
        .into_par_iter()
        .for_each_init(scratch, |(columns, row), stretch| {
            let [x, r] = stretch.out;
            let count = x.len() / nx;
            for (n, (x, r)) in x
                .chunks_exact_mut(nx)
                .zip(r.chunks_exact_mut(nx))
                .enumerate()
            {
                let index = stretch.first + n;
                let code = &stencil[index * nx..][..nx];
                // Where nothing moves, there may be no direction yet.
                if alpha != 0.0 {
                    let rows = Rows::of(direction, dims, index);
                    apply_row(u, rows, code, row);
                    advance_row(alpha, rows.c, row, code, x, r);
                }
                row.copy_from_slice(r);
                square_row(row);
                if u.cells[3] == 1 {
                    divide_row(u, code, row);
                }
                columns.add(row);
                finish(columns, n, count, stretch.partials, u);
            }
        });
}

pub(super) fn products(
    _: &Cpu,
    _: [u32; 3],
    u: &ConjugateU,
    stencil: &[u32],
    direction: &[f32],
    z: &[f32],
    r: &[f32],
    partials: &mut [f32],
) {
    let (dims, nx) = (u.dims(), u.cells[0] as usize);
    let (with_r, with_ap) = partials.split_at_mut(u.tiles[3] as usize);
    // The second sums are cut as a stretch of their own, beside the first.
    let second = stretches(u, [], with_ap).into_par_iter();
    let both = stretches(u, [], with_r).into_par_iter().zip(second);
    let scratch = || (Columns::new(u), Columns::new(u), vec![0.0; nx]);
    let rows_of = |first: usize| STRETCH.min(dims[1] as usize - first % dims[1] as usize);
    both.for_each_init(scratch, |(first, second, row), (with_r, with_ap)| {
        let count = rows_of(with_r.first);
        for n in 0..count {
            let index = with_r.first + n;
            let at = index * nx..(index + 1) * nx;
            let z = &z[at.clone()];
            row.copy_from_slice(&r[at.clone()]);
            times_row(z, row);
            first.add(row);
            // In the first iteration there is no direction yet.
            if u.begin == 0 {
                apply_row(u, Rows::of(direction, dims, index), &stencil[at], row);
                times_row(z, row);
                second.add(row);
            }
            finish(first, n, count, with_r.partials, u);
            finish(second, n, count, with_ap.partials, u);
        }
    });
}

pub(super) fn alpha(
    _: &Cpu,
    _: [u32; 3],
    u: &ConjugateU,
    partials: &[f32],
    scalars: &mut [Scalars],
) {
    let s = &mut scalars[0];
    s.delta = total(&partials[..u.tiles[3] as usize]);
    let alpha = s.gamma / s.delta;
    // Neither what is not a number, nor a direction in which nothing changes.
    let sound = s.delta > 0.0 && alpha.abs() < 1e30;
    s.alpha = if sound { alpha } else { 0.0 };
}

pub(super) fn beta(
    _: &Cpu,
    _: [u32; 3],
    u: &ConjugateU,
    partials: &[f32],
    scalars: &mut [Scalars],
) {
    let (s, tiles) = (&mut scalars[0], u.tiles[3] as usize);
    let gamma = total(&partials[..tiles]);
    if u.begin == 1 {
        s.floor = FLOOR * gamma.abs();
        s.gamma = 0.0;
    }
    let beta = if u.two == 1 {
        -total(&partials[tiles..][..tiles]) / s.delta
    } else {
        gamma / s.gamma
    };
    let more = gamma.abs() > s.floor && gamma.abs() < 1e38;
    let goes_on = more && u.begin == 0 && beta.abs() < 1e30;
    s.gamma = if more { gamma } else { 0.0 };
    s.beta = if goes_on { beta } else { 0.0 };
}

/// A p of a row.
fn apply_row(u: &ConjugateU, rows: Rows<'_>, code: &[u32], out: &mut [f32]) {
    if u.cells[2] > 1 {
        applied::<true>(rows, code, u.shift, out);
    } else {
        applied::<false>(rows, code, u.shift, out);
    }
}

/// p · A p of a row, cell by cell.
fn energy_row(u: &ConjugateU, rows: Rows<'_>, code: &[u32], out: &mut [f32]) {
    apply_row(u, rows, code, out);
    times_row(rows.c, out);
}

/// Divides by the diagonal.
fn divide_row(u: &ConjugateU, code: &[u32], out: &mut [f32]) {
    divided(code, if u.cells[2] > 1 { 6 } else { 4 }, u.shift, out);
}

crate::simd_fn! {
    fn applied<const D3: bool>(rows: Rows<'_>, code: &[u32], shift: f32, out: &mut [f32]) {
        rows.map::<D3>(code, rows.c, out, |_, code, x, near, _| -residual::<D3>(code, x, near, 0.0, shift));
    }
    fn add_row(sums: &mut [f32], row: &[f32]) {
        for (sum, v) in sums.iter_mut().zip(row) {
            *sum += v;
        }
    }
    fn add_scaled_row(scale: f32, from: &[f32], to: &mut [f32]) {
        for (to, from) in to.iter_mut().zip(from) {
            *to += scale * from;
        }
    }
    fn times_row(with: &[f32], row: &mut [f32]) {
        for (v, with) in row.iter_mut().zip(with) {
            *v *= with;
        }
    }
    fn square_row(row: &mut [f32]) {
        for v in row {
            *v *= *v;
        }
    }
    fn divided(code: &[u32], faces: u32, shift: f32, row: &mut [f32]) {
        let plain = plain_code(faces);
        let inverse = inverse_diagonal(plain, faces, shift);
        let (mut code, mut row) = (code, row);
        while !code.is_empty() {
            let (len, all_plain) = stretch(code, plain);
            let (codes, values) = (&code[..len], &mut row[..len]);
            if all_plain {
                values.iter_mut().for_each(|v| *v *= inverse);
            } else {
                values.iter_mut().zip(codes).for_each(|(v, code)| *v *= inverse_diagonal(*code, faces, shift));
            }
            (code, row) = (&code[len..], &mut row[len..]);
        }
    }
    fn advance_row(alpha: f32, p: &[f32], ap: &[f32], code: &[u32], x: &mut [f32], r: &mut [f32]) {
        for ((((x, r), p), ap), code) in x.iter_mut().zip(r).zip(p).zip(ap).zip(code) {
            *r -= alpha * ap;
            *x = if code & UNKNOWN == 0 { 0.0 } else { *x + alpha * p };
        }
    }
}
