//! The names of all files of a bake, known before anything is simulated.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::plan::{OutputPlan, Plan};
use super::{BakeError, Sidecar, names};
use crate::document::names::folded;
use crate::document::{Encoding, Layout};

/// The names of an output's textures.
#[derive(Clone, Debug, PartialEq)]
pub enum Files {
    /// A single file.
    One(String),
    /// One file a frame: `stem_0000.ending`.
    Numbered {
        /// What stands before the number.
        stem: String,
        /// Digits of the number.
        digits: usize,
        /// The frames.
        frames: Range<u32>,
        /// What stands after the dot.
        ending: &'static str,
    },
}

impl Files {
    /// Of an output with that stem.
    pub fn new(
        stem: &str,
        layout: Layout,
        sheet: Option<[u32; 2]>,
        frames: &Range<u32>,
        ending: &'static str,
    ) -> Self {
        match (layout, sheet) {
            (Layout::Sequence, _) => Self::Numbered {
                stem: stem.to_owned(),
                digits: names::digits(frames.end.saturating_sub(1)),
                frames: frames.clone(),
                ending,
            },
            (_, Some([columns, rows])) => Self::One(format!("{stem}_{columns}x{rows}.{ending}")),
            (_, None) => Self::One(format!("{stem}.{ending}")),
        }
    }

    /// The file of a frame.
    pub fn name(&self, frame: u32) -> String {
        match self {
            Self::One(name) => name.clone(),
            Self::Numbered {
                stem,
                digits,
                ending,
                ..
            } => format!("{stem}_{frame:0digits$}.{ending}"),
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        match self {
            Self::One(_) => 1,
            Self::Numbered { frames, .. } => frames.len() as u64,
        }
    }

    /// Whether one of them is called so, in whatever case.
    fn holds(&self, name: &str) -> bool {
        let name = folded(name);
        match self {
            Self::One(own) => folded(own) == name,
            Self::Numbered {
                stem,
                digits,
                frames,
                ending,
            } => {
                let number = name
                    .strip_prefix(&folded(stem))
                    .and_then(|n| n.strip_prefix('_'));
                let number = number
                    .and_then(|n| n.strip_suffix(ending))
                    .and_then(|n| n.strip_suffix('.'));
                number
                    .filter(|n| n.len() == *digits && n.bytes().all(|b| b.is_ascii_digit()))
                    .and_then(|n| n.parse().ok())
                    .is_some_and(|n| frames.contains(&n))
            }
        }
    }
}

/// The description beside raw numbers.
pub fn raw_description(output: &OutputPlan) -> Option<String> {
    (output.encoding == Encoding::Raw).then(|| format!("{}.json", output.stem))
}

/// Refuses a bake that could not put its files into `out`, or would replace what it is made from, before anything is
/// simulated for it.
///
/// # Errors
/// The first file in the way.
pub fn check_places(plan: &Plan, out: &Path, inputs: &[PathBuf]) -> Result<(), BakeError> {
    let inputs: Vec<PathBuf> = inputs
        .iter()
        .filter_map(|i| i.canonicalize().ok())
        .collect();
    for entry in std::fs::read_dir(out).into_iter().flatten().flatten() {
        if !is_of(plan, &entry.file_name().to_string_lossy()) {
            continue;
        }
        let path = entry.path();
        let Ok(found) = std::fs::metadata(&path) else {
            continue;
        };
        let message = if found.is_dir() {
            "is a folder where a file should go"
        } else if path.canonicalize().is_ok_and(|p| inputs.contains(&p)) {
            "is what this is baked from; choose another folder, or another name"
        } else if found.permissions().readonly() {
            "is write-protected"
        } else {
            continue;
        };
        return Err(BakeError::Io {
            path,
            message: message.to_owned(),
        });
    }
    Ok(())
}

/// The sidecar of an earlier bake in `out`, with the number of files there that it describes and this bake leaves as they
/// are; none where there are no such files.
pub fn left_behind(plan: &Plan, out: &Path) -> Option<(String, usize)> {
    let text = std::fs::read_to_string(out.join(plan.sidecar())).ok()?;
    // One that cannot be read describes nothing.
    let earlier = Sidecar::from_ron(&text).ok()?;
    let stays = |name: &String| !is_of(plan, name) && out.join(name).is_file();
    let count = earlier.files.iter().filter(|f| stays(&f.name)).count();
    (count > 0).then_some((text, count))
}

/// A name for the sidecar of an earlier bake under which nothing is kept yet.
pub fn spare_sidecar(plan: &Plan, out: &Path) -> String {
    let mut n = 1_u32;
    loop {
        let name = format!("{}.bake.{n}.ron", plan.slug);
        if std::fs::symlink_metadata(out.join(&name)).is_err() {
            return name;
        }
        n += 1;
    }
}

/// Whether a file of that name is one that the bake writes.
fn is_of(plan: &Plan, name: &str) -> bool {
    let word = |w: &String| folded(w) == folded(name);
    plan.words().iter().any(word)
        || plan
            .outputs
            .iter()
            .any(|o| o.files.holds(name) || raw_description(o).as_ref().is_some_and(word))
}

/// Refuses a bake in which two files would have the same name on some file system. Two sequences never share a name: the
/// number stands after the last underscore, and what stands before it differs.
///
/// # Errors
/// The later of two outputs, with the file and the output that has it already.
pub fn check(plan: &Plan) -> Result<(), BakeError> {
    let mut taken: HashMap<String, Option<usize>> = HashMap::new();
    for name in plan.words() {
        taken.insert(folded(&name), None);
    }
    for (index, output) in plan.outputs.iter().enumerate() {
        let textures = match &output.files {
            Files::One(name) => Some(name.clone()),
            Files::Numbered { .. } => None,
        };
        for name in raw_description(output).into_iter().chain(textures) {
            if let Some(owner) = taken.insert(folded(&name), Some(index)) {
                return Err(same(plan, index, owner, &name));
            }
            let numbered =
                |o: &OutputPlan| matches!(o.files, Files::Numbered { .. }) && o.files.holds(&name);
            if let Some(other) = plan.outputs.iter().position(numbered) {
                return Err(same(plan, index.max(other), Some(index.min(other)), &name));
            }
        }
    }
    Ok(())
}

fn same(plan: &Plan, index: usize, owner: Option<usize>, name: &str) -> BakeError {
    let output = &plan.outputs[index];
    let owner = match owner {
        Some(other) => format!(
            "output `{}` ({})",
            plan.outputs[other].name, plan.outputs[other].at
        ),
        None => "a file that every bake writes".to_owned(),
    };
    let message = format!(
        "`{}` would write {name}, and so would {owner}; rename one of the two",
        output.name
    );
    BakeError::setting(format!("{}.name", output.at), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_sequence_holds_is_what_it_names() {
        let files = Files::new("look_Dye", Layout::Sequence, None, &(8..12), "png");
        let named: Vec<_> = (8..12).map(|f| files.name(f)).collect();
        assert_eq!(named[0], "look_Dye_0008.png");
        assert_eq!(files.count(), 4);
        assert!(
            named
                .iter()
                .all(|n| files.holds(n) && files.holds(&n.to_uppercase()))
        );
        for other in [
            "look_dye_0007.png",
            "look_dye_0012.png",
            "look_dye_008.png",
            "look_dye_+008.png",
            "look_dye_0008.exr",
            "look_dye.png",
        ] {
            assert!(!files.holds(other), "{other}");
        }
        let long = Files::new("a", Layout::Sequence, None, &(0..20_000), "png");
        assert!(long.holds("a_00008.png") && !long.holds("a_0008.png"));
        assert_eq!(
            Files::new("a", Layout::Flipbook, Some([4, 2]), &(0..8), "png").name(0),
            "a_4x2.png"
        );
        assert_eq!(
            Files::new("a", Layout::Single, None, &(0..8), "exr").name(7),
            "a.exr"
        );
    }
}
