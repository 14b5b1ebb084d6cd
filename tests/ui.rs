//! The editor, driven as a hand drives it: by names, clicks, drags and keys.

#[path = "ui/bakes.rs"]
mod bakes;
#[path = "ui/comfort.rs"]
mod comfort;
#[path = "ui/files.rs"]
mod files;
#[path = "ui/live.rs"]
mod live;
#[path = "ui/outline.rs"]
mod outline;
#[path = "ui/panels.rs"]
mod panels;
#[path = "ui/paths.rs"]
mod paths;
#[path = "ui/stage.rs"]
mod stage;
#[path = "ui/support.rs"]
mod support;
#[path = "ui/timeline.rs"]
mod timeline;
#[path = "ui/viewport.rs"]
mod viewport;
#[path = "ui/window.rs"]
mod window;
