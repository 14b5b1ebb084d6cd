//! Kernels on small inputs: the twin against the GPU.

pub mod cases;
mod flow;
mod lists;
mod systems;

use eddy::device::kernels::{CopyWords, Fill, FillValue, TriadFactor, TriadPass, Words, ZeroWords};
use eddy::device::reduce::{MaxAbsPartials, Reduce, SumSquaresPartials};
use eddy::device::{
    Cpu, Device, DeviceChoice, DeviceError, DeviceKind, Kernel, KernelInfo, PARTIALS,
};
use eddy::field::difference_l2;
use eddy::solvers::METHODS;

eddy::shared! {
    /// Arguments of [`Axpy`].
    pub struct AxpyFactor {
        /// Values.
        pub len: u32,
        /// The factor.
        pub a: f32,
    }
}
eddy::kernel! {
    /// y ← y + a·x: the kernel of tests that need some kernel.
    pub Axpy = "common/test_axpy.wgsl", axpy { uniform p: AxpyFactor, read x: f32, write y: f32 }
}

/// The kernels of these tests.
pub const KERNELS: &[KernelInfo] = &[Axpy::INFO];

fn axpy(_: &Cpu, _: [u32; 3], p: &AxpyFactor, x: &[f32], y: &mut [f32]) {
    for (y, x) in y[..p.len as usize].iter_mut().zip(x) {
        *y += p.a * x;
    }
}

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
    let mut cpu = cpu();
    let Some(mut gpu) = gpu() else {
        work(&mut cpu);
        return;
    };
    if let Err(e) = compare_on(name, bound, &mut cpu, &mut gpu, work) {
        panic!("{e}");
    }
}

fn compare_on(
    name: &str,
    bound: Option<f32>,
    cpu: &mut Device,
    dev: &mut Device,
    work: impl Fn(&mut Device) -> Vec<Vec<f32>>,
) -> Result<(), String> {
    let expected = work(cpu);
    let found = work(dev);
    let something = expected.iter().flatten().any(|x| *x != 0.0);
    assert!(something, "{name}: nothing but zeros says nothing");
    dev.sync().unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(expected.len(), found.len(), "{name}: number of arrays");
    let exact = bound.is_none() && dev.kind() == DeviceKind::SoftwareGpu;
    for (array, (cpu, gpu)) in expected.iter().zip(&found).enumerate() {
        assert_eq!(cpu.len(), gpu.len(), "{name}: length of array {array}");
        let largest = cpu.iter().fold(0.0f32, |m, x| m.max(x.abs()));
        let allowed = bound.unwrap_or(1e-5) * largest;
        for (i, (a, b)) in cpu.iter().zip(gpu).enumerate() {
            let same = a.to_bits() == b.to_bits() || (!exact && (a - b).abs() <= allowed);
            if !same {
                return Err(format!(
                    "{name}: array {array} at {i}: CPU {a:e}, GPU {b:e} (largest {largest:e}, {})",
                    dev.name()
                ));
            }
        }
    }
    Ok(())
}

/// A kernel with what runs it on a case and returns all that it has written.
pub type Compared<C> = (KernelInfo, fn(&mut Device, &C) -> Vec<Vec<f32>>);

/// Kernels whose results jump where a rounded position crosses the end of a cell: on hardware single values may differ, and
/// what is held is the method's own bound.
const JUMPS: &[&str] = &["AdvectComponent", "AdvectScalars"];

/// Compares every kernel of a list on every case, on one pair of devices, and names each that differs, with its first case.
fn compare_list<C>(list: &[Compared<C>], cases: &[C], name: impl Fn(&C) -> String) {
    let (mut cpu, gpu) = (cpu(), gpu());
    let Some(mut gpu) = gpu else { return };
    let mut compare = |info: &KernelInfo, run: fn(&mut Device, &C) -> Vec<Vec<f32>>, case: &C| {
        let what = format!("{}, {}", info.name, name(case));
        if !JUMPS.contains(&info.name) || gpu.kind() != DeviceKind::Gpu {
            return compare_on(&what, None, &mut cpu, &mut gpu, |dev| run(dev, case));
        }
        let (a, b) = (run(&mut gpu, case).concat(), run(&mut cpu, case).concat());
        let difference = difference_l2(&a, &b) / difference_l2(&b, &vec![0.0; b.len()]);
        let close = difference <= METHODS[0].parity;
        if close {
            Ok(())
        } else {
            Err(format!("{what}: {difference:e}"))
        }
    };
    let first = |(info, run): &Compared<C>| {
        cases
            .iter()
            .find_map(|case| compare(info, *run, case).err())
    };
    let wrong: Vec<String> = list.iter().filter_map(first).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn kernels_of_the_grid_agree() {
    let cases = cases::cases();
    let lattice = crate::lattice_boltzmann::parts::COMPARED;
    for list in [flow::COMPARED, systems::COMPARED, lattice] {
        compare_list(list, &cases, |case| case.name.clone());
    }
}

#[test]
fn kernels_of_the_poisson_solvers_agree() {
    compare_list(lists::COMPARED, lists::CASES, |dims| format!("{dims:?}"));
}

/// Kernels that are compared elsewhere, with the test that does.
const ELSEWHERE: &[(&str, &str)] = &[
    ("CopyWords", "kernels::small_kernels"),
    ("ZeroWords", "kernels::small_kernels"),
    ("Fill", "kernels::small_kernels"),
    ("Axpy", "kernels::small_kernels"),
    ("TriadPass", "kernels::small_kernels"),
    ("MaxAbsPartials", "kernels::partial_reductions"),
    ("SumSquaresPartials", "kernels::partial_reductions"),
    (
        "OpenGate",
        "loops::a_dispatch_that_turns_up_late_obeys_the_gate",
    ),
    ("Check", "loops::loops_are_the_same_on_both_devices"),
    ("Sweep", "loops::loops_are_the_same_on_both_devices"),
    ("Residual", "loops::loops_are_the_same_on_both_devices"),
    ("MultigridPart", "poisson::both_devices_give_the_same"),
    ("SpectralPass", "poisson::both_devices_give_the_same"),
    (
        "ConjugateDirection",
        "poisson::pcg::both_devices_do_the_same_with_each",
    ),
    (
        "ConjugateAlpha",
        "poisson::pcg::both_devices_do_the_same_with_each",
    ),
    (
        "ConjugateAdvance",
        "poisson::pcg::both_devices_do_the_same_with_each",
    ),
    (
        "ConjugateProducts",
        "poisson::pcg::both_devices_do_the_same_with_each",
    ),
    (
        "ConjugateBeta",
        "poisson::pcg::both_devices_do_the_same_with_each",
    ),
    (
        "FilterRows",
        "poisson::filters::every_way_is_the_same_on_both_devices_and_any_number_of_threads",
    ),
    (
        "FilterColumns",
        "poisson::filters::every_way_is_the_same_on_both_devices_and_any_number_of_threads",
    ),
    (
        "FilterWhole",
        "poisson::filters::every_way_is_the_same_on_both_devices_and_any_number_of_threads",
    ),
    (
        "LatticeStep",
        "lattice_boltzmann::lattice::steps_agree_on_both_devices",
    ),
    (
        "LatticeRescale",
        "lattice_boltzmann::parts::rescaling_agrees_on_both_devices",
    ),
    ("RasterObstacles", "scene::whole::cpu_and_gpu_agree"),
    ("RasterEmit", "scene::whole::cpu_and_gpu_agree"),
    ("RasterPush", "scene::whole::cpu_and_gpu_agree"),
    ("RasterRelief", "shallow_water::same::kernels_agree"),
    ("Depth", "shallow_water::same::kernels_agree"),
    ("Velocity", "shallow_water::same::kernels_agree"),
    ("Border", "shallow_water::same::kernels_agree"),
    ("Calm", "shallow_water::same::kernels_agree"),
    ("Walls", "shallow_water::same::kernels_agree"),
    ("Traces", "shallow_water::same::kernels_agree"),
    ("SprayBirth", "shallow_water::same::kernels_agree"),
    ("SprayFlight", "shallow_water::same::kernels_agree"),
    ("SprayPush", "shallow_water::same::kernels_agree"),
    ("SpraySettle", "shallow_water::same::kernels_agree"),
    ("SprayOver", "shallow_water::same::kernels_agree"),
    ("Derive", "shallow_water::same::kernels_agree"),
    ("Look", "shallow_water::same::kernels_agree"),
    ("SurfaceNormal", "shallow_water::same::kernels_agree"),
    ("ShoreRows", "shallow_water::same::kernels_agree"),
    ("ShoreColumns", "shallow_water::same::kernels_agree"),
    ("Totals", "shallow_water::same::kernels_agree"),
    ("RasterCover", "obstacles::both_devices_cover_alike"),
    ("RasterUncover", "obstacles::both_devices_fill_alike"),
];

/// A kernel that nobody compares is one whose two versions may say different things.
#[test]
fn every_kernel_is_compared() {
    let grid = flow::COMPARED
        .iter()
        .chain(systems::COMPARED)
        .chain(crate::lattice_boltzmann::parts::COMPARED)
        .map(|c| c.0.name);
    let lists = lists::COMPARED.iter().map(|c| c.0.name);
    let elsewhere = ELSEWHERE.iter().map(|c| c.0);
    let compared: Vec<&str> = grid.chain(lists).chain(elsewhere).collect();
    let all: Vec<&str> = crate::shaders::all().map(|k| k.name).collect();
    let missing: Vec<&&str> = all.iter().filter(|k| !compared.contains(k)).collect();
    assert!(
        missing.is_empty(),
        "no test compares the two versions of {missing:?}"
    );
    let gone: Vec<&&str> = compared.iter().filter(|k| !all.contains(k)).collect();
    assert!(gone.is_empty(), "there is no kernel {gone:?}");
    for (kernel, test) in ELSEWHERE {
        let (file, name) = test.rsplit_once("::").unwrap();
        let path = format!(
            "{}/tests/{}.rs",
            env!("CARGO_MANIFEST_DIR"),
            file.replace("::", "/")
        );
        let text = std::fs::read_to_string(path).unwrap();
        assert!(
            text.contains(&format!("fn {name}()")),
            "{kernel}: there is no test {test}"
        );
    }
}

#[test]
fn small_kernels() {
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
            let (b, c) = (
                dev.buf_from("b", &noise(3, 4 * len)),
                dev.buf_from("c", &noise(4, 4 * len)),
            );
            let mut a = dev.buf("a", 4 * len).unwrap();
            let p = TriadFactor { len: 4 * n, s: 0.7 };
            let triad = TriadPass {
                p,
                b: &b.unwrap(),
                c: &c.unwrap(),
                a: &mut a,
            };
            dev.run([n, 1, 1], triad);
            let counts = [dev.read(&to).unwrap(), dev.read(&words).unwrap()].concat();
            assert_eq!(counts, [5, 6, 7, 1, 1, 0, 0, 9, 9, 9]);
            [&y, &z, &a].map(|x| dev.read(x).unwrap()).into()
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
