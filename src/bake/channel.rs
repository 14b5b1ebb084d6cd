//! Channel expressions: `velocity.x`, `dye.length`, `pressure`, `0.5`.

use crate::field::{FieldDesc, RangeHint};

/// Where the values of a channel come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Source {
    /// The same everywhere.
    Constant(f32),
    /// A component of a field; component 0 of a scalar.
    Component(FieldDesc, u32),
    /// The Euclidean length of a vector or colour.
    Length(FieldDesc),
}

/// How the values of a channel lie about zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Both signs: the range is symmetric.
    Both,
    /// From zero up, or whatever there is.
    Positive,
    /// Between zero and one.
    Unit,
    /// Of either sign, and zero means nothing: from the least to the greatest.
    Level,
    /// Parts of a direction: from minus one to one.
    Direction,
}

impl Sign {
    /// Whether a zero has to be placed between two equal halves.
    pub fn both(self) -> bool {
        matches!(self, Self::Both | Self::Direction)
    }
}

impl Source {
    /// Reads an expression; `None` where it is empty.
    ///
    /// # Errors
    /// What is wrong, with the names that there are.
    pub fn parse(text: &str, fields: &[FieldDesc]) -> Result<Option<Self>, String> {
        let text = text.trim();
        if text.is_empty() {
            return Ok(None);
        }
        if let Ok(value) = text.parse::<f32>() {
            return if value.is_finite() {
                Ok(Some(Self::Constant(value)))
            } else {
                Err(format!("{text} is not a finite number"))
            };
        }
        let (name, suffix) = match text.split_once('.') {
            Some((name, suffix)) => (name.trim_end(), Some(suffix.trim_start())),
            None => (text, None),
        };
        let Some(desc) = fields.iter().find(|f| f.name == name) else {
            let names: Vec<_> = fields.iter().map(|f| f.name).collect();
            return Err(format!(
                "there is no field `{name}`; this method has {}",
                names.join(", ")
            ));
        };
        Self::component(*desc, suffix).map(Some)
    }

    fn component(desc: FieldDesc, suffix: Option<&str>) -> Result<Self, String> {
        let name = desc.name;
        let known = ["x", "y", "z"];
        let list = || {
            let mut list: Vec<_> = known[..desc.components.min(3) as usize]
                .iter()
                .map(|c| format!("{name}.{c}"))
                .collect();
            list.push(format!("{name}.length"));
            list.join(", ")
        };
        let Some(suffix) = suffix else {
            return if desc.components == 1 {
                Ok(Self::Component(desc, 0))
            } else {
                Err(format!(
                    "{name} has {} components; choose one of {}",
                    desc.components,
                    list()
                ))
            };
        };
        if desc.components == 1 {
            return Err(format!("{name} is a single number; write `{name}`"));
        }
        if suffix == "length" {
            return Ok(Self::Length(desc));
        }
        let index = known
            .iter()
            .position(|c| *c == suffix)
            .or_else(|| ["r", "g", "b"].iter().position(|c| *c == suffix));
        match index {
            Some(i) if (i as u32) < desc.components => Ok(Self::Component(desc, i as u32)),
            _ => Err(format!(
                "{name} has no `.{suffix}`; choose one of {}",
                list()
            )),
        }
    }

    /// The field that is read.
    pub fn field(&self) -> Option<&FieldDesc> {
        match self {
            Self::Constant(_) => None,
            Self::Component(desc, _) | Self::Length(desc) => Some(desc),
        }
    }
    /// Whether it belongs to a vector with a direction, as opposed to a scalar or a colour.
    pub fn is_vector(&self) -> bool {
        self.field()
            .is_some_and(|d| d.components > 1 && d.range != RangeHint::Color)
    }
    /// Whether it is part of a colour, to which a colour space applies.
    pub fn is_color(&self) -> bool {
        matches!(self, Self::Component(d, _) if d.range == RangeHint::Color)
    }
    /// How the values lie about zero.
    pub fn sign(&self) -> Sign {
        match self {
            Self::Constant(_) => Sign::Unit,
            Self::Length(_) => Sign::Positive,
            Self::Component(desc, _) => match desc.range {
                RangeHint::Signed => Sign::Both,
                RangeHint::Unit => Sign::Unit,
                RangeHint::Level => Sign::Level,
                RangeHint::Direction => Sign::Direction,
                RangeHint::Positive | RangeHint::Color => Sign::Positive,
            },
        }
    }
    /// The expression in its canonical form.
    pub fn expression(&self) -> String {
        match self {
            Self::Constant(value) => value.to_string(),
            Self::Length(desc) => format!("{}.length", desc.name),
            Self::Component(desc, _) if desc.components == 1 => desc.name.to_owned(),
            Self::Component(desc, i) => {
                format!("{}.{}", desc.name, ["x", "y", "z"][*i as usize % 3])
            }
        }
    }
}
