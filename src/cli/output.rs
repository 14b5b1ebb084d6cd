//! Writing results and complaints. A reader that goes away, as `head` does, is no error.

use std::io::{ErrorKind, Write};

use super::{Error, Result};
use crate::document::printable;

/// Writes a result to stdout, ending in a new line.
pub fn text(text: &str) -> Result {
    let mut out = std::io::stdout().lock();
    let newline = if text.ends_with('\n') { "" } else { "\n" };
    match write!(out, "{text}{newline}").and_then(|()| out.flush()) {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(Error::Failed(format!("the result cannot be written: {e}")))
        }
        _ => Ok(()),
    }
}

/// Writes a result to stdout as JSON.
pub fn json(value: &serde_json::Value) -> Result {
    text(&format!("{value:#}"))
}

/// Says on stderr what went wrong. What would move the cursor is spelled out.
pub fn complain(message: &str) {
    let lines: Vec<String> = message.lines().map(printable).collect();
    let _ = writeln!(std::io::stderr(), "eddy: {}", lines.join("\n"));
}

/// Writes to stdout, as JSON, why there is no result. Where that cannot be written there is no one to tell.
pub fn failed(message: &str) {
    let _ = json(&serde_json::json!({ "error": message }));
}

/// A number for JSON, in as few digits as its precision asks for; what is not finite becomes null.
pub fn number(value: f32) -> serde_json::Value {
    let short: Option<f64> = value.to_string().parse().ok();
    short
        .filter(|v| v.is_finite())
        .map_or(serde_json::Value::Null, Into::into)
}

/// Lays cells out in columns: the first one to the left, the others to the right.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| {
        let cells = rows.iter().filter_map(|r| r.get(c));
        cells.map(|t| t.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let cells = row.iter().enumerate().map(|(c, cell)| match c {
            0 => format!("{cell:<0$}", widths[c]),
            _ => format!("{cell:>0$}", widths[c]),
        });
        let line: Vec<String> = cells.collect();
        out.push_str(line.join("  ").trim_end());
        out.push('\n');
    }
    out
}
