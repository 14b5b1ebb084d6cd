//! Random inputs on a staggered grid: every condition of a face, obstacles anywhere.

use eddy::device::{Buf, Device};
use eddy::field::Grid;
use eddy::grid::{Lattice, Mac, PressureStencil, Side, ViscosityStencil};

use super::noise;

/// A grid with its faces, and whether there are obstacles.
pub struct Case {
    pub name: String,
    pub mac: Mac,
    pub solids: bool,
}

const WALL: Side = Side::NoSlip([0.3, -0.2, 0.0]);
const WIND: Side = Side::Inflow([0.7, 0.4, 0.0]);

/// Every condition on all faces, and mixtures; odd and even sizes, one wider than the run of points that advection takes.
pub fn cases() -> Vec<Case> {
    use Side::{FreeSlip, Open, Periodic};
    let faces = [
        ("no-slip", [WALL; 4]),
        ("free-slip", [FreeSlip; 4]),
        ("open", [Open; 4]),
        ("inflow", [WIND; 4]),
        ("periodic", [Periodic; 4]),
        ("periodic along x", [Periodic, Periodic, WALL, Open]),
        ("periodic along y", [WIND, Open, Periodic, Periodic]),
        ("one of each", [WIND, Open, FreeSlip, WALL]),
    ];
    let mut all = Vec::new();
    for (name, [left, right, bottom, top]) in faces {
        for (cells, solids) in [([70, 18, 1], true), ([70, 18, 1], false), ([7, 5, 1], true)] {
            let grid = Grid { cells, h: 0.1 };
            all.push(Case {
                name: format!("{name}, {cells:?}, obstacles {solids}"),
                mac: Mac::new(grid, [left, right, bottom, top, FreeSlip, FreeSlip]),
                solids,
            });
        }
    }
    all
}

impl Case {
    pub fn cells(&self) -> usize {
        self.mac.grid.len()
    }

    /// `n` numbers a cell.
    pub fn numbers(&self, dev: &mut Device, n: usize, seed: u32) -> Buf<f32> {
        let data = noise(seed, n * self.cells());
        dev.buf_from("numbers", &data).unwrap()
    }

    /// A component of the velocity; along a periodic axis the last sample repeats the first.
    pub fn component(&self, dev: &mut Device, axis: usize, seed: u32) -> Buf<f32> {
        let at = self.mac.velocity(axis);
        let mut data = noise(seed, at.len());
        if at.periodic(axis) {
            let (width, height) = (at.size[0] as usize, at.size[1] as usize);
            match axis {
                0 => data
                    .chunks_exact_mut(width)
                    .for_each(|row| row[width - 1] = row[0]),
                _ => data.copy_within(..width, (height - 1) * width),
            }
        }
        dev.buf_from("component", &data).unwrap()
    }

    /// A third of the cells, at random, or none.
    pub fn solid(&self, dev: &mut Device) -> Buf<u32> {
        let solid = |x: &f32| u32::from(self.solids && *x > 0.3);
        let data: Vec<u32> = noise(91, self.cells()).iter().map(solid).collect();
        dev.buf_from("solid", &data).unwrap()
    }

    /// A velocity for each cell, and whether the fluid slides along it.
    pub fn solid_velocity(&self, dev: &mut Device) -> Buf<f32> {
        let mut data = noise(92, 4 * self.cells());
        data.iter_mut()
            .skip(3)
            .step_by(4)
            .for_each(|slides| *slides = f32::from(*slides > 0.0));
        dev.buf_from("solid velocity", &data).unwrap()
    }

    /// The pressure's codes.
    pub fn pressure_codes(&self, dev: &mut Device) -> Buf<u32> {
        let (at, solid) = (self.mac.pressure(), &self.solid(dev));
        let mut stencil = dev.buf("stencil", self.cells()).unwrap();
        dev.run(
            at.items(),
            PressureStencil {
                at,
                solid,
                stencil: &mut stencil,
            },
        );
        stencil
    }

    /// The codes of a component's viscosity, with its lattice and the number of its unknowns.
    pub fn viscosity_codes(&self, dev: &mut Device, axis: usize) -> (Lattice, usize, Buf<u32>) {
        let at = self.mac.velocity(axis);
        let n = at.distinct().iter().map(|n| *n as usize).product();
        let (solid, solid_velocity) = (&self.solid(dev), &self.solid_velocity(dev));
        let mut stencil = dev.buf("stencil", n).unwrap();
        let kernel = ViscosityStencil {
            at,
            solid,
            solid_velocity,
            stencil: &mut stencil,
        };
        dev.run(at.distinct(), kernel);
        (at, n, stencil)
    }
}
