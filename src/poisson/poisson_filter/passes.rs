//! An application as the devices do it.

use super::filters::{Filters, Kind, LANES, MAX_ORDER};
use super::kernels::{FilterColumns, FilterRows, FilterU, FilterWhole};
use super::rows::{self, Job, Scratch};
use super::sides::{PAD, Sides, places_len};
use crate::device::{Buf, Cpu, Device, Result, default_threads};
use crate::poisson::System;

/// Vectors of F and of G at the highest rank.
const MOST_VECTORS: usize = 4;
/// Taps of all vectors, without and with signs.
const MOST_TAPS: usize = 2 * MOST_VECTORS * (MAX_ORDER + 1);

/// One application: which vectors, and what is made of their sum.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// Vectors, or kernels, of F, and of G.
    pub kernels: [usize; 2],
    pub keep: f32,
    pub centre: f32,
    pub weight: f32,
}

/// Filters that are products.
#[derive(Clone, Copy)]
struct Shape {
    radius: usize,
    /// Products of F, and of G.
    rank: usize,
    /// Taps of all of them.
    bank: usize,
}

/// What an application reads.
#[derive(Clone, Copy)]
pub(super) struct Inputs<'a> {
    pub first: &'a Buf<f32>,
    pub second: &'a Buf<f32>,
    pub stencil: &'a Buf<u32>,
}

impl<'a> Inputs<'a> {
    pub fn of(system: &System<'a>, first: &'a Buf<f32>, second: &'a Buf<f32>) -> Self {
        Self {
            first,
            second,
            stencil: system.stencil,
        }
    }
}

/// The passes, with what they need.
pub(super) struct Passes {
    dims: [u32; 3],
    /// Whether every cell is an unknown.
    plain: bool,
    places: Buf<u32>,
    /// Taps without signs, then with.
    taps: Buf<[f32; LANES]>,
    /// Octants of whole kernels.
    octants: Option<Buf<f32>>,
    memory: Memory,
}

enum Memory {
    Cpu(Scratch),
    /// What is filtered along x, and in 3D along y too.
    Gpu([Buf<[f32; LANES]>; 2]),
}

impl Passes {
    /// For so many vectors a cell.
    pub fn new(dev: &mut Device, dims: [u32; 3], count: usize) -> Result<Self> {
        let memory = match dev.cpu().map(Cpu::threads) {
            Some(threads) => Memory::Cpu(Scratch::new(dev, dims, threads)?),
            None => Memory::Gpu(vectors(dev, dims, count)?),
        };
        Self::with(dev, dims, memory)
    }

    /// With one pass an axis on every device.
    #[cfg(test)]
    pub fn as_on_a_gpu(dev: &mut Device, dims: [u32; 3], count: usize) -> Result<Self> {
        let memory = Memory::Gpu(vectors(dev, dims, count)?);
        Self::with(dev, dims, memory)
    }

    fn with(dev: &mut Device, dims: [u32; 3], memory: Memory) -> Result<Self> {
        Ok(Self {
            dims,
            plain: false,
            places: dev.buf("places beyond the sides", places_len(dims))?,
            taps: dev.buf("filter taps", MOST_TAPS)?,
            octants: None,
            memory,
        })
    }

    /// Bytes that [`Passes::new`] takes at most.
    pub fn memory_bytes(dims: [u32; 3], count: usize) -> u64 {
        let cells: u64 = dims.iter().map(|n| u64::from(*n)).product();
        let on_cpu = Scratch::memory_bytes(dims, default_threads());
        let on_gpu = if dims[2] > 1 { 32 } else { 16 } * count as u64 * cells;
        4 * places_len(dims) as u64 + 16 * MOST_TAPS as u64 + on_cpu.max(on_gpu)
    }

    /// Makes room for so many vectors a cell, where there is less.
    pub fn make_room(&mut self, dev: &mut Device, count: usize) -> Result<()> {
        let cells: usize = self.dims.iter().map(|n| *n as usize).product();
        if let Memory::Gpu(room) = &mut self.memory
            && room[0].len() < count * cells
        {
            *room = vectors(dev, self.dims, count)?;
        }
        Ok(())
    }

    /// Takes other filters.
    pub fn take(&mut self, dev: &mut Device, filters: &Filters) -> Result<()> {
        match &filters.kind {
            Kind::Separable { taps, signed, .. } => {
                let all: Vec<_> = taps.iter().chain(signed).copied().collect();
                dev.write(&mut self.taps, &all);
            }
            Kind::Whole { values, .. } => {
                self.octants = Some(dev.buf_from("whole kernels", values)?);
            }
        }
        Ok(())
    }

    /// Takes what is seen beyond the sides.
    pub fn see(&mut self, dev: &mut Device, sides: &Sides) {
        dev.write(&mut self.places, &sides.places(self.dims));
        self.plain = sides.plain;
    }

    /// Applies kernels to one or two inputs. `x` is neither.
    pub fn apply(&mut self, dev: &mut Device, filters: &Filters, step: Step, inputs: Inputs<'_>, x: &mut Buf<f32>) {
        match &filters.kind {
            Kind::Separable { radius, rank, taps, .. } => {
                let shape = Shape {
                    radius: *radius,
                    rank: *rank,
                    bank: taps.len(),
                };
                self.separable(dev, shape, step, inputs, x);
            }
            Kind::Whole { side, values } => {
                let kernels = [(inputs.first, 0, step.kernels[0]), (inputs.second, values.len() / 2, step.kernels[1])];
                let mut keep = step.keep;
                for (first, bank, _) in kernels.into_iter().filter(|k| k.2 > 0) {
                    let plan = FilterU {
                        radius: (side - 1) as u32,
                        bank: bank as u32,
                        ..plan(self.dims, Step { keep, ..step })
                    };
                    if let Some(octant) = &self.octants {
                        let (places, stencil) = (&self.places, inputs.stencil);
                        dev.run(self.dims, FilterWhole { plan, places, octant, first, stencil, x });
                    }
                    keep = 1.0;
                }
            }
        }
    }

    /// All passes of an application: one on the CPU, one an axis on a GPU.
    fn separable(&mut self, dev: &mut Device, shape: Shape, step: Step, inputs: Inputs<'_>, x: &mut Buf<f32>) {
        let Shape { radius, rank, bank } = shape;
        let plan = FilterU {
            radius: radius as u32,
            groups: (step.kernels[0] + step.kernels[1]) as u32,
            split: step.kernels[0] as u32,
            ..plan(self.dims, step)
        };
        let Inputs { first, second, stencil } = inputs;
        let (places, taps) = (&self.places, &self.taps);
        match &mut self.memory {
            Memory::Cpu(scratch) => {
                let all = taps.host();
                let job = Job {
                    plan,
                    rank,
                    places: places.host(),
                    taps: [all, &all[bank..]],
                    first: first.host(),
                    second: (step.kernels[1] > 0).then(|| second.host()),
                    stencil: (!self.plain).then(|| stencil.host()),
                };
                let on_cpu = |_: &Cpu| rows::run(&job, scratch, x.host_mut());
                dev.either("PoissonFilter", on_cpu, |_| {});
            }
            Memory::Gpu([along, upward]) => {
                let [nx, ny, nz] = self.dims;
                let vectors = &mut *along;
                dev.run(self.dims, FilterRows { plan, places, taps, first, second, vectors });
                let last = FilterU { last: 1, axis: 1, bank: bank as u32, ..plan };
                if nz == 1 {
                    let (vectors, passed) = (&*along, upward);
                    dev.run(self.dims, FilterColumns { plan: last, places, taps, vectors, first, stencil, passed, x });
                    return;
                }
                let on = FilterU { axis: 1, ..plan };
                let (vectors, passed) = (&*along, &mut *upward);
                dev.run(self.dims, FilterColumns { plan: on, places, taps, vectors, first, stencil, passed, x });
                let last = FilterU { axis: 2, ..last };
                let (vectors, passed) = (&*upward, along);
                dev.run([nx, nz, ny], FilterColumns { plan: last, places, taps, vectors, first, stencil, passed, x });
            }
        }
    }
}

/// Room for so many vectors a cell.
fn vectors(dev: &mut Device, dims: [u32; 3], count: usize) -> Result<[Buf<[f32; LANES]>; 2]> {
    let cells: usize = dims.iter().map(|n| *n as usize).product();
    let second = if dims[2] > 1 { count * cells } else { 1 };
    Ok([dev.buf("filtered along x", count * cells)?, dev.buf("filtered along y", second)?])
}

impl Filters {
    /// Vectors, or kernels, of F, and as many of G.
    pub fn kernels(&self) -> usize {
        match &self.kind {
            Kind::Separable { groups, .. } => *groups,
            Kind::Whole { .. } => 1,
        }
    }
}

fn plan(dims: [u32; 3], step: Step) -> FilterU {
    FilterU {
        cells: [dims[0], dims[1], dims[2], PAD as u32],
        radius: 0,
        groups: 0,
        split: 0,
        axis: 0,
        bank: 0,
        last: 0,
        keep: step.keep,
        centre: step.centre,
        weight: step.weight,
        pad0: 0.0,
        pad1: 0.0,
        pad2: 0.0,
    }
}
