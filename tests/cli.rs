//! The command line, through the program itself: no display, no graphics driver.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

mod refusals;

/// The program, where there is neither display nor driver.
fn eddy() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eddy"));
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .env("VK_ICD_FILENAMES", "/nonexistent")
        .env("VK_DRIVER_FILES", "/nonexistent");
    command
}

fn run(arguments: &[&str]) -> Output {
    eddy().args(arguments).output().unwrap()
}

/// Standard output of a run that succeeds.
fn good(arguments: &[&str]) -> String {
    let output = run(arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&good(arguments)).unwrap()
}

/// Standard error of a run that ends with that code.
fn bad(code: i32, arguments: &[&str]) -> String {
    let output = run(arguments);
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    assert!(!error.contains("panicked"), "{error}");
    error
}

/// A small scene with one of everything.
const SCENE: &str = "tests/fixtures/v1_scenes.ron";

fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn help_and_version_are_results() {
    assert!(good(&["--version"]).starts_with("eddy "));
    let help = good(&["--help"]);
    for command in [
        "bake", "compare", "bench", "methods", "check", "snapshot", "migrate",
    ] {
        assert!(help.contains(command), "{command}");
        assert!(
            good(&[command, "--help"]).contains("Usage: eddy"),
            "{command}"
        );
    }
}

#[test]
fn without_a_display_the_editor_says_what_to_do() {
    for arguments in [&[][..], &[SCENE]] {
        let error = bad(1, arguments);
        assert!(
            error.contains("display") && error.contains("eddy bake"),
            "{error}"
        );
    }
}

#[test]
fn what_is_not_understood_ends_with_two() {
    let out = tempfile::tempdir().unwrap();
    let out = out.path().join("x.png").display().to_string();
    let snapshot = |more: &[&str]| -> String {
        let mut arguments = vec![
            "snapshot", SCENE, "--frame", "0", "--out", &out, "--device", "cpu",
        ];
        arguments.extend(more);
        bad(2, &arguments)
    };
    let error = snapshot(&["--set", "viscocity=1"]);
    assert!(
        error.contains("no such parameter; did you mean `viscosity`"),
        "{error}"
    );
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(
        snapshot(&["--set", "scene.bouyancy=1"])
            .contains("did you mean `scene.environment.buoyancy`")
    );
    assert!(snapshot(&["--set", "xyzzyxyzzy=1"]).contains("eddy methods"));
    assert!(snapshot(&["--set", "time.cfl=NaN"]).contains("time.cfl"));
    assert!(snapshot(&["--set", "time.cfl=1e40"]).contains("time.cfl"));
    assert!(
        snapshot(&["--set", "scene.domain.cells_x=1000000000"]).contains("scene.domain.cells_x")
    );
    assert!(snapshot(&["--set", "time.cfl=-1"]).contains("time.cfl"));
    assert!(snapshot(&["--set", "time.cfl"]).contains("PATH=VALUE"));
    assert!(snapshot(&["--set", "time.end_frame=0"]).contains("time.end_frame"));
    assert!(snapshot(&["--method", "navier"]).contains("stable_fluids"));
    assert!(snapshot(&["--field", "colour"]).contains("velocity"));
    assert!(bad(2, &["bench", "--device", "abacus"]).contains("cpu"));
    bad(2, &["snapshot", SCENE]);
    bad(2, &["check"]);
    bad(2, &["nonsense", "--flag"]);
    bad(2, &["bake", SCENE]);
    bad(2, &["bake", SCENE, "--out", &out, "--frames", "9..3"]);
    bad(2, &["compare", SCENE]);
    bad(2, &["compare", SCENE, "--methods", "navier"]);
    bad(2, &["methods", "--json", "--markdown"]);
    bad(2, &["bench", "--workload", "nonsense"]);
    assert!(!Path::new(&out).exists());
}

#[test]
fn what_fails_ends_with_one_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").display().to_string();
    assert!(bad(1, &["bake", "none.ron", "--out", &out]).contains("none.ron: "));
    let big = [
        "--set",
        "scene.domain.cells_x=16384",
        "--set",
        "scene.domain.cells_y=16384",
    ];
    let mut arguments = vec!["bake", SCENE, "--out", &out, "--device", "cpu"];
    arguments.extend(big);
    let error = bad(1, &arguments);
    assert!(
        error.contains("MiB") && error.contains("--memory"),
        "{error}"
    );
    assert!(!Path::new(&out).exists());
}

#[test]
fn methods_lists_the_registry_in_the_form_that_scripts_rely_on() {
    let list = json(&["methods", "--json"]);
    let list = list.as_array().unwrap();
    let ids: Vec<&str> = list.iter().map(|m| m["id"].as_str().unwrap()).collect();
    let known = eddy::solvers::METHODS.iter().map(|m| m.id);
    let known: Vec<&str> = known
        .chain(eddy::poisson::SOLVERS.iter().map(|s| s.id))
        .collect();
    assert_eq!(ids, known);
    for method in list {
        let mut expected = vec![
            "devices",
            "dims",
            "fields",
            "honours",
            "id",
            "kind",
            "paper",
            "parameters",
            "title",
        ];
        let kind = method["kind"].as_str().unwrap();
        assert!(["method", "poisson"].contains(&kind));
        if kind == "method" {
            expected.extend(["cost", "good_for", "not_for"]);
            expected.sort_unstable();
            let cost = method["cost"].as_str().unwrap();
            assert!(["cheap", "moderate", "costly"].contains(&cost));
        }
        assert_eq!(keys(method), expected);
        for p in method["parameters"].as_array().unwrap() {
            for key in [
                "path", "type", "unit", "default", "soft", "hard", "effect", "doc",
            ] {
                assert!(p.get(key).is_some(), "{p}");
            }
        }
        for field in method["fields"].as_array().unwrap() {
            assert_eq!(keys(field), ["label", "layout", "name", "unit"]);
        }
    }
    let parameters = list[0]["parameters"].as_array().unwrap();
    assert!(
        parameters
            .iter()
            .any(|p| p["path"] == "pressure.iterations" && p["type"] == "int")
    );
    let plain = good(&["methods"]);
    assert!(known.iter().all(|id| plain.contains(id)));
    for field in eddy::solvers::METHODS[0].fields {
        assert!(plain.contains(field.name), "{plain}");
    }
    assert!(plain.contains(eddy::solvers::METHODS[0].summary));
}

#[test]
fn check_says_where() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.ron");
    std::fs::write(
        &broken,
        "(version: 1,\n time: (cfl: 0.0),\n view: (exposure: 99.0))",
    )
    .unwrap();
    let broken = broken.display().to_string();
    assert!(good(&["check", SCENE]).contains("ok"));
    let output = run(&["check", SCENE, &broken]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains(&format!("{broken}:2:14: time.cfl: 0 is not allowed")),
        "{text}"
    );
    assert!(
        text.contains(&format!("{broken}:3:19: view.exposure: ")),
        "{text}"
    );
    let output = run(&["check", "--json", SCENE, &broken, "none.ron"]);
    assert_eq!(output.status.code(), Some(1));
    let list: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(keys(&list[0]), ["errors", "ok", "path"]);
    assert_eq!(
        (&list[0]["ok"], &list[1]["ok"], &list[2]["ok"]),
        (&true.into(), &false.into(), &false.into())
    );
    assert_eq!(
        keys(&list[1]["errors"][0]),
        ["at", "column", "line", "message"]
    );
    assert_eq!(list[1]["errors"][1]["at"], "view.exposure");
}

#[test]
fn migrate_rewrites_what_is_old_and_leaves_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.ron");
    std::fs::copy("tests/fixtures/v0_plume.ron", &path).unwrap();
    let name = path.display().to_string();
    assert!(good(&["check", &name]).contains("version 0"));
    assert!(good(&["migrate", &name]).contains("from version 0 to 1"));
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("version: 1") && text.contains("frame_rate: 30.0"));
    assert!(good(&["migrate", &name]).contains("already"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_snapshot_is_a_picture_of_the_size_that_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    let name = path.display().to_string();
    let take = |frame: &str, more: &[&str]| {
        let mut arguments = vec![
            "snapshot", SCENE, "--frame", frame, "--out", &name, "--size", "96",
        ];
        arguments.extend(more);
        good(&arguments);
        let decoder =
            png::Decoder::new(std::io::BufReader::new(std::fs::File::open(&path).unwrap()));
        let mut reader = decoder.read_info().unwrap();
        assert_eq!((reader.info().width, reader.info().height), (96, 64));
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        pixels
    };
    let first = take("4", &[]);
    assert_eq!(
        take("4", &["--device", "cpu"]),
        first,
        "auto is the CPU where there is no GPU"
    );
    assert_ne!(take("5", &[]), first);
    assert_ne!(take("4", &["--field", "velocity"]), first);
    assert_ne!(
        take("4", &["--seed", "99"]),
        first,
        "the flicker depends on the seed"
    );
    assert_ne!(take("4", &["--set", "scene.environment.buoyancy=1"]), first);
}

#[test]
fn compare_puts_cost_and_error_side_by_side() {
    let list = json(&[
        "compare",
        SCENE,
        "--vary",
        "pressure=jacobi,gauss_seidel",
        "--vary",
        "pressure.iterations=2,40",
        "--frames",
        "4",
        "--device",
        "cpu",
        "--json",
    ]);
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), 4);
    for row in list {
        let mut expected = [
            "id",
            "label",
            "ms_per_frame",
            "solve_ms",
            "iterations",
            "residual_l2_before",
            "residual_l2",
            "residual_linf",
            "divergence_linf",
            "dye_difference_l2",
            "velocity_difference_l2",
            "memory_bytes",
        ];
        expected.sort_unstable();
        assert_eq!(keys(row), expected);
        assert!(row["solve_ms"].as_f64().unwrap() > 0.0, "{row}");
        assert!(
            row["solve_ms"].as_f64().unwrap() < row["ms_per_frame"].as_f64().unwrap(),
            "{row}"
        );
        assert!(
            row["residual_l2"].as_f64().unwrap() < row["residual_l2_before"].as_f64().unwrap(),
            "{row}"
        );
    }
    for (few, many) in [(0, 1), (2, 3)] {
        assert_eq!(
            (&list[few]["iterations"], &list[many]["iterations"]),
            (&2.into(), &40.into())
        );
        for column in ["residual_l2", "velocity_difference_l2"] {
            let value = |row: usize| list[row][column].as_f64().unwrap();
            assert!(
                value(many) < value(few),
                "more iterations must leave less {column}"
            );
        }
    }
    let table = good(&[
        "compare",
        SCENE,
        "--methods",
        "stable_fluids",
        "--frames",
        "1",
        "--device",
        "cpu",
    ]);
    for words in [
        "Stable Fluids",
        "ms/frame",
        "divergence, 1/s",
        "Δ velocity, m/s",
    ] {
        assert!(table.contains(words), "{table}");
    }
}

/// Presets by name, and iterations as the field calls them.
#[test]
fn presets_and_sweeps_are_found_by_name() {
    for preset in ["vortex_pairs", "stable_fluids/vortex_pairs"] {
        let list = json(&[
            "compare",
            preset,
            "--set",
            "scene.domain.cells_x=48",
            "--set",
            "scene.domain.cells_y=48",
            "--set",
            "pressure=jacobi",
            "--vary",
            "pressure.sweeps=10,20,40",
            "--frames",
            "1",
            "--device",
            "cpu",
            "--json",
        ]);
        let swept: Vec<_> = list
            .as_array()
            .unwrap()
            .iter()
            .map(|r| r["iterations"].as_u64())
            .collect();
        assert_eq!(swept, [Some(10), Some(20), Some(40)]);
    }
    let text = bad(
        1,
        &["compare", "vortex_pair", "--vary", "pressure.sweeps=1"],
    );
    assert!(text.contains("vortex_pair: cannot be read"), "{text}");
}

#[test]
fn a_way_that_fails_does_not_take_the_others_with_it() {
    let arguments = [
        "compare",
        SCENE,
        "--vary",
        "vorticity_confinement=0,10000",
        "--frames",
        "60",
        "--device",
        "cpu",
    ];
    let list = json(&[&arguments[..], &["--json"]].concat());
    let (good_one, failed) = (&list[0], &list[1]);
    assert!(good_one["ms_per_frame"].as_f64().unwrap() > 0.0);
    assert!(good_one.get("error").is_none());
    let why = failed["error"].as_str().unwrap();
    assert!(!why.is_empty() && failed["label"] == "vorticity_confinement=10000");
    for key in keys(failed) {
        if !["id", "label", "error"].contains(&key) {
            assert!(failed[key].is_null(), "{failed}");
        }
    }
    let table = good(&arguments);
    assert!(
        table.contains("vorticity_confinement=10000 failed: "),
        "{table}"
    );
    assert!(table.contains("Δ velocity, m/s"), "{table}");
}

#[test]
fn a_command_that_fails_says_so_in_json_too() {
    let cases: [(i32, &[&str], &str); 4] = [
        (1, &["bake", "missing.ron", "--out", "x"], "missing.ron"),
        (
            1,
            &["compare", "missing.ron", "--vary", "a=1"],
            "missing.ron",
        ),
        (2, &["bench", "--workload", "nothing"], "nothing"),
        (2, &["bake", SCENE], "--out"),
    ];
    for (code, arguments, says) in cases {
        let output = run(&[arguments, &["--json"]].concat());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(keys(&value), ["error"]);
        assert!(value["error"].as_str().unwrap().contains(says), "{value}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(says));
        assert!(run(arguments).stdout.is_empty(), "{arguments:?}");
    }
    // What a check finds is its result.
    let found = run(&["check", "missing.ron", "--json"]);
    let value: Value = serde_json::from_slice(&found.stdout).unwrap();
    assert!(
        value.is_array() && found.status.code() == Some(1),
        "{value}"
    );
}

#[test]
fn bench_measures_what_it_is_asked_for() {
    let list = json(&[
        "bench",
        "--workload",
        "jacobi_sweep_512",
        "--device",
        "cpu",
        "--frames",
        "2",
        "--json",
    ]);
    let row = &list[0];
    assert_eq!(row["workload"], "jacobi_sweep_512");
    for key in [
        "ms_median",
        "ms_min",
        "updates_per_s",
        "bytes_per_s",
        "triad_bytes_per_s",
    ] {
        assert!(row[key].as_f64().unwrap() > 0.0, "{key}: {row}");
    }
    assert!(row["device"].is_string() && row["frames"] == 2);
    assert!(row["kernels"][0]["name"].is_string() && row["kernels"][0]["ms"].is_number());
}

/// What a bake says it wrote: path from its folder on, and SHA-256.
fn bake(folder: &Path, threads: Option<&str>) -> Vec<(PathBuf, String)> {
    let mut command = eddy();
    if let Some(threads) = threads {
        command.env("RAYON_NUM_THREADS", threads);
    }
    let out = folder.display().to_string();
    let arguments = [
        "bake", SCENE, "--out", &out, "--frames", "0..4", "--device", "cpu", "--json",
    ];
    let output = command.args(arguments).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(keys(&report), ["files", "sidecar"]);
    assert!(Path::new(report["sidecar"].as_str().unwrap()).is_file());
    let one = |file: &Value| {
        assert_eq!(keys(file), ["encoding", "field", "frame", "path", "sha256"]);
        let path = Path::new(file["path"].as_str().unwrap());
        let sum = file["sha256"].as_str().unwrap().to_owned();
        assert_eq!(sha256(&std::fs::read(path).unwrap()), sum);
        (path.strip_prefix(folder).unwrap().to_owned(), sum)
    };
    report["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(one)
        .collect()
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect()
}

#[test]
fn a_bake_without_display_and_driver_gives_the_same_bytes_again_and_on_one_thread() {
    let folder = tempfile::tempdir().unwrap();
    let first = bake(&folder.path().join("a"), None);
    assert!(first.len() >= 8, "{first:?}");
    assert_eq!(bake(&folder.path().join("b"), None), first);
    assert_eq!(bake(&folder.path().join("c"), Some("1")), first);
    assert_eq!(bake(&folder.path().join("d"), Some("3")), first);
}

#[cfg(unix)]
#[test]
fn an_interrupted_bake_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let name = out.display().to_string();
    let child = eddy()
        .args([
            "bake",
            SCENE,
            "--out",
            &name,
            "--frames",
            "0..100000",
            "--device",
            "cpu",
        ])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let interrupt = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupt.unwrap().success());
    let output = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("cancelled"), "{error}");
    let left = std::fs::read_dir(&out).map_or(0, Iterator::count);
    assert_eq!(left, 0);
}

#[cfg(unix)]
fn signal(name: &str, child: &std::process::Child) {
    let sent = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

/// Waits until it is so.
#[cfg(unix)]
fn until(what: &str, mut is: impl FnMut() -> bool) {
    let begin = std::time::Instant::now();
    while !is() {
        assert!(begin.elapsed().as_secs() < 60, "{what}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[cfg(unix)]
#[test]
fn what_a_killed_bake_left_goes_with_the_next_one_and_a_live_one_stays() {
    let folder = tempfile::tempdir().unwrap();
    let hidden = || -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder.path()).unwrap().flatten();
        let hidden = entries.filter(|e| e.file_name().to_string_lossy().starts_with(".eddy-bake-"));
        hidden.map(|e| e.path()).collect()
    };
    let begin = |name: &str| {
        let child = eddy()
            .args([
                "bake",
                SCENE,
                "--frames",
                "0..100000",
                "--device",
                "cpu",
                "--out",
            ])
            .arg(folder.path().join(name))
            .stderr(std::process::Stdio::null())
            .spawn();
        child.unwrap()
    };
    let mut killed = begin("killed");
    until("a hidden folder", || hidden().len() == 1);
    let left = hidden().remove(0);
    until("its lock", || left.join(".lock").exists());
    let mut live = begin("live");
    until("two hidden folders", || hidden().len() == 2);
    assert!(left.exists(), "a live bake's folder was taken away");
    signal("-KILL", &killed);
    killed.wait().unwrap();
    assert!(left.exists());
    let out = folder.path().join("next").display().to_string();
    good(&[
        "bake", SCENE, "--frames", "0..2", "--device", "cpu", "--out", &out,
    ]);
    assert!(!left.exists());
    assert_eq!(hidden().len(), 1, "the live one's");
    signal("-TERM", &live);
    assert_eq!(live.wait().unwrap().code(), Some(1));
    assert!(hidden().is_empty());
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .flatten()
        .collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_bench_stops_at_once() {
    let mut child = eddy()
        .args(["bench", "--device", "cpu", "--frames", "10000000"])
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    signal("-INT", &child);
    let begin = std::time::Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(begin.elapsed().as_secs() < 10, "{:?}", begin.elapsed());
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("gone", &link).unwrap();
    let name = link.display().to_string();
    let bake = [
        "bake", SCENE, "--frames", "0..2", "--device", "cpu", "--out", &name,
    ];
    assert!(bad(1, &bake).contains("link to gone"));
    let snapshot = [
        "snapshot", SCENE, "--frame", "0", "--device", "cpu", "--out", &name,
    ];
    assert!(bad(1, &snapshot).contains("link"));
    assert_eq!(std::fs::read_link(&link).unwrap(), Path::new("gone"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn check_finds_what_a_bake_would_refuse() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("same.ron");
    std::fs::write(
        &path,
        "(version: 1, bake: (outputs: [\n (name: \"a\"),\n (name: \"a_0007\", layout: Single),\n]))",
    )
    .unwrap();
    let name = path.display().to_string();
    let output = run(&["check", &name]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains(":3:9: bake.outputs.1.name: "), "{said}");
    assert!(
        said.contains("a_0007.png") && said.contains("bake.outputs.0"),
        "{said}"
    );
    let out = folder.path().join("out").display().to_string();
    assert!(
        bad(2, &["bake", &name, "--out", &out, "--frames", "0..9"]).contains("bake.outputs.1.name")
    );
    let error = bad(
        2,
        &["bake", SCENE, "--out", &out, "--frames", "0..4000000000"],
    );
    assert!(error.contains("10000000"), "{error}");
    let error = bad(
        1,
        &[
            "bake",
            SCENE,
            "--out",
            &out,
            "--frames",
            "0..10000000",
            "--device",
            "cpu",
        ],
    );
    assert!(error.contains("MiB"), "{error}");
    assert!(!Path::new(&out).exists());
}

/// Files that ask for a lot of memory are refused by a process that may not have it.
#[cfg(target_os = "linux")]
#[test]
fn greedy_documents_are_refused_in_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let many = "(),".repeat(20 << 20);
    let greedy = [
        format!("(version: 1, scene: (emitters: [{many}]))"),
        format!("(version: 1, scene: (strokes: [(points: [{many}])]))"),
        format!("(version: 1, tags: [{}])", "\"\",".repeat(20 << 20)),
        format!("(version: 1, name: {})", "[".repeat(60 << 20)),
        format!("(version: 1, name: \"{}\")", "x".repeat(80 << 20)),
        "(version: 1, scene: (domain: (cells_x: 16384, cells_y: 16384, cells_z: 2048)))".to_owned(),
    ];
    let path = folder.path().join("greedy.ron");
    for text in greedy {
        std::fs::write(&path, &text).unwrap();
        let mut command = Command::new("sh");
        command
            .args(["-c", "ulimit -v 600000; exec \"$0\" check \"$1\""])
            .arg(env!("CARGO_BIN_EXE_eddy"))
            .arg(&path);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let start: String = text.chars().take(60).collect();
        assert_eq!(
            output.status.code(),
            Some(1),
            "{start}: {said}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(said.contains("greedy.ron:"), "{start}: {said}");
    }
}
