//! `<look>.bake.ron`: what every number in the files means, and how to make them again. No time stamp, no absolute path.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::coding::Curve;
use super::engine::AxisMap;
use super::looping::SeamScore;
use super::sheet::Sheet;
use crate::document::{Encoding, Engine, Layout, Looping, VectorBlend};
use crate::solvers::StepReport;

/// Version of the form of the sidecar.
pub const SCHEMA: u32 = 1;

/// The sidecar.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sidecar {
    /// Version of this form.
    pub schema: u32,
    /// Version of Eddy, with the commit in brackets for a release build from a checkout.
    pub eddy: String,
    /// Name of the look.
    pub look: String,
    /// Id of the method.
    pub method: String,
    /// Seed of everything random.
    pub seed: u32,
    /// What it was simulated on.
    pub device: String,
    /// For whom.
    pub engine: Engine,
    /// How the pictures lie in the engine's world.
    pub axes: AxisMap,
    /// Frames a second when played.
    pub frame_rate: f32,
    /// Simulated seconds from frame to frame.
    pub dt: f32,
    /// Simulated seconds a second of playing: multiply speeds by it to get what is seen.
    pub time_scale: f32,
    /// Frames before frame 0.
    pub warm_up: u32,
    /// Frames that were written.
    pub frames: Range<u32>,
    /// Frames that were simulated for them.
    pub simulated: Range<u32>,
    /// Cells along x, y, z.
    pub grid: [u32; 3],
    /// Edge of a cell, m.
    pub cell_size: f32,
    /// Axes of the picture along which textures tile: `x` across, `y` down.
    pub tile_axes: Vec<String>,
    /// The loop.
    pub looping: LoopRecord,
    /// The solves of the frames that were written.
    pub solves: Vec<SolveRecord>,
    /// What the method says about itself, over the frames that were written.
    pub invariants: Vec<InvariantRecord>,
    /// The textures.
    pub outputs: Vec<OutputRecord>,
    /// All files.
    pub files: Vec<FileRecord>,
    /// The whole preset, as it can be saved and opened.
    pub preset: String,
}

/// The loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoopRecord {
    /// How the end is joined to the beginning.
    pub mode: Looping,
    /// Frames that fade (B).
    pub blend: u32,
    /// How vectors are joined.
    pub vectors: VectorBlend,
}

/// Least, mean and greatest value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Least.
    pub min: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Greatest.
    pub max: f64,
}

/// Solves of one linear system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolveRecord {
    /// What was solved for.
    pub system: String,
    /// Id of the solver.
    pub solver: String,
    /// Unit of the residuals.
    pub unit: String,
    /// Iterations.
    pub iterations: Spread,
    /// Root mean square of the residual before.
    pub residual_before: Spread,
    /// Root mean square of the residual after.
    pub residual_after: Spread,
}

/// An invariant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InvariantRecord {
    /// Snake case.
    pub name: String,
    /// SI unit, or empty.
    pub unit: String,
    /// Over the frames.
    pub over_frames: Spread,
}

/// One texture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutputRecord {
    /// As in the document.
    pub name: String,
    /// How numbers are written.
    pub encoding: Encoding,
    /// How frames become files.
    pub layout: Layout,
    /// Width of a frame.
    pub width: u32,
    /// Height of a frame.
    pub height: u32,
    /// The sheet, for a flipbook: row by row from the top left.
    pub sheet: Option<Sheet>,
    /// Whether to import it as sRGB.
    pub srgb: bool,
    /// Colours are not multiplied by alpha.
    pub straight_alpha: bool,
    /// The channels.
    pub channels: Vec<ChannelRecord>,
    /// How the last frame meets the first; none for fewer than three frames.
    pub loop_seam: Option<SeamScore>,
    /// How opposite edges meet; none along axes that do not tile.
    pub tile_seam: [Option<SeamScore>; 2],
}

/// One channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChannelRecord {
    /// `red`, `green`, `blue`, `alpha`.
    pub channel: String,
    /// The expression it holds.
    pub source: String,
    /// The factor that the engine's axes put on it.
    pub sign: f32,
    /// SI unit, or empty.
    pub unit: String,
    /// Least value in all frames, after the sign.
    pub min: f32,
    /// Greatest value in all frames, after the sign.
    pub max: f32,
    /// Number at the low end of the code.
    pub low: f32,
    /// Number at the high end of the code (vmax for both signs).
    pub high: f32,
    /// How codes stand for numbers.
    pub curve: Curve,
    /// Share of values inside the range that was asked for, %.
    pub percentile: Option<f32>,
    /// `value = x · scale + bias` for the sample x (0 to 1; after the engine has undone sRGB).
    pub scale: f32,
    /// See `scale`.
    pub bias: f32,
    /// The same as a line for a shader, exact at zero.
    pub decode: String,
    /// Values that were cut off.
    pub clipped: u64,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Its name, beside the sidecar.
    pub name: String,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
    /// Frame, for one that holds a single frame.
    pub frame: Option<u32>,
}

impl Sidecar {
    /// As text.
    ///
    /// # Errors
    /// What the serialiser says.
    pub fn to_ron(&self) -> Result<String, ron::Error> {
        let style = ron::ser::PrettyConfig::new()
            .new_line("\n")
            .escape_strings(false)
            .compact_arrays(true);
        let mut text = ron::ser::to_string_pretty(self, style)?;
        text.push('\n');
        Ok(text)
    }
    /// From text.
    ///
    /// # Errors
    /// Where it is malformed, and how.
    pub fn from_ron(text: &str) -> Result<Self, ron::error::SpannedError> {
        ron::from_str(text)
    }
}

#[derive(Default)]
struct Sum {
    min: f64,
    max: f64,
    sum: f64,
    count: u64,
}

impl Sum {
    fn add(&mut self, v: f64) {
        if !v.is_finite() {
            return;
        }
        if self.count == 0 {
            (self.min, self.max) = (v, v);
        }
        self.min = self.min.min(v);
        self.max = self.max.max(v);
        self.sum += v;
        self.count += 1;
    }
    fn spread(&self) -> Spread {
        Spread {
            min: self.min,
            mean: self.sum / self.count.max(1) as f64,
            max: self.max,
        }
    }
}

/// Gathers the reports of frames.
#[derive(Default)]
pub(super) struct Reports {
    solves: Vec<([&'static str; 3], [Sum; 3])>,
    invariants: Vec<([&'static str; 2], Sum)>,
}

impl Reports {
    pub(super) fn add(&mut self, report: &StepReport) {
        for s in &report.solves {
            let key = [s.system, s.solver, s.unit];
            let at = self.solves.iter().position(|(k, _)| *k == key);
            let at = at.unwrap_or_else(|| {
                self.solves.push((key, Default::default()));
                self.solves.len() - 1
            });
            let sums = &mut self.solves[at].1;
            sums[0].add(f64::from(s.iterations));
            sums[1].add(f64::from(s.l2_before));
            sums[2].add(f64::from(s.l2));
        }
        for i in &report.invariants {
            let key = [i.name, i.unit];
            let at = self.invariants.iter().position(|(k, _)| *k == key);
            let at = at.unwrap_or_else(|| {
                self.invariants.push((key, Sum::default()));
                self.invariants.len() - 1
            });
            self.invariants[at].1.add(i.value);
        }
    }

    pub(super) fn solves(&self) -> Vec<SolveRecord> {
        let record = |([system, solver, unit], sums): &([&str; 3], [Sum; 3])| SolveRecord {
            system: (*system).to_owned(),
            solver: (*solver).to_owned(),
            unit: (*unit).to_owned(),
            iterations: sums[0].spread(),
            residual_before: sums[1].spread(),
            residual_after: sums[2].spread(),
        };
        self.solves.iter().map(record).collect()
    }

    pub(super) fn invariants(&self) -> Vec<InvariantRecord> {
        let record = |([name, unit], sum): &([&str; 2], Sum)| InvariantRecord {
            name: (*name).to_owned(),
            unit: (*unit).to_owned(),
            over_frames: sum.spread(),
        };
        self.invariants.iter().map(record).collect()
    }
}
