//! What can go wrong at the command line, and the exit status that says so.

use std::{io, path::PathBuf};

/// An error with the exit status it stands for.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input is wrong at a named place: exit status 2.
    #[error("{}{}{}: {problem}", file.display(), at_line(*line), in_field(field.as_deref()))]
    Input {
        /// The file that was read.
        file: PathBuf,
        /// The line, counted from 1, where there is one.
        line: Option<u64>,
        /// The field (column) by name, where there is one.
        field: Option<String>,
        /// What was found and what was expected.
        problem: String,
    },
    /// Several of these at once: exit status 2.
    #[error("{}", lines(_0))]
    Several(Vec<Error>),
    /// Options that cannot be honoured together or at all: exit status 2.
    #[error("{0}")]
    Usage(String),
    /// The system failed us: exit status 1.
    #[error("{}: {}", file.display(), reason(source))]
    Io {
        /// The file or folder concerned.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Results that contradict themselves: exit status 1.
    #[error("{0}")]
    Violated(String),
    /// A defect of this program: exit status 1.
    #[error("internal error: {0}")]
    Internal(String),
}

fn at_line(line: Option<u64>) -> String {
    line.map(|n| format!(", line {n}")).unwrap_or_default()
}

fn in_field(field: Option<&str>) -> String {
    field
        .map(|name| format!(", field {name}"))
        .unwrap_or_default()
}

/// What the system said, without its number.
fn reason(source: &io::Error) -> String {
    let text = source.to_string();
    let number = source
        .raw_os_error()
        .map(|code| format!(" (os error {code})"));
    let short = number.and_then(|number| text.strip_suffix(&number).map(str::to_owned));
    short.unwrap_or(text)
}

fn lines(errors: &[Error]) -> String {
    let lines: Vec<String> = errors.iter().map(Error::to_string).collect();
    lines.join("\n")
}

impl Error {
    /// All of these, if there is any.
    pub(crate) fn unless_empty(mut errors: Vec<Self>) -> Result<()> {
        match errors.len() {
            0 => Ok(()),
            1 => Err(errors.remove(0)),
            _ => Err(Self::Several(errors)),
        }
    }

    /// 2 for bad input, 1 for anything else.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Input { .. } | Self::Several(_) | Self::Usage(_) => 2,
            Self::Io { .. } | Self::Violated(_) | Self::Internal(_) => 1,
        }
    }
}

/// Results of this crate.
pub type Result<T> = std::result::Result<T, Error>;
