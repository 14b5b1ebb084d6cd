//! The command line: one file a command. None needs a window or a GPU, except the editor itself.
//!
//! Results go to stdout, progress and errors to stderr. Exit codes: 0 done, 1 failed, 2 not understood. A command that was
//! given `--json` and has no result writes `{"error": message}` to stdout, so that what reads it always finds JSON.

mod bake;
mod bench;
mod check;
mod compare;
mod editor;
mod interrupt;
mod methods;
mod migrate;
mod output;
mod picture;
mod progress;
mod scene;
mod sheet;
mod snapshot;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::ui::logbook;

pub use methods::markdown as methods_markdown;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub enum Error {
    /// It was not understood: exit code 2.
    Usage(String),
    /// It failed: exit code 1.
    Failed(String),
    /// It failed, and what there is to say has been said.
    Silent,
}

impl<E: std::error::Error> From<E> for Error {
    fn from(error: E) -> Self {
        Self::Failed(error.to_string())
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Usage(message) | Self::Failed(message) => f.write_str(message),
            Self::Silent => Ok(()),
        }
    }
}

/// Shorthand of the commands.
type Result<T = ()> = std::result::Result<T, Error>;

/// Tune the look of real-time wind and water, and bake it.
#[derive(Debug, Parser)]
#[command(name = "eddy", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// Preset to open in the editor.
    preset: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Simulates a preset and writes its textures, with a sidecar that says how to read them.
    ///
    /// For an engine, name it: `--set bake.engine=Unreal`, `Unity` or `Godot`. Signs and axes are then the engine's, and notes
    /// and a script for the import are written too.
    Bake(bake::Args),
    /// Runs one scene in several ways and shows cost and error side by side.
    Compare(compare::Args),
    /// Runs the standard workloads and says how fast they are.
    Bench(bench::Args),
    /// Lists methods and Poisson solvers with parameters, units, ranges and fields.
    Methods(methods::Args),
    /// Says whether presets are well-formed, and where not.
    Check(check::Args),
    /// Writes what the viewport shows at a frame.
    Snapshot(snapshot::Args),
    /// Brings a preset into the present form.
    Migrate(migrate::Args),
}

/// Runs the program: parses the arguments, does what they ask for, and says how it went.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let wanted = env_logger::Env::default().default_filter_or("warn");
    let terminal = env_logger::Builder::from_env(wanted).build();
    let shown = terminal.filter();
    logbook::install(Box::new(terminal), shown);
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // Looked for by hand, as it counts even where the rest is not understood.
    let json = arguments.iter().any(|a| a == "--json");
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(e) => {
            // Help and version are results, everything else is a mistake; where they cannot be written there is no one.
            let _ = e.print();
            if json && e.use_stderr() {
                let message = e.render().to_string();
                output::failed(message.trim().trim_start_matches("error: "));
            }
            return ExitCode::from(e.exit_code().clamp(0, 2) as u8);
        }
    };
    let outcome = match cli.command {
        None => editor::run(cli.preset),
        Some(Command::Bake(args)) => bake::run(&args),
        Some(Command::Compare(args)) => compare::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Methods(args)) => methods::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Snapshot(args)) => snapshot::run(&args),
        Some(Command::Migrate(args)) => migrate::run(&args),
    };
    let (message, code) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Error::Silent) => return ExitCode::FAILURE,
        Err(Error::Usage(message)) => (message, ExitCode::from(2)),
        Err(Error::Failed(message)) => (message, ExitCode::FAILURE),
    };
    output::complain(&message);
    if json {
        output::failed(&message);
    }
    code
}
