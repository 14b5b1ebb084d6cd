//! What the device promises: memory that is accounted for, loss that is survived, kernels that are timed.

use std::time::Duration;

use eddy::device::{Device, DeviceError, Loop, Norm, Ticket, Triad, Until};

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
    lost(state.report(&mut dev).wait(&mut dev).unwrap_err());
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
fn tickets_are_put_together_and_redeemed_in_any_order() {
    for mut dev in [Some(cpu()), gpu()].into_iter().flatten() {
        let on_cpu = dev.cpu().is_some();
        let a = dev.buf_from("a", &[1.0f32, 2.0]).unwrap();
        let b = dev.buf_from("b", &[3u32]).unwrap();
        let mut sum = dev.read_later(&a).map(|a| a[0] + a[1]);
        let both = dev.read_later(&a).and(dev.read_later(&b));
        let all = vec![
            dev.read_later(&b),
            dev.read_later(&b),
            Ticket::here(vec![5]),
        ];
        let all = Ticket::all(all).map(|all| all.concat());
        let nested = both.map(|(a, b)| a[1] * b[0] as f32).and(all);
        assert_eq!((sum.is_here(), nested.is_here()), (on_cpu, on_cpu));
        assert_eq!(nested.wait(&mut dev).unwrap(), (6.0, vec![3, 3, 5]));
        assert_eq!(dev.take(&mut sum).unwrap(), Some(3.0));
        assert_eq!(dev.take(&mut sum).unwrap(), None, "it was taken");
        assert!(sum.wait(&mut dev).is_err());
        let empty = Ticket::all(Vec::<Ticket<u32>>::new());
        assert!(empty.wait(&mut dev).unwrap().is_empty());
    }
}

#[test]
fn a_ticket_is_waited_for_without_waiting_for_what_comes_after_it() {
    for mut dev in [Some(cpu()), gpu()].into_iter().flatten() {
        let on_gpu = u64::from(dev.cpu().is_none());
        let len = 100_000;
        let x = dev.buf_from("x", &vec![1.0f32; len]).unwrap();
        let mut y = dev.buf::<f32>("y", len).unwrap();
        let p = AxpyFactor {
            len: len as u32,
            a: 1.0,
        };
        let mut work = |dev: &mut Device, times: usize| {
            for _ in 0..times {
                let y = &mut y;
                dev.run([len as u32, 1, 1], Axpy { p, x: &x, y });
            }
            let ticket = dev.read_later(&y).map(move |y| y[len - 1]);
            dev.submit();
            ticket
        };
        let mut first = work(&mut dev, 10);
        let second = work(&mut dev, 200);
        let begun = dev.stalls();
        assert_eq!(dev.take_within(&mut first, None).unwrap(), Some(10.0));
        assert_eq!(dev.stalls(), begun, "there was work left");
        assert_eq!(second.wait(&mut dev).unwrap(), 210.0);
        assert_eq!(dev.stalls(), begun + on_gpu, "and none here");
        // With a time limit it may come or not, and is not lost.
        let mut third = work(&mut dev, 100);
        let soon = dev.take_within(&mut third, Some(Duration::from_millis(1)));
        let third = match soon.unwrap() {
            Some(value) => value,
            None => third.wait(&mut dev).unwrap(),
        };
        assert_eq!(third, 310.0);
    }
}

#[test]
fn kernels_are_timed_by_what_was_asked_for_together() {
    for mut dev in [Some(cpu()), gpu()].into_iter().flatten() {
        dev.set_timing(true);
        let x = dev.buf_from("x", &[1.0f32]).unwrap();
        let mut y = dev.buf::<f32>("y", 1).unwrap();
        let p = AxpyFactor { len: 1, a: 1.0 };
        let mut tickets = Vec::new();
        for runs in [3, 5] {
            for _ in 0..runs {
                let y = &mut y;
                dev.run([1, 1, 1], Axpy { p, x: &x, y });
            }
            tickets.push(dev.timings_later());
            dev.submit();
        }
        dev.sync().unwrap();
        let times: Vec<_> = tickets
            .into_iter()
            .map(|t| t.wait(&mut dev).unwrap())
            .collect();
        if times[0].is_empty() {
            println!("skipped: {} has no timestamps", dev.name());
            continue;
        }
        assert_eq!((times[0][0].runs, times[1][0].runs), (3, 5));
        assert!(dev.take_timings().is_empty());
    }
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
