//! The picture of the simulation: looked at, stirred, probed and played.

mod brush;
mod canvas;
mod flow;
mod handles;
mod legend;
mod memory;
mod overlay;
mod toolbar;
mod transport;

use std::sync::Arc;

use egui::{CursorIcon, Key, PointerButton, Rect, Response, Sense, Ui, pos2, vec2};

use crate::document::Document;
use crate::edit::Edit;
use crate::field::{FieldData, FieldDesc};
use crate::params::Value;
use crate::sim::State;
use crate::ui::editor::{Editor, Request};
use crate::ui::theme;
use crate::view::Camera;

pub use brush::{Brush, Mode};
pub use canvas::Canvas;
pub use flow::Overlays;
pub use handles::{Grab, Handles, Tool, begin_path, delete_point};

/// What the viewport remembers.
#[derive(Default)]
pub struct ViewportState {
    /// Paints fields.
    pub canvas: Canvas,
    /// None while the whole domain is shown, whatever the size of the panel.
    camera: Option<Camera>,
    /// What was seen last.
    seen: Option<Seen>,
    /// A drag with the space bar has moved the picture, so that letting go of the bar is not "play".
    pub panned_by_space: bool,
    /// Where the scrub bar is held.
    pub(super) scrub: Option<u32>,
    /// The frame to which the simulation is on its way.
    going_to: Option<u32>,
    /// Frames played a frame of real time; 0 is as fast as it goes.
    pub(super) speed: Speed,
    /// Whether playing begins again at the end of the range.
    pub(super) looping: bool,
    /// What is drawn over the picture.
    pub overlays: Overlays,
    drawn: flow::Drawn,
    /// What is held by its handles.
    pub handles: Handles,
    /// Fields that the simulation was asked for besides the one that is seen.
    watching: Vec<String>,
    legend: legend::Known,
    /// The frame that is shown while it stands still, and the document with which it was made.
    pictured: Option<(u32, Arc<Document>)>,
    /// Where the history stood when the simulation stopped by a fault, while it stands still.
    stopped_at: Option<usize>,
    /// Whether a picture has been shown yet.
    pub shown: bool,
}

/// How fast frames follow each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Speed(pub f32);

impl Default for Speed {
    fn default() -> Self {
        Self(1.0)
    }
}

/// Where the picture is, for hit tests and for those who drive the editor from outside.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// The panel's part with the picture.
    pub rect: Rect,
    /// The camera.
    pub camera: Camera,
}

impl ViewportState {
    /// Shows the whole domain.
    pub fn fit(&mut self) {
        self.camera = None;
    }
    /// The frame to which the simulation is on its way, if it is.
    pub fn going_to(&self) -> Option<u32> {
        self.going_to
    }
    /// The simulation is sent to a frame, or not any more.
    pub fn go_to(&mut self, frame: Option<u32>) {
        self.going_to = frame;
    }
    /// Where the picture was drawn last.
    pub fn seen(&self) -> Option<Seen> {
        self.seen
    }
}

/// Fields that the document's method can show.
pub fn fields(document: &Document) -> &'static [FieldDesc] {
    document.method.info().fields
}

/// Shows the next field, or the one before.
pub fn next_field(editor: &mut Editor, step: i64) {
    let all = fields(editor.document());
    if all.is_empty() {
        return;
    }
    let now = &editor.document().view.field;
    let i = all.iter().position(|f| f.name == now).unwrap_or(0) as i64;
    let next = &all[(i + step).rem_euclid(all.len() as i64) as usize];
    show_field(editor, next);
}

fn show_field(editor: &mut Editor, field: &FieldDesc) {
    let value = Value::Text(field.name.to_owned());
    editor.ask(Request::Edit(
        format!("Show {}", field.label.to_lowercase()),
        vec![Edit::Set("view.field".to_owned(), value)],
    ));
}

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    let whole = ui.max_rect();
    let bar = theme::BAR_HEIGHT;
    let row = |y: f32| Rect::from_min_size(pos2(whole.left(), y), vec2(whole.width(), bar));
    let (mut top, mut bottom) = (row(whole.top()), row(whole.bottom() - bar));
    // Where a bar would be cut it becomes two.
    if whole.width() >= toolbar::ONE_ROW {
        strip(ui, top, "viewport tools", |ui| toolbar::ui(editor, ui));
    } else {
        strip(ui, top, "viewport tools", |ui| toolbar::shown(editor, ui));
        top.max.y += bar;
        let second = row(whole.top() + bar);
        strip(ui, second, "brush tools", |ui| {
            let width = ui.available_width();
            toolbar::hand(editor, ui, width);
        });
    }
    flow::watch(editor, ui.ctx());
    if whole.width() >= transport::ONE_ROW {
        strip(ui, bottom, "transport", |ui| transport::ui(editor, ui));
    } else {
        strip(ui, bottom, "time line", |ui| transport::line(editor, ui));
        bottom.min.y -= bar;
        let above = row(whole.bottom() - 2.0 * bar);
        strip(ui, above, "transport", |ui| transport::buttons(editor, ui));
    }
    let picture = Rect::from_min_max(top.left_bottom(), bottom.right_top());
    if picture.width() > 8.0 && picture.height() > 8.0 {
        show_picture(editor, ui, picture);
    }
}

fn strip(ui: &mut Ui, rect: Rect, salt: &str, add: impl FnOnce(&mut Ui)) {
    ui.painter().rect_filled(rect, 0.0, theme::bar());
    let mut inner = ui.new_child(
        egui::UiBuilder::new()
            .id_salt(salt)
            .max_rect(rect.shrink2(vec2(f32::from(theme::MARGIN), 0.0)))
            .layout(egui::Layout::left_to_right(egui::Align::Center)),
    );
    inner.set_clip_rect(rect.intersect(ui.clip_rect()));
    inner.spacing_mut().item_spacing.x = theme::GAP;
    add(&mut inner);
}

/// The field that is shown, and the coverage of obstacles on the same grid.
fn shown(editor: &Editor) -> Option<(Arc<FieldData>, Option<Arc<FieldData>>)> {
    let snapshot = &editor.snapshot;
    let field = snapshot
        .field(&editor.document().view.field)
        .or_else(|| snapshot.fields.first())?;
    let obstacle = snapshot
        .field("obstacle")
        .filter(|o| o.grid == field.grid)
        .cloned();
    Some((Arc::clone(field), obstacle))
}

fn show_picture(editor: &mut Editor, ui: &mut Ui, rect: Rect) {
    ui.painter().rect_filled(rect, 0.0, theme::deep());
    let response = ui.interact(rect, ui.scope_id().with("picture"), Sense::click_and_drag());
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Canvas, true, "Picture of the simulation")
    });
    let Some((field, obstacle)) = shown(editor) else {
        overlay::waiting(editor, ui, rect);
        return;
    };
    let mut camera = editor
        .panels
        .viewport
        .camera
        .unwrap_or_else(|| Camera::fit(rect.shrink(12.0), &field.grid));
    navigate(editor, ui, &response, &mut camera, rect);
    editor.panels.viewport.seen = Some(Seen { rect, camera });

    let settings = editor.document().view.clone();
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    let serial = editor.snapshot.serial;
    let state = &mut editor.panels.viewport;
    state.shown |= state.canvas.paint(
        &painter,
        rect,
        &camera,
        serial,
        &field,
        obstacle.as_ref(),
        &settings,
    );

    flow::paint(editor, &painter, rect, &camera, &field);
    overlay::frame(&painter, rect, &camera, &field);
    // A simulation that has stopped cannot be stirred, and what is asked then lies over the picture.
    if !matches!(editor.snapshot.state, State::Fault(..)) {
        editor.panels.viewport.stopped_at = None;
        let taken = handles::ui(editor, ui, &response, rect, &camera);
        brush::ui(editor, ui, &response, rect, &camera, &field, !taken);
    }
    legend::ui(editor, ui, &response, rect, &camera, &field);
    overlay::scale_bar(&painter, rect, &camera);
    overlay::probe(ui, &painter, &response, rect, &camera, &field);
    if let State::Fault(fault, change) = &editor.snapshot.state {
        let (fault, change) = (fault.to_string(), change.clone());
        overlay::fault(editor, ui, rect, &fault, change.as_deref());
    } else {
        overlay::progress(editor, ui, &painter, rect);
        overlay::behind(editor, &painter, rect);
    }
}

/// Zoom at the pointer, pan with the middle button or with the space bar held.
fn navigate(editor: &mut Editor, ui: &Ui, response: &Response, camera: &mut Camera, rect: Rect) {
    let state = &mut editor.panels.viewport;
    let (space, scroll, pinch) = ui.input(|i| {
        (
            i.key_down(Key::Space),
            i.smooth_scroll_delta.y,
            i.zoom_delta(),
        )
    });
    let mut moved = false;
    if let Some(pointer) = response.hover_pos().filter(|p| rect.contains(*p)) {
        let factor = (scroll * 0.004).exp() * pinch;
        if (factor - 1.0).abs() > 1e-4 {
            camera.zoom_at(rect, pointer, factor);
            moved = true;
        }
    }
    let by_space = space && response.dragged_by(PointerButton::Primary);
    if by_space || response.dragged_by(PointerButton::Middle) {
        camera.pan(response.drag_delta());
        moved |= response.drag_delta() != egui::Vec2::ZERO;
        state.panned_by_space |= by_space;
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    } else if space && response.hovered() {
        ui.ctx().set_cursor_icon(CursorIcon::Grab);
    }
    if moved {
        state.camera = Some(*camera);
    }
}
