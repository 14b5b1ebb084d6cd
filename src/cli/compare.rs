//! `eddy compare`: one scene in several ways, cost and error side by side, as [`compare`](crate::compare) measures them.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

use super::output::{number, table};
use super::progress::Progress;
use super::scene::{DeviceArgs, PresetArgs};
use super::sheet::{self, Sheet};
use super::{Error, Result, interrupt, output};
use crate::bake::plan::MAX_FRAME;
use crate::compare::{
    self, Budget, COLUMNS, Column, Measure, Plan, Question, Reference, Row, Watch, Way,
};
use crate::document::{Document, printable};
use crate::sim::Fault;

/// Between two looks at how all stand, which is what is told when the run is cut short.
const STANDING: Duration = Duration::from_secs(2);

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
    /// Frame with which all ways begin: the scene is simulated up to there once, as it is given.
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(..i64::from(MAX_FRAME)))]
    from: u32,
    /// PNG file for the pictures of all ways at the last frame, side by side with what each costs and leaves.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Tries every pressure solver with fewer and more iterations, and names those whose frame takes at most so many ms.
    #[arg(long, value_name = "MS", group = "ways", conflicts_with_all = ["methods", "vary"], allow_negative_numbers = true, value_parser = positive)]
    budget: Option<f64>,
    /// With --budget: how much of the pressure error may be left, in percent.
    #[arg(long, value_name = "PERCENT", requires = "budget", default_value_t = 5.0, allow_negative_numbers = true, value_parser = positive)]
    error: f64,
    /// Writes the result as JSON.
    #[arg(long)]
    json: bool,
}

impl Args {
    fn ways(&self, document: &Document) -> std::result::Result<Vec<Way>, String> {
        match self.budget {
            Some(_) => Question::Budget.ways(document, compare::MAX_WAYS),
            None => compare::combinations(document, &self.methods, &self.vary),
        }
    }
}

/// A number above zero.
fn positive(text: &str) -> std::result::Result<f64, String> {
    match text.parse::<f64>() {
        Ok(n) if n.is_finite() && n > 0.0 => Ok(n),
        _ => Err("expected a number above 0".to_owned()),
    }
}

/// Runs every way and the reference.
pub fn run(args: &Args) -> Result {
    let document = args.preset.load(None)?;
    let ways = args.ways(&document).map_err(Error::Usage)?;
    if let Some(out) = &args.out {
        sheet::check(out, &document, &args.preset)?;
    }
    let plan = Plan::new(&document, ways, args.from, args.frames);
    interrupt::listen();
    let base = args.preset.base();
    let mut progress = Progress::new();
    let mut told = Instant::now();
    let mut watch = Watch {
        cancelled: &interrupt::asked,
        progress: &mut |p| progress.update(p.label, p.done, p.total),
        wants: &mut || {
            let due = told.elapsed() >= STANDING;
            if due {
                told = Instant::now();
            }
            due
        },
    };
    let mut rows: Vec<Option<Row>> = vec![None; plan.ways.len()];
    let mut sheet = args
        .out
        .as_ref()
        .map(|_| Sheet::new(&document.view, plan.ways.len()));
    let mut simulated = |document| args.device.simulate(document, base);
    let ended = compare::run::<Error>(&plan, &mut simulated, &mut watch, &mut |standing| {
        for entry in standing.entries {
            if let (Some(sheet), Some(simulation), true) =
                (&mut sheet, entry.simulation, standing.last)
            {
                sheet.take(entry.way, simulation)?;
            }
            if let Some(way) = entry.way {
                rows[way] = Some(entry.row);
            }
        }
        Ok(())
    })?;
    let rows: Vec<Row> = rows.into_iter().flatten().collect();
    drop(progress);
    // Half a list would look like a whole one to what reads JSON.
    if ended.stopped && (args.json || rows.is_empty()) {
        return Err(Fault::Cancelled.into());
    }
    if let (Some(sheet), Some(out), false) = (sheet, &args.out, ended.stopped) {
        sheet.write(out, &rows, &ended.reference)?;
    }
    let doubt = compare::doubt(&rows, &ended.reference);
    if args.json {
        if let Some(doubt) = doubt {
            output::complain(&doubt);
        }
        return output::json(&rows.iter().map(row_json).collect::<Vec<_>>().into());
    }
    let mut text = report(&rows, &ended.reference, doubt);
    if let Some(ms) = args.budget {
        let budget = Budget {
            ms,
            measure: Measure::Pressure,
            share: args.error * 0.01,
        };
        text.push_str(&kept(&budget, &rows, &ended.reference));
    }
    output::text(&text)?;
    match ended.stopped {
        true => Err(Fault::Cancelled.into()),
        false => Ok(()),
    }
}

/// A column's title with the unit of what stands under it, as far as the title does not say it.
fn head(column: &Column, row: &Row) -> String {
    let unit = match column.name {
        "dye_difference_l2" | "velocity_difference_l2" | "divergence_linf" => row.unit(column.name),
        _ => "",
    };
    match unit {
        "" => column.title.to_owned(),
        unit => format!("{}, {unit}", column.title),
    }
}

/// Which ways keep to a budget, the one with the least error first.
fn kept(budget: &Budget, rows: &[Row], reference: &Reference) -> String {
    let asked = format!(
        "{} ms a frame with {} % of the pressure error left",
        budget.ms,
        budget.share * 100.0
    );
    let labels: Vec<&str> = budget
        .kept(rows, reference)
        .into_iter()
        .map(|i| rows[i].label.as_str())
        .collect();
    match labels.as_slice() {
        [] => format!("Nothing keeps to {asked}.\n"),
        labels => format!(
            "Keep to {asked}, the least error first: {}.\n",
            labels.join("; ")
        ),
    }
}

fn row_json(row: &Row) -> Json {
    let mut out = json!({ "id": row.id, "label": row.label });
    for (column, value) in COLUMNS.iter().zip(row.values) {
        out[column.name] = match value {
            Some(v) if column.name == "iterations" => (v as u64).into(),
            Some(v) => number(v as f32),
            None => Json::Null,
        };
    }
    out["memory_bytes"] = row.memory_bytes.into();
    if let Some(error) = &row.error {
        out["error"] = error.as_str().into();
    }
    out
}

fn report(rows: &[Row], reference: &Reference, doubt: Option<String>) -> String {
    let mut heads = vec![String::new()];
    // One that has failed has no units.
    let first = rows.iter().find(|r| r.error.is_none());
    let first = first.unwrap_or(&reference.row);
    heads.extend(COLUMNS.iter().map(|c| head(c, first)));
    heads.push("MiB".to_owned());
    let mut lines = vec![heads];
    for row in rows {
        let mut line = vec![row.label.clone()];
        for (column, value) in COLUMNS.iter().zip(row.values) {
            line.push(match value {
                Some(v) if column.name == "iterations" => format!("{v}"),
                Some(v) if column.name.contains("ms") => format!("{v:.3}"),
                Some(v) => format!("{v:.3e}"),
                None => "–".to_owned(),
            });
        }
        line.push(match row.memory_bytes {
            Some(bytes) => format!("{:.1}", bytes as f64 / f64::from(1 << 20)),
            None => "–".to_owned(),
        });
        lines.push(line);
    }
    let mut text = format!("{}\n", table(&lines));
    for row in rows {
        if let Some(error) = &row.error {
            let label = if row.label.is_empty() {
                "It"
            } else {
                &row.label
            };
            text.push_str(&format!("{label} failed: {}\n", printable(error)));
        }
    }
    let solved = rows.iter().find(|r| r.get("residual_l2").is_some());
    if let Some(row) = solved {
        text.push_str(&format!("Residuals in {}. ", row.unit("residual_l2")));
    }
    text.push_str(&format!(
        "Δ is the root mean square difference from a reference: {} ({:.3} ms/frame).\n",
        reference.words,
        reference.row.get("ms_per_frame").unwrap_or(0.0)
    ));
    text.extend(doubt.map(|doubt| format!("{doubt}\n")));
    text
}
