//! Browsers and the drivers that steer them, found or installed from Debian's packages.

use std::path::PathBuf;

use crate::setup;
use crate::shell::{self, Failure};

/// A browser that the end-to-end tests can run in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Browser {
    /// Chromium, through chromedriver. The browser tests of the crates run in it too.
    Chromium,
    /// Firefox, through geckodriver.
    Firefox,
    /// The engine of Safari, through `WebKitGTK`'s driver, which runs on Linux.
    WebKit,
}

impl Browser {
    /// Every browser.
    pub const ALL: [Self; 3] = [Self::Chromium, Self::Firefox, Self::WebKit];

    /// Its name, on the command line and to the tests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chromium => "chromium",
            Self::Firefox => "firefox",
            Self::WebKit => "webkit",
        }
    }

    /// Makes sure that the browser and its driver are here, and gives the driver.
    ///
    /// # Errors
    /// Something is missing and cannot be installed.
    pub fn ready(self) -> Result<PathBuf, Failure> {
        let missing: Vec<_> = self.needs().iter().filter(|need| need.find().is_none()).collect();
        if !missing.is_empty() {
            let packages: Vec<_> = missing.iter().flat_map(|need| need.packages).copied().collect();
            self.install(&packages)?;
            if let Some(still) = missing.iter().find(|need| need.find().is_none()) {
                return Err(Failure::new(format!(
                    "{} is still missing after {} was installed",
                    still.programs[0],
                    packages.join(" ")
                )));
            }
        }
        match self {
            Self::Firefox => setup::geckodriver(),
            Self::Chromium | Self::WebKit => {
                let driver = &self.needs()[0];
                driver.find().ok_or_else(|| Failure::new(format!("{} is not on PATH", driver.programs[0])))
            }
        }
    }

    /// What has to be on PATH; the driver first where PATH has it.
    fn needs(self) -> &'static [Need] {
        match self {
            Self::Chromium => &[
                Need { programs: &["chromedriver"], packages: &["chromium-driver"] },
                Need {
                    programs: &["chromium", "chromium-browser", "google-chrome"],
                    packages: &["chromium", "fonts-liberation"],
                },
            ],
            Self::Firefox => {
                &[Need { programs: &["firefox", "firefox-esr"], packages: &["firefox-esr", "fonts-liberation"] }]
            }
            Self::WebKit => &[
                Need { programs: &["WebKitWebDriver"], packages: &["webkit2gtk-driver", "fonts-liberation"] },
                Need { programs: &["Xvfb"], packages: &["xvfb"] },
                Need { programs: &["dbus-run-session"], packages: &["dbus", "dbus-daemon"] },
            ],
        }
    }

    fn install(self, packages: &[&str]) -> Result<(), Failure> {
        let list = packages.join(" ");
        if shell::on_path("apt-get").is_none() {
            return Err(Failure::new(format!(
                "the tests in {name} need programs that are not on PATH. Install what your system has for Debian's packages {list}.",
                name = self.name(),
            )));
        }
        println!(
            "Installing {list} with apt-get: the tests in {} run there. Once per machine, about 1 to 3 minutes.",
            self.name()
        );
        apt_get(&["update", "--quiet"])
            .and_then(|()| apt_get(&[&["install", "--yes", "--quiet", "--no-install-recommends"], packages].concat()))
            .map_err(|failure| {
                Failure::new(format!("{list} could not be installed ({failure}). Install them in another way, so that their programs are on PATH."))
            })
    }
}

/// One program, under the names it goes by, and the Debian packages that bring it.
struct Need {
    programs: &'static [&'static str],
    packages: &'static [&'static str],
}

impl Need {
    fn find(&self) -> Option<PathBuf> {
        let on_path = self.programs.iter().find_map(|name| shell::on_path(name));
        // Where macOS keeps browsers: they are not on PATH, and their drivers find them without it.
        on_path.or_else(|| {
            let name = match self.programs[0] {
                "chromium" => "Google Chrome",
                "firefox" => "Firefox",
                _ => return None,
            };
            Some(PathBuf::from(format!("/Applications/{name}.app"))).filter(|application| application.exists())
        })
    }
}

/// Runs apt-get as root: directly when this is root, through sudo otherwise.
fn apt_get(arguments: &[&str]) -> Result<(), Failure> {
    let root = shell::ask(shell::program("id").arg("-u")).is_some_and(|id| id == "0");
    let mut command = if root { shell::program("env") } else { shell::program("sudo") };
    shell::run(command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]).args(arguments))
}
