//! The kernels of an iteration. Sums are taken over tiles of 64 × [`TILE_ROWS`] cells, each in one order on both sides.

use super::twins::{advance, alpha, beta, direction, products};
use crate::device::{Kernel, KernelInfo};

/// Cells of a tile along x.
pub(super) const TILE: usize = 64;
/// Cells of a tile along y.
pub(super) const TILE_ROWS: usize = 4;

crate::shared! {
    /// What the kernels are told.
    pub struct ConjugateU {
        /// Cells along x, y, z; 1 where the preconditioner is the diagonal.
        pub cells: [u32; 4],
        /// Tiles along x, y, z; in all.
        pub tiles: [u32; 4],
        /// Added to the diagonal.
        pub shift: f32,
        /// 1 where these are the first scalars of a solve.
        pub begin: u32,
        /// 1 where there are two sums.
        pub two: u32,
        /// Nothing.
        pub pad0: u32,
    }
}

crate::shared! {
    /// The scalars of an iteration, which never leave the device.
    #[derive(Default)]
    pub struct Scalars {
        /// r · z.
        pub gamma: f32,
        /// How far to go along p.
        pub alpha: f32,
        /// How much of the old direction is in the new one.
        pub beta: f32,
        /// p · A p.
        pub delta: f32,
        /// What r · z must exceed for r to say anything.
        pub floor: f32,
    }
}

crate::kernel! {
    /// p' = z + β p, and Σ p' · A p' over each tile: (stencil, z, p, scalars) → p', partials. z is r / D where asked for.
    pub ConjugateDirection = "poisson/pcg/direction.wgsl", direction {
        uniform cg: ConjugateU, read stencil: u32, read z: f32, read old: f32, read scalars: Scalars,
        write direction: f32, write partials: f32,
    }
}

crate::kernel! {
    /// δ = p · A p, α = γ / δ: (partials) → scalars.
    pub ConjugateAlpha = "poisson/pcg/alpha.wgsl", alpha {
        uniform cg: ConjugateU, read partials: f32, write scalars: Scalars,
    }
}

crate::kernel! {
    /// x += α p, r −= α A p, and Σ r · z over each tile, z being r or r / D: (stencil, p, scalars) → x, r, partials.
    pub ConjugateAdvance = "poisson/pcg/advance.wgsl", advance {
        uniform cg: ConjugateU, read stencil: u32, read direction: f32, read scalars: Scalars,
        write x: f32, write r: f32, write partials: f32,
    }
}

crate::kernel! {
    /// Σ r · z over each tile, then Σ z · A p: (stencil, p, z, r) → partials.
    pub ConjugateProducts = "poisson/pcg/products.wgsl", products {
        uniform cg: ConjugateU, read stencil: u32, read direction: f32, read z: f32, read r: f32, write partials: f32,
    }
}

crate::kernel! {
    /// γ = r · z, and β = γ / γ of before or −(z · A p) / δ: (partials) → scalars.
    pub ConjugateBeta = "poisson/pcg/beta.wgsl", beta {
        uniform cg: ConjugateU, read partials: f32, write scalars: Scalars,
    }
}

/// All of them.
pub const KERNELS: &[KernelInfo] = &[
    ConjugateDirection::INFO,
    ConjugateAlpha::INFO,
    ConjugateAdvance::INFO,
    ConjugateProducts::INFO,
    ConjugateBeta::INFO,
];

impl ConjugateU {
    /// For arrays of `dims`.
    pub fn new(dims: [u32; 3], shift: f32) -> Self {
        let [nx, ny, nz] = dims;
        let (x, y) = (nx.div_ceil(TILE as u32), ny.div_ceil(TILE_ROWS as u32));
        Self {
            cells: [nx, ny, nz, 0],
            tiles: [x, y, nz, x * y * nz],
            shift,
            begin: 0,
            two: 0,
            pad0: 0,
        }
    }
    pub(super) fn dims(&self) -> [u32; 3] {
        [self.cells[0], self.cells[1], self.cells[2]]
    }
    /// Invocations of a kernel that works on tiles: one a column of a tile.
    pub fn items(&self) -> [u32; 3] {
        [self.cells[0], self.tiles[1], self.tiles[2]]
    }
}
