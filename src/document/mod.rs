//! A document: scene, method, time, animation, view and bake, in one readable RON file.

pub mod animation;
mod bake;
mod by_name;
mod check;
mod error;
mod io;
mod layout;
mod migrate;
pub mod names;
pub mod recovery;
mod replace;
mod scan;
mod sizes;
pub mod target;
mod time;
mod view;

pub use animation::Animation;
pub use bake::{
    BakeSettings, ColorSpace, Encoding, Engine, Layout, Looping, Output, RangeMode, Spare,
    VectorBlend, Zero,
};
pub use by_name::{fits, found_by_name, set_by_name, use_method};
pub use check::problems;
pub use error::{Issue, LoadError, printable};
pub use io::{Loaded, MAX_FILE_BYTES, load, load_file, load_with, parse, save, to_ron};
pub(crate) use replace::replace_file;
pub use time::TimeSettings;
pub use view::{ColorMap, INK_DENSITY, INK_GREY, ViewSettings};

use crate::params::{Effect, Group, Params, Slot, Spec, Value, ValueKind, Visitor};
use crate::scene::Scene;
use crate::solvers::MethodParams;

/// The version that this Eddy writes.
pub const VERSION: u32 = 1;

/// Everything that is saved.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Document {
    /// Version of the form in which it was written.
    pub version: u32,
    /// Name of the look.
    pub name: String,
    /// What it shows and what to try.
    pub description: String,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// What is simulated.
    pub scene: Scene,
    /// How it is simulated.
    pub method: MethodParams,
    /// Frame rate, range, warm-up, sub-steps.
    pub time: TimeSettings,
    /// What changes with time.
    #[serde(skip_serializing_if = "Animation::is_empty")]
    pub animation: Animation,
    /// What the viewport shows.
    pub view: ViewSettings,
    /// What is exported.
    pub bake: BakeSettings,
}

impl Default for Document {
    fn default() -> Self {
        Self {
            version: VERSION,
            name: "Untitled".to_owned(),
            description: String::new(),
            tags: Vec::new(),
            scene: Scene::default(),
            method: MethodParams::default(),
            time: TimeSettings::default(),
            animation: Animation::default(),
            view: ViewSettings::default(),
            bake: BakeSettings::default(),
        }
    }
}

impl Document {
    /// The same without what was painted, which can be long: the rest is copied often.
    pub fn without_strokes(&self) -> Self {
        let scene = &self.scene;
        Self {
            version: self.version,
            name: self.name.clone(),
            description: self.description.clone(),
            tags: self.tags.clone(),
            scene: Scene {
                domain: scene.domain.clone(),
                environment: scene.environment.clone(),
                emitters: scene.emitters.clone(),
                obstacles: scene.obstacles.clone(),
                terrain: scene.terrain.clone(),
                motors: scene.motors.clone(),
                strokes: Vec::new(),
                seed: scene.seed,
            },
            method: self.method.clone(),
            time: self.time.clone(),
            animation: self.animation.clone(),
            view: self.view.clone(),
            bake: self.bake.clone(),
        }
    }
    /// Bytes that the buffers of its method take at its size, to be asked for before it runs.
    pub fn memory_bytes(&self) -> u64 {
        self.method.memory_bytes(&self.scene.domain.grid())
    }
}

impl Params for Document {
    fn visit(&mut self, visitor: &mut dyn Visitor) {
        let text = |name, doc, value: &str| {
            Spec::new(
                name,
                doc,
                Effect::Live,
                ValueKind::Text,
                Value::Text(value.to_owned()),
            )
        };
        visitor.leaf(
            &text("name", "Name of the look.", "Untitled"),
            Slot::Text(&mut self.name),
        );
        visitor.leaf(
            &text("description", "What it shows and what to try.", ""),
            Slot::Text(&mut self.description),
        );
        let groups: [(&'static str, &'static str, &mut dyn Params); 6] = [
            ("scene", "What is simulated.", &mut self.scene),
            ("method", "How it is simulated.", &mut self.method),
            (
                "time",
                "Frame rate, range, warm-up, sub-steps.",
                &mut self.time,
            ),
            ("animation", "What changes with time.", &mut self.animation),
            ("view", "What the viewport shows.", &mut self.view),
            ("bake", "What is exported.", &mut self.bake),
        ];
        for (name, doc, group) in groups {
            if visitor.open(&Group::new(name, doc)) {
                group.visit(visitor);
            }
            visitor.close();
        }
    }
}

#[cfg(test)]
mod tests;
