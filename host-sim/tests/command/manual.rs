//! Completions and pages for man.

use std::fs;

use crate::{assert_says, fail, folder, names, succeed};

#[test]
fn every_shell_is_told_the_options() {
    let dir = folder();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = succeed(dir.path(), &format!("completions {shell}"));
        for word in ["explain", "book-ahead-factor", "deadline-factor"] {
            assert!(script.contains(word), "{shell} {word}");
        }
    }
    let error = fail(dir.path(), "completions tcsh", 2);
    assert_says(
        &error,
        "possible values: bash, elvish, fish, powershell, zsh",
    );
}

#[test]
fn each_sub_command_has_a_page() {
    let dir = folder();
    let told = succeed(dir.path(), "man pages/man1");
    assert_eq!(told, "pages for man: pages/man1\n");
    let pages = names(&dir.path().join("pages/man1"));
    let commands = "ask check completions explain generate man merge replay report reproduce simulate store sweep";
    for command in commands.split(' ') {
        assert!(
            pages.contains(&format!("bookahead-{command}.1")),
            "{command}: {pages:?}"
        );
    }
    let page = fs::read_to_string(dir.path().join("pages/man1/bookahead-simulate.1")).unwrap();
    for words in [
        ".SH \"FAILURES AND OVERRUNS\"",
        "\\-\\-deadline\\-factor",
        "Examples:",
    ] {
        assert!(page.contains(words), "{words}");
    }
    let error = fail(dir.path(), "man pages/man1/bookahead.1/below", 1);
    assert!(error.contains("pages/man1/bookahead.1/below"), "{error}");
}
