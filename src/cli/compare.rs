//! `eddy compare`: one scene in several ways, cost and error side by side.
//!
//! Every way runs the same frames from the same seed. What it costs is the median of its frames; what it leaves of the
//! residual and of the divergence is that of the last frame. How it *looks* is measured against one reference, the scene
//! as it is given but with every iterative solver ten times as long and without an early end: the root mean square, over
//! the cells, of the difference in dye and velocity at the last frame.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value as Json, json};

use super::output::{number, table};
use super::progress::Progress;
use super::scene::{DeviceArgs, PresetArgs, fits, set, use_method};
use super::{Error, Result, interrupt, output};
use crate::bake::plan::MAX_FRAME;
use crate::document::Document;
use crate::field::{FieldData, difference_l2, median};
use crate::params::{self, Value};
use crate::sim::Simulation;
use crate::solvers::StepReport;

/// How much longer the solvers of the reference run.
const REFERENCE_FACTOR: u32 = 10;
/// Most ways that are compared.
const MAX_WAYS: usize = 256;

/// Arguments.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("ways").required(true).multiple(true)))]
pub struct Args {
    #[command(flatten)]
    preset: PresetArgs,
    #[command(flatten)]
    device: DeviceArgs,
    /// Methods to compare.
    #[arg(long, value_name = "ID,ID…", value_delimiter = ',', group = "ways")]
    methods: Vec<String>,
    /// A parameter and the values that it takes in turn, such as `pressure=jacobi,gauss_seidel`. Given more than once,
    /// all combinations are run. Values that contain commas are separated by semicolons.
    #[arg(long, value_name = "PATH=V,V…", group = "ways")]
    vary: Vec<String>,
    /// Frames to run.
    #[arg(long, value_name = "N", default_value_t = 60, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_FRAME)))]
    frames: u32,
    /// Writes the result as JSON.
    #[arg(long)]
    json: bool,
}

/// One way to run the scene.
struct Way {
    id: String,
    label: String,
    document: Document,
}

/// What came of it.
struct Outcome {
    ms_per_frame: f64,
    solve_ms: Option<f64>,
    report: StepReport,
    dye: Option<FieldData>,
    velocity: Option<FieldData>,
    memory_bytes: u64,
}

/// Runs every way and the reference.
pub fn run(args: &Args) -> Result {
    let document = args.preset.load(None)?;
    let ways = ways(&document, args)?;
    let (reference, words) = reference(&document);
    interrupt::listen();
    let base = args.preset.base();
    let mut progress = Progress::new();
    let total = u64::from(args.frames) * (ways.len() as u64 + 1);
    let mut each = |done: usize, label: &str, document: Document| {
        let before = done as u64 * u64::from(args.frames);
        let mut show = |frame: u32| progress.update(label, before + u64::from(frame), total);
        measure(document, base, args, &mut show)
    };
    let reference = each(0, "reference", reference)?;
    let mut rows = Vec::new();
    for (i, way) in ways.into_iter().enumerate() {
        let outcome = each(i + 1, &way.label, way.document)?;
        rows.push((way.id, way.label, outcome));
    }
    drop(progress);
    if args.json {
        let rows = rows
            .iter()
            .map(|(id, label, o)| row_json(id, label, o, &reference));
        output::json(&rows.collect::<Vec<_>>().into())
    } else {
        output::text(&report(&rows, &reference, &words))
    }
}

/// Every combination of method and varied values.
fn ways(document: &Document, args: &Args) -> Result<Vec<Way>> {
    let mut ways = vec![Way {
        id: String::new(),
        label: String::new(),
        document: document.clone(),
    }];
    if !args.methods.is_empty() {
        ways.clear();
        for id in &args.methods {
            let mut document = document.clone();
            use_method(&mut document, id)?;
            ways.push(Way {
                id: id.clone(),
                label: document.method.info().title.to_owned(),
                document,
            });
        }
    }
    let mut varied: Vec<&str> = Vec::new();
    for vary in &args.vary {
        let (path, values) = vary.split_once('=').ok_or_else(|| {
            Error::Usage(format!("\"{vary}\" varies nothing; expected PATH=V,V…"))
        })?;
        if varied.contains(&path.trim()) {
            let message = format!(
                "{} is varied twice; give all its values at once",
                path.trim()
            );
            return Err(Error::Usage(message));
        }
        varied.push(path.trim());
        let separator = if values.contains(';') { ';' } else { ',' };
        let mut more = Vec::new();
        for way in &ways {
            for value in values.split(separator) {
                let mut document = way.document.clone();
                set(&mut document, path.trim(), value)?;
                fits(&document)?;
                let own = format!("{}={}", path.trim(), value.trim());
                let join = |a: &str| {
                    if a.is_empty() {
                        own.clone()
                    } else {
                        format!("{a},{own}")
                    }
                };
                more.push(Way {
                    id: join(&way.id),
                    label: join(&way.label).replace(',', ", "),
                    document,
                });
            }
        }
        ways = more;
        if ways.len() > MAX_WAYS {
            return Err(Error::Usage(format!(
                "more than {MAX_WAYS} ways to run the scene"
            )));
        }
    }
    Ok(ways)
}

/// The scene with every iterative solver ten times as long and no tolerance, and that in words.
fn reference(document: &Document) -> (Document, String) {
    let mut reference = document.clone();
    let (mut some, mut all) = (false, true);
    for entry in params::entries(&document.method) {
        let path = format!("method.{}", entry.path);
        match (entry.spec.name, &entry.value) {
            ("iterations", Value::Int(n)) => {
                let most = entry.spec.hard[1].min(u32::MAX as f32) as u32;
                let wanted = n.saturating_mul(REFERENCE_FACTOR);
                let longer = Value::Int(wanted.min(most));
                (some, all) = (true, all && wanted <= most);
                params::set_value(&mut reference, &path, &longer);
            }
            ("tolerance", Value::Float(_)) => {
                params::set_value(&mut reference, &path, &Value::Float(entry.spec.hard[0]));
            }
            _ => {}
        }
    }
    (reference, in_words(some, all))
}

/// What the reference is: whether its method has iterations, and whether all of them can be so many more.
fn in_words(some: bool, all: bool) -> String {
    match (some, all) {
        (false, _) => "the scene as given, whose method has no iterations to add".to_owned(),
        (true, true) => format!("the scene as given, with {REFERENCE_FACTOR} times the iterations"),
        (true, false) => format!(
            "the scene as given, with {REFERENCE_FACTOR} times the iterations or the most that are allowed"
        ),
    }
}

fn measure(
    document: Document,
    base: &Path,
    args: &Args,
    show: &mut dyn FnMut(u32),
) -> Result<Outcome> {
    let mut simulation = args.device.simulate(Arc::new(document), base)?;
    simulation.run_to(0, &interrupt::asked)?;
    simulation.device().take_timings();
    let (mut frames, mut solves) = (Vec::new(), Vec::new());
    let mut last = StepReport::default();
    for frame in 0..args.frames {
        show(frame);
        let begin = Instant::now();
        last = simulation.step(&interrupt::asked)?;
        frames.push(begin.elapsed().as_secs_f64() * 1e3);
        solves.extend(pressure_ms(&last));
    }
    let memory_bytes = simulation.device().memory_used();
    Ok(Outcome {
        ms_per_frame: median(&mut frames).unwrap_or(0.0),
        solve_ms: median(&mut solves),
        dye: field(&mut simulation, "dye")?,
        velocity: field(&mut simulation, "velocity")?,
        report: last,
        memory_bytes,
    })
}

/// What the pressure solves of a frame took; none where that is not known. Other solves, of the viscosity say, run the same
/// kernels, but for another part of the frame.
fn pressure_ms(report: &StepReport) -> Option<f64> {
    let part = report.pressure()?.system;
    let of_it = report.kernels.iter().filter(|k| k.part == part);
    of_it.map(|k| k.ms).reduce(|sum, ms| sum + ms)
}

fn field(simulation: &mut Simulation, name: &str) -> Result<Option<FieldData>> {
    if simulation.fields().iter().any(|f| f.name == name) {
        Ok(Some(simulation.field(name)?))
    } else {
        Ok(None)
    }
}

/// Nothing where one of the two has no such field, or other cells.
fn difference(a: Option<&FieldData>, b: Option<&FieldData>) -> Option<f32> {
    let (a, b) = (a?, b?);
    (a.grid == b.grid && a.data.len() == b.data.len()).then(|| difference_l2(&a.data, &b.data))
}

/// A column's title with the unit of what stands under it, as far as the title does not say it.
fn head(name: &str, title: &str, o: &Outcome) -> String {
    let of_field = |f: &Option<FieldData>| f.as_ref().map_or("", |f| f.desc.unit);
    let unit = match name {
        "dye_difference_l2" => of_field(&o.dye),
        "velocity_difference_l2" => of_field(&o.velocity),
        "divergence_linf" => {
            let invariants = &o.report.invariants;
            let found = invariants.iter().find(|i| i.name == name);
            found.map_or("", |i| i.unit)
        }
        _ => "",
    };
    match unit {
        "" => title.to_owned(),
        unit => format!("{title}, {unit}"),
    }
}

/// The numbers of a row, in the order of the table; what there is not is none.
fn numbers(o: &Outcome, reference: &Outcome) -> [(&'static str, &'static str, Option<f64>); 9] {
    let solve = o.report.pressure();
    let wide = |v: Option<f32>| v.map(f64::from);
    [
        ("ms_per_frame", "ms/frame", Some(o.ms_per_frame)),
        ("solve_ms", "solve ms", o.solve_ms),
        (
            "iterations",
            "iterations",
            solve.map(|s| s.iterations.into()),
        ),
        (
            "residual_l2_before",
            "residual before",
            wide(solve.map(|s| s.l2_before)),
        ),
        ("residual_l2", "after", wide(solve.map(|s| s.l2))),
        ("residual_linf", "largest", wide(solve.map(|s| s.linf))),
        (
            "divergence_linf",
            "divergence",
            o.report.get("divergence_linf"),
        ),
        (
            "dye_difference_l2",
            "Δ dye",
            wide(difference(o.dye.as_ref(), reference.dye.as_ref())),
        ),
        (
            "velocity_difference_l2",
            "Δ velocity",
            wide(difference(o.velocity.as_ref(), reference.velocity.as_ref())),
        ),
    ]
}

fn row_json(id: &str, label: &str, outcome: &Outcome, reference: &Outcome) -> Json {
    let mut row = json!({ "id": id, "label": label });
    for (name, _, value) in numbers(outcome, reference) {
        row[name] = match value {
            Some(v) if name == "iterations" => (v as u64).into(),
            Some(v) => number(v as f32),
            None => Json::Null,
        };
    }
    row["memory_bytes"] = outcome.memory_bytes.into();
    row
}

fn report(rows: &[(String, String, Outcome)], reference: &Outcome, words: &str) -> String {
    let mut heads = vec!["".to_owned()];
    let mut lines = Vec::new();
    for (_, label, outcome) in rows {
        let mut line = vec![label.clone()];
        for (name, title, value) in numbers(outcome, reference) {
            if lines.is_empty() {
                heads.push(head(name, title, outcome));
            }
            line.push(match value {
                Some(v) if name == "iterations" => format!("{v}"),
                Some(v) if name.contains("ms") => format!("{v:.3}"),
                Some(v) => format!("{v:.3e}"),
                None => "–".to_owned(),
            });
        }
        line.push(format!(
            "{:.1}",
            outcome.memory_bytes as f64 / f64::from(1 << 20)
        ));
        lines.push(line);
    }
    heads.push("MiB".to_owned());
    lines.insert(0, heads);
    let solves = rows.iter().filter_map(|(_, _, o)| o.report.pressure());
    let unit = solves.map(|s| format!("Residuals in {}. ", s.unit)).next();
    format!(
        "{}\n{}Δ is the root mean square difference from a reference: {words} ({:.3} ms/frame).\n",
        table(&lines),
        unit.unwrap_or_default(),
        reference.ms_per_frame
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame with solves of two kinds by the same kernels.
    #[test]
    fn only_the_pressure_solve_is_counted() {
        use crate::poisson::SolveReport;
        let time = |name, part, ms| crate::device::KernelTime {
            name,
            part,
            ms,
            runs: 1,
        };
        let solve = |system| SolveReport {
            system,
            ..SolveReport::default()
        };
        let mut report = StepReport {
            solves: vec![solve("viscosity of u"), solve("pressure")],
            kernels: vec![
                time("jacobi_sweeps", "viscosity of u", 100.0),
                time("jacobi_sweeps", "pressure", 1.0),
                time("residual", "pressure", 2.0),
                time("residual", "", 50.0),
            ],
            ..StepReport::default()
        };
        assert_eq!(pressure_ms(&report), Some(3.0));
        report.kernels.truncate(1);
        assert_eq!(pressure_ms(&report), None);
    }

    /// What a frame of a look takes for one of its systems, the same kernels running for all of them.
    #[test]
    fn every_solve_has_its_own_time() {
        let mut document = Document::default();
        let d = &mut document.scene.domain;
        (d.cells_x, d.cells_y) = (32, 32);
        for (path, value) in [
            ("viscosity", "implicit"),
            ("viscosity.kinematic", "0.01"),
            ("pressure", "jacobi"),
            ("viscosity.solver", "jacobi"),
        ] {
            assert!(set(&mut document, path, value).is_ok(), "{path}");
        }
        let device = crate::device::Device::new(crate::device::DeviceChoice::Cpu).unwrap();
        let mut simulation =
            Simulation::new(Arc::new(document), std::path::PathBuf::new(), device).unwrap();
        let report = simulation.step(&|| false).unwrap();
        let of = |part| {
            let own = report.kernels.iter().filter(move |k| k.part == part);
            own.map(|k| k.name).collect::<Vec<_>>()
        };
        let pressure = of("pressure");
        assert!(!pressure.is_empty());
        assert_eq!(of("viscosity of u"), of("viscosity of v"));
        assert!(pressure.iter().any(|k| of("viscosity of u").contains(k)));
        assert!(of("").contains(&"AdvectComponent"));
        let ms = pressure_ms(&report).unwrap();
        let all: f64 = report.kernels.iter().map(|k| k.ms).sum();
        assert!(ms > 0.0 && ms < all);
    }

    #[test]
    fn the_reference_is_called_what_it_is() {
        let (_, words) = reference(&Document::default());
        assert!(words.ends_with("with 10 times the iterations"), "{words}");
        let mut most = Document::default();
        assert!(set(&mut most, "pressure.iterations", "100000").is_ok());
        let (longer, words) = reference(&most);
        assert!(words.contains("the most that are allowed"), "{words}");
        assert_eq!(
            params::get(&longer, "method.pressure.iterations"),
            Some(Value::Int(100_000))
        );
        assert!(!in_words(false, true).contains("times"));
    }
}
