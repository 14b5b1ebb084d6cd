//! The real window, where there is a virtual display to open it on.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

struct Display(Child, String);

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A virtual display of our own; it chooses a free number and tells it.
fn display() -> Option<Display> {
    let mut server = Command::new("Xvfb")
        .args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            "1440x900x24",
            "-nolisten",
            "tcp",
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut line = String::new();
    let mut out = std::io::BufReader::new(server.stdout.take()?);
    std::io::BufRead::read_line(&mut out, &mut line).ok()?;
    let number = line.trim().to_owned();
    if number.is_empty() {
        let _ = server.kill();
        return None;
    }
    Some(Display(server, format!(":{number}")))
}

/// Opens the window for some seconds, with a file or without; what it says, and what of it as an error. None where no driver
/// can draw.
fn run(display: &str, seconds: &str, file: Option<&Path>) -> Option<[String; 2]> {
    let home = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_eddy"))
        .args(file)
        .env("DISPLAY", display)
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .env("XDG_DATA_HOME", home.path())
        .env("XDG_RUNTIME_DIR", home.path())
        .env("EDDY_DATA_DIR", home.path())
        .env("EDDY_SMOKE", seconds)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let begin = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if begin.elapsed() > Duration::from_secs(120) {
            let _ = child.kill();
            panic!("the window did not close");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    let output = child.wait_with_output().expect("output");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() && err.contains("graphics driver") {
        return None;
    }
    println!("{out}");
    assert!(output.status.success(), "{out}\n{err}");
    Some([out, err])
}

/// From the start of the program to the first picture, ms.
fn first_picture(out: &str) -> u64 {
    let line = out.lines().find(|l| l.starts_with("first picture after"));
    let words = line.unwrap_or_else(|| panic!("no picture: {out}"));
    words
        .split(' ')
        .find_map(|word| word.parse().ok())
        .expect("a number of ms")
}

/// Two seconds from start to picture. The machine that tests may be busy: the best of three tries counts.
#[test]
fn the_window_opens_shows_a_picture_in_time_and_closes() {
    let Some(display) = display() else {
        println!("skipped: there is no Xvfb");
        return;
    };
    let mut best = u64::MAX;
    for _ in 0..3 {
        let Some([out, _]) = run(&display.1, "4", None) else {
            println!("skipped: no driver can draw a window here");
            return;
        };
        best = best.min(first_picture(&out));
        if best <= 2000 {
            return;
        }
    }
    panic!("the first picture came after {best} ms");
}

/// From the desktop there is no terminal in which to read why.
#[test]
fn a_file_that_cannot_be_read_does_not_keep_the_window_shut() {
    let Some(display) = display() else {
        println!("skipped: there is no Xvfb");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("torn.ron");
    std::fs::write(&file, "(version: 1, name: \"Torn").unwrap();
    let Some([out, err]) = run(&display.1, "2", Some(&file)) else {
        println!("skipped: no driver can draw a window here");
        return;
    };
    assert!(out.contains("first picture"), "{out}");
    assert!(err.contains("torn.ron:1:"), "{err}");
    let missing = folder.path().join("missing.ron");
    let output = Command::new(env!("CARGO_BIN_EXE_eddy"))
        .arg(&missing)
        .env("DISPLAY", &display.1)
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.contains("missing.ron"), "{err}");
}

#[test]
fn without_a_display_the_program_says_so() {
    let output = Command::new(env!("CARGO_BIN_EXE_eddy"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.contains("no display") && err.contains("bake"), "{err}");
    assert!(!err.contains("panicked"), "{err}");
}

/// Also begins with a stored magnification that no window can have.
#[cfg(unix)]
#[test]
fn a_signal_ends_it_and_leaves_a_copy_of_what_is_not_saved() {
    use std::io::BufRead as _;
    let Some(display) = display() else {
        println!("skipped: there is no Xvfb");
        return;
    };
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join("eddy")).unwrap();
    let stored = r#"{"egui": "(options:(zoom_factor:0.0))", "window": "(normal_geometry:None)"}"#;
    std::fs::write(home.path().join("eddy/app.ron"), stored).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_eddy"))
        .env("DISPLAY", &display.1)
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .env("XDG_DATA_HOME", home.path())
        .env("XDG_RUNTIME_DIR", home.path())
        .env("EDDY_DATA_DIR", home.path())
        .env("EDDY_SMOKE", "100")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut out = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    if !line.starts_with("first picture") {
        let _ = child.kill();
        let _ = child.wait();
        println!("skipped: no driver can draw a window here");
        return;
    }
    let hand = |arguments: &[&str]| {
        let output = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &display.1)
            .output()
            .ok()
            .filter(|o| o.status.success());
        output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned())
    };
    let mut pressed = hand(&["search", "--name", "Eddy", "windowfocus", "--sync"]);
    // The title gets a mark when something is changed.
    let title = || hand(&["search", "--name", "Eddy", "getwindowname"]).unwrap_or_default();
    let marked = || title().starts_with('●');
    let begin = Instant::now();
    while pressed.is_some() && !marked() && begin.elapsed() < Duration::from_secs(20) {
        // The next field: a change of the look. A window that is still busy may miss it.
        pressed = hand(&["key", "v"]);
        std::thread::sleep(Duration::from_millis(700));
    }
    let killed = Command::new("kill")
        .args(["-TERM", &child.id().to_string()])
        .status();
    assert!(killed.expect("a signal").success());
    let begin = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if begin.elapsed() > Duration::from_secs(30) {
            let _ = child.kill();
            panic!("the signal was not heard");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    if pressed.is_none() {
        println!("skipped: there is no xdotool");
        return;
    }
    let left = eddy::document::recovery::left_in(home.path());
    assert_eq!(left.len(), 1, "one copy");
    assert_ne!(left[0].document.view.field, "dye");
}
