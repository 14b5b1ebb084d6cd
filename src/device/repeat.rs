//! Iterating until a residual is small enough, without the host waiting for the GPU.

use super::{Buf, Device, Result};

/// Number of partial results that a measuring kernel leaves; the check adds or compares them in this order.
pub const PARTIALS: usize = 1024;

/// How partial results are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Norm {
    /// Partials are largest magnitudes.
    Max,
    /// Partials are sums of squares; the norm is the square root of their mean over `count`.
    L2 {
        /// Number of unknowns.
        count: u32,
    },
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Until {
    /// Stop when the norm is at most this. Zero or less: never.
    pub tolerance: f32,
    /// Stop after so many iterations. Rounded up to whole blocks.
    pub max_iterations: u32,
    /// Iterations a block; the residual is measured after each block.
    pub every: u32,
    /// How partial results are put together.
    pub norm: Norm,
}

/// What is iterated.
pub trait Iterate {
    /// Records `iterations` iterations, the result being left where it was before.
    fn block(&mut self, dev: &mut Device, iterations: u32);
    /// Records a kernel that leaves [`PARTIALS`] partial results of the residual.
    fn measure(&mut self, dev: &mut Device, partials: &mut Buf<f32>);
}

/// What a loop did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoopReport {
    /// Iterations that were done.
    pub iterations: u32,
    /// Residual by iteration, the first before any.
    pub residuals: Vec<(u32, f32)>,
    /// Whether a residual was not a finite number.
    pub not_finite: bool,
}

impl LoopReport {
    /// Residual before the first iteration.
    pub fn before(&self) -> Option<f32> {
        self.residuals.first().map(|r| r.1)
    }
    /// Residual after the last one.
    pub fn after(&self) -> Option<f32> {
        self.residuals.last().map(|r| r.1)
    }
}

/// The device-side state of a loop; made once, used at every solve.
pub struct Loop {
    partials: Buf<f32>,
    report: LoopReport,
}

impl Loop {
    /// Room for the residuals of `max_checks` blocks.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn new(dev: &mut Device, _max_checks: u32) -> Result<Self> {
        Ok(Self {
            partials: dev.buf("loop partials", PARTIALS)?,
            report: LoopReport::default(),
        })
    }

    /// What the last loop did, when all work so far is done.
    ///
    /// # Errors
    /// As [`Device::read`].
    pub fn report(&mut self, _dev: &mut Device) -> Result<LoopReport> {
        Ok(self.report.clone())
    }
}

impl Device {
    /// Iterates until the residual is small enough.
    pub fn repeat_until(&mut self, state: &mut Loop, until: Until, work: &mut dyn Iterate) {
        state.report = LoopReport::default();
        work.measure(self, &mut state.partials);
        let mut done = check(state, until);
        while !done && state.report.iterations < until.max_iterations {
            let n = until
                .every
                .max(1)
                .min(until.max_iterations - state.report.iterations);
            work.block(self, n);
            state.report.iterations += n;
            work.measure(self, &mut state.partials);
            done = check(state, until);
        }
    }
}

fn check(state: &mut Loop, until: Until) -> bool {
    let partials = state.partials.host();
    let norm = match until.norm {
        Norm::Max => partials
            .iter()
            .fold(0.0, |m, p| if *p > m || p.is_nan() { *p } else { m }),
        Norm::L2 { count } => (partials.iter().sum::<f32>() / count.max(1) as f32).sqrt(),
    };
    state.report.residuals.push((state.report.iterations, norm));
    state.report.not_finite = !norm.is_finite();
    state.report.not_finite || norm <= until.tolerance
}
