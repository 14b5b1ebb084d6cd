//! The filters themselves, against published and computed ones; what a solve makes of them is tested from outside.

use super::filters::{Choice, Filters, Kind, Purpose};
use super::passes::{Inputs, Passes, Step};
use super::separate::{Product, separate};
use super::sides::Sides;
use super::sweep_kernel::{Octant, Sweeps, of_sweeps};
use crate::device::Device;
use crate::poisson::{FACE, LINK, NODE, UNKNOWN};

/// Half filters with their signs, from an eigen-decomposition in f64 by other means.
const FILTERS: &str = include_str!("../../../assets/reference/poisson_filters_2d.csv");
/// Errors of kernels and numbers of taps, likewise.
const ERRORS: &str = include_str!("../../../assets/reference/poisson_filter_errors_2d.csv");

/// The rows of a table: all that begin with a number.
fn rows(table: &'static str) -> impl Iterator<Item = Vec<f64>> {
    let data = table
        .lines()
        .filter(|l| l.starts_with(|c: char| c.is_ascii_digit()));
    data.map(|l| l.split(',').map(|cell| cell.parse().unwrap()).collect())
}

/// Relative error of products in the Frobenius norm, over the whole kernel.
fn error(kernel: &Octant, products: &[Product]) -> f64 {
    let (mut off, mut all) = (0.0, 0.0);
    let twice = |i: usize| if i == 0 { 1.0 } else { 2.0 };
    let s = kernel.side;
    for (c, value) in kernel.values.iter().enumerate() {
        let [i, j, k] = [c % s, c / s % s, c / (s * s)];
        let deep = |p: &Product| if kernel.dim > 2 { p.filter[k] } else { 1.0 };
        let sum: f64 = products
            .iter()
            .map(|p| p.sign * p.filter[i] * p.filter[j] * deep(p))
            .sum();
        let weight = twice(i) * twice(j) * if kernel.dim > 2 { twice(k) } else { 1.0 };
        off += weight * (value - sum).powi(2);
        all += weight * value * value;
    }
    (off / all).sqrt()
}

/// F and G of so many sweeps.
fn sweeps(order: usize, dim: usize) -> [Octant; 2] {
    of_sweeps(&Sweeps {
        order,
        dim,
        shift: 0.0,
        first: 1.0,
    })
}

#[test]
fn filters_are_those_of_the_reference() {
    let mut compared = 0;
    for row in rows(FILTERS) {
        let (order, offset) = (row[0] as usize, row[1] as usize);
        let products = separate(&sweeps(order, 2)[0], 4);
        for (r, product) in products.iter().enumerate() {
            let (tap, sign) = (row[2 + r], row[6 + r]);
            assert_eq!(product.sign, sign, "order {order}, filter {r}");
            assert!(
                (product.filter[offset] - tap).abs() < 1e-8,
                "order {order}, filter {r} at {offset}"
            );
            compared += 1;
        }
    }
    assert!(compared > 200);
}

#[test]
fn errors_and_taps_by_rank_are_those_of_the_reference() {
    let mut compared = 0;
    for row in rows(ERRORS) {
        let (order, rank) = (row[0] as usize, row[1] as usize);
        let kernel = &sweeps(order, 2)[0];
        let products = separate(kernel, rank);
        let last = &products[rank - 1];
        let square: f64 = last
            .filter
            .iter()
            .enumerate()
            .map(|(k, t)| if k == 0 { t * t } else { 2.0 * t * t })
            .sum();
        assert!(
            (square / row[2] - 1.0).abs() < 1e-4,
            "order {order}, eigenvalue {rank}: {square}"
        );
        let found = error(kernel, &products);
        // Down to where the digits of the table end.
        assert!(
            (found / row[3] - 1.0).abs() < 1e-3,
            "order {order}, rank {rank}: {found}, {}",
            row[3]
        );
        for (threshold, taps) in [(1e-4, row[6]), (1e-3, row[7]), (1e-2, row[8])] {
            let Kind::Separable { banks, .. } = choice(order, 2, rank, threshold).kind else {
                unreachable!()
            };
            assert_eq!(
                banks[Purpose::FromZero as usize].radius,
                taps as usize,
                "what is applied"
            );
            let of = |p: &Product| {
                p.filter
                    .iter()
                    .rposition(|t| t.abs() > f64::from(threshold))
                    .unwrap_or(0)
            };
            assert_eq!(
                products.iter().map(of).max().unwrap(),
                taps as usize,
                "order {order}, rank {rank}, {threshold}"
            );
        }
        compared += 1;
    }
    assert_eq!(compared, 30);
}

fn choice(order: usize, dim: usize, rank: usize, threshold: f32) -> std::sync::Arc<Filters> {
    Filters::of(Choice {
        order,
        dim,
        shift: 0.0,
        rank: Some(rank),
        threshold,
    })
}

#[test]
fn the_first_filter_of_32_sweeps_is_the_printed_one() {
    let printed = [
        0.6427079908,
        0.4057732994,
        0.2576443209,
        0.1614398817,
        0.0979609710,
        0.0576096987,
        0.0322940274,
    ];
    let products = separate(&sweeps(32, 2)[0], 1);
    for (tap, printed) in products[0].filter.iter().zip(printed) {
        assert!((tap - printed).abs() < 1e-6, "{tap}, {printed}");
    }
    // Which also is what comes to be applied.
    let Kind::Separable { taps, banks, .. } = &choice(32, 2, 1, 0.03).kind else {
        unreachable!()
    };
    let bank = banks[Purpose::FromZero as usize];
    for (tap, printed) in taps[bank.begin..].iter().zip(printed) {
        assert!((f64::from(tap[0]) - printed).abs() < 1e-6);
    }
}

/// Norm of a filter, over both of its sides.
fn norm(product: &Product) -> f64 {
    let squares = product.filter.iter().enumerate();
    squares
        .map(|(k, t)| if k == 0 { t * t } else { 2.0 * t * t })
        .sum::<f64>()
        .sqrt()
}

/// Norm of a 3D kernel, over all of its octants.
fn kernel_norm(kernel: &Octant) -> f64 {
    let (s, twice) = (kernel.side, |i: usize| if i == 0 { 1.0 } else { 2.0 });
    let of = |(c, v): (usize, &f64)| twice(c % s) * twice(c / s % s) * twice(c / (s * s)) * v * v;
    kernel.values.iter().enumerate().map(of).sum::<f64>().sqrt()
}

/// What each further product must leave at most, in 3D, of kernels of F and of G: measured, and a quarter more.
#[test]
fn few_products_are_enough_in_3d() {
    for (order, most_f, most_g) in [
        (
            4,
            [0.063, 0.036, 0.0037, 0.0007],
            [1.06, 0.076, 0.048, 0.023],
        ),
        (
            16,
            [0.28, 0.023, 0.0123, 0.0006],
            [0.885, 0.0175, 0.0123, 0.0018],
        ),
        (
            32,
            [0.352, 0.0488, 0.0077, 0.0045],
            [0.884, 0.0086, 0.0062, 0.0007],
        ),
    ] {
        for (kernel, most) in sweeps(order, 3).iter().zip([most_f, most_g]) {
            for (rank, most) in (1..).zip(most) {
                let found = error(kernel, &separate(kernel, rank));
                assert!(found < most, "order {order}, rank {rank}: {found}");
            }
            let products = separate(kernel, 8);
            let found = error(kernel, &products);
            assert!(found < 2e-4, "order {order}, rank 8: {found}");
            // None that another one takes back.
            let size = |p: &Product| norm(p).powi(3);
            let largest = products.iter().map(size).fold(0.0, f64::max);
            assert!(
                largest < 2.0 * kernel_norm(kernel),
                "order {order}: {largest}"
            );
        }
    }
}

#[test]
fn what_is_asked_for_again_is_not_made_again() {
    let (a, b) = (choice(21, 2, 3, 1e-4), choice(21, 2, 3, 1e-4));
    assert!(std::sync::Arc::ptr_eq(&a, &b));
    assert!(!std::sync::Arc::ptr_eq(&a, &choice(21, 2, 3, 1e-3)));
}

/// Codes of a box with a hole in it, and all kinds of sides.
fn codes([nx, ny, nz]: [u32; 3]) -> Vec<u32> {
    let code = |c: u32| {
        let (i, j, k) = (c % nx, c / nx % ny, c / (nx * ny));
        let outside = [
            (i == 0, 0),
            (i + 1 == nx, FACE),
            (j == 0, NODE),
            (j + 1 == ny, 0),
            (k == 0, FACE),
            (k + 1 == nz, 0),
        ];
        let codes = outside.iter().enumerate();
        let codes = codes.fold(UNKNOWN, |all, (f, (out, kind))| {
            all | if *out { *kind } else { LINK } << (2 * f)
        });
        if c % 17 == 3 { 0 } else { codes }
    };
    (0..nx * ny * nz).map(code).collect()
}

/// The passes as a GPU does them, by their twins, are what is done at once on the CPU, where the
/// axes come in another order.
#[test]
fn passes_one_by_one_are_the_application() {
    for (dims, order, threshold) in [
        ([70, 45, 1], 32, 1e-3),
        ([33, 200, 1], 100, 0.0),
        ([19, 12, 15], 12, 0.0),
    ] {
        let mut dev = Device::cpu_with_threads(2);
        let codes = codes(dims);
        let noise = |seed: u32| -> Vec<f32> {
            let number = |c: usize| {
                (c as u32 + 1)
                    .wrapping_mul(seed)
                    .wrapping_mul(2_654_435_761)
                    >> 8
            };
            (0..codes.len())
                .map(|c| number(c) as f32 / 8_388_608.0 - 1.0)
                .collect()
        };
        let stencil = dev.buf_from("stencil", &codes).unwrap();
        let [first, second] = [7, 11].map(|seed| dev.buf_from("input", &noise(seed)).unwrap());
        let dim = if dims[2] > 1 { 3 } else { 2 };
        for rank in [1, 4, 6] {
            let filters = choice(order, dim, rank, threshold);
            for purpose in [Purpose::Pair, Purpose::Correction, Purpose::FromZero] {
                let step = Step {
                    purpose,
                    keep: 1.0,
                    centre: 0.25,
                    weight: 0.75,
                };
                let at_once = Passes::new(&mut dev, dims, 4).unwrap();
                let one_by_one = Passes::as_on_a_gpu(&mut dev, dims, 4).unwrap();
                let [a, b] = [at_once, one_by_one].map(|mut passes| {
                    passes.take(&mut dev, &filters).unwrap();
                    passes.see(&mut dev, &Sides::of(dims, &codes));
                    let mut x = dev.buf_from("x", &noise(5)).unwrap();
                    let inputs = Inputs {
                        first: &first,
                        second: &second,
                        stencil: &stencil,
                    };
                    passes.apply(&mut dev, &filters, step, inputs, &mut x);
                    dev.read(&x).unwrap()
                });
                let largest = a.iter().fold(0.0_f32, |m, v| m.max(v.abs()));
                assert!(largest > 0.0);
                for (c, (a, b)) in a.iter().zip(&b).enumerate() {
                    let off = (a - b).abs();
                    assert!(
                        off < 2e-6 * largest,
                        "{dims:?}, rank {rank}, {purpose:?}, {c}: {a} {b}"
                    );
                }
            }
        }
    }
}
