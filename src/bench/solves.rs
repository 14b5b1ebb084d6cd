//! Solvers on their own: a closed square box and a right-hand side that has all wave lengths.

use super::{BenchError, Running, Size};
use crate::device::{Buf, Device};
use crate::poisson::{
    AnySolver, LINK, SolverParams, System, UNKNOWN, gauss_seidel, jacobi, multigrid, pcg,
    poisson_filter, spectral,
};

const SWEEPS: u32 = 100;

/// A solver with what is counted of it.
struct Solve {
    solver: Box<dyn AnySolver>,
    params: SolverParams,
    /// Whether each frame begins with x = 0.
    from_zero: bool,
    cells: u32,
    stencil: Buf<u32>,
    rhs: Buf<f32>,
    x: Buf<f32>,
    iterations: u32,
    /// Bytes a cell and iteration: x and b read, x written.
    bytes: f64,
    counted: &'static [&'static str],
}

pub(super) fn jacobi(dev: &mut Device, side: u32) -> Result<Box<dyn Running>, BenchError> {
    let params = SolverParams::Jacobi(jacobi::Parameters {
        iterations: SWEEPS,
        ..Default::default()
    });
    made(dev, side, params, SWEEPS, &["JacobiSweeps", "JacobiSweep"])
}

pub(super) fn gauss_seidel(dev: &mut Device, side: u32) -> Result<Box<dyn Running>, BenchError> {
    let params = SolverParams::GaussSeidel(gauss_seidel::Parameters {
        iterations: SWEEPS,
        ..Default::default()
    });
    let counted = &["RedBlackSweeps", "RedBlackSweep"];
    made(dev, side, params, SWEEPS, counted)
}

/// Cycles of V(2, 2) that leave less than a thousandth of the right-hand side, at any size.
const CYCLES: u32 = 2;

pub(super) fn multigrid(dev: &mut Device, side: u32) -> Result<Box<dyn Running>, BenchError> {
    let params = SolverParams::Multigrid(multigrid::Parameters {
        iterations: CYCLES,
        ..Default::default()
    });
    made(dev, side, params, CYCLES, &[])
}

/// Iterations, preconditioned by multigrid, that leave less than a thousandth of the right-hand side, at any size.
const DIRECTIONS: u32 = 3;

pub(super) fn pcg(dev: &mut Device, side: u32) -> Result<Box<dyn Running>, BenchError> {
    let params = SolverParams::Pcg(pcg::Parameters {
        iterations: DIRECTIONS,
        ..Default::default()
    });
    made(dev, side, params, DIRECTIONS, &[])
}

pub(super) fn spectral(dev: &mut Device, side: u32) -> Result<Box<dyn Running>, BenchError> {
    let params = SolverParams::Spectral(spectral::Parameters::default());
    made(dev, side, params, 1, &["SpectralPass"])
}

/// The filter that stands for 32 sweeps from zero, of rank 4 and with all its taps.
pub(super) const FILTER: poisson_filter::Parameters = poisson_filter::Parameters {
    iterations: 1,
    order: 32,
    rank: 4,
    threshold: 0.0,
    warm_start: false,
    repeat: poisson_filter::Repeat::Correction,
    full_kernel: false,
    tolerance: 0.0,
    check_every: 0,
};

pub(super) fn filter(dev: &mut Device, side: u32) -> Result<Box<dyn Running>, BenchError> {
    let counted = &["PoissonFilter", "FilterRows", "FilterColumns"];
    made(dev, side, SolverParams::PoissonFilter(FILTER), 1, counted)
}

fn made(
    dev: &mut Device,
    side: u32,
    params: SolverParams,
    iterations: u32,
    counted: &'static [&'static str],
) -> Result<Box<dyn Running>, BenchError> {
    Ok(Box::new(Solve::new(
        dev, side, params, iterations, counted,
    )?))
}

impl Solve {
    fn new(
        dev: &mut Device,
        side: u32,
        params: SolverParams,
        iterations: u32,
        counted: &'static [&'static str],
    ) -> Result<Self, BenchError> {
        let cells = side * side;
        let inside = |at: u32, f: u32| if at == f { 0 } else { LINK };
        let stencil: Vec<u32> = (0..cells)
            .map(|c| {
                let (i, j) = (c % side, c / side);
                UNKNOWN
                    | inside(i, 0)
                    | inside(i, side - 1) << 2
                    | inside(j, 0) << 4
                    | inside(j, side - 1) << 6
            })
            .collect();
        let rhs: Vec<f32> = (0..cells).map(noise).collect();
        // Sweeps are timed as they go on; for what solves, the way from nothing to the solution counts.
        let (from_zero, bytes) = match params {
            SolverParams::Jacobi(_) | SolverParams::GaussSeidel(_) => (false, 12.0),
            // Three passes, each of which reads an array and writes one.
            SolverParams::Spectral(_) => (true, 24.0),
            // b is read and x written; a GPU also writes and reads the vectors between its passes.
            SolverParams::PoissonFilter(_) => (true, 8.0),
            _ => (true, 12.0),
        };
        Ok(Self {
            solver: params.create(dev, [side, side, 1])?,
            params,
            from_zero,
            cells,
            stencil: dev.buf_from("stencil", &stencil)?,
            rhs: dev.buf_from("b", &rhs)?,
            x: dev.buf("x", cells as usize)?,
            iterations,
            bytes,
            counted,
        })
    }

    fn side(&self) -> u32 {
        self.cells.isqrt()
    }
}

/// White noise from −1 to 1, the same everywhere: the number of a cell, mixed as O'Neill mixes the state of PCG (2014).
fn noise(cell: u32) -> f32 {
    let state = cell.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    ((word >> 22) ^ word) as f32 / 2_147_483_648.0 - 1.0
}

impl Running for Solve {
    fn frame(&mut self, dev: &mut Device, _: u32) -> Result<(), BenchError> {
        if self.from_zero {
            dev.clear(&mut self.x);
        }
        let system = System {
            dims: [self.side(), self.side(), 1],
            stencil: &self.stencil,
            revision: 1,
            shift: 0.0,
            rhs: &self.rhs,
            residual_scale: 1.0,
            name: "bench",
            unit: "",
        };
        self.solver.solve(dev, &system, &mut self.x, &self.params);
        Ok(())
    }
    fn report(&mut self, dev: &mut Device) -> Result<(), BenchError> {
        self.solver.report(dev)?.wait(dev)?;
        Ok(())
    }
    fn size(&self) -> Size {
        let updates = f64::from(self.cells) * f64::from(self.iterations);
        Size {
            triad: self.cells,
            updates,
            bytes: self.bytes * updates,
            counted: self.counted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is timed is what is said: a thousandth of the right-hand side, at any size.
    #[test]
    fn those_that_solve_leave_less_than_a_thousandth() {
        for side in [128, 512] {
            for (params, iterations) in [
                (
                    SolverParams::Multigrid(multigrid::Parameters {
                        iterations: CYCLES,
                        ..Default::default()
                    }),
                    CYCLES,
                ),
                (
                    SolverParams::Pcg(pcg::Parameters {
                        iterations: DIRECTIONS,
                        ..Default::default()
                    }),
                    DIRECTIONS,
                ),
                (SolverParams::Spectral(spectral::Parameters::default()), 1),
            ] {
                let mut dev = Device::cpu_with_threads(2);
                let mut solve = Solve::new(&mut dev, side, params, iterations, &[]).unwrap();
                for frame in 0..2 {
                    solve.frame(&mut dev, frame).unwrap();
                    let report = solve.solver.report(&mut dev).unwrap();
                    let report = report.wait(&mut dev).unwrap();
                    let left = report.l2 / report.l2_zero;
                    println!("{side}² {}: {left}", solve.params.info().id);
                    assert!(left < 1e-3, "{side}² {}: {left}", solve.params.info().id);
                }
            }
        }
    }
}
