//! What a person sees: results on the standard output, everything else on the error output.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use crate::error::{Error, Result};

/// Reports why nothing more is done. Coloured on a terminal unless NO_COLOR is set.
pub(super) fn error(error: &Error) {
    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    let mut screen = anstream::stderr().lock();
    // Nobody is left to tell when the error output is closed.
    let _ = writeln!(screen, "{red}error:{red:#} {error}");
}

/// Tells something worth knowing that is no result.
pub(super) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes results to the standard output. A reader that has seen enough, such as `head`, is no error.
pub(super) fn results(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let written = write(&mut out).and_then(|()| out.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Error::Io {
            file: "standard output".into(),
            source: error,
        }),
        _ => {
            // What is left in the buffer has no reader; dropping would try once more, in vain.
            let _ = out.into_parts();
            Ok(())
        }
    }
}

/// One line of results.
pub(super) fn line(text: &str) -> Result<()> {
    results(|out| writeln!(out, "{text}"))
}

/// Columns as wide as they have to be, all to the right.
pub(super) fn table<const N: usize>(
    columns: &[&str; N],
    rows: &[[String; N]],
    out: &mut dyn Write,
) -> io::Result<()> {
    let names = columns.map(str::to_owned);
    let width = |at: usize| {
        let all = [&names].into_iter().chain(rows);
        all.map(|row| row[at].chars().count()).max().unwrap_or(0)
    };
    let widths: [usize; N] = std::array::from_fn(width);
    for row in [&names].into_iter().chain(rows) {
        let cells = row.iter().zip(widths);
        let line: Vec<_> = cells
            .map(|(cell, width)| format!("{cell:>width$}"))
            .collect();
        writeln!(out, "{}", line.join("  ").trim_end())?;
    }
    Ok(())
}
