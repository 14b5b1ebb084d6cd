//! The program: everything is in the library.

fn main() -> std::process::ExitCode {
    eddy::cli::main(std::env::args_os())
}
