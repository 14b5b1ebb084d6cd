//! Solvers of the discrete Poisson (or Helmholtz) equation on a grid, behind one trait.
//!
//! The system is `A x = b` with, for each unknown cell c,
//!
//! `(A x)_c = shift · x_c + Σ over faces f of w_f · (x_c − x_f)`
//!
//! where `w_f` and `x_f` depend on what lies behind the face: another unknown (`LINK`: w = 1, its value), nothing
//! (`CLOSED`: w = 0, Neumann), a value known on the face itself (`FACE`: w = 2, x_f = 0: half a cell away), or a value
//! known one cell away (`NODE`: w = 1, x_f = 0). Known values other than zero stand in `b`. Everything is scaled by h²:
//! a pressure solve has `b = −h² · ∇·u / dt`, implicit viscosity has `shift = h² / (ν dt)`. `A` is symmetric and positive
//! (semi-)definite; with no shift and no known value it is singular, and solutions differ by a constant.
//!
//! A flow begins each solve with the pressure of the frame before. Let `R` be what a solve leaves of the error e of its
//! guess: the velocity keeps the gradient of eₙ, the guess is off by that much once more, and so eₙ₊₁ = R (2 eₙ − eₙ₋₁). Errors
//! fade away only where the eigenvalues of R lie between −1/3 and 1. A solver may leave much, but it must not overshoot.
//!
//! One `u32` a cell holds this as two bits a face and bit 12 (`UNKNOWN`), see [`crate::grid::codes`]; where the bit is not
//! set the cell is no unknown, and x stays zero. Links across periodic faces wrap.

mod any;
mod cells;
mod components;
mod iteration;
pub mod kernels;
mod precondition;
mod red_black;
mod red_black_stream;
mod red_black_strip;
mod report;
mod rows;
mod singular;
mod solve;
mod stencil;
mod storage;
mod strips;

use crate::device::{Buf, Device, KernelInfo, Result, Ticket};
use crate::params::Params;

pub use crate::grid::codes::{CLOSED, FACE, LINK, NODE, UNKNOWN};
pub use any::AnySolver;
pub use precondition::Preconditioner;
pub use report::SolveReport;

/// A linear system on a grid.
pub struct System<'a> {
    /// Cells along x, y, z of the arrays.
    pub dims: [u32; 3],
    /// Two bits a face and `UNKNOWN`, for each cell.
    pub stencil: &'a Buf<u32>,
    /// Changes whenever the stencil does, so that what is derived from it can be kept.
    pub revision: u64,
    /// Added to the diagonal; zero for Poisson.
    pub shift: f32,
    /// The right-hand side b.
    pub rhs: &'a Buf<f32>,
    /// Residuals are reported times this, in `unit`.
    pub residual_scale: f32,
    /// What is solved for, for the report.
    pub name: &'static str,
    /// Unit of the scaled residual.
    pub unit: &'static str,
}

/// What is known about a solver without running it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverInfo {
    /// Snake case, as on the command line.
    pub id: &'static str,
    /// As shown.
    pub title: &'static str,
    /// What it is good for, in a sentence.
    pub summary: &'static str,
    /// Authors, year, title.
    pub paper: &'static str,
    /// Whether cells that are not unknowns are honoured.
    pub obstacles: bool,
}

/// A solver. Its module exports `Solver`, which implements this, `Parameters`, and in `KERNELS` what is its own.
pub trait PoissonSolver: Sized + Send {
    /// Its parameters.
    type Params: Params + Clone + Default + PartialEq + Send + Sync;
    /// What is known without running it.
    const INFO: SolverInfo;
    /// Makes working memory for arrays of `dims`.
    ///
    /// # Errors
    /// Memory, or a device that fails.
    fn new(dev: &mut Device, dims: [u32; 3], params: &Self::Params) -> Result<Self>;
    /// Bytes that [`PoissonSolver::new`] takes.
    fn memory_bytes(dims: [u32; 3], params: &Self::Params) -> u64;
    /// Improves `x`, which holds the first guess.
    fn solve(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        params: &Self::Params,
    );
    /// Asks what the last solve did.
    ///
    /// # Errors
    /// A device that fails.
    fn report(&mut self, dev: &mut Device) -> Result<Ticket<SolveReport>>;
    /// What it can do for conjugate gradients on arrays of `dims`, if anything.
    fn preconditioner(
        _dev: &mut Device,
        _dims: [u32; 3],
        _params: &Self::Params,
    ) -> Option<Result<Box<dyn Preconditioner>>> {
        None
    }
    /// Bytes that [`PoissonSolver::preconditioner`] takes.
    fn preconditioner_bytes(_dims: [u32; 3], _params: &Self::Params) -> u64 {
        0
    }
    /// Its parameters with what the solver with that id offers as preconditioner, if it takes any.
    fn preconditioned_by(_id: &str) -> Option<Self::Params> {
        None
    }
}

const fn count(lists: &[&[KernelInfo]]) -> usize {
    let (mut sum, mut l) = (0, 0);
    while l < lists.len() {
        sum += lists[l].len();
        l += 1;
    }
    sum
}

/// All kernels of some lists in one.
const fn joined<const N: usize>(lists: &[&[KernelInfo]]) -> [KernelInfo; N] {
    let mut all = [kernels::KERNELS[0]; N];
    let (mut n, mut l) = (0, 0);
    while l < lists.len() {
        let mut k = 0;
        while k < lists[l].len() {
            all[n] = lists[l][k];
            (n, k) = (n + 1, k + 1);
        }
        l += 1;
    }
    all
}

/// A solver that stands in the registry.
trait Registered: PoissonSolver {
    /// Its parameters, if they are what `all` holds.
    fn of(all: &SolverParams) -> Option<&Self::Params>;
}

macro_rules! registry {
    ($($(#[doc = $doc:literal])+ $variant:ident = $module:ident),+ $(,)?) => {
        $(pub mod $module;)+

        crate::variants! {
            /// Which solver, with its parameters.
            pub enum SolverParams { $($(#[doc = $doc])+ $variant($module::Parameters),)+ }
        }

        /// The kernels of all solvers: those that they share, then those of each.
        pub const KERNELS: &[KernelInfo] = &joined::<{ count(LISTS) }>(LISTS);
        const LISTS: &[&[KernelInfo]] = &[kernels::KERNELS, $($module::KERNELS),+];

        /// Every solver, in the order in which they are offered.
        pub const SOLVERS: &[&SolverInfo] = &[$(&<$module::Solver as PoissonSolver>::INFO),+];

        $(impl Registered for $module::Solver {
            fn of(all: &SolverParams) -> Option<&Self::Params> {
                match all { SolverParams::$variant(p) => Some(p), _ => None }
            }
        })+

        /// The solver that takes what the one with that id offers as preconditioner, if it offers any.
        pub fn preconditioned_by(id: &str) -> Option<SolverParams> {
            let mut found = None;
            $(found = found.or_else(|| {
                <$module::Solver as PoissonSolver>::preconditioned_by(id).map(SolverParams::$variant)
            });)+
            found
        }

        impl SolverParams {
            /// What is known about the solver.
            pub fn info(&self) -> &'static SolverInfo { SOLVERS[self.index()] }
            /// The solver with that id, with its default parameters.
            pub fn from_id(id: &str) -> Option<Self> {
                SOLVERS.iter().position(|s| s.id == id).map(Self::from_index)
            }
            /// Makes the solver's working memory for arrays of `dims`.
            ///
            /// # Errors
            /// Memory, or a device that fails.
            pub fn create(&self, dev: &mut Device, dims: [u32; 3]) -> Result<Box<dyn AnySolver>> {
                Ok(match self { $(Self::$variant(p) => Box::new(<$module::Solver as PoissonSolver>::new(dev, dims, p)?)),+ })
            }
            /// What the solver can do for conjugate gradients, if anything.
            fn preconditioner(&self, dev: &mut Device, dims: [u32; 3]) -> Option<Result<Box<dyn Preconditioner>>> {
                match self { $(Self::$variant(p) => <$module::Solver as PoissonSolver>::preconditioner(dev, dims, p)),+ }
            }
            /// Bytes that this takes.
            fn preconditioner_bytes(&self, dims: [u32; 3]) -> u64 {
                match self { $(Self::$variant(p) => <$module::Solver as PoissonSolver>::preconditioner_bytes(dims, p)),+ }
            }
            /// Bytes that the solver takes.
            pub fn memory_bytes(&self, dims: [u32; 3]) -> u64 {
                match self { $(Self::$variant(p) => <$module::Solver as PoissonSolver>::memory_bytes(dims, p)),+ }
            }
        }
    };
}

registry! {
    /// Coarse grids find what sweeps on the finest cannot: a few cycles at any size.
    Multigrid = multigrid,
    /// Every cell at once from its neighbours: simple, even cost, slow to converge.
    Jacobi = jacobi,
    /// Two colours in turn, each from the newest values: twice as fast as Jacobi for the same work.
    GaussSeidel = gauss_seidel,
    /// Gauss–Seidel with larger moves: for many iterations, in which large swirls settle much sooner.
    Sor = sor,
    /// Each step is the best that can be made of all before it: sure of its way among thin walls and many obstacles.
    Pcg = pcg,
    /// Exact in one pass in a box without obstacles: sums of waves, each solved by a division.
    Spectral = spectral,
    /// Many Jacobi sweeps in one step, as a blur along each axis: the least cost for a flow that is nearly incompressible.
    PoissonFilter = poisson_filter,
}
