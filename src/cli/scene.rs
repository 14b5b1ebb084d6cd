//! What the commands that simulate have in common: a preset, changes to it, a device.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Error, Result, output};
use crate::device::{Device, DeviceChoice};
use crate::document::{self, Document, LoadError, Loaded};
use crate::params::{self, Problem};
use crate::scene::Masks;
use crate::sim::{Fault, Simulation};
use crate::ui::presets;

/// Bytes allowed for buffers where nothing else is said.
const DEFAULT_MEMORY_MIB: u64 = 4096;

/// A preset with changes.
#[derive(Clone, Debug, clap::Args)]
pub struct PresetArgs {
    /// Document to simulate: a file, or a preset that comes with Eddy, such as `campfire`.
    pub preset: PathBuf,
    /// Changes a parameter: a path in the document such as `scene.environment.buoyancy`, or one in the method such as
    /// `pressure.iterations`. Can be given more than once.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub changes: Vec<String>,
    /// Seed of everything random.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seed: Option<u32>,
}

/// Where to run and how much to take.
#[derive(Clone, Debug, clap::Args)]
pub struct DeviceArgs {
    /// Where to run: `auto` takes a real GPU if there is one, else the CPU.
    #[arg(long, value_enum, default_value_t = DeviceArg::Auto)]
    pub device: DeviceArg,
    /// Memory that the simulation may take, MiB.
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MEMORY_MIB, allow_negative_numbers = true, value_parser = parse_memory)]
    pub memory: u64,
}

/// A device as it is named on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum DeviceArg {
    /// A real GPU if there is one, else the CPU.
    Auto,
    /// All cores.
    Cpu,
    /// Any GPU driver, even one that runs on the CPU.
    Gpu,
}

impl DeviceArg {
    /// As the device knows it.
    pub fn choice(self) -> DeviceChoice {
        match self {
            Self::Auto => DeviceChoice::Auto,
            Self::Cpu => DeviceChoice::Cpu,
            Self::Gpu => DeviceChoice::Gpu,
        }
    }
}

impl DeviceArgs {
    /// Opens the device for a document, if what the document needs is allowed.
    pub fn open(&self, document: &Document) -> Result<Device> {
        let needed = document.memory_bytes().div_ceil(1 << 20);
        if needed > self.memory {
            let [x, y, z] = document.scene.domain.grid().cells;
            return Err(Error::Failed(format!(
                "{x} × {y} × {z} cells need {needed} MiB of memory, and {} MiB are allowed; --memory {needed} allows them",
                self.memory
            )));
        }
        let mut device = Device::new(self.device.choice())?;
        device.set_memory_limit(self.bytes());
        Ok(device)
    }

    /// The memory that is allowed.
    pub fn bytes(&self) -> u64 {
        self.memory.saturating_mul(1 << 20)
    }

    /// Makes the simulation of a document.
    pub fn simulate(&self, document: Arc<Document>, base: &Path) -> Result<Simulation> {
        let device = self.open(&document)?;
        Ok(Simulation::new(document, base.to_owned(), device)?)
    }
}

impl PresetArgs {
    /// Loads the preset, gives it another method if one is named, and makes the changes.
    pub fn load(&self, method: Option<&str>) -> Result<Document> {
        let loaded = self.read()?;
        if let Some(from) = loaded.migrated_from {
            output::complain(&format!(
                "{} is in the form of version {from}; `eddy migrate` updates it",
                self.preset.display()
            ));
        }
        let mut document = loaded.document;
        if let Some(id) = method {
            use_method(&mut document, id)?;
        }
        for change in &self.changes {
            apply(&mut document, change)?;
        }
        if let Some(seed) = self.seed {
            document.scene.seed = seed;
        }
        fits(&document)?;
        Ok(document)
    }

    /// Reads the file or, where there is none and one is called so, a preset that comes with Eddy.
    fn read(&self) -> std::result::Result<Loaded, LoadError> {
        let named = match self.preset.exists() {
            true => None,
            false => self.preset.to_str().and_then(presets::named),
        };
        match named {
            Some(text) => document::parse(text, self.preset.clone()),
            None => document::load(&self.preset),
        }
    }

    /// A problem of the document, at its place in the file where what is wrong stands there, and not in an argument.
    pub fn located(&self, document: &Document, problem: &Problem) -> String {
        let plain = format!("{}: {}", problem.path, problem.message);
        let within = |d: &Document| -> Vec<_> {
            let entries = params::entries(d).into_iter();
            let inside = |path: &str| {
                let rest = path.strip_prefix(problem.path.as_str());
                rest.is_some_and(|r| r.is_empty() || r.starts_with('.'))
            };
            entries
                .filter(|e| inside(&e.path))
                .map(|e| (e.path, e.value))
                .collect()
        };
        let Ok(loaded) = self.read() else {
            return plain;
        };
        let here = within(document);
        if here.is_empty() || here != within(&loaded.document) {
            return plain;
        }
        match document::load_with(&self.preset, &|_| vec![problem.clone()]) {
            Err(located) => located.to_string(),
            Ok(_) => plain,
        }
    }

    /// Why a simulation stopped; pictures that cannot be loaded with the place where they are named.
    pub fn explain(&self, document: &Document, fault: &Fault) -> Error {
        let problems = match fault {
            Fault::Scene(_) => picture_problems(document, self.base()),
            _ => Vec::new(),
        };
        if problems.is_empty() {
            return Error::Failed(fault.to_string());
        }
        let lines: Vec<String> = problems.iter().map(|p| self.located(document, p)).collect();
        Error::Failed(lines.join("\n"))
    }

    /// The folder in which relative paths of the preset begin.
    pub fn base(&self) -> &Path {
        self.preset.parent().unwrap_or(Path::new(""))
    }
}

/// The pictures of a document that cannot be loaded.
pub fn picture_problems(document: &Document, base: &Path) -> Vec<Problem> {
    let (_, problems) = Masks::load_what_can(&document.scene, base);
    let in_scene = |p: Problem| Problem {
        path: format!("scene.{}", p.path),
        message: p.message,
    };
    problems.into_iter().map(in_scene).collect()
}

/// What is wrong with the field that the document shows.
pub fn field_problem(document: &Document) -> Option<Problem> {
    let (fields, shown) = (document.method.info().fields, &document.view.field);
    if fields.iter().any(|f| f.name == shown) {
        return None;
    }
    let names: Vec<&str> = fields.iter().map(|f| f.name).collect();
    Some(Problem {
        path: "view.field".to_owned(),
        message: format!(
            "there is no field \"{shown}\"; there are {}",
            names.join(", ")
        ),
    })
}

/// Refuses changes that do not fit together.
pub fn fits(document: &Document) -> Result {
    document::fits(document).map_err(Error::Usage)
}

/// Where the only texture of a document names its fields.
const CHANNELS: [&str; 4] = [
    "bake.outputs.0.red",
    "bake.outputs.0.green",
    "bake.outputs.0.blue",
    "bake.outputs.0.alpha",
];

/// Gives the document another method with its default parameters; the one that it has stays as it is. What the document shows
/// and bakes of fields that the method does not have is left out, and that is said.
fn use_method(document: &mut Document, id: &str) -> Result {
    if document.method.info().id == id {
        return Ok(());
    }
    document::use_method(document, id).map_err(Error::Usage)?;
    document.drop_lost_tracks();
    let info = document.method.info();
    let missing = field_problem(document).is_some();
    if let (true, Some(first)) = (missing, info.fields.first()) {
        let instead = first.name.to_owned();
        let shown = std::mem::replace(&mut document.view.field, instead);
        output::complain(&format!(
            "{} has no field \"{shown}\"; \"{}\" is shown instead",
            info.title, first.name
        ));
    }
    for texture in std::mem::take(&mut document.bake.outputs) {
        let mut alone = document.clone();
        alone.bake.outputs = vec![texture.clone()];
        let problems = crate::bake::problems(&alone).into_iter();
        let mut own = problems.filter(|p| CHANNELS.contains(&p.path.as_str()));
        match own.next() {
            Some(problem) => output::complain(&format!(
                "the texture \"{}\" is left out: {}",
                texture.name, problem.message
            )),
            None => document.bake.outputs.push(texture),
        }
    }
    Ok(())
}

/// Makes a change `PATH=VALUE`.
pub fn apply(document: &mut Document, change: &str) -> Result {
    let (path, value) = change
        .split_once('=')
        .ok_or_else(|| Error::Usage(format!("\"{change}\" is no change; expected PATH=VALUE")))?;
    document::set_by_name(document, path.trim(), value).map_err(Error::Usage)
}

/// Reads an amount of memory in MiB.
fn parse_memory(text: &str) -> std::result::Result<u64, String> {
    text.trim().parse().map_err(|_| {
        format!("\"{text}\" is no amount of memory; expected MiB, a whole number such as 4096")
    })
}

/// Reads `A..B` (B not included) or `N`, which is `0..N`.
pub fn parse_frames(text: &str) -> std::result::Result<Range<u32>, String> {
    let number = |t: &str| {
        t.trim()
            .parse::<u32>()
            .map_err(|_| format!("\"{t}\" is no frame number"))
    };
    let range = match text.split_once("..") {
        Some((a, b)) => number(a)?..number(b)?,
        None => 0..number(text)?,
    };
    if range.is_empty() {
        return Err("there is no frame in that range; expected A..B with A before B".to_owned());
    }
    Ok(range)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// A preset of one method is shown and baked by another one as far as that has the fields.
    #[test]
    fn another_method_leaves_out_the_fields_that_it_lacks() {
        for method in crate::solvers::METHODS {
            for (i, preset) in presets::all().iter().enumerate() {
                let mut document = presets::document(i).unwrap();
                use_method(&mut document, method.id).unwrap();
                let what = format!("{} by {}", preset.id, method.id);
                assert_eq!(field_problem(&document), None, "{what}");
                assert_eq!(crate::bake::problems(&document), [], "{what}");
            }
        }
    }

    #[test]
    fn frames_and_changes_are_read() {
        assert_eq!(parse_frames("3..7"), Ok(3..7));
        assert_eq!(parse_frames("7"), Ok(0..7));
        for bad in ["", "7..3", "3..3", "a..b", "-1..4", "0"] {
            assert!(parse_frames(bad).is_err(), "{bad}");
        }
        let mut d = Document::default();
        apply(&mut d, "time.cfl=2").unwrap();
        apply(&mut d, "method.cooling = 0.5").unwrap();
        assert_eq!(
            params::get(&d, "method.cooling"),
            Some(params::Value::Float(0.5))
        );
        apply(&mut d, "cooling=0.25").unwrap();
        assert_eq!(
            params::get(&d, "method.cooling"),
            Some(params::Value::Float(0.25))
        );
        apply(&mut d, "pressure=gauss_seidel").unwrap();
        for bad in [
            "cooling",
            "cooling=x",
            "cooling=-1",
            "coolin=1",
            "time.cfl=NaN",
            "=1",
        ] {
            assert!(matches!(apply(&mut d, bad), Err(Error::Usage(_))), "{bad}");
        }
    }
}
