//! `eddy methods`: the registries, for people, for scripts and for the docs.

use serde_json::{Value as Json, json};

use super::output::number;
use super::{Result, output};
use crate::document::Document;
use crate::document::animation::{Track, TrackKey};
use crate::edit::{Edit, List};
use crate::params::{self, Effect, Entry, Params, Spec, Value, ValueKind};
use crate::poisson::{SOLVERS, SolverParams};
use crate::solvers::{METHODS, MethodParams};

/// Arguments.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Writes everything as JSON.
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Writes everything as Markdown.
    #[arg(long)]
    markdown: bool,
}

/// Lists the registries.
pub fn run(args: &Args) -> Result {
    if args.json {
        return output::json(&all_json());
    }
    output::text(&if args.markdown { markdown() } else { summary() })
}

fn summary() -> String {
    let mut out = String::from("Methods\n");
    for (i, m) in METHODS.iter().enumerate() {
        let dims: Vec<String> = m.dims.iter().map(|d| format!("{d}D")).collect();
        let fields: Vec<String> = m
            .fields
            .iter()
            .map(|f| match f.unit {
                "" => f.name.to_owned(),
                unit => format!("{} ({unit})", f.name),
            })
            .collect();
        out += &format!(
            "  {}  {}, {}\n      {}\n      Good for {}\n      Not for {}\n      Cost: {}.\n      Fields: {}.\n      Parameters: {}.\n",
            m.id,
            m.title,
            dims.join(" and "),
            m.summary,
            m.good_for,
            m.not_for,
            m.cost.name(),
            fields.join(", "),
            names(&rows(&MethodParams::from_index(i)))
        );
    }
    out += "\nPoisson solvers\n";
    for (i, s) in SOLVERS.iter().enumerate() {
        out += &format!(
            "  {}  {}\n      {}\n      Parameters: {}.\n",
            s.id,
            s.title,
            s.summary,
            names(&rows(&SolverParams::from_index(i)))
        );
    }
    out + "\n`eddy methods --markdown` adds what each parameter does, with unit and range.\n"
}

/// Names of parameters, each once, without those of the choices that can be made.
fn names(rows: &[Row]) -> String {
    let own = rows.iter().filter(|r| r.when.is_none());
    let names: Vec<&str> = own
        .map(|r| r.entry.path.strip_suffix(".kind").unwrap_or(&r.entry.path))
        .collect();
    names.join(", ")
}

/// A parameter, and the choice above it under which there is one.
struct Row {
    entry: Entry,
    when: Option<(String, &'static str)>,
}

/// The parameters of a registry's alternative, without the leaf that names the alternative; where another one is chosen
/// below, those of every choice.
fn rows<P: Params + Clone>(params: &P) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for entry in params::entries(params) {
        let ValueKind::Choice(options) = entry.spec.kind else {
            rows.push(Row { entry, when: None });
            continue;
        };
        let path = entry.path.clone();
        let group = path.strip_suffix("kind").map(str::to_owned);
        if path != "kind" {
            rows.push(Row { entry, when: None });
        }
        let Some(group) = group.filter(|g| !g.is_empty()) else {
            continue;
        };
        for option in options {
            let mut chosen = params.clone();
            params::set_value(&mut chosen, &path, &Value::Choice(option.name.to_owned()));
            let own = params::entries(&chosen).into_iter();
            rows.extend(
                own.filter(|e| e.path != path && e.path.starts_with(&group))
                    .map(|entry| Row {
                        entry,
                        when: Some((path.clone(), option.name)),
                    }),
            );
        }
    }
    // What was found under a choice needs no second row from the walk that led there.
    let under: Vec<String> = rows
        .iter()
        .filter(|r| r.when.is_some())
        .map(|r| r.entry.path.clone())
        .collect();
    rows.retain(|r| r.when.is_some() || !under.contains(&r.entry.path));
    rows
}

fn all_json() -> Json {
    let mut all = Vec::new();
    for (i, info) in METHODS.iter().enumerate() {
        let fields: Vec<Json> = info
            .fields
            .iter()
            .map(|f| json!({ "name": f.name, "label": f.label, "unit": f.unit, "layout": layout(f.components) }))
            .collect();
        all.push(json!({
            "id": info.id, "title": info.title, "kind": "method", "paper": info.paper, "dims": info.dims,
            "good_for": info.good_for, "not_for": info.not_for, "cost": info.cost.name(),
            "devices": ["cpu", "gpu"],
            "honours": info.honours.iter().map(|f| f.name()).collect::<Vec<_>>(),
            "parameters": parameters_json(&rows(&MethodParams::from_index(i))),
            "fields": fields,
        }));
    }
    for (i, info) in SOLVERS.iter().enumerate() {
        let honours: &[&str] = if info.obstacles { &["obstacles"] } else { &[] };
        all.push(json!({
            "id": info.id, "title": info.title, "kind": "poisson", "paper": info.paper, "dims": [2, 3],
            "devices": ["cpu", "gpu"], "honours": honours,
            "parameters": parameters_json(&rows(&SolverParams::from_index(i))),
            "fields": [],
        }));
    }
    all.into()
}

fn layout(components: u32) -> &'static str {
    match components {
        1 => "scalar",
        2 => "vec2",
        _ => "vec3",
    }
}

fn parameters_json(rows: &[Row]) -> Json {
    let limits = |[low, high]: [f32; 2], kind| match kind {
        ValueKind::Bool | ValueKind::Text | ValueKind::Choice(_) => Json::Null,
        _ => json!([number(low), number(high)]),
    };
    let one = |Row { entry, when }: &Row| {
        let Entry { path, spec, .. } = entry;
        let mut object = json!({
            "path": path, "type": kind(spec), "unit": spec.unit, "default": value_json(&spec.default),
            "soft": limits(spec.soft, spec.kind), "hard": limits(spec.hard, spec.kind),
            "effect": effect(spec), "doc": spec.doc,
        });
        if let ValueKind::Choice(options) = spec.kind {
            object["options"] = options.iter().map(|o| o.name).collect::<Vec<_>>().into();
        }
        if let Some((path, value)) = when {
            object["when"] = json!({ "path": path, "value": value });
        }
        object
    };
    rows.iter().map(one).collect::<Vec<_>>().into()
}

fn kind(spec: &Spec) -> &'static str {
    match spec.kind {
        ValueKind::Float => "float",
        ValueKind::Int => "int",
        ValueKind::Bool => "bool",
        ValueKind::Vec2 => "vec2",
        ValueKind::Vec3 => "vec3",
        ValueKind::Text => "text",
        ValueKind::Choice(_) => "choice",
    }
}

fn effect(spec: &Spec) -> &'static str {
    match spec.effect {
        Effect::Live => "live",
        Effect::Restart => "restart",
    }
}

fn value_json(value: &Value) -> Json {
    let list = |v: &[f32]| v.iter().map(|x| number(*x)).collect::<Vec<_>>().into();
    match value {
        Value::Float(v) => number(*v),
        Value::Int(v) => (*v).into(),
        Value::Bool(v) => (*v).into(),
        Value::Vec2(v) => list(v),
        Value::Vec3(v) => list(v),
        Value::Text(v) | Value::Choice(v) => v.clone().into(),
    }
}

/// What `docs/methods.md` holds.
pub fn markdown() -> String {
    let mut out = String::from(
        "# Methods and parameters\n\nWritten by `eddy methods --markdown`. Paths are what `--set` takes; those of a method need no `method.` before \
         them.\n*Live* changes act from the next step on, *restart* begins the simulation again.\n",
    );
    for (i, info) in METHODS.iter().enumerate() {
        let honours: Vec<&str> = info.honours.iter().map(|f| f.name()).collect();
        let dims: Vec<String> = info.dims.iter().map(|d| format!("{d}D")).collect();
        out += &format!(
            "\n## {} (`{}`)\n\n{}\n\nGood for {}\n\nNot for {}\n\nCost: {}, {}. Paper: {}. Dimensions: {}. Honours: {}.\n\n",
            info.title,
            info.id,
            info.summary,
            info.good_for,
            info.not_for,
            info.cost.name(),
            info.cost.doc(),
            info.paper,
            dims.join(", "),
            honours.join(", ")
        );
        out += &parameter_table(&rows(&MethodParams::from_index(i)));
        out += "\n| Field | Shown as | Unit | Layout |\n|---|---|---|---|\n";
        for f in info.fields {
            out += &format!(
                "| `{}` | {} | {} | {} |\n",
                f.name,
                f.label,
                f.unit,
                layout(f.components)
            );
        }
    }
    out += "\n# Poisson solvers\n\nThey find the pressure. A method says by a parameter which one it uses; the parameters of the chosen one come below it.\n";
    for (i, info) in SOLVERS.iter().enumerate() {
        out += &format!(
            "\n## {} (`{}`)\n\n{}\n\nPaper: {}. {}.\n\n",
            info.title,
            info.id,
            info.summary,
            info.paper,
            if info.obstacles {
                "Honours obstacles"
            } else {
                "Only for boxes without obstacles"
            }
        );
        out += &parameter_table(&rows(&SolverParams::from_index(i)));
    }
    out + &document_markdown()
}

/// The parts of a document that are the same for every method, with one item in each list.
fn document_markdown() -> String {
    let mut document = Document::default();
    for list in List::ALL {
        if list.len(&document) == 0 {
            // Adding a default item cannot fail.
            let _ = Edit::add(list).apply(&mut document);
        }
    }
    let mut out = String::from(
        "\n# The rest of a document\n\nItems of a list are counted from 0: `scene.emitters.0.softness` is the softness of the first emitter.\n",
    );
    out += &format!("\n## `scene`\n\n{}", part("scene", &document.scene));
    out += &format!("\n## `time`\n\n{}", part("time", &document.time));
    document.animation.tracks.push(Track {
        keys: vec![TrackKey::default()],
        ..Track::default()
    });
    out += &format!(
        "\n## `animation`\n\nA document in which nothing changes with time leaves this out. Times are seconds of simulated time since frame 0; during the warm-up the first key counts, unless the keys repeat.\n\n{}",
        part("animation", &document.animation)
    );
    out += &format!("\n## `view`\n\n{}", part("view", &document.view));
    out += &format!("\n## `bake`\n\n{}", part("bake", &document.bake));
    out
}

fn part<P: Params + Clone>(name: &str, params: &P) -> String {
    let mut rows = rows(params);
    for row in &mut rows {
        row.entry.path = format!("{name}.{}", row.entry.path);
    }
    parameter_table(&rows)
}

fn parameter_table(rows: &[Row]) -> String {
    let mut out = String::from(
        "| Parameter | Type | Default | Slider | Allowed | Unit | Effect | What it does |\n|---|---|---|---|---|---|---|---|\n",
    );
    // The parameters of Poisson solvers stand with the solvers.
    let solvers: Vec<String> = rows
        .iter()
        .filter(|r| matches!(r.entry.spec.kind, ValueKind::Choice(o) if o == SolverParams::OPTIONS))
        .map(|r| r.entry.path.clone())
        .collect();
    for Row { entry, when } in rows {
        let group = |kind: &String| {
            kind.strip_suffix("kind")
                .is_some_and(|g| entry.path.starts_with(g))
        };
        let is_choice = solvers.contains(&entry.path);
        if when.is_some() && !is_choice && solvers.iter().any(group) {
            continue;
        }
        let s = &entry.spec;
        let default = match &s.default {
            Value::Text(t) if t.is_empty() => String::new(),
            value => format!("`{value}`"),
        };
        let mut doc = s.doc.to_owned();
        if let ValueKind::Choice(options) = s.kind {
            let each = options.iter().map(|o| format!("`{}`: {}", o.name, o.doc));
            doc = format!("{doc} {}", each.collect::<Vec<_>>().join(" "));
        }
        if let Some((_, option)) = when {
            doc = format!("({option}) {doc}");
        }
        out += &format!(
            "| `{}` | {} | {default} | {} | {} | {} | {} | {} |\n",
            entry.path,
            kind(s),
            range(s.soft, s.kind),
            range(s.hard, s.kind),
            s.unit,
            effect(s),
            doc.replace('|', "\\|").replace('\n', " ")
        );
    }
    out
}

fn range([low, high]: [f32; 2], kind: ValueKind) -> String {
    match kind {
        ValueKind::Bool | ValueKind::Text | ValueKind::Choice(_) => return String::new(),
        ValueKind::Int if high >= u32::MAX as f32 => return format!("{low} …"),
        _ => {}
    }
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{} … {}", short(low), short(high)),
        (true, false) => format!("{} …", short(low)),
        (false, true) => format!("… {}", short(high)),
        (false, false) => String::new(),
    }
}

fn short(v: f32) -> String {
    if v != 0.0 && !(1e-3..1e5).contains(&v.abs()) {
        format!("{v:e}")
    } else {
        v.to_string()
    }
}
