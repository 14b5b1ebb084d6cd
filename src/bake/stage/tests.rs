use super::*;

fn hidden(place: &Path) -> usize {
    let names = fs::read_dir(place).unwrap().flatten();
    names
        .filter(|e| e.file_name().to_string_lossy().starts_with(PREFIX))
        .count()
}

#[test]
fn what_a_dead_bake_left_goes_and_what_a_live_one_has_stays() {
    let place = tempfile::tempdir().unwrap();
    let mut live = Stage::open(&place.path().join("live")).unwrap();
    live.write("a.png", b"a").unwrap();
    let dead = place.path().join(".eddy-bake-dead");
    fs::create_dir_all(dead.join(".old")).unwrap();
    fs::write(dead.join(LOCK), b"").unwrap();
    fs::write(dead.join("b.png"), b"b").unwrap();
    fs::write(dead.join(".old/b.png"), b"b").unwrap();
    // Neither a folder that is just being made nor one that is someone else's has a lock.
    let foreign = place.path().join(".eddy-bake-notes");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("mine.txt"), b"mine").unwrap();
    let next = Stage::open(&place.path().join("next")).unwrap();
    assert!(!dead.exists());
    assert!(foreign.join("mine.txt").exists());
    assert_eq!(hidden(place.path()), 3);
    drop(next);
    live.commit().unwrap();
    assert_eq!(fs::read(place.path().join("live/a.png")).unwrap(), b"a");
    assert_eq!(hidden(place.path()), 1);
}

#[test]
fn what_a_bake_replaced_before_it_was_killed_comes_back() {
    for finished in [false, true] {
        let place = tempfile::tempdir().unwrap();
        let dead = place.path().join(".eddy-bake-dead");
        fs::create_dir_all(dead.join(OLD)).unwrap();
        fs::write(dead.join(LOCK), b"").unwrap();
        fs::write(place.path().join("a.png"), b"new").unwrap();
        fs::write(dead.join(OLD).join("a.png"), b"old").unwrap();
        if finished {
            fs::write(dead.join(DONE), b"").unwrap();
        }
        drop(Stage::open(place.path()).unwrap());
        let expected: &[u8] = if finished { b"new" } else { b"old" };
        assert_eq!(fs::read(place.path().join("a.png")).unwrap(), expected);
        assert_eq!(hidden(place.path()), 0);
    }
}

/// What cannot be put back is the only copy: it stays, with the lock by which a later bake finds it.
#[test]
fn what_a_killed_bake_kept_stays_until_it_can_be_put_back() {
    let place = tempfile::tempdir().unwrap();
    let dead = place.path().join(".eddy-bake-dead");
    fs::create_dir_all(dead.join(OLD)).unwrap();
    fs::write(dead.join(LOCK), b"").unwrap();
    fs::write(dead.join(OLD).join("a.png"), b"old").unwrap();
    // A folder is not replaced by a file, whoever asks.
    fs::create_dir_all(place.path().join("a.png/full")).unwrap();
    drop(Stage::open(place.path()).unwrap());
    assert_eq!(fs::read(dead.join(OLD).join("a.png")).unwrap(), b"old");
    assert!(dead.join(LOCK).exists());
    fs::remove_dir_all(place.path().join("a.png")).unwrap();
    drop(Stage::open(place.path()).unwrap());
    assert_eq!(fs::read(place.path().join("a.png")).unwrap(), b"old");
    assert_eq!(hidden(place.path()), 0);
}

#[test]
fn a_name_is_written_once() {
    let place = tempfile::tempdir().unwrap();
    let mut stage = Stage::open(place.path()).unwrap();
    stage.write("a.png", b"a").unwrap();
    assert!(stage.write("a.png", b"b").is_err());
}

/// On a file system that gives no file a second name: what was replaced comes back from a copy of it.
#[test]
fn a_bake_that_fails_at_its_end_puts_back_what_it_could_not_link() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    fs::create_dir_all(out.join("b.png")).unwrap();
    fs::write(out.join("a.png"), b"old").unwrap();
    let mut stage = Stage::open(&out).unwrap();
    stage.write("a.png", b"new").unwrap();
    stage.write("b.png", b"new").unwrap();
    // A name that is taken is one that no link gets.
    let old = stage.folder().join(OLD);
    fs::create_dir(&old).unwrap();
    fs::write(old.join("a.png"), b"in the way").unwrap();
    let error = stage.commit().unwrap_err().to_string();
    assert!(error.contains("b.png"), "{error}");
    assert_eq!(fs::read(out.join("a.png")).unwrap(), b"old");
    assert_eq!(hidden(&out), 0);
}

/// The way back is barred too: the only copy of what was there stays, whatever sweeps later.
#[test]
fn what_cannot_be_put_back_is_kept_and_named() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("a.png"), b"old").unwrap();
    let mut stage = Stage::open(place.path()).unwrap();
    stage.write("a.png", b"new").unwrap();
    let old = stage.folder().join(OLD);
    fs::create_dir(&old).unwrap();
    let mut done = Vec::new();
    stage.place("a.png", &old, &mut done).unwrap();
    fs::remove_file(place.path().join("a.png")).unwrap();
    fs::create_dir_all(place.path().join("a.png/barred")).unwrap();
    let lost = put_back(&done, &old, place.path());
    assert_eq!(lost, ["a.png"]);
    let Stage { folder, _lock, .. } = stage;
    let kept = keep_folder(folder);
    drop(_lock);
    let error = BakeError::Io {
        path: place.path().join("b.png"),
        message: "cannot be replaced".to_owned(),
    };
    let said = left_in(&kept, &lost, error).to_string();
    assert!(
        said.contains(&old.display().to_string()) && said.contains("a.png"),
        "{said}"
    );
    drop(Stage::open(place.path()).unwrap());
    assert_eq!(fs::read(old.join("a.png")).unwrap(), b"old");
}

/// What cannot be kept is not replaced.
#[test]
fn a_bake_replaces_nothing_that_it_cannot_keep() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("a.png"), b"old").unwrap();
    let mut stage = Stage::open(place.path()).unwrap();
    stage.write("a.png", b"new").unwrap();
    fs::create_dir_all(stage.folder().join(OLD).join("a.png")).unwrap();
    let error = stage.commit().unwrap_err().to_string();
    assert!(error.contains("cannot be kept"), "{error}");
    assert_eq!(fs::read(place.path().join("a.png")).unwrap(), b"old");
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_is_refused_and_stays() {
    let place = tempfile::tempdir().unwrap();
    let link = place.path().join("link");
    std::os::unix::fs::symlink("gone", &link).unwrap();
    for out in [link.clone(), link.join("below")] {
        let error = Stage::open(&out).err().expect("refused").to_string();
        assert!(error.contains("link to gone"), "{error}");
    }
    assert_eq!(fs::read_link(&link).unwrap(), Path::new("gone"));
    // A link to a folder is as good as the folder.
    fs::create_dir(place.path().join("gone")).unwrap();
    let mut stage = Stage::open(&link).unwrap();
    stage.write("a.png", b"a").unwrap();
    stage.commit().unwrap();
    assert!(place.path().join("gone/a.png").exists());
}
