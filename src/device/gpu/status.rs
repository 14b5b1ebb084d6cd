//! What went wrong: the first error since the last look, and whether the device is gone.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::device::{DeviceError, Result};

/// Shared with the driver's callbacks, which may run on any thread.
#[derive(Clone, Default)]
pub struct Status(Arc<Shared>);

#[derive(Default)]
struct Shared {
    lost: AtomicBool,
    reason: Mutex<String>,
    error: Mutex<Option<DeviceError>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Status {
    /// Notes an error, unless an earlier one was not looked at yet.
    pub fn report(&self, error: DeviceError) {
        lock(&self.0.error).get_or_insert(error);
    }
    /// Notes that the device is gone. The first reason stays.
    pub fn lose(&self, reason: &str) {
        let mut text = lock(&self.0.reason);
        if text.is_empty() {
            reason.clone_into(&mut text);
        }
        self.0.lost.store(true, Ordering::Release);
    }
    /// Whether the device is gone.
    pub fn is_lost(&self) -> bool {
        self.0.lost.load(Ordering::Acquire)
    }
    /// The error since the last look. A lost device stays lost.
    pub fn check(&self) -> Result<()> {
        if self.is_lost() {
            return Err(DeviceError::Lost(lock(&self.0.reason).clone()));
        }
        match lock(&self.0.error).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}
