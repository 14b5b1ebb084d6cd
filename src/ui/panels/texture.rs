//! A texture of the bake while one works on the look: what is seen now, written as a file and read back as an engine reads it.

mod scroll;

use std::sync::Arc;
use std::time::{Duration, Instant};

use egui::{Color32, ColorImage, Image, Rect, RichText, TextureHandle, TextureOptions, Ui, vec2};

use crate::bake::coding::Curve;
use crate::bake::scroll::FlowMap;
use crate::bake::sidecar::ChannelRecord;
use crate::bake::{self, Preview};
use crate::document::Document;
use crate::params::label_from_name;
use crate::sim::Snapshot;
use crate::ui::editor::Editor;
use crate::ui::files::Event;
use crate::ui::{format, theme, widgets};
use scroll::Scroll;

/// What of a texture is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Show {
    /// Red, green and blue as they stand in the file.
    #[default]
    Colors,
    /// One channel.
    Channel(usize),
    /// Red and green as a direction: the hue says where to, the brightness how fast.
    Flow,
    /// A texture carried along by red and green, as a shader with two phases does it.
    Scroll,
    /// What is lost on the way through the file, as a share of the largest loss.
    Loss,
}

/// Names of the channels.
const CHANNELS: [&str; 4] = ["R", "G", "B", "A"];
/// Between two pictures.
const INTERVAL: Duration = Duration::from_millis(150);

/// A frame of a texture, as it was worked out beside the interface.
pub struct Frame {
    of: Key,
    outcome: Result<Seen, String>,
}

/// What was worked out.
struct Seen {
    preview: Box<Preview>,
    image: ColorImage,
    flow: Option<FlowMap>,
}

/// Of what a picture was made.
#[derive(Clone)]
struct Key {
    document: Arc<Document>,
    serial: u64,
    output: usize,
    show: Show,
}

impl Key {
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.document, &other.document)
            && (self.serial, self.output, self.show) == (other.serial, other.output, other.show)
    }
}

/// What the panel remembers.
#[derive(Default)]
pub struct TextureView {
    output: usize,
    show: Show,
    working: bool,
    asked: Option<(Key, Instant)>,
    shown: Option<Result<Box<Preview>, String>>,
    arrived: Option<ColorImage>,
    picture: Option<TextureHandle>,
    /// The flow in the texture that is shown, if it has one.
    flow: Option<FlowMap>,
    scroll: Scroll,
    /// Fields that the simulation is asked for, and the pass of the interface in which they were wanted.
    wanted: (Vec<String>, u64),
}

impl TextureView {
    /// A frame has been worked out.
    pub fn receive(&mut self, frame: Frame) {
        self.working = false;
        // Another texture may have been chosen since, or another document.
        let asked = self.asked.as_ref();
        if asked.is_some_and(|(key, _)| key.output == frame.of.output && self.output == key.output)
        {
            self.shown = Some(frame.outcome.map(|seen| {
                (self.arrived, self.flow) = (Some(seen.image), seen.flow);
                seen.preview
            }));
        }
    }

    /// Another document: the picture of the old one goes.
    pub fn forget(&mut self) {
        (self.output, self.asked) = (0, None);
        (self.shown, self.arrived, self.picture, self.flow) = (None, None, None, None);
    }

    fn draw(&mut self, ui: &Ui, picture: &TextureHandle, rect: Rect) {
        ui.painter().rect_filled(rect, 0.0, theme::sunken());
        if let (Show::Scroll, Some(flow)) = (self.show, &self.flow) {
            self.scroll.draw(ui, rect, flow);
            return;
        }
        let whole = Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
        Image::new(picture).uv(whole).paint_at(ui, rect);
    }

    /// Fields that are needed as long as the panel is seen.
    pub fn wants(&self, pass: u64) -> &[String] {
        match pass.saturating_sub(self.wanted.1) {
            0..=2 => &self.wanted.0,
            _ => &[],
        }
    }
}

/// Draws the panel.
pub fn ui(editor: &mut Editor, ui: &mut Ui) {
    let document = editor.document().clone();
    let names = outputs(&document);
    let view = &mut editor.panels.texture;
    if view.output >= names.len() {
        (view.output, view.shown, view.picture, view.flow) = (0, None, None, None);
    }
    ask(editor, ui, &document);
    let view = &mut editor.panels.texture;
    if let Some(image) = view.arrived.take() {
        let options = TextureOptions::NEAREST;
        view.picture = Some(ui.ctx().load_texture("texture", image, options));
    }
    let picture = view.picture.clone();
    let room = ui.available_rect_before_wrap();
    // A low panel: the picture takes its height, and the words stand beside it.
    if let Some(picture) = picture
        .as_ref()
        .filter(|_| room.width() > BESIDE * room.height())
    {
        let place = room.shrink(f32::from(theme::MARGIN));
        let place = place.with_max_x(place.left() + place.width() * 0.5);
        let size = fitting(picture, place.size());
        editor
            .panels
            .texture
            .draw(ui, picture, Rect::from_min_size(place.min, size));
        let words = room.with_min_x(place.left() + size.x);
        let mut words = ui.new_child(egui::UiBuilder::new().id_salt("words").max_rect(words));
        widgets::scroll(&mut words, "texture words", |ui| {
            choose(&mut editor.panels.texture, ui, &names);
            facts_of(editor, ui);
        });
        ui.allocate_rect(room, egui::Sense::hover());
        return;
    }
    widgets::scroll(ui, "texture", |ui| {
        choose(&mut editor.panels.texture, ui, &names);
        if let Some(picture) = &picture {
            let size = fitting(picture, vec2(ui.available_width(), HIGHEST));
            let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
            editor.panels.texture.draw(ui, picture, rect);
        }
        facts_of(editor, ui);
    });
}

/// A panel that is so many times as wide as high has the picture beside the words.
const BESIDE: f32 = 1.5;
/// Height of the picture above the words.
const HIGHEST: f32 = 640.0;

fn facts_of(editor: &Editor, ui: &mut Ui) {
    match &editor.panels.texture.shown {
        None => widgets::empty(
            ui,
            "No picture yet",
            "Play or step the simulation: its texture appears here as an engine reads it.",
        ),
        Some(Err(message)) => {
            widgets::colored_note(ui, message, theme::warn());
        }
        Some(Ok(preview)) => facts(ui, preview),
    }
}

/// Names of the textures that are written.
fn outputs(document: &Document) -> Vec<String> {
    let usual = bake::default_outputs(document.method.info().fields);
    let outputs = match document.bake.outputs.is_empty() {
        true => &usual,
        false => &document.bake.outputs,
    };
    outputs.iter().map(|o| o.name.clone()).collect()
}

fn choose(view: &mut TextureView, ui: &mut Ui, names: &[String]) {
    ui.horizontal_wrapped(|ui| {
        for (i, name) in names.iter().enumerate() {
            if ui.selectable_label(view.output == i, name).clicked() && view.output != i {
                (view.output, view.shown, view.picture, view.flow) = (i, None, None, None);
            }
        }
    });
    let channels = match &view.shown {
        Some(Ok(preview)) => preview.source.channels,
        _ => 4,
    };
    let flows = matches!(&view.shown, Some(Ok(p)) if is_flow(p));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        let mut all = vec![(Show::Colors, "Colours", "As it stands in the file")];
        for (i, name) in CHANNELS.iter().enumerate().take(channels) {
            all.push((Show::Channel(i), name, "This channel alone"));
        }
        if flows {
            all.push((
                Show::Flow,
                "Flow",
                "Hue for where to, brightness for how fast",
            ));
        }
        if view.flow.is_some() {
            all.push((
                Show::Scroll,
                "Carried along",
                "A texture that the flow map carries along, as a shader with two phases draws it",
            ));
        }
        all.push((
            Show::Loss,
            "Loss",
            "What the file format loses; white is the most",
        ));
        if !all.iter().any(|(show, ..)| *show == view.show) {
            view.show = Show::Colors;
        }
        for (show, name, tip) in all {
            ui.selectable_value(&mut view.show, show, name)
                .on_hover_text(tip);
        }
    });
    if view.show == Show::Scroll {
        view.scroll.settings(ui);
        widgets::note(
            ui,
            "Preview of the flow map in an engine: read back from the file, a texture is carried along in two phases half a period apart that fade into each other.",
        );
    }
}

/// Has the present frame written and read back, where that has not been done and nothing else is under way.
fn ask(editor: &mut Editor, ui: &Ui, document: &Arc<Document>) {
    let pass = ui.ctx().cumulative_pass_nr();
    let snapshot: Arc<Snapshot> = Arc::clone(&editor.snapshot);
    let view = &mut editor.panels.texture;
    let key = Key {
        document: Arc::clone(document),
        serial: snapshot.serial,
        output: view.output,
        show: view.show,
    };
    let known = view.asked.as_ref();
    if view.working || known.is_some_and(|(of, _)| of.is(&key)) {
        view.wanted.1 = pass;
        return;
    }
    if let Some((of, at)) = known
        && (of.output, of.show) == (key.output, key.show)
        && at.elapsed() < INTERVAL
    {
        view.wanted.1 = pass;
        ui.ctx().request_repaint_after(INTERVAL);
        return;
    }
    let names = match bake::fields_of(document, view.output) {
        Ok(names) => names,
        Err(e) => {
            view.wanted = (Vec::new(), pass);
            view.asked = Some((key, Instant::now()));
            view.shown = Some(Err(e.to_string()));
            return;
        }
    };
    view.wanted = (names.iter().map(|n| (*n).to_owned()).collect(), pass);
    let fields: Option<Vec<_>> = names.iter().map(|n| snapshot.field(n).cloned()).collect();
    let Some(fields) = fields else {
        // The simulation has been asked for them.
        return;
    };
    view.working = true;
    view.asked = Some((key.clone(), Instant::now()));
    editor.jobs.spawn(move |report| {
        let fields: Vec<_> = fields.iter().map(|f| (**f).clone()).collect();
        let outcome = bake::preview(&key.document, &fields, key.output, snapshot.frame)
            .map(|preview| Seen {
                image: image(&preview, key.show),
                flow: flow(&preview, &key.document),
                preview: Box::new(preview),
            })
            .map_err(|e| e.to_string());
        report(Event::Texture(Frame { of: key, outcome }));
    });
}

/// The size at which it is seen whole, as large as there is room.
fn fitting(picture: &TextureHandle, room: egui::Vec2) -> egui::Vec2 {
    let size = picture.size_vec2().max(vec2(1.0, 1.0));
    size * (room.x / size.x).min(room.y / size.y).max(0.0)
}

/// What a channel holds, and by how much it may be off.
fn fact(channel: &ChannelRecord, loss: f32) -> String {
    let label = label_from_name(&channel.channel);
    if let Ok(constant) = channel.source.parse::<f64>() {
        return format!("{label}: always {}", format::number(constant));
    }
    let range = format!(
        "{label}: {}, {} to {}",
        label_from_name(&channel.source.replace('.', " ")).to_lowercase(),
        format::number(f64::from(channel.low)),
        format::with_unit(f64::from(channel.high), &channel.unit),
    );
    match loss {
        0.0 => range + ", exact",
        _ => {
            let loss = format::with_unit(f64::from(loss), &channel.unit);
            format!("{range}, rounded by {loss} at most")
        }
    }
}

/// What an engine has to know, and what the format loses.
fn facts(ui: &mut Ui, preview: &Preview) {
    let text = format!(
        "{} × {} texels, {} a frame",
        preview.source.width,
        preview.source.height,
        format::bytes(preview.file.len() as u64)
    );
    widgets::note(ui, &text);
    for (channel, loss) in preview.channels.iter().zip(&preview.max_error) {
        let text = fact(channel, *loss);
        ui.add(egui::Label::new(RichText::new(text).small().color(theme::text())).wrap());
    }
}

/// Whether red and green are the two parts of a vector: a colour has parts too, but no unit.
fn is_flow(preview: &Preview) -> bool {
    let part = |i: usize, end: &str| {
        preview
            .channels
            .get(i)
            .is_some_and(|c| c.source.ends_with(end) && !c.unit.is_empty())
    };
    part(0, ".x") && part(1, ".y")
}

/// The flow in a texture, if it has one.
fn flow(preview: &Preview, document: &Document) -> Option<FlowMap> {
    let domain = &document.scene.domain;
    let [width, height, _] = domain.grid().size();
    let axes = bake::engine::axis_map(document.bake.engine, domain.plane);
    FlowMap::of(preview, [width, height], document.time.time_scale, &axes)
}

/// What a shader reads for a number, as it is seen on a screen: 0 to 1.
fn sampled(preview: &Preview, channel: usize, value: f32) -> f32 {
    let c = &preview.channels[channel];
    let share = |low: f32, high: f32| (value - low) / (high - low).max(f32::MIN_POSITIVE);
    let x = match c.curve {
        // Float files hold numbers without ends: their own are taken.
        Curve::Raw if c.min < 0.0 => {
            let most = c.max.max(-c.min);
            share(-most, most)
        }
        Curve::Raw => share(c.min.min(0.0), c.max),
        Curve::ExactZero | Curve::Centred => share(-c.high, c.high),
        Curve::Linear => share(c.low, c.high),
        Curve::Srgb => egui::ecolor::gamma_from_linear(share(c.low, c.high).clamp(0.0, 1.0)),
    };
    x.clamp(0.0, 1.0)
}

fn image(preview: &Preview, show: Show) -> ColorImage {
    let texels = &preview.decoded;
    let n = texels.channels;
    let most: f32 = preview.max_error.iter().copied().fold(0.0, f32::max);
    let fastest = match n {
        0 | 1 => 1.0,
        _ => texels
            .data
            .chunks_exact(n)
            .map(|t| t[0].hypot(t[1]))
            .fold(f32::MIN_POSITIVE, f32::max),
    };
    let byte = |x: f32| (x.clamp(0.0, 1.0) * 255.0).round() as u8;
    let color = |t: &[f32], source: &[f32]| match show {
        Show::Colors | Show::Scroll if n == 1 => {
            Color32::from_gray(byte(sampled(preview, 0, t[0])))
        }
        Show::Colors | Show::Scroll => {
            let c = |i: usize| t.get(i).map_or(0, |v| byte(sampled(preview, i, *v)));
            Color32::from_rgb(c(0), c(1), if n > 2 { c(2) } else { 0 })
        }
        Show::Channel(i) => {
            let i = i.min(n - 1);
            Color32::from_gray(byte(sampled(preview, i, t[i])))
        }
        Show::Flow if n >= 2 => {
            let turn = t[1].atan2(t[0]) / std::f32::consts::TAU;
            let fast = (t[0].hypot(t[1]) / fastest).sqrt();
            egui::ecolor::Hsva::new(turn.rem_euclid(1.0), 0.75, fast, 1.0).into()
        }
        Show::Flow => Color32::BLACK,
        Show::Loss => {
            let loss = t.iter().zip(source).map(|(a, b)| (a - b).abs());
            let loss = loss.fold(0.0, f32::max);
            Color32::from_gray(byte(if most > 0.0 { loss / most } else { 0.0 }))
        }
    };
    let pixels = match n {
        0 => Vec::new(),
        _ => texels
            .data
            .chunks_exact(n)
            .zip(preview.source.data.chunks_exact(n))
            .map(|(t, source)| color(t, source))
            .collect(),
    };
    ColorImage::new([texels.width as usize, texels.height as usize], pixels)
}
