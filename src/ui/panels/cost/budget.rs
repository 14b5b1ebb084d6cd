//! What a frame may take.

use crate::ui::{format, theme};

/// What is allowed, ms.
const ALLOWED: std::ops::RangeInclusive<f32> = 0.1..=1000.0;
/// Up to this share of the budget there is room for more.
const ROOM: f64 = 0.75;

/// Time that a frame may take: as the artist has set it, or a frame at the frame rate of the document.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Budget(Option<f32>);

impl Budget {
    /// The same, without what nobody can have set.
    pub fn sound(self) -> Self {
        Self(self.0.filter(|ms| ALLOWED.contains(ms)))
    }
    /// Whether the artist has set it.
    pub fn is_set(self) -> bool {
        self.0.is_some()
    }
    /// The time for documents of that frame rate, ms.
    pub fn ms(self, frame_rate: f32) -> f32 {
        let own = 1e3 / frame_rate.max(1e-3);
        self.0
            .unwrap_or(own)
            .clamp(*ALLOWED.start(), *ALLOWED.end())
    }
}

/// Frames a second that fit, in words.
pub fn rate(ms: f32) -> String {
    format!(
        "{} frames a second",
        format::number(f64::from(1e3 / ms).round())
    )
}

/// A time as it stands beside others.
pub fn time(ms: f64) -> String {
    match ms {
        ms if ms < 9.995 => format!("{ms:.2} ms"),
        ms => format!("{ms:.1} ms"),
    }
}

/// Whether it is enough.
pub fn verdict(ms: f64, budget: f32) -> (String, egui::Color32) {
    let share = ms / f64::from(budget);
    let text = format!(
        "{} of {}: {:.0} % of the budget",
        time(ms),
        time(f64::from(budget)),
        share * 100.0
    );
    match share {
        s if s <= ROOM => (format!("{text}, there is room for more."), theme::good()),
        s if s <= 1.0 => (format!("{text}, it just fits."), theme::text()),
        _ => (
            format!("{text}. Fewer cells, iterations or sub-steps bring it down."),
            theme::warn(),
        ),
    }
}

/// Draws what is allowed, to be set and to be given back to the document.
pub fn ui(budget: &mut Budget, ui: &mut egui::Ui, frame_rate: f32) {
    use crate::ui::icons::{self, Icon};
    let mut ms = budget.ms(frame_rate);
    let number = egui::DragValue::new(&mut ms)
        .range(ALLOWED)
        .speed(0.1)
        .max_decimals(2)
        .suffix(" ms");
    let response = ui.add_sized([theme::NUMBER, theme::ROW - 4.0], number);
    crate::ui::widgets::name(&response, "Budget");
    let tip = "What a frame of your game or film may spend on this look. Drag or type.";
    if response.on_hover_text(tip).changed() {
        budget.0 = Some(ms);
    }
    ui.add_enabled_ui(budget.is_set(), |ui| {
        let tip = "As long as a frame at the frame rate of the look";
        if icons::small(ui, Icon::Undo, "Budget of the frame rate", tip).clicked() {
            budget.0 = None;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_a_frame_until_it_is_set() {
        let free = Budget::default();
        assert!((free.ms(60.0) - 16.667).abs() < 1e-3);
        assert_eq!(Budget(Some(2.0)).ms(60.0), 2.0);
        for nonsense in [0.0, -1.0, 1e9, f32::NAN] {
            assert_eq!(Budget(Some(nonsense)).sound(), free);
        }
        assert_eq!(rate(1e3 / 60.0), "60 frames a second");
    }

    #[test]
    fn words_say_whether_it_is_enough() {
        let say = |ms| verdict(ms, 1e3 / 60.0).0;
        assert!(say(8.2).starts_with("8.20 ms of 16.7 ms: 49 % of the budget"));
        assert!(say(8.2).contains("room"));
        assert!(say(15.0).contains("just fits"));
        assert!(say(20.0).contains("120 %") && say(20.0).contains("Fewer"));
    }
}
