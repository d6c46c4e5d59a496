//! The code on the pages is the code that is used.

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

/// The C on the page is text of the program that the tests of the C interface compile and run.
#[test]
fn the_readme_shows_the_plugin_in_c() {
    let page = include_str!("../../README.md");
    let source = include_str!("../../kernel/capi/examples/plugin.c");
    let blocks: Vec<_> = page
        .split("```c\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or_default())
        .collect();
    assert!(!blocks.is_empty(), "no C on the page");
    for block in blocks {
        assert!(
            block.contains("bookahead_") && source.contains(block),
            "{block}"
        );
    }
}
