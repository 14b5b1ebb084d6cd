fn main() -> anyhow::Result<()> {
    env_logger::init();
    eddy::app::run(std::env::args_os().nth(1).map(Into::into))
}
