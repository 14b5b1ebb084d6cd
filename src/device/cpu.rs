//! The CPU executor: a pool of its own, so that two devices never wait for each other's barriers.

use std::sync::Arc;

use rayon::prelude::*;

use super::Kernel;

/// All cores of this machine. Twins use rayon's parallel iterators; they run inside this executor's pool.
pub struct Cpu {
    pool: Arc<rayon::ThreadPool>,
}

/// More threads than any machine has cores only get in each other's way, and many more bring it to a halt.
const MOST_THREADS: usize = 1024;

/// Threads of a device for which nothing else was said: as many as cores, or as `RAYON_NUM_THREADS` says.
pub fn default_threads() -> usize {
    let wanted = std::env::var("RAYON_NUM_THREADS").ok();
    let wanted = wanted.and_then(|n| n.parse().ok()).filter(|n| *n > 0);
    let wanted = wanted.map(|n: usize| n.min(MOST_THREADS));
    wanted.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Where the work of a device is done: its own threads on the CPU, the caller's on a GPU.
#[derive(Clone)]
pub struct Threads(Option<Arc<rayon::ThreadPool>>);

impl Threads {
    pub(super) fn of_caller() -> Self {
        Self(None)
    }

    /// Runs `work` there. A kernel that is called from outside wakes a thread of the pool, and then the caller is woken in
    /// turn; whatever calls several kernels does so in here, and spares both.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }
}

impl Cpu {
    /// [`default_threads`].
    pub(super) fn new() -> Self {
        Self::with_threads(default_threads())
    }

    /// That many threads.
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
        Self {
            pool: Arc::new(pool),
        }
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    pub(super) fn pool(&self) -> Threads {
        Threads(Some(Arc::clone(&self.pool)))
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

    /// Each thread copies the part that it is likely to work on next.
    pub(super) fn copy<T: Copy + Send + Sync>(&self, from: &[T], to: &mut [T]) {
        let part = from.len().div_ceil(self.threads()).max(1 << 14);
        self.install(|_| {
            to.par_chunks_mut(part)
                .zip(from.par_chunks(part))
                .for_each(|(to, from)| to.copy_from_slice(from));
        });
    }
}
