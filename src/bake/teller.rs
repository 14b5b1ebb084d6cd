//! Progress and cancelling.

use std::cell::{Cell, RefCell};

use super::{BakeError, Progress, Stage};

/// Tells how far it is, and remembers that it should stop.
pub(super) struct Teller<'a> {
    tell: RefCell<&'a mut dyn FnMut(Progress) -> bool>,
    now: Cell<Progress>,
    stopped: Cell<bool>,
}

impl<'a> Teller<'a> {
    /// For so many steps.
    pub(super) fn new(tell: &'a mut dyn FnMut(Progress) -> bool, total: u64) -> Self {
        Self {
            tell: RefCell::new(tell),
            now: Cell::new(Progress {
                stage: Stage::WarmUp,
                frame: 0,
                done: 0,
                total,
            }),
            stopped: Cell::new(false),
        }
    }
    /// Says where it is.
    pub(super) fn at(&self, stage: Stage, frame: u32) {
        let now = self.now.get();
        self.now.set(Progress {
            stage,
            frame,
            ..now
        });
    }
    /// A step is done.
    pub(super) fn step(&self) -> Result<(), BakeError> {
        let mut now = self.now.get();
        now.done += 1;
        self.now.set(now);
        self.ask()
    }
    pub(super) fn ask(&self) -> Result<(), BakeError> {
        if self.stop() {
            Err(BakeError::Cancelled)
        } else {
            Ok(())
        }
    }
    /// Whether the caller wants to stop.
    pub(super) fn stop(&self) -> bool {
        if !self.stopped.get() {
            let mut tell = self.tell.borrow_mut();
            self.stopped.set(!(*tell)(self.now.get()));
        }
        self.stopped.get()
    }
}
