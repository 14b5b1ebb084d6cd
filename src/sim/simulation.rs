//! A document that runs on a device, frame by frame. The bake, the command line and the runner's thread all use this.
//!
//! A frame lasts `time_scale / frame_rate` simulated seconds and is made of equal sub-steps: as many as the CFL limit
//! and the method's own limit ask for. Warm-up frames come before time zero.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use crate::device::{Device, Ticket};
use crate::document::Document;
use crate::document::animation::Tracks;
use crate::field::{FieldData, FieldDesc};
use crate::params;
use crate::scene::{Drift, Masks, Scene, SceneFrame};
use crate::solvers::{AnyMethod, MethodParams, StepReport};

use super::backup::Backup;
use super::fault::{Fault, cell_of};
use super::flight::Flight;

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
    pub(super) document: Arc<Document>,
    /// The document at the present time, where something is animated.
    pub(super) tracks: Option<Tracks>,
    base: PathBuf,
    masks: Masks,
    pub(super) device: Device,
    pub(super) method: Box<dyn AnyMethod>,
    /// Frames done, warm-up and those under way included.
    pub(super) done: u32,
    /// Largest speed at the end of the last frame that has landed, m/s.
    pub(super) max_speed: f32,
    /// That of the frame before it; infinite where it is not known.
    pub(super) speed_before: f32,
    /// Frames under way.
    pub(super) flights: VecDeque<Flight>,
    pub(super) backup: Backup,
    /// When the last frame landed.
    pub(super) landed_at: Instant,
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
            speed_before: f32::INFINITY,
            flights: VecDeque::new(),
            backup: Backup::default(),
            landed_at: Instant::now(),
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
        self.settle()?;
        self.send(cancelled)?;
        let landed = self.land(None)?;
        landed
            .map(|landed| landed.report)
            .ok_or_else(|| Fault::Internal("a frame that was sent did not land".to_owned()))
    }

    /// Back to before the warm-up.
    ///
    /// # Errors
    /// See [`Simulation::new`].
    pub fn reset(&mut self) -> Result<(), Fault> {
        self.masks = load_masks(&self.document, &self.base)?;
        // Its room is needed while there are two states.
        self.backup = Backup::default();
        self.method = create(&self.document, &self.masks, &mut self.device)?;
        self.stands_at(0, 0.0);
        Ok(())
    }

    /// Nothing is under way, and nothing is known of what was before.
    fn stands_at(&mut self, done: u32, max_speed: f32) {
        (self.done, self.max_speed, self.speed_before) = (done, max_speed, f32::INFINITY);
        self.flights.clear();
        self.backup.forget();
    }

    /// Takes a changed document over; starts again (and says so by `true`) if a restart parameter differs.
    ///
    /// # Errors
    /// See [`Simulation::new`]. After an error the former document is still in place.
    pub fn set_document(&mut self, document: Arc<Document>, base: PathBuf) -> Result<bool, Fault> {
        self.settle()?;
        let restart = needs_restart(&self.document, &document);
        let masks = load_masks(&document, &base)?;
        if restart {
            self.backup = Backup::default();
            self.method = create(&document, &masks, &mut self.device)?;
            self.stands_at(0, 0.0);
        }
        self.tracks = Tracks::new(&document);
        (self.document, self.base, self.masks) = (document, base, masks);
        Ok(restart)
    }

    /// The document.
    pub fn document(&self) -> &Arc<Document> {
        &self.document
    }

    /// Frames done since the end of the warm-up, those under way included.
    pub fn frame(&self) -> u32 {
        self.done.saturating_sub(self.document.time.warm_up)
    }

    /// Whether frames of the warm-up are left to do.
    pub fn warming_up(&self) -> bool {
        self.done < self.document.time.warm_up
    }

    /// Frames done, warm-up and those under way included.
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
        Ok(self.field_later(name)?.wait(&mut self.device)?)
    }

    /// Asks for a field as it is after the frames that were sent.
    pub(super) fn field_later(&mut self, name: &str) -> Result<Ticket<FieldData>, Fault> {
        let Some(field) = self.method.field(&mut self.device, name) else {
            let names: Vec<&str> = self.method.info().fields.iter().map(|f| f.name).collect();
            let message = format!(
                "there is no field \"{name}\"; the method has {}",
                names.join(", ")
            );
            return Err(Fault::Scene(message));
        };
        let (desc, grid) = (field.desc, field.grid);
        let (stride, first) = (field.stride as usize, field.offset as usize);
        let count = desc.components as usize;
        let all = self.device.read_later(field.buf);
        Ok(all.map(move |all| {
            let data = if stride == count && first == 0 {
                all
            } else {
                all.chunks_exact(stride)
                    .flat_map(|cell| &cell[first..first + count])
                    .copied()
                    .collect()
            };
            FieldData { desc, grid, data }
        }))
    }

    /// The state, to return to.
    ///
    /// # Errors
    /// A device that fails.
    pub fn checkpoint(&mut self) -> Result<Checkpoint, Fault> {
        self.settle()?;
        let checkpoint = self.checkpoint_later().wait(&mut self.device)?;
        Ok(Checkpoint {
            max_speed: self.max_speed,
            ..checkpoint
        })
    }

    /// Asks for a checkpoint of the state after the frames that were sent; the speed in it is still missing.
    pub(super) fn checkpoint_later(&mut self) -> Ticket<Checkpoint> {
        let (frame, device) = (self.frame(), &mut self.device);
        let parts = self.method.state().into_iter().map(|part| {
            let name = part.name;
            device.read_later(part.buf).map(move |data| (name, data))
        });
        Ticket::all(parts.collect()).map(move |state| Checkpoint {
            frame,
            state,
            max_speed: 0.0,
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
        let done = checkpoint.frame + self.document.time.warm_up;
        self.stands_at(done, checkpoint.max_speed);
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
        self.backup = Backup::default();
        self.stands_at(0, 0.0);
        checkpoint.map_or(Ok(()), |c| self.restore(c))
    }

    /// Simulated seconds a frame.
    pub(super) fn frame_dt(&self) -> f32 {
        self.document.time.frame_dt()
    }

    /// The scene of a step; parameters of the method that are animated go to the same time.
    pub(super) fn scene_at(&mut self, time: f64, dt: f32) -> SceneFrame {
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
    pub(super) fn params(&self) -> &MethodParams {
        match &self.tracks {
            Some(tracks) => tracks.method(),
            None => &self.document.method,
        }
    }

    /// Looks for the value behind an invariant that is not finite.
    pub(super) fn first_bad_cell(&mut self, invariant: &str) -> Result<Fault, Fault> {
        let (grid, frame) = (self.document.scene.domain.grid(), self.frame());
        for part in self.method.state() {
            let data = self.device.read(part.buf)?;
            if let Some(index) = data.iter().position(|v| !v.is_finite()) {
                let cell = cell_of(&grid, part.faces, data.len(), index);
                return Ok(Fault::NotFinite {
                    field: part.name.to_owned(),
                    cell: Some(cell),
                    frame,
                });
            }
        }
        Ok(Fault::NotFinite {
            field: invariant.to_owned(),
            cell: None,
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
