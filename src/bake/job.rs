//! The course of a bake: simulate and pack, find ranges, write, move into place.

use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::coding::Coding;
use super::looping::{self, SeamMeter};
use super::pack::{check, pack};
use super::plan::Plan;
use super::range::Ranges;
use super::sidecar::Reports;
use super::spool::Spool;
use super::teller::Teller;
use super::texels::Texels;
use super::{
    BakeError, BakeOptions, BakeReport, BakedFile, FrameSource, Progress, Stage, estimate, files,
    import, recipe, scripts, sheet, write,
};
use crate::document::{Document, Layout};

/// Frames that are encoded at the same time, each by one thread.
const BATCH: u32 = 4;

/// What is known about an output so far.
pub(super) struct Work {
    spool: Option<Spool>,
    pub(super) ranges: Ranges,
    pub(super) seam: SeamMeter,
    pub(super) codings: Vec<Coding>,
    pub(super) clipped: Vec<u64>,
    /// Names of its files in the order of writing.
    pub(super) files: Vec<String>,
}

/// A bake that has been checked.
pub(super) struct Job<'a> {
    pub(super) document: &'a Document,
    pub(super) origin: write::Origin<'a>,
    pub(super) plan: Plan,
    pub(super) outputs: Vec<Work>,
    pub(super) reports: Reports,
    pub(super) files: Vec<BakedFile>,
    out: PathBuf,
    stage: super::stage::Stage,
}

impl<'a> Job<'a> {
    /// Works the bake out, asks for memory and opens the output folder, before anything is simulated.
    pub(super) fn new(
        document: &'a Document,
        fields: &[crate::field::FieldDesc],
        out: &Path,
        frames: Range<u32>,
        options: &BakeOptions,
    ) -> Result<Self, BakeError> {
        let plan = Plan::new(document, fields, frames, options.look.as_deref())?;
        let limit = options.memory_limit;
        let (needed, in_memory) = estimate::of_plan(document, &plan, limit);
        if needed.memory_bytes > limit {
            return Err(BakeError::Memory {
                needed: needed.memory_bytes,
                limit,
            });
        }
        files::check_places(&plan, out, &options.inputs)?;
        let stage = super::stage::Stage::open(out)?;
        let outputs = plan
            .outputs
            .iter()
            .map(|output| {
                let spool = (!output.streams).then(|| Spool::new(in_memory, stage.folder()));
                let ranges = Ranges::new(output);
                Ok(Work {
                    spool: spool.transpose()?,
                    codings: if output.streams {
                        write::codings(output, &ranges)
                    } else {
                        Vec::new()
                    },
                    ranges,
                    seam: SeamMeter::default(),
                    clipped: vec![0; output.channels.len()],
                    files: Vec::new(),
                })
            })
            .collect::<Result<_, BakeError>>()?;
        Ok(Self {
            document,
            origin: write::Origin::new(document)?,
            plan,
            outputs,
            reports: Reports::default(),
            files: Vec::new(),
            out: out.to_owned(),
            stage,
        })
    }

    /// Does it.
    pub(super) fn run(
        mut self,
        source: &mut dyn FrameSource,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<BakeReport, BakeError> {
        let frames = self.plan.frames.len() as u64;
        let waiting = self.plan.outputs.iter().filter(|o| !o.streams);
        let writing: u64 = waiting
            .map(|o| {
                if o.layout == Layout::Single {
                    1
                } else {
                    frames
                }
            })
            .sum();
        let before = u64::from(source.warm_up()) + u64::from(self.plan.source.end);
        let teller = Teller::new(progress, before + writing + 1);
        teller.ask()?;
        self.simulate(source, &teller)?;
        let plan = self.plan.clone();
        for (index, output) in plan.outputs.iter().enumerate() {
            if !output.streams {
                self.finish(&plan, index, &teller)?;
            }
            if let Some(name) = files::raw_description(output) {
                self.describe_raw(index, &name)?;
            }
        }
        teller.at(Stage::Finishing, plan.frames.end);
        self.close(source.device(), &teller)
    }

    /// Frames from the beginning to the last one that is needed. Frame 0 is what the warm-up leaves.
    fn simulate(&mut self, source: &mut dyn FrameSource, teller: &Teller) -> Result<(), BakeError> {
        let cancelled = || teller.stop();
        for frame in 0..source.warm_up() {
            teller.at(Stage::WarmUp, frame);
            source.advance(&cancelled)?;
            teller.step()?;
        }
        let plan = self.plan.clone();
        for frame in 0..plan.source.end {
            let wanted = frame >= plan.source.start;
            let stage = if wanted {
                Stage::Simulating
            } else {
                Stage::WarmUp
            };
            teller.at(stage, frame);
            if frame > 0 {
                let report = source.advance(&cancelled)?;
                if wanted {
                    self.reports.add(&report);
                }
            }
            if wanted {
                self.take(&plan, source, frame)?;
            }
            teller.step()?;
        }
        Ok(())
    }

    /// Reads and packs a frame; writes it, or lets it wait.
    fn take(
        &mut self,
        plan: &Plan,
        source: &mut dyn FrameSource,
        frame: u32,
    ) -> Result<(), BakeError> {
        let mut fields = Vec::with_capacity(plan.fields.len());
        for name in &plan.fields {
            let field = source.field(name)?;
            check(&field, &plan.grid, frame)?;
            fields.push(field);
        }
        for (index, output) in plan.outputs.iter().enumerate() {
            if output.layout == Layout::Single && frame + 1 != plan.frames.end {
                continue;
            }
            let texels = pack(plan, output, &fields)?;
            let work = &mut self.outputs[index];
            if let Some(spool) = &mut work.spool {
                spool.push(texels)?;
                continue;
            }
            work.ranges.add(output, &texels);
            work.seam.add(texels.clone(), plan.periodic);
            write::count_clipped(output, &texels, &work.codings, &mut work.clipped);
            let name = output.files.name(frame);
            let bytes = write::file(&self.origin, output, &texels, &work.codings, frame, &name)?;
            self.save(index, name, Some(frame), &bytes)?;
        }
        Ok(())
    }

    /// Ranges over all frames of an output, then its files.
    fn finish(&mut self, plan: &Plan, index: usize, teller: &Teller) -> Result<(), BakeError> {
        let output = &plan.outputs[index];
        let count = match output.layout {
            Layout::Single => 1,
            Layout::Sequence | Layout::Flipbook => plan.frames.len() as u32,
        };
        for k in 0..count {
            let texels = self.frame(plan, index, k)?;
            let work = &mut self.outputs[index];
            work.ranges.add(output, &texels);
            work.seam.add(texels, plan.periodic);
            teller.ask()?;
        }
        let work = &mut self.outputs[index];
        work.codings = write::codings(output, &work.ranges);
        if output.sheet.is_some() {
            return self.write_sheet(plan, index, teller);
        }
        for first in (0..count).step_by(BATCH as usize) {
            let batch = first..(first + BATCH).min(count);
            let mut pictures = Vec::new();
            for k in batch {
                let frame = match output.layout {
                    Layout::Single => plan.frames.end - 1,
                    Layout::Sequence | Layout::Flipbook => plan.frames.start + k,
                };
                let texels = self.frame(plan, index, k)?;
                let work = &mut self.outputs[index];
                write::count_clipped(output, &texels, &work.codings, &mut work.clipped);
                pictures.push((frame, output.files.name(frame), texels));
            }
            let (origin, codings) = (&self.origin, &self.outputs[index].codings);
            let files: Vec<_> = pictures
                .par_iter()
                .map(|(frame, name, t)| write::file(origin, output, t, codings, *frame, name))
                .collect();
            for ((frame, name, _), bytes) in pictures.into_iter().zip(files) {
                teller.at(Stage::Writing, frame);
                self.save(index, name, Some(frame), &bytes?)?;
                teller.step()?;
            }
        }
        self.outputs[index].spool = None;
        Ok(())
    }

    /// Frame `k` of an output that waits, with the loop's fade.
    fn frame(&mut self, plan: &Plan, index: usize, k: u32) -> Result<Texels, BakeError> {
        let output = &plan.outputs[index];
        let like = (output.size[0], output.size[1], output.channels.len());
        let Some(spool) = &mut self.outputs[index].spool else {
            return Ok(Texels::new(like.0, like.1, like.2));
        };
        let Some(rule) = plan.looping.filter(|_| output.layout != Layout::Single) else {
            return spool.get(k, like);
        };
        let (first, second) = looping::parts(k, plan.frames.len() as u32, rule.blend);
        let a = spool.get(first, like)?;
        let Some((second, w)) = second else {
            return Ok(a);
        };
        let b = spool.get(second, like)?;
        Ok(looping::fade(output, rule, a, &b, w))
    }

    fn write_sheet(&mut self, plan: &Plan, index: usize, teller: &Teller) -> Result<(), BakeError> {
        let output = &plan.outputs[index];
        let Some(shape) = output.sheet else {
            return Ok(());
        };
        let [width, height] = shape.size(output.size);
        let mut picture = Texels::new(width, height, output.channels.len());
        for cell in 0..shape.columns * shape.rows {
            let k = cell.min(shape.frames - 1);
            let texels = self.frame(plan, index, k)?;
            sheet::place(&shape, &mut picture, cell, &texels, plan.periodic);
            if cell < shape.frames {
                let work = &mut self.outputs[index];
                write::count_clipped(output, &texels, &work.codings, &mut work.clipped);
                teller.at(Stage::Writing, plan.frames.start + k);
                teller.step()?;
            }
        }
        let codings = &self.outputs[index].codings;
        let first = plan.frames.start;
        let name = output.files.name(first);
        let bytes = write::file(&self.origin, output, &picture, codings, first, &name)?;
        self.outputs[index].spool = None;
        self.save(index, name, None, &bytes)
    }

    /// The description beside raw numbers.
    fn describe_raw(&mut self, index: usize, name: &str) -> Result<(), BakeError> {
        let text = recipe::raw_description(self, index).map_err(|e| BakeError::Encode {
            file: name.to_owned(),
            message: e.to_string(),
        })?;
        self.save_text(name, "json", &text)
    }

    /// Writes a file of an output into the hidden folder.
    fn save(
        &mut self,
        index: usize,
        name: String,
        frame: Option<u32>,
        bytes: &[u8],
    ) -> Result<(), BakeError> {
        let sha256 = self.stage.write(&name, bytes)?;
        let output = &self.plan.outputs[index];
        let mut fields: Vec<_> = output
            .channels
            .iter()
            .filter_map(|c| c.source.field())
            .map(|f| f.name)
            .collect();
        fields.dedup();
        self.files.push(BakedFile {
            path: self.out.join(&name).display().to_string(),
            sha256,
            field: fields.join("+"),
            frame,
            encoding: write::encoding_name(output.encoding).to_owned(),
        });
        self.outputs[index].files.push(name);
        Ok(())
    }

    fn save_text(&mut self, name: &str, encoding: &str, text: &str) -> Result<(), BakeError> {
        let sha256 = self.stage.write(name, text.as_bytes())?;
        self.files.push(BakedFile {
            path: self.out.join(name).display().to_string(),
            sha256,
            field: String::new(),
            frame: None,
            encoding: encoding.to_owned(),
        });
        Ok(())
    }

    /// Import notes and sidecar, then everything into place.
    fn close(mut self, device: String, teller: &Teller) -> Result<BakeReport, BakeError> {
        let outputs = recipe::output_records(&self);
        let text = import::text(&self, &outputs);
        self.save_text(&self.plan.notes(), "text", &text)?;
        if let Some(name) = self.plan.script() {
            let text = scripts::script(&self, &outputs);
            self.save_text(&name, "text", &text)?;
        }
        let name = self.plan.sidecar();
        let sidecar = recipe::sidecar(&self, device, outputs.clone()).and_then(|s| {
            s.to_ron().map_err(|e| BakeError::Encode {
                file: name.clone(),
                message: e.to_string(),
            })
        })?;
        let mut notes = recipe::notes(&outputs, self.document.bake.looping);
        if let Some((text, count)) = files::left_behind(&self.plan, &self.out) {
            // What says how to read those files must not go while they stay.
            let kept = files::spare_sidecar(&self.plan, &self.out);
            self.stage.write(&kept, text.as_bytes())?;
            notes.push(format!(
                "{count} files of an earlier bake stay in the folder; {kept} describes them"
            ));
        }
        self.stage.write(&name, sidecar.as_bytes())?;
        teller.step()?;
        self.stage.commit()?;
        Ok(BakeReport {
            files: self.files,
            sidecar: self.out.join(name).display().to_string(),
            notes,
        })
    }
}
