//! Recording commands and sending them off in chunks of bounded GPU time, so that neither the desktop nor a viewport that
//! shares the GPU waits long for its turn.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::clock::Clock;
use super::{Gpu, GpuBuffer};

/// GPU time that a chunk should take, ns.
const CHUNK_NS: f64 = 8e6;
/// A host that was held up for so long, ns, had to wait for a chunk.
const BLOCKED_NS: f64 = 3e5;
/// Chunks that may be under way before recording waits.
const IN_FLIGHT: usize = 2;

/// The commands of the chunk that is being recorded.
pub struct Recorder {
    /// Declared before the encoder: a pass must end first.
    pass: Option<wgpu::ComputePass<'static>>,
    encoder: Option<wgpu::CommandEncoder>,
    /// Pipeline that the pass has.
    pipeline: u64,
    /// Number of the chunk, from 1.
    pub chunk: u64,
    /// Work in the chunk, in invocations.
    work: f64,
    gated: bool,
    pace: Pace,
    in_flight: VecDeque<Sent>,
    /// Times that the host waited until nothing was left to do.
    pub stalls: u64,
}

struct Sent {
    chunk: u64,
    index: wgpu::SubmissionIndex,
    at: Instant,
    work: f64,
    gated: bool,
    /// Whether it is known to be done.
    done: bool,
}

/// How fast the adapter is, learned from how long it made the host wait.
struct Pace {
    /// Time of an invocation of an ordinary kernel.
    ns: f64,
    /// What a dispatch costs beyond its invocations, in invocations.
    dispatch: f64,
    last: Instant,
}

impl Pace {
    /// So much `work` was sent at `at` and is done `now`, for which the host was held up `blocked_ns`.
    fn learn(&mut self, work: f64, gated: bool, at: Instant, now: Instant, blocked_ns: f64) {
        let begin = self.last.max(at);
        self.last = now;
        // Only when the host had to wait was the GPU busy all the time.
        if blocked_ns < BLOCKED_NS || work <= 0.0 {
            return;
        }
        let took = now.saturating_duration_since(begin).as_nanos() as f64;
        // Behind a closed gate there is little work, which says little about open ones. But were nothing learned from it, a
        // machine that was busy for a moment would be taken for a slow one for good.
        let least = if gated { 0.97 } else { 0.5 };
        self.ns *= (took / work / self.ns).clamp(least, 2.0);
    }
}

impl Recorder {
    pub fn new(software: bool) -> Self {
        // Measured on lavapipe: 5 ns an invocation of a Jacobi sweep, 30 µs a dispatch. Hardware is guessed low.
        let (ns, dispatch) = if software { (5.0, 6e3) } else { (0.05, 4e4) };
        Self {
            pass: None,
            encoder: None,
            pipeline: 0,
            chunk: 1,
            work: 0.0,
            gated: false,
            pace: Pace {
                ns,
                dispatch,
                last: Instant::now(),
            },
            in_flight: VecDeque::new(),
            stalls: 0,
        }
    }

    /// The encoder, outside any pass.
    pub fn encoder(&mut self, device: &wgpu::Device) -> &mut wgpu::CommandEncoder {
        self.pass = None;
        self.encoder
            .get_or_insert_with(|| device.create_command_encoder(&Default::default()))
    }

    /// A pass with the pipeline set. With a clock, a pass for one dispatch, which is timed.
    pub fn pass(
        &mut self,
        device: &wgpu::Device,
        pipeline: &super::pipelines::Pipeline,
        clock: Option<(&mut Clock, [&'static str; 2])>,
    ) -> &mut wgpu::ComputePass<'static> {
        if clock.is_some() {
            self.pass = None;
        }
        if self.pass.is_none() {
            self.pipeline = 0;
        }
        let encoder = self
            .encoder
            .get_or_insert_with(|| device.create_command_encoder(&Default::default()));
        let pass = self.pass.get_or_insert_with(|| {
            let description = wgpu::ComputePassDescriptor {
                label: None,
                timestamp_writes: clock.map(|(clock, what)| clock.time(what)),
            };
            encoder.begin_compute_pass(&description).forget_lifetime()
        });
        if self.pipeline != pipeline.id {
            pass.set_pipeline(&pipeline.raw);
            self.pipeline = pipeline.id;
        }
        pass
    }

    /// Ends a timed pass.
    pub fn end_pass(&mut self) {
        self.pass = None;
    }

    /// Adds a dispatch to the account. Whether the chunk is long enough now.
    pub fn count(&mut self, invocations: f64, gated: bool) -> bool {
        self.work += invocations + self.pace.dispatch;
        self.gated |= gated;
        self.work * self.pace.ns >= CHUNK_NS
    }

    /// On lavapipe a submission waits until the one before it is done.
    fn learn_from_submission(&mut self, blocked_ns: f64) {
        if blocked_ns < BLOCKED_NS {
            return;
        }
        if let Some(last) = self.in_flight.back()
            && !last.done
        {
            let (work, gated, at) = (last.work, last.gated, last.at);
            self.pace.learn(work, gated, at, Instant::now(), blocked_ns);
        }
        self.in_flight.iter_mut().for_each(|sent| sent.done = true);
    }

    /// Waits for the oldest chunk, for no longer than `time` if there is one. Whether it is done.
    fn retire(&mut self, device: &wgpu::Device, time: Option<Duration>) -> bool {
        let Some(oldest) = self.in_flight.front() else {
            return true;
        };
        let begin = Instant::now();
        let done = device.poll(wgpu::PollType::Wait {
            submission_index: Some(oldest.index.clone()),
            timeout: time,
        });
        match done {
            Err(wgpu::PollError::Timeout) => return false,
            Err(e) => log::debug!("waiting for a chunk: {e}"),
            Ok(_) => {}
        }
        if !oldest.done {
            let (work, gated, at, now) = (oldest.work, oldest.gated, oldest.at, Instant::now());
            let blocked_ns = (now - begin).as_nanos() as f64;
            self.pace.learn(work, gated, at, now, blocked_ns);
        }
        self.in_flight.pop_front();
        true
    }

    /// Drops what was recorded.
    pub fn discard(&mut self) {
        self.pass = None;
        self.encoder = None;
        self.in_flight.clear();
    }
}

impl Gpu {
    /// Sends off what was recorded.
    pub fn flush(&mut self) {
        if self.status.is_lost() {
            self.recorder.discard();
            return;
        }
        let recorder = &mut self.recorder;
        recorder.pass = None;
        let Some(mut encoder) = recorder.encoder.take() else {
            self.ring.send(&self.queue);
            return;
        };
        if let Some(clock) = &mut self.clock {
            clock.finish(
                &self.device,
                &mut encoder,
                &mut self.stagings,
                recorder.chunk,
            );
        }
        self.ring.send(&self.queue);
        let commands = encoder.finish();
        let at = Instant::now();
        let index = self.queue.submit([commands]);
        recorder.learn_from_submission(at.elapsed().as_nanos() as f64);
        recorder.in_flight.push_back(Sent {
            chunk: recorder.chunk,
            index,
            at,
            work: std::mem::take(&mut recorder.work),
            gated: std::mem::take(&mut recorder.gated),
            done: false,
        });
        recorder.chunk += 1;
        while recorder.in_flight.len() > IN_FLIGHT {
            recorder.retire(&self.device, None);
        }
        self.groups.bury(&self.graveyard);
    }

    /// Waits until that chunk is done, but no longer than `time` if there is one. Sends off what was recorded of it.
    pub fn wait_for(&mut self, chunk: u64, time: Option<Duration>) {
        if chunk == self.recorder.chunk {
            self.flush();
        }
        let recorder = &mut self.recorder;
        if time.is_none() && chunk + 1 >= recorder.chunk {
            recorder.stalls += 1;
        }
        let begin = Instant::now();
        while !self.status.is_lost() && recorder.in_flight.front().is_some_and(|s| s.chunk <= chunk)
        {
            let left = time.map(|time| time.saturating_sub(begin.elapsed()));
            if !recorder.retire(&self.device, left) {
                return;
            }
        }
    }

    /// Number of the chunk that is being recorded.
    pub fn chunk(&self) -> u64 {
        self.recorder.chunk
    }

    /// Number of the chunk that holds the last of the commands so far.
    pub fn last_chunk(&self) -> u64 {
        self.recorder.chunk - u64::from(self.recorder.encoder.is_none())
    }

    /// See [`crate::device::Device::stalls`].
    pub fn stalls(&self) -> u64 {
        self.recorder.stalls
    }

    /// Sends off what was recorded and waits for all of it.
    pub fn finish(&mut self) {
        self.flush();
        if !self.status.is_lost() {
            self.recorder.stalls += 1;
            if let Err(e) = self.device.poll(wgpu::PollType::wait_indefinitely()) {
                log::debug!("waiting for the GPU: {e}");
            }
            self.recorder.in_flight.clear();
            self.recorder.pace.last = Instant::now();
        }
    }

    /// Notes that the chunk mentions the buffer.
    pub(super) fn mark(&self, buffer: &GpuBuffer) {
        buffer.mark(self.recorder.chunk);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_in_which_the_machine_was_busy_is_forgotten() {
        let start = Instant::now();
        let mut pace = Pace {
            ns: 1.0,
            dispatch: 0.0,
            last: start,
        };
        let mut now = start;
        // Chunks of 8 ms at 1 ns an invocation, as the pace makes them, for a while ten times slower.
        let mut slowest = 0.0f64;
        for chunk in 0..200 {
            let work = CHUNK_NS / pace.ns;
            let truth = if chunk < 8 { 10.0 } else { 1.0 };
            let begin = now;
            now += Duration::from_nanos((work * truth) as u64);
            pace.learn(work, true, begin, now, 1e6);
            slowest = slowest.max(pace.ns);
        }
        assert!((9.0..11.0).contains(&slowest), "{slowest}");
        assert!((0.9..1.1).contains(&pace.ns), "{}", pace.ns);
        // What is not waited for says nothing.
        pace.learn(1.0, false, now, now + Duration::from_secs(1), 0.0);
        assert!((0.9..1.1).contains(&pace.ns), "{}", pace.ns);
    }
}
