//! What `count-first-fit` has, with a journal, and as bytes.
#![no_std]
#![no_main]

use bookahead::{CountBook, CountView, Journal, Policy, SnapshotError};
use bookahead_cost_image::{Desk, life};

/// 256 slots, 32 processing elements, 32 reservations.
type Memory = CountBook<4, 32, 32>;

#[unsafe(no_mangle)]
static mut JOURNAL: Journal<32> = Journal::new();

/// Where bytes go and come from, and what the calls answer.
pub struct Disk {
    write: fn(&[u8]) -> bool,
    read: fn(&mut [u8]) -> bool,
    done: Result<(), SnapshotError>,
}

/// Where the linker begins to look for what is needed.
#[unsafe(no_mangle)]
pub extern "C" fn _start(
    memory: &mut Memory,
    journal: &mut Journal<32>,
    desk: &mut Desk,
    disk: &mut Disk,
) {
    core::hint::black_box((&raw mut JOURNAL).cast::<u8>());
    let mut book = memory.view();
    read(&mut book, disk);
    disk.done = book.keep_journal(journal.parts());
    life(&mut book, desk, Policy::FirstFit);
    write(&mut book, disk);
}

/// After a restart: a snapshot, and a record.
#[inline(never)]
fn read(book: &mut CountView<'_>, disk: &mut Disk) {
    disk.done = book.read_snapshot(&mut disk.read);
    disk.done = book.apply_record(&mut disk.read);
}

/// A record, and a snapshot.
#[inline(never)]
fn write(book: &mut CountView<'_>, disk: &mut Disk) {
    disk.done = book.write_record(&mut disk.write).map(drop);
    disk.done = book.write_snapshot(&mut disk.write);
}
