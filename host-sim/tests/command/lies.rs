//! Lies in the files of a run, of which the checker has to notice each.

use std::{
    fs,
    path::{Path, PathBuf},
};

use bookahead_sim::check::{self, Violation};

use crate::{
    cases::{cases, change, fits},
    folder,
};

/// The checker finds nothing wrong with a run, and says what is expected, perhaps among others, of each of these lies, told alone.
///
/// A [case](cases) that ends in a colon names a file. The others are lies about it: `what stands there => what is said instead`.
#[track_caller]
pub fn assert_lies_noticed(make: fn(&Path) -> PathBuf, lies: &str) {
    let dir = folder();
    let run = make(dir.path());
    assert_eq!(violations(&run), [""; 0], "nobody has lied");
    let mut file = PathBuf::new();
    for (case, expected) in cases(lies) {
        let Some([old, new]) = change(&case) else {
            file = run.join(case.strip_suffix(':').unwrap());
            continue;
        };
        assert!(!expected.is_empty(), "nothing is expected of {case}");
        let found = told(&run, &file, old, new);
        for words in expected {
            assert!(
                found.iter().any(|one| fits(one, &words)),
                "{case}: {words}: {found:#?}"
            );
        }
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

/// What the checker says of a run.
pub fn violations(run: &Path) -> Vec<String> {
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
