//! Loops until a residual is small: the same on both devices, closed by the gate, told when something goes wrong.

use eddy::device::kernels::{Fill, FillValue};
use eddy::device::reduce::{MaxAbsPartials, Reduce, SumSquaresPartials};
use eddy::device::{
    Buf, Device, DeviceError, DeviceKind, Iterate, Loop, LoopReport, Norm, PARTIALS, Until,
};

use crate::kernels::{Axpy, AxpyFactor, cpu, gpu, noise};

pub mod jacobi {
    //! Jacobi on n² cells of a unit square, zero around it, as two axpy-like kernels would be: one sweep, one residual.
    use super::*;
    use eddy::device::{Cpu, Kernel, KernelInfo};

    eddy::shared! {
        /// Size of the square.
        pub struct Square {
            /// Cells along a side.
            pub n: u32,
        }
    }
    eddy::kernel! {
        /// out ← (b + Σ neighbours of x) / 4.
        pub Sweep = "common/test_sweep.wgsl", sweep {
            uniform p: Square, read b: f32, read x: f32, write out: f32,
        }
    }
    eddy::kernel! {
        /// out ← b − A·x.
        pub Residual = "common/test_residual.wgsl", residual {
            uniform p: Square, read b: f32, read x: f32, write out: f32,
        }
    }
    /// The kernels of this test.
    pub const KERNELS: &[KernelInfo] = &[Sweep::INFO, Residual::INFO];

    fn neighbours(n: usize, x: &[f32], i: usize, j: usize) -> f32 {
        let at = |i: usize, j: usize| if i < n && j < n { x[j * n + i] } else { 0.0 };
        (at(i.wrapping_sub(1), j) + at(i + 1, j)) + (at(i, j.wrapping_sub(1)) + at(i, j + 1))
    }
    fn each(p: &Square, out: &mut [f32], value: impl Fn(usize, usize, usize) -> f32) {
        let n = p.n as usize;
        for (c, out) in out.iter_mut().enumerate() {
            *out = value(c, c % n, c / n);
        }
    }
    fn sweep(_: &Cpu, _: [u32; 3], p: &Square, b: &[f32], x: &[f32], out: &mut [f32]) {
        each(p, out, |c, i, j| {
            (b[c] + neighbours(p.n as usize, x, i, j)) * 0.25
        });
    }
    fn residual(_: &Cpu, _: [u32; 3], p: &Square, b: &[f32], x: &[f32], out: &mut [f32]) {
        each(p, out, |c, i, j| {
            b[c] - (4.0 * x[c] - neighbours(p.n as usize, x, i, j))
        });
    }

    pub struct Jacobi {
        pub p: Square,
        pub b: Buf<f32>,
        pub x: Buf<f32>,
        pub other: Buf<f32>,
        pub r: Buf<f32>,
        pub norm: Norm,
    }

    impl Jacobi {
        pub fn new(dev: &mut Device, n: u32, norm: Norm) -> Self {
            let len = (n * n) as usize;
            Self {
                p: Square { n },
                b: dev.buf_from("b", &noise(7, len)).unwrap(),
                x: dev.buf("x", len).unwrap(),
                other: dev.buf("other", len).unwrap(),
                r: dev.buf("r", len).unwrap(),
                norm,
            }
        }
        fn items(&self) -> [u32; 3] {
            [self.p.n, self.p.n, 1]
        }
    }

    impl Iterate for Jacobi {
        fn block(&mut self, dev: &mut Device, iterations: u32) {
            let (items, p) = (self.items(), self.p);
            for _ in 0..iterations {
                let sweep = Sweep {
                    p,
                    b: &self.b,
                    x: &self.x,
                    out: &mut self.other,
                };
                dev.run(items, sweep);
                std::mem::swap(&mut self.x, &mut self.other);
            }
            if iterations % 2 == 1 {
                // The result goes back where it was.
                std::mem::swap(&mut self.x, &mut self.other);
                dev.copy(&self.other, &mut self.x);
            }
        }
        fn measure(&mut self, dev: &mut Device, partials: &mut Buf<f32>) {
            let items = self.items();
            let residual = Residual {
                p: self.p,
                b: &self.b,
                x: &self.x,
                out: &mut self.r,
            };
            dev.run(items, residual);
            let p = Reduce {
                len: self.r.len() as u32,
            };
            let items = [PARTIALS as u32, 1, 1];
            match self.norm {
                Norm::Max => dev.run(
                    items,
                    MaxAbsPartials {
                        p,
                        x: &self.r,
                        out: partials,
                    },
                ),
                Norm::L2 { .. } => dev.run(
                    items,
                    SumSquaresPartials {
                        p,
                        x: &self.r,
                        out: partials,
                    },
                ),
            }
        }
    }
}

pub use jacobi::KERNELS;

/// Solves twice with the same loop, the second time from the first result with a tighter tolerance.
fn solve(dev: &mut Device, until: Until) -> (Vec<f32>, Vec<LoopReport>) {
    let mut work = jacobi::Jacobi::new(dev, 32, until.norm);
    let mut state = Loop::new(dev, 4000).unwrap();
    let mut reports = Vec::new();
    for factor in [1.0, 0.1] {
        let until = Until {
            tolerance: until.tolerance * factor,
            ..until
        };
        dev.repeat_until(&mut state, until, &mut work);
        reports.push(state.report(dev).wait(dev).unwrap());
    }
    (dev.read(&work.x).unwrap(), reports)
}

#[test]
fn loops_are_the_same_on_both_devices() {
    let Some(mut dev) = gpu() else { return };
    let exact = dev.kind() == DeviceKind::SoftwareGpu;
    let l2 = Norm::L2 { count: 32 * 32 };
    for (norm, tolerance, max_iterations, every) in [
        (Norm::Max, 1e-2, 3000, 10),
        (l2, 1e-3, 3000, 8),
        (l2, 1e-3, 201, 7),
        (Norm::Max, 0.0, 25, 0),
        (Norm::Max, 1e9, 25, 0),
        (Norm::Max, 1e-2, 0, 4),
    ] {
        let until = Until {
            tolerance,
            max_iterations,
            every,
            norm,
        };
        let (x, reports) = solve(&mut cpu(), until);
        let (y, found) = solve(&mut dev, until);
        if exact {
            assert_eq!(x, y, "{until:?}");
            assert_eq!(reports, found, "{until:?}");
        } else {
            for (a, b) in reports.iter().zip(&found) {
                assert!(a.iterations.abs_diff(b.iterations) <= every, "{until:?}");
            }
        }
        if every == 10 {
            let its = reports[0].iterations;
            assert!(its > 100 && its < 3000 && reports[1].iterations > 100);
            assert!(reports[0].after().unwrap() <= 1e-2);
            assert!(reports[0].residuals[reports[0].residuals.len() - 2].1 > 1e-2);
        }
    }
}

#[test]
fn a_loop_stops_at_what_is_not_finite() {
    let Some(mut dev) = gpu() else { return };
    let until = Until {
        tolerance: 1e-3,
        max_iterations: 100,
        every: 2,
        norm: Norm::L2 { count: 32 * 32 },
    };
    for dev in [&mut cpu(), &mut dev] {
        let mut work = jacobi::Jacobi::new(dev, 32, until.norm);
        let mut b = vec![0.0f32; 32 * 32];
        b[5] = f32::NAN;
        dev.write(&mut work.b, &b);
        let mut state = Loop::new(dev, 50).unwrap();
        dev.repeat_until(&mut state, until, &mut work);
        let report = state.report(dev).wait(dev).unwrap();
        assert!(report.not_finite && report.iterations == 0, "{report:?}");
        assert!(dev.read(&work.x).unwrap().iter().all(|x| *x == 0.0));
    }
}

#[test]
fn a_closed_gate_ends_a_long_loop_early() {
    let Some(mut dev) = gpu() else { return };
    let mut work = jacobi::Jacobi::new(&mut dev, 32, Norm::Max);
    let mut state = Loop::new(&mut dev, 10).unwrap();
    let until = Until {
        tolerance: 1e-2,
        max_iterations: 4_000_000,
        every: 100,
        norm: Norm::Max,
    };
    // Recording four million sweeps would take many seconds.
    let began = std::time::Instant::now();
    dev.repeat_until(&mut state, until, &mut work);
    let report = state.report(&mut dev).wait(&mut dev).unwrap();
    assert!(report.iterations < 3000, "{report:?}");
    assert!(report.after().unwrap() <= 1e-2);
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}

#[test]
fn a_dispatch_that_turns_up_late_obeys_the_gate() {
    /// Counts its blocks in `x`, and from the third on, many chunks of commands later, also in `y`, by a dispatch of a
    /// shape that the loop has not had.
    struct Late {
        blocks: u32,
        one: Buf<f32>,
        x: Buf<f32>,
        y: Buf<f32>,
    }
    impl Iterate for Late {
        fn block(&mut self, dev: &mut Device, _iterations: u32) {
            let p = AxpyFactor { len: 1, a: 1.0 };
            let (x, one) = (&self.one, &mut self.x);
            dev.run([1, 1, 1], Axpy { p, x, y: one });
            self.blocks += 1;
            if self.blocks >= 3 {
                dev.sync().unwrap();
                let p = AxpyFactor { len: 1, a: 1.0 };
                let (x, y) = (&self.one, &mut self.y);
                // More invocations than needed: another number of groups.
                dev.run([200 + self.blocks, 1, 1], Axpy { p, x, y });
            }
        }
        fn measure(&mut self, dev: &mut Device, partials: &mut Buf<f32>) {
            // The residual is 10 − x, by way of partials that are otherwise zero.
            dev.clear(partials);
            let p = FillValue {
                len: 1,
                value: 10.0,
            };
            dev.run([1, 1, 1], Fill { p, x: partials });
            let p = AxpyFactor { len: 1, a: -1.0 };
            let (x, y) = (&self.x, partials);
            dev.run([1, 1, 1], Axpy { p, x, y });
        }
    }
    for mut dev in [Some(cpu()), gpu()].into_iter().flatten() {
        let mut work = Late {
            blocks: 0,
            one: dev.buf_from("one", &[1.0]).unwrap(),
            x: dev.buf("x", 1).unwrap(),
            y: dev.buf("y", 1).unwrap(),
        };
        let mut state = Loop::new(&mut dev, 20).unwrap();
        let until = Until {
            tolerance: 5.5,
            max_iterations: 20,
            every: 1,
            norm: Norm::Max,
        };
        dev.repeat_until(&mut state, until, &mut work);
        let report = state.report(&mut dev).wait(&mut dev).unwrap();
        assert_eq!(report.iterations, 5, "{}", dev.name());
        assert_eq!(dev.read(&work.x).unwrap(), [5.0]);
        assert_eq!(dev.read(&work.y).unwrap(), [3.0]);
        // The same report comes without waiting, in the end.
        let (mut later, stalls) = (state.report(&mut dev), dev.stalls());
        let latest = (0..2000).find_map(|_| {
            std::thread::sleep(std::time::Duration::from_millis(1));
            dev.take(&mut later).unwrap()
        });
        assert_eq!(dev.stalls(), stalls);
        assert_eq!(latest, Some(report));
    }
}

#[test]
fn what_goes_wrong_inside_a_loop_is_told() {
    struct Writes(Buf<f32>);
    impl Iterate for Writes {
        fn block(&mut self, dev: &mut Device, _iterations: u32) {
            dev.write(&mut self.0, &[1.0]);
        }
        fn measure(&mut self, _dev: &mut Device, _partials: &mut Buf<f32>) {}
    }
    let Some(mut dev) = gpu() else { return };
    let mut work = Writes(dev.buf("x", 1).unwrap());
    let mut state = Loop::new(&mut dev, 1).unwrap();
    let until = Until {
        tolerance: 0.0,
        max_iterations: 1,
        every: 1,
        norm: Norm::Max,
    };
    dev.repeat_until(&mut state, until, &mut work);
    let e = dev.sync().unwrap_err();
    assert!(matches!(e, DeviceError::Gpu(_)), "{e}");
    // It was told; the device works on.
    dev.sync().unwrap();
    assert_eq!(dev.read(&work.0).unwrap(), [0.0]);
}
