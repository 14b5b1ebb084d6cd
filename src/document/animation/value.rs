//! The value of a key: whatever a parameter can hold.

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::params::{Leaf, Slot, Value, ValueKind};

/// A value of any kind. In files a number, `(x, y, z)`, `true`, `false` or the name of an alternative in quotes; for
/// `--set` the same as text.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyValue {
    /// A number, whole or not.
    Number(f32),
    /// A pair.
    Pair([f32; 2]),
    /// A triple.
    Triple([f32; 3]),
    /// Yes or no.
    Flag(bool),
    /// The name of an alternative.
    Word(String),
}

impl KeyValue {
    /// That of a parameter; none for texts, which have nothing to be animated.
    pub fn of(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Float(v) => Self::Number(*v),
            Value::Int(v) => Self::Number(*v as f32),
            Value::Bool(v) => Self::Flag(*v),
            Value::Vec2(v) => Self::Pair(*v),
            Value::Vec3(v) => Self::Triple(*v),
            Value::Choice(v) => Self::Word(v.clone()),
            Value::Text(_) => return None,
        })
    }

    /// As a parameter of that kind would hold it; an error says what was expected.
    ///
    /// # Errors
    /// A value of another kind.
    pub fn as_kind(&self, kind: ValueKind) -> Result<Value, String> {
        let expected = |what: &str| Err(format!("expected {what}, found {self}"));
        match (kind, self) {
            (ValueKind::Float, Self::Number(v)) => Ok(Value::Float(*v)),
            (ValueKind::Int, Self::Number(v)) if v.fract() == 0.0 && *v >= 0.0 => {
                Ok(Value::Int(*v as u32))
            }
            (ValueKind::Bool, Self::Flag(v)) => Ok(Value::Bool(*v)),
            (ValueKind::Vec2, Self::Pair(v)) => Ok(Value::Vec2(*v)),
            (ValueKind::Vec3, Self::Triple(v)) => Ok(Value::Vec3(*v)),
            (ValueKind::Choice(options), Self::Word(v)) => {
                match options.iter().find(|o| o.name == v) {
                    Some(option) => Ok(Value::Choice(option.name.to_owned())),
                    None => {
                        let names: Vec<&str> = options.iter().map(|o| o.name).collect();
                        expected(&format!("one of {}", names.join(", ")))
                    }
                }
            }
            (ValueKind::Float, _) => expected("a number"),
            (ValueKind::Int, _) => expected("a whole number, not negative"),
            (ValueKind::Bool, _) => expected("true or false"),
            (ValueKind::Vec2, _) => expected("two numbers"),
            (ValueKind::Vec3, _) => expected("three numbers"),
            (ValueKind::Choice(_), _) => expected("the name of an alternative in quotes"),
            (ValueKind::Text, _) => expected("nothing: a text cannot be animated"),
        }
    }

    /// Its numbers; none where it has none.
    pub fn numbers(&self) -> &[f32] {
        match self {
            Self::Number(v) => std::slice::from_ref(v),
            Self::Pair(v) => v,
            Self::Triple(v) => v,
            Self::Flag(_) | Self::Word(_) => &[],
        }
    }

    /// What a text says. Anything that is no number and no truth is a name.
    fn from_text(text: &str) -> Self {
        let text = text.trim();
        let inner = text
            .strip_prefix('(')
            .and_then(|t| t.strip_suffix(')'))
            .unwrap_or(text);
        let parts: Option<Vec<f32>> = inner.split(',').map(|p| p.trim().parse().ok()).collect();
        match (text, parts.as_deref()) {
            ("true", _) => Self::Flag(true),
            ("false", _) => Self::Flag(false),
            (_, Some([v])) => Self::Number(*v),
            (_, Some([x, y])) => Self::Pair([*x, *y]),
            (_, Some([x, y, z])) => Self::Triple([*x, *y, *z]),
            _ => Self::Word(text.to_owned()),
        }
    }
}

impl std::fmt::Display for KeyValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(v) => write!(f, "{v}"),
            Self::Pair([x, y]) => write!(f, "({x}, {y})"),
            Self::Triple([x, y, z]) => write!(f, "({x}, {y}, {z})"),
            Self::Flag(v) => write!(f, "{v}"),
            Self::Word(v) => f.write_str(v),
        }
    }
}

/// Visitors see its text: what kind it must be, the declaration of a key cannot know.
impl Leaf for KeyValue {
    fn with_slot(&mut self, visit: &mut dyn FnMut(Slot<'_>)) {
        let before = self.to_string();
        let mut text = before.clone();
        visit(Slot::Text(&mut text));
        if text != before {
            *self = Self::from_text(&text);
        }
    }
    fn value(&self) -> Value {
        Value::Text(self.to_string())
    }
    fn kind() -> ValueKind {
        ValueKind::Text
    }
}

impl Serialize for KeyValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(v) => serializer.serialize_f32(*v),
            Self::Flag(v) => serializer.serialize_bool(*v),
            Self::Word(v) => serializer.serialize_str(v),
            Self::Pair(_) | Self::Triple(_) => {
                let numbers = self.numbers();
                let mut tuple = serializer.serialize_tuple(numbers.len())?;
                for v in numbers {
                    tuple.serialize_element(v)?;
                }
                tuple.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for KeyValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

/// Takes whatever stands there.
struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = KeyValue;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(
            "a number, `(x, y, z)`, `true`, `false` or the name of an alternative in quotes",
        )
    }
    fn visit_bool<E: Error>(self, v: bool) -> Result<KeyValue, E> {
        Ok(KeyValue::Flag(v))
    }
    fn visit_i64<E: Error>(self, v: i64) -> Result<KeyValue, E> {
        Ok(KeyValue::Number(v as f32))
    }
    fn visit_u64<E: Error>(self, v: u64) -> Result<KeyValue, E> {
        Ok(KeyValue::Number(v as f32))
    }
    fn visit_f64<E: Error>(self, v: f64) -> Result<KeyValue, E> {
        Ok(KeyValue::Number(v as f32))
    }
    fn visit_str<E: Error>(self, v: &str) -> Result<KeyValue, E> {
        Ok(KeyValue::from_text(v))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<KeyValue, A::Error> {
        let mut all = Vec::new();
        while let Some(v) = seq.next_element::<f32>()? {
            if all.len() == 3 {
                return Err(A::Error::invalid_length(4, &self));
            }
            all.push(v);
        }
        match all.as_slice() {
            [x, y] => Ok(KeyValue::Pair([*x, *y])),
            [x, y, z] => Ok(KeyValue::Triple([*x, *y, *z])),
            _ => Err(A::Error::invalid_length(all.len(), &self)),
        }
    }
}
