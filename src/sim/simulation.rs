//! A document that runs on a device, frame by frame. The bake, the command line and the runner's thread all use this.
//!
//! A frame lasts `time_scale / frame_rate` simulated seconds and is made of equal sub-steps: as many as the CFL limit
//! and the method's own limit ask for. Warm-up frames come before time zero.

use std::path::PathBuf;
use std::sync::Arc;

use crate::device::Device;
use crate::document::Document;
use crate::document::animation::Tracks;
use crate::field::{FieldData, FieldDesc};
use crate::params;
use crate::scene::{Drift, Masks, Scene, SceneFrame};
use crate::solvers::{AnyMethod, MethodParams, StepReport};

use super::fault::{Fault, MOST_SUBSTEPS, cell_of};

/// The frame number that scenes see during warm-up: no brush stroke reaches it.
const WARM_UP_FRAME: u32 = u32::MAX;

/// A state to which one can return.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Frames done.
    pub frame: u32,
    /// The state of the method.
    pub state: Vec<(&'static str, Vec<f32>)>,
    pub(super) max_speed: f32,
}

impl Checkpoint {
    /// Memory that it takes.
    pub fn bytes(&self) -> usize {
        self.state
            .iter()
            .map(|(_, data)| size_of_val(data.as_slice()))
            .sum()
    }
}

/// A document that runs on a device.
pub struct Simulation {
    document: Arc<Document>,
    /// The document at the present time, where something is animated.
    tracks: Option<Tracks>,
    base: PathBuf,
    masks: Masks,
    device: Device,
    method: Box<dyn AnyMethod>,
    /// Frames done, warm-up included.
    done: u32,
    /// Largest speed at the end of the last frame, m/s.
    max_speed: f32,
}

impl Simulation {
    /// The state before the warm-up; [`Simulation::step`] and [`Simulation::run_to`] begin with it. `base` is where
    /// relative paths in the document begin.
    ///
    /// # Errors
    /// Memory over the device's limit, a device that fails, a picture that cannot be read.
    pub fn new(document: Arc<Document>, base: PathBuf, mut device: Device) -> Result<Self, Fault> {
        device.set_timing(true);
        let masks = load_masks(&document, &base)?;
        let method = create(&document, &masks, &mut device)?;
        Ok(Self {
            tracks: Tracks::new(&document),
            document,
            base,
            masks,
            device,
            method,
            done: 0,
            max_speed: 0.0,
        })
    }

    /// Advances one frame, after what is left of the warm-up. `cancelled` is asked before each sub-step.
    ///
    /// # Errors
    /// See [`Fault`]. After a fault the state is that of the failed frame; [`Simulation::restore`] or
    /// [`Simulation::reset`] mends it.
    pub fn step(&mut self, cancelled: &dyn Fn() -> bool) -> Result<StepReport, Fault> {
        while self.warming_up() {
            self.advance(cancelled)?;
        }
        self.advance(cancelled)
    }

    /// Advances until `frame` frames are done; at least the warm-up. The report is empty if nothing was left to do.
    ///
    /// # Errors
    /// See [`Simulation::step`].
    pub fn run_to(
        &mut self,
        frame: u32,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<StepReport, Fault> {
        let mut report = StepReport::default();
        while self.warming_up() || self.frame() < frame {
            report = self.advance(cancelled)?;
        }
        Ok(report)
    }

    /// Advances one frame, be it of the warm-up or not.
    ///
    /// # Errors
    /// See [`Simulation::step`].
    pub fn advance(&mut self, cancelled: &dyn Fn() -> bool) -> Result<StepReport, Fault> {
        let frame_dt = self.frame_dt();
        let substeps = self.substeps(frame_dt)?;
        let dt = frame_dt / substeps as f32;
        let (begin, threads) = (self.time(), self.device.threads());
        for i in 0..substeps {
            if cancelled() {
                return Err(Fault::Cancelled);
            }
            let time = begin + f64::from(dt) * f64::from(i);
            threads.run(|| {
                let scene = self.scene_at(time, dt);
                let params = match &self.tracks {
                    Some(tracks) => tracks.method(),
                    None => &self.document.method,
                };
                self.method.step(&mut self.device, &scene, params, dt);
            });
        }
        let mut report = threads.run(|| self.method.report(&mut self.device))?;
        self.done += 1;
        report.time = self.time();
        report.dt = dt;
        report.substeps = substeps;
        report.kernels = self.device.take_timings();
        self.max_speed = report.get("max_speed").unwrap_or(0.0) as f32;
        if let Some(bad) = report.invariants.iter().find(|i| !i.value.is_finite()) {
            return Err(self.first_bad_cell(bad.label)?);
        }
        Ok(report)
    }

    /// Back to before the warm-up.
    ///
    /// # Errors
    /// See [`Simulation::new`].
    pub fn reset(&mut self) -> Result<(), Fault> {
        self.masks = load_masks(&self.document, &self.base)?;
        self.method = create(&self.document, &self.masks, &mut self.device)?;
        (self.done, self.max_speed) = (0, 0.0);
        Ok(())
    }

    /// Takes a changed document over; starts again (and says so by `true`) if a restart parameter differs.
    ///
    /// # Errors
    /// See [`Simulation::new`]. After an error the former document is still in place.
    pub fn set_document(&mut self, document: Arc<Document>, base: PathBuf) -> Result<bool, Fault> {
        let restart = needs_restart(&self.document, &document);
        let masks = load_masks(&document, &base)?;
        if restart {
            self.method = create(&document, &masks, &mut self.device)?;
            (self.done, self.max_speed) = (0, 0.0);
        }
        self.tracks = Tracks::new(&document);
        (self.document, self.base, self.masks) = (document, base, masks);
        Ok(restart)
    }

    /// The document.
    pub fn document(&self) -> &Arc<Document> {
        &self.document
    }

    /// Frames done since the end of the warm-up.
    pub fn frame(&self) -> u32 {
        self.done.saturating_sub(self.document.time.warm_up)
    }

    /// Whether frames of the warm-up are left to do.
    pub fn warming_up(&self) -> bool {
        self.done < self.document.time.warm_up
    }

    /// Frames done, warm-up included.
    pub fn done(&self) -> u32 {
        self.done
    }

    /// Simulated time since the end of the warm-up, s; negative during it.
    pub fn time(&self) -> f64 {
        (f64::from(self.done) - f64::from(self.document.time.warm_up)) * f64::from(self.frame_dt())
    }

    /// The device.
    pub fn device(&mut self) -> &mut Device {
        &mut self.device
    }

    /// Descriptions of the fields that the method has.
    pub fn fields(&self) -> &'static [FieldDesc] {
        self.method.info().fields
    }

    /// A field, read back: its components alone, interleaved.
    ///
    /// # Errors
    /// A device that fails, or [`Fault::Scene`] with the names that there are.
    pub fn field(&mut self, name: &str) -> Result<FieldData, Fault> {
        let Some(field) = self.method.field(&mut self.device, name) else {
            let names: Vec<&str> = self.method.info().fields.iter().map(|f| f.name).collect();
            let message = format!(
                "there is no field \"{name}\"; the method has {}",
                names.join(", ")
            );
            return Err(Fault::Scene(message));
        };
        let all = self.device.read(field.buf)?;
        let (first, count) = (field.offset as usize, field.desc.components as usize);
        let data = if field.stride == field.desc.components && first == 0 {
            all
        } else {
            all.chunks_exact(field.stride as usize)
                .flat_map(|cell| &cell[first..first + count])
                .copied()
                .collect()
        };
        Ok(FieldData {
            desc: field.desc,
            grid: field.grid,
            data,
        })
    }

    /// The state, to return to.
    ///
    /// # Errors
    /// A device that fails.
    pub fn checkpoint(&mut self) -> Result<Checkpoint, Fault> {
        let mut state = Vec::new();
        for part in self.method.state() {
            state.push((part.name, self.device.read(part.buf)?));
        }
        Ok(Checkpoint {
            frame: self.frame(),
            state,
            max_speed: self.max_speed,
        })
    }

    /// Returns to a state that was taken from this document at this size.
    ///
    /// # Errors
    /// A checkpoint of another shape.
    pub fn restore(&mut self, checkpoint: &Checkpoint) -> Result<(), Fault> {
        let mut state = self.method.state();
        let fits = state.len() == checkpoint.state.len()
            && state
                .iter()
                .zip(&checkpoint.state)
                .all(|(part, (name, data))| part.name == *name && part.buf.len() == data.len());
        if !fits {
            return Err(Fault::Internal("a checkpoint of another shape".to_owned()));
        }
        for (part, (_, data)) in state.iter_mut().zip(&checkpoint.state) {
            self.device.write(part.buf, data);
        }
        self.method.restored();
        self.done = checkpoint.frame + self.document.time.warm_up;
        self.max_speed = checkpoint.max_speed;
        Ok(())
    }

    /// Another device takes over, at the state of `checkpoint` if there is one, else before the warm-up.
    ///
    /// # Errors
    /// See [`Simulation::new`]. After an error the former device still holds what it held.
    pub fn move_to(
        &mut self,
        mut device: Device,
        checkpoint: Option<&Checkpoint>,
    ) -> Result<(), Fault> {
        device.set_timing(true);
        let masks = load_masks(&self.document, &self.base)?;
        self.method = create(&self.document, &masks, &mut device)?;
        (self.device, self.masks) = (device, masks);
        (self.done, self.max_speed) = (0, 0.0);
        checkpoint.map_or(Ok(()), |c| self.restore(c))
    }

    /// Simulated seconds a frame.
    fn frame_dt(&self) -> f32 {
        self.document.time.frame_dt()
    }

    /// The scene of a step; parameters of the method that are animated go to the same time.
    fn scene_at(&mut self, time: f64, dt: f32) -> SceneFrame {
        let frame = if self.warming_up() {
            WARM_UP_FRAME
        } else {
            self.frame()
        };
        let (frame_dt, masks) = (self.frame_dt(), &self.masks);
        match &mut self.tracks {
            Some(tracks) => {
                tracks.set(time);
                let (scene, drifts) = (tracks.scene(), tracks.drifts());
                scene.at_with(time, dt, frame, frame_dt, masks, drifts)
            }
            None => self.document.scene.at(time, dt, frame, frame_dt, masks),
        }
    }

    /// The parameters of the method, as they were set last.
    fn params(&self) -> &MethodParams {
        match &self.tracks {
            Some(tracks) => tracks.method(),
            None => &self.document.method,
        }
    }

    /// As many as the CFL limit asks for, but no more than allowed; and as many as the method must have.
    fn substeps(&mut self, frame_dt: f32) -> Result<u32, Fault> {
        let scene = self.scene_at(self.time(), frame_dt);
        let time = &self.document.time;
        let for_accuracy = (self.max_speed * frame_dt / (time.cfl * scene.grid.h)).ceil();
        let for_accuracy = (for_accuracy as u32).clamp(1, time.max_substeps.max(1));
        let mut max_dt = self.method.max_dt(&scene, self.params());
        if self.tracks.is_some() {
            // What is animated may need shorter steps at the end of the frame.
            let scene = self.scene_at(self.time() + f64::from(frame_dt), frame_dt);
            max_dt = max_dt.min(self.method.max_dt(&scene, self.params()));
        }
        let needed = (frame_dt / max_dt).ceil();
        if needed > MOST_SUBSTEPS as f32 {
            let hint = "reduce what limits the step (explicit viscosity, say), the cells, or the time scale";
            return Err(Fault::Unstable { needed, hint });
        }
        Ok(for_accuracy.max(needed as u32))
    }

    /// Looks for the value behind an invariant that is not finite.
    fn first_bad_cell(&mut self, invariant: &str) -> Result<Fault, Fault> {
        let (grid, frame) = (self.document.scene.domain.grid(), self.frame());
        for part in self.method.state() {
            let data = self.device.read(part.buf)?;
            if let Some(index) = data.iter().position(|v| !v.is_finite()) {
                let cell = cell_of(&grid, part.faces, data.len(), index);
                return Ok(Fault::NotFinite {
                    field: part.name.to_owned(),
                    cell,
                    frame,
                });
            }
        }
        Ok(Fault::NotFinite {
            field: invariant.to_owned(),
            cell: [0; 3],
            frame,
        })
    }
}

fn load_masks(document: &Document, base: &std::path::Path) -> Result<Masks, Fault> {
    Masks::load(&document.scene, base).map_err(|problems| {
        let lines: Vec<String> = problems
            .iter()
            .map(|p| format!("scene.{}: {}", p.path, p.message))
            .collect();
        Fault::Scene(lines.join("\n"))
    })
}

fn create(
    document: &Document,
    masks: &Masks,
    device: &mut Device,
) -> Result<Box<dyn AnyMethod>, Fault> {
    let frame_dt = document.time.frame_dt();
    let at = |scene: &Scene, drifts: &[Drift]| {
        scene.at_with(0.0, frame_dt, WARM_UP_FRAME, frame_dt, masks, drifts)
    };
    let (scene, method) = match Tracks::new(document) {
        Some(tracks) => (at(tracks.scene(), tracks.drifts()), tracks.method().clone()),
        None => (at(&document.scene, &[]), document.method.clone()),
    };
    Ok(method.create(device, &scene)?)
}

/// Whether a restart parameter differs. Strokes have none and can be long, so they are left out.
fn needs_restart(before: &Document, after: &Document) -> bool {
    let (a, b) = (before.without_strokes(), after.without_strokes());
    params::needs_restart(&a.scene, &b.scene)
        || params::needs_restart(&a.method, &b.method)
        || params::needs_restart(&a.time, &b.time)
}
