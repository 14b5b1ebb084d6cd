//! Kernels on small inputs: the twin against the GPU.

use eddy::device::kernels::{Axpy, AxpyFactor, CopyWords, Fill, FillValue, Words, ZeroWords};
use eddy::device::reduce::{MaxAbsPartials, Reduce, SumSquaresPartials};
use eddy::device::{Device, DeviceChoice, DeviceError, DeviceKind, PARTIALS};

/// A GPU if there is an adapter, even a software one; else says that the test is skipped. Where `EDDY_NEED_GPU` is set, as on
/// machines that have one for sure, none is an error.
pub fn gpu() -> Option<Device> {
    match Device::new(DeviceChoice::Gpu) {
        Ok(dev) => Some(dev),
        Err(DeviceError::NoAdapter(why)) if std::env::var_os("EDDY_NEED_GPU").is_none() => {
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
