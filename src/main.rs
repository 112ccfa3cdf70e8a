//! The page's entry: mounts it, and nothing else.

use fenceline::App;

fn main() {
    fenceline::platform::failure::install();
    leptos::mount::mount_to_body(App);
}
