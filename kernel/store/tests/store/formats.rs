//! Stores as each version of the format has written them, kept as text: `NAME LENGTH`, and a line of hexadecimal digits up to the last byte that is not zero.

use std::path::PathBuf;

use bookahead::{Commitment, Event, Handle, PeCount, Policy, Request, Slot, Span};
use bookahead_heap::{Binding, BoxedBook, Sizes, Survives};
use bookahead_store::{Files, Store, StoreError, VERSION, kind_of, verify};

use crate::campaign::disk::SimulatedDisk;

const SIZES: Sizes = Sizes {
    pes: 12,
    slots: 100,
    reservations: 9,
};

fn book() -> BoxedBook {
    BoxedBook::new(Binding::Early, SIZES).expect("it is small")
}

fn path(version: u16) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/store/formats");
    folder.join(format!("{version}.txt"))
}

fn to_text(disk: &SimulatedDisk) -> String {
    let text = |name: String| {
        let bytes = disk.clone().read(&name).expect("the disk is sound");
        let written = bytes.iter().rposition(|byte| *byte != 0);
        let written = bytes.iter().take(written.map_or(0, |last| last + 1));
        let digits: String = written.map(|byte| format!("{byte:02x}")).collect();
        format!("{name} {}\n{digits}\n", bytes.len())
    };
    disk.names().into_iter().map(text).collect()
}

fn of_text(text: &str) -> SimulatedDisk {
    let mut disk = SimulatedDisk::default();
    let lines: Vec<&str> = text.lines().collect();
    for file in lines.chunks_exact(2) {
        let (name, length) = file[0].split_once(' ').expect("a name and a length");
        let digits = (0..file[1].len()).step_by(2).map(|at| &file[1][at..at + 2]);
        let bytes = digits.map(|digits| u8::from_str_radix(digits, 16).expect("digits"));
        let mut bytes: Vec<u8> = bytes.collect();
        bytes.resize(length.parse().expect("a length"), 0);
        let mut file = disk.create(name).expect("the disk is sound");
        disk.write(&mut file, 0, &bytes).expect("the disk is sound");
    }
    disk
}

/// A snapshot, a record behind it in the same opening, and two of a second one. Returns the hash of the book, too.
fn example() -> (SimulatedDisk, u64) {
    let disk = SimulatedDisk::default();
    let mut hash = 0;
    for opening in [0..3, 3..5] {
        let (mut store, mut committer) = Store::open_in(disk.clone(), book()).expect("it is sound");
        for step in opening {
            let called = store.call(|book| {
                act(book, step);
                hash = book.state_hash();
            });
            assert!(called.is_ok());
            if step == 1 {
                store.compact().expect("the disk is sound");
                committer.commit().expect("the disk is sound");
            }
        }
        committer.commit().expect("the disk is sound");
    }
    (disk, hash)
}

fn act(book: &mut BoxedBook, step: u64) {
    match step {
        0..3 => {
            let request = Request {
                ready: Slot::new(3 + 10 * step),
                duration: Span::new(10),
                deadline: Slot::new(90),
                pes: PeCount::new(5),
            };
            let booked = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed);
            assert!(booked.is_ok());
        }
        3 => {
            let handle = book.iter()[1].0;
            assert_eq!(book.cancel(handle), Ok(()));
        }
        _ => {
            let mut events = heapless::Vec::<Event, 4>::new();
            assert!(book.advance(Slot::new(5), &mut events).is_ok());
        }
    }
}

/// Whoever changes the format raises its version, and keeps what the one before has written.
#[test]
fn what_is_written_is_as_the_version_says() {
    let (disk, _) = example();
    let now = to_text(&disk);
    if std::env::var("BOOKAHEAD_STORE").as_deref() == Ok("write") {
        // Renamed when it is whole: another test reads this file meanwhile.
        let new = path(VERSION).with_extension("new");
        std::fs::write(&new, &now).expect("the folder is there");
        std::fs::rename(&new, path(VERSION)).expect("the folder is there");
    }
    let kept = std::fs::read_to_string(path(VERSION)).unwrap_or_default();
    assert!(
        now == kept,
        "stores are written in another way: raise VERSION, and write the new file with BOOKAHEAD_STORE=write"
    );
}

#[test]
fn a_store_of_version_2_is_read() {
    let text = std::fs::read_to_string(path(2)).expect("it is kept");
    let disk = of_text(&text);
    let kind = kind_of(&mut disk.clone()).expect("it is sound");
    let kind = kind.expect("it is a boxed book");
    assert_eq!(
        (kind.binding, kind.sizes.pes, kind.sizes.slots),
        (Binding::Early, 12, 100)
    );
    assert_eq!(kind.sizes.reservations, 3);
    let contents = verify(&mut disk.clone(), kind.book().expect("it is small"));
    let contents = contents.expect("it is sound");
    assert_eq!((contents.last, contents.epoch, contents.tail), (5, 2, None));
    let (mut store, _) = Store::open_in(disk, book()).expect("it is sound");
    let found = store.call_within(0, |book| {
        let all = book.iter().into_iter();
        let all = all.map(|(handle, row)| (handle, row.window.start.get(), row.state.name()));
        let all: Vec<_> = all.collect();
        (book.now(), all, book.state_hash(), book.check_invariants())
    });
    let (_, hash) = example();
    let handle = |row: u64| Handle::from_bits((1 << 32) | row);
    let all = vec![(handle(0), 3, "running"), (handle(2), 23, "confirmed")];
    let found = found.expect("it is sound").wait().expect("it is durable");
    assert_eq!(found, (Slot::new(5), all, hash, Ok(())));
}

/// It had other names, by which a store would not be found and a new one begun.
#[test]
fn a_store_of_version_1_is_refused() {
    let text = std::fs::read_to_string(path(1)).expect("it is kept");
    let disk = of_text(&text);
    let before = to_text(&disk);
    let refused = |error: Option<StoreError>| matches!(error, Some(StoreError::UnknownVersion { file, version: 1 }) if file.contains("00000000"));
    assert!(refused(Store::open_in(disk.clone(), book()).err()));
    assert!(refused(verify(&mut disk.clone(), book()).err()));
    assert!(refused(kind_of(&mut disk.clone()).err()));
    assert!(refused(
        bookahead_store::repair(&mut disk.clone(), book).err()
    ));
    assert_eq!(to_text(&disk), before);
}

/// A later version with its sum right is told from damage.
#[test]
fn a_store_of_a_later_version_is_refused() {
    let (disk, _) = example();
    let name = "0000000002.snapshot";
    disk.damage(name, |bytes| {
        bytes[4] = 3;
        let head = crc32c::crc32c(&bytes[..28]);
        let sum = crc32c::crc32c_append(head, &bytes[32..]);
        bytes[28..32].copy_from_slice(&sum.to_le_bytes());
    });
    let error = Store::open_in(disk, book()).err();
    let error = error.expect("it is not known").to_string();
    assert_eq!(
        error,
        "0000000002.snapshot is of version 3, which is not known here"
    );
}
