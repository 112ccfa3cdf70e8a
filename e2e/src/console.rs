//! What goes wrong in the page, heard from outside.
//!
//! Chromium's driver hands out the console. The other drivers have no such command, so the file server puts a listener into each
//! page it serves to them, as its first script. It hears less than a console (not a stylesheet that cannot be parsed, for
//! instance), but the faults that matter: uncaught errors, broken promises, files that do not load, a broken policy.

use crate::driver::Browser;

/// Where the server has the listener.
pub const PATH: &str = "/e2e/console.js";

/// The listener.
pub const SCRIPT: &str = "\
window.fencelineErrors = [];
const hear = (words) => window.fencelineErrors.push(words);
const error = console.error;
console.error = (...words) => { hear(words.map(String).join(' ')); error.apply(console, words); };
// An element's own event of that name, for the page around it, is no fault of the page.
addEventListener('error', (event) => event instanceof CustomEvent || hear(event.message ?? `did not load: ${event.target.src ?? event.target.href}`), true);
addEventListener('unhandledrejection', (event) => hear(`unhandled rejection: ${event.reason}`));
addEventListener('securitypolicyviolation', (event) => hear(`blocked by ${event.effectiveDirective}: ${event.blockedURI}`));
";

/// The page with the listener in it, where it is needed.
pub fn listen(page: Vec<u8>) -> Vec<u8> {
    if Browser::chosen() == Browser::Chromium {
        return page;
    }
    let page = String::from_utf8_lossy(&page);
    page.replacen("<head>", &format!("<head><script src=\"{PATH}\"></script>"), 1).into_bytes()
}
