//! Comparing from the editor.

use std::time::{Duration, Instant};

use eddy::edit::Action;
use eddy::sim::Command;
use eddy::ui::compare_job::Stage;
use eddy::ui::dock::Workspace;
use egui::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use crate::ui::sizes::{cut, outside};
use crate::ui::support::{Answers, Rig, document as small, rig_with};

/// The workspace for a small look that is solved by sweeps.
fn comparing(frames: u32) -> Rig<'static> {
    let mut document = small();
    document.scene.emitters[0].velocity_blend = eddy::scene::Blend::Clamp;
    eddy::document::set_by_name(&mut document, "pressure", "jacobi").unwrap();
    let mut rig = rig_with(document, Answers::default());
    // So high that nothing is scrolled away.
    rig.harness.set_size(egui::vec2(1440.0, 2400.0));
    rig.editor().act(Action::CompareWorkspace);
    rig.steps();
    let layout = rig.harness.state_mut().layout();
    assert_eq!(layout.workspace(), Workspace::Compare);
    type_frames(&mut rig, frames);
    rig
}

fn type_frames(rig: &mut Rig<'_>, frames: u32) {
    let field = rig.harness.get_by_label("Frames to run");
    field.click();
    rig.steps();
    rig.harness
        .get_by_label("Frames to run")
        .type_text(&frames.to_string());
    rig.harness.key_press(egui::Key::Enter);
    rig.steps();
}

/// Chooses what is compared.
fn ask(rig: &mut Rig<'_>, question: &str) {
    let choice = rig
        .harness
        .get_by_role_and_label(Role::RadioButton, question);
    choice.click();
    rig.steps();
}

fn run(rig: &mut Rig<'_>) {
    rig.click("Run comparison");
    assert!(rig.editor().compare.running());
    rig.wait("compared", |r| !r.editor().compare.running());
    assert_eq!(rig.editor().compare.stage, Stage::Idle);
}

fn says(rig: &Rig<'_>, text: &str) -> bool {
    rig.harness
        .query_all_by_label_contains(text)
        .next()
        .is_some()
}

/// Pictures of ways that are seen.
fn pictures(rig: &Rig<'_>) -> usize {
    let all = rig.harness.query_all_by_role(Role::Image);
    let label = |n: &egui_kittest::Node<'_>| n.accesskit_node().label().unwrap_or_default();
    all.filter(|n| label(n).starts_with("Picture of ")).count()
}

fn uses(rig: &Rig<'_>) -> usize {
    rig.harness
        .query_all_by_label_contains("Use this: ")
        .count()
}

#[test]
fn iterations_are_compared_and_one_is_used_as_one_step() {
    let mut rig = comparing(3);
    assert!(says(&rig, "See what a choice costs"));
    assert!(says(
        &rig,
        "5 ways and a reference, 3 frames each: 18 frames in all."
    ));
    run(&mut rig);
    assert!(!says(&rig, "See what a choice costs"));
    let results = rig
        .editor()
        .compare
        .results
        .clone()
        .expect("there are some");
    assert_eq!(
        (results.rows.len(), results.shown.len(), results.frames),
        (5, 6, 3)
    );
    assert!(results.shown.iter().all(Option::is_some));
    assert_eq!(
        uses(&rig),
        4,
        "one of them is the look as it is: 40 iterations"
    );
    assert!(says(&rig, "This look is now as in “40 iterations”."));
    let steps = rig.labels().len();
    rig.click("Use this: 160 iterations");
    assert_eq!(rig.labels().len(), steps + 1);
    assert_eq!(
        rig.labels().last().map(String::as_str),
        Some("Use 160 iterations")
    );
    let set = eddy::params::get(&*rig.document(), "method.pressure.iterations");
    assert_eq!(set, Some(eddy::params::Value::Int(160)));
    assert!(says(&rig, "This look is now as in “160 iterations”."));
    rig.editor().act(Action::Undo);
    rig.steps();
    assert!(says(&rig, "This look is now as in “40 iterations”."));

    rig.editor()
        .history
        .edit("Other", |d| d.scene.domain.cells_x = 25);
    rig.steps();
    assert!(says(&rig, "Run for an earlier state of this look"));
    // What is only shown differently is no other state.
    rig.editor().act(Action::Undo);
    rig.steps();
    rig.editor().history.edit("Look", |d| d.view.exposure = 1.0);
    rig.steps();
    assert!(!says(&rig, "Run for an earlier state of this look"));
    // Another look has no results.
    rig.editor().replace(std::sync::Arc::new(small()), None);
    rig.steps();
    assert!(rig.editor().compare.results.is_none() && says(&rig, "See what a choice costs"));
}

#[test]
fn every_solver_is_compared_sorted_and_copied() {
    let mut rig = comparing(2);
    ask(&mut rig, "Every pressure solver at its default");
    run(&mut rig);
    let n = eddy::poisson::SOLVERS.len();
    assert_eq!(
        rig.editor().compare.results.as_ref().map(|r| r.rows.len()),
        Some(n)
    );
    let first = |rig: &Rig<'_>| {
        let all = rig.harness.query_all_by_label_contains("Use this: ");
        let top = all.min_by(|a, b| a.rect().top().total_cmp(&b.rect().top()));
        top.and_then(|n| n.accesskit_node().label())
    };
    rig.click("Sort by error left");
    let best = first(&rig);
    rig.click("Sort by error left");
    assert_ne!(first(&rig), best, "the other way round");
    rig.harness
        .get_by_label("Copy the comparison as CSV")
        .click();
    let copied = |rig: &mut Rig<'_>| {
        rig.harness.step();
        let commands = &rig.harness.output().platform_output.commands;
        commands.iter().find_map(|c| match c {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    };
    let text = (0..4).find_map(|_| copied(&mut rig)).expect("it is copied");
    assert_eq!(text.lines().count(), n + 2);
    assert!(text.starts_with("way,Frame (ms),"), "{text}");
}

#[test]
fn a_comparison_is_cancelled_and_leaves_nothing_running() {
    let mut rig = comparing(50_000);
    rig.click("Run comparison");
    assert!(rig.editor().compare.running());
    assert!(rig.harness.query_by_label("Comparison progress").is_some());
    rig.wait("it runs", |r| says(r, "Frame "));
    let begin = Instant::now();
    rig.click("Cancel");
    rig.wait("stopped", |r| !r.editor().compare.running());
    assert!(begin.elapsed() < Duration::from_secs(10));
    assert_eq!(rig.editor().compare.stage, Stage::Cancelled);
    assert!(says(&rig, "Cancelled."));
    let results = rig.editor().compare.results.clone();
    assert!(results.is_none_or(|r| r.stopped && !r.running));
    // One that runs while another look is opened is not listened to any more.
    rig.click("Run comparison");
    rig.editor().replace(std::sync::Arc::new(small()), None);
    rig.steps();
    assert!(!rig.editor().compare.running());
    std::thread::sleep(Duration::from_millis(200));
    rig.steps();
    assert_eq!(rig.editor().compare.stage, Stage::Idle);
}

#[test]
fn a_parameter_of_ones_own_is_searched_for_and_compared() {
    let mut rig = comparing(2);
    ask(&mut rig, "One parameter");
    assert!(says(&rig, "Choose a parameter of this look's method."));
    rig.harness
        .get_by_role_and_label(Role::ComboBox, "Compared parameter")
        .click();
    rig.steps();
    let search = rig.harness.get_by_label("Search this method");
    search.focus();
    rig.steps();
    rig.harness
        .get_by_label("Search this method")
        .type_text("vortic");
    rig.steps();
    rig.click("Vorticity confinement");
    let field = rig.harness.get_by_label("Values to compare");
    field.focus();
    rig.steps();
    rig.harness
        .key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    rig.harness
        .get_by_label("Values to compare")
        .type_text("0, x");
    rig.steps();
    assert!(says(&rig, "expected a number"));
    rig.harness
        .key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    rig.harness
        .get_by_label("Values to compare")
        .type_text("0, 1.5, 3");
    rig.steps();
    assert!(says(&rig, "3 ways and a reference"));
    run(&mut rig);
    let results = rig
        .editor()
        .compare
        .results
        .clone()
        .expect("there are some");
    assert_eq!(results.rows[1].label.split(' ').nth(2), Some("1.5"));
    assert!(says(&rig, "Vorticity confinement: 0, 1.5, 3"));
}

/// Chooses a parameter and types its values.
fn ask_about(rig: &mut Rig<'_>, search: &str, parameter: &str, values: &str) {
    ask(rig, "One parameter");
    rig.harness
        .get_by_role_and_label(Role::ComboBox, "Compared parameter")
        .click();
    rig.steps();
    rig.harness.get_by_label("Search this method").focus();
    rig.steps();
    rig.harness
        .get_by_label("Search this method")
        .type_text(search);
    rig.steps();
    rig.click(parameter);
    rig.harness.get_by_label("Values to compare").focus();
    rig.steps();
    rig.harness
        .key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::A);
    rig.harness
        .get_by_label("Values to compare")
        .type_text(values);
    rig.steps();
}

/// One sweep solves nothing of a scene that two thousand solve.
#[test]
fn the_way_that_is_good_enough_is_named() {
    let mut rig = comparing(3);
    ask_about(&mut rig, "iterations", "Pressure: Iterations", "1, 2, 2000");
    run(&mut rig);
    for measure in ["Pressure error left", "Difference of velocity"] {
        rig.click(measure);
        assert!(
            says(&rig, "“Pressure: Iterations 2000” is the cheapest"),
            "{measure}"
        );
    }
    // Ten times the longest of them, not of the look.
    assert!(says(&rig, "10 times the most iterations of all ways"));
}

#[test]
fn a_way_that_fails_is_named_and_the_others_are_there() {
    let mut rig = comparing(40);
    ask_about(
        &mut rig,
        "vorticity conf",
        "Vorticity confinement",
        "0, 10000, 1",
    );
    run(&mut rig);
    let results = rig
        .editor()
        .compare
        .results
        .clone()
        .expect("there are some");
    let failed: Vec<bool> = results.rows.iter().map(|r| r.error.is_some()).collect();
    assert_eq!(failed, [false, true, false]);
    assert!(says(&rig, "“Vorticity confinement 10000 1/s” failed: "));
    assert!(says(&rig, "Vorticity confinement 10000 1/s: failed"));
    assert_eq!(uses(&rig), 1, "neither what failed nor what the look is");
    assert_eq!(pictures(&rig), 4);
}

#[test]
fn all_are_seen_in_step_while_they_run_and_stay_when_it_is_cancelled() {
    let mut rig = comparing(5000);
    let values: Vec<String> = (0..20).map(|n| n.to_string()).collect();
    ask_about(&mut rig, "cooling", "Cooling", &values.join(", "));
    rig.click("Run comparison");
    let stand = |r: &mut Rig<'_>| {
        let results = r.editor().compare.results.clone();
        results.map_or(0, |results| results.frames)
    };
    rig.wait("they stand somewhere", |r| stand(r) > 0);
    let before = stand(&mut rig);
    rig.wait("they go on", |r| stand(r) > before);
    let results = rig.editor().compare.results.clone().expect("some");
    assert!(results.running && results.frames < 5000);
    assert!(says(
        &rig,
        &format!("Running: frame {} of 5000", results.frames)
    ));
    assert!(says(&rig, &format!("Pictures of frame {}", results.frames)));
    assert_eq!(pictures(&rig), results.rows.len() + 1);
    rig.click("Cancel");
    rig.wait("stopped", |r| !r.editor().compare.running());
    rig.steps();
    let results = rig.editor().compare.results.clone().expect("some are kept");
    assert_eq!(rig.editor().compare.stage, Stage::Cancelled);
    let n = results.rows.len();
    assert!((2..20).contains(&n), "{n}");
    assert_eq!((results.ways.len(), results.shown.len()), (n, n + 1));
    assert!(results.stopped && !results.running && results.of_ways == 20);
    assert!(says(
        &rig,
        &format!(
            "Stopped at frame {} of 5000, {n} of 20 ways.",
            results.frames
        )
    ));
}

#[test]
fn two_ways_are_used_one_after_the_other() {
    let mut rig = comparing(1);
    run(&mut rig);
    rig.click("Use this: 160 iterations");
    rig.editor().history.edit("Look", |d| d.view.exposure = 1.5);
    rig.steps();
    // The look as it was when it was run.
    rig.click("Use this: 40 iterations");
    let set = eddy::params::get(&*rig.document(), "method.pressure.iterations");
    assert_eq!(set, Some(eddy::params::Value::Int(40)));
    assert_eq!(rig.document().view.exposure, 1.5);
    assert!(says(&rig, "This look is now as in “40 iterations”."));
}

#[test]
fn a_comparison_runs_on_the_device_that_was_chosen() {
    use eddy::device::{Device, DeviceChoice};
    let mut rig = comparing(1);
    assert!(says(&rig, "Runs on a test."));
    rig.click("a test");
    rig.click("GPU, even a slow software one");
    let told = rig.fake.heard();
    let is = |c: &Command| matches!(c, Command::Device(DeviceChoice::Gpu));
    assert!(told.iter().any(is), "{told:?}");
    assert!(says(&rig, "Runs on the GPU."));
    rig.click("Run comparison");
    rig.wait("ended", |r| !r.editor().compare.running());
    match Device::sparing_a_core(DeviceChoice::Gpu) {
        Ok(device) => {
            let results = rig
                .editor()
                .compare
                .results
                .clone()
                .expect("there are some");
            assert_eq!(results.device, device.name());
        }
        Err(_) => assert!(matches!(rig.editor().compare.stage, Stage::Failed(_))),
    }
}

/// Nothing of a comparison holds the look that it was about once another one is open.
#[test]
fn what_is_open_here_is_forgotten_with_the_look() {
    let mut rig = comparing(3);
    run(&mut rig);
    rig.click("Pictures: difference");
    rig.wait("worked out", |r| says(r, "The largest difference is"));
    let results = std::sync::Arc::downgrade(rig.editor().compare.results.as_ref().unwrap());
    // Not drawn any more, so that nothing is found out anew.
    rig.editor().act(Action::LookWorkspace);
    rig.steps();
    let textures = |rig: &Rig<'_>| {
        let manager = rig.harness.ctx.tex_manager();
        let all = manager.read();
        let of_it = all
            .allocated()
            .filter(|(_, t)| t.name.starts_with("compare "));
        of_it.count()
    };
    assert!(textures(&rig) > 0);
    rig.editor().replace(std::sync::Arc::new(small()), None);
    rig.steps();
    assert!(results.upgrade().is_none());
    assert_eq!(textures(&rig), 0);
}

#[test]
fn an_earlier_comparison_that_has_not_stopped_disturbs_the_next() {
    use eddy::compare::Question;
    use eddy::ui::compare_job::{Asked, start};
    let mut rig = comparing(1);
    let document = rig.document();
    let asked = |frames| Asked {
        title: String::new(),
        ways: Question::Iterations.ways(&document, 24).unwrap(),
        first: 0,
        frames,
        budget: None,
    };
    start(rig.editor(), asked(1));
    assert!(!rig.editor().compare.disturbed());
    rig.wait("compared", |r| !r.editor().compare.running());
    start(rig.editor(), asked(50_000));
    rig.editor().compare.forget();
    start(rig.editor(), asked(1));
    assert!(rig.editor().compare.disturbed());
    rig.wait("compared", |r| !r.editor().compare.running());
    assert!(says(&rig, "Something else was computed meanwhile"));
}

/// What was painted is not copied to plan, and takes part all the same.
#[test]
fn what_was_painted_is_run_but_not_kept_by_every_way() {
    let mut rig = comparing(1);
    rig.editor().history.edit("Paint", |d| {
        d.scene.strokes.push(eddy::scene::Stroke::default());
    });
    rig.steps();
    run(&mut rig);
    let results = rig
        .editor()
        .compare
        .results
        .clone()
        .expect("there are some");
    assert_eq!(results.document.scene.strokes.len(), 1);
    let bare = |w: &eddy::compare::Way| w.document.scene.strokes.is_empty();
    assert!(results.ways.iter().all(bare));
    assert!(says(&rig, "This look is now as in “40 iterations”."));
    rig.editor()
        .history
        .edit("Clear", |d| d.scene.strokes.clear());
    rig.steps();
    assert!(says(&rig, "Run for an earlier state of this look"));
}

#[test]
fn pictures_are_shown_beside_each_other_behind_a_divider_and_as_a_difference() {
    let mut rig = comparing(3);
    run(&mut rig);
    assert_eq!(pictures(&rig), 6);
    rig.click("Pictures: split");
    assert_eq!(pictures(&rig), 2);
    rig.click("Pictures: wipe");
    let two = rig
        .harness
        .get_by_label("Two pictures with a divider")
        .rect();
    rig.drag(&[two.center(), two.left_center() + egui::vec2(20.0, 0.0)]);
    rig.click("Pictures: difference");
    rig.wait("worked out", |r| says(r, "The largest difference is"));
    rig.choose("Second picture", "10 iterations");
    rig.wait("alike", |r| says(r, "The two are alike"));
}

/// A result in a window of 1280 × 800 pixels at the usual size and at twice that, in all ways to show it.
#[test]
fn results_are_not_cut_at_any_size_of_everything() {
    let mut rig = comparing(2);
    ask(&mut rig, "Every pressure solver at its default");
    run(&mut rig);
    let mut faults = Vec::new();
    for percent in [100_u8, 150, 200] {
        let size = egui::vec2(1280.0, 800.0) * 100.0 / f32::from(percent);
        rig.harness.set_size(size);
        for action in [
            Action::CompareWorkspace,
            Action::LookWorkspace,
            Action::BakeWorkspace,
        ] {
            rig.editor().act(action);
            rig.steps();
            rig.editor().ask(eddy::ui::editor::Request::Show("compare"));
            rig.steps();
            for mode in ["grid", "split", "wipe", "difference"] {
                let name = format!("Pictures: {mode}");
                rig.harness.get_by_label(&name).click();
                rig.steps();
                let all = cut(&rig).into_iter().chain(outside(&rig, size.x));
                faults.extend(all.map(|f| format!("{percent} %, {action:?}, {mode}: {f}")));
            }
        }
    }
    faults.sort();
    faults.dedup();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Writes pictures of the workspace to the folder that is named, to be looked at.
#[test]
#[ignore = "makes pictures for people"]
fn pictures_of_the_workspace() {
    let dir = std::path::PathBuf::from(std::env::var("EDDY_PICTURES").unwrap());
    let mut document = eddy::ui::presets::first();
    (document.scene.domain.cells_x, document.scene.domain.cells_y) = (96, 96);
    eddy::document::set_by_name(&mut document, "pressure", "jacobi").unwrap();
    let mut rig = rig_with(document, Answers::default());
    let save = |rig: &mut Rig<'_>, name: &str| {
        for _ in 0..10 {
            std::thread::sleep(Duration::from_millis(10));
            rig.steps();
        }
        let picture = rig.harness.render().unwrap();
        picture.save(dir.join(format!("{name}.png"))).unwrap();
    };
    rig.editor().act(Action::CompareWorkspace);
    rig.steps();
    save(&mut rig, "0_empty_dark");
    type_frames(&mut rig, 12);
    rig.click("Run comparison");
    let begin = Instant::now();
    while rig.editor().compare.running() {
        assert!(begin.elapsed() < Duration::from_secs(300));
        std::thread::sleep(Duration::from_millis(20));
        rig.harness.run_steps(1);
    }
    for theme in [egui::Theme::Dark, egui::Theme::Light] {
        rig.harness.ctx.set_theme(theme);
        for (percent, size) in [
            (100, egui::vec2(1440.0, 900.0)),
            (200, egui::vec2(640.0, 400.0)),
            (101, egui::vec2(1440.0, 2400.0)),
        ] {
            rig.harness.set_size(size);
            rig.steps();
            for mode in ["grid", "split", "wipe", "difference"] {
                if mode != "grid" && percent != 101 {
                    continue;
                }
                rig.harness
                    .get_by_label(&format!("Pictures: {mode}"))
                    .click();
                rig.steps();
                save(&mut rig, &format!("{percent}_{mode}_{theme:?}"));
            }
            rig.harness.get_by_label("Pictures: grid").click();
        }
    }
}
