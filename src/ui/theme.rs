//! Design tokens: every colour, distance and font size of the interface stands here and nowhere else.

use egui::{
    Color32, CornerRadius, FontFamily, FontId, Margin, Shadow, Stroke, Style, TextStyle, Theme,
    Vec2, style::HandleShape, style::ScrollStyle, style::WidgetVisuals,
};

/// Behind everything: gaps between panes, the field of the viewport's frame.
pub const DEEP: Color32 = Color32::from_rgb(0x0e, 0x10, 0x13);
/// Fill of a panel.
pub const PANEL: Color32 = Color32::from_rgb(0x17, 0x1a, 0x1f);
/// Fill of bars and headers.
pub const BAR: Color32 = Color32::from_rgb(0x1c, 0x20, 0x26);
/// Fill of what can be clicked.
pub const RAISED: Color32 = Color32::from_rgb(0x27, 0x2c, 0x34);
/// The same under the pointer.
pub const HOVERED: Color32 = Color32::from_rgb(0x33, 0x3a, 0x44);
/// Fill of places to type or drag in.
pub const SUNKEN: Color32 = Color32::from_rgb(0x10, 0x12, 0x16);
/// Lines between things.
pub const LINE: Color32 = Color32::from_rgb(0x2b, 0x31, 0x39);
/// Text.
pub const TEXT: Color32 = Color32::from_rgb(0xd3, 0xd8, 0xdf);
/// Text of headings and of what is chosen.
pub const BRIGHT: Color32 = Color32::from_rgb(0xf2, 0xf5, 0xf8);
/// Explanations and units.
pub const WEAK: Color32 = Color32::from_rgb(0x8d, 0x97, 0xa3);
/// What is chosen, changed or running.
pub const ACCENT: Color32 = Color32::from_rgb(0x4f, 0xb8, 0xc9);
/// The same as a fill under text.
pub const ACCENT_FILL: Color32 = Color32::from_rgb(0x1f, 0x4f, 0x5c);
/// What deserves a look.
pub const WARN: Color32 = Color32::from_rgb(0xe3, 0xb0, 0x5a);
/// What went wrong.
pub const ERROR: Color32 = Color32::from_rgb(0xe8, 0x6f, 0x68);
/// What went well.
pub const GOOD: Color32 = Color32::from_rgb(0x86, 0xc5, 0x7f);
/// Colours of series in plots, in order of use.
pub const SERIES: [Color32; 4] = [
    ACCENT,
    Color32::from_rgb(0xe3, 0xb0, 0x5a),
    Color32::from_rgb(0xb8, 0x8f, 0xe0),
    Color32::from_rgb(0x86, 0xc5, 0x7f),
];

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
pub fn apply(ctx: &egui::Context) {
    ctx.set_theme(Theme::Dark);
    ctx.set_style_of(Theme::Dark, style());
}

fn style() -> Style {
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
        ..Theme::Dark.default_style()
    };
    spacing(&mut style);
    visuals(&mut style.visuals);
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

fn visuals(v: &mut egui::Visuals) {
    v.panel_fill = PANEL;
    v.window_fill = BAR;
    v.window_stroke = Stroke::new(1.0, LINE);
    v.window_corner_radius = CornerRadius::same(CORNER + 2);
    v.menu_corner_radius = CornerRadius::same(CORNER + 1);
    v.popup_shadow = Shadow {
        offset: [0, 6],
        blur: 16,
        spread: 0,
        color: Color32::from_black_alpha(120),
    };
    v.window_shadow = v.popup_shadow;
    v.extreme_bg_color = SUNKEN;
    v.faint_bg_color = BAR;
    v.code_bg_color = SUNKEN;
    v.hyperlink_color = ACCENT;
    v.warn_fg_color = WARN;
    v.error_fg_color = ERROR;
    v.weak_text_color = Some(WEAK);
    v.selection.bg_fill = ACCENT_FILL;
    v.selection.stroke = Stroke::new(1.0, BRIGHT);
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
    w.noninteractive = widget(PANEL, LINE, TEXT);
    w.inactive = widget(RAISED, RAISED, TEXT);
    w.hovered = widget(HOVERED, HOVERED, BRIGHT);
    w.active = widget(HOVERED, ACCENT, BRIGHT);
    w.open = widget(HOVERED, HOVERED, BRIGHT);
}
