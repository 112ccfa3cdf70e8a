//! A browser's driver: started on a free port for one test, and gone after it.

use std::env;
use std::io::{BufRead as _, BufReader};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::view::View;

/// How long a driver may take until it listens.
const START: Duration = Duration::from_secs(30);

/// The style of a window without any air in its bars.
const NARROW: &str = "* { margin: 0; border-width: 0; padding: 0; min-width: 0; min-height: 0; font-size: 1px; }\n";

/// The browser under the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Browser {
    /// Chromium, headless, through chromedriver.
    Chromium,
    /// Firefox, headless, through geckodriver.
    Firefox,
    /// `WebKitGTK`'s small browser on a screen that nobody sees: it has no headless mode.
    WebKit,
}

impl Browser {
    /// The one named in `FENCELINE_BROWSER`.
    ///
    /// # Panics
    /// The name is not known.
    pub fn chosen() -> Self {
        match env::var("FENCELINE_BROWSER").as_deref() {
            Err(_) | Ok("chromium") => Self::Chromium,
            Ok("firefox") => Self::Firefox,
            Ok("webkit") => Self::WebKit,
            Ok(other) => panic!("FENCELINE_BROWSER is `{other}`; it can be chromium, firefox or webkit"),
        }
    }

    fn driver(self) -> PathBuf {
        let name = match self {
            Self::Chromium => "chromedriver",
            Self::Firefox => "geckodriver",
            Self::WebKit => "WebKitWebDriver",
        };
        env::var_os("FENCELINE_DRIVER").unwrap_or_else(|| name.into()).into()
    }

    /// What to ask for in a new session.
    pub fn capabilities(self, view: View) -> Value {
        match self {
            Self::Chromium => json!({
                "goog:loggingPrefs": { "browser": "ALL" },
                "goog:chromeOptions": { "args": [
                    "--headless=new",
                    // Chromium refuses to start as root with its sandbox on. It opens nothing here but this project's page.
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                    "--disable-quic",
                    "--no-first-run",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--disable-sync",
                    format!("--window-size={},{}", view.width, view.height),
                ] },
            }),
            Self::Firefox => {
                // 0 is dark, 1 is light.
                let scheme = json!({ "layout.css.prefers-color-scheme.content-override": i32::from(!view.dark) });
                json!({ "moz:firefoxOptions": { "args": ["-headless"], "prefs": scheme } })
            }
            Self::WebKit => json!({}),
        }
    }
}

/// A running driver, and what it needs beside it. All of it ends when this goes out of scope.
pub struct Driver {
    /// Where it listens.
    pub address: String,
    /// The driver first: what it needs ends after it.
    _processes: Vec<Process>,
}

impl Driver {
    /// Starts a driver for the browser.
    ///
    /// # Panics
    /// A program is missing or does not start.
    pub fn start(browser: Browser, view: View) -> Self {
        // Between looking for a free port and listening on it, another program can take it. Twice in a row would be strange.
        Self::try_start(browser, view)
            .or_else(|_| Self::try_start(browser, view))
            .unwrap_or_else(|problem| panic!("{problem}"))
    }

    fn try_start(browser: Browser, view: View) -> Result<Self, String> {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
        let port = port.map_err(|error| format!("no free port on 127.0.0.1: {error}"))?.port();
        let mut command = Command::new(browser.driver());
        let mut beside = Vec::new();
        match browser {
            Browser::Chromium => command.arg(format!("--port={port}")),
            // System access is what lets a test make the window as narrow as a phone.
            Browser::Firefox => {
                command.args(["--port", &port.to_string(), "--websocket-port", "0", "--allow-system-access"])
            }
            Browser::WebKit => {
                let (screen, display) = first_line(Command::new("Xvfb").args([
                    "-displayfd",
                    "1",
                    "-screen",
                    "0",
                    "1600x1200x24",
                    "-nolisten",
                    "tcp",
                ]))?;
                let (bus, bus_address) = first_line(Command::new("dbus-daemon").args([
                    "--session",
                    "--nofork",
                    "--nopidfile",
                    "--print-address=1",
                ]))?;
                beside.extend([bus, screen]);
                command
                    .arg(format!("--port={port}"))
                    .env("DISPLAY", format!(":{display}"))
                    .env_remove("WAYLAND_DISPLAY")
                    .env("DBUS_SESSION_BUS_ADDRESS", bus_address)
                    .env("XDG_CONFIG_HOME", narrow_bars()?)
                    .env("GTK_THEME", if view.dark { "Adwaita:dark" } else { "Adwaita" })
                    // Its sandbox does not start as root, and it too opens nothing but this project's page.
                    .env("WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS", "1")
            }
        };
        let mut driver = Process::start(command.stdout(Stdio::null()).stderr(Stdio::null()))?;
        let deadline = Instant::now() + START;
        while TcpStream::connect(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).is_err() {
            if let Ok(Some(status)) = driver.0.try_wait() {
                return Err(format!("{} ended at once with {status}", browser.driver().display()));
            }
            if Instant::now() > deadline {
                return Err(format!("{} does not listen after {} s", browser.driver().display(), START.as_secs()));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let mut processes = vec![driver];
        processes.append(&mut beside);
        Ok(Self { address: format!("http://127.0.0.1:{port}"), _processes: processes })
    }
}

/// A folder of settings that let `WebKit`'s window be as narrow as a phone: its bar is as wide as the buttons in it.
fn narrow_bars() -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("target").join("e2e-webkit");
    for toolkit in ["gtk-3.0", "gtk-4.0"] {
        let place = folder.join(toolkit);
        std::fs::create_dir_all(&place)
            .and_then(|()| std::fs::write(place.join("gtk.css"), NARROW))
            .map_err(|error| format!("could not write {}: {error}", place.display()))?;
    }
    Ok(folder)
}

/// Starts a program and waits for the first line it prints.
fn first_line(command: &mut Command) -> Result<(Process, String), String> {
    let mut process = Process::start(command.stdout(Stdio::piped()).stderr(Stdio::null()))?;
    let mut line = String::new();
    if let Some(output) = process.0.stdout.take() {
        // A program that fails closes its output, so this ends in any case.
        BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string())?;
    }
    match line.trim() {
        "" => Err(format!("`{}` ended without saying where it listens", command.get_program().display())),
        line => Ok((process, line.to_owned())),
    }
}

/// A program that ends with this value.
struct Process(Child);

impl Process {
    fn start(command: &mut Command) -> Result<Self, String> {
        command.stdin(Stdio::null()).spawn().map(Self).map_err(|error| {
            let name = command.get_program().display();
            format!("could not start `{name}` ({error}). `cargo xtask test` installs what the tests need.")
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself, which is as well.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
