//! What every iterative solver does around its sweeps.
//!
//! 1. Where the stencil is new, find the parts on which the system is singular (on a GPU this reads the stencil back).
//! 2. Take the mean off b on each singular part, so that there is a solution, and off the first guess, so that the mean of
//!    a warm-started solution does not wander.
//! 3. Measure the residual, iterate in blocks, measure after each, stop when it is small enough.
//!
//! A measurement costs about as much as three sweeps. Where there is no tolerance to meet, the way down is only looked at:
//! then it is measured in one frame of [`CURVE_EVERY`], and in the others only its ends.

use std::sync::{Arc, Mutex, PoisonError};

use super::components::Components;
use super::kernels::{Residual, SweepU};
use super::singular::Singular;
use super::{SolveReport, System};

pub(super) use super::iteration::{Iteration, Known, Sweeps};
use crate::device::reduce::{MaxAbsPartials, Reduce, SumSquaresPartials};
use crate::device::{
    Buf, Device, DeviceError, Iterate, Loop, Norm, PARTIALS, Result, Ticket, Until,
};

/// How long to iterate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    pub iterations: u32,
    /// Root mean square of the residual at which to stop, in the unit of the report; 0 is never.
    pub tolerance: f32,
    /// Iterations between measurements; 0 leaves it to [`Limits::every`].
    pub check_every: u32,
}

/// Measurements of a curve, about, where no distance between them is asked for.
const CURVE_POINTS: u32 = 8;
/// Reports between two of which the curve is measured, where nothing hangs on it.
const CURVE_EVERY: u32 = 24;

impl Limits {
    /// Iterations between measurements. With a tolerance and no distance given, an eighth of all; without either, all
    /// of them, but an eighth when the curve is wanted.
    fn every(&self, curve: bool) -> u32 {
        match self.check_every {
            0 if curve || self.tolerance > 0.0 => self.iterations.div_ceil(CURVE_POINTS),
            0 => self.iterations,
            n => n.min(self.iterations),
        }
        .max(1)
    }
    /// Most measurements of a solve.
    fn checks(&self) -> u32 {
        self.iterations.div_ceil(self.every(true)) + 1
    }
}

/// Working memory of every iterative solver.
pub(super) struct Core {
    dims: [u32; 3],
    rhs: Buf<f32>,
    residual: Buf<f32>,
    largest: Buf<f32>,
    /// Partial sums of squares of b.
    squares: Buf<f32>,
    singular: Option<Singular>,
    unknowns: u32,
    seen: Option<(u64, u32)>,
    repeat: Loop,
    checks: u32,
    failure: Option<DeviceError>,
    last: SolveReport,
    scale: f32,
    tolerance: f32,
    /// Reports so far. Counted, not timed: the same document does the same work every time, but for frames that are undone.
    reports: u32,
    curve: Arc<Mutex<Curve>>,
    limits: Limits,
}

/// Residual by iteration when the way down was last measured. It is read later than the solve, so the tickets share it.
type Curve = Vec<(u32, f32)>;

impl Core {
    pub fn new(dev: &mut Device, dims: [u32; 3], limits: Limits) -> Result<Self> {
        let cells = dims.iter().map(|n| *n as usize).product();
        let checks = limits.checks();
        Ok(Self {
            dims,
            rhs: dev.buf("compatible right-hand side", cells)?,
            residual: dev.buf("residual", cells)?,
            largest: dev.buf("largest residuals", PARTIALS)?,
            squares: dev.buf("squares of the right-hand side", PARTIALS)?,
            singular: None,
            unknowns: 0,
            seen: None,
            repeat: Loop::new(dev, checks)?,
            checks,
            failure: None,
            last: SolveReport::default(),
            scale: 1.0,
            tolerance: 0.0,
            reports: 0,
            curve: Arc::default(),
            limits,
        })
    }

    /// Bytes that [`Core::new`] and the singular parts take, about.
    pub fn memory_bytes(dims: [u32; 3]) -> u64 {
        let cells: u64 = dims.iter().map(|n| u64::from(*n)).product();
        // b, r, the part of each cell; chunks of up to 256 cells with their sums.
        cells * 12 + cells / 8 + 68 * PARTIALS as u64
    }

    /// See [`super::PoissonSolver::solve`].
    pub fn solve(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        limits: Limits,
        sweeps: &mut impl Iteration,
        solver: &'static str,
    ) {
        if let Err(e) = self.prepare(dev, system, limits, sweeps) {
            self.failure = Some(e);
            return;
        }
        self.make_compatible(dev, system, x);
        let rhs = match self.singular {
            Some(_) => &self.rhs,
            None => system.rhs,
        };
        let p = Reduce {
            len: rhs.len() as u32,
        };
        let out = &mut self.squares;
        dev.run(
            [PARTIALS as u32, 1, 1],
            SumSquaresPartials { p, x: rhs, out },
        );
        let mut work = Work {
            system: System { rhs, ..*system },
            x,
            residual: &mut self.residual,
            largest: &mut self.largest,
            singular: self.singular.as_mut(),
            sweeps,
            first: true,
        };
        if self.limits != limits {
            (self.limits, self.reports) = (limits, 0);
        }
        // All solves up to the next report, which tells of the last of them.
        let curve = self.reports.is_multiple_of(CURVE_EVERY);
        let until = Until {
            tolerance: scaled_back(limits.tolerance, system.residual_scale),
            max_iterations: limits.iterations,
            every: limits.every(curve),
            norm: Norm::L2 {
                count: self.unknowns,
            },
        };
        dev.repeat_until(&mut self.repeat, until, &mut work);
        self.level(dev, x, sweeps);
        self.scale = system.residual_scale;
        self.tolerance = limits.tolerance;
        self.last = SolveReport {
            solver,
            system: system.name,
            unit: system.unit,
            ..SolveReport::default()
        };
    }

    /// The stencil counts as new: what is made from it is another.
    pub fn forget(&mut self) {
        self.seen = None;
    }

    /// See [`super::PoissonSolver::report`].
    pub fn report(&mut self, dev: &mut Device) -> Result<Ticket<SolveReport>> {
        if let Some(e) = self.failure.take() {
            return Err(e);
        }
        self.reports = self.reports.wrapping_add(1);
        let (mut report, curve) = (self.last.clone(), Arc::clone(&self.curve));
        let (scale, tolerance, unknowns) = (self.scale, self.tolerance, self.unknowns.max(1));
        let done = self.repeat.report(dev);
        let ends = dev
            .read_later(&self.largest)
            .and(dev.read_later(&self.squares));
        Ok(done.and(ends).map(move |(done, (largest, squares))| {
            // By their bits, magnitudes order as numbers do, and what is not a number is the largest.
            let linf = largest.iter().map(|r| r.to_bits()).max().unwrap_or(0);
            let sum: f64 = squares.iter().map(|s| f64::from(*s)).sum();
            report.iterations = done.iterations;
            report.l2_zero = (sum / f64::from(unknowns)).sqrt() as f32 * scale;
            report.l2_before = done.before().unwrap_or(0.0) * scale;
            report.l2 = done.after().unwrap_or(0.0) * scale;
            report.linf = f32::from_bits(linf) * scale;
            report.converged = tolerance > 0.0 && report.l2 <= tolerance;
            report.residuals = done.residuals;
            report.residuals.iter_mut().for_each(|r| r.1 *= scale);
            let mut curve = curve.lock().unwrap_or_else(PoisonError::into_inner);
            if report.residuals.len() > 2 || curve.is_empty() {
                curve.clone_from(&report.residuals);
            }
            report.curve.clone_from(&curve);
            report
        }))
    }

    /// Analyses the stencil where it is new, and makes room for the history.
    fn prepare(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        limits: Limits,
        sweeps: &mut impl Iteration,
    ) -> Result<()> {
        if limits.checks() > self.checks {
            self.repeat = Loop::new(dev, limits.checks())?;
            self.checks = limits.checks();
        }
        let now = (system.revision, system.shift.to_bits());
        if self.seen == Some(now) {
            return Ok(());
        }
        let read;
        let stencil = if dev.cpu().is_some() {
            let stencil = system.stencil.host();
            sweeps.prepare(self.dims, stencil, system.shift);
            stencil
        } else {
            read = dev.read(system.stencil)?;
            &read
        };
        sweeps.prepare_levels(dev, stencil, system.shift)?;
        let found = Components::find(self.dims, stencil, system.shift);
        self.unknowns = found.unknowns;
        self.singular = None;
        if !found.chunks.is_empty() {
            self.singular = Some(Singular::new(dev, &found)?);
        }
        self.seen = Some(now);
        Ok(())
    }

    /// Takes the mean off a solution that is free to it, where it has wandered.
    fn level<S: Iteration>(&mut self, dev: &mut Device, x: &mut Buf<f32>, _: &S) {
        if S::WANDERS
            && let Some(singular) = &mut self.singular
        {
            singular.subtract_means(dev, x);
        }
    }

    fn make_compatible(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>) {
        if let Some(singular) = &mut self.singular {
            dev.copy(system.rhs, &mut self.rhs);
            singular.subtract_means(dev, &mut self.rhs);
            singular.subtract_means(dev, x);
        }
    }
}

/// The norm of the unscaled residual that is `tolerance` when scaled.
fn scaled_back(tolerance: f32, scale: f32) -> f32 {
    if tolerance > 0.0 && scale > 0.0 {
        tolerance / scale
    } else {
        0.0
    }
}

/// What the device repeats.
struct Work<'a, S> {
    system: System<'a>,
    x: &'a mut Buf<f32>,
    residual: &'a mut Buf<f32>,
    largest: &'a mut Buf<f32>,
    singular: Option<&'a mut Singular>,
    sweeps: &'a mut S,
    /// No block was done yet.
    first: bool,
}

impl<S: Iteration> Iterate for Work<'_, S> {
    fn block(&mut self, dev: &mut Device, iterations: u32) {
        let mut known = Known {
            residual: self.residual,
            first: std::mem::take(&mut self.first),
            singular: self.singular.as_deref_mut(),
        };
        self.sweeps
            .block(dev, &self.system, self.x, &mut known, iterations);
    }
    fn measure(&mut self, dev: &mut Device, partials: &mut Buf<f32>) {
        let System {
            dims,
            stencil,
            shift,
            rhs,
            ..
        } = self.system;
        dev.run(
            dims,
            Residual {
                sweep: SweepU::new(dims, shift),
                stencil,
                rhs,
                x: self.x,
                residual: self.residual,
            },
        );
        let p = Reduce {
            len: self.residual.len() as u32,
        };
        let items = [PARTIALS as u32, 1, 1];
        dev.run(
            items,
            MaxAbsPartials {
                p,
                x: self.residual,
                out: self.largest,
            },
        );
        dev.run(
            items,
            SumSquaresPartials {
                p,
                x: self.residual,
                out: partials,
            },
        );
    }
}
