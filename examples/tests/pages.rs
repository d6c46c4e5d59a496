//! The code on the page is the code that is used. That it can be pasted and run, `.ci/snippets` shows.

/// The listing on the page is the file without its documentation.
#[test]
fn the_page_shows_the_tick_counter_of_the_firmware() {
    let page = include_str!("../../docs/embedding.md");
    let source = include_str!("../stream/src/ticks.rs");
    let code: String = source
        .lines()
        .filter(|line| !line.trim().starts_with("//!") && !line.trim().starts_with("///"))
        .flat_map(|line| [line, "\n"])
        .collect();
    assert!(code.contains("pub struct Ticks"));
    assert!(page.contains(code.trim()), "{code}");
}
