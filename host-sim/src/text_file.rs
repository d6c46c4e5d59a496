//! Whole text files, plain or gzip, with the place of what is wrong in them.

use std::{
    collections::BTreeSet,
    ffi::OsStr,
    fs::{self, File},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use flate2::{Compression, read::MultiGzDecoder, write::GzEncoder};

use crate::error::{Error, Result};

pub(crate) const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
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
    all(Source::open(file)?)
}

/// The bytes of a file of lines, decompressed, where `source` is what the file holds.
pub(crate) fn decompress(file: &Path, source: impl BufRead) -> Result<Vec<u8>> {
    all(Source::new(file, source)?)
}

fn all<'s>(mut source: Source<'s>) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = source.reader.read_to_end(&mut bytes);
    read.map_err(|error| io_error(&source.file, error))?;
    Ok(bytes)
}

/// A file of lines that is read from its beginning to its end, decompressed.
struct Source<'s> {
    file: PathBuf,
    reader: Box<dyn BufRead + 's>,
}

impl Source<'static> {
    fn open(file: &Path) -> Result<Self> {
        let source = File::open(file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => input_error(file, None, None, "no such file".to_owned()),
            _ => io_error(file, error),
        })?;
        if source.metadata().is_ok_and(|metadata| metadata.is_dir()) {
            let problem = "found a folder, expected a file".to_owned();
            return Err(input_error(file, None, None, problem));
        }
        Self::new(file, BufReader::new(source))
    }
}

impl<'s> Source<'s> {
    fn new(file: &Path, mut source: impl BufRead + 's) -> Result<Self> {
        let begin = source.fill_buf().map_err(|error| io_error(file, error))?;
        let is_gzip = begin.starts_with(&GZIP_MAGIC);
        Ok(Self {
            file: file.to_owned(),
            reader: match is_gzip {
                true => Box::new(BufReader::new(ShortLines::new(Gunzip::new(source)))),
                false => Box::new(BufReader::new(ShortLines::new(source))),
            },
        })
    }
}

/// What compressed bytes stand for.
pub(crate) struct Gunzip<R>(MultiGzDecoder<R>);

impl<R: Read> Gunzip<R> {
    pub(crate) fn new(source: R) -> Self {
        Self(MultiGzDecoder::new(source))
    }

    pub(crate) fn get_ref(&self) -> &R {
        self.0.get_ref()
    }
}

impl<R: Read> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // An error of the system is none of the bytes.
        self.0
            .read(buffer)
            .map_err(|error| match error.raw_os_error() {
                Some(_) => error,
                None => io::Error::other(BrokenText::Gzip(error.to_string())),
            })
    }
}

/// The lines of a text, one after the other: only one of them is in memory.
pub(crate) struct Lines<'s> {
    source: Source<'s>,
    /// The number of the last line, counted from 1.
    line: u64,
    text: Vec<u8>,
}

impl Lines<'static> {
    /// Those of a file.
    pub(crate) fn open(file: &Path) -> Result<Self> {
        Ok(Self::of(Source::open(file)?))
    }
}

impl<'s> Lines<'s> {
    /// Those of a text in memory, of which `file` is named in errors.
    pub(crate) fn new(file: &Path, source: impl BufRead + 's) -> Result<Self> {
        Ok(Self::of(Source::new(file, source)?))
    }

    fn of(source: Source<'s>) -> Self {
        Self {
            source,
            line: 0,
            text: Vec::new(),
        }
    }

    /// The next line with its number, without its end; one that is not in UTF-8 is first given to `convert`.
    pub(crate) fn next(&mut self, convert: fn(&mut Vec<u8>)) -> Result<Option<(u64, &str)>> {
        self.text.clear();
        let read = self.source.reader.read_until(b'\n', &mut self.text);
        if read.map_err(|error| io_error(&self.source.file, error))? == 0 {
            return Ok(None);
        }
        self.line += 1;
        let mark = BYTE_ORDER_MARK.len_utf8();
        if self.line == 1
            && self
                .text
                .starts_with(BYTE_ORDER_MARK.encode_utf8(&mut [0; 4]).as_bytes())
        {
            self.text.drain(..mark);
        }
        if self.text.ends_with(b"\n") {
            self.text.pop();
            if self.text.ends_with(b"\r") {
                self.text.pop();
            }
        }
        if str::from_utf8(&self.text).is_err() {
            convert(&mut self.text);
        }
        match str::from_utf8(&self.text) {
            Ok(text) => Ok(Some((self.line, text))),
            Err(error) => Err(not_utf8(&self.source.file, self.line, &self.text, error)),
        }
    }
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
                return Err(io::Error::other(BrokenText::LongLine(self.line)));
            }
            if part.ends_with(b"\n") {
                (self.line, self.length) = (self.line + 1, 0);
            }
        }
        Ok(count)
    }
}

/// The line there counts as the one that is being read.
impl<R: Seek> Seek for ShortLines<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.length = 0;
        self.source.seek(to)
    }
}

/// What is wrong with bytes that have been read.
#[derive(Clone, Debug, thiserror::Error)]
enum BrokenText {
    /// A line is too long, by its number.
    #[error("found a line of more than 1 MiB, expected shorter ones")]
    LongLine(u64),
    #[error("found broken gzip data ({0}), expected a whole gzip file")]
    Gzip(String),
}

/// The text in `bytes`, which came from `file`; a byte order mark is dropped.
pub(crate) fn text(file: &Path, bytes: Vec<u8>) -> Result<String> {
    let mut text = String::from_utf8(bytes)
        .map_err(|error| not_utf8(file, 1, error.as_bytes(), error.utf8_error()))?;
    if text.starts_with(BYTE_ORDER_MARK) {
        text.drain(..BYTE_ORDER_MARK.len_utf8());
    }
    Ok(text)
}

fn not_utf8(file: &Path, first: u64, bytes: &[u8], error: std::str::Utf8Error) -> Error {
    let good = &bytes[..error.valid_up_to()];
    let line = first + good.iter().filter(|&&byte| byte == b'\n').count() as u64;
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
    clear(folder, is_partial)
}

/// Removes the files that stay beside tables, but for those that are needed.
pub(crate) fn clear_staying(folder: &Path, needed: &[String]) -> Result<()> {
    clear(folder, |file| {
        let name = file_name(file);
        is_staying(&name) && !needed.contains(&name)
    })
}

fn clear(folder: &Path, goes: impl Fn(&Path) -> bool) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(|source| io_error(folder, source))? {
        let file = entry.map_err(|source| io_error(folder, source))?.path();
        if goes(&file) {
            fs::remove_file(&file).map_err(|source| io_error(&file, source))?;
        }
    }
    Ok(())
}

/// How the names of files begin that stay unfinished beside tables.
const STAYING: &str = ".bookahead-numbers-";

/// Whether this is the name of one.
pub(crate) fn is_staying(name: &str) -> bool {
    let plain = name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
    plain && name.starts_with(STAYING) && name.ends_with(PARTIAL_NAME.1)
}

/// A new file that stays unfinished until it is removed with all others of its kind, and its name in the folder.
pub(crate) fn staying(folder: &Path) -> io::Result<(File, String)> {
    let mut file = tempfile::Builder::new()
        .prefix(STAYING)
        .suffix(PARTIAL_NAME.1)
        .tempfile_in(folder)?;
    file.disable_cleanup(true);
    let name = file_name(file.path());
    Ok((file.into_file(), name))
}

/// The name of a file that is unfinished and stays so when the process ends.
pub(crate) fn staying_name(file: &Path) -> String {
    format!("{}{}{}", PARTIAL_NAME.0, file_name(file), PARTIAL_NAME.1)
}

/// Opens a file that is there, and cuts it back to the length it had, which is where writing goes on.
pub(crate) fn cut_back(file: &Path, length: u64) -> io::Result<File> {
    let mut open = File::options().read(true).write(true).open(file)?;
    lock(&open)?;
    if open.metadata()?.len() < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    open.set_len(length)?;
    open.seek(SeekFrom::End(0))?;
    Ok(open)
}

/// A file that stays is one process's at a time, where the file system has locks.
fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => Err(io::Error::other("another process is writing it")),
        _ => Ok(()),
    }
}

/// Whether a file has the name of an unfinished one.
pub(crate) fn is_partial(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(PARTIAL_NAME.0) && name.ends_with(PARTIAL_NAME.1)
}

/// The last part of a path: where a file lies is no part of what it is.
pub(crate) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(OsStr::new("workload"));
    name.to_string_lossy().into_owned()
}

/// Writes a file that appears whole or not at all; compressed if its name ends in `.gz`.
pub(crate) fn write(
    file: &Path,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let mut partial = Partial::new(file)?;
    let written = match is_gzip_name(file) {
        true => {
            let mut out = GzEncoder::new(&mut partial, Compression::default());
            content(&mut out).and_then(|()| out.finish().map(drop))
        }
        false => content(&mut partial),
    };
    written.map_err(|source| io_error(file, source))?;
    partial.finish()
}

/// A file that is being written; it appears whole when it is finished, or not at all.
pub(crate) struct Partial {
    file: PathBuf,
    /// Its name while it is being written.
    name: PathBuf,
    out: Option<io::BufWriter<tempfile::NamedTempFile>>,
}

impl Partial {
    /// Begins a file.
    pub(crate) fn new(file: &Path) -> Result<Self> {
        let temporary = new_partial(file).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                let problem = "there is no folder of that name to write it into".to_owned();
                input_error(file, None, None, problem)
            }
            _ => io_error(file, error),
        })?;
        let name = temporary.path().to_owned();
        Ok(Self {
            file: file.to_owned(),
            name,
            out: Some(io::BufWriter::new(temporary)),
        })
    }

    /// One that stays unfinished when the process ends. Where it was begun before, it goes on behind so many bytes.
    pub(crate) fn staying(file: &Path, length: Option<u64>) -> Result<Self> {
        let name = file.with_file_name(staying_name(file));
        let open = || {
            let opened = match length {
                None => {
                    let new = File::create(&name)?;
                    lock(&new)?;
                    new
                }
                Some(length) => {
                    // It may have been finished before others were.
                    if !name.exists() {
                        fs::rename(file, &name)?;
                    }
                    cut_back(&name, length)?
                }
            };
            let path = tempfile::TempPath::try_from_path(name.clone())?;
            let mut temporary = tempfile::NamedTempFile::from_parts(opened, path);
            temporary.disable_cleanup(true);
            Ok(temporary)
        };
        let temporary = open().map_err(|error| io_error(&name, error))?;
        Ok(Self {
            file: file.to_owned(),
            out: Some(io::BufWriter::new(temporary)),
            name,
        })
    }

    /// How many bytes there are now, all of which are on the disk then.
    pub(crate) fn length(&mut self) -> io::Result<u64> {
        self.flush()?;
        let Some(out) = &self.out else {
            return Ok(0);
        };
        let mut file = out.get_ref().as_file();
        file.sync_data()?;
        file.stream_position()
    }

    /// Lets it appear.
    pub(crate) fn finish(mut self) -> Result<()> {
        let done = self.out.take().map_or(Ok(()), |out| {
            let temporary = out.into_inner()?;
            temporary.as_file().sync_all()?;
            // Nobody discards it in between.
            let mut partial = partial_files();
            partial.remove(&self.name);
            temporary
                .persist(&self.file)
                .map(drop)
                .map_err(|failed| failed.error)
        });
        done.map_err(|source| io_error(&self.file, source))
    }
}

impl Write for Partial {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.as_mut().map_or(Ok(0), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // The temporary file removes itself, unless it stays.
        partial_files().remove(&self.name);
    }
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

/// Whether a file of this name is compressed.
pub(crate) fn is_gzip_name(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "gz")
}

/// Wraps what the system said about a file, or what was found in it.
pub(crate) fn io_error(file: &Path, source: io::Error) -> Error {
    let broken = source.get_ref().and_then(|error| error.downcast_ref());
    if let Some(broken) = broken {
        let line = match broken {
            BrokenText::LongLine(line) => Some(*line),
            BrokenText::Gzip(_) => None,
        };
        return input_error(file, line, None, broken.to_string());
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

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn what_is_read_again_is_no_longer_line() {
        let mut source = ShortLines::new(Cursor::new(vec![b'x'; 700 << 10]));
        for _ in 0..3 {
            source.rewind().unwrap();
            assert_eq!(io::copy(&mut source, &mut io::sink()).unwrap(), 700 << 10);
        }
        let mut long = ShortLines::new(Cursor::new(vec![b'x'; 1_100 << 10]));
        assert!(io::copy(&mut long, &mut io::sink()).is_err());
    }
}
