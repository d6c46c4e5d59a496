//! Whose the reservations are: a number for each, kept beside what the book writes.

use bookahead::{Book, Handle, raw::Ring};
use heapless::Vec;

use crate::ROWS;

/// The bytes of a note: a handle and whose it is.
pub const NOTE: usize = 12;

/// A number for each reservation, such as the one of the request, so that whoever asks again after a reset hears what was promised.
pub struct Owners {
    /// Those of before and those that no record has yet.
    all: Vec<(Handle, u32), ROWS>,
    /// How many of the last ones no record has yet.
    new: usize,
}

impl Owners {
    /// Nobody's.
    pub const fn new() -> Self {
        Self {
            all: Vec::new(),
            new: 0,
        }
    }

    /// Says whose a reservation is that has just been made.
    pub fn set<R: Ring>(&mut self, book: &Book<'_, R>, handle: Handle, owner: u32) {
        // There are no more reservations than rows, so there is room without those that are over.
        if self.all.is_full() {
            self.drop_stale(book);
        }
        if self.all.push((handle, owner)).is_ok() {
            self.new += 1;
        }
    }

    /// Whose a reservation is.
    pub fn of(&self, handle: Handle) -> Option<u32> {
        let mut all = self.all.iter().rev();
        all.find(|(other, _)| *other == handle).map(|one| one.1)
    }

    /// Notes for a record: those that are new, of which it is the last that is heard.
    pub fn take_new(&mut self) -> impl Iterator<Item = [u8; NOTE]> {
        let new = core::mem::take(&mut self.new);
        let before = self.all.len() - new;
        self.all[before..].iter().map(note)
    }

    /// Notes for a snapshot: all whose reservations are not over.
    pub fn live<R: Ring>(&mut self, book: &Book<'_, R>) -> impl Iterator<Item = [u8; NOTE]> {
        self.drop_stale(book);
        self.new = 0;
        self.all.iter().map(note)
    }

    /// Reads the notes behind what a book has read.
    pub fn read<R: Ring>(&mut self, book: &Book<'_, R>, notes: &[u8]) {
        let (notes, _) = notes.as_chunks::<NOTE>();
        for [b0, b1, b2, b3, b4, b5, b6, b7, owner @ ..] in notes {
            let bits = u64::from_le_bytes([*b0, *b1, *b2, *b3, *b4, *b5, *b6, *b7]);
            self.set(book, Handle::from_bits(bits), u32::from_le_bytes(*owner));
        }
        self.new = 0;
    }

    fn drop_stale<R: Ring>(&mut self, book: &Book<'_, R>) {
        // One that is new may be over, too.
        let (mut place, mut new, before) = (0, 0, self.all.len() - self.new);
        self.all.retain(|(handle, _)| {
            let lives = book.get(*handle).is_ok();
            new += usize::from(lives && place >= before);
            place += 1;
            lives
        });
        self.new = new;
    }
}

fn note((handle, owner): &(Handle, u32)) -> [u8; NOTE] {
    let mut note = [0; NOTE];
    note[..8].copy_from_slice(&handle.to_bits().to_le_bytes());
    note[8..].copy_from_slice(&owner.to_le_bytes());
    note
}
