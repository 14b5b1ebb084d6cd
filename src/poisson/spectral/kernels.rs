//! The one kernel: transforms the lines of an axis, or solves along it, or transforms them back.

use std::cell::RefCell;

use rayon::prelude::*;

use super::batch::{Columns, Pass, Rows, along_columns, along_rows};
use super::blocks::LINES;
use super::fft::Complex;
use crate::device::{Cpu, Kernel, KernelInfo};

crate::shared! {
    /// What a pass does.
    pub struct SpectralU {
        /// Cells along x, y, z, and the axis of the lines.
        pub cells: [u32; 4],
        /// Cells of a line, length of its Fourier transform, numbers that this works on, pairs of lines a workgroup.
        pub line: [u32; 4],
        /// [`ANALYSE`] and so on, the sum of the indices of partners, the first index of the result, stages.
        pub what: [u32; 4],
        /// Where the tables of the axis begin: places, turns. Radices of the stages, four bits each: the first eight, the others.
        pub tables: [u32; 4],
        /// Added to the eigenvalues.
        pub shift: f32,
        /// Nothing.
        pub pad0: f32,
        /// Nothing.
        pub pad1: f32,
        /// Nothing.
        pub pad2: f32,
    }
}

crate::kernel! {
    /// Lines of an axis to their modes, through the inverse of the system, or back: (tables, eigenvalues, source) → target.
    pub SpectralPass = "poisson/spectral/pass.wgsl", spectral_pass {
        uniform job: SpectralU, read places: u32, read turns: [f32; 2], read lambda: f32, read stencil: u32,
        read source: f32, write result: f32,
    }
}

/// All of them.
pub const KERNELS: &[KernelInfo] = &[SpectralPass::INFO];

/// Transforms to modes.
pub const ANALYSE: u32 = 1;
/// Transforms from modes. With [`ANALYSE`] too: divides in between by the sums of eigenvalues.
pub const SYNTHESISE: u32 = 2;
/// Adds to the unknowns, instead of setting all cells.
pub const ADD: u32 = 4;
/// The Fourier transform is done by convolution.
pub const CHIRP: u32 = 8;

/// Runs `work` with memory for so many numbers, which each thread keeps.
fn with_memory(size: usize, work: impl FnOnce(&mut [Complex])) {
    thread_local! {
        static MEMORY: RefCell<Vec<Complex>> = const { RefCell::new(Vec::new()) };
    }
    MEMORY.with_borrow_mut(|memory| {
        if memory.len() < size {
            memory.resize(size, Complex::ZERO);
        }
        work(&mut memory[..size]);
    });
}

fn spectral_pass(
    _: &Cpu,
    _: [u32; 3],
    job: &SpectralU,
    places: &[u32],
    turns: &[[f32; 2]],
    lambda: &[f32],
    stencil: &[u32],
    source: &[f32],
    result: &mut [f32],
) {
    let pass = &Pass::new(job, places, turns, lambda, stencil, source);
    match pass.axis {
        0 => rows(pass, result),
        1 => columns(pass, result),
        _ => depths(pass, result),
    }
}

/// Lines along x, by sixteens.
fn rows(pass: &Pass<'_>, result: &mut [f32]) {
    let all = pass.dims[1] * pass.dims[2];
    let batches: Vec<Rows<'_>> = if pass.tiles_out() {
        let mut batches: Vec<Vec<&mut [f32]>> = Vec::new();
        batches.resize_with(all.div_ceil(LINES), Vec::new);
        for tile in result.chunks_exact_mut(all * LINES) {
            for (batch, piece) in batches.iter_mut().zip(tile.chunks_mut(LINES * LINES)) {
                batch.push(piece);
            }
        }
        batches.into_iter().map(Rows::Tiles).collect()
    } else {
        result
            .chunks_mut(LINES * pass.cells)
            .map(Rows::Grid)
            .collect()
    };
    batches
        .into_par_iter()
        .enumerate()
        .for_each(|(batch, mut out)| {
            let first = batch * LINES;
            with_memory(pass.fft.size, |z| {
                along_rows(pass, first, LINES.min(all - first), &mut out, z);
            });
        });
}

/// Lines along y: each tile, layer by layer, is a piece of sixteen.
fn columns(pass: &Pass<'_>, result: &mut [f32]) {
    let [_, ny, nz] = pass.dims;
    let pieces = result.par_chunks_exact_mut(ny * LINES).enumerate();
    pieces.for_each(|(piece, out)| {
        let at = [piece / nz * LINES, 0, piece % nz];
        let first = piece * ny * LINES;
        with_memory(pass.fft.size, |z| {
            along_columns(pass, first, LINES, at, &mut Columns::Piece(out), z);
        });
    });
}

/// Lines along z: a row of sixteen from each layer of a tile.
fn depths(pass: &Pass<'_>, result: &mut [f32]) {
    let [_, ny, nz] = pass.dims;
    let tiles = result.par_chunks_exact_mut(ny * nz * LINES).enumerate();
    tiles.for_each(|(tile, out)| {
        let mut lines: Vec<Vec<&mut [f32]>> = Vec::new();
        lines.resize_with(ny, || Vec::with_capacity(nz));
        for layer in out.chunks_exact_mut(ny * LINES) {
            for (line, row) in lines.iter_mut().zip(layer.chunks_exact_mut(LINES)) {
                line.push(row);
            }
        }
        lines.into_par_iter().enumerate().for_each(|(j, rows)| {
            let first = (tile * nz * ny + j) * LINES;
            let (at, stride) = ([tile * LINES, j, 0], ny * LINES);
            with_memory(pass.fft.size, |z| {
                along_columns(pass, first, stride, at, &mut Columns::Rows(rows), z);
            });
        });
    });
}
