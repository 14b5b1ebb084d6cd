//! What is refused, when, and in which words.

use super::*;

fn file(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// What `check` says of a bad file.
fn checked(path: &str) -> String {
    let output = run(&["check", path]);
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn names_that_share_no_letter_give_files_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").display().to_string();
    let mut seen = std::collections::BTreeSet::new();
    for name in ["水墨", "Огонь", "💩", "plain"] {
        let report = json(&[
            "bake", SCENE, "--out", &out, "--frames", "1", "--device", "cpu", "--json", "--name",
            name,
        ]);
        assert!(seen.insert(report["sidecar"].as_str().unwrap().to_owned()));
    }
    assert!(Path::new(&out).join("plain.bake.ron").exists());
    for name in ["", ".", "..", " "] {
        let error = bad(2, &["bake", SCENE, "--out", &out, "--name", name]);
        assert!(error.contains("letters"), "{error}");
    }
}

#[test]
fn numbers_below_zero_are_refused_in_our_own_words() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.png").display().to_string();
    let bake = ["bake", SCENE, "--out", &out];
    let snapshot = ["snapshot", SCENE, "--out", &out, "--frame"];
    let cases: [(&[&str], &[&str], &str); 8] = [
        (&bake, &["--seed", "-1"], "0..=4294967295"),
        (&bake, &["--frames", "-1..3"], "\"-1\" is no frame number"),
        (&bake, &["--memory", "-1"], "\"-1\" is no amount of memory"),
        (&snapshot, &["-1"], "0..10000000"),
        (&snapshot, &["10000001"], "0..10000000"),
        (&snapshot, &["0", "--size", "-5"], "1..=16384"),
        (&["bench"], &["--frames", "-1"], "1..=10000000"),
        (
            &["compare", SCENE, "--methods", "stable_fluids"],
            &["--frames", "-1"],
            "1..=10000000",
        ),
    ];
    for (first, more, words) in cases {
        let error = bad(2, &[first, more].concat());
        assert!(
            error.contains(words) && !error.contains("'-- "),
            "{more:?}: {error}"
        );
    }
}

#[test]
fn the_memory_that_a_refusal_names_is_enough() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").display().to_string();
    let bake = |memory: &str| {
        let sheet = "(version: 1, bake: (outputs: [(name: \"a\", layout: Flipbook, width: 1024)]))";
        let look = file(folder.path(), "sheet.ron", sheet);
        run(&[
            "bake",
            &look,
            "--out",
            &out,
            "--frames",
            "0..4",
            "--device",
            "cpu",
            "--memory",
            memory,
            "--set",
            "scene.domain.cells_x=16",
            "--set",
            "scene.domain.cells_y=16",
        ])
    };
    let refused = bake("20");
    let error = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(1), "{error}");
    let named = error.split("--memory ").nth(1).expect(&error);
    let named = named.split_whitespace().next().unwrap();
    assert!(!Path::new(&out).exists());
    let done = bake(named);
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

#[test]
fn a_picture_too_large_for_the_memory_is_refused_before_it_is_simulated() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.png").display().to_string();
    let begin = std::time::Instant::now();
    let error = bad(
        1,
        &[
            "snapshot", SCENE, "--frame", "9999999", "--out", &out, "--device", "cpu", "--size",
            "16384", "--memory", "50",
        ],
    );
    assert!(
        error.contains("16384 × 10923") && error.contains("; --memory "),
        "{error}"
    );
    assert!(begin.elapsed().as_secs() < 30 && !Path::new(&out).exists());
}

#[test]
fn check_finds_what_a_snapshot_would_refuse() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(
        folder.path(),
        "a.ron",
        "(version: 1,\n view: (field: \"nonsense\"),\n scene: (obstacles: [(shape: Mask(image: \"no.png\"))]))",
    );
    let said = checked(&path);
    assert!(said.contains("a.ron:2:16: view.field: "), "{said}");
    assert!(
        said.contains("a.ron:3:") && said.contains("scene.obstacles.0.shape.image: "),
        "{said}"
    );
    let out = folder.path().join("a.png").display().to_string();
    let take = |code: i32, more: &[&str]| {
        let mut arguments = vec![
            "snapshot", &path, "--frame", "0", "--out", &out, "--device", "cpu",
        ];
        arguments.extend(more);
        bad(code, &arguments)
    };
    assert!(take(2, &[]).contains("a.ron:2:16: view.field: there is no field"));
    // What stands in an argument stands nowhere in the file.
    for argument in ["--field", "--set"] {
        let value = if argument == "--set" {
            "view.field=none"
        } else {
            "none"
        };
        let error = take(2, &[argument, value]);
        assert!(
            error.contains("\"none\"") && !error.contains("a.ron:"),
            "{error}"
        );
    }
    let error = take(1, &["--field", "dye"]);
    assert!(
        error.contains("a.ron:3:") && error.contains("no.png"),
        "{error}"
    );
}

#[test]
fn a_bad_channel_is_located_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(
        folder.path(),
        "a.ron",
        "(version: 1, bake: (outputs: [\n (name: \"a\"),\n (name: \"b\", green: \"speed\"),\n]))",
    );
    let out = folder.path().join("out").display().to_string();
    let bake = |more: &[&str]| {
        let mut arguments = vec!["bake", &path, "--out", &out, "--device", "cpu"];
        arguments.extend(more);
        bad(2, &arguments)
    };
    let place = "a.ron:3:21: bake.outputs.1.green: there is no field";
    assert!(checked(&path).contains(place));
    assert!(bake(&[]).contains(place));
    let error = bake(&["--set", "bake.outputs.1.green=sped"]);
    assert!(error.contains("eddy: bake.outputs.1.green: "), "{error}");
    let error = bake(&["--frames", "0..20000000"]);
    assert!(error.contains("eddy: frames: "), "{error}");
}

#[test]
fn what_is_no_document_is_said_so_and_where() {
    let folder = tempfile::tempdir().unwrap();
    for (text, place) in [
        ("# Title\n\nWords.", ":1:1: this is not an Eddy document"),
        ("{\"version\": 1}", ":1:1: this is not an Eddy document"),
        ("\n  words", ":2:3: this is not an Eddy document"),
    ] {
        let said = checked(&file(folder.path(), "a.ron", text));
        assert!(said.contains(place), "{text}: {said}");
    }
    assert!(checked("README.md").contains("this is not an Eddy document"));
    let latin = b"\xef\xbb\xbf(version: 1,\n name: \"K\xc3\xa1rm\xe1n\")";
    let said = checked(&file(folder.path(), "latin.ron", latin));
    assert!(
        said.contains("latin.ron:2:13: is not text in UTF-8"),
        "{said}"
    );
    let fine = "// A remark.\n#![enable(unwrap_variant_newtypes)]\nDocument (version: 1)";
    good(&["check", &file(folder.path(), "fine.ron", fine)]);
}

#[cfg(unix)]
#[test]
fn results_go_into_files_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    assert!(
        Command::new("mkfifo")
            .arg(at("pipe"))
            .status()
            .unwrap()
            .success()
    );
    std::os::unix::fs::symlink("b", at("a")).unwrap();
    std::os::unix::fs::symlink("a", at("b")).unwrap();
    let old = file(folder.path(), "old.ron", "(version: 0)");
    let places = [
        (at("pipe"), "a pipe"),
        ("/dev/full".to_owned(), "a device"),
        (at("a"), "a link that leads back to itself"),
    ];
    for (out, what) in &places {
        let snapshot = [
            "snapshot", SCENE, "--frame", "9999999", "--out", out, "--device", "cpu",
        ];
        let migrate = ["migrate", &old, "--out", out];
        let bake = ["bake", SCENE, "--out", out, "--device", "cpu"];
        for arguments in [&snapshot[..], &migrate, &bake] {
            let error = bad(1, arguments);
            assert!(
                error.contains(out) && error.contains(&format!("is {what}, ")),
                "{error}"
            );
        }
    }
    let new = at("not/yet/a.png");
    good(&[
        "snapshot", SCENE, "--frame", "0", "--out", &new, "--device", "cpu", "--size", "16",
    ]);
    assert!(Path::new(&new).is_file());
    let error = bad(1, &["migrate", &old, "--out", &at("none/a.ron")]);
    assert!(
        error.contains("there is no such folder") && !error.contains("eddy-tmp"),
        "{error}"
    );
}

/// A picture of 8192² pixels is never whole in memory: a process that may have little reads it.
#[cfg(target_os = "linux")]
#[test]
fn a_large_mask_is_read_in_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let picture = std::fs::File::create(folder.path().join("large.png")).unwrap();
    let mut encoder = png::Encoder::new(picture, 8192, 8192);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.set_compression(png::Compression::Fastest);
    let mut writer = encoder.write_header().unwrap();
    let mut stream = writer.stream_writer().unwrap();
    let row = vec![255; 8192 * 8];
    for _ in 0..8192 {
        std::io::Write::write_all(&mut stream, &row).unwrap();
    }
    stream.finish().unwrap();
    writer.finish().unwrap();
    let path = file(
        folder.path(),
        "a.ron",
        "(version: 1, scene: (obstacles: [(shape: Mask(image: \"large.png\"))]))",
    );
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 400000; exec \"$0\" check \"$1\""])
        .arg(env!("CARGO_BIN_EXE_eddy"))
        .arg(&path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Deep inside a solve nothing looks at what is asked: the command is ended from beside it, and cleans up.
#[cfg(unix)]
#[test]
fn a_bake_deep_inside_a_solve_is_ended_and_leaves_nothing() {
    for (second, code) in [(None, 1), (Some("-INT"), 130)] {
        let folder = tempfile::tempdir().unwrap();
        let hidden = || std::fs::read_dir(folder.path()).unwrap().count();
        let child = eddy()
            .args(["bake", SCENE, "--device", "cpu", "--frames", "0..9"])
            .args(["--set", "scene.domain.cells_x=2048"])
            .args(["--set", "scene.domain.cells_y=2048"])
            .args(["--set", "pressure.iterations=100000"])
            .args(["--set", "pressure.tolerance=0"])
            .arg("--out")
            .arg(folder.path().join("out"))
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        until("a hidden folder", || hidden() == 1);
        std::thread::sleep(std::time::Duration::from_secs(3));
        signal("-TERM", &child);
        let begin = std::time::Instant::now();
        if let Some(second) = second {
            std::thread::sleep(std::time::Duration::from_millis(300));
            signal(second, &child);
        }
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{error}");
        assert!(error.contains("again to stop at once"), "{error}");
        assert!(begin.elapsed().as_secs() < 15, "{:?}", begin.elapsed());
        assert_eq!(hidden(), 0);
    }
}

#[test]
fn what_a_bake_or_a_picture_is_made_from_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, out) = (folder.path(), folder.path().display().to_string());
    // The names that the sidecar and the sheet would have.
    let preset = dir.join("look.bake.ron");
    let mask = dir.join("look_dye.png");
    std::fs::copy("assets/thumbnails/stable_fluids/campfire.png", &mask).unwrap();
    let text = "(version: 1, name: \"Look\", scene: (domain: (cells_x: 16, cells_y: 16), emitters: \
                [(shape: Mask(image: \"look_dye.png\", size: 0.3))]), bake: (outputs: [(name: \"dye\", red: \"dye.x\")]))";
    std::fs::write(&preset, text).unwrap();
    let path = preset.display().to_string();
    let bake = [
        "bake", &path, "--out", &out, "--frames", "0..1", "--device", "cpu",
    ];
    let before = std::fs::read(&mask).unwrap();
    let error = bad(1, &bake);
    assert!(error.contains("is what this is baked from"), "{error}");
    good(&[&bake[..], &["--name", "other"]].concat());
    for out in [&path, &dir.join("look_dye.png").display().to_string()] {
        let error = bad(2, &["snapshot", &path, "--frame", "0", "--out", out]);
        assert!(
            error.contains("made from") || error.contains(".png"),
            "{error}"
        );
    }
    assert_eq!(std::fs::read_to_string(&preset).unwrap(), text);
    assert_eq!(std::fs::read(&mask).unwrap(), before);
}

#[test]
fn what_is_in_the_way_is_found_before_anything_is_simulated() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    let long = ["--frames", "0..100000", "--device", "cpu"];
    let out = dir.join("a").display().to_string();
    std::fs::create_dir_all(dir.join("a/plain_import.txt")).unwrap();
    let begin = std::time::Instant::now();
    let bake = [
        &["bake", SCENE, "--out", &out, "--name", "plain"],
        &long[..],
    ]
    .concat();
    let error = bad(1, &bake);
    assert!(
        error.contains("is a folder where a file should go"),
        "{error}"
    );
    std::fs::remove_dir(dir.join("a/plain_import.txt")).unwrap();
    let kept = dir.join("a/plain.bake.ron");
    std::fs::write(&kept, "mine").unwrap();
    let mut rights = std::fs::metadata(&kept).unwrap().permissions();
    rights.set_readonly(true);
    std::fs::set_permissions(&kept, rights).unwrap();
    let error = bad(1, &bake);
    assert!(error.contains("is write-protected"), "{error}");
    std::fs::write(dir.join("file"), "").unwrap();
    let picture = dir.join("file/b/x.png").display().to_string();
    let error = bad(
        1,
        &["snapshot", SCENE, "--frame", "9000000", "--out", &picture],
    );
    assert!(error.contains("not a folder"), "{error}");
    assert!(begin.elapsed().as_secs() < 20);
}

#[test]
fn a_parameter_is_varied_once() {
    let vary = [
        "--vary",
        "pressure.iterations=1,2",
        "--vary",
        "pressure.iterations=3",
    ];
    let error = bad(2, &[&["compare", SCENE], &vary[..]].concat());
    assert!(error.contains("varied twice"), "{error}");
}
