//! Small pieces that several panels share.

use egui::{Align, Color32, Frame, Label, Layout, Margin, Response, RichText, Ui, vec2};

use super::theme;

/// Explanatory text that wraps.
pub fn note(ui: &mut Ui, text: &str) -> Response {
    ui.add(Label::new(RichText::new(text).small().color(theme::weak())).wrap())
}

/// Text that wraps, in the colour given.
pub fn colored_note(ui: &mut Ui, text: &str, color: Color32) -> Response {
    ui.add(Label::new(RichText::new(text).small().color(color)).wrap())
}

/// Selects these characters of a text field, so that typing replaces them.
pub fn select(field: &Response, characters: std::ops::Range<usize>) {
    let [from, to] = [characters.start, characters.end].map(egui::text::CCursor::new);
    let mut state = egui::TextEdit::load_state(&field.ctx, field.id).unwrap_or_default();
    let range = egui::text::CCursorRange::two(from, to);
    state.cursor.set_char_range(Some(range));
    state.store(&field.ctx, field.id);
}

/// Width of text in the usual size, points.
pub fn text_width(ui: &Ui, text: &str) -> f32 {
    let font = egui::TextStyle::Body.resolve(ui.style());
    let galley = ui.fonts_mut(|f| f.layout_no_wrap(text.to_owned(), font, Color32::WHITE));
    galley.size().x
}

/// The heading of a group within a panel.
pub fn heading(ui: &mut Ui, text: &str) -> Response {
    ui.add_space(2.0);
    ui.add(Label::new(RichText::new(text).color(theme::bright()).strong()).truncate())
}

/// A line that says what could be here.
pub fn empty(ui: &mut Ui, title: &str, hint: &str) {
    ui.add_space(theme::GROUP_GAP);
    ui.vertical_centered(|ui| {
        ui.label(RichText::new(title).color(theme::weak()));
        note(ui, hint);
    });
    ui.add_space(theme::GROUP_GAP);
}

/// A number (or other short text) in a place of fixed width, so that nothing moves when it changes.
pub fn fixed(ui: &mut Ui, text: &str, chars: usize, color: Color32) -> Response {
    let font = egui::TextStyle::Monospace.resolve(ui.style());
    let width = ui.fonts_mut(|f| f.glyph_width(&font, '0')) * chars as f32;
    ui.allocate_ui_with_layout(
        vec2(width, theme::ROW),
        Layout::right_to_left(Align::Center),
        |ui| {
            ui.set_min_width(width);
            ui.add(Label::new(RichText::new(text).monospace().color(color)).truncate())
        },
    )
    .inner
}

/// A labelled value: the label weak, the value in a place of fixed width.
pub fn readout(ui: &mut Ui, label: &str, value: &str, chars: usize, tooltip: &str) {
    ui.label(RichText::new(label).small().color(theme::weak()))
        .on_hover_text(tooltip);
    fixed(ui, value, chars, theme::text()).on_hover_text(tooltip);
}

/// A panel's scrolling body with margins.
pub fn scroll(ui: &mut Ui, id: &'static str, add: impl FnOnce(&mut Ui)) {
    egui::ScrollArea::vertical()
        .id_salt(id)
        .auto_shrink([false, false])
        .show(ui, |ui| {
            Frame::new()
                .inner_margin(Margin::symmetric(theme::MARGIN, theme::MARGIN - 2))
                .show(ui, |ui| {
                    ui.set_width(ui.available_width());
                    add(ui);
                });
        });
}

/// A button that is drawn as the thing to do next.
pub fn primary(ui: &mut Ui, text: &str) -> Response {
    ui.add(
        egui::Button::new(RichText::new(text).color(theme::bright()))
            .fill(theme::accent_fill())
            .min_size(vec2(72.0, theme::ROW)),
    )
}

/// The frame of a question that holds everything else up.
pub fn modal(id: &'static str, ctx: &egui::Context) -> egui::Modal {
    let frame = Frame::popup(&ctx.global_style())
        .fill(theme::bar())
        .inner_margin(Margin::same(16));
    egui::Modal::new(egui::Id::unique(id)).frame(frame)
}

/// Whether Escape was pressed, which leaves a question as it was. A click beside it is none: what it was meant for would then
/// be done by the next one.
pub fn escaped(ctx: &egui::Context) -> bool {
    ctx.input_mut(|i| i.consume_key(egui::Modifiers::NONE, egui::Key::Escape))
}

/// Gives a widget the name by which screen readers and tests find it.
pub fn name(response: &Response, name: &str) {
    response
        .ctx
        .accesskit_node_builder(response.id, |node| node.set_label(name.to_owned()));
}

/// A search box with a cross to empty it.
pub fn search(ui: &mut Ui, text: &mut String, hint: &str, width: f32) -> Response {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let cross = theme::ROW - 4.0;
        let response = ui.add_sized(
            [width - cross - 2.0, theme::ROW],
            egui::TextEdit::singleline(text)
                .hint_text(hint)
                .align(egui::Align2::LEFT_CENTER),
        );
        name(&response, hint);
        ui.add_enabled_ui(!text.is_empty(), |ui| {
            if super::icons::small(
                ui,
                super::icons::Icon::Close,
                "Clear search",
                "Clear the search",
            )
            .clicked()
            {
                text.clear();
            }
        });
        response
    })
    .inner
}
