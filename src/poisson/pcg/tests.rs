//! How the residual that the iteration keeps up shrinks. In f32 it is the only one that reaches a millionth: that of the
//! rounded solution of noise does not.

use super::conjugate::Conjugate;
use super::{KERNELS, Preconditioner};
use crate::device::{Device, check_kernel};
use crate::poisson::components::Components;
use crate::poisson::singular::Singular;
use crate::poisson::solve::{Iteration, Known};
use crate::poisson::{CLOSED, FACE, LINK, System, UNKNOWN};

const RATES: &str = include_str!("../../../assets/reference/conjugate_gradients.csv");

/// Codes of a box whose outer faces are `outside`.
fn codes(dims: [u32; 3], outside: u32) -> Vec<u32> {
    let [nx, ny, nz] = dims;
    let mut codes = Vec::new();
    for (k, j, i) in
        (0..nz).flat_map(|k| (0..ny).flat_map(move |j| (0..nx).map(move |i| (k, j, i))))
    {
        let face = |at: u32, n: u32| match (n, at) {
            (1, _) => [CLOSED; 2],
            (_, 0) => [outside, LINK],
            (_, at) if at + 1 == n => [LINK, outside],
            _ => [LINK; 2],
        };
        let all = [face(i, nx), face(j, ny), face(k, nz)].concat();
        codes.push((0..6).fold(UNKNOWN, |code, f| code | all[f] << (2 * f)));
    }
    codes
}

/// White noise that adds up to zero.
fn noise(n: usize, seed: u32) -> Vec<f32> {
    let mut s = seed.wrapping_mul(2_654_435_761).wrapping_add(12_345);
    let mut next = || {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        f64::from(s >> 8) / 8_388_608.0 - 1.0
    };
    let values: Vec<f64> = (0..n).map(|_| next()).collect();
    let mean = values.iter().sum::<f64>() / n as f64;
    values.iter().map(|v| (v - mean) as f32).collect()
}

/// Iterations until the residual is a millionth of what it was.
fn iterations(dims: [u32; 3], outside: u32, choice: Preconditioner, seed: u32) -> u32 {
    let mut dev = Device::cpu_with_threads(2);
    let codes = codes(dims, outside);
    let b = noise(codes.len(), seed);
    let norm = |r: &[f32]| r.iter().map(|r| f64::from(*r).powi(2)).sum::<f64>().sqrt();
    let mut conjugate = Conjugate::new(&mut dev, dims, choice).unwrap();
    let stencil = dev.buf_from("stencil", &codes).unwrap();
    let rhs = dev.buf_from("rhs", &b).unwrap();
    let mut residual = dev.buf_from("residual", &b).unwrap();
    let mut x = dev.buf("x", b.len()).unwrap();
    let system = System {
        dims,
        stencil: &stencil,
        revision: 1,
        shift: 0.0,
        rhs: &rhs,
        residual_scale: 1.0,
        name: "test",
        unit: "",
    };
    conjugate.prepare(dims, &codes, 0.0);
    conjugate.prepare_levels(&mut dev, &codes, 0.0).unwrap();
    let found = Components::find(dims, &codes, 0.0);
    let mut singular = (!found.chunks.is_empty()).then(|| Singular::new(&mut dev, &found).unwrap());
    for n in 1..2000 {
        let mut known = Known {
            residual: &mut residual,
            first: n == 1,
            singular: singular.as_mut(),
        };
        conjugate.block(&mut dev, &system, &mut x, &mut known, 1);
        if norm(conjugate.residual().host()) <= 1e-6 * norm(&b) {
            return n;
        }
    }
    u32::MAX
}

#[test]
fn shaders_fit_their_kernels() {
    for kernel in KERNELS {
        check_kernel(kernel).unwrap();
    }
}

/// The reference is one sample of noise. Five of ours must agree with it within 5 %, or within three times their own spread.
#[test]
fn a_millionth_takes_as_many_iterations_as_in_the_reference() {
    let rows: Vec<&str> = RATES.lines().filter(|l| l.contains("tol=1e-06")).collect();
    assert_eq!(rows.len(), 21);
    for row in rows {
        let cells: Vec<&str> = row.split(',').collect();
        let n: u32 = cells[1].parse().unwrap();
        let outside = if cells[2] == "N" { CLOSED } else { FACE };
        let choice = match cells[3] {
            "precond=none" => Preconditioner::None,
            "precond=jacobi" => Preconditioner::Jacobi,
            "precond=mg" => Preconditioner::Multigrid,
            _ => Preconditioner::IncompleteCholesky,
        };
        let expected: f64 = cells[5].parse().unwrap();
        let found: Vec<f64> = (1..6)
            .map(|seed| f64::from(iterations([n, n, 1], outside, choice, seed)))
            .collect();
        let mean = found.iter().sum::<f64>() / 5.0;
        let spread = (found.iter().map(|f| (f - mean).powi(2)).sum::<f64>() / 4.0).sqrt();
        println!("{row}: {mean} ± {spread}");
        if choice == Preconditioner::Multigrid {
            assert!(found.iter().all(|f| *f <= 8.0), "{row}: {found:?}");
        } else {
            assert!(
                (mean - expected).abs() <= (0.05 * expected).max(3.0 * spread),
                "{row}: {mean} ± {spread}"
            );
        }
    }
}

#[test]
fn multigrid_takes_few_iterations_in_3d() {
    for (n, outside) in [(32, CLOSED), (64, CLOSED), (32, FACE), (64, FACE)] {
        let found = iterations([n; 3], outside, Preconditioner::Multigrid, 1);
        println!("{n}³ {outside}: {found}");
        assert!(found <= 12, "{n}³: {found}");
    }
}

#[test]
fn multigrid_takes_as_few_at_any_size() {
    for dims in [[63, 65, 1], [512, 512, 1], [37, 181, 1], [200, 12, 1]] {
        for outside in [CLOSED, FACE] {
            let found = iterations(dims, outside, Preconditioner::Multigrid, 1);
            println!("{dims:?} {outside}: {found}");
            assert!(found <= 8, "{dims:?}: {found}");
        }
    }
}

/// z · M⁻¹ r = r · M⁻¹ z, also among obstacles: what a preconditioner is not, conjugate gradients do not forgive for long.
#[test]
fn preconditioners_are_symmetric() {
    for (dims, choice) in [
        ([70, 41, 1], Preconditioner::Multigrid),
        ([64, 64, 1], Preconditioner::Multigrid),
        ([21, 16, 18], Preconditioner::Multigrid),
        ([70, 41, 1], Preconditioner::Spectral),
        ([21, 16, 18], Preconditioner::Spectral),
        ([70, 41, 1], Preconditioner::IncompleteCholesky),
        ([21, 16, 18], Preconditioner::IncompleteCholesky),
    ] {
        let mut dev = Device::cpu_with_threads(2);
        let mut codes = codes(dims, FACE);
        obstruct(dims, &mut codes);
        let mut conjugate = Conjugate::new(&mut dev, dims, choice).unwrap();
        conjugate.prepare_levels(&mut dev, &codes, 0.0).unwrap();
        let stencil = dev.buf_from("stencil", &codes).unwrap();
        let masked = |seed: usize| -> Vec<f32> {
            let all = noise(codes.len() + seed, 1);
            codes
                .iter()
                .zip(&all[seed..])
                .map(|(c, v)| if c & UNKNOWN == 0 { 0.0 } else { *v })
                .collect()
        };
        let (a, b) = (masked(0), masked(977));
        let mut apply = |rhs: &[f32]| {
            let rhs = dev.buf_from("rhs", rhs).unwrap();
            let system = System {
                dims,
                stencil: &stencil,
                revision: 1,
                shift: 0.0,
                rhs: &rhs,
                residual_scale: 1.0,
                name: "test",
                unit: "",
            };
            conjugate.preconditioned(&mut dev, &system)
        };
        let (ma, mb) = (apply(&a), apply(&b));
        let dot = |a: &[f32], b: &[f32]| {
            a.iter()
                .zip(b)
                .map(|(a, b)| f64::from(*a) * f64::from(*b))
                .sum::<f64>()
        };
        let (one, other, size) = (
            dot(&a, &mb),
            dot(&b, &ma),
            (dot(&a, &ma) * dot(&b, &mb)).sqrt(),
        );
        println!("{dims:?} {choice:?}: {one} {other} of {size}");
        assert!(
            (one - other).abs() < 1e-5 * size,
            "{dims:?} {choice:?}: {one} {other} of {size}"
        );
    }
}

/// Takes unknowns away, and links to them.
fn obstruct(dims: [u32; 3], codes: &mut [u32]) {
    let [nx, ny, nz] = dims;
    let solid = |i: u32, j: u32, k: u32| {
        (i * 7 + j * 13 + k * 5).is_multiple_of(31) || (i / 9 + j / 7 + k / 3) % 5 == 4
    };
    for (c, code) in codes.iter_mut().enumerate() {
        let c = c as u32;
        let [i, j, k] = [c % nx, c / nx % ny, c / (nx * ny)];
        if solid(i, j, k) {
            *code = 0;
            continue;
        }
        let near = [
            (i.wrapping_sub(1), j, k),
            (i + 1, j, k),
            (i, j.wrapping_sub(1), k),
            (i, j + 1, k),
            (i, j, k.wrapping_sub(1)),
            (i, j, k + 1),
        ];
        for (f, (i, j, k)) in near.into_iter().enumerate() {
            if i < nx && j < ny && k < nz && solid(i, j, k) {
                *code &= !(3 << (2 * f));
            }
        }
    }
}
