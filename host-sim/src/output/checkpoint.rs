//! checkpoint.bin: the state of a run beside its unfinished files, from which the same run goes on after its process was ended.
//!
//! | bytes | what |
//! |---:|---|
//! | 4 | `BKCP` |
//! | 4 | the CRC-32 of all that follows |
//! | | what arrives, in words; then what the files hold; then the state of the run itself |
//!
//! It appears whole. Whatever it names, of unfinished files and their lengths, is on the disk before, and is not changed until the next one is there.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use flate2::Crc;

use crate::{
    arrivals::Arrivals,
    engine::{Priority, System},
    error::{Error, Result},
    saved::{Damaged, put, take},
    text_file::{self, io_error},
};

/// The file.
pub(crate) const CHECKPOINT: &str = "checkpoint.bin";

const MAGIC: &[u8; 4] = b"BKC2";

/// When the state of a run is kept, and what was kept before.
pub struct Checkpoints {
    file: PathBuf,
    every: Duration,
    last: Instant,
    input: String,
    found: Option<Vec<u8>>,
}

impl Checkpoints {
    /// Those of a run of what arrives to a system, in this folder, with so much time from one to the next. Finds the last one.
    ///
    /// # Errors
    /// [`Error::Input`](crate::error::Error::Input) for one of other input, or one that is damaged; [`Error::Io`](crate::error::Error::Io) if it cannot be read.
    pub fn new(
        dir: &Path,
        every: Duration,
        system: &System,
        arrivals: &Arrivals<'_>,
    ) -> Result<Self> {
        let file = dir.join(CHECKPOINT);
        let input = said(system, arrivals);
        let found = match fs::read(&file) {
            Ok(bytes) => Some(content(&file, &bytes, &input)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(io_error(&file, error)),
        };
        Ok(Self {
            file,
            every,
            last: Instant::now(),
            input,
            found,
        })
    }

    /// Whether a run in this folder would go on.
    #[must_use]
    pub fn are_in(dir: &Path) -> bool {
        dir.join(CHECKPOINT).is_file()
    }

    /// Removes what is kept for going on with a run, which is over.
    ///
    /// # Errors
    /// [`Error::Io`](crate::error::Error::Io) if a file cannot be removed.
    pub fn remove(dir: &Path) -> Result<()> {
        super::remove(&dir.join(CHECKPOINT))?;
        match dir.is_dir() {
            true => text_file::clear_partial(dir),
            false => Ok(()),
        }
    }

    /// What is kept cannot be written, or gone on from.
    pub(super) fn unread(&self, why: Damaged) -> Error {
        match why {
            Damaged::Bytes => damaged(&self.file),
            Damaged::File(error) => io_error(&self.file, error),
        }
    }

    /// The last state, once.
    pub(super) fn take_found(&mut self) -> Option<Vec<u8>> {
        self.found.take()
    }

    pub(super) fn is_due(&self) -> bool {
        self.last.elapsed() >= self.every
    }

    /// Keeps a state. The unfinished files of these names are all that it needs.
    pub(super) fn keep(&mut self, state: &[u8], needed: &[String]) -> Result<()> {
        let mut content = Vec::new();
        put(&self.input, &mut content)?;
        content.extend_from_slice(state);
        let mut sum = Crc::new();
        sum.update(&content);
        text_file::write(&self.file, |out| {
            out.write_all(MAGIC)?;
            out.write_all(&sum.sum().to_le_bytes())?;
            out.write_all(&content)
        })?;
        if let Some(dir) = self.file.parent() {
            text_file::clear_staying(dir, needed)?;
        }
        self.last = Instant::now();
        Ok(())
    }
}

/// All that a run is of, in words: the version, the system and what arrives. Of the demands it has what is known of them in advance; the run compares those that it had met.
fn said(system: &System, arrivals: &Arrivals<'_>) -> String {
    let orders = [&system.wait, &system.queue_order].map(|order| match order {
        // Their own order is another one each time.
        Some(Priority::Given(keys)) => keys.keys.iter().collect::<BTreeMap<_, _>>(),
        _ => BTreeMap::new(),
    });
    let plain = System {
        wait: None,
        queue_order: None,
        ..system.clone()
    };
    let Arrivals {
        outline, notices, ..
    } = arrivals;
    let version = env!("CARGO_PKG_VERSION");
    format!("{version} {plain:?} {orders:?} {outline:?} {notices:?}")
}

/// The state in a file.
fn content(file: &Path, bytes: &[u8], input: &str) -> Result<Vec<u8>> {
    let damaged = || damaged(file);
    let bytes = bytes.strip_prefix(MAGIC).ok_or_else(damaged)?;
    let (sum, mut content) = bytes.split_first_chunk::<4>().ok_or_else(damaged)?;
    let mut expected = Crc::new();
    expected.update(content);
    if expected.sum() != u32::from_le_bytes(*sum) {
        return Err(damaged());
    }
    let of: String = take(&mut content).map_err(|_| damaged())?;
    match of == input {
        true => Ok(content.to_vec()),
        false => Err(text_file::input_error(
            file,
            None,
            None,
            format!("found a run of other input, or of another version, {ANEW}"),
        )),
    }
}

/// What to do with a file of no use.
const ANEW: &str = "expected the one that goes on: remove this file, and the run begins anew";

fn damaged(file: &Path) -> Error {
    let problem = format!("found damaged bytes, or not the files that belong to it, {ANEW}");
    text_file::input_error(file, None, None, problem)
}
