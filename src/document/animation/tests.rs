#![allow(clippy::unwrap_used)]
use super::*;
use crate::document::{Document, parse, to_ron};
use crate::params::{self, Value};
use crate::scene::{Emitter, Obstacle};

mod values;

const HEAT: &str = "scene.emitters.0.temperature";
const DYE: &str = "scene.emitters.0.dye";
const PLACE: &str = "scene.obstacles.0.position";

fn key(time: f32, value: f32, interpolation: Interpolation) -> TrackKey {
    TrackKey {
        time,
        value: KeyValue::Number(value),
        interpolation,
    }
}

fn track(path: &str, keys: Vec<TrackKey>) -> Track {
    Track {
        path: path.to_owned(),
        keys,
        ..Track::default()
    }
}

fn with(tracks: Vec<Track>) -> Document {
    let mut d = Document::default();
    d.scene.emitters.push(Emitter::default());
    d.scene.obstacles.push(Obstacle::default());
    d.animation.tracks = tracks;
    d
}

/// The temperature of the only emitter at a time.
fn heat(d: &Document, time: f64) -> f32 {
    let mut tracks = Tracks::new(d).unwrap();
    tracks.set(time);
    tracks.scene().emitters[0].temperature
}

fn wave(wave: Wave, combine: Combine, amplitude: f32) -> Track {
    Track {
        modulator: Modulator {
            wave,
            combine,
            amplitude,
            ..Modulator::default()
        },
        ..track(HEAT, Vec::new())
    }
}

/// A document with a track of every kind of value and of wave.
fn rich() -> Document {
    use Interpolation::*;
    let of = |value, interpolation| TrackKey {
        time: 0.5,
        value,
        interpolation,
    };
    let mut burst = wave(Wave::Envelope(Envelope::default()), Combine::Multiply, 2.0);
    burst.keys = vec![key(0.1, 1e-7, Smooth), key(0.3, 40.0, Linear)];
    let colour = vec![of(KeyValue::Triple([0.1, 0.2, 1.0 / 3.0]), Linear)];
    let mut turns = track("method.vorticity_confinement", Vec::new());
    turns.modulator.wave = Wave::Oscillator(Oscillator::default());
    let mut shakes = track(PLACE, Vec::new());
    shakes.modulator.wave = Wave::Noise(Noise::default());
    with(vec![
        burst,
        track(DYE, colour),
        turns,
        shakes,
        track(
            "scene.emitters.0.enabled",
            vec![of(KeyValue::Flag(false), Stepped)],
        ),
        track(
            "scene.emitters.0.dye_blend",
            vec![of(KeyValue::Word("Add".into()), Stepped)],
        ),
    ])
}

#[test]
fn files_keep_every_track_and_say_nothing_without() {
    let d = rich();
    assert_eq!(crate::document::problems(&d), []);
    let text = to_ron(&d).unwrap();
    let read = parse(&text, "x").unwrap();
    assert_eq!(read.document, d);
    assert_eq!(to_ron(&read.document).unwrap(), text);
    assert!(text.contains("value: (0.1, 0.2, 0.33333334)"), "{text}");
    assert!(text.contains("value: false") && text.contains("value: \"Add\""));
    let still = Document::default();
    assert!(!to_ron(&still).unwrap().contains("animation"));
    assert!(Tracks::new(&still).is_none());
    // What visitors write back is what they have read.
    let mut visited = d.clone();
    params::clamp(&mut visited);
    assert_eq!(visited, d);
}

#[test]
fn keys_are_set_as_text() {
    let mut d = rich();
    let value = |i| format!("animation.tracks.{i}.keys.0.value");
    params::set(&mut d, &value(0), "2.5").unwrap();
    params::set(&mut d, &value(1), "1, 0.5, 0").unwrap();
    params::set(&mut d, &value(4), "true").unwrap();
    let of = |i: usize| &d.animation.tracks[i].keys[0].value;
    assert_eq!(*of(0), KeyValue::Number(2.5));
    assert_eq!(*of(1), KeyValue::Triple([1.0, 0.5, 0.0]));
    assert_eq!(*of(4), KeyValue::Flag(true));
}

/// Line, column, path and message of the only issue of a document with such tracks.
fn refused(tracks: &str) -> (u32, u32, String, String) {
    let text =
        format!("(version: 1, scene: (emitters: [()]), animation: (tracks: [\n{tracks}\n]))");
    let error = parse(&text, "x.ron").expect_err(tracks);
    assert_eq!(error.issues.len(), 1, "{error}");
    let issue = error.issues[0].clone();
    (issue.line, issue.column, issue.at, issue.message)
}

#[test]
fn what_is_wrong_is_said_where_it_stands() {
    let cases = [
        (
            "(path: \"scene.emitters.0.temprature\")",
            8,
            "animation.tracks.0.path",
            "scene.emitters.0.temperature",
        ),
        (
            "(path: \"scene.emitters.7.dye\")",
            8,
            "animation.tracks.0.path",
            "no parameter",
        ),
        ("()", 1, "animation.tracks.0.path", "no parameter"),
        (
            "(path: \"scene.domain.width\")",
            8,
            "animation.tracks.0.path",
            "starts the simulation again",
        ),
        (
            "(path: \"scene.emitters.0.name\")",
            8,
            "animation.tracks.0.path",
            "text",
        ),
        (
            "(path: \"scene.emitters.0.shape.kind\")",
            8,
            "animation.tracks.0.path",
            "which other parameters",
        ),
        (
            "(path: \"scene.emitters.0.path.spin\")",
            8,
            "animation.tracks.0.path",
            "says itself",
        ),
        (
            "(path: \"view.exposure\")",
            8,
            "animation.tracks.0.path",
            "no parameter",
        ),
        (
            "(path: \"method.cooling\"), (path: \"method.cooling\")",
            34,
            "animation.tracks.1.path",
            "another track",
        ),
        (
            "(path: \"method.cooling\", keys: [(value: true)])",
            41,
            "animation.tracks.0.keys.0.value",
            "expected a number, found true",
        ),
        (
            "(path: \"method.cooling\", keys: [(value: NaN)])",
            41,
            "animation.tracks.0.keys.0.value",
            "NaN is not allowed",
        ),
        (
            "(path: \"method.cooling\", keys: [(value: -1)])",
            41,
            "animation.tracks.0.keys.0.value",
            "-1 is not allowed",
        ),
        (
            "(path: \"method.cooling\", keys: [(time: NaN)])",
            40,
            "animation.tracks.0.keys.0.time",
            "NaN is not allowed",
        ),
        (
            "(path: \"method.cooling\", keys: [(value: (1, 2, 3, 4))])",
            0,
            "animation.tracks.0.keys.0.value",
            "4",
        ),
        (
            "(path: \"method.cooling\", keys: [(time: 2), (time: 1)])",
            51,
            "animation.tracks.0.keys.1.time",
            "1 s follows 2 s",
        ),
        (
            "(path: \"method.cooling\", keys: [(time: 2), (time: 2)])",
            51,
            "animation.tracks.0.keys.1.time",
            "2 s follows 2 s",
        ),
        (
            "(path: \"scene.emitters.0.dye\", keys: [(value: (1, 2))])",
            47,
            "animation.tracks.0.keys.0.value",
            "three numbers",
        ),
        (
            "(path: \"method.limiter\", keys: [(value: \"Klamp\", interpolation: Stepped)])",
            41,
            "animation.tracks.0.keys.0.value",
            "Clamp, Revert, Off",
        ),
        (
            "(path: \"method.limiter\", keys: [(value: \"Off\", interpolation: Linear)])",
            63,
            "animation.tracks.0.keys.0.interpolation",
            "Stepped",
        ),
        (
            "(path: \"method.warm_start\", modulator: (wave: Noise()))",
            47,
            "animation.tracks.0.modulator.wave.kind",
            "swing",
        ),
        (
            "(path: \"method.cooling\", keyz: [])",
            26,
            "animation.tracks.0.keyz",
            "`keys`",
        ),
        (
            "(path: \"method.cooling\", modulator: (wave: Oscillator(period: 0)))",
            63,
            "animation.tracks.0.modulator.wave.period",
            "0 is not allowed",
        ),
    ];
    for (tracks, column, at, message) in cases {
        let found = refused(tracks);
        assert!(found.3.contains(message), "{tracks}: {found:?}");
        assert_eq!(found.2, at, "{tracks}: {found:?}");
        if column > 0 {
            assert_eq!((found.0, found.1), (2, column), "{tracks}: {found:?}");
        }
    }
}

#[test]
fn fluid_that_is_animated_to_enter_must_be_able_to_leave() {
    let faces = "domain: (left: (condition: Inflow, velocity: (1, 0, 0)), right: (condition: Inflow, velocity: (1, 0, 0)))";
    let tracks = "(path: \"scene.domain.left.velocity\", keys: [(value: (1, 0, 0)), (time: 2, value: (2, 0, 0))])";
    let text = format!("(version: 1, scene: ({faces}), animation: (tracks: [{tracks}]))");
    let error = parse(&text, "x.ron").unwrap_err();
    assert_eq!(error.issues[0].at, "animation.tracks.0.keys");
    assert!(error.to_string().contains("cannot"), "{error}");
}

#[test]
fn keys_are_put_in_moved_and_taken_in_order() {
    let (dt, mut t) = (0.1_f32, track(HEAT, Vec::new()));
    let at = |frame: u32| f64::from(frame) * f64::from(dt);
    for (frame, value) in [(5, 1.0), (2, 2.0), (9, 3.0), (5, 4.0)] {
        t.set_key(at(frame), KeyValue::Number(value), dt);
    }
    let frames = |t: &Track| -> Vec<(i32, f32)> {
        let frame = |k: &TrackKey| (k.time / dt).round() as i32;
        t.keys
            .iter()
            .map(|k| (frame(k), k.value.numbers()[0]))
            .collect()
    };
    assert_eq!(frames(&t), [(2, 2.0), (5, 4.0), (9, 3.0)]);
    assert_eq!((t.key_at(at(5), dt), t.key_at(at(6), dt)), (Some(1), None));
    let before = t.clone();
    assert_eq!(t.move_keys(&[0], 5, dt), [1]);
    assert_eq!(frames(&t), [(5, 4.0), (7, 2.0), (9, 3.0)]);
    assert_eq!(t.move_keys(&[1], 2, dt), [1], "what stands there gives way");
    assert_eq!(frames(&t), [(5, 4.0), (9, 2.0)]);
    t = before.clone();
    assert_eq!(
        t.move_keys(&[0, 2], -50, dt),
        [0, 2],
        "none before the first frame"
    );
    assert_eq!(frames(&t), [(0, 2.0), (5, 4.0), (7, 3.0)]);
    t = before;
    t.keys[1].interpolation = Interpolation::Linear;
    t.set_key(at(7), KeyValue::Number(0.0), dt);
    assert_eq!(t.keys[2].interpolation, Interpolation::Linear);
    // Two that stand in one frame, off it, become one when they are moved onto frames.
    let off = |time: f32, v| key(time, v, Interpolation::Linear);
    t.keys = vec![off(1.8 * dt, 1.0), off(2.3 * dt, 2.0), off(9.0 * dt, 3.0)];
    assert_eq!(t.move_keys(&[0, 1], 3, dt), [0]);
    assert_eq!(frames(&t), [(5, 1.0), (9, 3.0)]);
}

#[test]
fn tracks_go_with_their_items() {
    let mut d = rich();
    d.scene.emitters.push(Emitter::default());
    d.animation.renumber("scene.emitters", |i| Some(i + 1));
    assert_eq!(d.animation.tracks[0].path, "scene.emitters.1.temperature");
    d.animation.copy_item("scene.emitters", 1, 0);
    assert!(d.animation.track(HEAT).is_some());
    d.animation
        .renumber("scene.emitters", |i| (i == 0).then_some(0));
    assert!(d.animation.track("scene.emitters.1.temperature").is_none());
    assert!(!d.drop_lost_tracks());
    d.scene.emitters.clear();
    assert!(d.drop_lost_tracks());
    let left: Vec<&str> = d.animation.tracks.iter().map(|t| &*t.path).collect();
    assert_eq!(left, ["method.vorticity_confinement", PLACE]);
}

#[test]
fn only_what_is_later_than_a_change_is_worthless() {
    let keys = |last: f32| {
        [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0), (3.0, last)]
            .map(|(t, v)| key(t, v, Interpolation::Smooth))
            .to_vec()
    };
    let of = |last| with(vec![track(HEAT, keys(last))]).animation;
    assert_eq!(first_difference(&of(4.0), &of(4.0)), None);
    assert_eq!(first_difference(&of(4.0), &of(5.0)), Some(1.0));
    let never = Some(f64::NEG_INFINITY);
    assert_eq!(first_difference(&of(4.0), &Animation::default()), never);
    let mut waves = of(4.0);
    waves.tracks[0].modulator.wave = Wave::Noise(Noise::default());
    assert_eq!(first_difference(&of(4.0), &waves), never);
    // The values agree until then, whichever key it is.
    let a = with(vec![track(HEAT, keys(4.0))]);
    for i in 0..4 {
        let mut b = a.clone();
        b.animation.tracks[0].keys[i].value = KeyValue::Number(-7.0);
        let from = first_difference(&a.animation, &b.animation).unwrap();
        for time in (-10..50).map(|t| f64::from(t) * 0.1).filter(|t| *t <= from) {
            assert_eq!(heat(&a, time), heat(&b, time), "key {i} at {time}");
        }
    }
}
