//! The npm package, as a site has it that installed it: the figure, and what tools read of it.

use std::collections::BTreeSet;
use std::path::PathBuf;

use fenceline_e2e::hosts::frame_of;
use fenceline_e2e::opening::{FENCED, VERDICT};
use fenceline_e2e::{Page, View};
use serde_json::{Value, json};

/// The page of a site that has the package installed, once its figure has told what it shows.
fn site() -> Page {
    assert!(
        std::env::var_os("FENCELINE_SITE").is_some(),
        "FENCELINE_SITE names the site that `cargo xtask npm` makes; cargo xtask test sets it"
    );
    let page = Page::open(View::DESKTOP, "site/");
    page.wait_until("a verdict", || page.evaluate("return window.sentence ?? null", &[]) == json!(FENCED));
    page
}

#[test]
fn a_site_that_has_installed_the_package_shows_a_figure() {
    let page = site();
    assert_eq!(page.evaluate("return window.isElement", &[]), json!(true));
    // The page is the package's own, beside the module.
    let frame = page.evaluate(&format!("return {}.src", frame_of("installed")), &[]);
    assert!(
        frame.as_str().is_some_and(|frame| frame.contains("/site/node_modules/fenceline/page/index.html?embed=1")),
        "{frame}"
    );
    page.enter(&frame_of("installed"));
    page.wait_for_text(VERDICT, FENCED);
    page.leave();
    page.assert_quiet_console();
}

/// A file of the installed package.
fn installed(name: &str) -> String {
    let site = std::env::var_os("FENCELINE_SITE").map(PathBuf::from).unwrap_or_default();
    let path = site.join("node_modules/fenceline").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The texts between two marks, each up to the first end behind its begin, in order.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> Vec<&'a str> {
    text.split(begin).skip(1).filter_map(|rest| rest.split_once(end)).map(|(inner, _)| inner).collect()
}

/// Names, sorted, each once.
fn names<T: Into<String>>(all: impl IntoIterator<Item = T>) -> BTreeSet<String> {
    all.into_iter().map(Into::into).collect()
}

/// The names of the entries of a list in the manifest.
fn listed(declaration: &Value, list: &str) -> BTreeSet<String> {
    let entries = declaration[list].as_array().unwrap_or_else(|| panic!("the manifest has {list}"));
    names(entries.iter().map(|entry| {
        assert!(entry["description"].as_str().is_some_and(|words| words.ends_with('.')), "{entry} is described");
        entry["name"].as_str().expect("each has a name")
    }))
}

/// What the page has in such a list.
fn in_page(page: &Page, script: &str) -> BTreeSet<String> {
    let found: Vec<String> = serde_json::from_value(page.evaluate(script, &[])).expect("a list of names");
    names(found)
}

#[test]
fn the_manifest_of_the_package_tells_of_the_element_what_is_so() {
    let page = site();
    let package: Value = serde_json::from_str(&installed("package.json")).expect("JSON");
    let manifest = installed(package["customElements"].as_str().expect("package.json names the manifest"));
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    let module = &manifest["modules"][0];
    let code = installed(module["path"].as_str().expect("a path"));
    let types = installed("page/fence-line.d.ts");
    let element = &module["declarations"][0];

    // What it is called, and what the module gives away.
    let found =
        "const of = customElements.get(arguments[0]); return [of?.name, Object.getPrototypeOf(of ?? Object).name]";
    let found = page.evaluate(found, &[element["tagName"].clone()]);
    assert_eq!(found, json!([element["name"], element["superclass"]["name"]]));
    for export in module["exports"].as_array().expect("exports") {
        assert_eq!(export["declaration"], json!({ "name": element["name"], "module": module["path"] }));
    }

    // `lang` is every element's; this one reads it when it opens.
    let mut observed = in_page(&page, "return customElements.get('fence-line').observedAttributes");
    observed.insert("lang".into());
    assert_eq!(listed(element, "attributes"), observed);
    let members = "const of = customElements.get('fence-line');
        const own = ['constructor', 'length', 'name', 'prototype', 'observedAttributes'];
        const all = [...Object.getOwnPropertyNames(of), ...Object.getOwnPropertyNames(of.prototype)];
        return all.filter((name) => !own.includes(name) && !/Callback$/.test(name))";
    assert_eq!(listed(element, "members"), in_page(&page, members));
    assert_eq!(listed(element, "events"), names(between(&code, "#tell(\"", "\"")));
    let parts = in_page(
        &page,
        "return [...document.querySelector('#installed').shadowRoot.querySelectorAll('[part]')].map((of) => of.part.value)",
    );
    assert_eq!(listed(element, "cssParts"), parts);
    let slots = in_page(
        &page,
        "return [...document.querySelector('#installed').shadowRoot.querySelectorAll('slot')].map((of) => of.name)",
    );
    assert_eq!(listed(element, "slots"), slots);

    // The types say the same.
    let typed = |declaration: &str| *between(&types, declaration, "\n}").first().expect("the types have it");
    let class = typed("export class FenceLine ");
    for member in element["members"].as_array().expect("members") {
        let (name, kind) = (member["name"].as_str().unwrap_or_default(), &member["type"]["text"]);
        let (returned, given) = (&member["return"]["type"]["text"], &member["parameters"][0]);
        let wanted = match (kind.as_str(), returned.as_str(), given["name"].as_str()) {
            (Some(kind), ..) if member["static"] == true => format!("  static {name}: {kind};\n"),
            (Some(kind), ..) => format!("  readonly {name}: {kind};\n"),
            (_, Some(returned), None) => format!("  {name}(): {returned};\n"),
            (_, Some(returned), Some(given_name)) => {
                let given = given["type"]["text"].as_str().unwrap_or_default();
                format!("  {name}({given_name}: {given}): {returned};\n")
            }
            _ => panic!("{member} has a type"),
        };
        assert!(class.contains(&wanted), "the types should have {wanted:?}");
    }
    let wanted = names(element["events"].as_array().expect("events").iter().map(|event| {
        let of = |field: &str| event.pointer(field).and_then(Value::as_str).unwrap_or_default();
        format!("{}: {};", of("/name"), of("/type/text"))
    }));
    let lines = typed("export interface FenceLineEventMap ").lines().map(str::trim);
    assert_eq!(names(lines.filter(|line| line.contains(": CustomEvent<"))), wanted);

    // And so does the documentation.
    let told = include_str!("../../docs/src/embedding.md");
    for name in ["attributes", "events"].into_iter().flat_map(|list| listed(element, list)) {
        assert!(told.contains(&format!("\n| `{name}` | ")), "docs/src/embedding.md tells nothing of {name}");
    }
}
