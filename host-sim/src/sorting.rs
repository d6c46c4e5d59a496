//! Sorts any number of records in little memory: parts that are sorted by themselves lie in files until they are merged, without a name unless they have to outlive the process.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fs::File,
    io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write},
    mem,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
    vec,
};

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    saved::{Damaged, Saved, Saving, put, take},
    text_file,
};

/// How many bytes of records are kept in memory before they are written to a file.
const KEPT: usize = 64 << 10;

/// How many parts of a file are merged into one of the next.
const MERGED: usize = 32;

/// Bytes of each part that are in memory while parts are merged.
const BUFFER: usize = 4 << 10;

/// What can be sorted so.
pub(crate) trait Record: Ord + Clone {
    /// Its bytes in memory.
    fn size(&self) -> usize;

    fn write(&self, out: &mut impl Write) -> io::Result<()>;

    /// Reads what was written.
    fn read(from: &mut impl Read) -> io::Result<Self>;
}

impl Record for u64 {
    fn size(&self) -> usize {
        size_of::<Self>()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.to_le_bytes())
    }

    fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut bytes = [0; size_of::<Self>()];
        from.read_exact(&mut bytes)?;
        Ok(Self::from_le_bytes(bytes))
    }
}

/// By the first, then by the second.
impl<A: Record, B: Record> Record for (A, B) {
    fn size(&self) -> usize {
        self.0.size() + self.1.size()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.0.write(out)?;
        self.1.write(out)
    }

    fn read(from: &mut impl Read) -> io::Result<Self> {
        Ok((A::read(from)?, B::read(from)?))
    }
}

/// Records that are to be sorted.
///
/// Where a folder is given, [`KEPT`] bytes of them are in memory, and the others in files there that have no name, or in those of the system where
/// nothing can be written there. Each file has a bounded number of parts that are sorted; when it is full, these are merged into one of the next file.
/// Records that come in their order are one part. O(records x log) time.
///
/// Those that go on after their process was ended have files with names, of which no byte changes once it is written.
pub(crate) struct Sorter<R> {
    kept: Vec<R>,
    /// The last one of those that were written last.
    written: Option<R>,
    size: usize,
    count: usize,
    most: usize,
    folder: Option<PathBuf>,
    /// Whether files have names, and stay.
    goes_on: bool,
    files: Vec<Parts>,
    failed: Option<io::Error>,
}

/// A file with parts that are sorted.
struct Parts {
    file: Arc<File>,
    /// Its name in the folder, where it has one.
    name: String,
    parts: Vec<Range<u64>>,
}

impl<R: Record> Sorter<R> {
    /// No records so far; where there is a folder, few of them are kept in memory.
    pub(crate) fn new(folder: Option<&Path>) -> Self {
        Self::keeping(KEPT, folder)
    }

    /// As [`new`](Self::new), of which the files stay, so that [restoring](Saved::restore) finds them.
    pub(crate) fn going_on(folder: &Path) -> Self {
        Self {
            goes_on: true,
            ..Self::new(Some(folder))
        }
    }

    fn keeping(most: usize, folder: Option<&Path>) -> Self {
        Self {
            kept: Vec::new(),
            written: None,
            size: 0,
            count: 0,
            most,
            folder: folder.map(Path::to_owned),
            goes_on: false,
            files: Vec::new(),
            failed: None,
        }
    }

    /// The names of its files, where they have some.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        self.files.iter().map(|file| &file.name)
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Adds one. That it cannot be written is told by [`sorted`](Self::sorted).
    pub(crate) fn add(&mut self, record: R) {
        if self.failed.is_some() {
            return;
        }
        self.count += 1;
        self.size += record.size();
        self.kept.push(record);
        if self.size >= self.most
            && self.folder.is_some()
            && let Err(error) = self.spill()
        {
            self.failed = Some(error);
        }
    }

    fn spill(&mut self) -> io::Result<()> {
        self.kept.sort_unstable();
        self.size = 0;
        let goes_on = self.written.as_ref() <= self.kept.first();
        self.written = self.kept.last().cloned();
        if self.files.is_empty() {
            self.files.push(self.new_file()?);
        }
        self.files[0].write(goes_on, self.kept.drain(..).map(Ok))?;
        let mut full = 0;
        while self.files[full].parts.len() >= MERGED {
            let next = self.new_file()?;
            let parts = mem::replace(&mut self.files[full], next).take();
            full += 1;
            if self.files.len() == full {
                self.files.push(self.new_file()?);
            }
            self.files[full].write(false, Merge::<R>::of(parts)?)?;
        }
        Ok(())
    }

    fn new_file(&self) -> io::Result<Parts> {
        let folder = self.folder.as_deref();
        let (file, name) = match folder.filter(|_| self.goes_on) {
            Some(folder) => text_file::staying(folder)?,
            None => {
                let beside = folder.map_or_else(tempfile::tempfile, tempfile::tempfile_in);
                (beside.or_else(|_| tempfile::tempfile())?, String::new())
            }
        };
        Ok(Parts {
            file: Arc::new(file),
            name,
            parts: Vec::new(),
        })
    }

    /// All of them in their order.
    ///
    /// # Errors
    /// What the file system reports; nothing where no folder was given.
    pub(crate) fn sorted(mut self) -> io::Result<Sorted<R>> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if self.files.is_empty() {
            self.kept.sort_unstable();
            return Ok(Sorted::Kept(self.kept.into_iter()));
        }
        self.spill()?;
        let parts = self.files.iter_mut().flat_map(Parts::take);
        Ok(Sorted::Merged(Merge::of(parts)?))
    }
}

impl<R: Record + Serialize + DeserializeOwned> Saved for Sorter<R> {
    fn save(&mut self, to: &mut Vec<u8>) -> Saving {
        // What could not be written is lost, and so is a state with it.
        if let Some(error) = self.failed.take() {
            return Err(error.into());
        }
        for Parts { file, .. } in &self.files {
            file.sync_data()?;
        }
        let files = self.files.iter().map(|file| (&file.name, &file.parts));
        let files: Vec<_> = files.collect();
        put(
            &(&self.kept, &self.written, self.size, self.count, files),
            to,
        )
    }

    fn restore(&mut self, from: &mut &[u8]) -> Saving {
        let files: Vec<(String, Vec<Range<u64>>)>;
        (self.kept, self.written, self.size, self.count, files) = take(from)?;
        let folder = self.folder.as_deref().ok_or(Damaged::Bytes)?;
        let files = files.into_iter().map(|(name, parts)| {
            if !text_file::is_staying(&name) {
                return Err(Damaged::Bytes);
            }
            let length = parts.last().map_or(0, |last| last.end);
            let file = text_file::cut_back(&folder.join(&name), length)?;
            Ok(Parts {
                file: Arc::new(file),
                name,
                parts,
            })
        });
        self.files = files.collect::<Result<_, Damaged>>()?;
        Ok(())
    }
}

impl Parts {
    /// Adds a part, or more of the last one where that goes on.
    fn write<R: Record>(
        &mut self,
        goes_on: bool,
        sorted: impl Iterator<Item = io::Result<R>>,
    ) -> io::Result<()> {
        let Self { file, parts, .. } = self;
        let start = parts.last().map_or(0, |last| last.end);
        (&**file).seek(SeekFrom::Start(start))?;
        let mut out = BufWriter::with_capacity(BUFFER, &**file);
        for record in sorted {
            record?.write(&mut out)?;
        }
        let end = out.into_inner()?.stream_position()?;
        match parts.last_mut() {
            Some(last) if goes_on => last.end = end,
            _ => parts.push(start..end),
        }
        Ok(())
    }

    /// Its parts, to be read: others may be written after that.
    fn take(&mut self) -> Vec<Part> {
        let file = &self.file;
        let parts = self.parts.drain(..).map(|bytes| Part {
            file: Arc::clone(file),
            bytes,
        });
        parts.collect()
    }
}

/// A part of a file that others read and write as well.
struct Part {
    file: Arc<File>,
    bytes: Range<u64>,
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.bytes.end - self.bytes.start).unwrap_or(usize::MAX);
        let most = left.min(buffer.len());
        (&*self.file).seek(SeekFrom::Start(self.bytes.start))?;
        let count = (&*self.file).read(&mut buffer[..most])?;
        self.bytes.start += count as u64;
        Ok(count)
    }
}

/// Parts that are merged.
pub(crate) struct Merge<R> {
    parts: Vec<BufReader<Part>>,
    /// The next record of each part.
    next: BinaryHeap<Reverse<(R, usize)>>,
}

impl<R: Record> Merge<R> {
    fn of(parts: impl IntoIterator<Item = Part>) -> io::Result<Self> {
        let parts = parts.into_iter();
        let parts = parts.map(|part| BufReader::with_capacity(BUFFER, part));
        let mut merge = Self {
            parts: parts.collect(),
            next: BinaryHeap::new(),
        };
        (0..merge.parts.len()).try_for_each(|part| merge.read(part))?;
        Ok(merge)
    }

    fn read(&mut self, part: usize) -> io::Result<()> {
        let from = &mut self.parts[part];
        if from.buffer().is_empty() && from.get_ref().bytes.is_empty() {
            return Ok(());
        }
        self.next.push(Reverse((R::read(from)?, part)));
        Ok(())
    }
}

impl<R: Record> Iterator for Merge<R> {
    type Item = io::Result<R>;

    fn next(&mut self) -> Option<io::Result<R>> {
        let Reverse((record, part)) = self.next.pop()?;
        Some(self.read(part).map(|()| record))
    }
}

/// Records in their order.
pub(crate) enum Sorted<R> {
    Kept(vec::IntoIter<R>),
    Merged(Merge<R>),
}

impl<R: Record> Iterator for Sorted<R> {
    type Item = io::Result<R>;

    fn next(&mut self) -> Option<io::Result<R>> {
        match self {
            Self::Kept(kept) => kept.next().map(Ok),
            Self::Merged(merge) => merge.next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn files_give_what_sorting_gives(
            mut numbers in prop::collection::vec(prop_oneof![0_u64..50, any::<u64>()], 0..3_000),
            (sorted, most) in (0_usize..3_000, 1_usize..200),
        ) {
            let sorted = sorted.min(numbers.len());
            numbers[..sorted].sort_unstable();
            let folder = tempfile::tempdir().unwrap();
            let mut sorter = Sorter::keeping(most, Some(folder.path()));
            numbers.iter().for_each(|number| sorter.add(*number));
            prop_assert_eq!(sorter.count(), numbers.len());
            prop_assert!(sorter.kept.len() <= most);
            let files: Vec<usize> = sorter.files.iter().map(|file| file.parts.len()).collect();
            prop_assert!(files.iter().all(|parts| *parts < MERGED), "{:?}", files);
            let sorted: Vec<u64> = sorter.sorted().unwrap().map(Result::unwrap).collect();
            let mut expected = numbers.clone();
            expected.sort_unstable();
            prop_assert_eq!(sorted, expected);
            // Nothing is left.
            prop_assert_eq!(folder.path().read_dir().unwrap().count(), 0);
        }
    }

    proptest! {
        #[test]
        fn what_was_saved_goes_on(
            numbers in prop::collection::vec(any::<u64>(), 0..3_000),
            (first, more, most) in (0_usize..3_000, 0_usize..3_000, 1_usize..200),
        ) {
            let [first, more] = [first, first + more].map(|number| number.min(numbers.len()));
            let folder = tempfile::tempdir().unwrap();
            let new = || Sorter { goes_on: true, ..Sorter::keeping(most, Some(folder.path())) };
            let mut sorter = new();
            numbers[..first].iter().for_each(|number| sorter.add(*number));
            let mut saved = Vec::new();
            sorter.save(&mut saved).unwrap();
            // All of this is lost.
            numbers[first..more].iter().for_each(|number| sorter.add(!*number));
            drop(sorter);
            let mut sorter = new();
            sorter.restore(&mut &*saved).unwrap();
            prop_assert_eq!(sorter.count(), first);
            numbers[first..].iter().for_each(|number| sorter.add(*number));
            let sorted: Vec<u64> = sorter.sorted().unwrap().map(Result::unwrap).collect();
            let mut expected = numbers;
            expected.sort_unstable();
            prop_assert_eq!(sorted, expected);
        }
    }

    #[test]
    fn what_comes_in_order_is_one_part() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::keeping(8, Some(folder.path()));
        (0..100_u64).for_each(|number| sorter.add(number / 3));
        assert_eq!(sorter.files.len(), 1);
        assert_eq!(sorter.files[0].parts.len(), 1);
        sorter.add(7);
        let sorted: Vec<u64> = sorter.sorted().unwrap().map(Result::unwrap).collect();
        let mut expected: Vec<u64> = (0..100).map(|number| number / 3).chain([7]).collect();
        expected.sort_unstable();
        assert_eq!(sorted, expected);
    }

    #[test]
    fn a_folder_that_is_not_there_is_none_to_write_into() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::keeping(8, Some(&folder.path().join("none")));
        (0..100_u64).rev().for_each(|number| sorter.add(number));
        let sorted: Vec<u64> = sorter.sorted().unwrap().map(Result::unwrap).collect();
        assert!(sorted.into_iter().eq(0..100));
    }
}
