//! Recording commands and sending them off in chunks of bounded GPU time, so that neither the desktop nor a viewport that
//! shares the GPU waits long for its turn.

use std::collections::VecDeque;
use std::time::Instant;

use super::clock::Clock;
use super::{Gpu, GpuBuffer};

/// GPU time that a chunk should take, ns.
const CHUNK_NS: f64 = 8e6;
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
}

struct Sent {
    index: wgpu::SubmissionIndex,
    at: Instant,
    work: f64,
    gated: bool,
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
    fn learn(&mut self, sent: &Sent, blocked_ns: f64) {
        let now = Instant::now();
        let begin = self.last.max(sent.at);
        self.last = now;
        // Only when the host had to wait was the GPU busy all the time.
        if blocked_ns < 3e5 || sent.work <= 0.0 {
            return;
        }
        let ratio = ((now - begin).as_nanos() as f64 / sent.work / self.ns).clamp(0.5, 2.0);
        // Behind a closed gate there is little work, which says nothing about open ones.
        if !(sent.gated && ratio < 1.0) {
            self.ns *= ratio;
        }
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
        let at = Instant::now();
        let index = self.queue.submit([encoder.finish()]);
        recorder.chunk += 1;
        recorder.in_flight.push_back(Sent {
            index,
            at,
            work: std::mem::take(&mut recorder.work),
            gated: std::mem::take(&mut recorder.gated),
        });
        while recorder.in_flight.len() > IN_FLIGHT {
            if let Some(oldest) = recorder.in_flight.pop_front() {
                let done = self.device.poll(wgpu::PollType::Wait {
                    submission_index: Some(oldest.index.clone()),
                    timeout: None,
                });
                if let Err(e) = done {
                    log::debug!("waiting for a chunk: {e}");
                }
                // On lavapipe it is the submission that waits.
                recorder.pace.learn(&oldest, at.elapsed().as_nanos() as f64);
            }
        }
        self.groups.bury(&self.graveyard);
    }

    /// Sends off what was recorded and waits for all of it.
    pub fn finish(&mut self) {
        self.flush();
        if !self.status.is_lost() {
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
