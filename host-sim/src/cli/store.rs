//! `bookahead store`: what is in a store of promises, and what becomes of a damaged one.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use bookahead::{Handle, Reservation, SnapshotError};
use bookahead_heap::{Binding, BoxedBook, Sizes, Survives};
use bookahead_store::{BookKind, Contents, Disk, Repaired, StoreError, kind_of, repair, verify};
use clap::Args;

use super::{basics::Basics, screen, values};
use crate::{
    error::{Error, Result},
    report::words::{grouped, plural},
};

/// Look into a store of promises, compact it, or repair it
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(super) struct Store {
    /// What to do
    #[arg(value_name = "ACTION", value_parser = values::one_of(actions()))]
    action: Action,
    /// The folder of the store
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    /// Show the reservations as CSV
    #[arg(long)]
    csv: bool,
}

const MORE: &str = "\
A store that a service has open is left alone. Exit status 1 where it is damaged, with the file and the place in it.

Examples:
  bookahead store verify promises
  bookahead store show promises --csv
  bookahead store repair promises";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Verify,
    Show,
    Compact,
    Repair,
}

fn actions() -> Vec<values::Named<Action>> {
    vec![
        values::named(
            "verify",
            "Read all of it, change nothing, and say what is there",
            Action::Verify,
        ),
        values::named("show", "List the reservations", Action::Show),
        values::named(
            "compact",
            "Write a snapshot, and remove what it replaces",
            Action::Compact,
        ),
        values::named(
            "repair",
            "Cut what a damaged store cannot vouch for, say what is lost, and keep the damaged files beside",
            Action::Repair,
        ),
    ]
}

/// A book of a kind that is not known here: its bytes are taken as they are.
struct Unread;

impl Survives for Unread {
    fn keep_journal(&mut self) {}

    fn write_record(&mut self, _: &mut Vec<u8>) -> std::result::Result<bool, SnapshotError> {
        Ok(false)
    }

    fn apply_record(&mut self, _: &[u8]) -> std::result::Result<(), SnapshotError> {
        Ok(())
    }

    fn snapshot(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn read_snapshot(&mut self, _: &[u8]) -> std::result::Result<(), SnapshotError> {
        Ok(())
    }

    fn state_hash(&mut self) -> u64 {
        0
    }
}

/// The folder of a store.
pub(super) struct Folder<'a>(pub(super) &'a Path);

impl Folder<'_> {
    /// The disk, to look at it, if a store is there.
    fn look(&self) -> Result<Disk> {
        self.is_there()?;
        Disk::look(self.0).map_err(|error| self.told(&error))
    }

    /// A folder without any file of a store is no damaged store.
    pub(super) fn is_there(&self) -> Result<()> {
        let wrong = |problem: String| Error::Input {
            file: self.0.into(),
            line: None,
            field: None,
            problem,
        };
        let entries = fs::read_dir(self.0).map_err(|error| wrong(error.to_string()))?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let parts = [".snapshot", ".log"];
        let mut names =
            names.filter(|name| parts.iter().any(|end| name.ends_with(end)) || is_old(name));
        match names.next() {
            Some(_) => Ok(()),
            None => Err(wrong(
                "found no store, expected files NNNNNNNNNN.snapshot and NNNNNNNNNN.log".to_owned(),
            )),
        }
    }

    /// What the store says, with its folder.
    pub(super) fn told(&self, error: &StoreError) -> Error {
        let said = format!("{}: {error}", self.0.display());
        match error {
            StoreError::UnknownVersion { .. } => Error::Usage(said),
            _ => Error::Violated(said),
        }
    }

    fn kind(&self, disk: &mut Disk) -> Result<Option<BookKind>> {
        kind_of(disk).map_err(|error| self.told(&error))
    }

    /// The kind of the book, and a new one.
    pub(super) fn book(&self, disk: &mut Disk) -> Result<(BookKind, BoxedBook)> {
        let kind = self.kind(disk)?.ok_or_else(|| {
            let problem =
                "holds a book of a kind that this command does not know: only verify reads it";
            Error::Usage(format!("{} {problem}", self.0.display()))
        })?;
        let book = kind
            .book()
            .map_err(|error| Error::Violated(error.to_string()))?;
        Ok((kind, book))
    }
}

impl Store {
    pub(super) fn run(&self, basics: &Basics) -> Result<()> {
        if self.csv && self.action != Action::Show {
            return Err(Error::Usage("--csv is for show".to_owned()));
        }
        let busy = basics
            .progress()
            .busy(&format!("reading {}", self.dir.display()));
        let mut disk = self.folder().look()?;
        drop(busy);
        match self.action {
            Action::Verify => self.verify(&mut disk),
            Action::Show => self.show(&mut disk),
            Action::Compact => {
                drop(disk);
                self.compact()
            }
            Action::Repair => {
                drop(disk);
                self.repair()
            }
        }
    }

    fn folder(&self) -> Folder<'_> {
        Folder(&self.dir)
    }

    fn verify(&self, disk: &mut Disk) -> Result<()> {
        if self.folder().kind(disk)?.is_none() {
            let contents = verify(disk, Unread).map_err(|error| self.folder().told(&error))?;
            return screen::results(|out| {
                writeln!(
                    out,
                    "a book of a kind that is not known here: files and sums are right"
                )?;
                files(&contents, out)
            });
        }
        let (kind, book) = self.folder().book(disk)?;
        let mut contents = verify(disk, book).map_err(|error| self.folder().told(&error))?;
        screen::results(|out| {
            writeln!(out, "{}", describe(&kind, &mut contents.book))?;
            files(&contents, out)
        })
    }

    fn show(&self, disk: &mut Disk) -> Result<()> {
        let (_, book) = self.folder().book(disk)?;
        let mut contents = verify(disk, book).map_err(|error| self.folder().told(&error))?;
        let rows = contents.book.iter();
        let cells: Vec<_> = rows
            .iter()
            .map(|(handle, row)| cells(&mut contents.book, *handle, row))
            .collect();
        screen::results(|out| match self.csv {
            true => as_csv(&cells, out),
            false => screen::table(&COLUMNS, &cells, out),
        })
    }

    fn compact(&self) -> Result<()> {
        let told = |error| self.folder().told(&error);
        let mut disk = Disk::open(&self.dir).map_err(told)?;
        let (_, book) = self.folder().book(&mut disk)?;
        let before = bytes(&self.dir)?;
        let (mut store, mut committer) =
            bookahead_store::Store::open_in(disk, book).map_err(told)?;
        store.compact().map_err(told)?;
        committer.commit().map_err(told)?;
        let after = bytes(&self.dir)?;
        screen::line(&format!(
            "a snapshot of {}: {} bytes, where there were {}",
            plural(store.last() as usize, "change"),
            grouped(after),
            grouped(before)
        ))
    }

    fn repair(&self) -> Result<()> {
        let told = |error| self.folder().told(&error);
        let mut disk = Disk::open(&self.dir).map_err(told)?;
        let mut book = match kind_of(&mut disk) {
            // Nothing is known of the book, and nothing is left of it.
            Err(StoreError::Damaged { .. }) => BoxedBook::new(Binding::Late, SMALLEST),
            _ => Ok(self.folder().book(&mut disk)?.1),
        }
        .map_err(|error| Error::Internal(error.to_string()))?;
        let repaired = repair(&mut disk, || book.clone()).map_err(told)?;
        let Some(repaired) = repaired else {
            // What is damaged all the same is not needed, and says so.
            let found = match verify(&mut disk, book) {
                Err(error @ StoreError::Damaged { .. }) => error.to_string(),
                _ => "nothing is damaged".to_owned(),
            };
            return screen::line(&format!("{found}, and nothing was changed"));
        };
        if repaired.last.is_some() {
            book = verify(&mut disk, book).map_err(told)?.book;
        }
        screen::results(|out| say(&repaired, &mut book, out))
    }
}

const SMALLEST: Sizes = Sizes {
    pes: 1,
    slots: 1,
    reservations: 1,
};

/// The names that files had in the first format.
fn is_old(name: &str) -> bool {
    name.starts_with("snapshot-") || name.starts_with("log-")
}

/// How many bytes the files of a folder take.
fn bytes(dir: &Path) -> Result<usize> {
    let sum = || -> io::Result<usize> {
        fs::read_dir(dir)?
            .map(|entry| Ok(entry?.metadata()?.len() as usize))
            .sum()
    };
    sum().map_err(|source| Error::Io {
        file: dir.into(),
        source,
    })
}

fn describe(kind: &BookKind, book: &mut BoxedBook) -> String {
    let sizes = kind.sizes;
    format!(
        "a book with {} binding, {}, {}, at slot {}: {}",
        kind.binding.name(),
        plural(sizes.pes as usize, "PE"),
        plural(sizes.slots as usize, "slot"),
        book.now().get(),
        plural(book.len(), "reservation"),
    )
}

/// Writes which files there are and what is in them.
fn files<B>(contents: &Contents<B>, out: &mut dyn Write) -> io::Result<()> {
    let names = |numbers: &[u64], end: &str| {
        let names = numbers.iter().map(|number| format!(" {number:010}.{end}"));
        names.collect::<String>()
    };
    writeln!(
        out,
        "{}, in format {}, by {}",
        plural(contents.last as usize, "change"),
        bookahead_store::VERSION,
        plural(contents.epoch as usize, "opening"),
    )?;
    writeln!(out, "snapshots:{}", names(&contents.snapshots, "snapshot"))?;
    writeln!(
        out,
        "logs:{}, with {}",
        names(&contents.logs, "log"),
        plural(contents.records as usize, "record")
    )?;
    match &contents.tail {
        None => writeln!(out, "nothing is damaged"),
        Some(tail) => writeln!(
            out,
            "{} of {} from byte {} on are no record: the end of what was being written, or the last record if it was changed",
            plural(tail.bytes as usize, "byte"),
            tail.file,
            tail.offset
        ),
    }
}

/// The columns of the list of reservations.
const COLUMNS: [&str; 8] = [
    "reservation",
    "state",
    "start",
    "end",
    "pes",
    "ready",
    "deadline",
    "allocated",
];

fn cells(book: &mut BoxedBook, handle: Handle, row: &Reservation) -> [String; 8] {
    let ranges = book.pe_ranges_of(handle).unwrap_or_default();
    let ranges = ranges.iter().map(|range| {
        let [first, last] = [range.start(), range.end()].map(|pe| pe.get());
        match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        }
    });
    [
        handle.to_bits().to_string(),
        row.state.name().to_owned(),
        row.window.start.get().to_string(),
        row.window.end.get().to_string(),
        row.request.pes.get().to_string(),
        row.request.ready.get().to_string(),
        row.request.deadline.get().to_string(),
        ranges.collect::<Vec<_>>().join(" "),
    ]
}

fn as_csv(rows: &[[String; 8]], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", COLUMNS.join(","))?;
    rows.iter()
        .try_for_each(|row| writeln!(out, "{}", row.join(",")))
}

/// Writes what was lost, and what the reservations are that it was about.
fn say(repaired: &Repaired, book: &mut BoxedBook, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", repaired.damage)?;
    match repaired.last {
        Some(last) => writeln!(
            out,
            "kept: {} of at least {}",
            plural(last as usize, "change"),
            grouped(repaired.highest as usize)
        )?,
        None => writeln!(
            out,
            "kept: nothing, since no snapshot is whole; the next opening begins a new store"
        )?,
    }
    let lost = repaired.highest - repaired.last.unwrap_or_default();
    writeln!(
        out,
        "lost: {}, of which {} can be read still",
        plural(lost as usize, "change"),
        grouped(repaired.lost.len())
    )?;
    let mut differ = BTreeMap::new();
    for record in &repaired.lost {
        let (number, file, offset) = (record.number, &record.file, record.offset);
        writeln!(out, "  change {number}, in {file} at byte {offset}")?;
        for (handle, there) in record.reservations().unwrap_or_default() {
            differ.insert(handle.to_bits(), (number, there));
        }
    }
    for (bits, (number, there)) in differ {
        let kept = match book.get(Handle::from_bits(bits)) {
            Ok(row) => format!(
                "{} from {} to {}",
                row.state.name(),
                row.window.start.get(),
                row.window.end.get()
            ),
            Err(_) => "not there".to_owned(),
        };
        let lost = match there {
            true => "made or altered",
            false => "ended",
        };
        writeln!(
            out,
            "  reservation {bits}: kept is {kept}; it was {lost} by change {number}"
        )?;
    }
    for name in &repaired.aside {
        writeln!(out, "beside: {name}")?;
    }
    Ok(())
}
