//! The rasteriser: turns the scene at a time into arrays that methods read, and lets emitters, motors and strokes act.
//!
//! 1. [`Raster::update`] uploads what acts and, where obstacles changed, computes signed distance, solid mask and the
//!    velocity of solids.
//! 2. [`Raster::uncover`] gives dye and temperature to the cells that obstacles have left.
//! 3. [`Raster::emit`] changes dye and temperature.
//! 4. [`Raster::push`] changes one component of the velocity.
//! 5. [`Raster::relief`] changes heights: ground, water, the surface under boats.
//!
//! Every cell gathers from the items in their order, so the result depends neither on threads nor on the device's
//! scheduling.

mod emit;
mod obstacles;
mod push;
mod relief;
mod rows;
mod uncover;

use super::{Condition, EmitterU, MotorU, ObstacleU, ReliefU, SceneFrame, StrokeU};
use crate::device::{Buf, Device, Kernel, KernelInfo, Plain, Result};
use crate::field::Grid;

crate::shared! {
    /// What all kernels of the rasteriser are told.
    pub struct RasterU {
        /// Samples along x, y and z.
        pub dims: [u32; 3],
        /// Edge of a cell, m.
        pub h: f32,
        /// Position of the first sample, cells.
        pub offset: [f32; 3],
        /// Step, s.
        pub dt: f32,
        /// Number of emitters.
        pub emitters: u32,
        /// Number of strokes.
        pub strokes: u32,
        /// Number of motors.
        pub motors: u32,
        /// Number of obstacles.
        pub obstacles: u32,
        /// First cell of the box that holds all obstacles.
        pub solid_low: [u32; 3],
        /// Component of the velocity.
        pub axis: u32,
        /// One past the last cell of the box that holds all obstacles.
        pub solid_high: [u32; 3],
        /// 1 in 2D: everything lies in z = 0.
        pub flat_z: u32,
        /// 1 along axes whose ends are joined.
        pub periodic: [u32; 3],
        /// Nothing.
        pub unused: u32,
    }
}

crate::kernel! {
    /// Union of obstacles: (obstacles, texels) → signed distance, solid mask, velocity of solids.
    pub RasterObstacles = "scene/obstacles.wgsl", obstacles::run {
        uniform raster: RasterU,
        read obstacles: ObstacleU,
        read texels: f32,
        write sdf: f32,
        write solid: u32,
        write solid_velocity: f32,
    }
}
crate::kernel! {
    /// Sources: (emitters, strokes, texels, solid) → dye and temperature.
    pub RasterEmit = "scene/emit.wgsl", emit::run {
        uniform raster: RasterU,
        read emitters: EmitterU,
        read strokes: StrokeU,
        read texels: f32,
        read solid: u32,
        write scalars: f32,
    }
}
crate::kernel! {
    /// Cells that obstacles have left take the mean of the nearest fluid: (covered, solid) → dye and temperature.
    pub RasterUncover = "scene/uncover.wgsl", uncover::run {
        uniform raster: RasterU,
        read covered: f32,
        read solid: u32,
        write scalars: f32,
    }
}
crate::kernel! {
    /// 1 in solid cells, else 0: solid → covered.
    pub RasterCover = "scene/cover.wgsl", uncover::cover {
        uniform raster: RasterU,
        read solid: u32,
        write covered: f32,
    }
}
crate::kernel! {
    /// Forces: (emitters, motors, strokes, texels) → one component of the velocity.
    pub RasterPush = "scene/push.wgsl", push::run {
        uniform raster: RasterU,
        read emitters: EmitterU,
        read motors: MotorU,
        read strokes: StrokeU,
        read texels: f32,
        write u: f32,
    }
}

crate::kernel! {
    /// What changes heights, one item after the other: (items, texels) → heights; with `raster.axis` = 1 what changed is
    /// added to `change`, and heights stay above zero. `raster.emitters` is the number of items.
    pub RasterRelief = "scene/relief.wgsl", relief::run {
        uniform raster: RasterU,
        read items: ReliefU,
        read texels: f32,
        write heights: f32,
        write change: f32,
    }
}

/// The kernels of the scene.
pub const KERNELS: &[KernelInfo] = &[
    RasterObstacles::INFO,
    RasterUncover::INFO,
    RasterCover::INFO,
    RasterEmit::INFO,
    RasterPush::INFO,
    RasterRelief::INFO,
];

/// Turns scenes into arrays on a device.
pub struct Raster {
    grid: Grid,
    /// Signed distance to the nearest obstacle by cell, m, negative inside; 1e18 where there is none.
    pub sdf: Buf<f32>,
    /// By cell: 0 in the fluid, else one plus the index of the obstacle in [`SceneFrame::obstacles`].
    pub solid: Buf<u32>,
    /// Velocity of the solid at the cell's centre in m/s, and 1 where the fluid slides along it, else 0; four numbers a
    /// cell, zero outside solids.
    pub solid_velocity: Buf<f32>,
    emitters: Buf<EmitterU>,
    obstacles: Buf<ObstacleU>,
    motors: Buf<MotorU>,
    strokes: Buf<StrokeU>,
    relief: Buf<ReliefU>,
    texels: Buf<f32>,
    texels_revision: Option<u64>,
    obstacle_revision: Option<u64>,
    solid_box: [[u32; 3]; 2],
}

impl Raster {
    /// Room for the arrays of a grid.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn new(dev: &mut Device, grid: &Grid) -> Result<Self> {
        let n = grid.len();
        Ok(Self {
            grid: *grid,
            sdf: dev.buf("obstacle distance", n)?,
            solid: dev.buf("obstacle mask", n)?,
            solid_velocity: dev.buf("obstacle velocity", 4 * n)?,
            emitters: dev.buf("emitters", 8)?,
            obstacles: dev.buf("obstacles", 8)?,
            motors: dev.buf("motors", 8)?,
            strokes: dev.buf("strokes", 8)?,
            relief: dev.buf("relief", 8)?,
            texels: dev.buf("mask texels", 4)?,
            texels_revision: None,
            obstacle_revision: None,
            solid_box: [[0; 3]; 2],
        })
    }

    /// What the arrays of a grid take, bytes.
    pub fn memory_bytes(grid: &Grid) -> u64 {
        grid.len() as u64 * 24
    }

    /// Uploads what acts in the frame; computes the obstacle arrays where obstacles changed, and says whether they did.
    /// [`Raster::emit`] and [`Raster::push`] need it first, with the same frame.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn update(&mut self, dev: &mut Device, frame: &SceneFrame) -> Result<bool> {
        if frame.grid != self.grid {
            *self = Self::new(dev, &frame.grid)?;
        }
        upload(dev, &mut self.emitters, &frame.emitters)?;
        upload(dev, &mut self.motors, &frame.motors)?;
        upload(dev, &mut self.strokes, &frame.strokes)?;
        if self.texels_revision != Some(frame.masks.revision()) {
            upload(dev, &mut self.texels, frame.masks.texels())?;
            self.texels_revision = Some(frame.masks.revision());
        }
        let revision = frame.obstacle_revision();
        if self.obstacle_revision == Some(revision) {
            return Ok(false);
        }
        upload(dev, &mut self.obstacles, &frame.obstacles)?;
        self.solid_box = rows::union_box(&self.grid, &frame.obstacles);
        let raster = self.uniform(frame, 0.0);
        dev.run(
            self.grid.cells,
            RasterObstacles {
                raster,
                obstacles: &self.obstacles,
                texels: &self.texels,
                sdf: &mut self.sdf,
                solid: &mut self.solid,
                solid_velocity: &mut self.solid_velocity,
            },
        );
        self.obstacle_revision = Some(revision);
        Ok(true)
    }

    /// Gives cells that obstacles have left the dye and temperature of the fluid about them, for solids hold none, and a hole
    /// would stay. `covered` is 1 in the cells that were solid at the last call; it belongs to the state of a simulation, so
    /// that one which goes back fills the same cells again.
    pub fn uncover(
        &self,
        dev: &mut Device,
        frame: &SceneFrame,
        covered: &mut Buf<f32>,
        scalars: &mut Buf<f32>,
    ) {
        let (raster, solid) = (self.uniform(frame, 0.0), &self.solid);
        dev.run(
            self.grid.cells,
            RasterUncover {
                raster,
                covered,
                solid,
                scalars,
            },
        );
        self.cover(dev, frame, covered);
    }

    /// Notes which cells are solid, for [`Raster::uncover`].
    pub fn cover(&self, dev: &mut Device, frame: &SceneFrame, covered: &mut Buf<f32>) {
        let (raster, solid) = (self.uniform(frame, 0.0), &self.solid);
        dev.run(
            self.grid.cells,
            RasterCover {
                raster,
                solid,
                covered,
            },
        );
    }

    /// Lets emitters and strokes change `scalars` (linear red, green, blue and temperature in K, four numbers a cell)
    /// during `dt` s. Dye never becomes negative by it, and solids hold none.
    pub fn emit(&self, dev: &mut Device, frame: &SceneFrame, dt: f32, scalars: &mut Buf<f32>) {
        let raster = self.uniform(frame, dt);
        if raster.emitters + raster.strokes + raster.obstacles == 0 {
            return;
        }
        dev.run(
            self.grid.cells,
            RasterEmit {
                raster,
                emitters: &self.emitters,
                strokes: &self.strokes,
                texels: &self.texels,
                solid: &self.solid,
                scalars,
            },
        );
    }

    /// Lets emitters, motors and strokes change component `axis` of the velocity, m/s, during `dt` s. Sample (i, j, k) of
    /// the `dims` samples lies at ((i + offset x)·h, (j + offset y)·h, (k + offset z)·h): for MAC faces normal to x that is
    /// `grid.faces(0)` and (0, ½, ½), for cell centres `grid.cells` and (½, ½, ½). In 2D z is ignored.
    pub fn push(
        &self,
        dev: &mut Device,
        frame: &SceneFrame,
        dt: f32,
        axis: usize,
        u: &mut Buf<f32>,
        dims: [u32; 3],
        offset: [f32; 3],
    ) {
        let raster = RasterU {
            dims,
            offset,
            axis: axis as u32,
            ..self.uniform(frame, dt)
        };
        let pushes = frame.emitters.iter().any(|e| e.velocity_blend != 0)
            || !frame.motors.is_empty()
            || !frame.strokes.is_empty();
        if !pushes {
            return;
        }
        dev.run(
            dims,
            RasterPush {
                raster,
                emitters: &self.emitters,
                motors: &self.motors,
                strokes: &self.strokes,
                texels: &self.texels,
                u,
            },
        );
    }

    /// Lets the items of a list change `heights` (one number a cell) during `dt` s. Where `noted`, the heights are depths: they
    /// stay above zero, and what changed is added to `change`. Needs [`Raster::update`] first.
    ///
    /// # Errors
    /// As [`Device::buf`].
    pub fn relief(
        &mut self,
        dev: &mut Device,
        frame: &SceneFrame,
        items: &[ReliefU],
        dt: f32,
        noted: bool,
        [heights, change]: [&mut Buf<f32>; 2],
    ) -> Result<()> {
        if items.is_empty() {
            return Ok(());
        }
        upload(dev, &mut self.relief, items)?;
        let raster = RasterU {
            emitters: items.len() as u32,
            axis: u32::from(noted),
            ..self.uniform(frame, dt)
        };
        let (items, texels) = (&self.relief, &self.texels);
        dev.run(
            self.grid.cells,
            RasterRelief {
                raster,
                items,
                texels,
                heights,
                change,
            },
        );
        Ok(())
    }

    fn uniform(&self, frame: &SceneFrame, dt: f32) -> RasterU {
        RasterU {
            dims: self.grid.cells,
            h: self.grid.h,
            offset: [0.5; 3],
            dt,
            emitters: frame.emitters.len().min(self.emitters.len()) as u32,
            strokes: frame.strokes.len().min(self.strokes.len()) as u32,
            motors: frame.motors.len().min(self.motors.len()) as u32,
            obstacles: frame.obstacles.len().min(self.obstacles.len()) as u32,
            solid_low: self.solid_box[0],
            axis: 0,
            solid_high: self.solid_box[1],
            flat_z: u32::from(self.grid.dim() == 2),
            periodic: [0, 2, 4]
                .map(|face| u32::from(frame.faces[face].condition == Condition::Periodic)),
            unused: 0,
        }
    }
}

/// Replaces the contents, with more room where it is needed.
fn upload<T: Plain>(dev: &mut Device, buf: &mut Buf<T>, data: &[T]) -> Result<()> {
    if data.len() > buf.len() {
        let label = buf.label().to_owned();
        *buf = dev.buf(&label, data.len().next_power_of_two())?;
    }
    if !data.is_empty() {
        dev.write(buf, data);
    }
    Ok(())
}
