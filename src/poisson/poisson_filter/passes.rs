//! An application as the devices do it.

use super::filters::{Bank, Filters, Kind, LANES, MAX_ORDER, Purpose};
use super::kernels::{FilterColumns, FilterRows, FilterU, FilterWhole};
use super::rows::{self, Job, Scratch};
use super::sides::{PAD, Sides, places_len};
use crate::device::{Buf, Cpu, Device, Result, default_threads};
use crate::poisson::System;

/// Vectors at the highest rank: two for a pair and twice for F alone, each of two.
const MOST_VECTORS: usize = 8;
/// Taps of all vectors, without and with signs.
const MOST_TAPS: usize = 2 * MOST_VECTORS * (MAX_ORDER + 1);

/// One application: which filters, and what is made of their sum.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub purpose: Purpose,
    /// Times x before.
    pub keep: f32,
    /// Times the first input at the cell itself.
    pub centre: f32,
    /// Times all but x before.
    pub weight: f32,
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

    /// Applies filters to one input, or a pair to two. `x` is neither.
    pub fn apply(
        &mut self,
        dev: &mut Device,
        filters: &Filters,
        step: Step,
        inputs: Inputs<'_>,
        x: &mut Buf<f32>,
    ) {
        match &filters.kind {
            Kind::Separable {
                rank, banks, taps, ..
            } => {
                let bank = banks[step.purpose as usize];
                self.separable(dev, (bank, *rank, taps.len()), step, inputs, x);
            }
            Kind::Whole { side, values } => {
                let octant = values.len() / 3;
                match step.purpose {
                    Purpose::Pair => {
                        self.whole(
                            dev,
                            *side,
                            octant,
                            Step {
                                centre: 0.0,
                                ..step
                            },
                            inputs.second,
                            inputs.stencil,
                            x,
                        );
                        self.whole(
                            dev,
                            *side,
                            0,
                            Step { keep: 1.0, ..step },
                            inputs.first,
                            inputs.stencil,
                            x,
                        );
                    }
                    Purpose::Correction => {
                        self.whole(dev, *side, 0, step, inputs.first, inputs.stencil, x);
                    }
                    Purpose::FromZero => self.whole(
                        dev,
                        *side,
                        2 * octant,
                        step,
                        inputs.first,
                        inputs.stencil,
                        x,
                    ),
                }
            }
        }
    }

    /// Applies the whole kernel whose octant begins at `bank`.
    fn whole(
        &mut self,
        dev: &mut Device,
        side: usize,
        bank: usize,
        step: Step,
        first: &Buf<f32>,
        stencil: &Buf<u32>,
        x: &mut Buf<f32>,
    ) {
        let plan = FilterU {
            radius: (side - 1) as u32,
            bank: bank as u32,
            ..plan(self.dims, step)
        };
        if let Some(octant) = &self.octants {
            let places = &self.places;
            dev.run(
                self.dims,
                FilterWhole {
                    plan,
                    places,
                    octant,
                    first,
                    stencil,
                    x,
                },
            );
        }
    }

    /// All passes of an application: one on the CPU, one an axis on a GPU. With the filters come their rank and where those
    /// with signs begin.
    fn separable(
        &mut self,
        dev: &mut Device,
        (bank, rank, signed): (Bank, usize, usize),
        step: Step,
        inputs: Inputs<'_>,
        x: &mut Buf<f32>,
    ) {
        let plan = FilterU {
            radius: bank.radius as u32,
            groups: (bank.vectors[0] + bank.vectors[1]) as u32,
            split: bank.vectors[0] as u32,
            bank: bank.begin as u32,
            ..plan(self.dims, step)
        };
        let Inputs {
            first,
            second,
            stencil,
        } = inputs;
        let (places, taps) = (&self.places, &self.taps);
        match &mut self.memory {
            Memory::Cpu(scratch) => {
                let all = taps.host();
                let job = Job {
                    plan,
                    rank,
                    places: places.host(),
                    taps: [all, &all[signed..]],
                    first: first.host(),
                    second: (bank.vectors[1] > 0).then(|| second.host()),
                    stencil: (!self.plain).then(|| stencil.host()),
                };
                let on_cpu = |_: &Cpu| rows::run(&job, scratch, x.host_mut());
                dev.either("PoissonFilter", on_cpu, |_| {});
            }
            Memory::Gpu([along, upward]) => {
                let [nx, ny, nz] = self.dims;
                let vectors = &mut *along;
                dev.run(
                    self.dims,
                    FilterRows {
                        plan,
                        places,
                        taps,
                        first,
                        second,
                        vectors,
                    },
                );
                let last = FilterU {
                    last: 1,
                    axis: 1,
                    bank: plan.bank + signed as u32,
                    ..plan
                };
                if nz == 1 {
                    let (vectors, passed) = (&*along, upward);
                    dev.run(
                        self.dims,
                        FilterColumns {
                            plan: last,
                            places,
                            taps,
                            vectors,
                            first,
                            stencil,
                            passed,
                            x,
                        },
                    );
                    return;
                }
                let on = FilterU { axis: 1, ..plan };
                let (vectors, passed) = (&*along, &mut *upward);
                dev.run(
                    self.dims,
                    FilterColumns {
                        plan: on,
                        places,
                        taps,
                        vectors,
                        first,
                        stencil,
                        passed,
                        x,
                    },
                );
                let last = FilterU { axis: 2, ..last };
                let (vectors, passed) = (&*upward, along);
                dev.run(
                    [nx, nz, ny],
                    FilterColumns {
                        plan: last,
                        places,
                        taps,
                        vectors,
                        first,
                        stencil,
                        passed,
                        x,
                    },
                );
            }
        }
    }
}

/// Room for so many vectors a cell.
fn vectors(dev: &mut Device, dims: [u32; 3], count: usize) -> Result<[Buf<[f32; LANES]>; 2]> {
    let cells: usize = dims.iter().map(|n| *n as usize).product();
    let second = if dims[2] > 1 { count * cells } else { 1 };
    Ok([
        dev.buf("filtered along x", count * cells)?,
        dev.buf("filtered along y", second)?,
    ])
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
