//! What the window looks like, drawn by whatever adapter there is.

use eddy::ui::dock::Workspace;
use eddy::ui::editor::Request;

use crate::ui::support::rig;

/// The same state gives the same picture, to the byte, in both themes. The pictures are not kept: how an adapter
/// smooths the edges of glyphs differs from driver to driver, and a tolerance that lets that pass hides what matters.
#[test]
fn the_same_state_gives_the_same_picture() {
    for theme in [egui::Theme::Dark, egui::Theme::Light] {
        for workspace in Workspace::ALL {
            let picture = || {
                let mut rig = rig();
                rig.harness.ctx.set_theme(theme);
                rig.editor().ask(Request::Workspace(workspace));
                // Hands are still, pictures of presets have arrived, and nothing is under way.
                for _ in 0..20 {
                    std::thread::sleep(std::time::Duration::from_millis(10));
                    rig.steps();
                }
                rig.harness.render()
            };
            let (Ok(first), Ok(second)) = (picture(), picture()) else {
                println!("skipped: no adapter can draw here");
                return;
            };
            assert_eq!(first.dimensions(), (1440, 900));
            // The line at the bottom says how fast this machine draws.
            let drawn = 1440 * 870;
            let different = first
                .pixels()
                .zip(second.pixels())
                .take(drawn)
                .filter(|(a, b)| a != b)
                .count();
            assert_eq!(different, 0, "{theme:?}, {workspace:?}: pixels differ");
            let pixel = first.get_pixel(5, 5);
            let bright = pixel.0[..3].iter().map(|c| u32::from(*c)).sum::<u32>() > 380;
            assert_eq!(bright, theme == egui::Theme::Light);
        }
    }
}
