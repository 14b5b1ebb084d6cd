//! A comparison on its thread.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::pictures::Gallery;
use super::{Asked, Results};
use crate::compare::{self, At, Plan, Watch};
use crate::device::{Device, DeviceChoice};
use crate::document::Document;
use crate::sim::{Fault, Simulation};

/// Between two reports of progress about the same way.
const INTERVAL: Duration = Duration::from_millis(50);

/// What is run, and where.
pub struct Run {
    pub number: u64,
    pub document: Arc<Document>,
    pub base: PathBuf,
    pub asked: Asked,
    pub device: DeviceChoice,
    pub cancel: Arc<AtomicBool>,
}

impl Run {
    pub fn go(self, report: &dyn Fn(f32, String)) -> Result<Results, Fault> {
        let begin = Instant::now();
        let plain = self.document.without_strokes();
        let mut plan = Plan::new(&plain, self.asked.ways, self.asked.frames);
        let mut device = String::new();
        let mut open = |document: Arc<Document>| {
            let document = painted(document, &self.document);
            let simulation = open(document, &self.base, self.device)?;
            device = simulation.1;
            Ok(simulation.0)
        };
        let mut last = None::<(Instant, String)>;
        let mut watch = Watch {
            cancelled: &|| self.cancel.load(Ordering::Acquire),
            progress: &mut |p| {
                let told =
                    |(at, label): &(Instant, String)| at.elapsed() < INTERVAL && label == p.label;
                if !last.as_ref().is_some_and(told) {
                    last = Some((Instant::now(), p.label.to_owned()));
                    report(p.done as f32 / p.total.max(1) as f32, describe(&p));
                }
            },
        };
        let mut gallery = Gallery::new(self.document.view.clone(), plan.ways.len() + 1);
        let (mut rows, mut shown, mut of_reference) = (Vec::new(), Vec::new(), None);
        let ended = compare::run::<Fault>(&plan, &mut open, &mut watch, &mut |way, row, sim| {
            let picture = sim.map_or(Ok(None), |sim| gallery.picture(sim));
            if way.is_none() {
                of_reference = picture?;
                return Ok(());
            }
            let mut row = row;
            shown.push(picture.unwrap_or_else(|fault| {
                row.error = row.error.take().or(Some(fault.to_string()));
                None
            }));
            rows.push(row);
            Ok(())
        })?;
        if ended.stopped && rows.is_empty() {
            return Err(Fault::Cancelled);
        }
        let stopped = ended.stopped.then_some(plan.ways.len());
        plan.ways.truncate(rows.len());
        shown.push(of_reference);
        Ok(Results {
            number: self.number,
            document: self.document,
            title: self.asked.title,
            frames: plan.frames,
            ways: plan.ways,
            rows,
            stopped,
            reference: ended.reference,
            shown,
            settings: gallery.settings,
            device,
            seconds: begin.elapsed().as_secs_f32(),
            disturbed: false,
        })
    }
}

/// A way with what was painted: only the one that runs holds a copy of it.
fn painted(way: Arc<Document>, look: &Document) -> Arc<Document> {
    if look.scene.strokes.is_empty() {
        return way;
    }
    let mut way = Arc::unwrap_or_clone(way);
    way.scene.strokes.clone_from(&look.scene.strokes);
    Arc::new(way)
}

/// A simulation on a device of its own, as the editor's is, and what that is called.
fn open(
    document: Arc<Document>,
    base: &Path,
    choice: DeviceChoice,
) -> Result<(Simulation, String), Fault> {
    let mut device = Device::sparing_a_core(choice)?;
    // As much as was said to be needed before it was asked for, and not more than twice that.
    device.set_memory_limit(document.memory_bytes().saturating_mul(2));
    let name = device.name();
    Ok((Simulation::new(document, base.to_owned(), device)?, name))
}

fn describe(progress: &compare::Progress<'_>) -> String {
    let label = progress.label;
    match progress.at {
        At::Trial => format!("{label}: finding what comes closest"),
        At::WarmUp(done, of) => format!("{label}: warming up {done}/{of}"),
        At::Frame(frame) => format!("{label}: frame {frame}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_runs_with_what_was_painted() {
        let mut look = Document::default();
        let way = Arc::new(look.without_strokes());
        assert!(Arc::ptr_eq(&painted(Arc::clone(&way), &look), &way));
        look.scene.strokes.push(crate::scene::Stroke::default());
        let run = painted(Arc::clone(&way), &look);
        assert_eq!(run.scene.strokes, look.scene.strokes);
        assert!(way.scene.strokes.is_empty());
    }
}
