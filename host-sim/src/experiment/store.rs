//! Finished runs: one file, to which each is appended as a frame with a checksum.
//!
//! ```text
//!   file:  "bookruns", hash of the experiment (u64) | frame | frame | ...
//!   frame: run (u64: point, replication), length (u32) | as many bytes | checksum of all that (u64)
//! ```
//!
//! All numbers are little-endian. What begins no whole frame is damaged, up to where the next one begins: at the end of the file it is cut off, and
//! elsewhere the file is written anew without it. Frames may stand in any order, so that many threads can make the runs.
//!
//! The log of `kernel/store` is not fit for this: its records are changes of a book in a fixed order, and each is synced before anybody is told of it. A
//! run that is lost is made again.

use std::{
    fmt,
    fs::{File, OpenOptions, TryLockError},
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use twox_hash::XxHash3_64;

use crate::{
    error::{Error, Result},
    manifest::RUNS,
    output,
    text_file::{self, io_error},
};

const MAGIC: &[u8; 8] = b"bookruns";
const HEADER: u64 = 16;

/// What a frame has before its bytes, and the checksum behind them.
const HEAD: usize = 12;
const SUM: usize = 8;

/// The most bytes of a run; a frame that says more is none.
const LONGEST: usize = 1 << 20;

/// Which run: a point, counted from 0, and a replication, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Run {
    pub(super) point: usize,
    pub(super) replication: u32,
}

impl Run {
    /// The number by which it is found, in the order of rows.
    fn number(self) -> u64 {
        (self.point as u64) << 32 | u64::from(self.replication)
    }

    fn of(number: u64) -> Self {
        Self {
            point: (number >> 32) as usize,
            replication: number as u32,
        }
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "point {}, replication {}", self.point, self.replication)
    }
}

/// Whether a run belongs to an experiment.
pub(super) type IsRun<'a> = &'a dyn Fn(Run) -> bool;

/// The finished runs in a result folder.
pub(super) struct Store {
    file: PathBuf,
    /// The number of each run and the place of its frame, by number.
    index: Vec<(u64, u64)>,
    /// What is wrong with the file, in words.
    damage: Vec<String>,
    frames: Mutex<Frames>,
}

/// The file, which one thread at a time reads or writes.
struct Frames {
    source: BufReader<File>,
    /// Where the source stands, if that is known.
    stands: Option<u64>,
    end: u64,
    /// What all runs have in common: a frame of another experiment is none of this one.
    experiment: u64,
    /// The frame that was read last.
    frame: Vec<u8>,
    /// The numbers and places of those that were appended.
    added: Vec<(u64, u64)>,
}

impl Store {
    /// The finished runs of an experiment, to go on with: what is damaged is gone then, and no other process writes the file.
    pub(super) fn open(dir: &Path, experiment: &str, is_run: IsRun<'_>) -> Result<Self> {
        let file = dir.join(RUNS);
        let source = claimed(&file)?;
        let (mut store, whole) = Self::read_whole(file, source, Some(hash_of(experiment)), is_run)?;
        match whole {
            Some(whole) => store.cut(whole).map_err(|error| store.failed(error))?,
            None => store.rewrite()?,
        }
        Ok(store)
    }

    /// The finished runs of an experiment, as they are.
    pub(super) fn look(dir: &Path, experiment: &str, is_run: IsRun<'_>) -> Result<Self> {
        Self::looked_at(dir, Some(hash_of(experiment)), is_run)
    }

    fn looked_at(dir: &Path, experiment: Option<u64>, is_run: IsRun<'_>) -> Result<Self> {
        let file = dir.join(RUNS);
        let source = match File::open(&file) {
            // Nothing is finished.
            Err(error) if error.kind() == io::ErrorKind::NotFound => tempfile::tempfile(),
            source => source,
        };
        let source = source.map_err(|error| io_error(&file, error))?;
        Self::read_whole(file, source, experiment, is_run).map(|(store, _)| store)
    }

    /// Reads the file, of which `experiment` says whose it is, unless it is anybody's. Gives where its whole frames end if there is nothing else before.
    fn read_whole(
        file: PathBuf,
        source: File,
        experiment: Option<u64>,
        is_run: IsRun<'_>,
    ) -> Result<(Self, Option<u64>)> {
        let mut frames = Frames {
            end: source
                .metadata()
                .map_err(|error| io_error(&file, error))?
                .len(),
            source: BufReader::new(source),
            stands: None,
            experiment: 0,
            frame: Vec::new(),
            added: Vec::new(),
        };
        let mut found = Found::default();
        frames
            .find(experiment, is_run, &mut found)
            .map_err(|error| io_error(&file, error))?;
        let Found {
            index,
            damage,
            whole,
        } = found;
        let store = Self {
            file,
            index,
            damage,
            frames: Mutex::new(frames),
        };
        Ok((store, whole))
    }

    /// What is wrong with the file, a line each.
    pub(super) fn damage(&self) -> impl Iterator<Item = String> {
        let name = self.file.display();
        self.damage
            .iter()
            .map(move |damage| format!("{name}: {damage}"))
    }

    /// How many runs are finished.
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// The finished runs in order.
    pub(super) fn runs(&self) -> impl Iterator<Item = Run> {
        self.index.iter().map(|(number, _)| Run::of(*number))
    }

    /// Whether a run was finished when the file was opened.
    pub(super) fn has(&self, run: Run) -> bool {
        self.place(run).is_some()
    }

    fn place(&self, run: Run) -> Option<u64> {
        let at = self
            .index
            .binary_search_by_key(&run.number(), |entry| entry.0);
        at.ok().map(|at| self.index[at].1)
    }

    /// What was kept of a run that was finished when the file was opened.
    pub(super) fn read(&self, run: Run) -> Result<Option<String>> {
        let Some(place) = self.place(run) else {
            return Ok(None);
        };
        let bytes = self.frames().bytes(place).map(<[u8]>::to_vec);
        let bytes = bytes.map_err(|error| self.failed(error))?;
        text_file::text(&self.file, bytes).map(Some)
    }

    /// Keeps what is to be known of a finished run.
    pub(super) fn append(&self, run: Run, text: &str) -> Result<()> {
        let mut frames = self.frames();
        let frame = frame(frames.experiment, run, text.as_bytes());
        let appended = frames.append(run, &frame);
        appended.map_err(|error| self.failed(error))
    }

    /// Makes everything appended known to the other calls, and durable.
    pub(super) fn settle(&mut self) -> Result<()> {
        let frames = self
            .frames
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        self.index.append(&mut frames.added);
        self.index.sort_unstable();
        let synced = frames.source.get_ref().sync_all();
        synced.map_err(|error| io_error(&self.file, error))
    }

    fn frames(&self) -> MutexGuard<'_, Frames> {
        // Whoever panicked left what the file holds as it is.
        self.frames.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, error: io::Error) -> Error {
        io_error(&self.file, error)
    }

    /// Cuts off what follows the whole frames.
    fn cut(&mut self, whole: u64) -> io::Result<()> {
        let mut frames = self.frames();
        let experiment = frames.experiment;
        frames.stands = None;
        let mut file = frames.source.get_ref();
        if whole < HEADER {
            file.set_len(0)?;
            file.write_all(&header(experiment))?;
        } else {
            file.set_len(whole)?;
        }
        frames.end = whole.max(HEADER);
        Ok(())
    }

    /// Writes the file anew with nothing but the runs, in order.
    fn rewrite(&mut self) -> Result<()> {
        let frames = self
            .frames
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner);
        let mut end = HEADER;
        text_file::write(&self.file, |out| {
            out.write_all(&header(frames.experiment))?;
            for (_, place) in &mut self.index {
                frames.bytes(*place)?;
                out.write_all(&frames.frame)?;
                *place = end;
                end += frames.frame.len() as u64;
            }
            Ok(())
        })?;
        frames.source = BufReader::new(claimed(&self.file)?);
        (frames.stands, frames.end) = (None, end);
        Ok(())
    }
}

/// The file to append to, which is this process's from then on.
fn claimed(file: &Path) -> Result<File> {
    let source = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(file);
    let source = source.map_err(|error| io_error(file, error))?;
    match source.try_lock() {
        Err(TryLockError::WouldBlock) => Err(Error::Usage(format!(
            "{}: another process is writing it, expected one at a time for each folder",
            file.display()
        ))),
        // Some file systems have no locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(source),
    }
}

/// What a file holds.
#[derive(Default)]
struct Found {
    index: Vec<(u64, u64)>,
    damage: Vec<String>,
    /// Where the whole frames end, if there is nothing else before.
    whole: Option<u64>,
}

impl Frames {
    /// Looks for all frames.
    fn find(
        &mut self,
        experiment: Option<u64>,
        is_run: IsRun<'_>,
        found: &mut Found,
    ) -> io::Result<()> {
        let mut said = vec![0; HEADER.min(self.end) as usize];
        self.fill(0, &mut said)?;
        let of = said
            .strip_prefix(MAGIC)
            .and_then(|said| said.try_into().ok());
        self.experiment = experiment
            .or(of.map(u64::from_le_bytes))
            .unwrap_or_default();
        if said != header(self.experiment) {
            if !said.is_empty() {
                let begins = "begins otherwise than the runs of this plan in this version, so that none is taken from it";
                found.damage.push(begins.to_owned());
            }
            found.whole = Some(0);
            return Ok(());
        }
        let mut is_mixed = false;
        let mut place = HEADER;
        while place < self.end {
            let Some((at, run)) = self.next(place)? else {
                let torn = self.end - place;
                found
                    .damage
                    .push(format!("the last {torn} bytes are no whole run"));
                break;
            };
            if at > place {
                found
                    .damage
                    .push(format!("damaged from byte {place} to byte {at}"));
            } else if !is_run(run) {
                found
                    .damage
                    .push(format!("{run} at byte {at} does not belong here"));
            }
            match is_run(run) {
                true => found.index.push((run.number(), at)),
                false => is_mixed = true,
            }
            is_mixed |= at > place;
            place = at + self.frame.len() as u64;
        }
        is_mixed |= self.contradictions(found)?;
        found.whole = Some(place).filter(|_| !is_mixed);
        Ok(())
    }

    /// The first whole frame from a place on.
    fn next(&mut self, from: u64) -> io::Result<Option<(u64, Run)>> {
        for place in from..self.end {
            if let Some(run) = self.read(place)? {
                return Ok(Some((place, run)));
            }
        }
        Ok(None)
    }

    /// Sorts the index and leaves each run once in it, or not at all where its frames say different things. Returns whether there is such a run.
    fn contradictions(&mut self, found: &mut Found) -> io::Result<bool> {
        found.index.sort_unstable();
        let mut wrong = Vec::new();
        let twice = found.index.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        for pair in twice {
            let first = self.bytes(pair[0].1)?.to_vec();
            if self.bytes(pair[1].1)? != first {
                wrong.push(pair[0].0);
            }
        }
        found.index.dedup_by_key(|entry| entry.0);
        found
            .index
            .retain(|entry| wrong.binary_search(&entry.0).is_err());
        wrong.dedup();
        let said = wrong.iter().map(|number| {
            format!(
                "{} stands there twice, and not with the same results",
                Run::of(*number)
            )
        });
        found.damage.extend(said);
        Ok(!wrong.is_empty())
    }

    /// Reads the frame at a place, if a whole one is there.
    fn read(&mut self, place: u64) -> io::Result<Option<Run>> {
        let mut frame = std::mem::take(&mut self.frame);
        let run = self.read_into(place, &mut frame);
        self.frame = frame;
        run
    }

    fn read_into(&mut self, place: u64, frame: &mut Vec<u8>) -> io::Result<Option<Run>> {
        let rest = self.end.saturating_sub(place);
        if rest < (HEAD + SUM) as u64 {
            return Ok(None);
        }
        frame.resize(HEAD, 0);
        self.fill(place, frame)?;
        let (number, length) = frame.split_at(8);
        let number = u64::from_le_bytes(number.try_into().unwrap_or_default());
        let length = u32::from_le_bytes(length.try_into().unwrap_or_default()) as usize;
        let size = HEAD + length + SUM;
        if length > LONGEST || rest < size as u64 {
            return Ok(None);
        }
        frame.resize(size, 0);
        self.fill(place + HEAD as u64, &mut frame[HEAD..])?;
        let (said, sum) = frame.split_at(size - SUM);
        let is_whole = sum == checksum(self.experiment, said);
        Ok(is_whole.then(|| Run::of(number)))
    }

    /// The bytes of the run whose frame is at a place.
    fn bytes(&mut self, place: u64) -> io::Result<&[u8]> {
        match self.read(place)? {
            Some(_) => Ok(&self.frame[HEAD..self.frame.len() - SUM]),
            None => Err(io::Error::other(format!(
                "the frame at byte {place} has changed"
            ))),
        }
    }

    /// Reads what stands at a place. Runs are mostly read in the order in which they stand, so that what is behind them has been fetched already.
    fn fill(&mut self, place: u64, buffer: &mut [u8]) -> io::Result<()> {
        match self.stands.take() {
            Some(stands) => self.source.seek_relative(place as i64 - stands as i64)?,
            None => drop(self.source.seek(SeekFrom::Start(place))?),
        }
        self.source.read_exact(buffer)?;
        self.stands = Some(place + buffer.len() as u64);
        Ok(())
    }

    fn append(&mut self, run: Run, frame: &[u8]) -> io::Result<()> {
        self.stands = None;
        let mut file = self.source.get_ref();
        if let Err(error) = file.write_all(frame) {
            // Others may still find room, and none must stand behind half a frame.
            let _ = file.set_len(self.end);
            return Err(error);
        }
        self.added.push((run.number(), self.end));
        self.end += frame.len() as u64;
        Ok(())
    }
}

fn header(experiment: u64) -> Vec<u8> {
    [*MAGIC, experiment.to_le_bytes()].concat()
}

fn frame(experiment: u64, run: Run, bytes: &[u8]) -> Vec<u8> {
    let mut frame = run.number().to_le_bytes().to_vec();
    frame.extend((bytes.len() as u32).to_le_bytes());
    frame.extend(bytes);
    frame.extend(checksum(experiment, &frame));
    frame
}

fn checksum(experiment: u64, said: &[u8]) -> [u8; SUM] {
    XxHash3_64::oneshot_with_seed(experiment, said).to_le_bytes()
}

/// How many runs are kept in a result folder.
pub(super) fn count(dir: &Path) -> Result<usize> {
    Store::looked_at(dir, None, &|_| true).map(|store| store.len())
}

/// Removes all runs that are kept in a result folder.
pub(super) fn clear(dir: &Path) -> Result<()> {
    output::remove(&dir.join(RUNS))
}

/// What tells the content of a file from others.
pub(crate) fn hash(file: &Path) -> Result<String> {
    Ok(format!(
        "{:016x}",
        XxHash3_64::oneshot(&text_file::bytes(file)?)
    ))
}

/// What tells an experiment from others.
pub(super) fn hash_of(experiment: &str) -> u64 {
    XxHash3_64::oneshot(experiment.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::{HEADER, Run, Store, frame, hash_of};
    use crate::manifest::RUNS;

    const EXPERIMENT: &str = "an experiment";

    fn run(point: usize) -> Run {
        Run {
            point,
            replication: 1,
        }
    }

    /// What is kept of a run, of another length for each of the first.
    fn text(point: usize) -> String {
        format!("{}\n0.5", "row".repeat(point))
    }

    fn open(dir: &Path) -> Store {
        Store::open(dir, EXPERIMENT, &|run| run.point < 9).unwrap()
    }

    /// Five runs, and where the frame of each begins and the last one ends.
    fn five(dir: &Path) -> (Vec<u8>, Vec<usize>) {
        let store = open(dir);
        let mut places = vec![HEADER as usize];
        for point in 0..5 {
            store.append(run(point), &text(point)).unwrap();
            places.push(fs::metadata(dir.join(RUNS)).unwrap().len() as usize);
        }
        (fs::read(dir.join(RUNS)).unwrap(), places)
    }

    /// Looks at these bytes, then goes on with them. Gives the runs that are there, and what is wrong; afterwards nothing is.
    fn read(dir: &Path, bytes: &[u8]) -> (Vec<usize>, Vec<String>) {
        fs::write(dir.join(RUNS), bytes).unwrap();
        let looked = Store::look(dir, EXPERIMENT, &|run| run.point < 9).unwrap();
        let points: Vec<usize> = looked.runs().map(|run| run.point).collect();
        for point in &points {
            assert_eq!(looked.read(run(*point)).unwrap().unwrap(), text(*point));
        }
        assert_eq!(
            fs::read(dir.join(RUNS)).unwrap(),
            bytes,
            "looking changed it"
        );
        let mut store = open(dir);
        let damage: Vec<String> = looked.damage().collect();
        assert_eq!(store.damage().collect::<Vec<_>>(), damage);
        for point in &points {
            assert_eq!(store.read(run(*point)).unwrap().unwrap(), text(*point));
        }
        // The last first: they may be made in any order.
        for point in (0..5).rev().filter(|point| !points.contains(point)) {
            store.append(run(point), &text(point)).unwrap();
        }
        store.settle().unwrap();
        let has_all = |store: &Store| {
            let read = |point| store.read(run(point)).unwrap().unwrap();
            (0..5).all(|point| read(point) == text(point))
        };
        assert!(has_all(&store));
        drop(store);
        let store = open(dir);
        assert!(store.damage().count() == 0 && has_all(&store));
        (points, damage)
    }

    #[test]
    fn a_frame_that_was_cut_short_anywhere_is_cut_off() {
        let dir = tempfile::tempdir().unwrap();
        let (bytes, places) = five(dir.path());
        for cut in 0..bytes.len() {
            let (points, damage) = read(dir.path(), &bytes[..cut]);
            let whole = places[1..].iter().filter(|end| **end <= cut).count();
            assert_eq!(points, (0..whole).collect::<Vec<_>>(), "cut at {cut}");
            let is_torn = cut > 0 && !places.contains(&cut);
            assert_eq!(
                damage.len(),
                usize::from(is_torn),
                "cut at {cut}: {damage:?}"
            );
            let again = fs::read(dir.path().join(RUNS)).unwrap();
            let whole = places[whole];
            assert_eq!(
                (again.len(), &again[..whole]),
                (bytes.len(), &bytes[..whole])
            );
        }
    }

    #[test]
    fn a_byte_that_has_changed_anywhere_costs_one_run() {
        let dir = tempfile::tempdir().unwrap();
        let (bytes, places) = five(dir.path());
        for byte in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[byte] ^= 1 << (byte % 8);
            let (points, damage) = read(dir.path(), &changed);
            assert_eq!(damage.len(), 1, "byte {byte}: {damage:?}");
            let lost = places[1..].partition_point(|end| *end <= byte);
            let expected = (0..5).filter(|point| *point != lost && byte >= places[0]);
            assert_eq!(points, expected.collect::<Vec<_>>(), "byte {byte}");
        }
    }

    #[test]
    fn what_is_no_run_of_the_experiment_is_not_taken() {
        let dir = tempfile::tempdir().unwrap();
        let (bytes, places) = five(dir.path());
        let with = |frame: Vec<u8>| read(dir.path(), &[&bytes[..], &frame].concat());
        let of = hash_of(EXPERIMENT);
        let twice = with(bytes[places[2]..places[3]].to_vec());
        assert_eq!(twice, (vec![0, 1, 2, 3, 4], vec![]));
        let (points, damage) = with(frame(of, run(2), b"other\n0.5"));
        assert_eq!(points, [0, 1, 3, 4]);
        assert!(
            damage[0].ends_with(
                "point 2, replication 1 stands there twice, and not with the same results"
            ),
            "{damage:?}"
        );
        let (points, damage) = with(frame(of, run(9), b"row\n0.5"));
        assert_eq!(points, [0, 1, 2, 3, 4]);
        assert!(damage[0].ends_with(" does not belong here"), "{damage:?}");
        // A frame of another experiment, and a length beyond all bounds.
        assert_eq!(with(frame(of + 1, run(5), b"row\n0.5")).1.len(), 1);
        assert_eq!(with([0xff; 30].to_vec()).1.len(), 1);
        let mut other = bytes.clone();
        other[8..16].copy_from_slice(&(of + 1).to_le_bytes());
        assert!(read(dir.path(), &other).0.is_empty());
        assert_eq!(read(dir.path(), b"").1.len(), 0);
    }

    #[test]
    fn a_file_is_that_of_one_process() {
        let dir = tempfile::tempdir().unwrap();
        let first = open(dir.path());
        let second = Store::open(dir.path(), EXPERIMENT, &|_| true).map(drop);
        let message = second.unwrap_err().to_string();
        assert!(
            message.contains("runs.bin: another process is writing it"),
            "{message}"
        );
        drop(first);
        open(dir.path());
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(RUNS)).unwrap();
        for opened in [
            Store::open(folder.path(), EXPERIMENT, &|_| true),
            Store::look(folder.path(), EXPERIMENT, &|_| true),
        ] {
            let message = opened.map(drop).unwrap_err().to_string();
            assert!(message.contains("runs.bin: "), "{message}");
        }
    }
}
