//! Cases as lines of text: what is done or changed, and below it, further right, what is expected to be said of that.

use std::iter::Peekable;

/// The cases of a text. Lines that begin with `//` are comments, and `\n` is the end of a line.
pub fn cases(text: &str) -> impl Iterator<Item = (String, Vec<String>)> {
    let is_case = |line: &&str| !line.is_empty() && !line.starts_with("//");
    let mut lines = text.lines().filter(is_case).peekable();
    std::iter::from_fn(move || {
        let case = lines.next()?;
        assert!(!case.starts_with(' '), "nothing is done for {case}");
        Some((unescaped(case), below(&mut lines)))
    })
}

fn below<'a>(lines: &mut Peekable<impl Iterator<Item = &'a str>>) -> Vec<String> {
    let is_below = |line: &&str| line.starts_with("    ");
    std::iter::from_fn(|| lines.next_if(is_below))
        .map(|line| unescaped(line.trim_start()))
        .collect()
}

fn unescaped(line: &str) -> String {
    line.replace("\\n", "\n")
}

/// Whether something is said as expected, where `…` stands for whatever comes before or after that.
pub fn fits(said: &str, expected: &str) -> bool {
    let from = expected.strip_prefix('…');
    let words = from.unwrap_or(expected);
    match (from, words.strip_suffix('…')) {
        (None, None) => said == words,
        (None, Some(start)) => said.starts_with(start),
        (Some(end), None) => said.ends_with(end),
        (Some(_), Some(part)) => said.contains(part),
    }
}

/// The two sides of `what stands there => what stands there instead`.
pub fn change(case: &str) -> Option<[&str; 2]> {
    let (old, new) = case.split_once(" =>")?;
    Some([old, new.strip_prefix(' ').unwrap_or(new)])
}

/// A text after such a change.
#[track_caller]
pub fn changed(text: &str, case: &str) -> String {
    let [old, new] = change(case).unwrap();
    assert!(text.contains(old), "{old} in\n{text}");
    text.replacen(old, new, 1)
}

/// What is said of each case is the error that is expected.
#[track_caller]
pub fn assert_refused(text: &str, refuse: impl Fn(&str) -> String) {
    for (case, expected) in cases(text) {
        assert!(!expected.is_empty(), "nothing is expected of {case}");
        let said = refuse(&case);
        let error = said
            .strip_prefix("error: ")
            .and_then(|said| said.strip_suffix('\n'));
        for words in expected {
            assert!(
                error.is_some_and(|error| fits(error, &words)),
                "{case}: {words}: {said}"
            );
        }
    }
}
