//! Geometric multigrid: what a few sweeps leave over is smooth, and smooth errors are found on a coarser grid, where they cost
//! a quarter (an eighth in 3D), and so on down (Brandt 1977; Trottenberg, Oosterlee, Schüller 2001, Multigrid).
//!
//! A cycle on a level:
//!
//! 1. relax `pre` times, in red–black order;
//! 2. restrict: b of the coarser level is the sum of the residuals of the children of each cell;
//! 3. find the correction there by a cycle (V) or two (W) from zero; on the coarsest, at most four cells along each axis, by
//!    many sweeps;
//! 4. prolong: add the correction, linear between coarse cells;
//! 5. relax `post` times.
//!
//! The finest level is the system as it is given, relaxed as by the Gauss–Seidel solver. On a coarse level each face has a
//! weight of its own (see `coarsen`). Stencil codes would be smaller, but they know only open and closed faces and cells that
//! are all the same: measured as factors of the residual a V(2,2) cycle, an obstacle costs 0.31 with codes, where a coarse face
//! is open if any of its faces is (as McAdams, Sifakis and Teran 2010, who then need many more sweeps round obstacles), and
//! 0.08 to 0.10 with weights; 37×81 cells 0.55 against 0.08. A stencil by Galerkin's product with piecewise constant
//! interpolation is the same weights times two, which halves every correction. With linear interpolation the product has nine
//! (27) entries. Linear interpolation costs little and matters: with (½, ¼, ¼) instead of products of (¾, ¼), 0.10 instead of
//! 0.08.
//!
//! Even so the topology of walls that are thinner than a coarse cell is only roughly that of the finest level. Coarse levels
//! therefore pay for more than one visit, and cost little where they are small: a V cycle visits levels of `TWICE` cells
//! twice. Behind a wall of one cell across three quarters of a 128² box, the factor is 0.08 instead of 1.1.
//!
//! On a GPU a colour is a dispatch, and so is a restriction and a prolongation. Levels of at most 1024 cells are one dispatch
//! of one workgroup altogether, which runs a program of parts.

mod coarsen;
mod kernels;
mod layout;
mod operators;
mod prolong;
mod rows;

use super::red_black::RedBlackSweeps;
use super::solve::{Core, Limits, Sweeps};
use super::{PoissonSolver, SolveReport, SolverInfo, System};
use crate::device::{Buf, Device, Result, Ticket};
use coarsen::coarsen;
use kernels::{CLEAR, CycleU, MultigridPart, PROLONG, RESTRICT, SMOOTH, SMOOTH_ZERO};
use layout::Layout;

pub use kernels::KERNELS;

/// Cells of the levels that a V cycle visits twice.
const TWICE: std::ops::RangeInclusive<usize> = 64..=4096;
/// Sweeps on the coarsest level at each visit.
const COARSEST_SWEEPS: u32 = 8;

crate::choice! {
    /// How often coarse levels are visited.
    pub enum Cycle {
        /// Once, the small ones twice: the least work for what it does.
        V,
        /// Each twice as often as the one before. Costs half as much again and is steadier among thin walls.
        W,
    }
}

crate::params! {
    /// Geometric multigrid.
    pub struct Parameters {
        /// Most cycles a solve. Each leaves about a tenth of the residual.
        live iterations: u32 = 4, hard 1..=100_000, soft 1..=20;
        /// Stop when the root mean square of the residual is at most this, in the unit in which it is reported (1/s for
        /// the pressure). Zero: never.
        live tolerance: f32 = 0.0, hard 0.0..=1e9, soft 0.0..=1.0;
        /// Cycles between two measurements of the residual. Zero: an eighth of all where there is a tolerance to meet; else
        /// the way down is measured now and then, for the plot alone.
        live check_every: u32 = 0, hard 0..=100_000, soft 0..=50, advanced;
        /// How often coarse levels are visited in a cycle.
        live cycle: Cycle = Cycle::V;
        /// Sweeps on each level before its residual is handed on.
        live pre: u32 = 2, hard 0..=64, soft 0..=8, advanced;
        /// Sweeps on each level after its correction.
        live post: u32 = 2, hard 1..=64, soft 1..=8, advanced;
    }
}

impl Parameters {
    fn limits(&self) -> Limits {
        Limits {
            iterations: self.iterations,
            tolerance: self.tolerance,
            check_every: self.check_every,
        }
    }
}

/// Working memory.
pub struct Solver {
    core: Core,
    cycles: Cycles,
}

struct Cycles {
    layout: Layout,
    sweeps: RedBlackSweeps,
    /// The levels, then the program of the small ones.
    tables: Buf<[u32; 4]>,
    ints: Buf<u32>,
    coef: Buf<f32>,
    state: Buf<f32>,
    cycle: Cycle,
    pre: u32,
    post: u32,
    /// Cycle and sweeps for which the program is written.
    written: Option<(Cycle, u32, u32)>,
    /// Parts of the program.
    program: u32,
    shift: f32,
}

impl PoissonSolver for Solver {
    type Params = Parameters;
    const INFO: SolverInfo = SolverInfo {
        id: "multigrid",
        title: "Multigrid",
        summary: "Finds large swirls on coarse grids: every cycle leaves a tenth of the error, at any size.",
        paper: "U. Trottenberg, C. Oosterlee, A. Schüller 2001, Multigrid; A. McAdams, E. Sifakis, J. Teran 2010, A parallel multigrid Poisson solver for fluids simulation on large grids",
        obstacles: true,
    };

    fn new(dev: &mut Device, dims: [u32; 3], params: &Parameters) -> Result<Self> {
        let layout = Layout::new(dims);
        let mut table = layout.table();
        table.extend(program(&layout, Cycle::W, [0; 2]));
        Ok(Self {
            core: Core::new(dev, dims, params.limits())?,
            cycles: Cycles {
                sweeps: RedBlackSweeps::new(dev, dims)?,
                tables: dev.buf_from("multigrid tables", &table)?,
                ints: dev.buf("multigrid cells", layout.ints)?,
                coef: dev.buf("multigrid operators", layout.coef)?,
                state: dev.buf("multigrid levels", layout.state)?,
                layout,
                cycle: params.cycle,
                pre: params.pre,
                post: params.post,
                written: None,
                program: 0,
                shift: 0.0,
            },
        })
    }

    fn memory_bytes(dims: [u32; 3], _: &Parameters) -> u64 {
        let layout = Layout::new(dims);
        let table = layout.table().len() + program(&layout, Cycle::W, [0; 2]).len();
        let numbers = layout.ints + layout.coef + layout.state + 4 * table;
        Core::memory_bytes(dims) + RedBlackSweeps::memory_bytes(dims) + 4 * numbers as u64
    }

    fn solve(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        params: &Parameters,
    ) {
        self.cycles.set(dev, params, system.shift);
        let (limits, id) = (params.limits(), Self::INFO.id);
        self.core
            .solve(dev, system, x, limits, &mut self.cycles, id);
    }

    fn report(&mut self, dev: &mut Device) -> Result<Ticket<SolveReport>> {
        self.core.report(dev)
    }
}

/// The parts of what is done on the small levels, beginning with the first of them and from zero. Their number does not depend on
/// the numbers of sweeps, and is largest for W.
fn program(layout: &Layout, cycle: Cycle, sweeps: [u32; 2]) -> Vec<[u32; 4]> {
    let mut parts = Vec::new();
    descend(layout, layout.first_small(), cycle, sweeps, &mut parts);
    parts
}

/// Whether a level is visited twice from the one before.
fn twice(layout: &Layout, level: usize, cycle: Cycle) -> bool {
    cycle == Cycle::W || TWICE.contains(&layout.levels[level].cells)
}

/// The cycles on a small level, from zero.
fn descend(layout: &Layout, level: usize, cycle: Cycle, sweeps: [u32; 2], parts: &mut Vec<[u32; 4]>) {
    visit(layout, level, cycle, sweeps, true, parts);
    if twice(layout, level, cycle) {
        visit(layout, level, cycle, sweeps, false, parts);
    }
}

/// A cycle on a small level.
fn visit(layout: &Layout, level: usize, cycle: Cycle, sweeps: [u32; 2], zero: bool, parts: &mut Vec<[u32; 4]>) {
    let number = level as u32;
    if level == layout.last() {
        let kind = if zero { SMOOTH_ZERO } else { SMOOTH };
        parts.push([kind, number, 0, 2 * COARSEST_SWEEPS]);
        return;
    }
    let [pre, post] = sweeps;
    parts.push(match (zero, pre) {
        (true, 0) => [CLEAR, number, 0, 1],
        (true, _) => [SMOOTH_ZERO, number, 0, 2 * pre],
        (false, _) => [SMOOTH, number, 0, 2 * pre],
    });
    parts.push([RESTRICT, number, 0, 1]);
    descend(layout, level + 1, cycle, sweeps, parts);
    parts.push([PROLONG, number, 0, 1]);
    parts.push([SMOOTH, number, 0, 2 * post]);
}

impl Cycles {
    /// Takes the parameters, and writes the program where it is another.
    fn set(&mut self, dev: &mut Device, params: &Parameters, shift: f32) {
        (self.cycle, self.pre, self.post) = (params.cycle, params.pre, params.post);
        self.shift = shift;
        self.sweeps.same_rhs = false;
        if self.written != Some((self.cycle, self.pre, self.post)) {
            let mut table = self.layout.table();
            let program = program(&self.layout, self.cycle, [self.pre, self.post]);
            self.program = program.len() as u32;
            table.extend(program);
            dev.write(&mut self.tables, &table);
            self.written = Some((self.cycle, self.pre, self.post));
        }
    }

    /// A cycle on a coarse level that is not small.
    fn visit(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, level: usize, zero: bool) {
        let number = level as u32;
        if zero && self.pre == 0 {
            self.run(dev, system, x, [CLEAR, number, 0, 1], 0);
        }
        self.smooth(dev, system, x, level, self.pre, zero);
        self.run(dev, system, x, [RESTRICT, number, 0, 1], 0);
        self.descend(dev, system, x, level);
        self.run(dev, system, x, [PROLONG, number, 0, 1], 0);
        self.smooth(dev, system, x, level, self.post, false);
    }

    /// Sweeps on the finest level, whose right-hand side is the same through a solve.
    fn relax(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, sweeps: u32) {
        if sweeps > 0 {
            self.sweeps.block(dev, system, x, sweeps);
            self.sweeps.same_rhs = true;
        }
    }

    /// The cycles on the level after `level`.
    fn descend(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, level: usize) {
        let next = level + 1;
        if next >= self.layout.first_small() {
            self.run(dev, system, x, [0; 4], self.program);
            return;
        }
        let twice = twice(&self.layout, next, self.cycle);
        self.visit(dev, system, x, next, true);
        if twice {
            self.visit(dev, system, x, next, false);
        }
    }

    fn smooth(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, level: usize, sweeps: u32, zero: bool) {
        for pass in 0..2 * sweeps {
            let kind = if zero && pass == 0 { SMOOTH_ZERO } else { SMOOTH };
            self.run(dev, system, x, [kind, level as u32, pass, 1], 0);
        }
    }

    /// Runs one part, or the first `count` of the program.
    fn run(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, part: [u32; 4], count: u32) {
        let level = part[1] as usize + usize::from(part[0] == RESTRICT);
        let items = if count > 0 { 1 } else { self.layout.levels[level].cells as u32 };
        let cycle = CycleU {
            part,
            count,
            program: 3 * self.layout.levels.len() as u32,
            shift: self.shift,
            pad0: 0.0,
        };
        dev.run(
            [items, 1, 1],
            MultigridPart {
                cycle,
                tables: &self.tables,
                ints: &self.ints,
                coef: &self.coef,
                stencil: system.stencil,
                rhs: system.rhs,
                x,
                state: &mut self.state,
            },
        );
    }
}

impl Sweeps for Cycles {
    const WANDERS: bool = true;

    fn prepare(&mut self, dims: [u32; 3], stencil: &[u32], shift: f32) {
        self.sweeps.prepare(dims, stencil, shift);
    }

    fn prepare_levels(&mut self, dev: &mut Device, stencil: &[u32], shift: f32) -> Result<()> {
        let coarse = coarsen(&self.layout, stencil, shift);
        dev.write(&mut self.ints, &coarse.ints);
        dev.write(&mut self.coef, &coarse.coef);
        Ok(())
    }

    fn block(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, iterations: u32) {
        // The sweeps after a cycle and those before the next are one block.
        let mut sweeps = self.pre;
        for n in 1..=iterations {
            self.relax(dev, system, x, sweeps);
            self.run(dev, system, x, [RESTRICT, 0, 0, 1], 0);
            self.descend(dev, system, x, 0);
            self.run(dev, system, x, [PROLONG, 0, 0, 1], 0);
            sweeps = self.post + if n < iterations { self.pre } else { 0 };
        }
        self.relax(dev, system, x, sweeps);
    }
}
