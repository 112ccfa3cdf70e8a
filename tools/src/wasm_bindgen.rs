//! `wasm-bindgen`, the program that Trunk calls to make JavaScript for a compiled page.
//!
//! Trunk wants exactly the version that the page is compiled against. Built from the workspace's lock file, it is that version.

fn main() -> anyhow::Result<()> {
    env_logger::init();
    wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(std::env::args_os())
}
