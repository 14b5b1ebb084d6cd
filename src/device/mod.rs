//! Where kernels run: all cores of the CPU, or a GPU through wgpu.
//!
//! A method writes its `step` once and dispatches kernels on a [`Device`]. A kernel is a WGSL file and a CPU function
//! (its twin) with the same arguments, declared once by [`kernel!`](crate::kernel!). Buffers are flat and typed; on the
//! CPU they are plain vectors.

mod buf;
mod cpu;
mod gpu;
mod kernel;
pub mod kernels;
mod readback;
pub mod reduce;
mod repeat;
mod shader;
mod shared;
mod simd;
mod timing;
mod triad;

pub use buf::{Buf, Plain};
pub use cpu::{Cpu, Threads, default_threads};
pub use kernel::{Access, Arg, ArgInfo, Bindings, Kernel, KernelInfo};
pub use readback::Ticket;
pub use repeat::{Iterate, Loop, LoopReport, Norm, PARTIALS, Until};
pub use shader::{check_kernel, check_uniforms, kernel_files, link as link_shader, shader_files};
pub use shared::{Member, Shared, SharedInfo};
pub use timing::{KernelTime, Timings};
pub use triad::Triad;

use gpu::Gpu;

/// What was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// A real GPU where there is one, else the CPU. A software adapter is never preferred to the CPU.
    #[default]
    Auto,
    /// All cores.
    Cpu,
    /// Any adapter, even a software one.
    Gpu,
}

/// Which executor it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceKind {
    /// All cores.
    Cpu,
    /// A hardware GPU.
    Gpu,
    /// A GPU driver that runs on the CPU, such as lavapipe.
    SoftwareGpu,
}

/// What can go wrong on a device.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DeviceError {
    /// There is no adapter that can compute.
    #[error("no GPU adapter was found: {0}")]
    NoAdapter(String),
    /// More memory than was allowed.
    #[error("{label} needs {} MiB, but only {} MiB of the {} MiB allowed are left", mib(*needed), mib(limit.saturating_sub(*used)), mib(*limit))]
    Memory {
        /// What was to be made.
        label: String,
        /// Bytes asked for.
        needed: u64,
        /// Bytes already taken.
        used: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// More than the adapter takes in one buffer.
    #[error("{label} needs {} MiB, but one buffer may have at most {} MiB on this GPU", mib(*needed), mib(*limit))]
    BufferSize {
        /// What was to be made.
        label: String,
        /// Bytes asked for.
        needed: u64,
        /// Bytes that one buffer may have.
        limit: u64,
    },
    /// More was written to a buffer, or copied into it, than it holds. Nothing was done.
    #[error("{given} values were to go into {label}, which holds {room}")]
    Size {
        /// The buffer.
        label: String,
        /// Values that were given.
        given: usize,
        /// Values that it holds.
        room: usize,
    },
    /// Something that there is on the other kind of device only.
    #[error("{what} runs on the CPU only; {instead}")]
    CpuOnly {
        /// What was asked for.
        what: &'static str,
        /// What to do about it.
        instead: &'static str,
    },
    /// A method cannot do what the scene and its parameters ask for; it says what would do.
    #[error("{0}")]
    Unfit(String),
    /// The GPU went away; its buffers are gone.
    #[error("the GPU was lost: {0}")]
    Lost(String),
    /// A shader did not compile, or the driver refused something.
    #[error("{0}")]
    Gpu(String),
}

fn mib(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// Shorthand of this module.
pub type Result<T> = std::result::Result<T, DeviceError>;

enum Backend {
    Cpu(Cpu),
    Gpu(Box<Gpu>),
}

/// An executor of kernels with its buffers' accounts and timings.
pub struct Device {
    backend: Backend,
    memory: buf::Account,
    timings: Timings,
    /// What was asked of the device that cannot be, unless it was told already.
    misuse: Option<DeviceError>,
}

impl Device {
    /// Opens a device.
    ///
    /// # Errors
    /// [`DeviceError::NoAdapter`] when a GPU was asked for and there is none. `Auto` falls back to the CPU.
    pub fn new(choice: DeviceChoice) -> Result<Self> {
        let backend = match choice {
            DeviceChoice::Cpu => Backend::Cpu(Cpu::new()),
            DeviceChoice::Gpu => Backend::Gpu(Box::new(Gpu::new(true)?)),
            DeviceChoice::Auto => match Gpu::new(false) {
                Ok(gpu) => Backend::Gpu(Box::new(gpu)),
                Err(_) => Backend::Cpu(Cpu::new()),
            },
        };
        Ok(Self::on(backend))
    }

    /// A device for work beside a window, to which a core of the CPU is left where there are more than two. Results are the
    /// same at any number of threads.
    ///
    /// # Errors
    /// As [`Device::new`].
    pub fn sparing_a_core(choice: DeviceChoice) -> Result<Self> {
        let device = Self::new(choice)?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = device.cpu().map_or(0, Cpu::threads);
        Ok(if threads >= cores && cores > 2 {
            Self::cpu_with_threads(cores - 1)
        } else {
            device
        })
    }

    /// The CPU with that many threads.
    pub fn cpu_with_threads(threads: usize) -> Self {
        Self::on(Backend::Cpu(Cpu::with_threads(threads.max(1))))
    }

    fn on(backend: Backend) -> Self {
        Self {
            backend,
            memory: buf::Account::default(),
            timings: Timings::default(),
            misuse: None,
        }
    }

    /// Which executor it is.
    pub fn kind(&self) -> DeviceKind {
        match &self.backend {
            Backend::Cpu(_) => DeviceKind::Cpu,
            Backend::Gpu(gpu) if gpu.is_software() => DeviceKind::SoftwareGpu,
            Backend::Gpu(_) => DeviceKind::Gpu,
        }
    }

    /// For people: adapter, or processor with its number of threads.
    pub fn name(&self) -> String {
        match &self.backend {
            Backend::Cpu(cpu) => cpu.name(),
            Backend::Gpu(gpu) => gpu.name(),
        }
    }

    /// The CPU executor, if that is what this is.
    pub fn cpu(&self) -> Option<&Cpu> {
        match &self.backend {
            Backend::Cpu(cpu) => Some(cpu),
            Backend::Gpu(_) => None,
        }
    }

    /// The threads that do its work; see [`Threads::run`].
    pub fn threads(&self) -> Threads {
        match &self.backend {
            Backend::Cpu(cpu) => cpu.pool(),
            Backend::Gpu(_) => Threads::of_caller(),
        }
    }

    /// Allows at most `bytes` for all buffers together.
    pub fn set_memory_limit(&mut self, bytes: u64) {
        self.memory.set_limit(bytes);
    }

    /// Bytes that live buffers take now.
    pub fn memory_used(&self) -> u64 {
        self.memory.used()
    }

    /// A buffer of `len` zeros.
    ///
    /// # Errors
    /// [`DeviceError::Memory`] over the limit, [`DeviceError::BufferSize`] over what the GPU takes in one buffer.
    pub fn buf<T: Plain>(&mut self, label: &str, len: usize) -> Result<Buf<T>> {
        self.make(label, len, false)
    }

    fn make<T: Plain>(&mut self, label: &str, len: usize, gate: bool) -> Result<Buf<T>> {
        let charge = self
            .memory
            .take(label, (len as u64).saturating_mul(size_of::<T>() as u64))?;
        match &mut self.backend {
            Backend::Cpu(_) => Ok(Buf::on_cpu(label, vec![T::zeroed(); len], charge)),
            Backend::Gpu(gpu) => {
                let buffer = gpu.create(label, charge.bytes(), gate)?;
                Ok(Buf::on_gpu(label, len, buffer, charge))
            }
        }
    }

    /// A buffer with the given contents.
    ///
    /// # Errors
    /// [`DeviceError::Memory`] over the limit.
    pub fn buf_from<T: Plain>(&mut self, label: &str, data: &[T]) -> Result<Buf<T>> {
        let mut buf = self.buf(label, data.len())?;
        self.write(&mut buf, data);
        Ok(buf)
    }

    /// Replaces the first `data.len()` values. If there are fewer, nothing is written, and the next call that can say so
    /// returns [`DeviceError::Size`].
    pub fn write<T: Plain>(&mut self, buf: &mut Buf<T>, data: &[T]) {
        if !self.fits(data.len(), buf) {
            return;
        }
        match &mut self.backend {
            Backend::Cpu(_) => buf.host_mut()[..data.len()].copy_from_slice(data),
            Backend::Gpu(gpu) => gpu.write(buf.gpu(), bytemuck::cast_slice(data)),
        }
    }

    /// Copies `src` over the beginning of `dst`. If that is shorter, nothing is copied, and the next call that can say so
    /// returns [`DeviceError::Size`].
    pub fn copy<T: Plain>(&mut self, src: &Buf<T>, dst: &mut Buf<T>) {
        if !self.fits(src.len(), dst) {
            return;
        }
        let len = src.len();
        match &mut self.backend {
            Backend::Cpu(cpu) => cpu.copy(src.host(), &mut dst.host_mut()[..len]),
            Backend::Gpu(gpu) => gpu.copy(src.gpu(), dst.gpu(), (len * size_of::<T>()) as u64),
        }
    }

    /// Whether so many values go into a buffer; notes the error if not.
    fn fits<T: Plain>(&mut self, given: usize, buf: &Buf<T>) -> bool {
        let fits = given <= buf.len();
        if !fits {
            self.misuse.get_or_insert_with(|| DeviceError::Size {
                label: buf.label().to_owned(),
                given,
                room: buf.len(),
            });
        }
        fits
    }

    /// The error that was noted since the last look.
    fn look(&mut self) -> Result<()> {
        self.misuse.take().map_or(Ok(()), Err)
    }

    /// Sets every value to zero.
    pub fn clear<T: Plain>(&mut self, buf: &mut Buf<T>) {
        match &mut self.backend {
            Backend::Cpu(_) => buf.host_mut().fill(T::zeroed()),
            Backend::Gpu(gpu) => gpu.clear(buf.gpu()),
        }
    }

    /// The contents, when all work so far is done.
    ///
    /// # Errors
    /// Whatever went wrong on the device since the last call that could say so.
    pub fn read<T: Plain>(&mut self, buf: &Buf<T>) -> Result<Vec<T>> {
        self.look()?;
        match &mut self.backend {
            Backend::Cpu(_) => Ok(buf.host().to_vec()),
            Backend::Gpu(gpu) => {
                let bytes = gpu.read(buf.gpu(), (buf.len() * size_of::<T>()) as u64)?;
                Ok(bytemuck::pod_collect_to_vec(&bytes))
            }
        }
    }

    /// Runs a kernel over `items` (cells along x, y, z; use 1 where a dimension is not used). The GPU is given at least
    /// so many invocations; the shader returns early outside.
    pub fn run<K: Kernel>(&mut self, items: [u32; 3], kernel: K) {
        match &mut self.backend {
            Backend::Cpu(cpu) => {
                let begin = std::time::Instant::now();
                cpu.run(items, kernel);
                self.timings.add(K::INFO.name, begin.elapsed());
            }
            Backend::Gpu(gpu) => gpu.run(items, &kernel),
        }
    }

    /// Runs something that the two executors do in different ways: one call on the CPU, several dispatches on the GPU.
    /// The CPU time goes to `name`.
    pub fn either(
        &mut self,
        name: &'static str,
        on_cpu: impl FnOnce(&Cpu) + Send,
        on_gpu: impl FnOnce(&mut Self),
    ) {
        match &mut self.backend {
            Backend::Cpu(cpu) => {
                let begin = std::time::Instant::now();
                cpu.install(on_cpu);
                self.timings.add(name, begin.elapsed());
            }
            Backend::Gpu(_) => on_gpu(self),
        }
    }

    /// Sends recorded work off.
    pub fn submit(&mut self) {
        if let Backend::Gpu(gpu) = &mut self.backend {
            gpu.flush();
        }
    }

    /// Does a part of the work whose time is kept apart, such as one of several solves by the same kernels. A part inside
    /// another one has its time for itself.
    pub fn part<R>(&mut self, part: &'static str, work: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.set_part(part);
        let result = work(self);
        self.set_part(before);
        result
    }

    fn set_part(&mut self, part: &'static str) -> &'static str {
        if let Backend::Gpu(gpu) = &mut self.backend {
            gpu.set_part(part);
        }
        self.timings.set_part(part)
    }

    /// Sends recorded work off and waits for it.
    ///
    /// # Errors
    /// Whatever went wrong on the device since the last call that could say so.
    pub fn sync(&mut self) -> Result<()> {
        self.look()?;
        match &mut self.backend {
            Backend::Cpu(_) => Ok(()),
            Backend::Gpu(gpu) => gpu.sync(),
        }
    }

    /// Turns the timing of kernels on or off. It begins on the CPU switched on, on a GPU switched off: there each dispatch
    /// gets a pass of its own for it, which costs about 3 µs of the CPU.
    pub fn set_timing(&mut self, on: bool) {
        self.timings.set_on(on);
        if let Backend::Gpu(gpu) = &mut self.backend {
            gpu.set_timing(on);
        }
    }

    /// What people should know: in debug builds, shaders that could not be loaded again after an edit. Each is told once.
    pub fn take_messages(&mut self) -> Vec<String> {
        match &mut self.backend {
            Backend::Cpu(_) => Vec::new(),
            Backend::Gpu(gpu) => gpu.take_messages(),
        }
    }

    /// Takes the GPU away, as a driver that crashes does, to test what follows. Nothing happens on the CPU.
    pub fn lose_for_test(&mut self) {
        if let Backend::Gpu(gpu) = &mut self.backend {
            gpu.lose_for_test();
        }
    }

    /// Time per kernel and part since the last call, in order of first use, of the work that is done by now. On a GPU without
    /// timestamps it is empty.
    pub fn take_timings(&mut self) -> Vec<KernelTime> {
        if let Backend::Gpu(gpu) = &mut self.backend {
            gpu.collect_done_timings(&mut self.timings);
        }
        self.timings.take()
    }
}
