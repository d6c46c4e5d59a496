//! Tables and settings as files, which appear whole or not at all.

use std::{io, path::Path};

use serde_json::Value;

use crate::{error::Result, text_file};

/// Writes a CSV file.
pub(super) fn table<const N: usize>(
    dir: &Path,
    name: &str,
    header: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Result<()> {
    text_file::write(&dir.join(name), |out| {
        let mut table = csv::Writer::from_writer(out);
        table.write_record(header).map_err(io::Error::other)?;
        for row in rows {
            table.write_record(row).map_err(io::Error::other)?;
        }
        table.flush()
    })
}

/// Writes a JSON file.
pub(super) fn json(dir: &Path, name: &str, value: &Value) -> Result<()> {
    text_file::write(&dir.join(name), |out| writeln!(out, "{value:#}"))
}
