//! A file server for the built page, which sends the headers that the page has to live with.
//!
//! It answers GET and HEAD, closes each connection, and knows the few types of file that the page has. A strict content security
//! policy comes with every file: a page that breaks it shows an error in the console, and a test fails.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::console;

const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; \
    img-src 'self' data:; base-uri 'none'; form-action 'none'";

/// What a page that embeds the figure allows: frames of this site, and no WebAssembly.
const HOST_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
    frame-src 'self'; base-uri 'none'; form-action 'none'";

/// Under these addresses, relative to the page's, are folders of the project: pages that embed the figure, and pictures for them.
const BESIDE: [(&str, &str); 2] = [("hosts/", "e2e/hosts"), ("docs/", "docs")];

/// What this project's documentation allows: mdBook has scripts and styles of its own in its pages.
const BOOK_POLICY: &str = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; font-src 'self'; \
    connect-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'";

/// Under this address, relative to the page's, is the documentation with the built page in it, from the folder that
/// `FENCELINE_BOOK` names.
pub const BOOK: &str = "book/";

/// Under this address is the site that has the npm package installed, which `FENCELINE_SITE` names.
const SITE: &str = "site/";

/// Under this address, relative to the page's, is the page as it is when its compiled part cannot be had.
pub const WITHOUT_WASM: &str = "without-wasm/";

/// Under this address, relative to the page's, is the page as it is where no worker may start.
pub const WITHOUT_WORKER: &str = "without-worker/";

/// Under this address, relative to the page's, is a text that begins like a document and never ends, and that comes as fast as it is
/// taken.
pub const FLOOD: &str = "endless/flood.json";

/// The same, a character at a time.
pub const DRIP: &str = "endless/drip.json";

/// How long an endless text is sent to somebody who does not hang up.
const ENDLESS: Duration = Duration::from_secs(40);

/// How many are being sent of a text that never ends.
static SENDING: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Whether a text that never ends is being sent to somebody.
pub fn is_sending(path: &str) -> bool {
    sending().iter().any(|sent| sent == path)
}

fn sending() -> MutexGuard<'static, Vec<String>> {
    SENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends a text that never ends, until nobody listens any more.
fn send_endless(mut connection: &TcpStream, path: &str) {
    let (piece, pause) = if path == FLOOD { (" ".repeat(4_096), 1) } else { (" ".to_owned(), 20) };
    sending().push(path.to_owned());
    let end = Instant::now() + ENDLESS;
    let mut write = |text: &str| connection.write_all(text.as_bytes()).and_then(|()| connection.flush());
    let mut is_heard = write("{");
    while is_heard.is_ok() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(pause));
        is_heard = write(&piece);
    }
    let mut sending = sending();
    if let Some(at) = sending.iter().position(|sent| sent == path) {
        sending.swap_remove(at);
    }
}

/// The address of the page, `http://127.0.0.1:PORT/`. The server starts with the first question and runs as long as the tests.
///
/// # Panics
/// The page is not built, or no port is free.
pub fn address() -> &'static str {
    static ADDRESS: OnceLock<String> = OnceLock::new();
    ADDRESS.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("dist");
        assert!(
            folder.join("index.html").is_file(),
            "there is no built page in dist/: run `cargo xtask build` first, or `cargo xtask test --only e2e`"
        );
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port on 127.0.0.1");
        let port = listener.local_addr().expect("a listener knows its address").port();
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let folder = folder.clone();
                // A browser that hangs up early is no fault of the page.
                std::thread::spawn(move || answer(&connection, &folder).ok());
            }
        });
        format!("http://127.0.0.1:{port}/")
    })
}

fn answer(mut connection: &TcpStream, folder: &Path) -> io::Result<()> {
    connection.set_read_timeout(Some(Duration::from_secs(10)))?;
    let mut lines = BufReader::new(connection).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    // The headers say nothing that is of use here, but a connection closed before they are read is an error to the browser.
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let mut words = request.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let endless = [FLOOD, DRIP].into_iter().find(|path| target.strip_prefix('/') == Some(path));
    let (status, kind, body) = match (method, target.split(['?', '#']).next()) {
        ("GET", _) if endless.is_some() => ("200 OK", "application/json", Vec::new()),
        ("GET" | "HEAD", Some(console::PATH)) => ("200 OK", "text/javascript", console::SCRIPT.as_bytes().to_vec()),
        ("GET" | "HEAD", Some(path)) => match read(folder, path) {
            Some((kind, body)) => ("200 OK", kind, body),
            None => ("404 Not Found", "text/plain", b"There is no such file.".to_vec()),
        },
        _ => ("405 Method Not Allowed", "text/plain", b"Only GET and HEAD.".to_vec()),
    };
    let no_worker = format!("{POLICY}; worker-src 'none'");
    let policy = if target.strip_prefix('/').is_some_and(|target| target.starts_with(WITHOUT_WORKER)) {
        &no_worker
    } else if target.starts_with("/hosts/") || target == "/site/" || target.starts_with("/site/main") {
        HOST_POLICY
    } else if target.starts_with("/book/") && !target.starts_with("/book/play/") {
        BOOK_POLICY
    } else {
        POLICY
    };
    // By its name too: in some versions of WebKit 'self' is nothing in a sandboxed frame (WebKit's bug 316847).
    let own = connection.local_addr()?;
    let policy = policy.replace("'self'", &format!("'self' http://{own}"));
    // Any origin may read the files, as on the usual hosts of static pages: a sandboxed frame has an origin of its own.
    let length = endless.map_or_else(|| format!("Content-Length: {}\r\n", body.len()), |_| String::new());
    write!(
        connection,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{length}Content-Security-Policy: {policy}\r\n\
         Access-Control-Allow-Origin: *\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n",
    )?;
    if let Some(path) = endless {
        send_endless(connection, path);
        return Ok(());
    }
    if method != "HEAD" {
        connection.write_all(&body)?;
    }
    connection.flush()
}

fn read(folder: &Path, path: &str) -> Option<(&'static str, Vec<u8>)> {
    let path = path.strip_prefix('/')?;
    let (broken, path) = path.strip_prefix(WITHOUT_WASM).map_or((false, path), |path| (true, path));
    let path = path.strip_prefix(WITHOUT_WORKER).unwrap_or(path);
    let relative = Path::new(path);
    if relative.components().any(|component| !matches!(component, Component::Normal(_))) {
        return None;
    }
    let beside = BESIDE.iter().find_map(|(prefix, beside)| Some((path.strip_prefix(prefix)?, beside)));
    let mut file = match beside {
        Some((rest, beside)) => folder.with_file_name(beside).join(rest),
        None => match [(BOOK, "FENCELINE_BOOK"), (SITE, "FENCELINE_SITE")]
            .iter()
            .find(|(prefix, _)| path.starts_with(prefix))
        {
            Some((prefix, named)) => Path::new(&std::env::var_os(named)?).join(path.strip_prefix(prefix)?),
            None => folder.join(relative),
        },
    };
    if file.is_dir() {
        file.push("index.html");
    }
    let body = std::fs::read(&file).ok()?;
    let kind = match file.extension()?.to_str()? {
        "wasm" if broken => return None,
        "html" => return Some(("text/html; charset=utf-8", console::listen(body))),
        "js" | "mjs" => "text/javascript",
        "wasm" => "application/wasm",
        "css" => "text/css",
        "svg" => "image/svg+xml",
        "json" | "webmanifest" => "application/json",
        "png" => "image/png",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    };
    Some((kind, body))
}
