//! A table that is written row by row.

use std::{
    io::{self, Write},
    mem,
    path::{Path, PathBuf},
};

use flate2::{Compression, write::GzEncoder};
use serde::{Deserialize, Serialize};

use crate::{
    error::Result,
    text_file::{self, Partial, io_error, is_gzip_name},
};

/// So many rows are a block: of a table that is compressed, a member of the file.
const BLOCK: usize = 4_096;

/// The name that a table has where it is compressed.
pub(crate) fn compressed(file: &Path) -> PathBuf {
    file.with_added_extension("gz")
}

/// Up to where a table has been written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Mark {
    length: u64,
    /// The rows of a block that is not whole.
    begun: Vec<u8>,
    rows: usize,
    is_empty: bool,
}

/// A table that is written row by row, compressed if its name ends in `.gz`.
pub(crate) struct Table {
    file: PathBuf,
    out: Partial,
    /// The block that comes next.
    block: csv::Writer<Vec<u8>>,
    /// How many rows it has.
    rows: usize,
    columns: &'static [&'static str],
    is_empty: bool,
}

impl Table {
    /// Begins a table, which appears when it is finished.
    pub(crate) fn new(file: &Path, columns: &'static [&'static str]) -> Result<Self> {
        Ok(Self::of(file, Partial::new(file)?, columns, None))
    }

    /// As [`new`](Self::new), of a table that stays when the process ends; it goes on where it was at `mark`.
    pub(crate) fn staying(
        file: &Path,
        columns: &'static [&'static str],
        mark: Option<Mark>,
    ) -> Result<Self> {
        let length = mark.as_ref().map(|mark| mark.length);
        Ok(Self::of(
            file,
            Partial::staying(file, length)?,
            columns,
            mark,
        ))
    }

    fn of(file: &Path, out: Partial, columns: &'static [&'static str], mark: Option<Mark>) -> Self {
        let mark = mark.unwrap_or(Mark {
            length: 0,
            begun: Vec::new(),
            rows: 0,
            is_empty: true,
        });
        Self {
            file: file.to_owned(),
            out,
            block: block(mark.begun, mark.is_empty),
            rows: mark.rows,
            columns,
            is_empty: mark.is_empty,
        }
    }

    /// Where it is now; all of it is on the disk, but for the block that a compressed one has begun.
    pub(crate) fn mark(&mut self) -> Result<Mark> {
        let flushed = match is_gzip_name(&self.file) {
            true => self.block.flush(),
            false => self.write_block(),
        };
        let length = flushed.and_then(|()| self.out.length());
        Ok(Mark {
            length: length.map_err(|error| io_error(&self.file, error))?,
            begun: self.block.get_ref().clone(),
            rows: self.rows,
            is_empty: self.is_empty,
        })
    }

    /// The name of its file as long as it stays unfinished.
    pub(crate) fn staying_name(&self) -> String {
        text_file::staying_name(&self.file)
    }

    /// Adds a row. The header comes from the fields of the first one.
    pub(crate) fn add(&mut self, row: impl Serialize) -> Result<()> {
        self.is_empty = false;
        self.rows += 1;
        let added = self.block.serialize(row).map_err(io::Error::other);
        let added = added.and_then(|()| match self.rows < BLOCK {
            true => Ok(()),
            false => self.write_block(),
        });
        added.map_err(|error| io_error(&self.file, error))
    }

    fn write_block(&mut self) -> io::Result<()> {
        let next = block(Vec::new(), self.is_empty);
        let block = mem::replace(&mut self.block, next).into_inner();
        let text = block.map_err(csv::IntoInnerError::into_error)?;
        self.rows = 0;
        match is_gzip_name(&self.file) {
            true => {
                // What is gained by looking longer takes several times as long.
                let mut member = GzEncoder::new(&mut self.out, Compression::fast());
                member.write_all(&text)?;
                member.finish().map(drop)
            }
            false => self.out.write_all(&text),
        }
    }

    /// Lets it appear, with a header where it has no row.
    pub(crate) fn finish(mut self) -> Result<()> {
        let header = match self.is_empty {
            true => self.block.write_record(self.columns),
            false => Ok(()),
        };
        let written = header.map_err(io::Error::other);
        let written = written.and_then(|()| match self.is_empty || self.rows > 0 {
            true => self.write_block(),
            false => Ok(()),
        });
        written.map_err(|error| io_error(&self.file, error))?;
        self.out.finish()
    }
}

/// A block that begins with these rows, or with a header.
fn block(begun: Vec<u8>, has_header: bool) -> csv::Writer<Vec<u8>> {
    csv::WriterBuilder::new()
        .has_headers(has_header)
        .from_writer(begun)
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        io::{Read, Seek, SeekFrom},
    };

    use super::*;
    use crate::files::text::Text;

    #[derive(Serialize)]
    struct Pair {
        number: usize,
        square: usize,
    }

    fn pairs(numbers: std::ops::Range<usize>) -> impl Iterator<Item = Pair> {
        numbers.map(|number| Pair {
            number,
            square: number * number,
        })
    }

    fn text(file: &Path) -> String {
        let mut text = String::new();
        Text::open(file).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    /// However often it was left and gone on with, in the middle of blocks and at their ends.
    #[test]
    fn a_table_that_goes_on_has_the_bytes_of_another() {
        const ROWS: usize = 3 * BLOCK + 5;
        let dir = tempfile::tempdir().unwrap();
        for name in ["plain.csv", "packed.csv.gz"] {
            let file = dir.path().join(name);
            let mut whole = Table::new(&file, &["number", "square"]).unwrap();
            pairs(0..ROWS).for_each(|pair| whole.add(pair).unwrap());
            whole.finish().unwrap();
            let expected = fs::read(&file).unwrap();
            fs::remove_file(&file).unwrap();
            let stops = [
                0,
                1,
                700,
                BLOCK - 1,
                BLOCK,
                BLOCK + 1,
                2 * BLOCK,
                ROWS,
                ROWS,
            ];
            let mut mark = None;
            let mut at = 0;
            for stop in stops {
                let mut table = Table::staying(&file, &["number", "square"], mark).unwrap();
                pairs(at..stop).for_each(|pair| table.add(pair).unwrap());
                mark = Some(table.mark().unwrap());
                // What is written after that is lost.
                pairs(stop..stop + BLOCK).for_each(|pair| table.add(pair).unwrap());
                at = stop;
            }
            let table = Table::staying(&file, &["number", "square"], mark).unwrap();
            table.finish().unwrap();
            assert!(fs::read(&file).unwrap() == expected, "{name}");
        }
    }

    #[test]
    fn a_compressed_table_has_the_text_of_a_plain_one_from_any_byte_on() {
        let dir = tempfile::tempdir().unwrap();
        for rows in [0, 1, BLOCK, 2 * BLOCK + 3] {
            let [plain, packed] = ["t.csv", "t.csv.gz"].map(|name| {
                let file = dir.path().join(name);
                write_pairs(&file, rows);
                file
            });
            let (expected, stored) = (text(&plain), fs::metadata(&packed).unwrap().len());
            assert_eq!(text(&packed), expected);
            assert!(rows < BLOCK || stored < expected.len() as u64 / 2);
            let mut packed = Text::open(&packed).unwrap();
            let end = expected.len() as u64;
            for from in [end / 2, end, 0, end - 1, end / 3] {
                packed.seek(SeekFrom::Start(from)).unwrap();
                let mut rest = String::new();
                packed.read_to_string(&mut rest).unwrap();
                assert_eq!(rest, expected[from as usize..]);
            }
        }
    }

    fn write_pairs(file: &Path, rows: usize) {
        crate::files::write(file, &["number", "square"], pairs(0..rows)).unwrap();
    }
}
