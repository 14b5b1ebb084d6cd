//! Documents as files: old forms, broken files, saves that are cut short.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use eddy::device::{Device, DeviceChoice};
use eddy::document::{self, Document, VERSION};
use eddy::params::{self, Value, ValueKind};
use eddy::scene::{Stroke, StrokePoint};
use eddy::sim::{Fault, Simulation};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

/// Every document that ships, and the fixtures.
fn all_documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    let mut folders = vec![root.join("presets"), root.join("tests/fixtures")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "ron") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Numbers that look random and are the same on every machine (Marsaglia's xorshift).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: usize) -> usize {
        (self.roll() % n.max(1) as u64) as usize
    }
    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
    fn between(&mut self, low: f32, high: f32) -> f32 {
        let t = (self.roll() >> 40) as f32 / (1u64 << 24) as f32;
        (low + (high - low) * t).clamp(low, high)
    }
}

#[test]
fn version_0_becomes_the_present_form() {
    assert_eq!(
        VERSION, 1,
        "a new version needs a fixture of the one before it"
    );
    let loaded = document::load(&fixture("v0_plume.ron")).unwrap();
    assert_eq!(loaded.migrated_from, Some(0));
    let d = loaded.document;
    assert_eq!((d.version, d.name.as_str()), (VERSION, "Plume"));
    assert_eq!(d.description, "Warm smoke; try more buoyancy.");
    assert_eq!(d.scene.seed, 7);
    let domain = &d.scene.domain;
    assert_eq!(
        (domain.width, domain.cells_x, domain.cells_y),
        (2.0, 128, 64)
    );
    let time = &d.time;
    assert_eq!(
        (time.frame_rate, time.first_frame, time.end_frame, time.cfl),
        (30.0, 10, 90, 2.0)
    );
    assert_eq!(d.scene.emitters[0].temperature, 80.0);
    assert_eq!(d.view.field, "temperature");
    let again = document::parse(&document::to_ron(&d).unwrap(), "again").unwrap();
    assert_eq!((again.document, again.migrated_from), (d, None));

    let d = document::load(&fixture("v0_empty.ron")).unwrap().document;
    let expected = Document::default();
    assert_eq!(
        (d.time.frame_rate, d.time.end_frame),
        (24.0, expected.time.end_frame)
    );
    assert_eq!((d.scene.domain.cells_x, d.scene.seed), (32, 3));
}

#[test]
fn errors_in_an_old_form_stand_where_they_are_in_the_file() {
    let text = std::fs::read_to_string(fixture("v0_plume.ron")).unwrap();
    let bad = text
        .replace("radius: 0.1", "radius: -0.1")
        .replace("fps: 30", "fps: 0");
    let error = document::parse(&bad, "old.ron").unwrap_err();
    let at = |needle: &str| {
        let line = bad.lines().position(|l| l.contains(needle)).unwrap();
        (
            line as u32 + 1,
            bad.lines().nth(line).unwrap().find(needle).unwrap() as u32 + 1,
        )
    };
    let (line, column) = at("fps: 0");
    assert_eq!(
        (error.issues[0].line, error.issues[0].column),
        (line, column + 5),
        "{error}"
    );
    let (line, column) = at("-0.1");
    assert_eq!(
        (error.issues[1].line, error.issues[1].column),
        (line, column),
        "{error}"
    );
    assert_eq!(error.issues[1].at, "scene.emitters.0.shape.radius");
}

#[test]
fn newer_forms_are_refused_with_both_versions() {
    let error = document::parse("(version: 41, shape_of_things: [1, 2])", "n.ron").unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with("n.ron:1:11: version: "), "{text}");
    assert!(
        text.contains("41") && text.contains(&format!("version {VERSION}")),
        "{text}"
    );
}

#[test]
fn any_values_inside_their_limits_survive_the_file() {
    let base = document::load(&fixture("v1_scenes.ron")).unwrap().document;
    let mut dice = Dice(42);
    for _ in 0..100 {
        let mut d = base.clone();
        for entry in params::entries(&base) {
            let [low, high] = [entry.spec.hard[0].max(-1e30), entry.spec.hard[1].min(1e30)];
            let mut number = || match dice.below(4) {
                0 => low,
                1 => high,
                2 => dice.between(low, high),
                _ => (dice.between(-9.0, 2.0).exp2()).clamp(low, high),
            };
            let value = match entry.spec.kind {
                ValueKind::Float => Value::Float(number()),
                ValueKind::Vec2 => Value::Vec2([number(), number()]),
                ValueKind::Vec3 => Value::Vec3([number(), number(), number()]),
                ValueKind::Int => Value::Int(number() as u32),
                ValueKind::Bool => Value::Bool(number() > 0.0),
                ValueKind::Text => Value::Text(
                    (0..8)
                        .filter_map(|_| char::from_u32(dice.below(0x3000) as u32))
                        .collect(),
                ),
                ValueKind::Choice(options) if entry.spec.name != "kind" => {
                    Value::Choice(dice.pick(options).name.to_owned())
                }
                ValueKind::Choice(_) => continue,
            };
            assert!(
                params::set_value(&mut d, &entry.path, &value),
                "{}",
                entry.path
            );
        }
        let text = document::to_ron(&d).unwrap();
        // Whether the parts fit together is not the question here: only what was written must come back.
        match document::parse(&text, "x") {
            Ok(read) => {
                assert_eq!(read.document, d);
                assert_eq!(document::to_ron(&read.document).unwrap(), text);
            }
            Err(e) => {
                let known: Vec<_> = document::problems(&d)
                    .into_iter()
                    .map(|p| p.message)
                    .collect();
                assert!(
                    e.issues.iter().all(|i| known.contains(&i.message)),
                    "{e}\n{text}"
                );
            }
        }
    }
}

#[test]
fn a_thousand_million_cells_are_refused_without_taking_memory() {
    let text = "(version: 1, scene: (domain: (cells_x: 16384, cells_y: 16384, cells_z: 4)))";
    let error = document::parse(text, "big.ron").unwrap_err();
    assert!(error.to_string().contains("1073741824 cells"), "{error}");
    assert_eq!(error.issues[0].at, "scene.domain.cells_x");

    let text = "(version: 1, scene: (domain: (cells_x: 16384, cells_y: 16384)))";
    let document = document::parse(text, "big.ron").unwrap().document;
    let needed = document.memory_bytes();
    assert!(needed > 16384 * 16384 * 4 * 8, "{needed}");
    let mut device = Device::new(DeviceChoice::Cpu).unwrap();
    device.set_memory_limit(64 << 20);
    let result = Simulation::new(Arc::new(document), PathBuf::new(), device);
    let Err(Fault::Device(error)) = result.map(|_| ()) else {
        panic!("was not refused");
    };
    assert!(error.to_string().contains("MiB"), "{error}");
}

/// One damage done to a text.
fn damage(text: &str, dice: &mut Dice) -> String {
    const NUMBERS: &[&str] = &[
        "1000000000",
        "-1",
        "NaN",
        "inf",
        "-inf",
        "1e39",
        "-1e300",
        "0",
        "4294967296",
        "1e-45",
        "99999999999999999999999999",
        "0x",
        "1_0",
        ".5",
        "5.",
        "--3",
        "+7",
        "1e",
        "true",
        "\"text\"",
        "()",
        "[]",
        "(1, 2)",
        "None",
        "Some(1)",
        "'c'",
        "r#\"raw\"#",
        "Disc(radius: 1)",
    ];
    let mut bytes = text.as_bytes().to_vec();
    match dice.below(8) {
        0 => {
            for _ in 0..=dice.below(8) {
                let at = dice.below(bytes.len());
                bytes[at] ^= 1 << dice.below(8);
            }
        }
        1 => {
            let lines: Vec<&str> = text.lines().collect();
            let drop = dice.below(lines.len());
            let count = 1 + dice.below(4);
            let kept = lines
                .iter()
                .enumerate()
                .filter(|(i, _)| !(drop..drop + count).contains(i));
            return kept.map(|(_, l)| *l).collect::<Vec<_>>().join("\n");
        }
        2 => {
            let (a, b) = (dice.below(bytes.len()), dice.below(200));
            bytes.drain(a..(a + b).min(text.len()));
        }
        3 => bytes.truncate(dice.below(bytes.len())),
        4 => {
            let (a, n) = (dice.below(bytes.len()), dice.below(300));
            let piece = bytes[a..(a + n).min(text.len())].to_vec();
            let at = dice.below(bytes.len());
            bytes.splice(at..at, piece.repeat(1 + dice.below(5)));
        }
        5 => {
            let at = dice.below(bytes.len());
            let bracket: &[u8] = dice
                .pick(&[
                    "(", ")", "[", "]", "{", "}", "\"", "'", ",", ":", "//", "/*", "#",
                ])
                .as_bytes();
            bytes.splice(
                at..at,
                bracket.repeat(if dice.below(10) == 0 { 5000 } else { 1 }),
            );
        }
        _ => {
            // A token becomes another one.
            let is_value = |c: char| c.is_ascii_alphanumeric() || "+-._".contains(c);
            let starts: Vec<usize> = text
                .char_indices()
                .filter(|&(i, c)| is_value(c) && !text[..i].ends_with(is_value))
                .map(|(i, _)| i)
                .collect();
            if starts.is_empty() {
                return NUMBERS[0].to_owned();
            }
            let start = *dice.pick(&starts);
            let end = text[start..]
                .find(|c| !is_value(c))
                .map_or(text.len(), |n| start + n);
            return format!("{}{}{}", &text[..start], dice.pick(NUMBERS), &text[end..]);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn damaged_documents_open_or_say_where_they_are_damaged() {
    let sources: Vec<String> = all_documents()
        .iter()
        .map(|p| std::fs::read_to_string(p).unwrap())
        .collect();
    let mut dice = Dice(0xEDD7);
    let (mut opened, mut refused, mut ran) = (0, 0, 0);
    for round in 0..3000 {
        let mut text = damage(dice.pick::<String>(&sources), &mut dice);
        for _ in 0..dice.below(3) {
            if !text.is_empty() {
                text = damage(&text, &mut dice);
            }
        }
        match document::parse(&text, "damaged.ron") {
            Ok(loaded) => {
                opened += 1;
                assert!(document::problems(&loaded.document).is_empty());
                if opened % 10 == 0 {
                    let mut device = Device::new(DeviceChoice::Cpu).unwrap();
                    device.set_memory_limit(32 << 20);
                    let document = Arc::new(loaded.document);
                    if Simulation::new(document, PathBuf::new(), device).is_ok() {
                        ran += 1;
                    }
                }
            }
            Err(error) => {
                refused += 1;
                assert!(!error.issues.is_empty());
                let lines = text.split('\n').count() as u32;
                for issue in &error.issues {
                    assert!(
                        (1..=lines).contains(&issue.line),
                        "round {round}: {error}\n{text}"
                    );
                    let line = text.split('\n').nth(issue.line as usize - 1).unwrap();
                    let end = line.chars().count() as u32 + 1;
                    assert!(
                        (1..=end).contains(&issue.column),
                        "round {round}: {error}\n{text}"
                    );
                    assert!(!issue.message.is_empty());
                }
            }
        }
    }
    println!("{opened} opened, of which {ran} were started; {refused} were refused");
    assert!(opened > 100 && refused > 1000 && ran > 10);
}

/// Two documents that are long enough for a save to take a while.
fn long_documents() -> [Document; 2] {
    ["first", "second"].map(|name| {
        let mut d = Document {
            name: name.into(),
            ..Document::default()
        };
        d.scene.strokes.push(Stroke {
            name: name.into(),
            points: (0..20_000)
                .map(|frame| StrokePoint {
                    frame,
                    position: [frame as f32 / 7.0, 0.5, 0.0],
                })
                .collect(),
            ..Stroke::default()
        });
        d
    })
}

const SAVE_LOOP: &str = "EDDY_TEST_SAVE_LOOP";

/// The process that is killed below: it does nothing unless it is asked to.
#[test]
fn save_again_and_again() {
    let Some(path) = std::env::var_os(SAVE_LOOP) else {
        return;
    };
    let documents = long_documents();
    for i in 1.. {
        document::save(Path::new(&path), &documents[i % 2]).unwrap();
        println!("saved");
    }
}

#[test]
fn a_process_that_is_killed_while_it_saves_leaves_a_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("look.ron");
    let texts = long_documents().map(|d| document::to_ron(&d).unwrap());
    std::fs::write(&path, &texts[0]).unwrap();
    let mut dice = Dice(99);
    let (mut seen, mut cut_short, mut rounds) = ([0, 0], 0, 0);
    while rounds < 20 || (cut_short == 0 && rounds < 80) {
        rounds += 1;
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "documents::save_again_and_again", "--nocapture"])
            .env(SAVE_LOOP, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Wait for some saves, and for any part of the next one.
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut next_save = || assert!(lines.any(|l| l.is_ok_and(|l| l.contains("saved"))));
        (0..dice.below(2)).for_each(|_| next_save());
        let begin = std::time::Instant::now();
        next_save();
        let one_save = begin.elapsed().as_micros().min(200_000) as usize;
        std::thread::sleep(std::time::Duration::from_micros(dice.below(one_save) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let which = texts.iter().position(|t| *t == text);
        seen[which.expect("the file is neither the old nor the new one")] += 1;
        // What is left beside it shows that the save was really interrupted.
        for entry in std::fs::read_dir(folder.path()).unwrap().flatten() {
            if entry.path() != path {
                cut_short += 1;
                std::fs::remove_file(entry.path()).unwrap();
            }
        }
    }
    println!(
        "{seen:?} times the first and the second; {cut_short} of {rounds} saves were cut short"
    );
    assert!(cut_short > 0 && seen.iter().all(|n| *n > 0));
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_text() {
    let text = "(version: 1,\n time: (cfl: 2.0))";
    let with = format!("\u{feff}{text}");
    assert_eq!(
        document::parse(&with, "a.ron").unwrap(),
        document::parse(text, "a.ron").unwrap()
    );
    let bad = "(version: 1, time: (cfl: 0.0))";
    let place = |text: &str| {
        let error = document::parse(text, "a.ron").unwrap_err();
        (error.issues[0].line, error.issues[0].column)
    };
    assert_eq!(place(&format!("\u{feff}{bad}")), place(bad));
}

#[test]
fn what_a_file_holds_cannot_move_the_cursor() {
    let texts = [
        "(version: \"\u{1b}[2J\n\")",
        "(version: 1, time: (cfl: \"\u{1b}]0;title\u{7}\u{202e}\"))",
        "(version: 1, bake: (outputs: [(name: \"a\u{1b}[31m\")]))",
        "(version: 1, scene: (emitters: [(blend: \"\r\n\u{9b}\")]))",
        "(version: 1, view: (r#\u{1b}: 1))",
    ];
    for text in texts {
        let error = document::parse(text, "bad\u{1b}name.ron").unwrap_err();
        let said = error.to_string();
        assert!(
            !said.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}'),
            "{said:?}"
        );
        assert_eq!(said.lines().count(), error.issues.len(), "{said:?}");
    }
}

#[test]
fn names_of_outputs_are_names_of_files() {
    let with = |names: &str| {
        document::parse(
            &format!("(version: 1, bake: (outputs: [{names}]))"),
            "a.ron",
        )
    };
    assert!(with("(name: \"flow\"), (name: \"flow-2\")").is_ok());
    for bad in [
        "(name: \"com1\")",
        "(name: \"a/b\")",
        "(name: \"a.\")",
        "(name: \"a \")",
        "(name: \"flow\"), (name: \"Flow\")",
    ] {
        let error = with(bad).unwrap_err();
        assert!(error.issues[0].at.starts_with("bake.outputs."), "{error}");
    }
}
