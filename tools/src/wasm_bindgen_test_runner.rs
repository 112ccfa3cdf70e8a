//! `wasm-bindgen-test-runner`, the program that cargo calls to run a compiled browser test.
//!
//! It reads the test binary's own format, so it too must be exactly the version in the lock file.

fn main() -> anyhow::Result<()> {
    env_logger::init();
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os())
}
