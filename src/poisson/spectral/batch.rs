//! What the kernel does to sixteen lines: the twin of the shader's workgroup.
//!
//! 1. Load the lines as eight pairs, each cell to its place.
//! 2. Fourier transform. Then for each pair of partners k and k': take the two lines apart; divide; put them together, transposed.
//! 3. Transposed Fourier transform.
//! 4. Store the lines.
//!
//! Of steps 2 and 3 a pass may do one or both.
//!
//! Between the passes along x the grid lies in tiles of sixteen columns, row by row: row r of tile t holds the cells 16 t … 16 t + 15
//! of row r of the grid. So lines along y are sixteen side by side in a piece of memory without gaps. (In the grid as it is, columns
//! of 512 or 1024 rows all meet in a few sets of the cache: measured, twice and four times as slow.) Rows become lanes by transposed
//! blocks of 8 × 8.

use super::blocks::{Block, LINES, add_block, block, halves, put_block, put_halves, transposed};
use super::fft::{Complex, Fft, LANES, scale, scale_conj};
use super::kernels::{ADD, ANALYSE, CHIRP, SYNTHESISE, SpectralU};

/// What a pass does, with its tables.
pub(super) struct Pass<'a> {
    pub cells: usize,
    pub axis: usize,
    pub dims: [usize; 3],
    pub fft: Fft<'a>,
    analyse: bool,
    synthesise: bool,
    add: bool,
    /// Whether all s are one.
    plain: bool,
    length: usize,
    partner: usize,
    first: usize,
    shift: f32,
    places: &'a [u32],
    /// s of the cells.
    s: &'a [[f32; 2]],
    /// t of the frequencies.
    t: &'a [[f32; 2]],
    /// The chirp, or nothing.
    chirp: &'a [[f32; 2]],
    lambda: [&'a [f32]; 3],
    stencil: &'a [u32],
    source: &'a [f32],
}

impl<'a> Pass<'a> {
    pub fn new(
        u: &SpectralU,
        places: &'a [u32],
        turns: &'a [[f32; 2]],
        lambda: &'a [f32],
        stencil: &'a [u32],
        source: &'a [f32],
    ) -> Self {
        let [nx, ny, nz, axis] = u.cells.map(|n| n as usize);
        let [cells, length, size, _] = u.line.map(|n| n as usize);
        let [at_places, at_turns, low, high] = u.tables;
        let (s, rest) = turns[at_turns as usize..].split_at(cells);
        let (t, rest) = rest.split_at(length);
        let (roots, rest) = rest.split_at(size);
        let chirps = if u.what[0] & CHIRP == 0 {
            [0, 0]
        } else {
            [length, size]
        };
        let (chirp, rest) = rest.split_at(chirps[0]);
        let (lambda_x, others) = lambda.split_at(nx);
        let (lambda_y, others) = others.split_at(ny);
        Self {
            cells,
            axis: axis.min(2),
            dims: [nx, ny, nz],
            fft: Fft {
                size,
                radices: u64::from(high) << 32 | u64::from(low),
                stages: u.what[3],
                roots,
                spectrum: &rest[..chirps[1]],
            },
            analyse: u.what[0] & ANALYSE != 0,
            synthesise: u.what[0] & SYNTHESISE != 0,
            add: u.what[0] & ADD != 0,
            plain: s.iter().all(|s| *s == [1.0, 0.0]),
            length,
            partner: u.what[1] as usize,
            first: u.what[2] as usize,
            shift: u.shift,
            places: &places[at_places as usize..][..cells],
            s,
            t,
            chirp,
            lambda: [lambda_x, lambda_y, &others[..nz]],
            stencil,
            source,
        }
    }

    /// Whether the source lies in tiles.
    pub fn tiles_in(&self) -> bool {
        self.axis > 0 || !self.analyse
    }

    /// Whether the result does.
    pub fn tiles_out(&self) -> bool {
        self.axis > 0 || !self.synthesise
    }

    /// Number `i` of each line goes to its place.
    #[inline(always)]
    fn enter(&self, i: usize, value: Complex, z: &mut [Complex]) {
        let place = match self.analyse {
            true => self.places[i] as usize,
            false => i + self.first,
        };
        z[place] = value;
        if self.analyse && !self.plain {
            scale(&mut z[place], self.s[i]);
        }
    }

    /// Number `i` of each line, after all.
    #[inline(always)]
    fn leave(&self, i: usize, z: &[Complex]) -> Complex {
        if !self.synthesise {
            return z[i + self.first];
        }
        let mut z = z[self.places[i] as usize];
        if !self.chirp.is_empty() {
            scale_conj(&mut z, self.s[i]);
        } else if !self.plain {
            scale(&mut z, self.s[i]);
        }
        z
    }

    /// Makes places that no number goes to zero.
    #[inline(always)]
    fn clear(&self, z: &mut [Complex]) {
        if self.cells < self.fft.size {
            z.fill(Complex::ZERO);
        }
    }

    /// The shift and the eigenvalues of the other axes of lines, for the first of which they are numbers `at` of the axes,
    /// and which follow each other along `along`.
    fn others(&self, mut at: [usize; 3], along: usize) -> Complex {
        let mut of = [self.shift; LINES];
        for sum in &mut of {
            for a in (0..3).filter(|a| *a != self.axis) {
                *sum += self.lambda[a].get(at[a]).copied().unwrap_or(0.0);
            }
            at[along] += 1;
            if along == 1 && at[1] == self.dims[1] {
                (at[1], at[2]) = (0, at[2] + 1);
            }
        }
        let [re, im] = halves(&of);
        Complex { re, im }
    }

    /// Steps 2 and 3.
    #[inline(always)]
    fn work(&self, others: &Complex, z: &mut [Complex]) {
        if self.analyse {
            self.fft.forward(z);
        }
        match (self.analyse, self.synthesise) {
            (true, false) => self.modes::<true, false>(others, z),
            (false, true) => self.modes::<false, true>(others, z),
            _ => self.modes::<true, true>(others, z),
        }
        if self.synthesise {
            z[self.length..].fill(Complex::ZERO);
            self.fft.transposed(z);
        }
    }

    /// Takes the lines of each pair apart; divides; puts them together.
    #[inline(always)]
    fn modes<const ANALYSE: bool, const SYNTHESISE: bool>(
        &self,
        others: &Complex,
        z: &mut [Complex],
    ) {
        let lambda = self.lambda[self.axis];
        // Each pair of partners once.
        for k in 0..(self.length + if self.partner == 0 { 2 } else { 1 }) / 2 {
            let partner = (self.partner + self.length - k) % self.length;
            let (mut x, mut p) = (z[k], z[partner]);
            if ANALYSE && !self.chirp.is_empty() {
                scale_conj(&mut x, self.chirp[k]);
                scale_conj(&mut p, self.chirp[partner]);
            }
            // Frequencies that are no modes have a t of zero: any eigenvalue does.
            let of = |k: usize| lambda[k.wrapping_sub(self.first).min(lambda.len() - 1)];
            partners::<ANALYSE, SYNTHESISE>(
                &mut x,
                &mut p,
                [self.t[k], self.t[partner]],
                [of(k), of(partner)],
                others,
            );
            if SYNTHESISE && !self.chirp.is_empty() {
                scale(&mut x, self.chirp[k]);
                scale(&mut p, self.chirp[partner]);
            }
            z[partner] = p;
            z[k] = x;
        }
    }
}

/// For k and its partner k', with the factors t and u:
///
/// - to the modes of two lines A and B whose transforms are Z = A + iB: X = Re(t A), where A' is the conjugate of A;
/// - divided by the sums of eigenvalues; where that is zero nothing is known, and the mode becomes zero;
/// - the transpose of the first: Z = Y + iW, where Y = (t X + conj(t' X'))/2 of one line, and W of the other.
#[inline(always)]
fn partners<const ANALYSE: bool, const SYNTHESISE: bool>(
    x: &mut Complex,
    p: &mut Complex,
    [t, u]: [[f32; 2]; 2],
    lambda: [f32; 2],
    others: &Complex,
) {
    for l in 0..LANES {
        // The two lines, at k and at its partner.
        let (mut a, mut b) = ([x.re[l], p.re[l]], [x.im[l], p.im[l]]);
        if ANALYSE {
            let (a_re, a_im) = (0.5 * (a[0] + a[1]), 0.5 * (b[0] - b[1]));
            let (b_re, b_im) = (0.5 * (b[0] + b[1]), 0.5 * (a[1] - a[0]));
            a = [t[0] * a_re - t[1] * a_im, u[0] * a_re + u[1] * a_im];
            b = [t[0] * b_re - t[1] * b_im, u[0] * b_re + u[1] * b_im];
        }
        if ANALYSE && SYNTHESISE {
            a = [
                divided(a[0], lambda[0] + others.re[l]),
                divided(a[1], lambda[1] + others.re[l]),
            ];
            b = [
                divided(b[0], lambda[0] + others.im[l]),
                divided(b[1], lambda[1] + others.im[l]),
            ];
        }
        if SYNTHESISE {
            let (y_re, y_im) = (
                0.5 * (t[0] * a[0] + u[0] * a[1]),
                0.5 * (t[1] * a[0] - u[1] * a[1]),
            );
            let (w_re, w_im) = (
                0.5 * (t[0] * b[0] + u[0] * b[1]),
                0.5 * (t[1] * b[0] - u[1] * b[1]),
            );
            (a, b) = ([y_re - w_im, y_re + w_im], [y_im + w_re, w_re - y_im]);
        }
        ([x.re[l], p.re[l]], [x.im[l], p.im[l]]) = (a, b);
    }
}

#[inline(always)]
fn divided(x: f32, by: f32) -> f32 {
    if by > 0.0 { x / by } else { 0.0 }
}

/// Where sixteen rows go: one after the other, or a piece of each tile.
pub(super) enum Rows<'a> {
    Grid(&'a mut [f32]),
    Tiles(Vec<&'a mut [f32]>),
}

crate::simd_fn! {
    /// `count` rows of the grid from row `first` on.
    pub(super) fn along_rows(pass: &Pass<'_>, first: usize, count: usize, out: &mut Rows<'_>, z: &mut [Complex]) {
        let (n, rows) = (pass.cells, pass.dims[1] * pass.dims[2]);
        let (low, high) = (count.min(LANES), count.max(LANES) - LANES);
        pass.clear(z);
        for i in (0..n).step_by(LANES) {
            // Where the rows begin, how far they are from each other, how far they go.
            let (at, stride, from, to) = match pass.tiles_in() {
                true => ((i / LINES * rows + first) * LINES, LINES, i % LINES, LINES.min(n - i + i % LINES)),
                false => (first * n, n, i, n),
            };
            let (a, b) = pass.source[at..][..count * stride].split_at(low * stride);
            let (re, im) = (transposed(&block(a, stride, from, to)), transposed(&block(&b[..high * stride], stride, from, to)));
            for c in 0..LANES.min(n - i) {
                pass.enter(i + c, Complex { re: re[c], im: im[c] }, z);
            }
        }
        let at = [0, first % pass.dims[1], first / pass.dims[1]];
        pass.work(&pass.others(at, 1), z);
        for i in (0..n).step_by(LANES) {
            let (mut re, mut im) = (Block::default(), Block::default());
            for c in 0..LANES.min(n - i) {
                let z = pass.leave(i + c, z);
                (re[c], im[c]) = (z.re, z.im);
            }
            let (re, im) = (transposed(&re), transposed(&im));
            match out {
                Rows::Grid(rows) => {
                    let (a, b) = rows.split_at_mut(low * n);
                    if pass.add {
                        let codes = &pass.stencil[first * n..][..count * n];
                        add_block(&re, &codes[..low * n], a, n, i, n);
                        add_block(&im, &codes[low * n..], b, n, i, n);
                    } else {
                        put_block(&re, a, n, i, n);
                        put_block(&im, b, n, i, n);
                    }
                }
                Rows::Tiles(tiles) => {
                    let (a, b) = tiles[i / LINES].split_at_mut(low * LINES);
                    let (from, to) = (i % LINES, LINES.min(n - i + i % LINES));
                    put_block(&re, a, LINES, from, to);
                    put_block(&im, b, LINES, from, to);
                }
            }
        }
    }

    /// Sixteen lines of a tile across the rows: the first cell of each at `first`, the next ones `stride` further. `at` are the
    /// numbers of the first line on the axes. Those beyond the grid are zero.
    pub(super) fn along_columns(pass: &Pass<'_>, first: usize, stride: usize, at: [usize; 3], out: &mut Columns<'_>, z: &mut [Complex]) {
        pass.clear(z);
        let there = pass.dims[0] - at[0];
        for i in 0..pass.cells {
            if let Some(sixteen) = pass.source[first + i * stride..].first_chunk::<LINES>() {
                let mut sixteen = *sixteen;
                if there < LINES {
                    sixteen[there..].fill(0.0);
                }
                let [re, im] = halves(&sixteen);
                pass.enter(i, Complex { re, im }, z);
            }
        }
        pass.work(&pass.others(at, 0), z);
        match out {
            Columns::Piece(piece) => {
                for (i, out) in piece.as_chunks_mut().0.iter_mut().enumerate() {
                    put_halves(out, &pass.leave(i, z));
                }
            }
            Columns::Rows(rows) => {
                for (i, out) in rows.iter_mut().enumerate() {
                    if let Some(out) = out.first_chunk_mut() {
                        put_halves(out, &pass.leave(i, z));
                    }
                }
            }
        }
    }
}

/// Where sixteen lines across the rows go: rows of sixteen, one after the other or each elsewhere.
pub(super) enum Columns<'a> {
    Piece(&'a mut [f32]),
    Rows(Vec<&'a mut [f32]>),
}
