//! What numbers mean, in plain words.

use egui::Color32;

use crate::compare::{Budget, Cost, Measure, Reference, Row, cheapest_within, closest};
use crate::ui::compare_job::Results;
use crate::ui::{format, theme};

/// What is called good enough: this share of the whole.
const GOOD: f64 = 0.05;

/// What an error is called.
pub fn name(measure: Measure) -> &'static str {
    match measure {
        Measure::Pressure => "Pressure error left",
        Measure::Divergence => "Divergence",
        Measure::Dye => "Difference of dye",
        Measure::Velocity => "Difference of velocity",
    }
}

/// What it says about a picture.
pub fn doc(measure: Measure) -> &'static str {
    match measure {
        Measure::Pressure => {
            "What the pressure solve leaves undone at the last frame: zero is solved."
        }
        Measure::Divergence => {
            "Where fluid appears or vanishes at the last frame, the largest of all cells: zero is perfect."
        }
        Measure::Dye => {
            "How far the dye of the last frame is from that of the reference, as a root mean square."
        }
        Measure::Velocity => {
            "How far the flow of the last frame is from that of the reference, as a root mean square."
        }
    }
}

fn percent(share: f64) -> String {
    let p = share * 100.0;
    match p {
        p if p >= 1000.0 => format!("{} times", format::number((share * 10.0).round() / 10.0)),
        p if p >= 10.0 => format!("{p:.0} %"),
        p => format!("{} %", format::number((p * 100.0).round() / 100.0)),
    }
}

/// How far off a way is.
fn off(measure: Measure, share: f64) -> String {
    let share = percent(share);
    match measure {
        Measure::Pressure => format!("{share} left"),
        Measure::Divergence => format!("{share} above the reference's"),
        Measure::Dye | Measure::Velocity => format!("{share} off"),
    }
}

/// What is meant by cost, as its axis says.
pub fn cost(cost: Cost) -> &'static str {
    match cost {
        Cost::Time => "Time a frame, ms",
        Cost::Memory => "Memory, MB",
    }
}

/// What a way costs, in words.
fn price(row: &Row, cost: Cost) -> String {
    let value = format::number(cost.of(row).unwrap_or(0.0));
    match cost {
        Cost::Time => format!("{value} ms a frame"),
        Cost::Memory => format!("{value} MB"),
    }
}

/// Flows that are further apart than this share have drifted: eddies then sit elsewhere, be they right or wrong.
const DRIFTED: f64 = 0.25;

/// What a way that was judged by its pressure or divergence makes of the picture.
fn picture(row: &Row, reference: &Reference, measure: Measure) -> String {
    if matches!(measure, Measure::Dye | Measure::Velocity) {
        return String::new();
    }
    let share = |m: Measure| m.share(row, reference);
    let told = [
        ("flow", share(Measure::Velocity)),
        ("dye", share(Measure::Dye)),
    ];
    let told: Vec<String> = told
        .iter()
        .filter_map(|(what, share)| Some(format!("its {what} is {} off", percent((*share)?))))
        .collect();
    if told.is_empty() {
        return String::new();
    }
    let mut text = format!(" Against the reference {}.", told.join(", "));
    if share(Measure::Velocity).is_some_and(|s| s > DRIFTED) {
        text.push_str(
            " Eddies drift apart with every frame even where both are right: judge by the pictures.",
        );
    }
    text
}

/// Whether a frame of it takes longer than what one may take here.
fn over(row: &Row, frame_ms: f32) -> Option<String> {
    let ms = Cost::Time.of(row)?;
    (ms > f64::from(frame_ms)).then(|| {
        let most = format::number(f64::from((frame_ms * 10.0).round() / 10.0));
        format!(" That is over the budget of {most} ms a frame.")
    })
}

/// Which ways keep to a budget.
pub fn kept(rows: &[Row], reference: &Reference, budget: &Budget) -> (String, Color32) {
    let asked = format!(
        "{} ms a frame and {}",
        format::number(budget.ms),
        off(budget.measure, budget.share)
    );
    let all = budget.kept(rows, reference);
    let Some(best) = all.first() else {
        let (closest, _) = verdict(rows, reference, budget.measure, Cost::Time, None);
        return (
            format!("Nothing keeps to {asked}. {closest}"),
            theme::warn(),
        );
    };
    let row = &rows[*best];
    let left = off(
        budget.measure,
        budget.measure.share(row, reference).unwrap_or(0.0),
    );
    let many = match all.len() {
        1 => "One way keeps".to_owned(),
        n => format!("{n} ways keep"),
    };
    let text = format!(
        "{many} to {asked}. “{}” errs least: {}, {left}.{}",
        row.label,
        price(row, Cost::Time),
        picture(row, reference, budget.measure)
    );
    (text, theme::good())
}

/// What the chart comes to: the cheapest way that is good enough, or the one that comes closest, and whether that keeps to
/// the time that a frame may take, ms.
pub fn verdict(
    rows: &[Row],
    reference: &Reference,
    measure: Measure,
    cost: Cost,
    frame_ms: Option<f32>,
) -> (String, Color32) {
    let told = |i: usize| {
        let row = &rows[i];
        let share = measure.share(row, reference).unwrap_or(0.0);
        (&row.label, price(row, cost), off(measure, share))
    };
    if let Some(i) = cheapest_within(rows, reference, measure, cost, GOOD) {
        let (label, price, off) = told(i);
        let what = match measure {
            Measure::Pressure => "that leaves at most 5 % of the pressure error",
            Measure::Divergence => "whose divergence is within 5 % of the reference's",
            Measure::Dye => "whose dye is within 5 % of the reference",
            Measure::Velocity => "whose flow is within 5 % of the reference",
        };
        let least = match cost {
            Cost::Time => "cheapest",
            Cost::Memory => "smallest",
        };
        let over = frame_ms.and_then(|ms| over(&rows[i], ms));
        let color = match over {
            Some(_) => theme::warn(),
            None => theme::good(),
        };
        let text = format!(
            "“{label}” is the {least} {what}: {price}, {off}.{}{}",
            over.unwrap_or_default(),
            picture(&rows[i], reference, measure)
        );
        return (text, color);
    }
    let Some(i) = closest(rows, reference, measure) else {
        return (
            "This cannot be judged here: the reference has nothing of it at its last frame."
                .to_owned(),
            theme::weak(),
        );
    };
    let (label, price, off) = told(i);
    let none = match measure {
        Measure::Pressure => "None leaves less than 5 % of the pressure error",
        _ => "None comes within 5 % of the reference",
    };
    let mut text = format!("{none}. “{label}” comes closest: {off}, at {price}.");
    if let Some(over) = frame_ms.and_then(|ms| over(&rows[i], ms)) {
        text.push_str(&over);
    }
    text.push_str(&picture(&rows[i], reference, measure));
    if matches!(measure, Measure::Dye | Measure::Velocity) {
        text.push_str(" Small differences grow with every frame: over fewer frames more is alike.");
    }
    (text, theme::warn())
}

/// That not all has run, where that is so.
pub fn standing(results: &Results) -> Option<(String, Color32)> {
    let all = results.frames == results.of_frames && results.rows.len() == results.of_ways;
    let (frames, of_frames) = (results.frames, results.of_frames);
    let ways = match (results.rows.len(), results.of_ways) {
        (some, all) if some < all => format!(", {some} of {all} ways"),
        _ => String::new(),
    };
    if results.running {
        return Some((
            format!("Running: frame {frames} of {of_frames}{ways}."),
            theme::weak(),
        ));
    }
    (!all).then(|| {
        let text = format!("Stopped at frame {frames} of {of_frames}{ways}.");
        (text, theme::warn())
    })
}

/// How it was measured.
pub fn how(results: &Results) -> String {
    if results.running {
        return "All ways run in step; numbers and pictures follow.".to_owned();
    }
    let ms = results.reference.row.get("ms_per_frame").unwrap_or(0.0);
    let mut text = format!(
        "{} each from frame {} on, in turns, on {}, {} in all. The reference is {}; it takes {} ms a frame. Differences are \
         root mean squares over all cells at the last frame.",
        format::count(results.frames as usize, "frame"),
        results.first,
        results.device,
        format::duration(f64::from(results.seconds)),
        results.reference.words,
        format::number(ms),
    );
    if results.disturbed {
        text.push_str(" Something else was computed meanwhile (the editor played, or a bake ran): let this run alone for steadier times.");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::COLUMNS;

    fn row(label: &str, ms: f64, velocity: f64) -> Row {
        let mut values = [None; COLUMNS.len()];
        (values[0], values[8]) = (Some(ms), Some(velocity));
        Row {
            id: label.to_owned(),
            label: label.to_owned(),
            values,
            units: [""; COLUMNS.len()],
            brought: None,
            memory_bytes: Some(1),
            error: None,
        }
    }

    #[test]
    fn the_verdict_names_the_cheapest_that_is_good_enough_and_says_when_there_is_none() {
        let reference = Reference {
            row: row("reference", 50.0, 0.0),
            words: String::new(),
            dye_rms: None,
            velocity_rms: Some(1.0),
        };
        let rows = [
            row("few", 1.0, 0.3),
            row("some", 2.0, 0.04),
            row("many", 4.0, 0.001),
        ];
        let (text, _) = verdict(&rows, &reference, Measure::Velocity, Cost::Time, None);
        assert!(
            text.contains("“some” is the cheapest") && text.contains("4 % off"),
            "{text}"
        );
        let (text, _) = verdict(&rows[..1], &reference, Measure::Velocity, Cost::Time, None);
        assert!(
            text.contains("None comes within 5 %") && text.contains("30 % off"),
            "{text}"
        );
        let (text, _) = verdict(&rows, &reference, Measure::Dye, Cost::Time, None);
        assert!(text.contains("cannot be judged"), "{text}");
    }

    #[test]
    fn a_verdict_about_pressure_tells_of_the_picture_and_of_the_budget() {
        let reference = Reference {
            row: row("reference", 50.0, 0.0),
            words: String::new(),
            dye_rms: None,
            velocity_rms: Some(1.0),
        };
        let mut rows = [row("some", 20.0, 0.04), row("many", 40.0, 0.6)];
        for (row, left) in rows.iter_mut().zip([0.01, 0.02]) {
            (row.values[4], row.brought) = (Some(left), Some(1.0));
        }
        let said =
            |rows: &[Row], frame| verdict(rows, &reference, Measure::Pressure, Cost::Time, frame).0;
        let text = said(&rows, Some(16.66));
        assert!(
            text.contains("over the budget of 16.7 ms a frame"),
            "{text}"
        );
        assert!(text.ends_with("its flow is 4 % off."), "{text}");
        assert!(!said(&rows, Some(25.0)).contains("budget"));
        let text = said(&rows[1..], None);
        assert!(text.contains("60 % off. Eddies drift apart"), "{text}");
    }
}
