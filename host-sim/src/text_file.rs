//! Whole text files, plain or gzip, with the place of what is wrong in them.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use flate2::{Compression, read::MultiGzDecoder, write::GzEncoder};

use crate::error::{Error, Result};

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text of a file. Content decides whether it is gzip: a downloaded log is often named otherwise than it is.
pub(crate) fn read(file: &Path) -> Result<String> {
    let bytes = fs::read(file).map_err(|source| io_error(file, source))?;
    decode(file, bytes)
}

/// The text of a file, or nothing when there is no such file.
pub(crate) fn read_if_there(file: &Path) -> Result<Option<String>> {
    match fs::read(file) {
        Ok(bytes) => decode(file, bytes).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(io_error(file, source)),
    }
}

/// The text in `bytes`, which came from `file`; a byte order mark is dropped.
pub(crate) fn decode(file: &Path, bytes: Vec<u8>) -> Result<String> {
    let bytes = if bytes.starts_with(&GZIP_MAGIC) {
        gunzip(file, &bytes)?
    } else {
        bytes
    };
    let mut text = String::from_utf8(bytes)
        .map_err(|error| not_utf8(file, error.as_bytes(), error.utf8_error()))?;
    if text.starts_with(BYTE_ORDER_MARK) {
        text.drain(..BYTE_ORDER_MARK.len_utf8());
    }
    Ok(text)
}

fn gunzip(file: &Path, bytes: &[u8]) -> Result<Vec<u8>> {
    let mut plain = Vec::new();
    // Reading from memory cannot fail, so every error is the decoder's verdict on the data.
    MultiGzDecoder::new(bytes)
        .read_to_end(&mut plain)
        .map_err(|error| {
            input_error(
                file,
                None,
                None,
                format!("found broken gzip data ({error}), expected a whole gzip file"),
            )
        })?;
    Ok(plain)
}

fn not_utf8(file: &Path, bytes: &[u8], error: std::str::Utf8Error) -> Error {
    let good = &bytes[..error.valid_up_to()];
    let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count() as u64;
    let found = bytes[error.valid_up_to()];
    input_error(
        file,
        Some(line),
        None,
        format!("found the byte 0x{found:02x}, expected text in UTF-8"),
    )
}

/// Temporary files that have not become whole ones yet.
static PARTIAL: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn partial_files() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    // Whoever panicked left a set of paths, which is never half changed.
    PARTIAL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the files that are being written, then calls `exit`; no file appears in between.
pub(crate) fn discard_partial(exit: impl FnOnce()) {
    let partial = partial_files();
    for file in partial.iter() {
        // Nothing can be done about one that stays: its name says that it is no result.
        let _ = fs::remove_file(file);
    }
    exit();
}

/// Writes a file that appears whole or not at all; compressed if its name ends in `.gz`.
pub(crate) fn write(
    file: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let temporary = new_partial(file).map_err(|source| io_error(file, source))?;
    let name = temporary.path().to_owned();
    let written = fill(&temporary, is_gzip_name(file), content);
    let mut partial = partial_files();
    let done = written.and_then(|()| Ok(temporary.persist(file).map(drop)?));
    partial.remove(&name);
    done.map_err(|source| io_error(file, source))
}

/// An empty file beside `file`, so that renaming it never crosses file systems.
fn new_partial(file: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".bookahead-").suffix(".partial");
    // A temporary file is private by default; this one becomes an ordinary file, subject to the user's umask.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut partial = partial_files();
    let temporary = builder.tempfile_in(folder)?;
    partial.insert(temporary.path().to_owned());
    Ok(temporary)
}

fn fill(
    temporary: &tempfile::NamedTempFile,
    compress: bool,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = io::BufWriter::new(temporary);
    if compress {
        let mut gzip = GzEncoder::new(&mut out, Compression::default());
        content(&mut gzip)?;
        gzip.finish()?;
    } else {
        content(&mut out)?;
    }
    out.flush()?;
    drop(out);
    temporary.as_file().sync_all()
}

fn is_gzip_name(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "gz")
}

/// Wraps what the system said about a file.
pub(crate) fn io_error(file: &Path, source: io::Error) -> Error {
    Error::Io {
        file: file.to_owned(),
        source,
    }
}

/// Bad input at a named place.
pub(crate) fn input_error(
    file: &Path,
    line: Option<u64>,
    field: Option<&str>,
    problem: String,
) -> Error {
    Error::Input {
        file: file.to_owned(),
        line,
        field: field.map(str::to_owned),
        problem,
    }
}
