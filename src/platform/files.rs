//! Files: chosen by a person, read, and handed out.

use js_sys::{Array, Uint8Array};
use leptos::prelude::document;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, Event, FileList, HtmlAnchorElement, HtmlInputElement, Url};

/// A file that a person gave.
pub struct File(web_sys::File);

impl File {
    /// What it is called.
    pub fn name(&self) -> String {
        fenceline_engine::visible(&self.0.name())
    }

    /// Its size in bytes.
    pub fn size(&self) -> f64 {
        self.0.size()
    }

    /// What it says.
    ///
    /// # Errors
    /// In a few words, why that cannot be told.
    pub async fn text(&self) -> Result<String, String> {
        let bytes = JsFuture::from(self.0.array_buffer()).await.map_err(|_| "it is a folder, or it is gone")?;
        String::from_utf8(Uint8Array::new(&bytes).to_vec()).map_err(|error| {
            let at = error.utf8_error().valid_up_to().to_string();
            ["it is no text in UTF-8 (the byte at ", &at, ")"].concat()
        })
    }
}

/// The first file of a list.
pub fn first(files: Option<FileList>) -> Option<File> {
    files?.get(0).map(File)
}

/// Lets a person choose a file.
pub fn choose(accept: &str, then: impl FnOnce(File) + 'static) {
    let Some(input) =
        document().create_element("input").ok().and_then(|input| input.dyn_into::<HtmlInputElement>().ok())
    else {
        return;
    };
    input.set_type("file");
    input.set_accept(accept);
    let chosen = input.clone();
    let listen = Closure::once_into_js(move |_: Event| {
        if let Some(file) = first(chosen.files()) {
            then(file);
        }
    });
    input.set_onchange(listen.dyn_ref());
    input.click();
}

/// A blob of that text.
fn blob(text: &str, kind: &str) -> Option<Blob> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &options).ok()
}

/// Hands a text out as a file of that name and media type. Says whether the browser was asked to keep it.
pub fn save_text(name: &str, kind: &str, text: &str) -> bool {
    blob(text, kind).is_some_and(|blob| save(name, &blob))
}

/// Hands a blob out as a file. Says whether the browser was asked to keep it.
pub fn save(name: &str, blob: &Blob) -> bool {
    let Ok(address) = Url::create_object_url_with_blob(blob) else { return false };
    let link = document().create_element("a").ok().and_then(|link| link.dyn_into::<HtmlAnchorElement>().ok());
    if let Some(link) = &link {
        link.set_href(&address);
        link.set_download(name);
        link.click();
    }
    // The browser reads the blob after this turn; then its address has done its work.
    leptos::prelude::set_timeout(
        move || {
            let _ = Url::revoke_object_url(&address);
        },
        std::time::Duration::from_secs(60),
    );
    link.is_some()
}
