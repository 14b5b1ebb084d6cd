//! The CPU executor: a pool of its own, so that two devices never wait for each other's barriers.

use super::Kernel;

/// All cores of this machine. Twins use rayon's parallel iterators; they run inside this executor's pool.
pub struct Cpu {
    pool: rayon::ThreadPool,
}

impl Cpu {
    /// As many threads as cores, or as `RAYON_NUM_THREADS` says.
    pub(super) fn new() -> Self {
        Self::with_threads(0)
    }

    /// That many threads; 0 means as [`Cpu::new`].
    pub(super) fn with_threads(threads: usize) -> Self {
        let build = |n: usize| {
            rayon::ThreadPoolBuilder::new()
                .num_threads(n)
                .thread_name(|i| format!("eddy-cpu-{i}"))
                .build()
        };
        #[expect(
            clippy::expect_used,
            reason = "a process that cannot start one thread cannot do anything"
        )]
        let pool = build(threads)
            .or_else(|_| build(1))
            .expect("one worker thread can be started");
        Self { pool }
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    pub(super) fn name(&self) -> String {
        format!("CPU, {} threads", self.threads())
    }

    /// Runs `work` with rayon's calls going to this pool.
    pub(super) fn install<R: Send>(&self, work: impl FnOnce(&Self) -> R + Send) -> R {
        self.pool.install(|| work(self))
    }

    pub(super) fn run<K: Kernel>(&self, items: [u32; 3], kernel: K) {
        self.install(|cpu| kernel.cpu(cpu, items));
    }
}
