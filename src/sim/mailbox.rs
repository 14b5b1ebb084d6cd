//! Commands on their way to the runner's thread: in order, bounded, and without what a later one makes useless.

use std::collections::VecDeque;
use std::mem::{discriminant, replace};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::runner::Command;

/// Commands that wait before some are dropped. A person does not click so often during one step, but a key that is held
/// down repeats. Only single steps, and what the new command makes useless, are dropped: everything else must arrive.
const MANY: usize = 256;

/// See the module.
#[derive(Default)]
pub(super) struct Mailbox {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    commands: VecDeque<Command>,
    closed: bool,
}

/// Nobody sends any more, and nothing waits.
pub(super) struct Closed;

impl Mailbox {
    /// Puts a command behind the others. Returns a command that will never be obeyed for it: of several documents, places or
    /// settings in a row only the last counts.
    pub fn send(&self, command: Command) -> Option<Command> {
        let mut queue = self.lock();
        let dropped = match queue.commands.back_mut() {
            Some(last) if command.replaces(last) => Some(replace(last, command)),
            _ => {
                let dropped = queue.make_room(&command);
                queue.commands.push_back(command);
                dropped
            }
        };
        drop(queue);
        self.changed.notify_one();
        dropped
    }

    /// Nothing more will come.
    pub fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// The next command; none if there is none before `until`, or ever if that is none.
    pub fn next(&self, until: Option<Instant>) -> Result<Option<Command>, Closed> {
        let mut queue = self.lock();
        loop {
            if let Some(command) = queue.commands.pop_front() {
                return Ok(Some(command));
            }
            if queue.closed {
                return Err(Closed);
            }
            queue = match until.map(|u| u.saturating_duration_since(Instant::now())) {
                Some(Duration::ZERO) => return Ok(None),
                Some(left) => {
                    let waited = self.changed.wait_timeout(queue, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self
                    .changed
                    .wait(queue)
                    .unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    /// Where many wait, takes one out that can be spared.
    fn make_room(&mut self, command: &Command) -> Option<Command> {
        if self.commands.len() < MANY {
            return None;
        }
        let find = |spared: &dyn Fn(&Command) -> bool| self.commands.iter().position(spared);
        let useless = find(&|c| command.replaces(c));
        let spare = useless.or_else(|| find(&|c| matches!(c, Command::Step)));
        log::warn!("many commands wait for the simulation; one is dropped");
        self.commands.remove(spare?)
    }
}

impl Command {
    /// Whether nothing is left of `earlier` once this is obeyed.
    fn replaces(&self, earlier: &Self) -> bool {
        let settles = matches!(
            self,
            Self::Document(..)
                | Self::GoTo(_)
                | Self::Speed(_)
                | Self::Loop(_)
                | Self::Watch(_)
                | Self::Device(_)
                | Self::Reset
                | Self::Play
                | Self::Pause
                | Self::Recover
                | Self::Memory(_)
        );
        settles && discriminant(self) == discriminant(earlier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_order_and_drops_what_is_overtaken() {
        let mail = Mailbox::default();
        let sent = [
            Command::GoTo(1),
            Command::GoTo(2),
            Command::Step,
            Command::Step,
            Command::GoTo(3),
        ];
        let dropped: Vec<_> = sent.into_iter().filter_map(|c| mail.send(c)).collect();
        assert!(matches!(dropped[..], [Command::GoTo(1)]));
        let mut rest = Vec::new();
        while let Ok(Some(command)) = mail.next(Some(Instant::now())) {
            rest.push(command);
        }
        assert!(matches!(
            rest[..],
            [
                Command::GoTo(2),
                Command::Step,
                Command::Step,
                Command::GoTo(3)
            ]
        ));
    }

    #[test]
    fn is_bounded_and_closes_when_empty() {
        let mail = Mailbox::default();
        let dropped = (0..MANY + 7)
            .filter(|_| mail.send(Command::Step).is_some())
            .count();
        assert_eq!(dropped, 7);
        mail.close();
        for _ in 0..MANY {
            assert!(matches!(mail.next(None), Ok(Some(Command::Step))));
        }
        assert!(mail.next(None).is_err());
    }

    #[test]
    fn the_newest_of_everything_but_steps_arrives() {
        let mail = Mailbox::default();
        for i in 0..3 * MANY as u32 {
            mail.send(Command::Step);
            mail.send(Command::GoTo(i));
            mail.send(Command::Speed(i as f32));
        }
        mail.send(Command::Pause);
        let mut waiting = Vec::new();
        while let Ok(Some(command)) = mail.next(Some(Instant::now())) {
            waiting.push(command);
        }
        assert!(waiting.len() <= MANY + 1, "{}", waiting.len());
        let last = 3 * MANY as u32 - 1;
        assert!(matches!(
            waiting[waiting.len() - 3..],
            [Command::GoTo(g), Command::Speed(_), Command::Pause] if g == last
        ));
    }
}
