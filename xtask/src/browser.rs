//! Browsers and the drivers that steer them, found or installed from Debian's packages.

use std::path::PathBuf;

use crate::debian::{self, Need};
use crate::setup;
use crate::shell::Failure;

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
        debian::ensure(self.needs(), &format!("the tests in {} run there", self.name()))?;
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
}
