//! Parameters as a flat list of groups and leaves, taken from a part of the document.

use crate::document::Document;
use crate::params::{Group, Params, Slot, Spec, Value, Visitor, label_from_name};
use crate::scene::Scene;

/// A leaf or the border of a group.
#[derive(Clone, Debug)]
pub enum Node {
    /// A group begins.
    Open {
        /// Dotted path in the document.
        path: String,
        /// As shown.
        label: String,
        /// What it is about.
        doc: &'static str,
    },
    /// A parameter.
    Leaf {
        /// Dotted path in the document.
        path: String,
        /// What is known about it.
        spec: Box<Spec>,
        /// What it holds.
        value: Value,
    },
    /// The group that began last ends.
    Close,
}

struct Collect<'a> {
    path: Vec<String>,
    hidden: &'a dyn Fn(&str) -> bool,
    skipped: usize,
    nodes: Vec<Node>,
}

impl Collect<'_> {
    fn joined(&self, name: &str) -> String {
        let mut path = self.path.join(".");
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(name);
        path
    }
}

impl Visitor for Collect<'_> {
    fn leaf(&mut self, spec: &Spec, slot: Slot<'_>) {
        let path = self.joined(spec.name);
        if !(self.hidden)(&path) {
            self.nodes.push(Node::Leaf {
                path,
                spec: Box::new(spec.clone()),
                value: slot.value(),
            });
        }
    }
    fn open(&mut self, group: &Group) -> bool {
        let path = self.joined(&group.name);
        if self.skipped > 0 || (self.hidden)(&path) {
            self.skipped += 1;
            return false;
        }
        let label = match group.name.parse::<usize>() {
            Ok(i) => format!("{}", i + 1),
            Err(_) => label_from_name(&group.name),
        };
        self.path.push(group.name.to_string());
        self.nodes.push(Node::Open {
            path,
            label,
            doc: group.doc,
        });
        true
    }
    fn close(&mut self) {
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        self.path.pop();
        self.nodes.push(Node::Close);
    }
}

/// The parameters of the part of a document that stands at `path`, without those that are hidden; nothing where there is
/// no such part. `scene` stands for what is not in one of its lists, the empty path for name and description.
pub fn collect(document: &Document, path: &str, hidden: &dyn Fn(&str) -> bool) -> Vec<Node> {
    let Some(mut part) = part(document, path) else {
        return Vec::new();
    };
    let mut visitor = Collect {
        path: path
            .split('.')
            .filter(|step| !step.is_empty())
            .map(str::to_owned)
            .collect(),
        hidden,
        skipped: 0,
        nodes: Vec::new(),
    };
    part.visit(&mut visitor);
    visitor.nodes
}

crate::params! {
    /// What a document says about itself.
    pub struct About {
        /// Name of the look.
        live name: String = String::from("Untitled");
        /// What it shows and what to try.
        live description: String = String::new();
    }
}

/// A copy of a part: a visitor needs a place to write to, and the document is shared.
fn part(document: &Document, path: &str) -> Option<Box<dyn Params>> {
    fn item<P: Params + Clone + 'static>(list: &[P], index: &str) -> Option<Box<dyn Params>> {
        let item: &P = list.get(index.parse::<usize>().ok()?)?;
        Some(Box::new(item.clone()))
    }
    let scene = &document.scene;
    let steps: Vec<&str> = path.split('.').collect();
    match steps.as_slice() {
        [""] => Some(Box::new(About {
            name: document.name.clone(),
            description: document.description.clone(),
        })),
        ["method"] => Some(Box::new(document.method.clone())),
        ["time"] => Some(Box::new(document.time.clone())),
        ["view"] => Some(Box::new(document.view.clone())),
        ["bake"] => Some(Box::new(document.bake.clone())),
        ["scene"] => Some(Box::new(Scene {
            domain: scene.domain.clone(),
            environment: scene.environment.clone(),
            seed: scene.seed,
            ..Scene::default()
        })),
        ["scene", "domain"] => Some(Box::new(scene.domain.clone())),
        ["scene", "environment"] => Some(Box::new(scene.environment.clone())),
        ["scene", "emitters", i] => item(&scene.emitters, i),
        ["scene", "obstacles", i] => item(&scene.obstacles, i),
        ["scene", "terrain", i] => item(&scene.terrain, i),
        ["scene", "motors", i] => item(&scene.motors, i),
        ["scene", "strokes", i] => item(&scene.strokes, i),
        ["animation", "tracks", i] => item(&document.animation.tracks, i),
        ["animation", "tracks", i, rest @ ..] => {
            let track = document.animation.tracks.get(i.parse::<usize>().ok()?)?;
            match rest {
                ["keys", k] => item(&track.keys, k),
                ["modulator"] => Some(Box::new(track.modulator.clone())),
                ["modulator", "wave"] => Some(Box::new(track.modulator.wave.clone())),
                _ => None,
            }
        }
        ["bake", "outputs", i] => item(&document.bake.outputs, i),
        _ => None,
    }
}

/// The position of the `Close` that ends the group that opens at `open`.
pub fn end(nodes: &[Node], open: usize) -> usize {
    let mut depth = 0;
    for (i, node) in nodes.iter().enumerate().skip(open) {
        match node {
            Node::Open { .. } => depth += 1,
            Node::Close => {
                depth -= 1;
                if depth == 0 {
                    return i;
                }
            }
            Node::Leaf { .. } => {}
        }
    }
    nodes.len()
}

/// How many leaves differ from their default.
pub fn changed(nodes: &[Node]) -> usize {
    nodes
        .iter()
        .filter(|n| matches!(n, Node::Leaf { spec, value, .. } if *value != spec.default))
        .count()
}

/// Leaves whose name, explanation or path holds every word of the query, with the groups around them.
pub fn matching(nodes: &[Node], query: &str) -> Vec<Node> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let hit = |text: &str| words.iter().all(|w| text.contains(w));
    let mut out = Vec::new();
    let mut whole_group: usize = 0;
    for node in nodes {
        match node {
            Node::Open { label, .. } => {
                if whole_group > 0 || hit(&label.to_lowercase()) {
                    whole_group += 1;
                }
                out.push(node.clone());
            }
            Node::Leaf { path, spec, .. } => {
                let text = format!("{path} {} {}", spec.label(), spec.doc).to_lowercase();
                if whole_group > 0 || hit(&text) {
                    out.push(node.clone());
                }
            }
            Node::Close => {
                whole_group = whole_group.saturating_sub(1);
                match out.last() {
                    Some(Node::Open { .. }) => {
                        out.pop();
                    }
                    _ => out.push(Node::Close),
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_and_searched() {
        let document = Document::default();
        let nodes = collect(&document, "scene", &|path| path.ends_with("front"));
        let paths: Vec<&str> = nodes
            .iter()
            .filter_map(|n| match n {
                Node::Leaf { path, .. } => Some(path.as_str()),
                _ => None,
            })
            .collect();
        assert!(paths.contains(&"scene.domain.width"));
        assert!(paths.contains(&"scene.domain.back.condition"));
        assert!(!paths.iter().any(|p| p.contains("front")));
        assert_eq!(changed(&nodes), 0);
        let opens = nodes
            .iter()
            .filter(|n| matches!(n, Node::Open { .. }))
            .count();
        let closes = nodes.iter().filter(|n| matches!(n, Node::Close)).count();
        assert_eq!(opens, closes);

        let found = matching(&nodes, "gravity");
        assert!(
            found.iter().any(
                |n| matches!(n, Node::Leaf { path, .. } if path == "scene.environment.gravity")
            )
        );
        assert!(
            !found
                .iter()
                .any(|n| matches!(n, Node::Leaf { path, .. } if path == "scene.domain.width"))
        );
        assert!(collect(&document, "scene.emitters.7", &|_| false).is_empty());
    }
}
