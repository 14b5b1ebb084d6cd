//! Solvers on their own.

use super::{BenchError, Running, Size};
use crate::device::{Buf, Device};
use crate::poisson::{AnySolver, LINK, SolverParams, System, UNKNOWN, gauss_seidel, jacobi};

const N: u32 = 512;
const SWEEPS: u32 = 100;

/// A solver on a closed box with a right-hand side that has all wave lengths.
struct Sweeps {
    solver: Box<dyn AnySolver>,
    params: SolverParams,
    stencil: Buf<u32>,
    rhs: Buf<f32>,
    x: Buf<f32>,
    counted: &'static [&'static str],
}

pub(super) fn jacobi_512(dev: &mut Device) -> Result<Box<dyn Running>, BenchError> {
    let params = SolverParams::Jacobi(jacobi::Parameters {
        iterations: SWEEPS,
        ..jacobi::Parameters::default()
    });
    sweeps(dev, params, &["JacobiSweeps", "JacobiSweep"])
}

pub(super) fn gauss_seidel_512(dev: &mut Device) -> Result<Box<dyn Running>, BenchError> {
    let params = SolverParams::GaussSeidel(gauss_seidel::Parameters {
        iterations: SWEEPS,
        ..gauss_seidel::Parameters::default()
    });
    sweeps(dev, params, &["RedBlackSweeps", "RedBlackSweep"])
}

fn sweeps(
    dev: &mut Device,
    params: SolverParams,
    counted: &'static [&'static str],
) -> Result<Box<dyn Running>, BenchError> {
    let cells = (N * N) as usize;
    let inside = |at: u32, f: u32| if at == f { 0 } else { LINK };
    let stencil: Vec<u32> = (0..N * N)
        .map(|c| {
            let (i, j) = (c % N, c / N);
            UNKNOWN
                | inside(i, 0)
                | inside(i, N - 1) << 2
                | inside(j, 0) << 4
                | inside(j, N - 1) << 6
        })
        .collect();
    // A Weyl sequence: even, and the same everywhere.
    let rhs: Vec<f32> = (0..N * N)
        .map(|c| c.wrapping_mul(2_654_435_769) as f32 / 2_147_483_648.0 - 1.0)
        .collect();
    Ok(Box::new(Sweeps {
        solver: params.create(dev, [N, N, 1])?,
        params,
        stencil: dev.buf_from("stencil", &stencil)?,
        rhs: dev.buf_from("b", &rhs)?,
        x: dev.buf("x", cells)?,
        counted,
    }))
}

impl Running for Sweeps {
    fn frame(&mut self, dev: &mut Device, _: u32) -> Result<(), BenchError> {
        let system = System {
            dims: [N, N, 1],
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
        let cells = f64::from(N * N);
        Size {
            triad: N * N,
            updates: cells * f64::from(SWEEPS),
            bytes: 12.0 * cells * f64::from(SWEEPS),
            counted: self.counted,
        }
    }
}
