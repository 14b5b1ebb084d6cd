//! Ways to run a scene, what they are measured against, and how a comparison ends.

use std::cell::Cell;
use std::path::PathBuf;
use std::sync::Arc;

use eddy::compare::{
    self, At, Change, Ended, Measure, Plan, Question, Row, Watch, Way, changes, combinations,
    same_simulation,
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
    Plan::new(document, ways_of(question, document), 0, frames)
}

fn ways_of(question: &Question, document: &Document) -> Vec<Way> {
    question.ways(document, 24).unwrap()
}

/// Runs all, and gives back what came of each way.
fn run(plan: &Plan) -> (Vec<Row>, Ended) {
    let mut rows = Vec::new();
    let mut watch = Watch {
        cancelled: &|| false,
        progress: &mut |_| {},
        wants: &mut || false,
    };
    let ended = compare::run::<Fault>(plan, &mut open, &mut watch, &mut |standing| {
        assert!(standing.last && standing.frames == plan.frames);
        for entry in standing.entries {
            assert_eq!(entry.simulation.is_none(), entry.row.error.is_some());
            if let Some(way) = entry.way {
                assert_eq!(way, rows.len());
                rows.push(entry.row);
            }
        }
        Ok(())
    });
    (rows, ended.unwrap())
}

/// Does to a document what makes a way of it.
fn apply(document: &mut Document, base: &Document, ways: &[Way], way: &Way) {
    for change in changes(document, base, ways, &way.document) {
        let edit = match change {
            Change::Set(path, value) => Edit::Set(path, value),
            Change::Animate(track) => Edit::Track(track),
            Change::Still(path) => Edit::RemoveTrack(path),
        };
        edit.apply(document).unwrap();
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
        ("view.exposure=0,1", "no effect on what is simulated"),
        ("bake.engine=unreal,unity", "no effect on what is simulated"),
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
    let ways = ways_of(&Question::Iterations, &document);
    assert!(ways.iter().all(|w| !animated(&w.document)));
    let references = compare::references(&document, &ways);
    assert!(
        references.iter().all(|r| !animated(&r.document)),
        "it would not run longer"
    );
    let found = changes(&document, &document, &ways, &ways[0].document);
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
    let ways = ways_of(&Question::Iterations, &document);
    assert_eq!(ways[4].label, "160 iterations");

    // A solver of few iterations has few.
    set(&mut document, "pressure", "multigrid");
    assert_eq!(
        Question::Iterations.title(&document),
        "Iterations: 1, 2, 4, 8, 16"
    );

    // Every solver as it is by default, also the one that has been set to something else.
    set(&mut document, "pressure.iterations", "77");
    let ways = ways_of(&Question::Solvers, &document);
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

/// Every part of a scene counts but what was painted.
#[test]
fn a_look_over_another_ground_is_another_one() {
    let base = scene();
    let mut other = base.clone();
    assert!(same_simulation(&base, &other));
    other.scene.terrain.push(eddy::scene::Terrain::default());
    assert!(!same_simulation(&base, &other));
}

/// A number that the first state follows from is not carried on from another state; a choice of solver is.
#[test]
fn ways_that_begin_otherwise_begin_anew() {
    let mut document = scene();
    document::use_method(&mut document, "shallow_water").unwrap();
    document.time.warm_up = 3;
    let vary = ["rest_level=0.1,0.3".to_owned()];
    let ways = combinations(&document, &[], &vary).unwrap();
    let plan = Plan::new(&document, ways, 0, 1);
    let mut depths = Vec::new();
    let mut watch = Watch {
        cancelled: &|| false,
        progress: &mut |_| {},
        wants: &mut || false,
    };
    compare::run::<Fault>(&plan, &mut open, &mut watch, &mut |standing| {
        for entry in standing.entries {
            if let (Some(_), Some(simulation)) = (entry.way, entry.simulation) {
                let depth = simulation.field("depth")?.data;
                depths.push(depth.iter().sum::<f32>() / depth.len() as f32);
            }
        }
        Ok(())
    })
    .unwrap();
    assert!((depths[0] - 0.1).abs() < 1e-3, "{depths:?}");
    assert!((depths[1] - 0.3).abs() < 1e-3, "{depths:?}");
}

/// What one has is seen beside what one could have, once.
#[test]
fn the_look_as_it_is_runs_along() {
    let mut document = scene();
    set(&mut document, "pressure", "jacobi");
    set(&mut document, "pressure.iterations", "55");
    let labels = |document: &Document, question: &Question, most| -> Vec<String> {
        let ways = question.ways_beside_own(document, most).unwrap();
        ways.iter().map(|w| w.label.clone()).collect()
    };
    let all = labels(&document, &Question::Iterations, 24);
    assert_eq!((all.len(), all[0].as_str()), (6, "As it is"));
    assert_eq!(labels(&document, &Question::Iterations, 5).len(), 5);
    assert_eq!(labels(&document, &Question::Solvers, 24)[0], "As it is");
    let typed = Question::Parameter("method.pressure.iterations".to_owned(), "80".to_owned());
    assert_eq!(labels(&document, &typed, 24).len(), 1);
    set(&mut document, "pressure.iterations", "40");
    assert_eq!(labels(&document, &Question::Iterations, 24).len(), 5);
}

#[test]
fn values_of_ones_own_are_read_and_equal_ones_run_once() {
    let document = scene();
    let ask = |path: &str, values: &str| {
        Question::Parameter(path.to_owned(), values.to_owned()).ways(&document, 24)
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
    ways.extend(ways_of(&Question::Solvers, &document));
    for way in &ways {
        let mut after = document.clone();
        apply(&mut after, &document, &ways, way);
        assert!(same_simulation(&after, &way.document), "{}", way.id);
    }
}

/// What is left of one way does not stand in the way of another one, and what was done besides stays.
#[test]
fn any_way_can_be_used_after_any_other() {
    use eddy::document::animation::KeyValue;
    let mut base = scene();
    set(&mut base, "pressure", "jacobi");
    set(&mut base, "pressure.iterations", "80");
    for time in [0.0, 1.0] {
        let path = "method.pressure.iterations".to_owned();
        let key = Edit::SetKey(path, time, KeyValue::Number(70.0));
        key.apply(&mut base).unwrap();
    }
    let vary = ["pressure=jacobi,multigrid", "cooling=0,1"].map(str::to_owned);
    let cooling = Question::Parameter("method.cooling".to_owned(), "0, 1".to_owned());
    let one = Question::Parameter("method.pressure.iterations".to_owned(), "80".to_owned());
    let sets = [
        ways_of(&Question::Iterations, &base),
        ways_of(&Question::Solvers, &base),
        ways_of(&Question::Methods, &base),
        ways_of(&cooling, &base),
        ways_of(&one, &base),
        combinations(&base, &[], &vary).unwrap(),
    ];
    for ways in &sets {
        for (a, b) in ways.iter().flat_map(|a| ways.iter().map(move |b| (a, b))) {
            let mut now = base.clone();
            now.view.exposure = 0.5;
            now.scene.emitters[0].temperature = 0.07;
            apply(&mut now, &base, ways, a);
            apply(&mut now, &base, ways, b);
            assert_eq!(now.method, b.document.method, "{} then {}", a.id, b.id);
            let tracks = |d: &Document| d.animation.tracks.clone();
            assert_eq!(tracks(&now), tracks(&b.document), "{} then {}", a.id, b.id);
            assert_eq!(now.view.exposure, 0.5);
            assert_eq!(now.scene.emitters[0].temperature, 0.07);
        }
        // Another solver was chosen since: what was measured comes back with all that belongs to it.
        let mut now = base.clone();
        set(&mut now, "pressure", "sor");
        set(&mut now, "velocity_advection", "bfecc");
        apply(&mut now, &base, ways, &ways[0]);
        let of_solver = |d: &Document| {
            let all = params::entries(&d.method).into_iter();
            all.filter(|e| e.path.starts_with("pressure."))
                .collect::<Vec<_>>()
        };
        if !ways[0].id.starts_with("cooling") {
            assert_eq!(
                of_solver(&now),
                of_solver(&ways[0].document),
                "{}",
                ways[0].id
            );
        }
    }
}

#[test]
fn more_iterations_come_closer_to_the_reference() {
    let mut document = scene();
    set(&mut document, "pressure", "jacobi");
    // Fewer than any that is compared: ten times these would be fewer than the most.
    set(&mut document, "pressure.iterations", "5");
    let plan = plan(&document, &Question::Iterations, 4);
    let (rows, Ended { reference, stopped }) = run(&plan);
    assert!(!stopped);
    let counts: Vec<_> = rows.iter().map(|r| r.get("iterations")).collect();
    assert_eq!(counts, [10.0, 20.0, 40.0, 80.0, 160.0].map(Some));
    assert_eq!(reference.row.get("iterations"), Some(1600.0));
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
            .all(|r| r.memory_bytes > Some(0) && r.unit("dye_difference_l2").is_empty())
    );
    assert_eq!(rows[0].unit("velocity_difference_l2"), "m/s");
}

/// A few sweeps of the look's own solver, ten times as many, are further from the truth than a few cycles of another one.
#[test]
fn where_solvers_are_compared_the_reference_is_the_one_that_comes_closest() {
    let mut document = scene();
    set(&mut document, "pressure", "jacobi");
    set(&mut document, "pressure.iterations", "2");
    let vary = ["pressure=jacobi,multigrid", "pressure.iterations=2,4"].map(str::to_owned);
    let ways = combinations(&document, &[], &vary).unwrap();
    let (rows, Ended { reference, .. }) = run(&Plan::new(&document, ways, 0, 4));
    assert!(
        reference.words.contains("solved by Multigrid"),
        "{}",
        reference.words
    );
    let left = |r: &Row| r.get("residual_l2").unwrap();
    assert!(rows.iter().all(|r| left(r) >= 0.9 * left(&reference.row)));
    assert_eq!(compare::doubt(&rows, &reference), None);
    let off = |r: &Row| r.get("velocity_difference_l2").unwrap();
    assert!(off(&rows[3]) < off(&rows[1]), "cycles beat sweeps");
}

#[test]
fn a_way_that_fails_says_why_and_the_others_go_on() {
    let mut document = scene();
    document.time.warm_up = 1;
    let vary = ["vorticity_confinement=0,10000,1".to_owned()];
    let ways = combinations(&document, &[], &vary).unwrap();
    let (rows, ended) = run(&Plan::new(&document, ways, 0, 40));
    assert!(!ended.stopped);
    let failed: Vec<bool> = rows.iter().map(|r| r.error.is_some()).collect();
    assert_eq!(failed, [false, true, false], "{rows:?}");
    assert!(rows[1].values.iter().all(Option::is_none));
    assert_eq!(
        (rows[1].memory_bytes, rows[1].label.as_str()),
        (None, "vorticity_confinement=10000")
    );
    // The reference's fault is that of all.
    set(&mut document, "vorticity_confinement", "10000");
    let ways = combinations(&document, &[], &["vorticity_confinement=0".to_owned()]).unwrap();
    let plan = Plan::new(&document, ways, 0, 40);
    let mut watch = Watch {
        cancelled: &|| false,
        progress: &mut |_| {},
        wants: &mut || false,
    };
    let ended = compare::run::<Fault>(&plan, &mut open, &mut watch, &mut |_| Ok(()));
    assert!(ended.is_err());
}

#[test]
fn progress_counts_what_comes_before_and_never_goes_back() {
    let mut document = scene();
    document.time.warm_up = 3;
    let plan = plan(&document, &Question::Solvers, 2);
    assert!(plan.references.len() > 1);
    let mut seen = Vec::new();
    let mut watch = Watch {
        cancelled: &|| false,
        progress: &mut |p| seen.push((p.label.to_owned(), p.at, p.done as f64 / p.total as f64)),
        wants: &mut || false,
    };
    compare::run::<Fault>(&plan, &mut open, &mut watch, &mut |_| Ok(())).unwrap();
    assert_eq!(seen[0], ("beginning".to_owned(), At::Beginning(0, 3), 0.0));
    let runs = plan.ways.len() + 1;
    let at = |wanted: At| seen.iter().filter(|(_, at, _)| *at == wanted).count();
    assert_eq!((at(At::Beginning(0, 3)), at(At::Beginning(2, 3))), (1, 1));
    assert_eq!((at(At::Frame(0)), at(At::Frame(1))), (runs, runs));
    let shares: Vec<f64> = seen.iter().map(|s| s.2).collect();
    assert!(shares.windows(2).all(|w| w[0] < w[1]), "{shares:?}");
    assert!(shares.iter().all(|s| *s < 1.0));
    // The reference, with the search for it, is most of the work.
    let of_reference = seen.iter().rfind(|s| s.0 == "reference").unwrap();
    assert!(of_reference.2 > 0.4, "{}", of_reference.2);
}

/// The way that is the scene itself comes to the same bits as the scene, wherever they begin; all are seen at the same frame.
#[test]
fn all_begin_with_the_same_state_and_run_in_step() {
    let mut document = scene();
    document.time.warm_up = 2;
    set(&mut document, "pressure", "jacobi");
    set(&mut document, "pressure.iterations", "20");
    let ways = ways_of(&Question::Iterations, &document);
    let plan = Plan::new(&document, ways, 5, 9);
    let mut seen = Vec::new();
    let mut watch = Watch {
        cancelled: &|| false,
        progress: &mut |_| {},
        wants: &mut || true,
    };
    let mut last = Vec::new();
    compare::run::<Fault>(&plan, &mut open, &mut watch, &mut |standing| {
        seen.push((standing.frames, standing.last));
        assert_eq!(standing.entries.len(), 6);
        for entry in standing.entries {
            let simulation = entry.simulation.unwrap();
            assert_eq!(simulation.frame(), 5 + standing.frames);
            if entry.way == Some(1) {
                last = simulation.field("dye")?.data;
            }
        }
        Ok(())
    })
    .unwrap();
    assert_eq!(seen, [(4, false), (8, false), (9, true)]);
    let mut alone = open(Arc::new(document)).unwrap();
    alone.run_to(14, &|| false).unwrap();
    assert!(alone.field("dye").unwrap().data == last);
}

/// More than run at once: the later ones are measured against the same reference.
#[test]
fn many_ways_run_in_heats() {
    let document = scene();
    let vary = ["cooling=0,1,2,3,4,5,6,7,8,9".to_owned()];
    let ways = combinations(&document, &[], &vary).unwrap();
    let (rows, ended) = run(&Plan::new(&document, ways, 0, 3));
    assert!(!ended.stopped && rows.len() == 10);
    let far = |row: &Row| row.get("velocity_difference_l2").unwrap();
    assert!(rows.iter().all(|r| far(r).is_finite()));
    assert!(
        (0.8..1.25).contains(&(far(&rows[9]) / far(&rows[0]))),
        "cooling does nothing here"
    );
}

#[test]
fn too_many_ways_are_refused_before_they_are_made() {
    let document = scene();
    let many: Vec<String> = (0..5000).map(|n| n.to_string()).collect();
    let ask = Question::Parameter("method.cooling".to_owned(), many.join(", "));
    let begin = std::time::Instant::now();
    let refused = ask.ways(&document, 24).unwrap_err();
    assert_eq!(refused, "At most 24 ways at once; these are 5000.");
    let vary = [format!("cooling={}", many.join(","))];
    let refused = combinations(&document, &[], &vary).unwrap_err();
    assert!(refused.contains("more than 256"), "{refused}");
    assert!(begin.elapsed().as_millis() < 100, "{:?}", begin.elapsed());
    assert_eq!(ask.ways(&document, 24).unwrap_err().lines().count(), 1);
    let all = Question::Iterations.ways(&document, 4).unwrap_err();
    assert!(all.contains("these are 5"), "{all}");
}

#[test]
fn a_comparison_ends_when_it_is_asked_to() {
    let mut document = scene();
    document.time.warm_up = 5;
    let plan = plan(&document, &Question::Iterations, 50);
    // On the way to the beginning, in the first turns, and after some of them.
    for (most, told) in [(2, 0), (8, 0), (5 + 4 * 6 * 3 + 2, 3)] {
        let (frames, mut times) = (Cell::new(0), 0);
        let stop = || frames.get() > most;
        let mut watch = Watch {
            cancelled: &stop,
            progress: &mut |_| frames.set(frames.get() + 1),
            wants: &mut || true,
        };
        let ended = compare::run::<Fault>(&plan, &mut open, &mut watch, &mut |_| {
            times += 1;
            Ok(())
        });
        match told {
            0 => assert!(matches!(ended, Err(Fault::Cancelled))),
            _ => assert!(ended.is_ok_and(|e| e.stopped)),
        }
        assert_eq!(times, told, "what all had done is known");
        assert_eq!(frames.get(), most + 1, "no frame is begun after that");
    }
}
