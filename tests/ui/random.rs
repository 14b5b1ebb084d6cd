//! Thousands of things that hands do by mistake. The editor neither ends nor hangs, and what it holds can still be saved.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use eddy::document;
use eddy::edit::Action;
use eddy::ui::dock::Workspace;
use eddy::ui::editor::Request;
use eddy::ui::panels::PANELS;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2, vec2};

use crate::ui::support::{Answers, Rig, document as small, rig_with};

/// Ten thousand events in all: four seeds of this many, three to a frame.
const EVENTS: usize = 2_500;
const SEEDS: [u64; 4] = [1, 2, 3, 4];

/// Marsaglia's xorshift with 64 bits.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }
    fn share(&mut self) -> f32 {
        self.below(1 << 20) as f32 / (1 << 20) as f32
    }
    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }
    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|e| e.to_string())
    }
}

/// Time that this thread has had a processor for, where the system says so: others on the machine do not count.
fn worked(begin: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ns = text.and_then(|t| t.split(' ').next().and_then(|n| n.parse().ok()));
    ns.map_or_else(|| begin.elapsed(), Duration::from_nanos)
}

/// One thing that a hand does.
fn event(
    rig: &mut Rig<'_>,
    random: &mut Random,
    at: &mut Pos2,
    size: &mut egui::Vec2,
    files: &[PathBuf],
) {
    const KEYS: &[Key] = &[
        Key::Space,
        Key::Escape,
        Key::Enter,
        Key::Tab,
        Key::Delete,
        Key::Backspace,
        Key::ArrowUp,
        Key::ArrowDown,
        Key::ArrowLeft,
        Key::ArrowRight,
        Key::F1,
        Key::V,
        Key::F,
        Key::R,
        Key::Z,
        Key::S,
        Key::N,
        Key::P,
        Key::B,
        Key::Num1,
        Key::Num2,
        Key::Period,
        Key::Home,
        Key::PageDown,
    ];
    let modifiers = random.one(&[
        Modifiers::NONE,
        Modifiers::NONE,
        Modifiers::COMMAND,
        Modifiers::SHIFT,
    ]);
    let button = random.one(&[
        PointerButton::Primary,
        PointerButton::Primary,
        PointerButton::Primary,
        PointerButton::Secondary,
        PointerButton::Middle,
    ]);
    let events = &mut rig.harness.input_mut().events;
    match random.below(100) {
        // A click.
        0..35 => {
            *at = pos2(random.share() * size.x, random.share() * size.y);
            events.push(Event::PointerMoved(*at));
            for pressed in [true, false] {
                events.push(Event::PointerButton {
                    pos: *at,
                    button,
                    pressed,
                    modifiers,
                });
            }
        }
        // A part of a drag: the button is pressed, and let go of by another event.
        35..60 => {
            events.push(Event::PointerButton {
                pos: *at,
                button,
                pressed: true,
                modifiers,
            });
            *at += vec2(random.share() - 0.5, random.share() - 0.5) * 300.0;
            events.push(Event::PointerMoved(*at));
        }
        60..70 => events.push(Event::PointerButton {
            pos: *at,
            button,
            pressed: false,
            modifiers,
        }),
        70..84 => {
            let key = random.one(KEYS);
            for pressed in [true, false] {
                events.push(Event::Key {
                    key,
                    physical_key: None,
                    pressed,
                    repeat: false,
                    modifiers,
                });
            }
        }
        84..88 => events.push(Event::Text(
            random
                .one(&["7", "-1e9", "ä", "0.5 m", "fire", "\"", "../"])
                .to_owned(),
        )),
        88..92 => events.push(Event::Zoom(0.8 + 0.4 * random.share())),
        92..94 => {
            *size = vec2(
                300.0 + 1400.0 * random.share(),
                240.0 + 800.0 * random.share(),
            );
            let size = *size;
            rig.harness.set_size(size);
        }
        94..96 => {
            let file = files[random.below(files.len())].clone();
            rig.harness
                .input_mut()
                .dropped_files
                .push(Arc::new(Dropped(file)));
        }
        96..98 => {
            let panel = random.one(PANELS.iter().map(|p| p.id).collect::<Vec<_>>().as_slice());
            let request = match random.below(6) {
                0 => Request::Hide(panel),
                1 => Request::Workspace(random.one(&Workspace::ALL)),
                2 => Request::ResetLayout,
                _ => Request::Show(panel),
            };
            rig.editor().ask(request);
        }
        _ => {
            let action = Action::ALL[random.below(Action::ALL.len())];
            rig.editor().act(action);
        }
    }
}

#[test]
fn ten_thousand_random_events_do_no_harm() {
    let dir = tempfile::tempdir().unwrap();
    let good = dir.path().join("good.ron");
    document::save(&good, &small()).unwrap();
    let broken = dir.path().join("broken.ron");
    std::fs::write(&broken, "(version: 99").unwrap();
    let files = [
        good,
        broken,
        dir.path().join("picture.png"),
        dir.path().join("gone.ron"),
    ];
    let textures = dir.path().join("textures");
    let begin = Instant::now();
    let mut events = 0;
    for seed in SEEDS {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut document = small();
        document.time.end_frame = 2;
        let mut rig = rig_with(document, Answers::default());
        let (mut at, mut size) = (pos2(100.0, 100.0), vec2(1440.0, 900.0));
        for i in 0..EVENTS {
            event(&mut rig, &mut random, &mut at, &mut size, &files);
            events += 1;
            if i % 3 != 2 {
                continue;
            }
            // Whatever is typed there, files go nowhere else.
            rig.editor().bake.folder = textures.display().to_string();
            let before = worked(begin);
            rig.harness.step();
            let took = worked(begin) - before;
            assert!(
                took < Duration::from_secs(1),
                "seed {seed}, event {i}: a frame took {took:?}"
            );
        }
        rig.editor().compare.cancel();
        rig.editor().bake.queue.clear();
        rig.editor().bake.cancel();
        rig.wait("the bake has ended", |r| !r.editor().bake.running());
        assert!(rig.harness.state_mut().layout().is_sound(), "seed {seed}");
        let document = rig.document();
        let path = dir.path().join(format!("after_{seed}.ron"));
        document::save(&path, &document).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let back = document::load(&path).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert_eq!(back.document, *document, "seed {seed}");
    }
    println!("{events} events in {:.1} s", begin.elapsed().as_secs_f32());
}
