//! What is known about one parameter.

use std::borrow::Cow;
use std::ops::{Bound, RangeBounds};

/// What a change of the parameter does to a running simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Used from the next step on.
    Live,
    /// The simulation starts again.
    Restart,
}

/// A name as it stands in files, with what is shown for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// As in documents and on the command line.
    pub name: &'static str,
    /// What it means, in a sentence or two.
    pub doc: &'static str,
}

/// The kind of a leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueKind {
    /// A real number.
    Float,
    /// A whole number, not negative.
    Int,
    /// Yes or no.
    Bool,
    /// A pair, x then y.
    Vec2,
    /// A triple: x, y, z or linear red, green, blue.
    Vec3,
    /// Free text.
    Text,
    /// One of some alternatives.
    Choice(&'static [Label]),
}

/// A value on its own.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A real number.
    Float(f32),
    /// A whole number.
    Int(u32),
    /// Yes or no.
    Bool(bool),
    /// A pair.
    Vec2([f32; 2]),
    /// A triple.
    Vec3([f32; 3]),
    /// Free text.
    Text(String),
    /// An alternative, by name.
    Choice(String),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Float(v) => write!(f, "{v}"),
            Self::Int(v) => write!(f, "{v}"),
            Self::Bool(v) => write!(f, "{v}"),
            Self::Vec2(v) => write!(f, "({}, {})", v[0], v[1]),
            Self::Vec3(v) => write!(f, "({}, {}, {})", v[0], v[1], v[2]),
            Self::Text(v) => write!(f, "{v:?}"),
            Self::Choice(v) => write!(f, "{v}"),
        }
    }
}

/// Where a visitor reads and writes a leaf.
#[derive(Debug)]
pub enum Slot<'a> {
    /// A real number.
    Float(&'a mut f32),
    /// A whole number.
    Int(&'a mut u32),
    /// Yes or no.
    Bool(&'a mut bool),
    /// A pair.
    Vec2(&'a mut [f32; 2]),
    /// A triple.
    Vec3(&'a mut [f32; 3]),
    /// Free text.
    Text(&'a mut String),
    /// An alternative by its position.
    Choice {
        /// Position in `options`.
        index: &'a mut usize,
        /// The alternatives.
        options: &'static [Label],
    },
}

impl Slot<'_> {
    /// The value it holds.
    pub fn value(&self) -> Value {
        match self {
            Slot::Float(v) => Value::Float(**v),
            Slot::Int(v) => Value::Int(**v),
            Slot::Bool(v) => Value::Bool(**v),
            Slot::Vec2(v) => Value::Vec2(**v),
            Slot::Vec3(v) => Value::Vec3(**v),
            Slot::Text(v) => Value::Text((**v).clone()),
            Slot::Choice { index, options } => Value::Choice(options[**index].name.to_owned()),
        }
    }
}

/// A group of parameters, an item of a list, or the chosen alternative of a [`variants!`](crate::variants!) enum.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Path element.
    pub name: Cow<'static, str>,
    /// What the group is about.
    pub doc: &'static str,
}

impl Group {
    /// A named group.
    pub const fn new(name: &'static str, doc: &'static str) -> Self {
        Self {
            name: Cow::Borrowed(name),
            doc,
        }
    }
    /// The item at `index` of a list.
    pub fn item(index: usize) -> Self {
        Self {
            name: Cow::Owned(index.to_string()),
            doc: "",
        }
    }
}

/// One parameter: name, meaning, unit, limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Path element, snake case.
    pub name: &'static str,
    /// What one sees when it changes.
    pub doc: &'static str,
    /// SI unit, or empty.
    pub unit: &'static str,
    /// Live or restart.
    pub effect: Effect,
    /// Kind of the leaf.
    pub kind: ValueKind,
    /// The value that it has when nothing is said.
    pub default: Value,
    /// What is refused outside (inclusive; infinite where open). Applies to every component.
    pub hard: [f32; 2],
    /// The reach of the slider, inside `hard`.
    pub soft: [f32; 2],
    /// Whether equal ratios take equal room on the slider.
    pub log: bool,
    /// Whether it is hidden until "advanced" is asked for.
    pub advanced: bool,
    /// Whether a triple is a linear RGB colour.
    pub color: bool,
}

impl Spec {
    /// A parameter with no limits. The builder methods below add them.
    pub fn new(
        name: &'static str,
        doc: &'static str,
        effect: Effect,
        kind: ValueKind,
        default: Value,
    ) -> Self {
        let open = [f32::NEG_INFINITY, f32::INFINITY];
        let hard = if kind == ValueKind::Int {
            [0.0, u32::MAX as f32]
        } else {
            open
        };
        Self {
            name,
            doc,
            unit: "",
            effect,
            kind,
            default,
            hard,
            soft: hard,
            log: false,
            advanced: false,
            color: false,
        }
    }
    /// Sets what is accepted; the slider follows until `soft` is called.
    pub fn hard<T: Bounded>(mut self, range: impl RangeBounds<T>) -> Self {
        self.hard = limits(&range);
        self.soft = self.hard;
        self
    }
    /// Sets the reach of the slider.
    pub fn soft<T: Bounded>(mut self, range: impl RangeBounds<T>) -> Self {
        self.soft = limits(&range);
        self
    }
    /// A logarithmic slider.
    pub fn log(mut self) -> Self {
        self.log = true;
        self
    }
    /// Sets the unit.
    pub fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }
    /// Hides it among the advanced ones.
    pub fn advanced(mut self) -> Self {
        self.advanced = true;
        self
    }
    /// Marks a triple as a colour.
    pub fn color(mut self) -> Self {
        self.color = true;
        self
    }
    /// "vorticity_confinement" → "Vorticity confinement".
    pub fn label(&self) -> String {
        label_from_name(self.name)
    }
}

/// Names that are written in a way of their own, with how people write them.
const SPELLINGS: &[(&str, &str)] = &[
    ("MacCormack", "MacCormack"),
    ("Bfecc", "BFECC"),
    ("ForwardReverse", "Forward and reverse"),
    ("Rk1", "RK1 (Euler)"),
    ("Rk2", "RK2 (midpoint)"),
    ("Rk3", "RK3 (Ralston)"),
    ("GaussSeidel", "Gauss–Seidel"),
    ("Sor", "SOR"),
    ("Pcg", "Conjugate gradients"),
    ("RedBlackSweep", "Red–black sweep"),
    ("RedBlackSweeps", "Red–black sweeps"),
    ("Png8", "PNG, 8 bit"),
    ("Png16", "PNG, 16 bit"),
    ("ExrHalf", "OpenEXR, half"),
    ("ExrFloat", "OpenEXR, float"),
    ("Srgb", "sRGB"),
    ("NoSlip", "No-slip"),
    ("FreeSlip", "Free-slip"),
    ("cfl", "CFL limit"),
];

/// Turns a snake-case or camel-case name into words: "vorticity_confinement" → "Vorticity confinement".
pub fn label_from_name(name: &str) -> String {
    if let Some((_, spelling)) = SPELLINGS.iter().find(|(n, _)| *n == name) {
        return (*spelling).to_owned();
    }
    let mut out = String::with_capacity(name.len() + 4);
    for (i, c) in name.chars().enumerate() {
        match c {
            '_' => out.push(' '),
            _ if i == 0 => out.extend(c.to_uppercase()),
            _ if c.is_uppercase() => {
                out.push(' ');
                out.extend(c.to_lowercase());
            }
            _ => out.push(c),
        }
    }
    out
}

/// Numbers that can bound a range in a declaration.
pub trait Bounded: Copy {
    /// As a limit.
    fn limit(self) -> f32;
    /// The nearest value below.
    fn below(self) -> f32;
}
impl Bounded for f32 {
    fn limit(self) -> f32 {
        self
    }
    fn below(self) -> f32 {
        self.next_down()
    }
}
impl Bounded for u32 {
    fn limit(self) -> f32 {
        self as f32
    }
    fn below(self) -> f32 {
        self as f32 - 1.0
    }
}

fn limits<T: Bounded>(range: &impl RangeBounds<T>) -> [f32; 2] {
    let low = match range.start_bound() {
        Bound::Included(v) | Bound::Excluded(v) => v.limit(),
        Bound::Unbounded => f32::NEG_INFINITY,
    };
    let high = match range.end_bound() {
        Bound::Included(v) => v.limit(),
        Bound::Excluded(v) => v.below(),
        Bound::Unbounded => f32::INFINITY,
    };
    [low, high]
}
