//! Values under the pointer: the nearest sample of every line, and the same frame in all plots.

use egui::{
    Align2, Color32, Context, Pos2, Rect, Response, RichText, Sense, Stroke, Tooltip, Ui, vec2,
};
use egui_plot::{PlotPoint, PlotTransform};

use crate::ui::theme;

/// The frame at which the pointer is in any plot along frames.
#[derive(Default)]
pub struct Cursor {
    pointed: Option<Pointed>,
}

#[derive(Clone, Copy)]
struct Pointed {
    frame: f64,
    /// The plot in which the pointer is.
    plot: Rect,
    /// Number of the picture of the window in which that was so.
    seen: u64,
}

impl Cursor {
    /// The frame that is pointed at, in this plot or in another one.
    pub fn frame(&self, ctx: &Context) -> Option<f64> {
        let pointed = self.pointed?;
        let pos = ctx.input(|i| i.pointer.latest_pos())?;
        let recent = ctx.cumulative_frame_nr().saturating_sub(pointed.seen) <= 1;
        (recent && pointed.plot.contains(pos)).then_some(pointed.frame)
    }

    /// The pointer is at that frame of a plot.
    pub fn point(&mut self, ctx: &Context, plot: Rect, frame: f64) {
        // Those that were drawn before follow.
        if self.frame(ctx) != Some(frame) {
            ctx.request_repaint();
        }
        let seen = ctx.cumulative_frame_nr();
        self.pointed = Some(Pointed { frame, plot, seen });
    }
}

/// A value at the cursor.
pub struct Reading {
    /// Of what.
    pub name: String,
    /// That of its line.
    pub color: Color32,
    /// Whether its line is dashed.
    pub dashed: bool,
    /// The value with its unit.
    pub value: String,
    /// Where it is drawn, in the plot's own coordinates; none where it has no point of its own.
    pub at: Option<[f64; 2]>,
}

/// The x under the pointer, if it is over the plot.
pub fn under(response: &Response, transform: &PlotTransform) -> Option<f64> {
    let pos = response.hover_pos()?;
    let inside = transform.frame().contains(pos);
    inside.then(|| transform.value_from_position(pos).x)
}

/// Marks a place in a plot: a line across it, and a dot at every reading.
pub fn mark(ui: &Ui, transform: &PlotTransform, x: f64, readings: &[Reading]) {
    let frame = *transform.frame();
    let painter = ui.painter().with_clip_rect(frame);
    let across = transform.position_from_point_x(x);
    painter.vline(across, frame.y_range(), Stroke::new(1.0, theme::weak()));
    for reading in readings {
        let Some([x, y]) = reading.at else { continue };
        let at = transform.position_from_point(&PlotPoint::new(x, y));
        if reading.dashed {
            painter.circle_stroke(at, 3.0, Stroke::new(1.2, reading.color));
        } else {
            painter.circle_filled(at, 3.0, reading.color);
        }
    }
}

/// The readings beside the pointer.
pub fn tooltip(ui: &Ui, response: &Response, place: &str, readings: &[Reading]) {
    let ctx = ui.ctx().clone();
    let tip = Tooltip::always_open(
        ctx,
        response.layer_id,
        response.id.with("readings"),
        egui::PopupAnchor::Pointer,
    );
    tip.gap(14.0).show(|ui| {
        ui.label(RichText::new(place).strong().color(theme::bright()));
        // As wide as what stands in it now: a grid remembers its columns, of another plot.
        let [small, mono] = [egui::TextStyle::Small, egui::TextStyle::Monospace];
        let wide = |text: &str, style: &egui::TextStyle| {
            let (text, font) = (text.to_owned(), style.resolve(ui.style()));
            let galley = ui.fonts_mut(|f| f.layout_no_wrap(text, font, theme::text()));
            galley.size().x
        };
        let names = readings.iter().map(|r| wide(&r.name, &small));
        let values = readings.iter().map(|r| wide(&r.value, &mono));
        let [name, value] = [names.fold(0.0, f32::max), values.fold(0.0, f32::max)];
        for reading in readings {
            let size = vec2(PIECE + 8.0 + name + 16.0 + value, 16.0);
            let (row, response) = ui.allocate_exact_size(size, Sense::hover());
            let text = format!("{} {}", reading.name, reading.value);
            response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &text));
            piece(ui, row.left_center(), reading.color, reading.dashed);
            let at = row.left_center() + vec2(PIECE + 8.0, 0.0);
            let font = small.resolve(ui.style());
            let painter = ui.painter();
            painter.text(at, Align2::LEFT_CENTER, &reading.name, font, theme::text());
            let font = mono.resolve(ui.style());
            let end = row.right_center();
            painter.text(
                end,
                Align2::RIGHT_CENTER,
                &reading.value,
                font,
                theme::bright(),
            );
        }
    });
}

/// Length of a piece of a line in a legend.
const PIECE: f32 = 16.0;

/// A piece of a line as it is drawn in a plot.
fn piece(ui: &Ui, at: Pos2, color: Color32, dashed: bool) {
    let stroke = Stroke::new(1.8, color);
    let part = |from: f32, to: f32| {
        let ends = [at + vec2(from, 0.0), at + vec2(to, 0.0)];
        ui.painter().line_segment(ends, stroke);
    };
    if dashed {
        part(0.0, 4.0);
        part(6.0, 10.0);
        part(12.0, PIECE);
    } else {
        part(0.0, PIECE);
    }
}

/// A line's name beside a piece of it, which stay together where a legend wraps.
pub fn named(ui: &mut Ui, color: Color32, dashed: bool, name: &str) {
    let font = egui::TextStyle::Small.resolve(ui.style());
    let text = theme::text();
    let galley = ui.fonts_mut(|f| f.layout_no_wrap(name.to_owned(), font, text));
    let size = galley.size() + vec2(PIECE + 4.0, 2.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, name));
    if ui.is_rect_visible(rect) {
        piece(ui, rect.left_center(), color, dashed);
        let at = rect.min + vec2(PIECE + 4.0, 1.0);
        ui.painter().galley(at, galley, text);
    }
}
