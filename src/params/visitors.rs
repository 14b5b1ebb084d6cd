//! The visitors that more than one part of Eddy needs.

use std::collections::HashMap;

use super::{Effect, Group, Params, Slot, Spec, Value, ValueKind, Visitor};

/// A leaf as found by [`entries`].
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Dotted path.
    pub path: String,
    /// What is known about it.
    pub spec: Spec,
    /// What it holds.
    pub value: Value,
}

/// A value that is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Dotted path.
    pub path: String,
    /// What is wrong and what was expected.
    pub message: String,
}

/// A parameter whose value differs between two sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// Dotted path.
    pub path: String,
    /// Value on the left; none where only the right has it.
    pub before: Option<Value>,
    /// Value on the right; none where only the left has it.
    pub after: Option<Value>,
    /// Live or restart.
    pub effect: Effect,
}

struct Walk<F: FnMut(&str, &Spec, Slot<'_>)> {
    path: Vec<String>,
    each: F,
}

impl<F: FnMut(&str, &Spec, Slot<'_>)> Visitor for Walk<F> {
    fn leaf(&mut self, spec: &Spec, slot: Slot<'_>) {
        self.path.push(spec.name.to_owned());
        let path = self.path.join(".");
        self.path.pop();
        (self.each)(&path, spec, slot);
    }
    fn open(&mut self, group: &Group) -> bool {
        self.path.push(group.name.to_string());
        true
    }
    fn close(&mut self) {
        self.path.pop();
    }
}

fn walk(params: &mut dyn Params, each: impl FnMut(&str, &Spec, Slot<'_>)) {
    params.visit(&mut Walk {
        path: Vec::new(),
        each,
    });
}

/// Every leaf with its path, spec and value.
pub fn entries<P: Params + Clone>(params: &P) -> Vec<Entry> {
    let mut found = Vec::new();
    walk(&mut params.clone(), |path, spec, slot| {
        found.push(Entry {
            path: path.to_owned(),
            spec: spec.clone(),
            value: slot.value(),
        });
    });
    found
}

/// The value at `path`.
pub fn get<P: Params + Clone>(params: &P, path: &str) -> Option<Value> {
    entries(params)
        .into_iter()
        .find(|e| e.path == path)
        .map(|e| e.value)
}

/// Sets the leaf at `path` from text, as `--set PATH=VALUE` does. Choices are matched without regard to case and underscores.
///
/// # Errors
/// A path that does not exist (with the nearest ones), a value that does not parse, or one outside the hard limits.
pub fn set(params: &mut dyn Params, path: &str, text: &str) -> Result<(), Problem> {
    let problem = |message: String| {
        Err(Problem {
            path: path.to_owned(),
            message,
        })
    };
    let mut outcome = None;
    let mut known = Vec::new();
    walk(params, |at, spec, slot| {
        if at == path || at.strip_suffix(".kind") == Some(path) {
            outcome = Some(parse_into(spec, slot, text.trim()));
        }
        known.push(at.to_owned());
    });
    match outcome {
        Some(Ok(())) => Ok(()),
        Some(Err(message)) => problem(message),
        None => {
            known.sort_by_cached_key(|k| distance(k, path));
            known.truncate(3);
            problem(format!("no such parameter; nearest: {}", known.join(", ")))
        }
    }
}

/// Sets the leaf at `path` to a value of its kind; `false` if there is none or the kind differs. Limits are not checked.
pub fn set_value(params: &mut dyn Params, path: &str, value: &Value) -> bool {
    let mut done = false;
    walk(params, |at, _, slot| {
        if at == path {
            done = assign(slot, value);
        }
    });
    done
}

fn assign(slot: Slot<'_>, value: &Value) -> bool {
    match (slot, value) {
        (Slot::Float(s), Value::Float(v)) => *s = *v,
        (Slot::Int(s), Value::Int(v)) => *s = *v,
        (Slot::Bool(s), Value::Bool(v)) => *s = *v,
        (Slot::Vec2(s), Value::Vec2(v)) => *s = *v,
        (Slot::Vec3(s), Value::Vec3(v)) => *s = *v,
        (Slot::Text(s), Value::Text(v)) => s.clone_from(v),
        (Slot::Choice { index, options }, Value::Choice(v)) => {
            match options.iter().position(|o| o.name == v) {
                Some(i) => *index = i,
                None => return false,
            }
        }
        _ => return false,
    }
    true
}

fn parse_into(spec: &Spec, slot: Slot<'_>, text: &str) -> Result<(), String> {
    let value = parse(spec, text)?;
    if let Some(message) = complaint(spec, &value) {
        return Err(message);
    }
    assign(slot, &value);
    Ok(())
}

fn parse(spec: &Spec, text: &str) -> Result<Value, String> {
    let expected = |what: &str| format!("expected {what}, found \"{text}\"");
    let number = |t: &str| t.trim().parse::<f32>().ok();
    let components = |n: usize| -> Option<Vec<f32>> {
        let inner = text
            .trim_start_matches(['(', '['])
            .trim_end_matches([')', ']']);
        let parts: Option<Vec<f32>> = inner.split(',').map(number).collect();
        parts.filter(|p| p.len() == n)
    };
    Ok(match spec.kind {
        ValueKind::Float => Value::Float(number(text).ok_or_else(|| expected("a number"))?),
        ValueKind::Int => Value::Int(
            text.parse()
                .map_err(|_| expected(&format!("a whole number {}", limits(spec))))?,
        ),
        ValueKind::Bool => Value::Bool(text.parse().map_err(|_| expected("true or false"))?),
        ValueKind::Vec2 => match components(2).as_deref() {
            Some([x, y]) => Value::Vec2([*x, *y]),
            _ => return Err(expected("two numbers such as 1,2")),
        },
        ValueKind::Vec3 => match components(3).as_deref() {
            Some([x, y, z]) => Value::Vec3([*x, *y, *z]),
            _ => return Err(expected("three numbers such as 1,2,3")),
        },
        ValueKind::Text => Value::Text(text.trim_matches('"').to_owned()),
        ValueKind::Choice(options) => {
            let plain = |s: &str| s.replace('_', "").to_lowercase();
            let names: Vec<&str> = options.iter().map(|o| o.name).collect();
            match options.iter().find(|o| plain(o.name) == plain(text)) {
                Some(o) => Value::Choice(o.name.to_owned()),
                None => return Err(expected(&format!("one of {}", names.join(", ")))),
            }
        }
    })
}

/// What is wrong with the value, if anything: not finite, or outside the hard limits.
pub(crate) fn complaint(spec: &Spec, value: &Value) -> Option<String> {
    let [low, high] = spec.hard;
    let numbers: &[f32] = match value {
        Value::Float(v) => std::slice::from_ref(v),
        Value::Int(v) => &[*v as f32],
        Value::Vec2(v) => v,
        Value::Vec3(v) => v,
        Value::Bool(_) | Value::Text(_) | Value::Choice(_) => return None,
    };
    let bad = numbers
        .iter()
        .find(|v| !v.is_finite() || **v < low || **v > high)?;
    let what = match spec.kind {
        ValueKind::Int => "a whole number ",
        _ if low.is_finite() && high.is_finite() => "",
        _ => "a finite number ",
    };
    // As it was written: the nearest f32 of a whole number is another one.
    let bad = match value {
        Value::Int(v) => v.to_string(),
        _ => bad.to_string(),
    };
    Some(
        format!("{bad} is not allowed; expected {what}{}", limits(spec))
            .trim_end()
            .to_owned(),
    )
}

/// The hard limits in words.
fn limits(spec: &Spec) -> String {
    let [low, high] = spec.hard;
    let unit = if spec.unit.is_empty() {
        String::new()
    } else {
        format!(" {}", spec.unit)
    };
    let shown = |v: f32| match spec.kind {
        // Stays at the largest there is.
        ValueKind::Int => (v as u32).to_string(),
        _ => v.to_string(),
    };
    let (least, most) = (shown(low), shown(high));
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("between {least} and {most}{unit}"),
        (true, false) => format!("of at least {least}{unit}"),
        (false, true) => format!("of at most {most}{unit}"),
        (false, false) => unit.trim_start().to_owned(),
    }
}

/// Every value that is not finite or stands outside its hard limits.
pub fn problems<P: Params + Clone>(params: &P) -> Vec<Problem> {
    let mut found = Vec::new();
    walk(&mut params.clone(), |path, spec, slot| {
        if let Some(message) = complaint(spec, &slot.value()) {
            found.push(Problem {
                path: path.to_owned(),
                message,
            });
        }
    });
    found
}

/// Brings every number inside its hard limits; what is not finite becomes the default.
pub fn clamp(params: &mut dyn Params) {
    fn one(v: &mut f32, [low, high]: [f32; 2], default: f32) {
        *v = if v.is_nan() {
            default
        } else {
            v.clamp(low.max(f32::MIN), high.min(f32::MAX))
        };
    }
    walk(params, |_, spec, slot| match (slot, &spec.default) {
        (Slot::Float(v), Value::Float(d)) => one(v, spec.hard, *d),
        (Slot::Int(v), _) => *v = (*v).clamp(spec.hard[0] as u32, spec.hard[1] as u32),
        (Slot::Vec2(v), Value::Vec2(d)) => {
            v.iter_mut().zip(d).for_each(|(v, d)| one(v, spec.hard, *d));
        }
        (Slot::Vec3(v), Value::Vec3(d)) => {
            v.iter_mut().zip(d).for_each(|(v, d)| one(v, spec.hard, *d));
        }
        _ => {}
    });
}

/// What differs between two sets, by path.
pub fn differences<P: Params + Clone>(before: &P, after: &P) -> Vec<Change> {
    let (old, new) = (entries(before), entries(after));
    let by_path = |list: &[Entry]| -> HashMap<String, Value> {
        list.iter()
            .map(|e| (e.path.clone(), e.value.clone()))
            .collect()
    };
    let (old_values, new_values) = (by_path(&old), by_path(&new));
    let mut changes = Vec::new();
    for e in old {
        let after = new_values.get(&e.path).cloned();
        if after.as_ref() != Some(&e.value) {
            changes.push(Change {
                path: e.path,
                before: Some(e.value),
                after,
                effect: e.spec.effect,
            });
        }
    }
    for e in new
        .into_iter()
        .filter(|e| !old_values.contains_key(&e.path))
    {
        changes.push(Change {
            path: e.path,
            before: None,
            after: Some(e.value),
            effect: e.spec.effect,
        });
    }
    changes
}

/// Whether going from one set to the other means that the simulation starts again.
pub fn needs_restart<P: Params + Clone>(before: &P, after: &P) -> bool {
    differences(before, after)
        .iter()
        .any(|c| c.effect == Effect::Restart)
}

/// Levenshtein distance, for suggestions.
pub fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let cost = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::params! {
        /// For the tests.
        pub struct Inner {
            /// A rate.
            live rate: f32 = 0.5, hard 0.0.., soft 0.0..=2.0, log, "1/s";
        }
    }
    crate::choice! {
        /// For the tests.
        pub enum Way {
            /// One.
            SemiLagrangian,
            /// Two.
            MacCormack,
        }
    }
    crate::variants! {
        /// For the tests.
        pub enum Either {
            /// First.
            One(Inner),
            /// Second.
            Two(Outer),
        }
    }
    crate::params! {
        /// For the tests.
        pub struct Outer {
            /// How many.
            restart count: u32 = 3, hard 1..=10;
            /// Which way.
            live way: Way = Way::MacCormack;
            /// A colour.
            live tint: [f32; 3] = [1.0, 0.5, 0.0], hard 0.0..=1.0, color;
            /// Nested.
            @inner: Inner;
            /// List.
            [items]: Vec<Inner>;
        }
    }

    #[test]
    fn paths_values_and_defaults() {
        let outer = Outer {
            items: vec![Inner::default(), Inner { rate: 1.5 }],
            ..Outer::default()
        };
        let paths: Vec<String> = entries(&outer).into_iter().map(|e| e.path).collect();
        assert_eq!(
            paths,
            [
                "count",
                "way",
                "tint",
                "inner.rate",
                "items.0.rate",
                "items.1.rate"
            ]
        );
        assert_eq!(get(&outer, "items.1.rate"), Some(Value::Float(1.5)));
        assert_eq!(
            entries(&outer)[1].spec.default,
            Value::Choice("MacCormack".into())
        );
        assert_eq!(entries(&outer)[0].spec.hard, [1.0, 10.0]);
    }

    #[test]
    fn set_parses_checks_and_suggests() {
        let mut outer = Outer::default();
        assert!(set(&mut outer, "inner.rate", "1e-3").is_ok());
        assert!(set(&mut outer, "way", "semi_lagrangian").is_ok());
        assert!(set(&mut outer, "tint", "0,0.25,1").is_ok());
        assert_eq!(
            (outer.inner.rate, outer.way, outer.tint),
            (1e-3, Way::SemiLagrangian, [0.0, 0.25, 1.0])
        );
        assert!(
            set(&mut outer, "count", "0").is_err_and(|p| p.message.contains("between 1 and 10"))
        );
        assert!(set(&mut outer, "inner.rate", "NaN").is_err());
        assert!(set(&mut outer, "iner.rate", "1").is_err_and(|p| p.message.contains("inner.rate")));
    }

    #[test]
    fn clamp_diff_and_restart() {
        let mut bad = Outer {
            count: 99,
            tint: [f32::NAN, 2.0, -1.0],
            ..Outer::default()
        };
        bad.inner.rate = f32::INFINITY;
        assert_eq!(problems(&bad).len(), 3);
        clamp(&mut bad);
        assert!(problems(&bad).is_empty());
        assert_eq!(bad.tint, [1.0, 1.0, 0.0]);
        let live = Outer {
            way: Way::SemiLagrangian,
            ..Outer::default()
        };
        assert!(!needs_restart(&Outer::default(), &live));
        assert!(needs_restart(&Outer::default(), &bad));
    }

    #[test]
    fn variants_switch_by_their_kind() {
        let mut either = Either::default();
        assert!(set(&mut either, "kind", "two").is_ok());
        assert_eq!(either, Either::Two(Outer::default()));
        assert!(set(&mut either, "inner.rate", "2").is_ok());
    }
}
