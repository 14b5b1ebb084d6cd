//! What a bake will do, worked out and checked before anything is simulated.

use std::collections::BTreeSet;
use std::ops::Range;

use super::channel::{Sign, Source};
use super::engine::green_sign;
use super::files::{self, Files};
use super::sheet::{self, Sheet};
use super::{BakeError, names, scripts, write};
use crate::document::{
    ColorSpace, Document, Encoding, Engine, Layout, Looping, Output, RangeMode, VectorBlend, Zero,
};
use crate::field::{FieldDesc, Grid};

/// The longest edge of a texture that engines and GPUs read.
pub const MAX_EDGE: u32 = 16_384;

/// One more than the last frame that can be baked.
pub const MAX_FRAME: u32 = 10_000_000;

/// One channel of an output.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// `red`, `green`, `blue`, `alpha`.
    pub name: &'static str,
    /// Where its values come from.
    pub source: Source,
    /// Factor on the values: −1 for the y of a vector where green points down.
    pub sign: f32,
    /// Channels that share a range; none for a constant.
    pub group: Option<usize>,
}

/// Channels that read the same field in the same way.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Field and whether it is its length.
    key: (&'static str, bool),
    /// The range is symmetric.
    pub both_signs: bool,
    /// The range is known before: 0 to 1, or −1 to 1.
    pub known: Option<[f32; 2]>,
    /// The range begins at the least value, whatever its sign.
    pub level: bool,
    /// The range begins at zero, and a colour space applies.
    pub color: bool,
}

/// One output.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputPlan {
    /// Path in the document.
    pub at: String,
    /// As in the document.
    pub name: String,
    /// First part of the file names: look and output.
    pub stem: String,
    /// Names of its textures.
    pub files: Files,
    /// How numbers are written.
    pub encoding: Encoding,
    /// Where zero lies.
    pub zero: Zero,
    /// Colour space of colours in 8-bit PNG.
    pub color: ColorSpace,
    /// How ranges are found.
    pub range: RangeMode,
    /// Share of values inside the range, %.
    pub percentile: f32,
    /// The fixed range.
    pub fixed: [f32; 2],
    /// How frames become files.
    pub layout: Layout,
    /// Channels in the order of the file.
    pub channels: Vec<Channel>,
    /// Their groups.
    pub groups: Vec<Group>,
    /// Size of a frame.
    pub size: [u32; 2],
    /// The sheet, for a flipbook.
    pub sheet: Option<Sheet>,
    /// Whether frames can be written as they come.
    pub streams: bool,
}

/// The loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoopPlan {
    /// Frames that fade, and that are simulated beyond the range.
    pub blend: u32,
    /// How vectors are joined.
    pub vectors: VectorBlend,
}

/// Everything.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// First part of all file names.
    pub slug: String,
    /// For whom.
    pub engine: Engine,
    /// Frames that are written.
    pub frames: Range<u32>,
    /// Frames that are simulated and read.
    pub source: Range<u32>,
    /// The loop, if there is one.
    pub looping: Option<LoopPlan>,
    /// The grid of the fields.
    pub grid: Grid,
    /// Whether opposite edges of the picture meet, for x and y.
    pub periodic: [bool; 2],
    /// The outputs.
    pub outputs: Vec<OutputPlan>,
    /// Fields that are read, by name.
    pub fields: Vec<&'static str>,
}

impl Plan {
    /// Works out a bake of `frames` with the given fields. `look` is the first part of the file names; the document's
    /// name where there is none.
    ///
    /// # Errors
    /// The first setting that cannot be honoured, with its path.
    pub fn new(
        document: &Document,
        fields: &[FieldDesc],
        frames: Range<u32>,
        look: Option<&str>,
    ) -> Result<Self, BakeError> {
        let grid = document.scene.domain.grid();
        if frames.is_empty() {
            let message = format!("frames {}..{} are none", frames.start, frames.end);
            return Err(BakeError::setting("frames", message));
        }
        if frames.end > MAX_FRAME {
            let message = format!(
                "frames up to {} are more than the {MAX_FRAME} that can be baked",
                frames.end
            );
            return Err(BakeError::setting("frames", message));
        }
        if grid.dim() != 2 {
            let message = "textures are made of 2D scenes; this one has layers along z";
            return Err(BakeError::setting("scene.domain.cells_z", message));
        }
        let looping = plan_loop(document, &frames)?;
        let slug = names::slug(look.unwrap_or(&document.name));
        let periodic = [0, 1].map(|axis| document.scene.domain.periodic(axis));
        let settings = outputs(document, fields)?;
        let mut plan = Self {
            slug,
            engine: document.bake.engine,
            source: frames.start..frames.end.saturating_add(looping.map_or(0, |l| l.blend)),
            frames,
            looping,
            grid,
            periodic,
            outputs: Vec::new(),
            fields: Vec::new(),
        };
        let mut taken = BTreeSet::new();
        for (index, output) in settings {
            let at = format!("bake.outputs.{index}");
            crate::document::names::check(&output.name)
                .map_err(|m| BakeError::setting(format!("{at}.name"), m))?;
            if !taken.insert(crate::document::names::folded(&output.name)) {
                let message = format!("another output is named `{}` too", output.name);
                return Err(BakeError::setting(format!("{at}.name"), message));
            }
            let output = plan.output(document, fields, &output, at)?;
            plan.outputs.push(output);
        }
        let read: BTreeSet<_> = plan
            .outputs
            .iter()
            .flat_map(|o| &o.channels)
            .filter_map(|c| c.source.field())
            .map(|f| f.name)
            .collect();
        plan.fields = read.into_iter().collect();
        files::check(&plan)?;
        Ok(plan)
    }

    /// The name of the sidecar.
    pub fn sidecar(&self) -> String {
        format!("{}.bake.ron", self.slug)
    }
    /// The name of the import notes.
    pub fn notes(&self) -> String {
        format!("{}_import.txt", self.slug)
    }
    /// The name of the script that sets the import settings in the engine, where there is one.
    pub fn script(&self) -> Option<String> {
        let textures = self.outputs.iter().any(|o| o.encoding != Encoding::Raw);
        scripts::name(self.engine, &self.slug).filter(|_| textures)
    }
    /// Names of the files of words that stand beside the textures.
    pub fn words(&self) -> Vec<String> {
        let mut names = vec![self.sidecar(), self.notes()];
        names.extend(self.script());
        names
    }

    fn output(
        &self,
        document: &Document,
        fields: &[FieldDesc],
        output: &Output,
        at: String,
    ) -> Result<OutputPlan, BakeError> {
        let engine = document.bake.engine;
        let mut channels = channels(output, fields, &at)?;
        let mut groups: Vec<Group> = Vec::new();
        for channel in &mut channels {
            let source = &channel.source;
            let Some(desc) = source.field() else { continue };
            if source.is_vector() && matches!(source, Source::Component(_, 1)) {
                channel.sign = green_sign(engine);
            }
            let key = (desc.name, matches!(source, Source::Length(_)));
            channel.group = Some(groups.iter().position(|g| g.key == key).unwrap_or_else(|| {
                groups.push(Group {
                    key,
                    both_signs: source.sign().both(),
                    known: match source.sign() {
                        Sign::Unit => Some([0.0, 1.0]),
                        Sign::Direction => Some([-1.0, 1.0]),
                        Sign::Both | Sign::Positive | Sign::Level => None,
                    },
                    level: source.sign() == Sign::Level,
                    color: source.is_color(),
                });
                groups.len() - 1
            }));
        }
        if output.range == RangeMode::Fixed && output.range_high <= output.range_low {
            let message = "the high end of a fixed range lies above its low end";
            return Err(BakeError::setting(format!("{at}.range_high"), message));
        }
        let size = self.frame_size(output, &at)?;
        let count = self.frames.len() as u32;
        let sheet = match output.layout {
            Layout::Flipbook => Some(sheet::plan(output, count, size, &at)?),
            Layout::Sequence | Layout::Single => None,
        };
        let needs_range = is_png(output.encoding) && output.range != RangeMode::Fixed;
        let stem = format!("{}_{}", self.slug, output.name);
        let shape = sheet.map(|s| [s.columns, s.rows]);
        let ending = write::extension(output.encoding);
        Ok(OutputPlan {
            at,
            name: output.name.clone(),
            files: Files::new(&stem, output.layout, shape, &self.frames, ending),
            stem,
            encoding: output.encoding,
            zero: output.zero,
            color: output.color,
            range: output.range,
            percentile: output.percentile,
            fixed: [output.range_low, output.range_high],
            layout: output.layout,
            channels,
            groups,
            size,
            sheet,
            streams: !needs_range && self.looping.is_none() && output.layout == Layout::Sequence,
        })
    }

    fn frame_size(&self, output: &Output, at: &str) -> Result<[u32; 2], BakeError> {
        let [nx, ny, _] = self.grid.cells;
        let follow = |known: u32, of: u32, other: u32| {
            let v = u64::from(known) * u64::from(other);
            ((v + u64::from(of) / 2) / u64::from(of.max(1))).clamp(1, u64::from(u32::MAX)) as u32
        };
        let size = match [output.width, output.height] {
            [0, 0] => [nx, ny],
            [w, 0] => [w, follow(w, nx, ny)],
            [0, h] => [follow(h, ny, nx), h],
            both => both,
        };
        if size.iter().any(|n| *n > MAX_EDGE) {
            let message = format!(
                "frames of {} × {} are larger than the {MAX_EDGE} that engines read; set a width",
                size[0], size[1]
            );
            return Err(BakeError::setting(format!("{at}.width"), message));
        }
        Ok(size)
    }
}

/// Whether numbers become codes.
pub fn is_png(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Png8 | Encoding::Png16)
}

fn plan_loop(document: &Document, frames: &Range<u32>) -> Result<Option<LoopPlan>, BakeError> {
    if document.bake.looping == Looping::None || !document.bake.holds_motion() {
        return Ok(None);
    }
    let (blend, count) = (document.bake.loop_blend, frames.len() as u32);
    if blend == 0 || blend > count {
        let message =
            format!("a loop of {count} frames can fade over 1 to {count} frames, not {blend}");
        return Err(BakeError::setting("bake.loop_blend", message));
    }
    Ok(Some(LoopPlan {
        blend,
        vectors: document.bake.loop_vectors,
    }))
}

/// The enabled outputs with their positions; where there are none at all, the usual two.
fn outputs(document: &Document, fields: &[FieldDesc]) -> Result<Vec<(usize, Output)>, BakeError> {
    if document.bake.outputs.is_empty() {
        let usual = default_outputs(fields);
        return Ok(usual.into_iter().enumerate().collect());
    }
    let enabled: Vec<_> = document
        .bake
        .outputs
        .iter()
        .cloned()
        .enumerate()
        .filter(|(_, o)| o.enabled)
        .collect();
    if enabled.is_empty() {
        let message =
            "every output is off; switch one on, or remove them all to get velocity and dye";
        return Err(BakeError::setting("bake.outputs", message));
    }
    Ok(enabled)
}

/// Velocity as a 16-bit flow map and dye as an 8-bit picture, as far as the method has them; else its first field.
pub fn default_outputs(fields: &[FieldDesc]) -> Vec<Output> {
    let has = |name: &str, n: u32| fields.iter().any(|f| f.name == name && f.components >= n);
    let mut list = Vec::new();
    if has("velocity", 2) {
        list.push(Output::default());
    }
    if let Some(dye) = fields.iter().find(|f| f.name == "dye" && f.components >= 3) {
        list.push(output_of(dye, Encoding::Png8));
    }
    if let (true, Some(first)) = (list.is_empty(), fields.first()) {
        list.push(output_of(first, Encoding::Png16));
    }
    list
}

/// All components of a field in order: there are at most three.
pub fn output_of(desc: &FieldDesc, encoding: Encoding) -> Output {
    let channel = |i: u32| match i < desc.components {
        true => Source::Component(*desc, i).expression(),
        false => String::new(),
    };
    Output {
        name: desc.name.to_owned(),
        red: channel(0),
        green: channel(1),
        blue: channel(2),
        encoding,
        ..Output::default()
    }
}

/// The channels that the file gets. Pictures have one (red alone), three or four; raw files end with the last one given.
fn channels(output: &Output, fields: &[FieldDesc], at: &str) -> Result<Vec<Channel>, BakeError> {
    let names = ["red", "green", "blue", "alpha"];
    let texts = [&output.red, &output.green, &output.blue, &output.alpha];
    let mut parsed = Vec::with_capacity(4);
    for (name, text) in names.iter().zip(texts) {
        let source = Source::parse(text, fields)
            .map_err(|m| BakeError::setting(format!("{at}.{name}"), m))?;
        if let (Some(Source::Constant(v)), true) = (source, is_png(output.encoding))
            && !(0.0..=1.0).contains(&v)
        {
            let message = format!("{v}: a constant in a PNG lies between 0 and 1");
            return Err(BakeError::setting(format!("{at}.{name}"), message));
        }
        parsed.push(source);
    }
    let Some(last) = parsed.iter().rposition(Option::is_some) else {
        let message = "no channel is set; write a field such as `velocity.x` into one";
        return Err(BakeError::setting(format!("{at}.red"), message));
    };
    let count = match (output.encoding, last) {
        (Encoding::Raw, last) => last + 1,
        (_, 3) => 4,
        (Encoding::Png8 | Encoding::Png16, 0) => 1,
        _ => 3,
    };
    Ok(names
        .iter()
        .zip(parsed)
        .take(count)
        .map(|(name, source)| Channel {
            name,
            source: source.unwrap_or(Source::Constant(0.0)),
            sign: 1.0,
            group: None,
        })
        .collect())
}
