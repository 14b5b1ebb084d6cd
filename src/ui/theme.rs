//! Design tokens: every colour, distance and font size of the interface stands here and nowhere else.

use std::cell::Cell;

use egui::{
    Color32, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, Style, TextStyle, Theme,
    ThemePreference, Vec2, style::HandleShape, style::ScrollStyle, style::WidgetVisuals,
};

/// The colours of a theme.
struct Palette {
    deep: Color32,
    panel: Color32,
    bar: Color32,
    raised: Color32,
    hovered: Color32,
    sunken: Color32,
    line: Color32,
    text: Color32,
    bright: Color32,
    weak: Color32,
    tab: Color32,
    accent: Color32,
    accent_fill: Color32,
    warn: Color32,
    error: Color32,
    good: Color32,
    series: [Color32; 4],
    parts: [Color32; 7],
    plate: Color32,
}

static DARK: Palette = Palette {
    deep: Color32::from_rgb(0x0e, 0x10, 0x13),
    panel: Color32::from_rgb(0x17, 0x1a, 0x1f),
    bar: Color32::from_rgb(0x1c, 0x20, 0x26),
    raised: Color32::from_rgb(0x27, 0x2c, 0x34),
    hovered: Color32::from_rgb(0x33, 0x3a, 0x44),
    sunken: Color32::from_rgb(0x10, 0x12, 0x16),
    line: Color32::from_rgb(0x2b, 0x31, 0x39),
    text: Color32::from_rgb(0xd3, 0xd8, 0xdf),
    bright: Color32::from_rgb(0xf2, 0xf5, 0xf8),
    weak: Color32::from_rgb(0x8d, 0x97, 0xa3),
    tab: Color32::from_rgb(0x9a, 0xa4, 0xb0),
    accent: Color32::from_rgb(0x4f, 0xb8, 0xc9),
    accent_fill: Color32::from_rgb(0x1f, 0x4f, 0x5c),
    warn: Color32::from_rgb(0xe3, 0xb0, 0x5a),
    error: Color32::from_rgb(0xe8, 0x6f, 0x68),
    good: Color32::from_rgb(0x86, 0xc5, 0x7f),
    series: [
        Color32::from_rgb(0x4f, 0xb8, 0xc9),
        Color32::from_rgb(0xe3, 0xb0, 0x5a),
        Color32::from_rgb(0xb8, 0x8f, 0xe0),
        Color32::from_rgb(0x86, 0xc5, 0x7f),
    ],
    parts: [
        Color32::from_rgb(0x3f, 0x9d, 0xad),
        Color32::from_rgb(0xcc, 0x9a, 0x48),
        Color32::from_rgb(0x9d, 0x78, 0xc6),
        Color32::from_rgb(0x6d, 0xa8, 0x66),
        Color32::from_rgb(0xc9, 0x70, 0x5f),
        Color32::from_rgb(0x5d, 0x86, 0xcc),
        Color32::from_rgb(0x5c, 0x66, 0x72),
    ],
    plate: Color32::from_black_alpha(150),
};

static LIGHT: Palette = Palette {
    deep: Color32::from_rgb(0xb9, 0xc0, 0xc8),
    panel: Color32::from_rgb(0xe9, 0xec, 0xef),
    bar: Color32::from_rgb(0xde, 0xe2, 0xe7),
    raised: Color32::from_rgb(0xcd, 0xd4, 0xdb),
    hovered: Color32::from_rgb(0xbd, 0xc6, 0xcf),
    sunken: Color32::from_rgb(0xf8, 0xf9, 0xfb),
    line: Color32::from_rgb(0xc3, 0xca, 0xd2),
    text: Color32::from_rgb(0x24, 0x2b, 0x33),
    bright: Color32::from_rgb(0x05, 0x0a, 0x10),
    weak: Color32::from_rgb(0x4d, 0x57, 0x62),
    tab: Color32::from_rgb(0x36, 0x3f, 0x49),
    accent: Color32::from_rgb(0x0d, 0x7a, 0x8f),
    accent_fill: Color32::from_rgb(0xa9, 0xdb, 0xe4),
    warn: Color32::from_rgb(0x8a, 0x5a, 0x00),
    error: Color32::from_rgb(0xb2, 0x2b, 0x25),
    good: Color32::from_rgb(0x29, 0x6e, 0x2d),
    series: [
        Color32::from_rgb(0x0d, 0x7a, 0x8f),
        Color32::from_rgb(0xa8, 0x6a, 0x00),
        Color32::from_rgb(0x6b, 0x3f, 0xa8),
        Color32::from_rgb(0x2c, 0x73, 0x30),
    ],
    parts: [
        Color32::from_rgb(0x3a, 0xa3, 0xb6),
        Color32::from_rgb(0xd3, 0x9a, 0x36),
        Color32::from_rgb(0x98, 0x74, 0xc8),
        Color32::from_rgb(0x62, 0xa8, 0x63),
        Color32::from_rgb(0xd0, 0x72, 0x60),
        Color32::from_rgb(0x5c, 0x88, 0xd4),
        Color32::from_rgb(0x9a, 0xa4, 0xae),
    ],
    plate: Color32::from_rgba_premultiplied(0xd3, 0xd4, 0xd6, 0xd6),
};

thread_local! {
    /// That of the window that is being drawn. Several windows, of tests, have threads of their own.
    static NOW: Cell<&'static Palette> = const { Cell::new(&DARK) };
}

fn now() -> &'static Palette {
    NOW.get()
}

/// Takes over the theme that was chosen for a window, before anything of it is drawn.
pub fn enter(ctx: &egui::Context) {
    NOW.set(match ctx.theme() {
        Theme::Dark => &DARK,
        Theme::Light => &LIGHT,
    });
}

/// Lines over the picture, which is as bright or dark in either theme.
pub fn on_picture() -> Color32 {
    DARK.bright
}

/// Of them those of what is chosen.
pub fn accent_on_picture() -> Color32 {
    DARK.accent
}

/// Behind everything: gaps between panes, the field of the viewport's frame.
pub fn deep() -> Color32 {
    now().deep
}
/// Fill of a panel.
pub fn panel() -> Color32 {
    now().panel
}
/// Fill of bars and headers.
pub fn bar() -> Color32 {
    now().bar
}
/// Fill of what can be clicked.
pub fn raised() -> Color32 {
    now().raised
}
/// The same under the pointer.
pub fn hovered() -> Color32 {
    now().hovered
}
/// Fill of places to type or drag in.
pub fn sunken() -> Color32 {
    now().sunken
}
/// Lines between things.
pub fn line() -> Color32 {
    now().line
}
/// Text.
pub fn text() -> Color32 {
    now().text
}
/// Text of headings and of what is chosen.
pub fn bright() -> Color32 {
    now().bright
}
/// Explanations and units.
pub fn weak() -> Color32 {
    now().weak
}
/// Text of tabs that are not in front.
pub fn tab() -> Color32 {
    now().tab
}
/// What is chosen, changed or running.
pub fn accent() -> Color32 {
    now().accent
}
/// The same as a fill under text.
pub fn accent_fill() -> Color32 {
    now().accent_fill
}
/// What deserves a look.
pub fn warn() -> Color32 {
    now().warn
}
/// What went wrong.
pub fn error() -> Color32 {
    now().error
}
/// What went well.
pub fn good() -> Color32 {
    now().good
}
/// Behind what is written over a picture.
pub fn plate() -> Color32 {
    now().plate
}
/// Colours of series in plots, in order of use.
pub fn series() -> [Color32; 4] {
    now().series
}

/// Colours of parts that are stacked, in order of use; the last is that of all others.
pub fn parts() -> [Color32; 7] {
    now().parts
}

/// Space between related things.
pub const GAP: f32 = 6.0;
/// Space between groups of things.
pub const GROUP_GAP: f32 = 14.0;
/// Margin inside a panel.
pub const MARGIN: i8 = 10;
/// Height of a row with something to operate.
pub const ROW: f32 = 24.0;
/// Height of the bars above and below a picture.
pub const BAR_HEIGHT: f32 = 34.0;
/// Width of the labels of parameters, as a share of the panel.
pub const LABEL_SHARE: f32 = 0.40;
/// Width of a number.
pub const NUMBER: f32 = 78.0;
/// Side of a thumbnail in the gallery at least.
pub const THUMBNAIL: f32 = 108.0;
/// Radius of corners.
pub const CORNER: u8 = 4;

/// Size of running text.
pub const FONT: f32 = 13.0;
/// Size of explanations.
pub const FONT_SMALL: f32 = 11.5;
/// Size of headings.
pub const FONT_HEADING: f32 = 15.0;
/// Size of numbers.
pub const FONT_NUMBER: f32 = 12.0;

/// Gives a context the look of Eddy.
pub fn apply(ctx: &egui::Context, chosen: ThemePreference) {
    ctx.set_theme(chosen);
    for (theme, colors) in [(Theme::Dark, &DARK), (Theme::Light, &LIGHT)] {
        ctx.set_style_of(theme, style(theme, colors));
    }
}

fn style(theme: Theme, colors: &Palette) -> Style {
    let mut style = Style {
        text_styles: [
            (TextStyle::Small, FontId::proportional(FONT_SMALL)),
            (TextStyle::Body, FontId::proportional(FONT)),
            (TextStyle::Button, FontId::proportional(FONT)),
            (TextStyle::Heading, FontId::proportional(FONT_HEADING)),
            (
                TextStyle::Monospace,
                FontId::new(FONT_NUMBER, FontFamily::Monospace),
            ),
        ]
        .into(),
        drag_value_text_style: TextStyle::Monospace,
        animation_time: 0.08,
        ..theme.default_style()
    };
    spacing(&mut style);
    visuals(&mut style.visuals, colors);
    style
}

fn spacing(style: &mut Style) {
    let s = &mut style.spacing;
    s.item_spacing = Vec2::new(GAP, GAP);
    s.button_padding = Vec2::new(8.0, 3.0);
    s.interact_size = Vec2::new(ROW, ROW - 2.0);
    s.menu_margin = Margin::same(6);
    s.window_margin = Margin::same(MARGIN);
    s.indent = 12.0;
    s.slider_rail_height = 4.0;
    s.icon_width = 15.0;
    s.icon_width_inner = 9.0;
    s.combo_width = 60.0;
    s.tooltip_width = 320.0;
    s.scroll = ScrollStyle {
        bar_width: 7.0,
        ..ScrollStyle::solid()
    };
    style.interaction.tooltip_delay = 0.35;
    style.interaction.selectable_labels = false;
}

fn visuals(v: &mut egui::Visuals, colors: &Palette) {
    v.panel_fill = colors.panel;
    v.window_fill = colors.bar;
    v.window_stroke = Stroke::new(1.0, colors.line);
    v.window_corner_radius = CornerRadius::same(CORNER + 2);
    v.menu_corner_radius = CornerRadius::same(CORNER + 1);
    v.popup_shadow = Shadow {
        offset: [0, 6],
        blur: 16,
        spread: 0,
        color: Color32::from_black_alpha(120),
    };
    v.window_shadow = v.popup_shadow;
    v.extreme_bg_color = colors.sunken;
    v.faint_bg_color = colors.bar;
    v.code_bg_color = colors.sunken;
    v.hyperlink_color = colors.accent;
    v.warn_fg_color = colors.warn;
    v.error_fg_color = colors.error;
    v.weak_text_color = Some(colors.weak);
    v.selection.bg_fill = colors.accent_fill;
    v.selection.stroke = Stroke::new(1.0, colors.bright);
    v.slider_trailing_fill = true;
    v.handle_shape = HandleShape::Circle;
    v.indent_has_left_vline = false;
    v.disabled_alpha = 0.45;
    let widget = |fill, edge, text| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: Stroke::new(1.0, edge),
        corner_radius: CornerRadius::same(CORNER),
        fg_stroke: Stroke::new(1.0, text),
        expansion: 0.0,
    };
    let w = &mut v.widgets;
    w.noninteractive = widget(colors.panel, colors.line, colors.text);
    w.inactive = widget(colors.raised, colors.raised, colors.text);
    w.hovered = widget(colors.hovered, colors.hovered, colors.bright);
    w.active = widget(colors.hovered, colors.accent, colors.bright);
    w.open = widget(colors.hovered, colors.hovered, colors.bright);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contrast of two colours after WCAG 2.1: 1 to 21; text is readable from 4.5 on.
    fn contrast(a: Color32, b: Color32) -> f32 {
        let luminance = |c: Color32| {
            let [r, g, b, _] = egui::Rgba::from(c).to_array();
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn all_text_can_be_read_in_both_themes() {
        for (theme, p) in [("dark", &DARK), ("light", &LIGHT)] {
            let texts = [
                ("text", p.text),
                ("bright", p.bright),
                ("weak", p.weak),
                ("warn", p.warn),
                ("error", p.error),
                ("good", p.good),
            ];
            for (name, color) in texts {
                for (on, ground) in [("panel", p.panel), ("bar", p.bar)] {
                    let c = contrast(color, ground);
                    assert!(c >= 4.5, "{theme}: {name} on {on} has a contrast of {c:.2}");
                }
            }
            for (name, color, ground) in [
                ("a tab behind", p.tab, p.deep),
                ("a tab in front", p.bright, p.panel),
                ("a button", p.text, p.raised),
                ("a button under the pointer", p.bright, p.hovered),
                ("what is chosen", p.bright, p.accent_fill),
                ("what is typed", p.text, p.sunken),
            ] {
                let c = contrast(color, ground);
                assert!(c >= 4.5, "{theme}: {name} has a contrast of {c:.2}");
            }
        }
    }
}
