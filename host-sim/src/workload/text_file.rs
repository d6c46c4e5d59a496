//! Whole text files, plain or gzip, with the place of what is wrong in them.

use std::{
    fs,
    io::{self, Read, Write},
    path::Path,
};

use flate2::{Compression, read::MultiGzDecoder, write::GzEncoder};

use crate::error::{Error, Result};

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text of a file. Content decides whether it is gzip: a downloaded log is often named otherwise than it is.
pub(super) fn read(file: &Path) -> Result<String> {
    let bytes = fs::read(file).map_err(|source| io_error(file, source))?;
    decode(file, bytes)
}

/// The text in `bytes`, which came from `file`; a byte order mark is dropped.
pub(super) fn decode(file: &Path, bytes: Vec<u8>) -> Result<String> {
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

/// Writes a file that appears whole or not at all; compressed if its name ends in `.gz`.
pub(super) fn write(
    file: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let write = || -> io::Result<()> {
        let folder = file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        // A temporary file is private by default; this one becomes an ordinary file, subject to the user's umask.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let temporary = builder.tempfile_in(folder)?;
        let mut out = io::BufWriter::new(&temporary);
        if file.extension().is_some_and(|extension| extension == "gz") {
            let mut gzip = GzEncoder::new(&mut out, Compression::default());
            content(&mut gzip)?;
            gzip.finish()?;
        } else {
            content(&mut out)?;
        }
        out.flush()?;
        drop(out);
        temporary.persist(file)?;
        Ok(())
    };
    write().map_err(|source| io_error(file, source))
}

fn io_error(file: &Path, source: io::Error) -> Error {
    Error::Io {
        file: file.to_owned(),
        source,
    }
}

/// Bad input at a named place.
pub(super) fn input_error(
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
