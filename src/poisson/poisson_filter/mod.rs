//! Poisson filters: as many Jacobi sweeps as one likes in one convolution, and that as a few filters along each axis (Rabbani and
//! Khiat 2020, *Fast Eulerian fluid simulation in games using Poisson filters*; Rabbani et al. 2022, *Compact Poisson filters
//! for fast fluid simulation*).
//!
//! 1. n sweeps are `F b + G x` (see `sweep_kernel`);
//! 2. F and G are sums of few products of one filter an axis, without their smallest taps (`separate`, `filters`), made once
//!    for each choice of order, rank and threshold;
//! 3. beyond its sides a box is seen as in a mirror (`sides`), so that the filters need no special cases;
//! 4. an application filters along one axis after the other, four products at a time (`rows` on the CPU; `kernels`).
//!
//! From zero, an application is F b. On what is there already it builds in one of two ways. With two filters it is F b + G x,
//! as so many more sweeps. As a correction it is x + ω (F + c) (b − A x), which for whole kernels is the same but for c and ω,
//! takes half the filters, and comes to the solution however coarse the filters are, also among obstacles and on sides of
//! several kinds: those are in A, and are all that the filters do not know. So where there are such, applications are
//! corrections whatever was asked for.

mod filters;
mod kernels;
mod passes;
mod rows;
mod separate;
mod sides;
mod sweep_kernel;
mod waves;

use std::sync::Arc;

use super::kernels::{Residual, SweepU};
use super::solve::{Core, Limits, Sweeps};
use super::{PoissonSolver, SolveReport, SolverInfo, System};
use crate::device::{Buf, Device, DeviceError, Result, Ticket};
use filters::{Choice, Filters, LANES, MAX_ORDER, Purpose};
use passes::{Inputs, Passes, Step};
use sides::Sides;

pub use kernels::KERNELS;

crate::choice! {
    /// How an application builds on the pressure that is there.
    pub enum Repeat {
        /// Filters what is left of the right-hand side. Comes to the true pressure in time, also round obstacles and with faces of several kinds.
        Correction,
        /// Filters the right-hand side and the pressure before, each with its own filter: exactly so many more Jacobi sweeps, as far as rank and threshold allow. Costs twice as much. Where there are obstacles, or sides of several kinds, the correction takes its place.
        TwoFilters,
    }
}

crate::params! {
    /// Poisson filters.
    pub struct Parameters {
        /// Applications of the filter a solve. One is what games do.
        live iterations: u32 = 1, hard 1..=100_000, soft 1..=20;
        /// Jacobi sweeps that an application stands for. More reach further: large swirls keep their strength. Cost grows with how far the filter reaches, about with the square root.
        live order: u32 = 32, hard 1..=128, soft 1..=128;
        /// Products of filters that stand for the sweeps. One is softened and a little wrong, four can hardly be told from the sweeps; cost goes up in steps of four.
        live rank: u32 = 4, hard 1..=8, soft 1..=8;
        /// Taps of a filter smaller than this are left out. Larger is faster and loses what is far away.
        live threshold: f32 = 1e-3, hard 0.0..=0.1, soft 0.0..=1e-2;
        /// Begin with the pressure of the frame before. Without it every frame begins from zero: nothing is carried on, and large swirls soon lose their strength.
        live warm_start: bool = true;
        /// How an application builds on the pressure that is there: from the frame before, or from the application before.
        live repeat: Repeat = Repeat::Correction;
        /// Apply the whole kernel instead of filters along the axes, to see what rank and threshold leave out. Many times slower, far more so in 3D.
        live full_kernel: bool = false, advanced;
        /// Stop when the root mean square of the residual is at most this, in the unit in which it is reported (1/s for
        /// the pressure). Zero: never.
        live tolerance: f32 = 0.0, hard 0.0..=1e9, soft 0.0..=1.0;
        /// Applications between two measurements of the residual. Zero: an eighth of all where there is a tolerance to meet; else
        /// the way down is measured now and then, for the plot alone.
        live check_every: u32 = 0, hard 0..=100_000, soft 0..=50, advanced;
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

    fn choice(&self, dims: [u32; 3], shift: f32) -> Choice {
        Choice {
            order: (self.order as usize).clamp(1, MAX_ORDER),
            dim: if dims[2] > 1 { 3 } else { 2 },
            shift,
            rank: (!self.full_kernel).then_some(self.rank.clamp(1, 8) as usize),
            threshold: self.threshold,
        }
    }

    /// Vectors of filters that an application needs at most.
    fn vectors(&self) -> usize {
        let both = if self.repeat == Repeat::TwoFilters {
            2
        } else {
            1
        };
        (self.rank as usize).div_ceil(LANES) * both
    }
}

/// Working memory.
pub struct Solver {
    core: Core,
    work: Applications,
    failure: Option<DeviceError>,
}

/// What is applied, and its memory.
struct Applications {
    dims: [u32; 3],
    choice: Option<Choice>,
    filters: Option<Arc<Filters>>,
    sides: Option<Sides>,
    two: bool,
    /// Whether x is zero.
    fresh: bool,
    /// What is left of the right-hand side, or the new x where the old one is read.
    other: Buf<f32>,
    passes: Passes,
}

impl PoissonSolver for Solver {
    type Params = Parameters;
    const INFO: SolverInfo = SolverInfo {
        id: "poisson_filter",
        title: "Poisson filter",
        summary: "Some dozen Jacobi sweeps in one step, as a blur along each axis: the least cost for a flow that is nearly incompressible.",
        paper: "A. H. Rabbani, J.-P. Guertin, D. Rioux-Lavoie, A. Schoentgen, K. Tong, A. Sirois-Vigneux, D. Nowrouzezahrai 2022, Compact Poisson filters for fast fluid simulation; A. H. Rabbani, B. Khiat 2020, Fast Eulerian fluid simulation in games using Poisson filters",
        obstacles: true,
    };

    fn new(dev: &mut Device, dims: [u32; 3], params: &Parameters) -> Result<Self> {
        let cells = dims.iter().map(|n| *n as usize).product();
        Ok(Self {
            core: Core::new(dev, dims, params.limits())?,
            work: Applications {
                dims,
                choice: None,
                filters: None,
                sides: None,
                two: false,
                fresh: false,
                other: dev.buf("filter residual", cells)?,
                passes: Passes::new(dev, dims, params.vectors())?,
            },
            failure: None,
        })
    }

    fn memory_bytes(dims: [u32; 3], params: &Parameters) -> u64 {
        let cells: u64 = dims.iter().map(|n| u64::from(*n)).product();
        Core::memory_bytes(dims) + 4 * cells + Passes::memory_bytes(dims, params.vectors())
    }

    fn solve(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        params: &Parameters,
    ) {
        if let Err(e) = self.work.set(dev, params, system.shift) {
            self.failure = Some(e);
            return;
        }
        if !params.warm_start {
            dev.clear(x);
        }
        let (limits, id) = (params.limits(), Self::INFO.id);
        self.core.solve(dev, system, x, limits, &mut self.work, id);
    }

    fn report(&mut self, dev: &mut Device) -> Result<Ticket<SolveReport>> {
        match self.failure.take() {
            Some(e) => Err(e),
            None => self.core.report(dev),
        }
    }
}

impl Applications {
    /// Takes the parameters, and makes filters and room where they are others.
    fn set(&mut self, dev: &mut Device, params: &Parameters, shift: f32) -> Result<()> {
        self.two = params.repeat == Repeat::TwoFilters;
        self.fresh = !params.warm_start;
        self.passes.make_room(dev, params.vectors())?;
        let choice = params.choice(self.dims, shift);
        if self.choice == Some(choice) {
            return Ok(());
        }
        let filters = Filters::of(choice);
        self.passes.take(dev, &filters)?;
        (self.filters, self.choice) = (Some(filters), Some(choice));
        Ok(())
    }

    /// x = F b.
    fn begin(
        &mut self,
        dev: &mut Device,
        filters: &Filters,
        system: &System<'_>,
        x: &mut Buf<f32>,
    ) {
        let inputs = Inputs::of(system, system.rhs, system.rhs);
        self.passes.apply(
            dev,
            filters,
            filters.step(Purpose::FromZero, 1.0),
            inputs,
            x,
        );
    }

    /// x' = (F + c) b + G x.
    fn with_two(
        &mut self,
        dev: &mut Device,
        filters: &Filters,
        system: &System<'_>,
        x: &mut Buf<f32>,
    ) {
        let new = &mut self.other;
        let inputs = Inputs::of(system, system.rhs, x);
        self.passes
            .apply(dev, filters, filters.step(Purpose::Pair, 1.0), inputs, new);
        dev.copy(new, x);
    }

    /// x += ω (F + c) (b − A x).
    fn correct(
        &mut self,
        dev: &mut Device,
        filters: &Filters,
        harder: f64,
        system: &System<'_>,
        x: &mut Buf<f32>,
    ) {
        let residual = &mut self.other;
        let System {
            dims,
            stencil,
            shift,
            rhs,
            ..
        } = *system;
        let sweep = SweepU::new(dims, shift);
        dev.run(
            dims,
            Residual {
                sweep,
                stencil,
                rhs,
                x,
                residual,
            },
        );
        let inputs = Inputs::of(system, residual, residual);
        self.passes.apply(
            dev,
            filters,
            filters.step(Purpose::Correction, harder),
            inputs,
            x,
        );
    }
}

impl Filters {
    /// An application, where faces that the filters do not know make the system at most `harder` times as stiff.
    fn step(&self, purpose: Purpose, harder: f64) -> Step {
        let correction = purpose == Purpose::Correction;
        Step {
            purpose,
            keep: if correction { 1.0 } else { 0.0 },
            centre: self.centre[purpose as usize],
            weight: if correction { self.weight(harder) } else { 1.0 },
        }
    }
}

impl Sweeps for Applications {
    /// Beside an obstacle, what filters add to a part does not add up to zero.
    const WANDERS: bool = true;

    fn prepare(&mut self, _: [u32; 3], _: &[u32], _: f32) {}

    fn prepare_levels(&mut self, dev: &mut Device, stencil: &[u32], _: f32) -> Result<()> {
        let sides = Sides::of(self.dims, stencil);
        self.passes.see(dev, &sides);
        self.sides = Some(sides);
        Ok(())
    }

    fn block(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, iterations: u32) {
        let (Some(filters), Some(sides)) = (self.filters.clone(), self.sides.clone()) else {
            return;
        };
        for _ in 0..iterations {
            let fresh = std::mem::take(&mut self.fresh);
            if fresh && sides.plain {
                self.begin(dev, &filters, system, x);
            } else if self.two && sides.plain {
                self.with_two(dev, &filters, system, x);
            } else {
                self.correct(dev, &filters, sides.harder, system, x);
            }
        }
    }
}

#[cfg(test)]
mod tests;
