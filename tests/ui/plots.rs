//! Runs are pinned and compared, and values are read under the pointer.

use std::sync::Arc;

use eddy::edit::Action;
use eddy::params;
use eddy::sim::HistoryPoint;
use eddy::ui::presets;
use eddy::ui::theme;
use egui::epaint::{ClippedShape, Shape};
use egui::{OutputCommand, Pos2, vec2};
use egui_kittest::kittest::Queryable as _;

use crate::ui::support::{Rig, rig};

fn says(rig: &Rig<'_>, text: &str) -> bool {
    rig.harness.query_all_by_label_contains(text).count() > 0
}

/// The present run as another one would be.
fn history(rig: &Rig<'_>, change: impl Fn(&mut HistoryPoint)) {
    rig.fake.change(|snapshot| {
        for point in Arc::make_mut(&mut snapshot.history) {
            change(Arc::make_mut(point));
        }
    });
}

fn copied(rig: &mut Rig<'_>, chart: &str) -> String {
    let name = format!("Copy {chart} as CSV");
    rig.harness.get_by_label(&name).click();
    for _ in 0..3 {
        rig.harness.run_steps(1);
        for command in &rig.harness.output().platform_output.commands {
            if let OutputCommand::CopyText(text) = command {
                return text.clone();
            }
        }
    }
    panic!("{chart}: nothing was copied");
}

#[test]
fn a_pinned_run_is_compared_with_the_next_until_it_is_taken_away() {
    let mut rig = rig();
    rig.show("Plots");
    assert!(!says(&rig, "pinned"));
    rig.click("Pin this run");
    assert!(says(&rig, "Pinned: Untitled, frame 12"));
    assert!(rig.harness.query_all_by_label("pinned").count() >= 3);
    assert!(says(&rig, "As much as the pinned run at this frame."));
    history(&rig, |p| p.residual[1] = 0.08);
    rig.steps();
    assert!(says(
        &rig,
        "0.40 times the error after the solve of the pinned run at this frame."
    ));
    history(&rig, |p| p.invariants[0].value = 0.5);
    rig.steps();
    assert!(says(
        &rig,
        "2.0 times the kinetic energy of the pinned run at this frame."
    ));

    // A reset leaves nothing of the present run, an edit changes it, another solver begins a new one.
    rig.editor().act(Action::Reset);
    rig.fake.change(|s| {
        (s.frame, s.history, s.report) = (0, Arc::default(), Arc::default());
    });
    rig.steps();
    assert!(says(&rig, "Nothing measured in this run yet."));
    assert!(says(&rig, "Kinetic energy") && says(&rig, "Pinned: Untitled, frame 12"));
    rig.editor().history.edit("Solver", |d| {
        params::set(&mut d.method, "pressure.kind", "Multigrid").unwrap();
    });
    rig.steps();
    assert!(says(&rig, "Pinned: Untitled, frame 12"));

    rig.click("Unpin");
    assert!(!says(&rig, "Pinned:") && !says(&rig, "Nothing measured"));
    assert!(says(&rig, "Nothing to plot yet"));
}

#[test]
fn another_document_has_nothing_pinned() {
    let mut rig = rig();
    rig.show("Plots");
    rig.click("Pin this run");
    assert!(rig.editor().panels.plots.pinned().is_some());
    rig.click(&presets::all()[0].name);
    assert_eq!(rig.editor().panels.plots.pinned(), None);
    assert!(!says(&rig, "Pinned:"));
}

#[test]
fn numbers_of_a_pinned_run_are_copied_too() {
    let mut rig = rig();
    rig.show("Plots");
    let chart = "Error before and after";
    let alone = copied(&mut rig, chart);
    let heading = "frame,without a guess (1/s),before (1/s),after (1/s)";
    assert_eq!(alone.lines().next(), Some(heading));
    rig.click("Pin this run");
    history(&rig, |p| p.residual[1] = 0.08);
    rig.steps();
    let both = copied(&mut rig, chart);
    let mut lines = both.lines();
    let pinned = ",pinned without a guess (1/s),pinned before (1/s),pinned after (1/s)";
    assert_eq!(lines.next(), Some(format!("{heading}{pinned}").as_str()));
    let last: Vec<&str> = lines.next_back().expect("a line").split(',').collect();
    assert_eq!(last.len(), 7, "{last:?}");
    let value = |i: usize| last[i].parse::<f32>().unwrap();
    assert!((value(3) - 0.08).abs() < 1e-6 && (value(6) - 0.2).abs() < 1e-6);
}

/// Lines across plots at the cursor.
fn marks(rig: &Rig<'_>) -> usize {
    let is_mark = |shape: &ClippedShape| match &shape.shape {
        Shape::LineSegment { points, stroke } => {
            let upright = points[0].x == points[1].x && (points[0].y - points[1].y).abs() > 50.0;
            upright && stroke.color == theme::weak() && shape.clip_rect.contains(points[0])
        }
        _ => false,
    };
    let shapes = rig.harness.output().shapes.iter();
    shapes.filter(|s| is_mark(s)).count()
}

/// A place in the plot below a title: a share of its width from the left.
fn place(rig: &Rig<'_>, title: &str, share: f32) -> Pos2 {
    let copy = format!("Copy {title} as CSV");
    let button = rig.harness.get_by_label(&copy).rect();
    let left = rig.harness.get_by_label(title).rect().left() + 50.0;
    let x = left + (button.right() - left) * share;
    egui::pos2(x, button.bottom() + 60.0)
}

#[test]
fn values_are_read_under_the_pointer_and_the_frame_is_marked_everywhere() {
    let mut rig = rig();
    rig.harness.set_size(vec2(1440.0, 1800.0));
    rig.steps();
    rig.show("Plots");
    // A different value in every frame: what is shown is a sample, and says which.
    rig.fake.change(|snapshot| {
        for point in Arc::make_mut(&mut snapshot.history) {
            let point = Arc::make_mut(point);
            point.invariants[0].value = f64::from(point.frame) * 10.0;
        }
    });
    rig.steps();
    assert_eq!(marks(&rig), 0);
    let at = place(&rig, "Kinetic energy", 0.52);
    rig.harness.hover_at(at);
    rig.steps();
    let ctx = rig.harness.ctx.clone();
    let frame = rig.editor().panels.cursor.frame(&ctx);
    let frame = frame.expect("the pointer is in a plot");
    assert_eq!(frame, frame.round());
    assert!((3.0..9.0).contains(&frame), "{frame}");
    assert!(says(&rig, &format!("Frame {frame}")));
    assert!(says(&rig, &format!("{} J/m", frame * 10.0)));
    // Error before and after, kinetic energy, divergence.
    assert_eq!(marks(&rig), 3);

    // A pinned run has values of its own.
    rig.click("Pin this run");
    rig.fake.change(|snapshot| {
        for point in Arc::make_mut(&mut snapshot.history) {
            Arc::make_mut(point).invariants[0].value = 7.0;
        }
    });
    rig.steps();
    rig.harness.hover_at(place(&rig, "Kinetic energy", 0.52));
    rig.steps();
    assert!(says(&rig, "7 J/m") && says(&rig, &format!("{} J/m", frame * 10.0)));
    assert!(says(&rig, "Kinetic energy, pinned"));

    // The solve has iterations, not frames: no other plot has a mark.
    rig.harness.hover_at(place(&rig, "Pressure error", 0.95));
    rig.steps();
    assert!(says(&rig, "Iteration 3") && says(&rig, "0.2 1/s"));
    assert_eq!(marks(&rig), 1);
    rig.harness.hover_at(egui::pos2(700.0, 300.0));
    rig.steps();
    assert_eq!(marks(&rig), 0);
}

#[test]
fn the_error_is_shown_by_time_where_time_was_measured() {
    let mut rig = rig();
    rig.show("Plots");
    assert!(says(&rig, "in 1/s, by iteration"));
    rig.harness.get_by_label("Error by time").click();
    rig.steps();
    assert!(says(&rig, "in 1/s, by time in ms"));
    // Three iterations in 8 ms.
    let text = copied(&mut rig, "Pressure error");
    let times: Vec<f64> = text
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(times.len(), 4);
    assert!((times[3] - 8.0).abs() < 1e-9 && (times[1] - 8.0 / 3.0).abs() < 1e-9);
    history(&rig, |p| p.kernels.clear());
    rig.steps();
    assert!(says(&rig, "in 1/s, by iteration"));
}

/// What is left of the error is sorted by the length of its waves, where that is wanted.
#[test]
fn the_error_is_taken_apart_by_its_waves() {
    let mut rig = rig();
    rig.harness.set_size(vec2(1440.0, 1500.0));
    rig.steps();
    rig.show("Plots");
    rig.steps();
    assert!(!says(&rig, "Where the error sits"));
    rig.harness.get_by_label("Waves of the error").click();
    rig.steps();
    let grid = eddy::field::Grid {
        cells: [64, 48, 1],
        h: 0.1,
    };
    let wave = |c: usize| (std::f32::consts::PI * ((c % 64) as f32 + 0.5) / 64.0).cos();
    let field = eddy::field::FieldData {
        desc: eddy::field::FieldDesc {
            name: "residual",
            label: "Residual",
            unit: "1/s",
            components: 1,
            range: eddy::field::RangeHint::Signed,
        },
        grid,
        data: (0..64 * 48).map(wave).collect(),
    };
    rig.fake.change(|snapshot| {
        snapshot.serial += 1;
        snapshot.fields.retain(|f| f.desc.name != "residual");
        snapshot.fields.push(Arc::new(field.clone()));
    });
    rig.wait("sorted", |r| {
        says(r, "Where the error sits") && says(r, "100 % of it")
    });
    assert!(says(&rig, "100 % of it is in waves of 128 to 256 cells"));
    assert!(says(&rig, "a solver with coarse grids does"));
}
