//! The kernels of the Poisson solvers on random systems, flat and deep, and on lists.

use eddy::device::{Buf, Device, Kernel};
use eddy::poisson::UNKNOWN;
use eddy::poisson::kernels::{
    ChunkSums, CountU, JacobiSweep, PartMeans, RedBlackSweep, Residual, SubtractMeans, SweepU,
};

use super::{Compared, noise};

/// The kernels that are compared here.
pub const COMPARED: &[Compared<[u32; 3]>] = &[
    (JacobiSweep::INFO, jacobi_sweep),
    (RedBlackSweep::INFO, red_black_sweep),
    (Residual::INFO, residual),
    (ChunkSums::INFO, chunk_sums),
    (PartMeans::INFO, part_means),
    (SubtractMeans::INFO, subtract_means),
];

/// Sizes of systems.
pub const CASES: &[[u32; 3]] = &[[70, 19, 1], [9, 6, 7], [8, 4, 1]];

fn len(dims: [u32; 3]) -> usize {
    dims.iter().map(|n| *n as usize).product()
}

fn numbers(dev: &mut Device, dims: [u32; 3], seed: u32) -> Buf<f32> {
    dev.buf_from("numbers", &noise(seed, len(dims))).unwrap()
}

/// Any codes, three quarters of them unknowns.
fn codes(dev: &mut Device, dims: [u32; 3]) -> Buf<u32> {
    let code = |x: &f32| {
        let bits = x.to_bits() >> 3 & 0xfff;
        bits | if *x > -0.5 { UNKNOWN } else { 0 }
    };
    let codes: Vec<u32> = noise(5, len(dims)).iter().map(code).collect();
    dev.buf_from("codes", &codes).unwrap()
}

fn uniform(dims: [u32; 3], colour: u32, shift: f32, weight: f32) -> SweepU {
    SweepU {
        cells: [dims[0], dims[1], dims[2], colour],
        shift,
        weight,
        pad0: 0.0,
        pad1: 0.0,
    }
}

fn jacobi_sweep(dev: &mut Device, dims: &[u32; 3]) -> Vec<Vec<f32>> {
    let dims = *dims;
    let (stencil, rhs, x) = (
        &codes(dev, dims),
        &numbers(dev, dims, 1),
        &numbers(dev, dims, 2),
    );
    let run = |(shift, weight)| {
        let sweep = uniform(dims, 0, shift, weight);
        let mut relaxed = dev.buf("relaxed", len(dims)).unwrap();
        dev.run(
            dims,
            JacobiSweep {
                sweep,
                stencil,
                rhs,
                x,
                relaxed: &mut relaxed,
            },
        );
        dev.read(&relaxed).unwrap()
    };
    [(0.0, 1.0), (0.3, 1.0), (0.3, 0.8)].map(run).into()
}

fn red_black_sweep(dev: &mut Device, dims: &[u32; 3]) -> Vec<Vec<f32>> {
    let dims = *dims;
    let (stencil, rhs, x) = (
        &codes(dev, dims),
        &numbers(dev, dims, 1),
        &numbers(dev, dims, 2),
    );
    let run = |(colour, shift)| {
        let sweep = uniform(dims, colour, shift, 1.0);
        let mut relaxed = dev.buf("relaxed", len(dims)).unwrap();
        dev.run(
            dims,
            RedBlackSweep {
                sweep,
                stencil,
                rhs,
                x,
                relaxed: &mut relaxed,
            },
        );
        dev.read(&relaxed).unwrap()
    };
    [(0, 0.0), (1, 0.3)].map(run).into()
}

fn residual(dev: &mut Device, dims: &[u32; 3]) -> Vec<Vec<f32>> {
    let dims = *dims;
    let (stencil, rhs, x) = (
        &codes(dev, dims),
        &numbers(dev, dims, 1),
        &numbers(dev, dims, 2),
    );
    let run = |shift| {
        let sweep = uniform(dims, 0, shift, 1.0);
        let mut residual = dev.buf("residual", len(dims)).unwrap();
        dev.run(
            dims,
            Residual {
                sweep,
                stencil,
                rhs,
                x,
                residual: &mut residual,
            },
        );
        dev.read(&residual).unwrap()
    };
    [0.0, 0.3].map(run).into()
}

/// Chunks of all lengths up to 40.
fn chunks(dims: [u32; 3]) -> Vec<[u32; 4]> {
    let mut chunks = Vec::new();
    let mut begin = 0;
    while begin < len(dims) as u32 {
        let n = (chunks.len() as u32 % 41).min(len(dims) as u32 - begin);
        chunks.push([begin, n, 0, 0]);
        begin += n;
    }
    chunks
}

fn chunk_sums(dev: &mut Device, dims: &[u32; 3]) -> Vec<Vec<f32>> {
    let list = chunks(*dims);
    let count = list.len() as u32;
    let (chunks, values) = (
        &dev.buf_from("chunks", &list).unwrap(),
        &numbers(dev, *dims, 1),
    );
    let mut sums = dev.buf("sums", list.len()).unwrap();
    let size = CountU { count };
    dev.run(
        [count, 1, 1],
        ChunkSums {
            size,
            chunks,
            values,
            sums: &mut sums,
        },
    );
    vec![dev.read(&sums).unwrap()]
}

fn part_means(dev: &mut Device, dims: &[u32; 3]) -> Vec<Vec<f32>> {
    let list: Vec<[u32; 4]> = chunks(*dims)
        .iter()
        .map(|c| [c[0], c[0] + c[1], 3 * c[1], 0])
        .collect();
    let count = list.len() as u32;
    let (parts, sums) = (
        &dev.buf_from("parts", &list).unwrap(),
        &numbers(dev, *dims, 1),
    );
    let mut means = dev.buf("means", list.len()).unwrap();
    let size = CountU { count };
    dev.run(
        [count, 1, 1],
        PartMeans {
            size,
            parts,
            sums,
            means: &mut means,
        },
    );
    vec![dev.read(&means).unwrap()]
}

fn subtract_means(dev: &mut Device, dims: &[u32; 3]) -> Vec<Vec<f32>> {
    let part: Vec<u32> = noise(3, len(*dims))
        .iter()
        .map(|x| u32::from(*x > 0.0))
        .collect();
    let (part, means) = (
        &dev.buf_from("part", &part).unwrap(),
        &dev.buf_from("means", &[0.3f32, -0.7]).unwrap(),
    );
    let mut values = numbers(dev, *dims, 1);
    let size = CountU {
        count: len(*dims) as u32,
    };
    dev.run(
        [size.count, 1, 1],
        SubtractMeans {
            size,
            part,
            means,
            values: &mut values,
        },
    );
    vec![dev.read(&values).unwrap()]
}
