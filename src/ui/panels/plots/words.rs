//! What the plots mean, in plain words.

use egui::Color32;

use super::charts::{Axis, Chart};
use crate::field::Octave;
use crate::sim::HistoryPoint;
use crate::solvers::{Invariant, SolveReport};
use crate::ui::{format, theme};

/// Below so many times an error is as large as it was.
const HARDLY: f64 = 1.05;
/// Values that differ by less than this share are the same to an artist.
const SAME: f64 = 0.02;

/// Two digits: words that change with every frame stay about as long as they are.
fn roughly(times: f64) -> String {
    match times {
        t if !(1e-4..1e6).contains(&t) => format::number(t),
        t if t < 0.01 => format!("{t:.*}", (1.0 - t.log10().floor()) as usize),
        t if t < 0.995 => format!("{t:.2}"),
        t if t < 10.0 => format!("{t:.1}"),
        t if t < 99.5 => format!("{t:.0}"),
        t => {
            let rest = 10_f64.powf(t.log10().floor() - 1.0);
            format!("{:.0}", (t / rest).round() * rest)
        }
    }
}

/// A label within a sentence: what is written in capitals, or bears a name, stays as it is.
pub fn within(label: &str) -> String {
    let mut letters = label.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            let rest = &label[first.len_utf8()..];
            first.to_lowercase().chain(rest.chars()).collect()
        }
        _ => label.to_owned(),
    }
}

/// In which waves the error is.
pub fn of_spectrum(octaves: &[Octave]) -> (String, Color32) {
    let Some(most) = octaves.iter().max_by(|a, b| a.rms.total_cmp(&b.rms)) else {
        return (String::new(), theme::weak());
    };
    let all: f64 = octaves.iter().map(|o| o.rms * o.rms).sum();
    if all <= 0.0 {
        return ("There is no error left.".to_owned(), theme::good());
    }
    let ends = [0.5_f64.sqrt(), 2.0_f64.sqrt()].map(|f| most.wavelength * f);
    let share = most.rms * most.rms / all * 100.0;
    let longest = octaves.last().map_or(0.0, |o| o.wavelength);
    let meaning = if most.wavelength * 4.0 > longest {
        "These are large swirls, which sweeps hardly find: a solver with coarse grids does."
    } else if most.wavelength < 6.0 {
        "These are short waves, which a few sweeps take away."
    } else {
        "More sweeps reach further."
    };
    let text = format!(
        "{share:.0} % of it is in waves of {:.0} to {:.0} cells. {meaning}",
        ends[0], ends[1]
    );
    (text, theme::text())
}

/// How the pressure solve went whose curve is shown: the one that `measured` belongs to, or the last one.
/// `now` is the last frame.
pub fn of_solve(
    now: u32,
    solve: &SolveReport,
    measured: Option<&HistoryPoint>,
) -> (String, Color32) {
    let (mut text, color) = outcome(now, solve, measured);
    if solve.approximate {
        text.push_str(
            " There are obstacles, for which this solver is not made: an iteration goes only a part of the way.",
        );
    }
    (text, color)
}

fn outcome(now: u32, solve: &SolveReport, measured: Option<&HistoryPoint>) -> (String, Color32) {
    let at = match measured {
        Some(p) => format!("at frame {}", p.frame),
        None => "when it was measured".to_owned(),
    };
    let is_now = measured.is_some_and(|p| p.frame == now);
    let ends = (solve.curve.first(), solve.curve.last());
    let (begin, end, count) = match ends {
        (Some(first), Some(last)) if !is_now => (
            measured.map_or(first.1, |p| p.brought.max(first.1)),
            last.1,
            last.0,
        ),
        _ => (
            solve.l2_before.max(solve.l2_zero),
            solve.l2,
            solve.iterations,
        ),
    };
    let drop = f64::from(begin) / f64::from(end.max(f32::MIN_POSITIVE));
    let iterations = format::count(count as usize, "iteration");
    // Of the frame that the words are about, too.
    let converged = match measured {
        Some(p) if !is_now => p.converged,
        _ => solve.converged,
    };
    if converged {
        let fell = match drop {
            d if d < HARDLY => "there was hardly any error".to_owned(),
            d => format!("the error fell {} times", roughly(d)),
        };
        (
            format!("Converged {at} after {iterations}: {fell}."),
            theme::good(),
        )
    } else if drop < 1.0 / HARDLY {
        let worse = roughly(1.0 / drop.max(1e-30));
        let text = format!(
            "Worse {at}: after {iterations} the error is {worse} times larger than before. \
             This solver does not manage this scene so: choose another one, or more iterations."
        );
        (text, theme::error())
    } else if drop < HARDLY {
        let text = format!(
            "Not converged {at}: after {iterations} the error is hardly any smaller. \
             More iterations or another solver bring it down."
        );
        (text, theme::warn())
    } else {
        let each = contraction(&solve.curve).map_or(String::new(), |factor| {
            format!(", {} % left by each", roughly(factor * 100.0))
        });
        let smaller = format!(
            "after {iterations} the error is {} times smaller{each}",
            roughly(drop)
        );
        // The same bounds as for what a frame's solve has left.
        if drop > 100.0 {
            (format!("Well solved {at}: {smaller}."), theme::good())
        } else if drop > 5.0 {
            let text = format!("Solved for a look {at}: {smaller}.");
            (text, theme::text())
        } else {
            let text = format!(
                "Not converged {at}: {smaller}. More iterations or another solver bring it down."
            );
            (text, theme::warn())
        }
    }
}

/// What a frame's solve has left of the error. A warm start has most of the answer already: what is left is a share of what
/// there was to solve for.
pub fn of_ends(last: &HistoryPoint) -> (String, Color32) {
    let [before, after] = last.residual.map(f64::from);
    let whole = before.max(f64::from(last.brought));
    let left = after / whole.max(f64::MIN_POSITIVE) * 100.0;
    if left < 1.0 {
        (
            format!("{} % of the error is left after the solve.", roughly(left)),
            theme::good(),
        )
    } else if left < 20.0 {
        (
            format!("{left:.0} % of the error is left: fine for a look, not for a measurement."),
            theme::text(),
        )
    } else {
        (
            format!(
                "{left:.0} % of the error is left: swirls lose life and fluid seems to vanish."
            ),
            theme::warn(),
        )
    }
}

/// What the last value means.
pub fn of_value(invariant: &Invariant, points: &[[f64; 2]]) -> (String, Color32) {
    let value = invariant.value;
    let now = format::with_unit(value, invariant.unit);
    let trend = trend(points);
    let plain = |text: String| (text, theme::text());
    match invariant.name {
        "cfl" if value > 8.0 => (
            format!(
                "The fluid crosses {} cells a step: details smear. Allow more sub-steps.",
                format::number(value)
            ),
            theme::warn(),
        ),
        "cfl" => plain(format!(
            "The fluid crosses {} cells a step at most.",
            format::number(value)
        )),
        name if name.starts_with("divergence") => plain(format!(
            "Fluid appears or vanishes at up to {now}; zero is perfect."
        )),
        "kinetic_energy" => plain(format!("Energy of motion: {now}, {trend}.")),
        "dye_mass" => plain(format!("Dye in all: {now}, {trend}.")),
        _ => plain(format!("Now {now}, {trend}.")),
    }
}

/// Whether the second half of what is shown lies above or below the first.
fn trend(points: &[[f64; 2]]) -> &'static str {
    let half = points.len() / 2;
    if half < 4 {
        return "just begun";
    }
    let mean = |p: &[[f64; 2]]| p.iter().map(|p| p[1]).sum::<f64>() / p.len() as f64;
    let recent = &points[half..];
    let (a, b) = recent.split_at(recent.len() / 2);
    let (a, b) = (mean(a), mean(b));
    let scale = a.abs().max(b.abs()).max(1e-30);
    match (b - a) / scale {
        d if d > 0.03 => "rising",
        d if d < -0.03 => "falling",
        _ => "steady",
    }
}

/// What the run has at its latest frame that the pinned one has too, against it. A solve is judged by its end.
pub fn against(chart: &Chart, pinned: &Chart) -> Option<String> {
    let live = chart.series.get(chart.compared.series)?;
    let other = pinned.series.iter().find(|s| s.name == live.name)?;
    let (now, then, place) = match chart.x {
        Axis::Frame => {
            let last = live.points.last()?[0];
            let both = live.points.iter().rev().find_map(|p| {
                let then = other.at(p[0])?;
                Some((p[0], p[1], then))
            });
            let Some((x, now, then)) = both else {
                return Some("The pinned run has none of these frames.".to_owned());
            };
            let place = match x {
                x if x == last => "at this frame".to_owned(),
                x => format!("at frame {x:.0}, the last of both"),
            };
            (now, then, place)
        }
        // The longest waves are the last to go.
        Axis::Iteration | Axis::Milliseconds | Axis::Wavelength => (
            live.points.last()?[1],
            other.points.last()?[1],
            match chart.x {
                Axis::Wavelength => "in the longest waves".to_owned(),
                _ => "at the end".to_owned(),
            },
        ),
    };
    let what = &chart.compared.what;
    if !now.is_finite() || !then.is_finite() {
        return None;
    }
    Some(if (now - then).abs() <= SAME * now.abs().max(then.abs()) {
        format!("As much as the pinned run {place}.")
    } else if then == 0.0 || now * then < 0.0 {
        let then = format::with_unit(then, &pinned.unit);
        format!("In the pinned run {then} {place}.")
    } else {
        let times = roughly(now / then);
        format!("{times} times the {what} of the pinned run {place}.")
    })
}

/// What of the error an iteration leaves, on average over the curve: the contraction factor. None where there is no telling.
pub fn contraction(curve: &[(u32, f32)]) -> Option<f64> {
    let (first, last) = (curve.first()?, curve.last()?);
    let iterations = last.0.checked_sub(first.0).filter(|n| *n > 0)?;
    (first.1 > 0.0 && last.1 > 0.0)
        .then(|| (f64::from(last.1) / f64::from(first.1)).powf(1.0 / f64::from(iterations)))
}

#[cfg(test)]
mod tests {
    use super::super::charts::tests::{chart, series};
    use super::*;

    #[test]
    fn the_contraction_is_that_of_one_iteration() {
        let factor = contraction(&[(0, 8.0), (1, 3.0), (3, 1.0)]);
        assert!((factor.unwrap_or(0.0) - 0.5).abs() < 1e-9);
        assert_eq!(contraction(&[(0, 8.0)]), None);
        assert_eq!(contraction(&[(0, 0.0), (4, 0.0)]), None);
    }

    #[test]
    fn a_spectrum_says_what_helps() {
        let octaves = |strongest: usize| -> Vec<Octave> {
            (0..7)
                .map(|i| Octave {
                    wavelength: 2_f64.powf(i as f64 + 1.5),
                    rms: if i == strongest { 1.0 } else { 0.1 },
                })
                .collect()
        };
        let text = |strongest| of_spectrum(&octaves(strongest)).0;
        assert!(
            text(6).starts_with("94 % of it is in waves of 128 to 256 cells"),
            "{}",
            text(6)
        );
        assert!(text(6).contains("coarse grids") && text(0).contains("short waves"));
        assert!(of_spectrum(&[]).0.is_empty());
    }

    #[test]
    fn a_trend_is_seen() {
        let line = |f: fn(f64) -> f64| -> Vec<[f64; 2]> {
            (0..100).map(|i| [f64::from(i), f(f64::from(i))]).collect()
        };
        assert_eq!(trend(&line(|x| x)), "rising");
        assert_eq!(trend(&line(|x| 200.0 - x)), "falling");
        assert_eq!(trend(&line(|_| 3.0)), "steady");
    }

    #[test]
    fn two_runs_are_compared_where_both_have_a_frame() {
        let one = |points: &[[f64; 2]]| chart(vec![series("after", points)]);
        let say = |now: &[[f64; 2]], then: &[[f64; 2]]| against(&one(now), &one(then));
        let now = [[1.0, 3.0], [2.0, 0.4]];
        assert_eq!(
            say(&now, &[[1.0, 1.0], [2.0, 1.0], [3.0, 9.0]]).unwrap(),
            "0.40 times the error of the pinned run at this frame."
        );
        assert_eq!(
            say(&now, &[[1.0, 1.0]]).unwrap(),
            "3.0 times the error of the pinned run at frame 1, the last of both."
        );
        assert!(say(&now, &[[2.0, 0.401]]).unwrap().starts_with("As much"));
        assert!(say(&now, &[[2.0, 0.0]]).unwrap().contains("0 1/s"));
        assert!(say(&now, &[[7.0, 1.0]]).unwrap().contains("none of these"));
        assert_eq!(say(&now, &[[2.0, f64::NAN]]), None);
    }

    #[test]
    fn words_have_two_digits() {
        let said = [0.001_675, 0.4, 7.572, 42.4, 59_824.0, 1234.0].map(roughly);
        assert_eq!(said, ["0.0017", "0.40", "7.6", "42", "60000", "1200"]);
    }

    /// The curve is that of an earlier frame than the last one: the words are, too.
    #[test]
    fn whether_it_converged_is_told_of_the_frame_of_the_curve() {
        let solve = SolveReport {
            curve: vec![(0, 1.0), (40, 0.3)],
            iterations: 12,
            l2_before: 1.0,
            l2: 1e-4,
            converged: true,
            ..SolveReport::default()
        };
        let point = |frame, iterations, converged| HistoryPoint {
            frame,
            iterations,
            converged,
            brought: 1.0,
            ..HistoryPoint::default()
        };
        let points = [point(16, 40, false), point(20, 12, true)];
        let said = |at: usize| of_solve(20, &solve, Some(&points[at])).0;
        assert!(
            said(0).starts_with("Not converged at frame 16: after 40"),
            "{}",
            said(0)
        );
        assert!(
            said(1).starts_with("Converged at frame 20 after 12"),
            "{}",
            said(1)
        );
        let approximate = SolveReport {
            approximate: true,
            ..solve.clone()
        };
        let (text, _) = of_solve(20, &approximate, Some(&points[0]));
        assert!(
            text.starts_with(&said(0)) && text.contains("obstacles"),
            "{text}"
        );
    }

    #[test]
    fn labels_go_into_sentences() {
        assert_eq!(within("Kinetic energy"), "kinetic energy");
        assert_eq!(within("CFL number"), "CFL number");
        assert_eq!(within("x"), "x");
    }
}
