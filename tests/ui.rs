//! The editor, driven as a hand drives it: by names, clicks, drags and keys.

#[path = "ui/bakes.rs"]
mod bakes;
#[path = "ui/comfort.rs"]
mod comfort;
#[path = "ui/compare.rs"]
mod compare;
#[path = "ui/cost.rs"]
mod cost;
#[path = "ui/files.rs"]
mod files;
#[path = "ui/handbook.rs"]
mod handbook;
#[path = "ui/live.rs"]
mod live;
#[path = "ui/method.rs"]
mod method;
#[path = "ui/outline.rs"]
mod outline;
#[path = "ui/panels.rs"]
mod panels;
#[path = "ui/paths.rs"]
mod paths;
#[path = "ui/pictures.rs"]
mod pictures;
#[path = "ui/plots.rs"]
mod plots;
#[path = "ui/random.rs"]
mod random;
#[path = "ui/shelf.rs"]
mod shelf;
#[path = "ui/sizes.rs"]
mod sizes;
#[path = "ui/stage.rs"]
mod stage;
#[path = "ui/support.rs"]
mod support;
#[path = "ui/timeline.rs"]
mod timeline;
#[path = "ui/tour.rs"]
mod tour;
#[path = "ui/viewport.rs"]
mod viewport;
#[path = "ui/window.rs"]
mod window;
