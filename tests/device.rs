//! What the device promises: memory that is accounted for, loss that is survived, kernels that are timed.

use eddy::device::{DeviceError, Loop, Norm, Triad, Until};

use crate::kernels::{Axpy, AxpyFactor, cpu, gpu, noise};
use crate::loops::jacobi;

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
fn what_does_not_fit_is_an_error_and_changes_nothing() {
    for mut dev in [Some(cpu()), gpu()].into_iter().flatten() {
        let mut short = dev.buf_from("a short one", &[1.0f32, 2.0]).unwrap();
        let long = dev.buf_from("a long one", &[3.0f32; 3]).unwrap();
        let size = |e: DeviceError| {
            let expected = "3 values were to go into a short one, which holds 2";
            assert!(matches!(e, DeviceError::Size { .. }), "{e}");
            assert_eq!(e.to_string(), expected);
        };
        dev.write(&mut short, &[4.0; 3]);
        size(dev.read(&short).unwrap_err());
        dev.copy(&long, &mut short);
        size(dev.sync().unwrap_err());
        dev.write(&mut short, &[4.0; 3]);
        let mut ticket = dev.read_later(&short);
        size(dev.take(&mut ticket).unwrap_err());
        // It was told, and what fits goes in.
        dev.sync().unwrap();
        assert_eq!(dev.read(&short).unwrap(), [1.0, 2.0]);
        let mut long = long;
        dev.copy(&short, &mut long);
        dev.write(&mut short, &[5.0]);
        assert_eq!(dev.read(&long).unwrap(), [1.0, 2.0, 3.0]);
        assert_eq!(dev.read(&short).unwrap(), [5.0, 2.0]);
    }
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
        let mut triad = Triad::new(&mut dev, 1 << 18).unwrap();
        let speed = triad.bytes_per_s(&mut dev, 40).unwrap();
        println!("{}: {:.1} GB/s", dev.name(), speed / 1e9);
        assert!(speed > 1e8 && speed < 1e14, "{speed:e}");
        drop(triad);
        assert_eq!(dev.memory_used(), 0);
    }
}
