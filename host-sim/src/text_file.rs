//! Whole text files, plain or gzip, with the place of what is wrong in them.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use flate2::{Compression, read::MultiGzDecoder, write::GzEncoder};

use crate::error::{Error, Result};

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The longest line that is read, 1 MiB: a file with a longer one is no text, whatever its name says.
const LONGEST_LINE: u64 = 1 << 20;

/// The text of a file. Content decides whether it is gzip: a downloaded log is often named otherwise than it is.
pub(crate) fn read(file: &Path) -> Result<String> {
    text(file, bytes(file)?)
}

/// The text of a file, or nothing when there is no such file.
pub(crate) fn read_if_there(file: &Path) -> Result<Option<String>> {
    match File::open(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        _ => read(file).map(Some),
    }
}

/// The bytes of a file of lines, decompressed.
pub(crate) fn bytes(file: &Path) -> Result<Vec<u8>> {
    let source = File::open(file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => input_error(file, None, None, "no such file".to_owned()),
        _ => io_error(file, error),
    })?;
    if source.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        let problem = "found a folder, expected a file".to_owned();
        return Err(input_error(file, None, None, problem));
    }
    decompress(file, BufReader::new(source))
}

/// The bytes of a file of lines, decompressed, where `source` is what the file holds.
pub(crate) fn decompress(file: &Path, mut source: impl BufRead) -> Result<Vec<u8>> {
    let begin = source.fill_buf().map_err(|error| io_error(file, error))?;
    if !begin.starts_with(&GZIP_MAGIC) {
        return lines(file, source, |error| io_error(file, error));
    }
    lines(file, BufReader::new(MultiGzDecoder::new(source)), |error| {
        if error.raw_os_error().is_some() {
            return io_error(file, error);
        }
        let problem = format!("found broken gzip data ({error}), expected a whole gzip file");
        input_error(file, None, None, problem)
    })
}

/// All bytes of a file of lines.
fn lines(file: &Path, source: impl Read, failed: impl Fn(io::Error) -> Error) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = ShortLines::new(source).read_to_end(&mut bytes);
    read.map_err(|error| match LongLine::of(&error) {
        Some(_) => io_error(file, error),
        None => failed(error),
    })?;
    Ok(bytes)
}

/// What `source` says, up to a line that is too long: one that never ends is refused before it fills the memory.
pub(crate) struct ShortLines<R> {
    source: R,
    /// The line that is being read, counted from 1.
    line: u64,
    /// Bytes of it so far.
    length: u64,
}

impl<R: Read> ShortLines<R> {
    pub(crate) fn new(source: R) -> Self {
        Self {
            source,
            line: 1,
            length: 0,
        }
    }
}

impl<R: Read> Read for ShortLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        for part in buffer[..count].split_inclusive(|&byte| byte == b'\n') {
            self.length += part.len() as u64;
            if self.length > LONGEST_LINE {
                return Err(io::Error::other(LongLine(self.line)));
            }
            if part.ends_with(b"\n") {
                (self.line, self.length) = (self.line + 1, 0);
            }
        }
        Ok(count)
    }
}

/// A line that is too long, by its number.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("found a line of more than 1 MiB, expected shorter ones")]
struct LongLine(u64);

impl LongLine {
    fn of(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }
}

/// The text in `bytes`, which came from `file`; a byte order mark is dropped.
pub(crate) fn text(file: &Path, bytes: Vec<u8>) -> Result<String> {
    let mut text = String::from_utf8(bytes)
        .map_err(|error| not_utf8(file, error.as_bytes(), error.utf8_error()))?;
    if text.starts_with(BYTE_ORDER_MARK) {
        text.drain(..BYTE_ORDER_MARK.len_utf8());
    }
    Ok(text)
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

/// How the names of unfinished files begin and end.
const PARTIAL_NAME: (&str, &str) = (".bookahead-", ".partial");

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

/// Makes a folder if need be, without what a process that was killed has left unfinished in it.
pub(crate) fn prepare_folder(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|source| io_error(folder, source))?;
    clear_partial(folder)
}

/// Removes the unfinished files that a process which was killed has left in a folder.
pub(crate) fn clear_partial(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(|source| io_error(folder, source))? {
        let file = entry.map_err(|source| io_error(folder, source))?.path();
        if is_partial(&file) {
            fs::remove_file(&file).map_err(|source| io_error(&file, source))?;
        }
    }
    Ok(())
}

/// Whether a file has the name of an unfinished one.
pub(crate) fn is_partial(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(PARTIAL_NAME.0) && name.ends_with(PARTIAL_NAME.1)
}

/// Writes a file that appears whole or not at all; compressed if its name ends in `.gz`.
pub(crate) fn write(
    file: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let temporary = new_partial(file).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            let problem = "there is no folder of that name to write it into".to_owned();
            input_error(file, None, None, problem)
        }
        _ => io_error(file, error),
    })?;
    let name = temporary.path().to_owned();
    let written = fill(&temporary, is_gzip_name(file), content);
    let mut partial = partial_files();
    let done = written.and_then(|()| {
        temporary
            .persist(file)
            .map(drop)
            .map_err(|failed| failed.error)
    });
    partial.remove(&name);
    done.map_err(|source| io_error(file, source))
}

/// An empty file beside `file`, so that renaming it never crosses file systems.
fn new_partial(file: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut partial = partial_files();
    let named = tempfile::Builder::new()
        .prefix(PARTIAL_NAME.0)
        .suffix(PARTIAL_NAME.1)
        // An ordinary file, subject to the user's umask, where a temporary one would be private.
        .make_in(folder, |path| File::create_new(path));
    let temporary = named?;
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

/// Wraps what the system said about a file, or what was found in it.
pub(crate) fn io_error(file: &Path, source: io::Error) -> Error {
    if let Some(long) = LongLine::of(&source) {
        return input_error(file, Some(long.0), None, long.to_string());
    }
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
