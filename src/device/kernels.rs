//! Small kernels that the device itself needs, and that are useful everywhere.

use rayon::prelude::*;

use super::{Cpu, KernelInfo, PARTIALS};
use crate::{kernel, shared, simd_fn};

shared! {
    /// A number of words.
    pub struct Words {
        /// Words of 32 bits.
        pub len: u32,
    }
}

shared! {
    /// Arguments of [`Fill`].
    pub struct FillValue {
        /// Values to be set.
        pub len: u32,
        /// What they become.
        pub value: f32,
    }
}

shared! {
    /// Arguments of [`TriadPass`].
    pub struct TriadFactor {
        /// Values; a multiple of four.
        pub len: u32,
        /// The factor.
        pub s: f32,
    }
}

shared! {
    /// Arguments of [`Check`].
    pub struct CheckRule {
        /// 1: this is the check before the first iteration.
        pub begin: u32,
        /// Iterations since the last check.
        pub iterations: u32,
        /// 1: partials are sums of squares, 0: largest magnitudes.
        pub squares: u32,
        /// Residuals that fit into the history.
        pub capacity: u32,
        /// Done when the norm is at most this; zero or less: never.
        pub tolerance: f32,
        /// Unknowns, for the mean square.
        pub count: f32,
    }
}

kernel! {
    /// Copies words: the copy of a loop's body, which must obey the gate.
    pub CopyWords = "common/copy_words.wgsl", copy_words {
        uniform p: Words, read from_words: u32, write to_words: u32,
    }
}

kernel! {
    /// Sets words to zero: the same inside a loop's body.
    pub ZeroWords = "common/zero_words.wgsl", zero_words { uniform p: Words, write words: u32 }
}

kernel! {
    /// x ← value.
    pub Fill = "common/fill.wgsl", fill { uniform p: FillValue, write x: f32 }
}

kernel! {
    /// a ← b + s·c, four values an invocation: the measure of a device's memory.
    pub TriadPass = "common/triad.wgsl", triad {
        uniform p: TriadFactor, read b: f32, read c: f32, write a: f32,
    }
}

kernel! {
    /// Fills a loop's gate from its template, or with zeros when the loop is done.
    pub OpenGate = "common/open_gate.wgsl", open_gate {
        read template_args: u32, read progress: u32, write gate: u32,
    }
}

kernel! {
    /// Puts partial residuals together and decides whether a loop is done.
    pub Check = "common/check.wgsl", check {
        uniform p: CheckRule, read partials: f32, read template_args: u32,
        write progress: u32, write history: f32, write gate: u32,
    }
}

/// The kernels of this module.
pub const KERNELS: &[KernelInfo] = &[
    <CopyWords as super::Kernel>::INFO,
    <ZeroWords as super::Kernel>::INFO,
    <Fill as super::Kernel>::INFO,
    <TriadPass as super::Kernel>::INFO,
    <OpenGate as super::Kernel>::INFO,
    <Check as super::Kernel>::INFO,
];

const BLOCK: usize = 1 << 14;

fn copy_words(_cpu: &Cpu, _items: [u32; 3], p: &Words, from_words: &[u32], to_words: &mut [u32]) {
    let len = p.len as usize;
    to_words[..len].copy_from_slice(&from_words[..len]);
}

fn zero_words(_cpu: &Cpu, _items: [u32; 3], p: &Words, words: &mut [u32]) {
    words[..p.len as usize].fill(0);
}

fn fill(_cpu: &Cpu, _items: [u32; 3], p: &FillValue, x: &mut [f32]) {
    x[..p.len as usize].fill(p.value);
}

fn triad(_cpu: &Cpu, _items: [u32; 3], p: &TriadFactor, b: &[f32], c: &[f32], a: &mut [f32]) {
    a[..p.len as usize]
        .par_chunks_mut(BLOCK)
        .zip(b.par_chunks(BLOCK).zip(c.par_chunks(BLOCK)))
        .for_each(|(a, (b, c))| triad_block(a, b, p.s, c));
}

simd_fn! {
    /// a ← b + s·c.
    pub(super) fn triad_block(a: &mut [f32], b: &[f32], s: f32, c: &[f32]) {
        for (a, (b, c)) in a.iter_mut().zip(b.iter().zip(c)) {
            *a = b + s * c;
        }
    }
}

fn open_gate(_cpu: &Cpu, _: [u32; 3], template_args: &[u32], progress: &[u32], gate: &mut [u32]) {
    let open = progress[2] == 0;
    for (gate, args) in gate.iter_mut().zip(template_args) {
        *gate = if open { *args } else { 0 };
    }
}

fn check(
    _cpu: &Cpu,
    _items: [u32; 3],
    p: &CheckRule,
    partials: &[f32],
    template_args: &[u32],
    progress: &mut [u32],
    history: &mut [f32],
    gate: &mut [u32],
) {
    if p.begin == 1 {
        progress.fill(0);
    }
    if progress[2] != 0 {
        return;
    }
    let norm = norm(p, partials);
    progress[0] += p.iterations;
    let done = if !norm.is_finite() {
        2
    } else {
        u32::from(p.tolerance > 0.0 && norm <= p.tolerance)
    };
    let last = p.capacity.max(1) - 1;
    history[progress[1].min(last) as usize] = norm;
    progress[1] += 1;
    progress[2] = done;
    for (gate, args) in gate.iter_mut().zip(template_args) {
        *gate = if done == 0 { *args } else { 0 };
    }
}

/// In the order of the shader: 32 lanes, then the lanes.
fn norm(p: &CheckRule, partials: &[f32]) -> f32 {
    const LANES: usize = 32;
    let join = |a: f32, b: f32| {
        if p.squares == 1 {
            a + b
        } else {
            f32::from_bits(a.to_bits().max(b.to_bits()))
        }
    };
    let mut lanes = [0.0f32; LANES];
    for row in partials[..PARTIALS].as_chunks::<LANES>().0 {
        for (lane, x) in lanes.iter_mut().zip(row) {
            *lane = join(*lane, *x);
        }
    }
    let norm = lanes.iter().fold(0.0, |n, x| join(n, *x));
    if p.squares == 1 {
        (norm / p.count).sqrt()
    } else {
        norm
    }
}
