//! Stores of promises: what is in them, and what becomes of damaged ones.

use std::{fs, path::Path};

use bookahead::{Commitment, Layout, PeCount, Policy, Request, Slot, Span};
use bookahead_heap::{Binding, BoxedBook, BoxedPlacedBook, PlacedSizes, Sizes};
use bookahead_store::Store;

use crate::{assert_begins, fail, files, folder, names, succeed};

const LOG: &str = "s/0000000001.log";

fn open(dir: &Path) -> Store<BoxedBook> {
    let sizes = Sizes {
        pes: 8,
        slots: 100,
        reservations: 9,
    };
    let book = BoxedBook::new(Binding::Early, sizes).unwrap();
    Store::open(&dir.join("s"), book).unwrap()
}

/// Books five PEs for ten slots, from a slot on, and returns the number of the reservation.
fn reserve(store: &mut Store<BoxedBook>, ready: u64) -> u64 {
    let request = Request {
        ready: Slot::new(ready),
        duration: Span::new(10),
        deadline: Slot::new(90),
        pes: PeCount::new(5),
    };
    let booked = store.call(|book| book.reserve(&request, Policy::FirstFit, Commitment::Confirmed));
    booked.unwrap().wait().unwrap().unwrap().handle.to_bits()
}

/// A store of four reservations, each of which was on the disk before the next one.
fn four(dir: &Path) -> [u64; 4] {
    let mut store = open(dir);
    [3, 20, 30, 40].map(|ready| reserve(&mut store, ready))
}

/// Turns a bit in the body of the second record.
fn damage(dir: &Path) -> u64 {
    let path = dir.join(LOG);
    let mut bytes = fs::read(&path).unwrap();
    let length = bytes[24..28].try_into().unwrap();
    let second = 24 + 28 + u32::from_le_bytes(length) as usize;
    bytes[second + 40] ^= 4;
    fs::write(path, bytes).unwrap();
    second as u64
}

#[test]
fn what_is_there_is_told_and_stays_as_it_is() {
    let dir = folder();
    let numbers = four(dir.path());
    let before = files(dir.path());
    let told = succeed(dir.path(), "store verify s");
    assert_eq!(
        told,
        "a book with early binding, 8 PEs, 100 slots, at slot 0: 4 reservations\n\
         4 changes, in format 2, by 1 opening\n\
         snapshots: 0000000000.snapshot\n\
         logs: 0000000001.log, with 4 records\n\
         nothing is damaged\n"
    );
    let csv = succeed(dir.path(), "store show s --csv");
    let rows = [3, 20, 30, 40].iter().zip(numbers);
    let rows = rows.map(|(start, number)| {
        format!(
            "{number},confirmed,{start},{},5,{start},90,0-4\n",
            start + 10
        )
    });
    assert_eq!(
        csv,
        "reservation,state,start,end,pes,ready,deadline,allocated\n".to_owned()
            + &rows.collect::<String>()
    );
    let table = succeed(dir.path(), "store show s");
    let cells = |text: &str| -> Vec<String> {
        let cells = text.split(|c: char| c == ',' || c.is_whitespace());
        let cells = cells.filter(|cell| !cell.is_empty());
        cells.map(str::to_owned).collect()
    };
    assert_eq!(cells(&table), cells(&csv));
    assert_eq!(table.lines().count(), 5);
    assert!(before == files(dir.path()), "nothing has changed");
}

#[test]
fn bytes_behind_the_last_record_are_told() {
    let dir = folder();
    four(dir.path());
    let mut bytes = fs::read(dir.path().join(LOG)).unwrap();
    let end = bytes.iter().rposition(|byte| *byte != 0).unwrap();
    bytes[end + 9] = 7;
    fs::write(dir.path().join(LOG), bytes).unwrap();
    let told = succeed(dir.path(), "store verify s");
    assert!(told.contains("of 0000000001.log from byte "), "{told}");
    let told = succeed(dir.path(), "store repair s");
    assert_eq!(told, "nothing is damaged, and nothing was changed\n");
}

#[test]
fn a_snapshot_takes_the_place_of_logs() {
    let dir = folder();
    four(dir.path());
    drop(open(dir.path()));
    let shown = succeed(dir.path(), "store show s");
    let told = succeed(dir.path(), "store compact s");
    assert!(told.starts_with("a snapshot of 4 changes: "), "{told}");
    let there = names(&dir.path().join("s"));
    assert_eq!(there, ["0000000004.snapshot", "0000000005.log", "lock"]);
    assert_eq!(succeed(dir.path(), "store show s"), shown);
    // The service goes on with it.
    assert_eq!(open(dir.path()).last(), 4);
}

#[test]
fn a_damaged_log_that_a_snapshot_has_replaced_is_told_and_removed() {
    let dir = folder();
    four(dir.path());
    let log = fs::read(dir.path().join(LOG)).unwrap();
    succeed(dir.path(), "store compact s");
    // The process has ended in the middle of it.
    fs::write(dir.path().join(LOG), log).unwrap();
    assert!(succeed(dir.path(), "store verify s").ends_with("nothing is damaged\n"));
    let offset = damage(dir.path());
    let told = format!(
        "0000000001.log is damaged at byte {offset}: record 2 is not whole; the store opens without this file, as 0000000004.snapshot has taken its place, \
         and compacting removes it"
    );
    let verified = fail(dir.path(), "store verify s", 1);
    assert_eq!(verified, format!("error: s: {told}\n"));
    let repaired = succeed(dir.path(), "store repair s");
    assert_eq!(repaired, format!("{told}, and nothing was changed\n"));
    succeed(dir.path(), "store compact s");
    assert!(succeed(dir.path(), "store verify s").ends_with("nothing is damaged\n"));
}

#[test]
fn a_damaged_store_opens_after_a_repair_that_tells_what_is_lost() {
    let dir = folder();
    let numbers = four(dir.path());
    let offset = damage(dir.path());
    let damaged = fs::read(dir.path().join(LOG)).unwrap();
    let is = format!("0000000001.log is damaged at byte {offset}: record 2 is not whole");
    for action in ["verify", "show", "compact"] {
        let told = fail(dir.path(), &format!("store {action} s"), 1);
        assert_eq!(told, format!("error: s: {is}\n"));
    }
    let told = succeed(dir.path(), "store repair s");
    let length = offset - 24;
    let [third, fourth] = [offset + length, offset + 2 * length];
    assert_eq!(
        told,
        format!(
            "{is}\n\
             kept: 1 change of at least 4\n\
             lost: 3 changes, of which 2 can be read still\n  \
             change 3, in 0000000001.log at byte {third}\n  \
             change 4, in 0000000001.log at byte {fourth}\n  \
             reservation {}: kept is not there; it was made or altered by change 3\n  \
             reservation {}: kept is not there; it was made or altered by change 4\n\
             beside: 0000000001.log.damaged-1\n",
            numbers[2], numbers[3]
        )
    );
    let beside = fs::read(dir.path().join("s/0000000001.log.damaged-1")).unwrap();
    assert!(beside == damaged);
    let told = succeed(dir.path(), "store verify s");
    assert!(told.contains("at slot 0: 1 reservation\n"), "{told}");
    assert!(told.ends_with("nothing is damaged\n"), "{told}");
    let mut store = open(dir.path());
    assert_eq!(store.last(), 1);
    // Where a record would stand that is as long as one of those that were lost.
    reserve(&mut store, 70);
    drop(store);
    assert_eq!(open(dir.path()).last(), 2);
    let told = succeed(dir.path(), "store repair s");
    assert_eq!(told, "nothing is damaged, and nothing was changed\n");
}

#[test]
fn a_store_of_which_nothing_is_left_begins_anew() {
    let dir = folder();
    four(dir.path());
    let path = dir.path().join("s/0000000000.snapshot");
    let mut bytes = fs::read(&path).unwrap();
    bytes[40] ^= 1;
    fs::write(path, bytes).unwrap();
    let told = fail(dir.path(), "store verify s", 1);
    assert_eq!(
        told,
        "error: s: 0000000000.snapshot is damaged at byte 0: it is not what was written\n"
    );
    let told = succeed(dir.path(), "store repair s");
    assert!(told.contains("kept: nothing"), "{told}");
    assert!(told.contains("lost: 4 changes, of which 4 can"), "{told}");
    assert_eq!(open(dir.path()).last(), 0);
}

#[test]
fn what_is_no_store_is_named() {
    let dir = folder();
    let wrong = |arguments: &str, status: i32, says: &str| {
        let told = fail(dir.path(), &format!("store {arguments}"), status);
        assert!(told.contains(says), "{arguments}: {told}");
    };
    wrong("verify nowhere", 2, "error: nowhere: No such file");
    fs::create_dir(dir.path().join("empty")).unwrap();
    for action in ["verify", "show", "compact", "repair"] {
        let expected = "error: empty: found no store, expected files NNNNNNNNNN.snapshot";
        wrong(&format!("{action} empty"), 2, expected);
    }
    assert_eq!(fs::read_dir(dir.path().join("empty")).unwrap().count(), 0);
    wrong(
        "mend empty",
        2,
        "possible values: verify, show, compact, repair",
    );
    wrong("verify empty --csv", 2, "--csv is for show");
    let old = dir.path().join("old");
    fs::create_dir(&old).unwrap();
    fs::write(old.join("snapshot-00000000000000000000"), "BKST").unwrap();
    wrong(
        "repair old",
        2,
        "snapshot-00000000000000000000 is of version 1",
    );
    four(dir.path());
    let store = open(dir.path());
    for action in ["verify", "show", "compact", "repair"] {
        wrong(
            &format!("{action} s"),
            1,
            "open already, in another process",
        );
    }
    drop(store);
    succeed(dir.path(), "store verify s");
}

#[test]
fn of_a_machine_of_nodes_only_files_and_sums_are_looked_at() {
    let dir = folder();
    let layout = Layout {
        groups: 4,
        kinds: &[3, 2],
        missing: &[],
        levels: &[],
    };
    let sizes = PlacedSizes {
        slots: 64,
        reservations: 8,
        classes: 4,
        order: 0,
    };
    let book = BoxedPlacedBook::<u32>::new(&layout, sizes).unwrap();
    drop(Store::open(&dir.path().join("s"), book).unwrap());
    let told = succeed(dir.path(), "store verify s");
    assert_begins(&told, "a book of a kind that is not known here");
    let told = fail(dir.path(), "store show s", 2);
    assert!(told.contains("only verify reads it"), "{told}");
}
