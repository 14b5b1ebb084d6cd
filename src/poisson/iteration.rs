//! What is iterated by [`super::solve::Core`].

use super::System;
use super::singular::Singular;
use crate::device::{Buf, Device, Result};

/// The sweeps of a solver.
pub(super) trait Sweeps {
    /// Whether iterations add a constant to what is free to it. It is then taken off at the end.
    const WANDERS: bool = false;
    /// The stencil or the shift is another; `stencil` holds the codes. Called on the CPU only.
    fn prepare(&mut self, dims: [u32; 3], stencil: &[u32], shift: f32);
    /// The same, on every device, for what else is made from the stencil on the host.
    ///
    /// # Errors
    /// Memory, a device that fails, or a system that the solver cannot do there.
    fn prepare_levels(&mut self, _dev: &mut Device, _stencil: &[u32], _shift: f32) -> Result<()> {
        Ok(())
    }
    /// Does `iterations` iterations, the result being left in `x`.
    fn block(&mut self, dev: &mut Device, system: &System<'_>, x: &mut Buf<f32>, iterations: u32);
}

/// What is repeated: sweeps, or anything that also wants to know what has been measured.
pub(super) trait Iteration {
    /// See [`Sweeps::WANDERS`].
    const WANDERS: bool;
    /// See [`Sweeps::prepare`].
    fn prepare(&mut self, dims: [u32; 3], stencil: &[u32], shift: f32);
    /// See [`Sweeps::prepare_levels`].
    ///
    /// # Errors
    /// As there.
    fn prepare_levels(&mut self, dev: &mut Device, stencil: &[u32], shift: f32) -> Result<()>;
    /// See [`Sweeps::block`].
    fn block(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        known: &mut Known<'_>,
        iterations: u32,
    );
}

impl<S: Sweeps> Iteration for S {
    const WANDERS: bool = S::WANDERS;
    fn prepare(&mut self, dims: [u32; 3], stencil: &[u32], shift: f32) {
        Sweeps::prepare(self, dims, stencil, shift);
    }
    fn prepare_levels(&mut self, dev: &mut Device, stencil: &[u32], shift: f32) -> Result<()> {
        Sweeps::prepare_levels(self, dev, stencil, shift)
    }
    fn block(
        &mut self,
        dev: &mut Device,
        system: &System<'_>,
        x: &mut Buf<f32>,
        _: &mut Known<'_>,
        iterations: u32,
    ) {
        Sweeps::block(self, dev, system, x, iterations);
    }
}

/// What is known when a block begins.
pub(super) struct Known<'a> {
    /// b − A x. It may be changed, or exchanged for another buffer of its size.
    pub residual: &'a mut Buf<f32>,
    /// Whether this is the first block of a solve.
    pub first: bool,
    /// The parts on which the system is singular.
    pub singular: Option<&'a mut Singular>,
}

impl Known<'_> {
    /// Takes the mean of each part on which the system is singular off something.
    pub fn level(&mut self, dev: &mut Device, values: &mut Buf<f32>) {
        if let Some(singular) = &mut self.singular {
            singular.subtract_means(dev, values);
        }
    }
    /// The same of the residual.
    pub fn level_residual(&mut self, dev: &mut Device) {
        if let Some(singular) = &mut self.singular {
            singular.subtract_means(dev, self.residual);
        }
    }
}
