//! `cargo xtask serve`: the page on 127.0.0.1, rebuilt on every change.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use crate::build;
use crate::options::ServeOptions;
use crate::setup;
use crate::shell::{self, Failure};

/// Where the search for a free port begins, and how far it goes.
const PORTS: std::ops::Range<u16> = 8080..8180;

/// Serves until it is stopped.
///
/// # Errors
/// The set-up fails, or Trunk does.
pub fn serve(options: &ServeOptions) -> Result<(), Failure> {
    setup::wasm_target()?;
    setup::fetch()?;
    let trunk = setup::trunk()?;
    let wasm_bindgen = setup::wasm_bindgen()?;
    let port = port(options.port)?;

    // A folder of its own: a running server and a build for publication do not write over each other's files.
    let folder = setup::target_folder()?.join("serve");
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::new(format!("could not make {}: {error}", folder.display())))?;
    let mut server = build::trunk(&trunk, &wasm_bindgen);
    server
        .args([
            "serve",
            "--offline",
            "true",
            "--disable-address-lookup",
            "true",
            "--address",
            "127.0.0.1",
            "--port",
            &port.to_string(),
            "--dist",
        ])
        .arg(&folder);
    if options.release {
        server.arg("--release");
    }
    if options.open {
        server.arg("--open");
    }
    println!(
        "Building the page. The first time, its libraries are compiled too: about 1 to 5 minutes. Later starts take seconds."
    );
    std::thread::spawn(move || announce(port));
    shell::run(&mut server)
}

/// Prints the address once something answers there, so that it is the last thing on the screen when the page can be opened.
fn announce(port: u16) {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    while TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_err() {
        std::thread::sleep(Duration::from_millis(200));
    }
    println!("\nFenceline is at http://{address}/ (Ctrl+C stops it)\n");
}

fn port(wanted: Option<u16>) -> Result<u16, Failure> {
    let free = |port: &u16| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok();
    match wanted {
        Some(port) if free(&port) => Ok(port),
        Some(port) => {
            Err(Failure::new(format!("port {port} on 127.0.0.1 is taken or not allowed: give another `--port`")))
        }
        None => PORTS
            .into_iter()
            .find(free)
            .ok_or_else(|| Failure::new("no free port from 8080 to 8179: give one with `--port`")),
    }
}
