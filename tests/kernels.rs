//! Kernels on small inputs: the twin against the GPU. And what the device promises about loops, memory and loss.

use eddy::device::kernels::{Axpy, AxpyFactor, CopyWords, Fill, FillValue, Words, ZeroWords};
use eddy::device::reduce::{MaxAbsPartials, Reduce, SumSquaresPartials};
use eddy::device::{
    Buf, Device, DeviceChoice, DeviceError, DeviceKind, Iterate, Loop, LoopReport, Norm, PARTIALS,
    Until,
};

/// A GPU if there is an adapter, even a software one; else says that the test is skipped.
pub fn gpu() -> Option<Device> {
    match Device::new(DeviceChoice::Gpu) {
        Ok(dev) => Some(dev),
        Err(DeviceError::NoAdapter(why)) => {
            println!("skipped: {why}");
            None
        }
        Err(e) => panic!("{e}"),
    }
}

/// The CPU device.
pub fn cpu() -> Device {
    Device::new(DeviceChoice::Cpu).unwrap()
}

/// Numbers in −1..1 that are the same every time.
pub fn noise(seed: u32, len: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(747_796_405).wrapping_add(1);
    (0..len)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        })
        .collect()
}

/// Runs the same work on the CPU and on the GPU and compares what it returns: bit by bit on a software adapter, within
/// 1e-5 of the largest magnitude on hardware, which may contract and round divisions in its own way.
pub fn twin(name: &str, work: impl Fn(&mut Device) -> Vec<Vec<f32>>) {
    compare(name, None, work);
}

/// The same for kernels with functions that no two implementations compute alike: everywhere within `bound` of the
/// largest magnitude.
#[allow(dead_code, reason = "for kernels with exp, pow, sin and the like")]
pub fn twin_within(name: &str, bound: f32, work: impl Fn(&mut Device) -> Vec<Vec<f32>>) {
    compare(name, Some(bound), work);
}

fn compare(name: &str, bound: Option<f32>, work: impl Fn(&mut Device) -> Vec<Vec<f32>>) {
    let expected = work(&mut cpu());
    let Some(mut dev) = gpu() else { return };
    let found = work(&mut dev);
    dev.sync().unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(expected.len(), found.len(), "{name}: number of arrays");
    let exact = bound.is_none() && dev.kind() == DeviceKind::SoftwareGpu;
    for (array, (cpu, gpu)) in expected.iter().zip(&found).enumerate() {
        assert_eq!(cpu.len(), gpu.len(), "{name}: length of array {array}");
        let largest = cpu.iter().fold(0.0f32, |m, x| m.max(x.abs()));
        let allowed = bound.unwrap_or(1e-5) * largest;
        for (i, (a, b)) in cpu.iter().zip(gpu).enumerate() {
            let same = a.to_bits() == b.to_bits() || (!exact && (a - b).abs() <= allowed);
            assert!(
                same,
                "{name}: array {array} at {i}: CPU {a:e}, GPU {b:e} (largest {largest:e}, {})",
                dev.name()
            );
        }
    }
}

#[test]
fn fill_copy_zero_axpy() {
    for len in [1, 63, 64, 1000] {
        twin("small kernels", |dev| {
            let n = len as u32;
            let x = dev.buf_from("x", &noise(1, len)).unwrap();
            let mut y = dev.buf_from("y", &noise(2, len)).unwrap();
            let p = AxpyFactor { len: n, a: 0.37 };
            dev.run(
                [n, 1, 1],
                Axpy {
                    p,
                    x: &x,
                    y: &mut y,
                },
            );
            let mut z = dev.buf::<f32>("z", len).unwrap();
            let p = FillValue {
                len: n,
                value: -2.5,
            };
            dev.run([n, 1, 1], Fill { p, x: &mut z });
            let from = dev.buf_from("from", &[5u32, 6, 7]).unwrap();
            let mut to = dev.buf_from("to", &[1u32; 5]).unwrap();
            let copy = CopyWords {
                p: Words { len: 3 },
                from_words: &from,
                to_words: &mut to,
            };
            dev.run([3, 1, 1], copy);
            let mut words = dev.buf_from("words", &[9u32; 5]).unwrap();
            let p = Words { len: 2 };
            let zero = ZeroWords {
                p,
                words: &mut words,
            };
            dev.run([2, 1, 1], zero);
            let counts = [dev.read(&to).unwrap(), dev.read(&words).unwrap()].concat();
            assert_eq!(counts, [5, 6, 7, 1, 1, 0, 0, 9, 9, 9]);
            vec![dev.read(&y).unwrap(), dev.read(&z).unwrap()]
        });
    }
}

#[test]
fn partial_reductions() {
    for len in [1, 1023, 5000] {
        twin("partials", |dev| {
            let mut values = noise(3, len);
            values[len / 2] = f32::NEG_INFINITY;
            let x = dev.buf_from("x", &values).unwrap();
            let mut a = dev.buf("a", PARTIALS).unwrap();
            let mut b = dev.buf("b", PARTIALS).unwrap();
            let p = Reduce { len: len as u32 };
            let items = [PARTIALS as u32, 1, 1];
            let max = MaxAbsPartials {
                p,
                x: &x,
                out: &mut a,
            };
            dev.run(items, max);
            let sum = SumSquaresPartials {
                p,
                x: &x,
                out: &mut b,
            };
            dev.run(items, sum);
            vec![dev.read(&a).unwrap(), dev.read(&b).unwrap()]
        });
    }
}

#[test]
fn long_rows_are_folded() {
    // 64 items a group: past 65,535 groups.
    let len = 5_000_001u32;
    twin("folding", |dev| {
        let mut x = dev.buf::<f32>("x", len as usize + 1).unwrap();
        let p = FillValue { len, value: 1.5 };
        dev.run([len, 1, 1], Fill { p, x: &mut x });
        vec![dev.read(&x).unwrap()]
    });
}

#[test]
fn commands_and_writes_keep_their_order() {
    twin("order", |dev| {
        let p = AxpyFactor { len: 1, a: 2.0 };
        let mut x = dev.buf_from("x", &[1.0f32]).unwrap();
        let mut y = dev.buf_from("y", &[0.0f32]).unwrap();
        dev.run(
            [1, 1, 1],
            Axpy {
                p,
                x: &x,
                y: &mut y,
            },
        );
        dev.write(&mut x, &[10.0]);
        let mut before = dev.read_later(&y);
        dev.run(
            [1, 1, 1],
            Axpy {
                p,
                x: &x,
                y: &mut y,
            },
        );
        let mut z = dev.buf("z", 1).unwrap();
        dev.copy(&y, &mut z);
        dev.clear(&mut y);
        dev.sync().unwrap();
        let before = dev.take(&mut before).unwrap().unwrap();
        vec![before, dev.read(&y).unwrap(), dev.read(&z).unwrap()]
    });
}

#[test]
fn more_uniforms_than_a_chunk_holds() {
    twin("many uniforms", |dev| {
        let x = dev.buf_from("x", &[1.0f32]).unwrap();
        let mut y = dev.buf_from("y", &[0.0f32]).unwrap();
        for i in 0..1000 {
            let p = AxpyFactor {
                len: 1,
                a: i as f32,
            };
            dev.run(
                [1, 1, 1],
                Axpy {
                    p,
                    x: &x,
                    y: &mut y,
                },
            );
        }
        let y = dev.read(&y).unwrap();
        assert_eq!(y[0], 499_500.0);
        vec![y]
    });
}

mod jacobi {
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

pub use jacobi::KERNELS as TEST_KERNELS;

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
        reports.push(state.report(dev).unwrap());
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
        let report = state.report(dev).unwrap();
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
    let report = state.report(&mut dev).unwrap();
    assert!(report.iterations < 3000, "{report:?}");
    assert!(report.after().unwrap() <= 1e-2);
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
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

#[test]
fn memory_is_accounted_for() {
    let mut devices = vec![cpu()];
    devices.extend(gpu());
    for mut dev in devices {
        dev.set_memory_limit(1000);
        let a = dev.buf::<f32>("a", 200).unwrap();
        assert_eq!(dev.memory_used(), 800);
        let e = dev.buf::<f32>("the second", 51).err().unwrap();
        assert!(matches!(e, DeviceError::Memory { .. }));
        assert!(e.to_string().contains("the second"));
        drop(a);
        assert_eq!(dev.memory_used(), 0);
        assert!(dev.buf::<f32>("b", 250).is_ok());
        let e = dev.buf::<[f32; 4]>("everything", usize::MAX).err().unwrap();
        assert!(matches!(e, DeviceError::Memory { .. }));
    }
}

#[test]
fn a_buffer_that_no_gpu_takes_is_refused() {
    let Some(mut dev) = gpu() else { return };
    dev.set_memory_limit(u64::MAX);
    let e = dev.buf::<f32>("a huge field", 1 << 40).err().unwrap();
    assert!(matches!(e, DeviceError::BufferSize { .. }), "{e}");
    assert!(e.to_string().contains("a huge field"), "{e}");
    assert_eq!(dev.memory_used(), 0);
    dev.sync().unwrap();
}

#[test]
fn a_lost_device_is_an_error_and_never_a_panic() {
    let Some(mut dev) = gpu() else { return };
    let mut x = dev.buf_from("x", &noise(1, 1000)).unwrap();
    let mut y = dev.buf::<f32>("y", 1000).unwrap();
    let p = AxpyFactor { len: 1000, a: 1.0 };
    dev.run(
        [1000, 1, 1],
        Axpy {
            p,
            x: &x,
            y: &mut y,
        },
    );
    let mut ticket = dev.read_later(&y);
    let mut state = Loop::new(&mut dev, 10).unwrap();
    let mut work = jacobi::Jacobi::new(&mut dev, 32, Norm::Max);
    dev.lose_for_test();
    dev.run(
        [1000, 1, 1],
        Axpy {
            p,
            x: &x,
            y: &mut y,
        },
    );
    dev.write(&mut x, &[1.0]);
    dev.copy(&x, &mut y);
    dev.clear(&mut y);
    dev.set_timing(true);
    let until = Until {
        tolerance: 1e-3,
        max_iterations: 100,
        every: 10,
        norm: Norm::Max,
    };
    dev.repeat_until(&mut state, until, &mut work);
    let lost = |e: DeviceError| assert!(matches!(e, DeviceError::Lost(_)), "{e}");
    lost(dev.read(&x).unwrap_err());
    lost(dev.sync().unwrap_err());
    lost(dev.take(&mut ticket).unwrap_err());
    lost(state.report(&mut dev).unwrap_err());
    lost(dev.buf::<f32>("more", 10).err().unwrap());
    let mut later = dev.read_later(&x);
    lost(dev.take(&mut later).unwrap_err());
    dev.take_timings();
    drop((x, y, work, state, ticket, later));
    drop(dev);
    // And a new one can be opened.
    assert!(gpu().unwrap().sync().is_ok());
}

#[test]
fn kernels_are_timed() {
    for mut dev in [Some(cpu()), gpu()].into_iter().flatten() {
        dev.set_timing(true);
        let len = 100_000;
        let x = dev.buf_from("x", &noise(1, len)).unwrap();
        let mut y = dev.buf::<f32>("y", len).unwrap();
        let p = AxpyFactor {
            len: len as u32,
            a: 1.0,
        };
        for _ in 0..3000 {
            dev.run(
                [len as u32, 1, 1],
                Axpy {
                    p,
                    x: &x,
                    y: &mut y,
                },
            );
        }
        dev.sync().unwrap();
        let times = dev.take_timings();
        if times.is_empty() {
            println!("skipped: {} has no timestamps", dev.name());
            continue;
        }
        assert_eq!((times.len(), times[0].name), (1, "Axpy"));
        assert_eq!(times[0].runs, 3000);
        assert!(times[0].ms > 0.0 && times[0].ms < 60_000.0);
        dev.set_timing(false);
        dev.run(
            [len as u32, 1, 1],
            Axpy {
                p,
                x: &x,
                y: &mut y,
            },
        );
        dev.sync().unwrap();
        assert!(dev.take_timings().is_empty());
    }
}

#[test]
fn the_triad_moves_bytes() {
    for mut dev in [Some(cpu()), gpu()].into_iter().flatten() {
        let speed = dev.triad(3 << 20).unwrap();
        println!("{}: {:.1} GB/s", dev.name(), speed / 1e9);
        assert!(speed > 1e8 && speed < 1e14, "{speed:e}");
        assert_eq!(dev.memory_used(), 0);
    }
}
