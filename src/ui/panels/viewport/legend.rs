//! The legend: the colours with the values they stand for, how often these occur in the picture, and which of them lies
//! under the pointer. Its range follows the field, or is held fast and set by hand.

use std::sync::Arc;

use egui::{
    Align2, Color32, DragValue, Painter, Pos2, Rect, Response, Sense, Stroke, Ui, UiBuilder, Vec2,
    pos2, vec2,
};

use super::overlay::{EDGE, label, plate, small};
use crate::document::{ColorMap, ViewSettings};
use crate::edit::Edit;
use crate::field::{FieldData, RangeHint};
use crate::params::{Effect, Value};
use crate::ui::editor::{Editor, Request};
use crate::ui::icons::{self, Icon};
use crate::ui::inspector::Outcome;
use crate::ui::{format, theme, widgets};
use crate::view::{self, Camera, Histogram, Legend, colormap};

/// Width of the strip of colours and height of the histogram, points of the screen.
const SIZE: [f32; 2] = [192.0, 26.0];
/// The same in a small picture, which matters more.
const SMALL: [f32; 2] = [132.0, 0.0];
/// A picture with a shorter edge is small.
const ROOM: f32 = 300.0;
/// Least room between two numbers.
const GAP: f32 = 8.0;
/// Stretches of the histogram.
const STRETCHES: usize = 64;

/// What was worked out last, and for what.
#[derive(Default)]
pub(super) struct Known(Option<(u64, ViewSettings, Shown)>);

/// A legend and its histogram.
#[derive(Clone)]
struct Shown {
    legend: Legend,
    /// The dye has its own colours; the strip is its brightness.
    own: bool,
    histogram: Arc<Histogram>,
    /// Every value is zero.
    nothing: bool,
}

/// The legend; worked out anew only where the numbers or the settings are others.
fn shown(editor: &mut Editor, field: &FieldData, settings: &ViewSettings) -> Shown {
    let serial = editor.snapshot.serial;
    let known = &mut editor.panels.viewport.legend.0;
    if let Some((s, how, shown)) = known
        && *s == serial
        && how == settings
    {
        return shown.clone();
    }
    let found = view::legend(field, settings);
    let own = found.is_none();
    let legend = found.unwrap_or_else(|| Legend {
        map: ColorMap::Grey,
        range: view::range(
            field,
            &ViewSettings {
                auto_range: true,
                ..settings.clone()
            },
        ),
        unit: field.desc.unit,
    });
    let shown = Shown {
        histogram: Arc::new(Histogram::of(field, legend.range, STRETCHES)),
        nothing: field.data.iter().all(|v| *v == 0.0),
        legend,
        own,
    };
    *known = Some((serial, settings.clone(), shown.clone()));
    shown
}

/// What it takes with its plate, in a picture of that size; none where there is no room.
fn takes(picture: Vec2) -> Option<Vec2> {
    let [width, height] = match picture.min_elem() < ROOM {
        true => SMALL,
        false => SIZE,
    };
    let size = vec2(width + 24.0, height + 42.0);
    let fits = picture.x >= size.x + 2.0 * EDGE && picture.y >= 2.0 * size.y;
    fits.then_some(size)
}

/// Where something of that width may begin, from the top of the picture, when it stands in the middle.
pub(super) fn below(picture: Vec2, width: f32) -> f32 {
    match takes(picture) {
        Some(size) if picture.x < width + 2.0 * (size.x + 2.0 * EDGE) => size.y + 2.0 * EDGE,
        _ => EDGE,
    }
}

/// Draws it, and lets the hand hold its range.
pub(super) fn ui(
    editor: &mut Editor,
    ui: &mut Ui,
    picture: &Response,
    rect: Rect,
    camera: &Camera,
    field: &FieldData,
) {
    let settings = editor.document().view.clone();
    let shown = shown(editor, field, &settings);
    let Some(size) = takes(rect.size()) else {
        return;
    };
    let [width, height] = [size.x - 24.0, size.y - 42.0];
    let place = Rect::from_min_size(pos2(rect.right() - size.x - EDGE, rect.top() + EDGE), size);
    let painter = ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    if shown.nothing {
        nothing(
            &painter,
            camera.domain(rect, &field.grid).intersect(rect),
            field,
        );
    }
    plate(&painter, place);
    let bars = Rect::from_min_size(place.min + vec2(12.0, 8.0), vec2(width, height));
    let strip = Rect::from_min_size(bars.left_bottom() + vec2(0.0, 1.0), vec2(width, 9.0));
    let response = ui.interact(place, ui.scope_id().with("legend"), Sense::click_and_drag());
    let [low, high] = shown.legend.range.map(f64::from);
    response.widget_info(|| {
        let to = format::with_unit(high, shown.legend.unit);
        let text = format!("Legend from {} to {to}", format::number(low));
        egui::WidgetInfo::labeled(egui::Role::Image, true, text)
    });
    if bars.is_positive() {
        histogram(&painter, bars, &shown.histogram);
    }
    colors(&painter, place, strip, &shown.legend, field);
    let fixed = !settings.auto_range && !shown.own;
    if fixed {
        ends(editor, ui, strip, &shown.legend);
    } else {
        ticks(&painter, strip, &shown);
    }
    if !shown.own {
        hold(editor, ui, place, &shown.legend, fixed);
    }
    mark(&painter, picture, rect, camera, field, strip, &shown);
    if let Some(pointer) = response
        .hover_pos()
        .filter(|p| bars.union(strip).contains(*p))
    {
        let text = told(&shown, field, (pointer.x - strip.left()) / strip.width());
        painter.vline(
            pointer.x,
            bars.top()..=strip.bottom(),
            Stroke::new(1.0, theme::bright()),
        );
        response.on_hover_text_at_pointer(text);
    }
}

/// Says that there is nothing to see, where that could be taken for a fault.
fn nothing(painter: &Painter, domain: Rect, field: &FieldData) {
    let text = format!("{} is zero everywhere", field.desc.label);
    label(painter, domain.center(), Align2::CENTER_CENTER, &text);
}

/// What a place of the legend stands for, in words.
fn told(shown: &Shown, field: &FieldData, share: f32) -> String {
    let histogram = &shown.histogram;
    let [low, high] = histogram.range;
    let n = histogram.shares.len();
    let i = ((share * n as f32) as usize).min(n - 1);
    let value = low + (high - low) * share.clamp(0.0, 1.0);
    let value = format::with_unit(f64::from(value), shown.legend.unit);
    let percent = f64::from(histogram.shares[i] * 100.0);
    let what = match (
        shown.own || field.desc.range == RangeHint::Color,
        field.desc.components,
    ) {
        (true, _) => format!("Brightness {value}"),
        (_, 1) => format!("{} {value}", field.desc.label),
        _ if field.desc.range == RangeHint::Direction => format!("Lean {value}"),
        _ => format!("Length of {} {value}", field.desc.label.to_lowercase()),
    };
    let mut text = format!("{what}: {} % of the cells", format::number(percent));
    for (beyond, word) in histogram.beyond.iter().zip(["below", "above"]) {
        if *beyond > 0.0005 {
            let percent = format::number(f64::from(beyond * 100.0));
            text.push_str(&format!("\n{percent} % lie {word} the range"));
        }
    }
    text
}

/// Bars whose height grows with the root of the share, so that rare values are seen beside common ones.
fn histogram(painter: &Painter, bars: Rect, histogram: &Histogram) {
    let most = histogram.shares.iter().fold(1e-9_f32, |m, s| m.max(*s));
    let step = bars.width() / histogram.shares.len() as f32;
    let color = theme::text().gamma_multiply(0.55);
    let mut mesh = egui::Mesh::default();
    for (i, share) in histogram.shares.iter().enumerate() {
        let height = (share / most).sqrt() * bars.height();
        let left = bars.left() + step * i as f32;
        let bar = Rect::from_min_max(
            pos2(left, bars.bottom() - height),
            pos2(left + step, bars.bottom()),
        );
        mesh.add_colored_rect(bar, color);
    }
    painter.add(mesh);
    // What lies beyond an end is a mark there.
    for (beyond, x) in histogram.beyond.iter().zip([bars.left(), bars.right()]) {
        if *beyond > 0.0005 {
            let height = (beyond / most).sqrt().min(1.0) * bars.height();
            let line = Stroke::new(2.0, theme::warn());
            painter.vline(x, bars.bottom() - height.max(3.0)..=bars.bottom(), line);
        }
    }
}

fn colors(painter: &Painter, place: Rect, strip: Rect, legend: &Legend, field: &FieldData) {
    // Of a vector the hue is the direction: the strip shows what its length does.
    let by_direction = field.desc.components > 1 && legend.map == ColorMap::Hue;
    let colors = if by_direction {
        wheel(painter, pos2(place.left() - 26.0, place.center().y), 15.0);
        (0..64_u8).map(|i| [i * 4, i * 4, i * 4, 255]).collect()
    } else {
        colormap::strip(legend.map, 64)
    };
    let step = strip.width() / colors.len() as f32;
    let mut mesh = egui::Mesh::default();
    for (i, [r, g, b, _]) in colors.iter().enumerate() {
        let left = strip.left() + step * i as f32;
        mesh.add_colored_rect(
            Rect::from_min_max(pos2(left, strip.top()), pos2(left + step, strip.bottom())),
            Color32::from_rgb(*r, *g, *b),
        );
    }
    painter.add(mesh);
}

/// The values at the ends and in the middle.
fn ticks(painter: &Painter, strip: Rect, shown: &Shown) {
    let [low, high] = shown.legend.range.map(f64::from);
    let y = strip.bottom() + 4.0;
    // The lock stands at the right end.
    let room = if shown.own { 0.0 } else { 20.0 };
    let tick = |share: f64, align: Align2, inset: f32, text: String| {
        let x = strip.left() + strip.width() * share as f32;
        painter.line_segment(
            [pos2(x, strip.bottom()), pos2(x, strip.bottom() + 3.0)],
            Stroke::new(1.0, theme::weak()),
        );
        let at = pos2(x - inset, y);
        painter.text(at, align, text, small(), theme::text())
    };
    let first = tick(0.0, Align2::LEFT_TOP, 0.0, format::number(low));
    let unit = if shown.own {
        "brightness"
    } else {
        shown.legend.unit
    };
    let end = format::with_unit(high, unit);
    let last = tick(1.0, Align2::RIGHT_TOP, room, end);
    // Where there is no room between the ends, they say enough.
    let middle = format::number((low + high) * 0.5);
    let half = 0.5
        * painter
            .layout_no_wrap(middle.clone(), small(), theme::text())
            .size()
            .x;
    let centre = strip.center().x;
    if centre - half > first.right() + GAP && centre + half < last.left() - GAP {
        tick(0.5, Align2::CENTER_TOP, 0.0, middle);
    }
}

/// The values at the ends, to be set by hand.
fn ends(editor: &mut Editor, ui: &mut Ui, strip: Rect, legend: &Legend) {
    let [low, high] = legend.range;
    let speed = f64::from(high - low) / 200.0;
    let size = vec2(72.0_f32.min((strip.width() - 28.0) * 0.5), 18.0);
    let top = strip.bottom() + 3.0;
    let mut set = None;
    for (x, value, path, name) in [
        (strip.left(), low, "view.range_low", "Range low"),
        (
            strip.right() - size.x - 22.0,
            high,
            "view.range_high",
            "Range high",
        ),
    ] {
        let mut changed = value;
        let drag = DragValue::new(&mut changed)
            .speed(speed)
            .range(-1e12..=1e12)
            .custom_formatter(|v, _| format::with_unit(v, legend.unit))
            .custom_parser(|text| format::parse(text, legend.unit));
        let place = Rect::from_min_size(pos2(x, top), size);
        let response = ui.put(place, drag).on_hover_text("Drag, or click and type");
        widgets::name(&response, &format!("Legend {}", name.to_lowercase()));
        if changed != value {
            set = Some((
                path,
                name,
                changed,
                response.has_focus().then_some(response.id),
            ));
        }
    }
    if let Some((path, label, value, typing)) = set {
        let outcome = Outcome::Set {
            path: path.to_owned(),
            label: label.to_owned(),
            value: Value::Float(value),
            effect: Effect::Live,
            typing,
            also: None,
        };
        editor.outcomes(ui.ctx(), vec![outcome]);
    }
}

/// The lock that holds the range, or lets it follow the field.
fn hold(editor: &mut Editor, ui: &mut Ui, place: Rect, legend: &Legend, fixed: bool) {
    let corner = place.right_bottom() - vec2(8.0 + 18.0, 5.0 + 18.0);
    let mut inner = ui.new_child(
        UiBuilder::new()
            .id_salt("hold the range")
            .max_rect(Rect::from_min_size(corner, vec2(18.0, 18.0))),
    );
    let (icon, name, tip) = if fixed {
        (
            Icon::Locked,
            "Range follows the field",
            "The range is held. Click to let it follow the field.",
        )
    } else {
        (
            Icon::Unlocked,
            "Hold the range",
            "The range follows the field. Click to hold it as it is, and to set it by hand.",
        )
    };
    if !icons::small(&mut inner, icon, name, tip).clicked() {
        return;
    }
    let set = |path: &str, value| Edit::Set(path.to_owned(), value);
    let mut edits = vec![set("view.auto_range", Value::Bool(fixed))];
    if !fixed {
        let [low, high] = legend.range;
        edits.push(set("view.range_low", Value::Float(low)));
        edits.push(set("view.range_high", Value::Float(high)));
    }
    editor.ask(Request::Edit(name.to_owned(), edits));
}

/// Where the value under the pointer stands on the strip.
fn mark(
    painter: &Painter,
    picture: &Response,
    rect: Rect,
    camera: &Camera,
    field: &FieldData,
    strip: Rect,
    shown: &Shown,
) {
    let world = picture.hover_pos().map(|p| camera.to_world(rect, p));
    let Some(values) = world.and_then(|w| view::probe(field, w)) else {
        return;
    };
    let value = view::measure(&field.desc, &values);
    let [low, high] = shown.legend.range;
    let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
    if !share.is_finite() {
        return;
    }
    let x = strip.left() + strip.width() * share;
    let tip = |y: f32, dx: f32| -> Pos2 { pos2(x + dx, y) };
    let top = strip.top() + 1.0;
    let arrow = vec![tip(top, 0.0), tip(top - 7.0, -4.5), tip(top - 7.0, 4.5)];
    painter.vline(x, strip.y_range(), Stroke::new(2.0, Color32::BLACK));
    painter.add(egui::Shape::convex_polygon(
        arrow,
        theme::bright(),
        Stroke::new(1.0, Color32::BLACK),
    ));
}

/// The colours of all directions.
fn wheel(painter: &Painter, center: Pos2, radius: f32) {
    const STEPS: u32 = 48;
    painter.circle_filled(center, radius + 4.0, theme::plate());
    let mut mesh = egui::Mesh::default();
    mesh.colored_vertex(center, Color32::BLACK);
    for i in 0..=STEPS {
        let (sin, cos) = (std::f32::consts::TAU * i as f32 / STEPS as f32).sin_cos();
        let [r, g, b] = colormap::direction([cos, sin]).map(|c| (c * 255.0 + 0.5) as u8);
        // Up on the screen is up in the domain.
        mesh.colored_vertex(
            center + vec2(cos, -sin) * radius,
            Color32::from_rgb(r, g, b),
        );
        if i > 0 {
            mesh.add_triangle(0, i, i + 1);
        }
    }
    painter.add(mesh);
}
