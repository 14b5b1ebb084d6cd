//! What a frame costs, against a budget.

use std::sync::Arc;

use egui_kittest::kittest::Queryable as _;

use crate::ui::support::{Rig, rig};

fn says(rig: &Rig<'_>, text: &str) -> bool {
    rig.harness.query_all_by_label_contains(text).count() > 0
}

/// Another time for each kernel, in all frames.
fn times(rig: &Rig<'_>, ms: [f64; 2]) {
    rig.fake.change(|snapshot| {
        snapshot.frame_ms = (ms[0] + ms[1]) as f32;
        for point in Arc::make_mut(&mut snapshot.history) {
            let point = Arc::make_mut(point);
            point.frame_ms = (ms[0] + ms[1]) as f32;
            for (kernel, ms) in point.kernels.iter_mut().zip(ms) {
                kernel.ms = ms;
            }
        }
    });
}

#[test]
fn words_say_whether_it_is_in_budget_and_what_dominates() {
    let mut rig = rig();
    rig.show("Cost");
    assert!(says(&rig, "9.50 ms of 16.7 ms: 57 % of the budget"));
    assert!(says(&rig, "89 % of the work is in Jacobi sweep"));
    assert!(says(&rig, "budget 16.7 ms: 60 frames a second"));
    assert!(says(&rig, "Jacobi sweep: 8.000 ms, 89 %"));
    assert!(says(&rig, "Memory, estimated"));
    // A look at another frame rate has another budget.
    rig.editor()
        .history
        .edit("Rate", |d| d.time.frame_rate = 125.0);
    rig.steps();
    assert!(says(&rig, "9.50 ms of 8.00 ms: 119 % of the budget. Fewer"));
    rig.fake.change(|s| {
        (s.history, s.frame_ms) = (Arc::default(), 0.0);
    });
    rig.steps();
    assert!(says(&rig, "Nothing measured yet"));
}

#[test]
fn the_budget_is_set_and_given_back() {
    let mut rig = rig();
    rig.show("Cost");
    let at = rig
        .harness
        .get_by_role_and_label(egui::Role::SpinButton, "Budget")
        .rect()
        .center();
    rig.drag(&[at, at - egui::vec2(20.0, 0.0), at - egui::vec2(60.0, 0.0)]);
    let budget = rig.editor().panels.cost.budget;
    let ms = budget.ms(60.0);
    assert!(budget.is_set() && ms < 14.0, "{ms}");
    assert!(!says(&rig, "of 16.7 ms"));
    assert_eq!(rig.labels().len(), 1, "it is the artist's, not the look's");
    // As the window remembers it.
    let text = ron::to_string(&budget).unwrap();
    let back: eddy::ui::panels::cost::Budget = ron::from_str(&text).unwrap();
    assert_eq!(back.sound(), budget);
    rig.click("Budget of the frame rate");
    assert!(!rig.editor().panels.cost.budget.is_set());
    assert!(says(&rig, "of 16.7 ms"));
}

/// Rows, words and the plot stay where they are while numbers change.
#[test]
fn nothing_jumps_when_numbers_change() {
    let mut rig = rig();
    rig.harness.set_size(egui::vec2(1440.0, 1500.0));
    rig.steps();
    rig.show("Cost");
    let places = |rig: &Rig<'_>| {
        let names = [
            "Jacobi sweep:",
            "Advect:",
            "ms by frame",
            "Memory, estimated",
        ];
        let place = |n: &str| rig.harness.get_by_label_contains(n).rect();
        names.map(place)
    };
    let before = places(&rig);
    assert!(before[0].bottom() <= before[1].top());
    for ms in [[8.0, 8.5], [7.0, 0.1], [0.2, 0.21], [30.0, 31.0]] {
        times(&rig, ms);
        rig.steps();
        assert_eq!(places(&rig), before, "{ms:?}");
    }
    // What clearly takes longer comes first.
    times(&rig, [1.0, 8.0]);
    rig.steps();
    let after = places(&rig);
    assert!(after[1].bottom() <= after[0].top());
}

#[test]
fn what_a_frame_consisted_of_is_read_under_the_pointer() {
    let mut rig = rig();
    rig.harness.set_size(egui::vec2(1440.0, 1500.0));
    rig.steps();
    rig.show("Cost");
    let legend = rig.harness.get_by_label("ms by frame").rect();
    let below = egui::pos2(legend.left() + 200.0, legend.bottom() + 90.0);
    rig.harness.hover_at(below);
    rig.steps();
    let ctx = rig.harness.ctx.clone();
    let frame = rig.editor().panels.cursor.frame(&ctx).expect("a frame");
    assert!(says(&rig, &format!("Frame {frame}")));
    for value in ["9.50 ms", "8.00 ms", "1.00 ms"] {
        assert!(
            rig.harness.query_all_by_label_contains(value).count() > 0,
            "{value}"
        );
    }
}
