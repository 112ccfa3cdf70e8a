//! A browser with the page in it: opened, asked, and ended.

use std::cell::{Cell, RefCell};
use std::path::{Path, PathBuf};
use std::time::Duration;

use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::driver::{Browser, Driver};
use crate::input::Pointer;
use crate::server;
use crate::view::View;

/// How long anything may take to appear: long, for a small machine that is busy. A test that passes does not wait for it.
pub(crate) const PATIENCE: Duration = Duration::from_secs(15);

/// How long the browser may take for one command.
const COMMAND: Duration = Duration::from_secs(60);

/// A browser with the page in it.
///
/// Every method panics when the browser does not answer, or when what it names is not there within 15 seconds; the message then says
/// what the page shows instead. When a test panics, a screenshot of that moment is left in `target/screenshots`.
pub struct Page {
    // The order matters: the client ends before its runtime, and the driver last.
    pub(crate) client: Client,
    runtime: Runtime,
    _driver: Driver,
    pub(crate) browser: Browser,
    pub(crate) errors: RefCell<Vec<String>>,
    /// The pointer that is down, and where it is.
    pub(crate) held: Cell<Option<(Pointer, f64, f64)>>,
    /// Where the frame begins that things are looked for in, as far as the driver does not know it itself.
    pub(crate) frame: Cell<(f64, f64)>,
}

/// How often a browser is asked for: the port that was free for a driver can be taken by another program before it listens,
/// and what is tested is the page.
const TRIES: u32 = 3;

/// A driver with a browser.
#[track_caller]
fn connected(runtime: &Runtime, browser: Browser, view: View) -> (Driver, Client) {
    let capabilities = browser.capabilities(view).as_object().cloned().unwrap_or_default();
    for tries in 1.. {
        let driver = Driver::start(browser, view);
        let connecting = async {
            let mut builder = ClientBuilder::new(HttpConnector::new());
            builder.capabilities(capabilities.clone()).connect(&driver.address).await
        };
        match runtime.block_on(connecting) {
            Ok(client) => return (driver, client),
            Err(error) if tries < TRIES => {
                eprintln!("the driver opened no browser ({error}): again, with another driver");
            }
            Err(error) => panic!("the driver opened no browser: {error}"),
        }
    }
    unreachable!("the last try returns or panics")
}

impl Page {
    /// A new browser that shows the page at this address, which is relative to the page's own: empty, `?embed=1`, `#s=…`.
    #[track_caller]
    pub fn open(view: View, address: &str) -> Self {
        Self::open_elsewhere(view, &format!("{}{address}", server::address()))
    }

    /// A new browser that shows this address, whole: `file://…`.
    #[track_caller]
    pub fn open_elsewhere(view: View, address: &str) -> Self {
        let browser = Browser::chosen();
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime for one thread");
        let (driver, client) = connected(&runtime, browser, view);
        let page = Self {
            client,
            runtime,
            _driver: driver,
            browser,
            errors: RefCell::default(),
            held: Cell::default(),
            frame: Cell::default(),
        };
        page.take_on(view);
        page.ask(page.client.goto(address));
        page
    }

    /// Shows the page at another address.
    #[track_caller]
    pub fn visit(&self, address: &str) {
        self.ask(self.client.goto(&format!("{}{address}", server::address())));
    }

    /// Loads the page again, as a person does.
    #[track_caller]
    pub fn reload(&self) {
        self.ask(self.client.refresh());
    }

    /// The address that the browser shows.
    #[track_caller]
    pub fn address(&self) -> String {
        self.ask(self.client.current_url()).to_string()
    }

    /// Whether a finger scrolls the page in this browser. The drivers of Firefox and `WebKit` hand a touch to the page, and to nothing
    /// else: a test can only ask there whether the page would let the finger scroll.
    pub fn fingers_scroll(&self) -> bool {
        self.browser == Browser::Chromium
    }

    /// Gives the browser the size and the colours of the view.
    #[track_caller]
    fn take_on(&self, view: View) {
        if self.browser == Browser::Chromium {
            let scheme = if view.dark { "dark" } else { "light" };
            self.chromium(
                "Emulation.setEmulatedMedia",
                &json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] }),
            );
            self.chromium(
                "Emulation.setDeviceMetricsOverride",
                &json!({ "width": view.width, "height": view.height, "deviceScaleFactor": 1, "mobile": view.phone }),
            );
            self.chromium("Emulation.setTouchEmulationEnabled", &json!({ "enabled": view.phone }));
            return;
        }
        if self.browser == Browser::Firefox {
            // Its window is never as narrow as a phone, unless it is told that it may.
            self.command("moz/context", json!({ "context": "chrome" }));
            self.evaluate("document.documentElement.style.setProperty('min-width', '0', 'important')", &[]);
            self.command("moz/context", json!({ "context": "content" }));
        }
        // The window is larger than the page by bars and edges that each browser knows for itself.
        let (mut width, mut height) = (view.width, view.height);
        for _ in 0..4 {
            self.ask(self.client.set_window_size(width, height));
            let (inner_width, inner_height) = self.inner_size();
            if (inner_width, inner_height) == (view.width, view.height) {
                return;
            }
            width = (width + view.width).saturating_sub(inner_width);
            height = (height + view.height).saturating_sub(inner_height);
        }
        let (width, height) = self.inner_size();
        self.fail(&format!(
            "the page should be {} by {}, but the browser makes it {width} by {height}",
            view.width, view.height
        ));
    }

    #[track_caller]
    fn inner_size(&self) -> (u32, u32) {
        serde_json::from_value(self.evaluate("return [innerWidth, innerHeight]", &[])).unwrap_or_default()
    }

    /// Has a script run before the page's own at each load from now on: to take from it what a browser may not have. Says
    /// whether this browser can do that.
    #[track_caller]
    pub fn before_each_load(&self, script: &str) -> bool {
        let can = self.browser == Browser::Chromium;
        if can {
            self.chromium("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": script }));
        }
        can
    }

    /// Lets nothing be loaded from addresses like these from now on, as when the connection is gone: `*/some-file*`. Says whether
    /// this browser can do that.
    #[track_caller]
    pub fn cut_off(&self, addresses: &[&str]) -> bool {
        let can = self.browser == Browser::Chromium;
        if can {
            self.chromium("Network.enable", &json!({}));
            self.chromium("Network.setBlockedURLs", &json!({ "urls": addresses }));
        }
        can
    }

    /// Lets the page read the clipboard, as a person may. Says whether this browser can do that.
    #[track_caller]
    pub fn allow_clipboard(&self) -> bool {
        let can = self.browser == Browser::Chromium;
        if can {
            let permissions = json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
            self.chromium("Browser.grantPermissions", &permissions);
        }
        can
    }

    /// One of Chromium's own commands.
    #[track_caller]
    pub(crate) fn chromium(&self, name: &str, parameters: &Value) {
        self.command("goog/cdp/execute", json!({ "cmd": name, "params": parameters }));
    }

    /// A command that `WebDriver`'s standard does not have.
    #[track_caller]
    pub(crate) fn command(&self, path: &'static str, body: Value) -> Value {
        self.ask(self.client.issue_cmd(OwnCommand { path, body }))
    }

    /// Waits for the browser's answer.
    #[track_caller]
    pub(crate) fn ask<T, E: std::fmt::Display>(&self, question: impl Future<Output = Result<T, E>>) -> T {
        let answer = self.runtime.block_on(async { tokio::time::timeout(COMMAND, question).await });
        let Ok(answer) = answer else { panic!("the browser gave no answer in {} s", COMMAND.as_secs()) };
        answer.unwrap_or_else(|error| panic!("the browser refused: {error}"))
    }

    /// Panics, and says what the page shows.
    #[track_caller]
    pub(crate) fn fail(&self, what: &str) -> ! {
        let shown = self.evaluate("return document.body ? document.body.innerText.slice(0, 2000) : ''", &[]);
        panic!(
            "{what}\n--- at {} the page says:\n{}\n--- and its console: {:?}",
            self.address(),
            shown.as_str().unwrap_or_default(),
            self.console_errors(),
        );
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // Nothing in here may panic: it also runs while a test already does.
        let closing = self.client.clone().close();
        if std::thread::panicking() {
            let name = std::thread::current().name().unwrap_or("a-test").replace("::", "-");
            let folder = pictures();
            let taking = async { tokio::time::timeout(PATIENCE, self.client.screenshot()).await };
            if let Ok(Ok(picture)) = self.runtime.block_on(taking) {
                let file = folder.join(format!("failed-{name}.png"));
                if std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, picture)).is_ok() {
                    eprintln!("a picture of the page at that moment: {}", file.display());
                }
            }
        }
        let _ = self.runtime.block_on(async { tokio::time::timeout(PATIENCE, closing).await });
    }
}

/// Where pictures are kept.
pub(crate) fn pictures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("target").join("screenshots")
}

#[derive(Debug)]
struct OwnCommand {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for OwnCommand {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.body.to_string()))
    }
}
