//! Pictures, and what lies over them, made beside the interface, so that it never waits for one.

use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// Makes one picture at a time, on threads of its own: the simulation holds the common ones for as long as a solve takes.
pub struct Background<T> {
    threads: Option<rayon::ThreadPool>,
    coming: Option<Receiver<T>>,
}

impl<T: Send + 'static> Background<T> {
    /// With so many threads; zero for as many as there are cores. Where the system refuses them, pictures are made at once.
    pub fn new(threads: usize) -> Self {
        Self {
            threads: rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .thread_name(|i| format!("picture {i}"))
                .panic_handler(|_| log::error!("a picture could not be made"))
                .build()
                .ok(),
            coming: None,
        }
    }

    /// Makes a picture and waits for it.
    pub fn make(&self, make: impl FnOnce() -> T + Send) -> T {
        match &self.threads {
            Some(threads) => threads.install(make),
            None => make(),
        }
    }

    /// Begins a picture, if none is being made; `wake` is called when it is there. Returns whether it began.
    pub fn begin(
        &mut self,
        make: impl FnOnce() -> T + Send + 'static,
        wake: impl FnOnce() + Send + 'static,
    ) -> bool {
        if self.coming.is_some() {
            return false;
        }
        let (sender, receiver) = channel();
        let work = move || {
            // Nobody waits for it any more when this fails.
            let _ = sender.send(make());
            wake();
        };
        match &self.threads {
            Some(threads) => threads.spawn(work),
            None => work(),
        }
        self.coming = Some(receiver);
        true
    }

    /// Gives the picture up that was begun, if one was.
    pub fn forget(&mut self) {
        self.coming = None;
    }

    /// The picture that was begun, once it is there.
    pub fn take(&mut self) -> Option<T> {
        match self.coming.as_ref()?.try_recv() {
            Ok(made) => {
                self.coming = None;
                Some(made)
            }
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => {
                self.coming = None;
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Picture;

    #[test]
    fn one_picture_at_a_time_and_none_is_waited_for() {
        let mut background = Background::new(1);
        let (go, wait) = channel::<()>();
        let picture = |v| Picture {
            width: 1,
            height: 1,
            rgba: vec![v; 4],
        };
        let slow = move || {
            let _ = wait.recv();
            picture(1)
        };
        assert!(background.begin(slow, || {}));
        assert!(!background.begin(move || picture(2), || {}));
        assert_eq!(background.take(), None);
        go.send(()).expect("it waits");
        let made = loop {
            if let Some(made) = background.take() {
                break made;
            }
            std::thread::yield_now();
        };
        assert_eq!(made, picture(1));
        assert!(background.begin(move || picture(2), || {}));
    }
}
