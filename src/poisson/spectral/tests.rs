//! The passes against sums in f64.

use super::axis::{Axis, matrix};
use super::blocks::LINES;
use super::bounds::{End, Ends};
use super::box_solve::{MOST_ON_GPU, items, job, tiled};
use super::kernels::{ANALYSE, SYNTHESISE, SpectralPass};
use crate::device::{Device, DeviceChoice, DeviceError, DeviceKind};

/// Every pair of ends.
pub const ALL_ENDS: [Ends; 10] = {
    use End::{Closed, Face, Node};
    [
        Ends::Periodic,
        Ends::Of(Closed, Closed),
        Ends::Of(Closed, Face),
        Ends::Of(Closed, Node),
        Ends::Of(Face, Closed),
        Ends::Of(Face, Face),
        Ends::Of(Face, Node),
        Ends::Of(Node, Closed),
        Ends::Of(Node, Face),
        Ends::Of(Node, Node),
    ]
};

/// A x along one axis.
pub fn apply(x: &[f64], ends: Ends) -> Vec<f64> {
    let n = x.len();
    let (low, high) = match ends {
        Ends::Periodic => (x[n - 1], x[0]),
        Ends::Of(low, high) => (beyond(x[0], low), beyond(x[n - 1], high)),
    };
    let at = |i: usize| x.get(i).copied().unwrap_or(high);
    (0..n)
        .map(|i| 2.0 * x[i] - if i == 0 { low } else { x[i - 1] } - at(i + 1))
        .collect()
}

/// The value beyond an end that its condition stands for.
fn beyond(x: f64, end: End) -> f64 {
    match end {
        End::Closed => x,
        End::Face => -x,
        End::Node => 0.0,
    }
}

fn devices() -> Vec<Device> {
    let mut all = vec![Device::cpu_with_threads(2)];
    match Device::new(DeviceChoice::Gpu) {
        Ok(gpu) => all.push(gpu),
        Err(DeviceError::NoAdapter(why)) => println!("skipped: {why}"),
        Err(e) => panic!("{e}"),
    }
    all
}

fn noise(n: usize) -> Vec<f32> {
    let mut s = 12_345_u32;
    let mut next = || {
        s = s.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (s >> 8) as f32 / 8_388_608.0 - 1.0
    };
    (0..n).map(|_| next()).collect()
}

/// The index of each cell of a grid in tiles.
fn in_tiles(dims: [usize; 3]) -> Vec<usize> {
    let rows = dims[1] * dims[2];
    let place = |c: usize| {
        let (i, row) = (c % dims[0], c / dims[0]);
        (i / LINES * rows + row) * LINES + i % LINES
    };
    (0..dims[0] * rows).map(place).collect()
}

/// What one pass makes of x.
fn run(dev: &mut Device, axes: &[Axis; 3], axis: usize, what: u32, x: &[f32]) -> Vec<f32> {
    let dims = [0, 1, 2].map(|a| axes[a].cells);
    let room = tiled(dims.map(|n| n as u32));
    let tiles = in_tiles(dims);
    // Nothing of what lies beside the grid may count.
    let mut source = vec![7.5; room];
    for (c, x) in x.iter().enumerate() {
        source[if axis > 0 || what == SYNTHESISE {
            tiles[c]
        } else {
            c
        }] = *x;
    }
    let join = |f: fn(&Axis) -> Vec<f32>| axes.iter().flat_map(f).collect::<Vec<f32>>();
    let places: Vec<u32> = axes.iter().flat_map(|a| a.places.clone()).collect();
    let turns: Vec<[f32; 2]> = axes.iter().flat_map(|a| a.turns.clone()).collect();
    let places = dev.buf_from("places", &places).unwrap();
    let turns = dev.buf_from("turns", &turns).unwrap();
    let lambda = dev.buf_from("lambda", &join(|a| a.lambda.clone())).unwrap();
    let stencil = dev.buf("stencil", x.len()).unwrap();
    let source = dev.buf_from("x", &source).unwrap();
    let to_tiles = axis > 0 || what == ANALYSE;
    let mut result = dev
        .buf("result", if to_tiles { room } else { x.len() })
        .unwrap();
    let job = job(axes, axis, what, 0.0);
    let pass = SpectralPass {
        job,
        places: &places,
        turns: &turns,
        lambda: &lambda,
        stencil: &stencil,
        source: &source,
        result: &mut result,
    };
    dev.run(items(&job), pass);
    let found = dev.read(&result).unwrap();
    (0..x.len())
        .map(|c| found[if to_tiles { tiles[c] } else { c }])
        .collect()
}

/// The same in f64, line by line; backwards by the transpose.
fn sums(rows: &[Vec<f64>], stride: usize, back: bool, x: &[f32]) -> Vec<f64> {
    let n = rows.len();
    let mut out = vec![0.0; x.len()];
    for (c, out) in out.iter_mut().enumerate() {
        let (k, begin) = (c / stride % n, c - c / stride % n * stride);
        for i in 0..n {
            let factor = if back { rows[i][k] } else { rows[k][i] };
            *out += factor * f64::from(x[begin + i * stride]);
        }
    }
    out
}

fn off(found: &[f32], exact: &[f64]) -> f64 {
    let norm = |v: &mut dyn Iterator<Item = f64>| v.map(|v| v * v).sum::<f64>().sqrt();
    let difference = norm(&mut found.iter().zip(exact).map(|(a, b)| f64::from(*a) - b));
    difference / norm(&mut exact.iter().copied())
}

/// Powers of two, products of all radices, primes, primes for which a convolution is needed; as rows, columns and lines in
/// depth, in numbers that fill no batch.
#[test]
fn transforms_are_within_a_millionth_of_sums_in_f64() {
    let mut worst = 0.0_f64;
    for mut dev in devices() {
        for ends in ALL_ENDS {
            for n in [
                2, 3, 4, 5, 6, 7, 8, 11, 13, 17, 30, 37, 64, 77, 100, 127, 128, 257, 512,
            ] {
                let (rows, _) = matrix(n, ends);
                for axis in [0, 1, 2] {
                    let others = match (axis, n) {
                        (_, 128..) => [5, 1],
                        (2, _) => [5, 4],
                        _ => [37, 3],
                    };
                    let mut dims = [others[0], others[0], others[1]];
                    dims[axis] = n;
                    if axis == 2 {
                        dims[0] = others[1] * 5;
                    }
                    let mut axes = dims.map(|n| Axis::new(n, Ends::CLOSED));
                    axes[axis] = Axis::new(n, ends);
                    let gpu = dev.kind() != DeviceKind::Cpu;
                    if gpu && axes[axis].plan.size > MOST_ON_GPU {
                        continue;
                    }
                    let x = noise(dims.iter().product());
                    let stride = dims[..axis].iter().product();
                    for (what, back) in [(ANALYSE, false), (SYNTHESISE, true)] {
                        let found = run(&mut dev, &axes, axis, what, &x);
                        let off = off(&found, &sums(&rows, stride, back, &x));
                        worst = worst.max(off);
                        assert!(off < 1e-6, "{ends:?} {dims:?} {axis} {back}: {off:e}");
                    }
                }
            }
        }
    }
    println!("largest difference {worst:e}");
}

#[test]
fn long_lines_are_as_exact() {
    let mut dev = Device::cpu_with_threads(2);
    for (n, ends) in [
        (4096, ALL_ENDS[1]),
        (2053, ALL_ENDS[0]),
        (3000, ALL_ENDS[7]),
    ] {
        let axes = [n, 1, 1].map(|m| Axis::new(m, if m == n { ends } else { Ends::CLOSED }));
        let (rows, _) = matrix(n, ends);
        let x = noise(n);
        let found = run(&mut dev, &axes, 0, ANALYSE, &x);
        let off = off(&found, &sums(&rows, 1, false, &x));
        assert!(off < 1e-6, "{ends:?} {n}: {off:e}");
    }
}
