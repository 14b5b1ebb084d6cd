//! The bar below the picture: play, pause, step, reset, and where in time one is.

use egui::{ComboBox, Rect, Sense, Ui, pos2, vec2};

use super::Speed;
use crate::edit::Action;
use crate::sim::{Command, State};
use crate::ui::editor::{Editor, Request};
use crate::ui::icons::{self, Icon};
use crate::ui::{theme, widgets};

/// Below this width of the panel the time line has a bar of its own.
pub const ONE_ROW: f32 = 640.0;

/// Draws the bar.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    buttons(editor, ui);
    line(editor, ui);
}

/// What plays, and where in time one is.
pub fn buttons(editor: &mut Editor, ui: &mut Ui) {
    // Numbers keep their places as long as there is room for that.
    let narrow = ui.available_width() < 320.0;
    let playing = editor.playing();
    let stopped = matches!(editor.snapshot.state, State::Fault(..));
    if icons::button(
        ui,
        Icon::Reset,
        "Reset",
        "Start again from the first frame (R)",
    )
    .clicked()
    {
        editor.act(Action::Reset);
    }
    ui.add_enabled_ui(!stopped, |ui| {
        let (icon, name, tip) = if playing {
            (Icon::Pause, "Pause", "Hold the simulation (Space)")
        } else {
            (Icon::Play, "Play", "Run the simulation (Space)")
        };
        if icons::toggle(ui, icon, name, tip, playing).clicked() {
            editor.act(Action::PlayPause);
        }
        if icons::button(ui, Icon::Step, "Step", "Run one frame (.)").clicked() {
            editor.act(Action::Step);
        }
    });
    let looping = editor.panels.viewport.looping;
    let tip = "Begin again when the end of the range is reached (Time panel)";
    if icons::toggle(ui, Icon::Loop, "Loop", tip, looping).clicked() {
        editor.panels.viewport.looping = !looping;
        editor.tell(Command::Loop(!looping));
    }
    let snapshot = editor.snapshot.clone();
    let frame = snapshot.frame.to_string();
    let chars = if narrow { 4 } else { 6 };
    let end = editor.document().time.end_frame;
    let (color, tip) = match snapshot.frame >= end {
        true => (
            theme::warn(),
            format!("Frame. A bake ends before frame {end}: what is seen now is not in it."),
        ),
        false => (theme::bright(), "Frame".to_owned()),
    };
    widgets::fixed(ui, &frame, chars.max(frame.len()), color).on_hover_text(tip);
    if !narrow {
        widgets::fixed(ui, &format!("{:.2} s", snapshot.time), 9, theme::weak())
            .on_hover_text("Simulated time");
    }
    speed(editor, ui);
}

/// A time line that is shorter is left out.
const SHORTEST: f32 = 24.0;

/// The time line, and how fast it goes.
pub fn line(editor: &mut Editor, ui: &mut Ui) {
    let snapshot = editor.snapshot.clone();
    let speeds = 250.0 + theme::GROUP_GAP;
    if ui.available_width() < speeds + 80.0 {
        let width = ui.available_width() - 80.0;
        if width > SHORTEST {
            scrub(editor, ui, width);
        }
        widgets::fixed(
            ui,
            &format!("{:.1} ms", snapshot.frame_ms),
            9,
            theme::weak(),
        )
        .on_hover_text("Time to simulate one frame");
        return;
    }
    let width = ui.available_width() - speeds;
    scrub(editor, ui, width);
    widgets::readout(
        ui,
        "speed",
        &format!("{:.2}×", editor.meter.realtime),
        6,
        "Simulated seconds a second. 1× is real time.",
    );
    ui.add_space(theme::GROUP_GAP);
    widgets::readout(
        ui,
        "frame",
        &format!("{:.1} ms", snapshot.frame_ms),
        9,
        "Time to simulate one frame",
    );
}

/// How fast frames follow each other.
fn speed(editor: &mut Editor, ui: &mut Ui) {
    const CHOICES: [(f32, &str, &str); 5] = [
        (0.1, "0.1×", "A tenth of real time"),
        (0.25, "0.25×", "A quarter of real time"),
        (0.5, "0.5×", "Half of real time"),
        (1.0, "1×", "Real time, or as near as the machine gets"),
        (0.0, "Max", "As fast as the machine goes"),
    ];
    let now = editor.panels.viewport.speed.0;
    let shown = CHOICES.iter().find(|c| c.0 == now).map_or("", |c| c.1);
    let response = ComboBox::from_id_salt("speed")
        .width(58.0)
        .selected_text(shown)
        .show_ui(ui, |ui| {
            for (factor, name, doc) in CHOICES {
                let item = ui.selectable_label(factor == now, name).on_hover_text(doc);
                if item.clicked() {
                    editor.panels.viewport.speed = Speed(factor);
                    editor.tell(Command::Speed(factor));
                }
            }
        })
        .response
        .on_hover_text("How fast frames follow each other. The look does not change.");
    widgets::name(&response, "Playback speed");
}

/// The time line. Dragging it goes to a frame; ticks are states to which one can return at once.
fn scrub(editor: &mut Editor, ui: &mut Ui, width: f32) {
    let (rect, response) = ui.allocate_exact_size(vec2(width, theme::ROW), Sense::click_and_drag());
    let now = editor
        .panels
        .viewport
        .scrub
        .unwrap_or(editor.snapshot.frame);
    let time = &editor.document().time;
    let last = time.end_frame.max(editor.snapshot.frame).max(1);
    response.widget_info(|| egui::WidgetInfo::slider(true, f64::from(now), "Time line"));
    let track = Rect::from_center_size(rect.center(), vec2(rect.width() - 10.0, 4.0));
    let x = |frame: u32| track.left() + track.width() * (frame as f32 / last as f32);

    let painter = ui.painter();
    painter.rect_filled(track, 2.0, theme::sunken());
    let range = Rect::from_min_max(
        pos2(x(time.first_frame.min(last)), track.top()),
        pos2(x(time.end_frame.min(last)), track.bottom()),
    );
    painter.rect_filled(range, 2.0, theme::raised());
    painter.rect_filled(
        track.with_max_x(x(now)),
        2.0,
        theme::accent().gamma_multiply(0.7),
    );
    for frame in editor.snapshot.checkpoints.iter() {
        let at = x(*frame);
        painter.line_segment(
            [
                pos2(at, track.bottom() + 2.0),
                pos2(at, track.bottom() + 5.0),
            ],
            egui::Stroke::new(1.0, theme::weak().gamma_multiply(0.7)),
        );
    }
    let color = if response.hovered() || response.dragged() {
        theme::bright()
    } else {
        theme::text()
    };
    painter.circle_filled(pos2(x(now), track.center().y), 5.0, color);

    if let Some(pointer) = response.interact_pointer_pos() {
        let share = ((pointer.x - track.left()) / track.width()).clamp(0.0, 1.0);
        let frame = (share * last as f32).round() as u32;
        if editor.panels.viewport.scrub != Some(frame) {
            editor.panels.viewport.scrub = Some(frame);
            editor.ask(Request::GoTo(frame));
        }
    } else {
        editor.panels.viewport.scrub = None;
    }
    response.on_hover_text("Drag to go to a frame. Ticks can be returned to at once.");
}
