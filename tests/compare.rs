//! Ways to run a scene, what they are measured against, and how a comparison ends.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;

use eddy::compare::{
    self, Change, Measure, Plan, Question, Watch, changes, combinations, same_simulation,
};
use eddy::device::Device;
use eddy::document::{self, Document};
use eddy::edit::Edit;
use eddy::params::{self, Value};
use eddy::poisson::SOLVERS;
use eddy::sim::{Fault, Simulation};

/// A small scene in which something moves.
fn scene() -> Document {
    let mut document = Document::default();
    let domain = &mut document.scene.domain;
    (domain.cells_x, domain.cells_y) = (32, 32);
    document.scene.emitters.push(eddy::scene::Emitter {
        velocity_blend: eddy::scene::Blend::Clamp,
        ..Default::default()
    });
    document
}

fn set(document: &mut Document, path: &str, value: &str) {
    document::set_by_name(document, path, value).unwrap();
}

fn plan(document: &Document, question: &Question, frames: u32) -> Plan {
    Plan {
        ways: question.ways(document).unwrap(),
        reference: Arc::new(compare::reference(document).0),
        frames,
    }
}

fn open(document: Arc<Document>) -> Result<Simulation, Fault> {
    Simulation::new(document, PathBuf::new(), Device::cpu_with_threads(2))
}

#[test]
fn all_combinations_are_run_and_what_does_not_fit_is_refused() {
    let document = scene();
    let list = |texts: &[&str]| texts.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
    let vary = list(&["pressure=jacobi,sor", "pressure.iterations=2,4,8"]);
    let ways = combinations(&document, &[], &vary).unwrap();
    let ids: Vec<&str> = ways.iter().map(|w| w.id.as_str()).collect();
    assert_eq!(ids.len(), 6);
    assert_eq!(ids[4], "pressure=sor,pressure.iterations=4");
    let iterations = params::get(&*ways[4].document, "method.pressure.iterations");
    assert_eq!(iterations, Some(Value::Int(4)));
    for (vary, says) in [
        ("pressure.iterations", "varies nothing"),
        ("pressure.iterations=0", "between 1"),
        ("pressure.iteration=1", "did you mean"),
    ] {
        let refused = combinations(&document, &[], &list(&[vary])).unwrap_err();
        assert!(refused.contains(says), "{vary}: {refused}");
    }
    let refused = combinations(&document, &list(&["none"]), &[]).unwrap_err();
    assert!(refused.contains("there is no method"), "{refused}");
}

#[test]
fn a_parameter_that_is_varied_is_not_animated() {
    use eddy::document::animation::{KeyValue, Track};
    let mut document = scene();
    let path = "method.pressure.iterations";
    for time in [0.0, 1.0] {
        let key = Edit::SetKey(path.to_owned(), time, KeyValue::Number(3.0));
        key.apply(&mut document).unwrap();
    }
    let animated = |d: &Document| d.animation.tracks.iter().any(|t: &Track| t.path == path);
    assert!(animated(&document));
    let ways = Question::Iterations.ways(&document).unwrap();
    assert!(ways.iter().all(|w| !animated(&w.document)));
    let (reference, _) = compare::reference(&document);
    assert!(!animated(&reference), "it would not run longer");
    let found = changes(&document, &ways[0].document);
    assert!(found.contains(&Change::Still(path.to_owned())), "{found:?}");
}

#[test]
fn built_in_questions_follow_the_registries() {
    let mut document = scene();
    set(&mut document, "pressure", "jacobi");
    let offered = Question::offered(&document);
    assert!(offered.contains(&Question::Iterations) && offered.contains(&Question::Solvers));
    let title = Question::Iterations.title(&document);
    assert_eq!(title, "Iterations: 10, 20, 40, 80, 160");
    let ways = Question::Iterations.ways(&document).unwrap();
    assert_eq!(ways[4].label, "160 iterations");

    // A solver of few iterations has few.
    set(&mut document, "pressure", "multigrid");
    assert_eq!(
        Question::Iterations.title(&document),
        "Iterations: 1, 2, 4, 8, 16"
    );

    // Every solver as it is by default, also the one that has been set to something else.
    set(&mut document, "pressure.iterations", "77");
    let ways = Question::Solvers.ways(&document).unwrap();
    assert_eq!(ways.len(), SOLVERS.len());
    for (way, info) in ways.iter().zip(SOLVERS) {
        assert_eq!(way.label, info.title);
        for entry in params::entries(&way.document.method) {
            if entry.path.starts_with("pressure.") && entry.spec.name != "kind" {
                assert_eq!(
                    entry.value, entry.spec.default,
                    "{}: {}",
                    info.id, entry.path
                );
            }
        }
    }
}

#[test]
fn values_of_ones_own_are_read_and_equal_ones_run_once() {
    let document = scene();
    let ask = |path: &str, values: &str| {
        Question::Parameter(path.to_owned(), values.to_owned()).ways(&document)
    };
    let ways = ask("method.cooling", "0, 0.5, 0.50, ,1").unwrap();
    let labels: Vec<&str> = ways.iter().map(|w| w.label.as_str()).collect();
    assert_eq!(labels.len(), 3, "{labels:?}");
    assert!(labels[1].starts_with("Cooling 0.5"), "{labels:?}");
    assert!(ask("method.cooling", "-1").is_err());
    assert!(ask("method.cooling", " , ").is_err());
    assert!(ask("method.none", "1").is_err());
}

/// What makes a way, done to the document, is that way, whatever is chosen by it.
#[test]
fn the_changes_of_a_way_lead_to_it() {
    let mut document = scene();
    set(&mut document, "pressure", "sor");
    set(&mut document, "pressure.iterations", "90");
    let vary = ["pressure=jacobi,sor,multigrid", "pressure.iterations=40,90"];
    let vary: Vec<String> = vary.iter().map(|v| (*v).to_owned()).collect();
    let mut ways = combinations(&document, &[], &vary).unwrap();
    ways.extend(Question::Solvers.ways(&document).unwrap());
    for way in ways {
        let mut after = document.clone();
        for change in changes(&document, &way.document) {
            let edit = match change {
                Change::Set(path, value) => Edit::Set(path, value),
                Change::Still(path) => Edit::RemoveTrack(path),
            };
            edit.apply(&mut after).unwrap();
        }
        assert!(same_simulation(&after, &way.document), "{}", way.id);
    }
}

#[test]
fn more_iterations_come_closer_to_the_reference() {
    let mut document = scene();
    set(&mut document, "pressure", "jacobi");
    let plan = plan(&document, &Question::Iterations, 4);
    let (mut rows, mut seen) = (Vec::new(), Vec::new());
    let mut watch = Watch {
        cancelled: &|| false,
        progress: &mut |p| seen.push((p.done, p.total)),
    };
    let reference = compare::run::<Fault>(&plan, &mut open, &mut watch, &mut |way, row, sim| {
        assert_eq!(sim.frame(), 4);
        rows.extend(way.map(|_| row.clone()));
        Ok(())
    })
    .unwrap();
    assert_eq!(seen.len(), 6 * 4);
    assert_eq!(seen.first(), Some(&(0, 24)));
    assert_eq!(seen.last(), Some(&(23, 24)));
    let counts: Vec<_> = rows.iter().map(|r| r.get("iterations")).collect();
    assert_eq!(counts, [10.0, 20.0, 40.0, 80.0, 160.0].map(Some));
    for measure in [Measure::Pressure, Measure::Velocity, Measure::Dye] {
        let shares: Vec<f64> = rows
            .iter()
            .map(|r| measure.share(r, &reference).unwrap())
            .collect();
        assert!(
            shares.windows(2).all(|w| w[1] < w[0]),
            "{measure:?}: {shares:?}"
        );
    }
    assert_eq!(reference.row.get("velocity_difference_l2"), Some(0.0));
    assert!(
        rows.iter()
            .all(|r| r.memory_bytes > 0 && r.unit("dye_difference_l2").is_empty())
    );
    assert_eq!(rows[0].unit("velocity_difference_l2"), "m/s");
}

#[test]
fn a_comparison_ends_when_it_is_asked_to() {
    let mut document = scene();
    document.time.warm_up = 5;
    let plan = plan(&document, &Question::Solvers, 50);
    for most in [2, 20] {
        let frames = Cell::new(0);
        let stop = || frames.get() > most;
        let mut watch = Watch {
            cancelled: &stop,
            progress: &mut |_| frames.set(frames.get() + 1),
        };
        let ended = compare::run::<Fault>(&plan, &mut open, &mut watch, &mut |_, _, _| Ok(()));
        assert!(matches!(ended, Err(Fault::Cancelled)));
        assert_eq!(frames.get(), most + 1, "no frame is begun after that");
    }
}
