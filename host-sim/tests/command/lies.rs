//! Lies in the files of a run, of which the checker has to notice each.

use std::{
    fs,
    path::{Path, PathBuf},
};

use bookahead_sim::check::{self, Violation};

use crate::folder;

/// The checker finds nothing wrong with a run, and says what is expected, perhaps among others, of each of these lies, told alone.
///
/// A line that ends in a colon names a file. A lie about it is `what stands there => what is said instead`, with `\n` for the end of a line, and
/// what is expected stands below it, further right; `…` stands for whatever comes before or after that.
#[track_caller]
pub fn assert_lies_noticed(make: fn(&Path) -> PathBuf, lies: &str) {
    let dir = folder();
    let run = make(dir.path());
    assert_eq!(violations(&run), [""; 0], "nobody has lied");
    let mut file = PathBuf::new();
    let mut lines = lies.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((old, new)) = line.split_once(" =>") else {
            match line.strip_suffix(':') {
                Some(name) => file = run.join(name),
                None => assert!(line.is_empty() || line.starts_with("//"), "{line}"),
            }
            continue;
        };
        let [old, new] = [old, new.strip_prefix(' ').unwrap_or(new)];
        let [old, new] = [old, new].map(|text| text.replace("\\n", "\n"));
        let found = told(&run, &file, &old, &new);
        let mut expected = 0;
        while let Some(words) = lines.next_if(|line| line.starts_with("    ")) {
            let words = words.trim_start();
            assert!(
                found.iter().any(|one| fits(one, words)),
                "{line}: {words}: {found:#?}"
            );
            expected += 1;
        }
        assert!(expected > 0, "nothing is expected of {line}");
    }
}

fn fits(violation: &str, expected: &str) -> bool {
    let from = expected.strip_prefix('…');
    let words = from.unwrap_or(expected);
    match (from, words.strip_suffix('…')) {
        (None, None) => violation == words,
        (None, Some(start)) => violation.starts_with(start),
        (Some(end), None) => violation.ends_with(end),
        (Some(_), Some(part)) => violation.contains(part),
    }
}

/// What is said of a run when `old` is replaced by `new` in one of its files, which is as it was afterwards.
#[track_caller]
fn told(run: &Path, file: &Path, old: &str, new: &str) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    assert_eq!(text.matches(old).count(), 1, "{old} in\n{text}");
    fs::write(file, text.replace(old, new)).unwrap();
    let found = violations(run);
    fs::write(file, text).unwrap();
    found
}

fn violations(run: &Path) -> Vec<String> {
    let checked = check::folder(run).unwrap();
    let violations = checked.iter().flat_map(|run| &run.violations);
    violations.map(Violation::to_string).collect()
}

/// What is said of a run when `old` is replaced by `new` in one of its files.
#[track_caller]
pub fn tampered_with(make: fn(&Path) -> PathBuf, file: &str, old: &str, new: &str) -> Vec<String> {
    let dir = folder();
    let run = make(dir.path());
    told(&run, &run.join(file), old, new)
}

/// The same of a lie that is worked out.
#[track_caller]
pub fn assert_noticed(
    make: fn(&Path) -> PathBuf,
    file: &str,
    old: &str,
    new: &str,
    expected: &str,
) {
    assert_lies_noticed(make, &format!("{file}:\n{old} => {new}\n    {expected}"));
}
