//! Short messages that come and go at the bottom.

use egui::{Align2, Area, Color32, Frame, Id, Margin, Order, RichText, Ui, vec2};

use super::{icons, icons::Icon, theme};

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Something was done.
    Done,
    /// Something went wrong.
    Error,
}

/// One message.
#[derive(Clone, Debug)]
pub struct Toast {
    /// How much it matters.
    pub kind: Kind,
    /// One line.
    pub text: String,
    /// More lines, shown on request.
    pub details: String,
    until: Option<f64>,
}

/// The messages that are shown.
#[derive(Default)]
pub struct Toasts {
    list: Vec<Toast>,
}

/// For how long good news stays, s.
const STAY: f64 = 4.0;
/// Most messages at once; older ones give way.
const MOST: usize = 4;

impl Toasts {
    /// Says that something was done.
    pub fn done(&mut self, text: impl Into<String>) {
        self.push(Kind::Done, text.into(), String::new());
    }
    /// Says that something went wrong; it stays until it is closed.
    pub fn error(&mut self, text: impl Into<String>, details: impl Into<String>) {
        self.push(Kind::Error, text.into(), details.into());
    }
    /// What is shown now.
    pub fn shown(&self) -> &[Toast] {
        &self.list
    }

    fn push(&mut self, kind: Kind, text: String, details: String) {
        match kind {
            Kind::Done => log::info!("{text}"),
            Kind::Error => log::warn!("{text}: {details}"),
        }
        self.list
            .retain(|t| (t.kind, &t.text) != (kind, &text) || t.details != details);
        if self.list.len() >= MOST {
            self.list.remove(0);
        }
        self.list.push(Toast {
            kind,
            text,
            details,
            until: None,
        });
    }

    /// Draws them and drops those whose time is over.
    pub fn show(&mut self, ctx: &egui::Context) {
        if self.list.is_empty() {
            return;
        }
        let now = ctx.input(|i| i.time);
        let mut closed = None;
        Area::new(Id::unique("toasts"))
            // Over what is only looked at: on either side buttons would be covered.
            .anchor(Align2::CENTER_BOTTOM, vec2(0.0, -44.0))
            .order(Order::Foreground)
            .show(ctx, |ui| {
                for (i, toast) in self.list.iter().enumerate() {
                    if show_one(ui, i, toast) {
                        closed = Some(i);
                    }
                    ui.add_space(theme::GAP);
                }
            });
        if let Some(i) = closed {
            self.list.remove(i);
        }
        for toast in self.list.iter_mut().filter(|t| t.kind == Kind::Done) {
            toast.until.get_or_insert(now + STAY);
        }
        self.list
            .retain(|t| t.until.is_none_or(|until| now < until));
        if let Some(next) = self.list.iter().filter_map(|t| t.until).reduce(f64::min) {
            ctx.request_repaint_after(std::time::Duration::from_secs_f64((next - now).max(0.02)));
        }
    }
}

fn show_one(ui: &mut Ui, i: usize, toast: &Toast) -> bool {
    let edge: Color32 = match toast.kind {
        Kind::Done => theme::good(),
        Kind::Error => theme::error(),
    };
    let mut closed = false;
    Frame::new()
        .fill(theme::bar())
        .stroke(egui::Stroke::new(1.0, edge.gamma_multiply(0.6)))
        .corner_radius(theme::CORNER)
        .inner_margin(Margin::symmetric(12, 8))
        .show(ui, |ui| {
            ui.set_width(380.0);
            ui.horizontal_top(|ui| {
                let width = ui.available_width() - theme::ROW;
                ui.allocate_ui(vec2(width, 0.0), |ui| {
                    ui.add(
                        egui::Label::new(RichText::new(&toast.text).color(theme::bright())).wrap(),
                    );
                });
                ui.with_layout(egui::Layout::right_to_left(egui::Align::TOP), |ui| {
                    closed = icons::small(ui, Icon::Close, "Close message", "Close").clicked();
                });
            });
            if !toast.details.is_empty() {
                ui.add(
                    egui::Label::new(
                        RichText::new(&toast.details)
                            .text_style(egui::TextStyle::Monospace)
                            .color(theme::weak()),
                    )
                    .wrap()
                    .selectable(true),
                );
                if ui
                    .push_id(i, |ui| ui.small_button("Copy details"))
                    .inner
                    .clicked()
                {
                    ui.ctx()
                        .copy_text(format!("{}\n{}", toast.text, toast.details));
                }
            }
        });
    closed
}
