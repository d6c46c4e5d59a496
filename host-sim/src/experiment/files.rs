//! Result files that appear whole or not at all.

use std::{
    fs,
    io::{self, Write},
    path::Path,
};

use serde_json::Value;

use crate::error::{Error, Result};

/// Makes the folder, and takes an earlier metrics.json away: while it is missing the folder is not finished.
pub(super) fn begin(dir: &Path) -> Result<()> {
    fs::create_dir_all(dir).map_err(|source| io_error(dir, source))?;
    let file = dir.join("metrics.json");
    match fs::remove_file(&file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error(&file, error)),
        _ => Ok(()),
    }
}

/// Writes a CSV file.
pub(super) fn table<const N: usize>(
    dir: &Path,
    name: &str,
    header: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Result<()> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let broken = |error: csv::Error| Error::Internal(format!("{name}: {error}"));
    writer.write_record(header).map_err(broken)?;
    for row in rows {
        writer.write_record(row).map_err(broken)?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| Error::Internal(format!("{name}: {error}")))?;
    whole(dir, name, &bytes)
}

/// Writes a JSON file.
pub(super) fn json(dir: &Path, name: &str, value: &Value) -> Result<()> {
    whole(dir, name, format!("{value:#}\n").as_bytes())
}

fn whole(dir: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let file = dir.join(name);
    persist(dir, &file, bytes).map_err(|source| io_error(&file, source))
}

fn persist(dir: &Path, file: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".result-").suffix(".partial");
    // Temporary files are private by default; results are for everybody the folder is for.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut partial = builder.tempfile_in(dir)?;
    partial.write_all(bytes)?;
    partial.as_file().sync_all()?;
    partial.persist(file)?;
    Ok(())
}

fn io_error(file: &Path, source: io::Error) -> Error {
    Error::Io {
        file: file.to_owned(),
        source,
    }
}
