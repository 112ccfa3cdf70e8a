//! The preprocessor as mdBook runs it: a book on standard input, a book on standard output, and the lines of what is wrong.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mdbook-fenceline"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // It may refuse its arguments and end before it has read anything.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("all output is UTF-8")
}

/// A book of these chapters, as mdBook hands it over. Its root is the repository's, its sources are the presets.
fn input(renderer: &str, settings: &Value, chapters: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut section = settings.clone();
    section["command"] = "mdbook-fenceline".into();
    let context = json!({
        "root": root, "renderer": renderer, "mdbook_version": "0.5.4",
        "config": { "book": { "src": "presets" }, "preprocessor": { "fenceline": section } },
    });
    let chapter = |(index, content): (usize, &&str)| {
        let path = format!("chapter-{index}.md");
        json!({ "Chapter": {
            "name": "A chapter", "content": content, "number": [index + 1], "sub_items": [],
            "path": path, "source_path": path, "parent_names": [],
        } })
    };
    let items: Vec<Value> = chapters.iter().enumerate().map(chapter).collect();
    json!([context, { "items": items }]).to_string()
}

/// The chapters that come back, and what was said on standard error.
fn drawn_with(renderer: &str, settings: &Value, chapters: &[&str]) -> (Vec<String>, String) {
    let output = run(&[], &input(renderer, settings, chapters));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let book: Value = serde_json::from_slice(&output.stdout).expect("a book comes back");
    let content = |item: &Value| item["Chapter"]["content"].as_str().expect("a chapter has text").to_owned();
    (book["items"].as_array().expect("items").iter().map(content).collect(), text(&output.stderr))
}

fn drawn(chapters: &[&str]) -> Vec<String> {
    let (chapters, told) = drawn_with("html", &json!({}), chapters);
    assert_eq!(told, "");
    chapters
}

/// What is said of a book that is not to be built.
fn refused(settings: &Value, chapters: &[&str]) -> String {
    let output = run(&[], &input("html", settings, chapters));
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(1), ""));
    text(&output.stderr)
}

const STORY: &str = "```fenceline\n{ \"preset\": \"paused-worker\" }\n```";

#[test]
fn every_renderer_is_served() {
    for renderer in ["html", "epub", "markdown"] {
        let output = run(&["supports", renderer], "");
        assert!(output.status.success() && output.stdout.is_empty());
    }
}

#[test]
fn a_block_becomes_a_figure_and_what_stands_around_it_stays() {
    let chapter = drawn(&[&format!("# Title\r\n\r\ntext\n{STORY}\ntext *goes on*\n")]).remove(0);
    let (before, rest) = chapter.split_once("<style>").expect("the chapter's first figure brings the sheet");
    let (figure, after) = rest.split_once('\n').expect("the figure is one line");
    assert_eq!((before, after), ("# Title\r\n\r\ntext\n", "\ntext *goes on*\n"), "an empty line ends it");
    for part in [
        "</style><div class=\"fenceline\"><fence-line src=\"#p=paused-worker\"><figure><svg ",
        "<title>Paused worker overwrites a newer report</title>",
        "</svg> <figcaption><span class=\"fenceline-title\">Paused worker overwrites a newer report.</span> ",
        "<strong>Fenced:</strong> A’s stale write (41) was rejected — the report remembers 42.</span></figcaption></figure></fence-line></div>",
    ] {
        assert!(figure.contains(part), "{part} in {figure}");
    }
}

#[test]
fn a_chapter_without_blocks_comes_back_as_it_was() {
    let chapter = "# Title\r\n\r\n```json\n{}\n```\n\u{1}  ";
    assert_eq!(drawn(&[chapter, ""]), [chapter, ""]);
}

#[test]
fn figures_of_a_whole_book_share_no_id_and_each_chapter_has_one_sheet() {
    let two = format!("{STORY}\n\n{STORY}\n");
    let all = drawn(&[&two, &two]).concat();
    let mut ids: Vec<&str> = all.split(" id=\"").skip(1).filter_map(|part| part.split('"').next()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((ids.len(), all.matches("<svg ").count(), all.matches("<style>.fenceline").count()), (count, 4, 2));
}

#[test]
fn every_theme_of_mdbook_has_its_colours() {
    let chapter = drawn(&[STORY]).remove(0);
    for rule in [
        ".fenceline{--font-sans:",
        ".coal .fenceline,.navy .fenceline,.ayu .fenceline{--font-sans:",
        ".fenceline.fenceline-dark{",
        "@media print{.fenceline.fenceline{",
        ".fl-paper { fill: var(--surface-1); }",
    ] {
        assert!(chapter.contains(rule), "{rule}");
    }
    let dark = drawn(&[&STORY.replace(" }", ", \"theme\": \"dark\" }")]).remove(0);
    assert!(dark.contains("<div class=\"fenceline fenceline-dark\">"), "{dark}");
}

#[test]
fn a_figure_stays_in_the_quote_and_the_list_that_it_stands_in() {
    let block = STORY.replace('\n', "\n>    ");
    let chapter = drawn(&[&format!("> 1. {block}\n>    after\n")]).remove(0);
    let lines: Vec<&str> = chapter.lines().collect();
    assert_eq!(lines.len(), 3, "{chapter}");
    assert!(lines[0].starts_with("> 1. <style>") && lines[0].ends_with("</div>"));
    assert_eq!(lines[1..], [">", ">    after"]);
}

#[test]
fn a_link_leads_to_the_playground_of_the_book() {
    let settings = json!({ "playground": "https://example.org/play?x=\"#old" });
    let (chapters, _) = drawn_with("html", &settings, &[STORY]);
    let address = "https://example.org/play?x=&quot;#p=paused-worker";
    assert!(chapters[0].contains(&format!("<fence-line src=\"{address}\">")), "{}", chapters[0]);
    assert!(
        chapters[0].contains(&format!("<a class=\"fenceline-open\" href=\"{address}\">Open in the playground</a>"))
    );
    let guarded = STORY.replace(" }", ", \"guard\": \"none\" }");
    let (chapters, _) = drawn_with("html", &settings, &[&guarded]);
    assert!(chapters[0].contains("#of=paused-worker&amp;s=1z."), "it opens as it is drawn");
}

#[test]
fn text_of_a_document_is_only_text() {
    let hostile = "</figcaption><script>alert(1)</script> **bold** \\u001b\\u202e\\n\\n# not a heading {{#include x}}";
    let block = format!(
        "```fenceline\n{{ \"version\": 1, \"title\": \"{hostile}\", \"caption\": \"{hostile}\",\n\n \"resources\": [{{ \"id\": \"r\", \"initial\": {{ \"value\": \"{hostile}\" }} }}], \"workers\": [] }}\n```"
    );
    let chapter = drawn(&[&block]).remove(0);
    assert!(!chapter.contains("<script") && chapter.contains("&lt;script&gt;"), "{chapter}");
    assert!(!chapter.contains("{{") && chapter.contains("{&#123;#include x}}"), "nothing of it is included");
    assert_eq!(chapter.trim_end().lines().count(), 1, "one line");
    assert!(!chapter.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}'));
    let (chapters, _) = drawn_with("epub", &json!({}), &[&block]);
    assert!(chapters[0].starts_with("**\\<\\/figcaption\\>\\<script\\>"), "{}", chapters[0]);
    assert!(!chapters[0].contains("{{"), "{}", chapters[0]);
    assert!(chapters[0].contains("\\*\\*bold\\*\\*"), "{}", chapters[0]);
}

#[test]
fn where_no_figure_can_be_drawn_it_is_told() {
    let (chapters, told) = drawn_with("epub", &json!({}), &[&format!("> {}\n> after", STORY.replace('\n', "\n> "))]);
    assert_eq!(told, "");
    let lines: Vec<&str> = chapters[0].lines().collect();
    assert_eq!(lines[0], "> **Paused worker overwrites a newer report**");
    assert_eq!(lines[2], "> Fenced\\: A’s stale write \\(41\\) was rejected — the report remembers 42.");
    assert!(lines.contains(&"> - 51\\.4 s\\: A’s ‘stale report’ is rejected\\: 41 is not above 42"), "{lines:?}");
    assert_eq!(lines.last(), Some(&"> after"));
    assert!(!chapters[0].contains("<svg") && lines.iter().all(|line| line.starts_with('>')), "{lines:?}");
}

#[test]
fn a_block_may_name_a_file_beside_its_chapter() {
    let chapter = drawn(&["```fenceline\n{ \"file\": \"../presets/slow-clock.json\" }\n```"]).remove(0);
    assert!(chapter.contains("A worker whose clock is slow."), "{chapter}");
    let told = refused(&json!({}), &["\n```fenceline\n{ \"file\": \"nowhere.json\" }\n```"]);
    assert!(told.starts_with("presets/chapter-0.md:3: /file: found \"nowhere.json\" (it cannot be read: "), "{told}");
}

#[test]
fn a_false_claim_and_an_unreadable_block_fail_the_build_with_their_lines() {
    let claims =
        STORY.replace(" }", ",\n  \"expect\": { \"writes\": [{ \"write\": \"A/3\", \"decision\": \"accepted\" }] } }");
    let broken = "> ```fenceline\n> { \"preset\": \"nonsense\" }\n> ```";
    let told = refused(&json!({}), &[&format!("# One\n\n{claims}\n"), &format!("# Two\n{broken}\n")]);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 2, "{told}");
    assert_eq!(lines[0], "presets/chapter-0.md:5: A/3: decision: claimed \"accepted\", now \"rejected\"");
    assert!(lines[1].starts_with("presets/chapter-1.md:3: /preset: found \"nonsense\", allowed: "), "{told}");
}

#[test]
fn a_book_may_say_that_it_goes_on() {
    let claims = STORY.replace(" }", ", \"expect\": { \"verdict\": \"accepted\" } }");
    let broken = "```fenceline\n{\n```\n";
    let (chapters, told) = drawn_with("html", &json!({ "on-error": "warn" }), &[&claims, broken]);
    assert_eq!(told.lines().count(), 2, "{told}");
    assert!(chapters[0].contains("<svg "), "the figure shows what is true");
    assert_eq!(chapters[1], broken, "what cannot be read stays as it is");
}

#[test]
fn settings_that_are_not_understood_are_refused() {
    for (settings, word) in [
        (json!({ "on-eror": "warn" }), "on-eror"),
        (json!({ "on-error": "ignore" }), "ignore"),
        (json!({ "width": 10 }), "width is a whole number from 320 to 4000, not 10"),
        (json!({ "playground": "javascript:alert(1)" }), "playground begins with https://"),
    ] {
        let told = refused(&settings, &[STORY]);
        assert!(told.starts_with("book.toml: [preprocessor.fenceline]: ") && told.contains(word), "{told}");
    }
}

#[test]
fn what_is_no_book_is_refused() {
    for input in ["", "{}", "[1, 2]"] {
        let output = run(&[], input);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).starts_with("standard input is no book of mdBook: "));
    }
    assert_eq!(run(&["draw"], "").status.code(), Some(1));
}
