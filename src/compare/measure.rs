//! The numbers of a way.

/// A number of each way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Snake case, as in JSON.
    pub name: &'static str,
    /// As in the table of the command line.
    pub title: &'static str,
}

const fn column(name: &'static str, title: &'static str) -> Column {
    Column { name, title }
}

/// The numbers of a way, in order.
pub const COLUMNS: [Column; 9] = [
    column("ms_per_frame", "ms/frame"),
    column("solve_ms", "solve ms"),
    column("iterations", "iterations"),
    column("residual_l2_before", "residual before"),
    column("residual_l2", "after"),
    column("residual_linf", "largest"),
    column("divergence_linf", "divergence"),
    column("dye_difference_l2", "Δ dye"),
    column("velocity_difference_l2", "Δ velocity"),
];

/// What came of a way.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What makes it.
    pub id: String,
    /// As shown.
    pub label: String,
    /// In the order of [`COLUMNS`]; what there is not is none.
    pub values: [Option<f64>; COLUMNS.len()],
    /// Their units, as far as they have one.
    pub units: [&'static str; COLUMNS.len()],
    /// Root mean square of the residual that a guess of zero has, or of the guess that was made where that is larger: what
    /// there was to solve for in the last frame.
    pub brought: Option<f64>,
    /// Memory of its simulation; none where it did not come to its end.
    pub memory_bytes: Option<u64>,
    /// Why it did not come to its end. There are no numbers then.
    pub error: Option<String>,
}

impl Row {
    /// A way that did not come to its end.
    pub(super) fn failed(id: &str, label: &str, error: String) -> Self {
        Self {
            id: id.to_owned(),
            label: label.to_owned(),
            values: [None; COLUMNS.len()],
            units: [""; COLUMNS.len()],
            brought: None,
            memory_bytes: None,
            error: Some(error),
        }
    }
    /// The number in the column of that name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.values[position(name)?]
    }
    /// The unit of the column of that name.
    pub fn unit(&self, name: &str) -> &'static str {
        position(name).map_or("", |i| self.units[i])
    }
}

fn position(name: &str) -> Option<usize> {
    COLUMNS.iter().position(|c| c.name == name)
}

/// What the ways are measured against.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Its own numbers; it differs from itself by nothing.
    pub row: Row,
    /// What it is, in words.
    pub words: String,
    /// Root mean square of its dye.
    pub dye_rms: Option<f64>,
    /// Root mean square of its velocity.
    pub velocity_rms: Option<f64>,
}

impl Reference {
    /// Of which nothing is known.
    pub fn unknown() -> Self {
        Self {
            row: Row::failed("reference", "reference", String::new()),
            words: String::new(),
            dye_rms: None,
            velocity_rms: None,
        }
    }
}
