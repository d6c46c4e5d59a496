//! What every complaint about bad input must say.

use std::path::Path;

use bookahead_sim::error::Error;

/// Checks that `error` blames the input and names the place: a file in or below `file`, and, given the text, a line it has.
///
/// # Panics
///
/// When it does not.
pub fn check(error: &Error, file: &Path, text: Option<&[u8]>) {
    let Error::Input {
        file: named,
        line,
        field,
        problem,
    } = error
    else {
        panic!("bad input is reported as something else: {error:?}");
    };
    assert!(named.starts_with(file), "{error} names another file");
    assert_eq!(error.exit_status(), 2);
    assert!(!problem.is_empty(), "{error:?} says nothing");
    let message = error.to_string();
    assert!(message.starts_with(&*named.to_string_lossy()));
    if let Some(line) = line {
        assert!(message.contains(&format!("line {line}")), "{message}");
        if let Some(text) = text {
            // A file that breaks off is wrong behind its last line.
            let lines = 1 + text.iter().filter(|&&byte| byte == b'\n').count() as u64;
            assert!((1..=lines).contains(line), "{message}, of {lines} lines");
        }
    }
    if let Some(field) = field {
        assert!(message.contains(&format!("field {field}")), "{message}");
    }
}
