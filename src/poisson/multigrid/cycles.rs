//! The cycles: which parts are done in which order, one by one on large levels, as a program on small ones.

use super::coarsen::coarsen;
use super::kernels::{
    CLEAR, CycleU, MultigridPart, PROLONG, PROLONG_FLAT, RESTRICT, SMOOTH, SMOOTH_BACK, SMOOTH_ZERO,
};
use super::layout::Layout;
use super::sweeps::LevelSweeps;
use super::{Cycle, Parameters};
use crate::device::{Buf, Cpu, Device, Result, default_threads};
use crate::poisson::red_black::RedBlackSweeps;
use crate::poisson::solve::Sweeps;
use crate::poisson::stencil::{faces, plain_code};
use crate::poisson::{System, UNKNOWN};

/// Cells of the levels that a V cycle visits twice where they are rough.
const TWICE: std::ops::RangeInclusive<usize> = 64..=4096;
/// Sweeps on the coarsest level at each visit.
const COARSEST_SWEEPS: u32 = 8;

/// What a cycle is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shape {
    pub cycle: Cycle,
    /// Sweeps before a level's residual is handed on, and after its correction.
    pub sweeps: [u32; 2],
    /// Whether the second half is the transpose of the first.
    pub symmetric: bool,
    /// Whether coarse levels know only roughly what is there: obstacles, or known values, which lie nearer to their cells
    /// than the cells to each other.
    pub rough: bool,
}

impl Shape {
    pub fn of(params: &Parameters) -> Self {
        Self {
            cycle: params.cycle,
            sweeps: [params.pre, params.post],
            symmetric: false,
            rough: false,
        }
    }
    /// The part that adds what the next level found.
    fn prolong(&self) -> u32 {
        if self.symmetric {
            PROLONG_FLAT
        } else {
            PROLONG
        }
    }
    /// The part that relaxes after that.
    fn smooth_after(&self) -> u32 {
        if self.symmetric { SMOOTH_BACK } else { SMOOTH }
    }
    /// Whether a level is visited twice from the one before.
    fn twice(&self, layout: &Layout, level: usize) -> bool {
        self.cycle == Cycle::W || self.rough && TWICE.contains(&layout.levels[level].cells)
    }
}

/// The cycles with their memory.
pub(super) struct Cycles {
    layout: Layout,
    /// On the finest level.
    pub sweeps: RedBlackSweeps,
    /// On the CPU, on the large ones of the coarse levels: from the second level on.
    large: Vec<LevelSweeps>,
    /// The levels, then the program of the small ones.
    tables: Buf<[u32; 4]>,
    ints: Buf<u32>,
    coef: Buf<f32>,
    state: Buf<f32>,
    pub shape: Shape,
    /// Shape for which the program is written.
    written: Option<Shape>,
    /// Parts of the program.
    program: u32,
    shift: f32,
}

/// The longest that the tables get: parts do not depend on the numbers of sweeps, and W has the most.
fn longest(layout: &Layout, shape: Shape) -> Vec<[u32; 4]> {
    let most = Shape {
        cycle: Cycle::W,
        ..shape
    };
    let mut table = layout.table();
    table.extend(program(layout, most));
    table
}

impl Cycles {
    /// For arrays of `dims`; `shape` may change later, but for its symmetry.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn new(dev: &mut Device, dims: [u32; 3], shape: Shape) -> Result<Self> {
        let layout = Layout::new(dims);
        let mut large = Vec::new();
        if let Some(threads) = dev.cpu().map(Cpu::threads) {
            for level in layout.large() {
                large.push(LevelSweeps::new(dev, level, layout.axes, threads)?);
            }
        }
        Ok(Self {
            large,
            sweeps: RedBlackSweeps::new(dev, dims)?,
            tables: dev.buf_from("multigrid tables", &longest(&layout, shape))?,
            ints: dev.buf("multigrid cells", layout.ints)?,
            coef: dev.buf("multigrid operators", layout.coef)?,
            state: dev.buf("multigrid levels", layout.state)?,
            layout,
            shape,
            written: None,
            program: 0,
            shift: 0.0,
        })
    }

    /// Bytes that [`Cycles::new`] takes.
    pub fn memory_bytes(dims: [u32; 3], shape: Shape) -> u64 {
        let layout = Layout::new(dims);
        let table = longest(&layout, shape).len();
        let numbers = layout.ints + layout.coef + layout.state + 4 * table;
        let threads = default_threads();
        let large = layout.large().iter();
        let large: u64 = large.map(|l| LevelSweeps::memory_bytes(l, threads)).sum();
        RedBlackSweeps::memory_bytes(dims) + large + 4 * numbers as u64
    }

    /// Takes what a cycle is like, all but its roughness, and writes the program where it is another.
    pub fn set(&mut self, dev: &mut Device, shape: Shape, shift: f32) {
        let rough = self.shape.rough;
        (self.shape, self.shift) = (Shape { rough, ..shape }, shift);
        self.sweeps.same_rhs = false;
        self.write_program(dev);
    }

    fn write_program(&mut self, dev: &mut Device) {
        let shape = self.shape;
        if self.written != Some(shape) {
            let mut table = self.layout.table();
            let program = program(&self.layout, shape);
            self.program = program.len() as u32;
            table.extend(program);
            dev.write(&mut self.tables, &table);
            self.written = Some(shape);
        }
    }

    /// Makes the coarse operators.
    pub fn coarsen(&mut self, dev: &mut Device, stencil: &[u32], shift: f32) {
        self.shape.rough = is_rough(self.layout.levels[0].dims, stencil);
        self.write_program(dev);
        let coarse = coarsen(&self.layout, stencil, shift);
        for level in &mut self.large {
            level.prepare(&coarse.ints, &coarse.coef);
        }
        dev.write(&mut self.ints, &coarse.ints);
        dev.write(&mut self.coef, &coarse.coef);
    }

    /// Sweeps on the finest level, whose right-hand side is the same through a solve.
    pub fn relax(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, sweeps: u32) {
        if sweeps > 0 {
            self.sweeps.block(dev, system, x, sweeps);
            self.sweeps.same_rhs = true;
        }
    }

    /// What the coarse levels say to the residual of x.
    pub fn correct(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>) {
        self.run(dev, system, x, [RESTRICT, 0, 0, 1], 0);
        self.descend(dev, system, x, 0);
        self.run(dev, system, x, [self.shape.prolong(), 0, 0, 1], 0);
    }

    /// A cycle on a coarse level that is not small.
    fn visit(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        level: usize,
        zero: bool,
    ) {
        let (number, [pre, post]) = (level as u32, self.shape.sweeps);
        if zero && pre == 0 {
            self.run(dev, system, x, [CLEAR, number, 0, 1], 0);
        }
        self.smooth(dev, system, x, level, SMOOTH, pre, zero);
        self.run(dev, system, x, [RESTRICT, number, 0, 1], 0);
        self.descend(dev, system, x, level);
        self.run(dev, system, x, [self.shape.prolong(), number, 0, 1], 0);
        let kind = self.shape.smooth_after();
        self.smooth(dev, system, x, level, kind, post, false);
    }

    /// Sweeps on a coarse level that is not small: in one way where that is the CPU's, else each colour is a pass.
    fn smooth(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        level: usize,
        kind: u32,
        sweeps: u32,
        zero: bool,
    ) {
        if let Some(large) = self.large.get_mut(level - 1)
            && !large.meets()
        {
            let (state, first) = (&mut self.state, u32::from(kind == SMOOTH_BACK));
            let on_cpu = |_: &Cpu| large.run(state.host_mut(), first, sweeps, zero);
            dev.either("MultigridSweeps", on_cpu, |_| {});
            return;
        }
        for pass in 0..2 * sweeps {
            let kind = if zero && pass == 0 { SMOOTH_ZERO } else { kind };
            self.run(dev, system, x, [kind, level as u32, pass, 1], 0);
        }
    }

    /// The cycles on the level after `level`.
    fn descend(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, level: usize) {
        let next = level + 1;
        if next >= self.layout.first_small() {
            self.run(dev, system, x, [0; 4], self.program);
            return;
        }
        self.visit(dev, system, x, next, true);
        if self.shape.twice(&self.layout, next) {
            self.visit(dev, system, x, next, false);
        }
    }

    /// Runs one part, or the first `count` of the program.
    fn run(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        part: [u32; 4],
        count: u32,
    ) {
        let level = part[1] as usize + usize::from(part[0] == RESTRICT);
        let items = if count > 0 {
            1
        } else {
            self.layout.levels[level].cells as u32
        };
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
        self.coarsen(dev, stencil, shift);
        Ok(())
    }

    fn block(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, iterations: u32) {
        // The sweeps after a cycle and those before the next are one block.
        let [pre, post] = self.shape.sweeps;
        let mut sweeps = pre;
        for n in 1..=iterations {
            self.relax(dev, system, x, sweeps);
            self.correct(dev, system, x);
            sweeps = post + if n < iterations { pre } else { 0 };
        }
        self.relax(dev, system, x, sweeps);
    }
}

/// Whether there is a known value, or anything but closed outer faces between a cell and its neighbours.
fn is_rough(dims: [u32; 3], stencil: &[u32]) -> bool {
    let [nx, ny, nz] = dims.map(|n| n as usize);
    let plain = plain_code(faces(dims));
    // The high bit of a face is set for known values alone.
    let high = (0..faces(dims)).fold(0, |bits, f| bits | 2 << (2 * f));
    let known = |code: &u32| code & high != 0;
    let mut rows = stencil.chunks_exact(nx).enumerate();
    rows.any(|(row, codes)| {
        let (j, k) = (row % ny, row / ny);
        let outer = j == 0 || j + 1 == ny || nz > 1 && (k == 0 || k + 1 == nz);
        let inner = codes.get(1..nx - 1).unwrap_or_default();
        if outer {
            codes.iter().any(|c| c & UNKNOWN == 0 || known(c))
        } else {
            known(&codes[0])
                || known(&codes[nx - 1])
                || inner.iter().fold(0, |other, c| other | (c ^ plain)) != 0
        }
    })
}

/// The parts of what is done on the small levels, beginning with the first of them and from zero.
fn program(layout: &Layout, shape: Shape) -> Vec<[u32; 4]> {
    let mut parts = Vec::new();
    descend(layout, layout.first_small(), shape, &mut parts);
    parts
}

/// The cycles on a small level, from zero.
fn descend(layout: &Layout, level: usize, shape: Shape, parts: &mut Vec<[u32; 4]>) {
    visit(layout, level, shape, true, parts);
    if shape.twice(layout, level) {
        visit(layout, level, shape, false, parts);
    }
}

/// A cycle on a small level.
fn visit(layout: &Layout, level: usize, shape: Shape, zero: bool, parts: &mut Vec<[u32; 4]>) {
    let number = level as u32;
    if level == layout.last() {
        let kind = if zero { SMOOTH_ZERO } else { SMOOTH };
        if shape.symmetric {
            parts.push([kind, number, 0, COARSEST_SWEEPS]);
            parts.push([SMOOTH_BACK, number, 0, COARSEST_SWEEPS]);
        } else {
            parts.push([kind, number, 0, 2 * COARSEST_SWEEPS]);
        }
        return;
    }
    let [pre, post] = shape.sweeps;
    parts.push(match (zero, pre) {
        (true, 0) => [CLEAR, number, 0, 1],
        (true, _) => [SMOOTH_ZERO, number, 0, 2 * pre],
        (false, _) => [SMOOTH, number, 0, 2 * pre],
    });
    parts.push([RESTRICT, number, 0, 1]);
    descend(layout, level + 1, shape, parts);
    parts.push([shape.prolong(), number, 0, 1]);
    parts.push([shape.smooth_after(), number, 0, 2 * post]);
}
