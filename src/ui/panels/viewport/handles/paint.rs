//! How outlines, handles, paths and the numbers of a drag look.

use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, vec2};

use super::spots::{self, knob};
use super::{Grab, Sight, Stage};
use crate::edit::figure::{Figure, Form, Grip, facts};
use crate::edit::{Item, List};
use crate::ui::editor::Editor;
use crate::ui::icons::{self, Icon};
use crate::ui::panels::viewport::flow;
use crate::ui::{format, theme};

/// Half of the edge of a handle, points of the screen.
const HANDLE: f32 = 4.0;

/// A place, as shown.
pub(super) fn place_text([x, y]: [f32; 2]) -> String {
    let length = |v: f32| format::length(f64::from(v));
    format!("x {}   y {}", length(x), length(y))
}

/// A size, as shown.
pub(super) fn size_text(form: Form) -> String {
    let length = |v: f32| format::length(f64::from(v));
    match form {
        Form::Disc(r) => format!("radius {}", length(r)),
        Form::Reach(r, _) => format!("reach {}", length(r)),
        Form::Box([a, b]) => format!("{} × {}", length(2.0 * a), length(2.0 * b)),
        Form::Line([l, t]) => format!("length {}   thickness {}", length(l), length(t)),
        Form::Capsule([l, r]) => format!("length {}   radius {}", length(l), length(r)),
        Form::Picture(size, _) => format!("size {}", length(size)),
    }
}

/// Draws all of it.
pub(super) fn paint(
    editor: &Editor,
    ui: &Ui,
    stage: &Stage,
    sight: &Sight,
    spots: &[(Grab, Pos2)],
    under: Option<Grab>,
    selecting: bool,
) {
    let painter = ui
        .painter()
        .with_clip_rect(sight.rect.intersect(ui.clip_rect()));
    let chosen = editor.panels.scene.items();
    let handles = &editor.panels.viewport.handles;
    let drag = handles.drag.as_ref().filter(|d| d.moved);
    if drag.is_some_and(|d| d.grab != Grab::Empty) && handles.snap {
        let grid = editor.document().scene.domain.grid();
        flow::grid(&painter, sight.rect, &sight.camera, &grid);
    }
    if selecting {
        for (item, figure) in stage.figures.iter().filter(|(i, _)| !chosen.contains(i)) {
            if stage.enabled(*item) {
                let faint = theme::on_picture().gamma_multiply(0.35);
                outline(&painter, sight, figure, Stroke::new(1.0, faint), false);
            }
        }
    }
    for item in chosen {
        marked(editor, &painter, stage, sight, *item, chosen.len() == 1);
    }
    if let Some(Grab::Item(item, Grip::Body)) = under
        && !chosen.contains(&item)
        && let Some(figure) = stage.figure(item)
    {
        outline(
            &painter,
            sight,
            figure,
            Stroke::new(1.6, theme::on_picture()),
            false,
        );
        let name = facts(&stage.scene, item).map_or("", |f| f.name);
        let [_, b] = figure.form.half();
        let below = figure.centre[1] - b.max(8.0 / sight.camera.zoom);
        let at = sight.screen([figure.centre[0], below]) + vec2(0.0, 8.0);
        plate(&painter, sight.rect, at, Align2::CENTER_TOP, name);
    }
    for (grab, at) in spots {
        handle(editor, &painter, *grab, *at, under == Some(*grab));
    }
    let Some(drag) = drag else { return };
    let Some(pointer) = ui.input(|i| i.pointer.latest_pos()) else {
        return;
    };
    if drag.grab == Grab::Empty {
        let frame = Rect::from_two_pos(drag.press, pointer);
        painter.rect(
            frame,
            0.0,
            theme::accent_on_picture().gamma_multiply(0.12),
            Stroke::new(1.0, theme::accent_on_picture()),
            StrokeKind::Inside,
        );
    } else {
        let at = pointer + vec2(18.0, 20.0);
        plate(&painter, sight.rect, at, Align2::LEFT_TOP, &drag.readout);
    }
}

/// An item that is chosen, with its path.
fn marked(
    editor: &Editor,
    painter: &Painter,
    stage: &Stage,
    sight: &Sight,
    item: Item,
    alone: bool,
) {
    if item.0 == List::Strokes {
        if let Some(stroke) = editor.document().scene.strokes.get(item.1) {
            let at = |p: [f32; 3]| sight.screen([p[0], p[1]]);
            let points: Vec<Pos2> = stroke.points.iter().map(|p| at(p.position)).collect();
            painter.add(Shape::line(
                points,
                Stroke::new(1.2, theme::accent_on_picture()),
            ));
        }
        return;
    }
    let Some(figure) = stage.figure(item) else {
        return;
    };
    let (locked, enabled) = (stage.locked(item), stage.enabled(item));
    let color = if locked {
        theme::weak()
    } else {
        theme::accent_on_picture()
    };
    for stretch in spots::way(stage, item) {
        let points: Vec<Pos2> = stretch.iter().map(|p| sight.screen(*p)).collect();
        painter.add(Shape::line(points.clone(), shade(3.0)));
        painter.add(Shape::line(
            points,
            Stroke::new(1.2, color.gamma_multiply(0.8)),
        ));
    }
    outline(painter, sight, figure, Stroke::new(1.5, color), !enabled);
    if locked {
        let place = Rect::from_center_size(sight.screen(figure.centre), vec2(15.0, 15.0));
        painter.circle_filled(place.center(), 12.0, theme::plate());
        icons::paint(painter, Icon::Locked, place.shrink(1.0), theme::text());
        return;
    }
    if alone && figure.form.turns() {
        stalk(painter, sight, figure, color);
    }
}

/// From the item to the knob that turns it; of a motor it is the arrow of its wind.
fn stalk(painter: &Painter, sight: &Sight, figure: &Figure, color: Color32) {
    let tip = knob(figure, sight);
    let from = match figure.form {
        Form::Reach(..) => sight.screen(figure.centre),
        _ => sight.screen(figure.world([0.0, figure.form.half()[1]])),
    };
    painter.line_segment([from, tip], shade(3.0));
    painter.line_segment([from, tip], Stroke::new(1.2, color));
    if let Form::Reach(..) = figure.form {
        let way = (tip - from).normalized();
        let tip = tip + way * 15.0;
        let side = vec2(-way.y, way.x) * 5.0;
        let head = vec![tip, tip - way * 9.0 + side, tip - way * 9.0 - side];
        painter.add(Shape::convex_polygon(head, color, shade(1.0)));
    }
}

fn shade(width: f32) -> Stroke {
    Stroke::new(width, Color32::from_black_alpha(120))
}

/// The outline of an item, with a dark edge so that it is seen over every picture.
fn outline(painter: &Painter, sight: &Sight, figure: &Figure, line: Stroke, dashed: bool) {
    let corners = corners(figure.form);
    let mut points: Vec<Pos2> = corners
        .into_iter()
        .map(|p| sight.screen(figure.world(p)))
        .collect();
    points.extend(points.first().copied());
    painter.add(Shape::line(points.clone(), shade(line.width + 1.8)));
    if dashed || matches!(figure.form, Form::Reach(..)) {
        painter.extend(Shape::dashed_line(&points, line, 6.0, 4.0));
    } else {
        painter.add(Shape::line(points, line));
    }
}

/// The outline of a form as corners, in its own frame.
fn corners(form: Form) -> Vec<[f32; 2]> {
    const STEPS: usize = 64;
    let arc = |centre: f32, radius: f32, from: f32, turn: f32| {
        (0..=STEPS).map(move |i| {
            let (sin, cos) = (from + turn * i as f32 / STEPS as f32)
                .to_radians()
                .sin_cos();
            [centre + radius * cos, radius * sin]
        })
    };
    match form {
        Form::Disc(r) | Form::Reach(r, _) => arc(0.0, r, 0.0, 360.0).collect(),
        Form::Capsule([length, radius]) => arc(0.5 * length, radius, -90.0, 180.0)
            .chain(arc(-0.5 * length, radius, 90.0, 180.0))
            .collect(),
        _ => {
            let [a, b] = form.half();
            vec![[a, b], [-a, b], [-a, -b], [a, -b]]
        }
    }
}

/// One handle: squares scale, discs turn, diamonds are points of a path, the centre is a cross in a ring.
fn handle(editor: &Editor, painter: &Painter, grab: Grab, at: Pos2, hot: bool) {
    let grown = if hot { HANDLE + 1.5 } else { HANDLE };
    let fill = if hot {
        theme::accent_on_picture()
    } else {
        theme::on_picture()
    };
    let edge = Stroke::new(1.2, Color32::from_black_alpha(200));
    match grab {
        Grab::Item(_, Grip::Size(..)) => {
            let square = Rect::from_center_size(at, vec2(grown, grown) * 2.0);
            painter.rect(square, 1.0, fill, edge, StrokeKind::Outside);
        }
        Grab::Item(_, Grip::Turn) => {
            painter.circle(at, grown + 0.5, fill, edge);
        }
        Grab::Item(_, Grip::Body) => {
            painter.circle_stroke(at, grown + 2.0, shade(3.0));
            painter.circle_stroke(at, grown + 2.0, Stroke::new(1.3, fill));
            painter.circle_filled(at, 1.8, fill);
        }
        Grab::Point(_, i) => {
            let picked = editor.panels.viewport.handles.point == Some(i);
            let fill = if picked {
                theme::accent_on_picture()
            } else {
                fill
            };
            let r = grown + 1.5;
            let diamond = vec![
                at + vec2(0.0, -r),
                at + vec2(r, 0.0),
                at + vec2(0.0, r),
                at + vec2(-r, 0.0),
            ];
            painter.add(Shape::convex_polygon(diamond, fill, edge));
            let number = format!("{}", i + 1);
            let font = FontId::proportional(theme::FONT_SMALL);
            let beside = at + vec2(9.0, -9.0);
            painter.text(
                beside + vec2(1.0, 1.0),
                Align2::LEFT_CENTER,
                &number,
                font.clone(),
                Color32::BLACK,
            );
            painter.text(
                beside,
                Align2::LEFT_CENTER,
                number,
                font,
                theme::on_picture(),
            );
        }
        Grab::Way(..) | Grab::Empty => {}
    }
}

/// Text on a plate, kept inside of the picture.
fn plate(painter: &Painter, rect: Rect, at: Pos2, align: Align2, text: &str) {
    if text.is_empty() {
        return;
    }
    let font = FontId::proportional(theme::FONT);
    let galley = painter.layout_no_wrap(text.to_owned(), font, theme::bright());
    let size = galley.size() + vec2(14.0, 8.0);
    let mut place = align.anchor_size(at, size);
    let inside = rect.shrink(4.0);
    place = place.translate(vec2(
        (inside.right() - place.right()).min(0.0),
        (inside.bottom() - place.bottom()).min(0.0),
    ));
    place = place.translate((inside.min - place.min).max(vec2(0.0, 0.0)));
    painter.rect_filled(place, theme::CORNER, theme::plate());
    painter.galley(place.min + vec2(7.0, 4.0), galley, theme::bright());
}
