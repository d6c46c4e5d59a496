//! Notes of which rows have changed since the last record of a journal, each row once.

use super::{First, kept::Counters};
use crate::time::Slot;

/// The note of a row, linked to others: 1 + a row, 0 for none. Of the first one, `previous` is the last one, so that it is 0 in no list only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Note {
    next: u32,
    previous: u32,
}

impl Note {
    /// A row that has not changed.
    pub const NONE: Self = Self {
        next: 0,
        previous: 0,
    };
}

/// The scalars of a journal. All zero is one that no book has kept yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct JournalState {
    /// What the book was when the last record was written.
    pub(crate) now: Slot,
    pub(crate) counters: Counters,
    /// The revision of the book when it last changed.
    pub(super) seen: u64,
    /// The list of notes.
    first: First,
    /// The incarnation of the book that keeps it.
    pub(crate) incarnation: u32,
    /// 1 once a book has kept it, and 0 before.
    pub(crate) kept: u32,
    /// 1 once what belongs to no row has changed, and 0 before: classes, or when overlays were examined.
    pub(crate) table: u32,
}

impl JournalState {
    /// Of a journal that no book has kept yet.
    pub(crate) const NEW: Self = Self {
        now: Slot::new(0),
        counters: Counters::NEW,
        seen: 0,
        first: 0,
        incarnation: 0,
        kept: 0,
        table: 0,
    };
}

/// The arrays of a journal, for memory that is not a [`Journal`](crate::Journal).
///
/// ```
/// use bookahead::raw::{JournalParts, JournalState, Note};
/// let (mut state, mut notes) = (JournalState::default(), vec![Note::NONE; 8]);
/// let mut memory = bookahead::fixture::memory();
/// let mut book = memory.view();
/// book.keep_journal(JournalParts { state: &mut state, notes: &mut notes })?;
/// # Ok::<(), bookahead::SnapshotError>(())
/// ```
#[derive(Debug)]
pub struct JournalParts<'a> {
    /// The scalars.
    pub state: &'a mut JournalState,
    /// One element for each reservation that the book may have.
    pub notes: &'a mut [Note],
}

impl JournalParts<'_> {
    /// Returns whether a book in this state has not changed since the journal was last kept.
    pub(crate) fn has_seen(&self, revision: u64, incarnation: u32) -> bool {
        let state = &*self.state;
        state.kept == 1 && state.seen == revision && state.incarnation == incarnation
    }

    /// Notes a row as the last one, unless it has been noted. O(1).
    pub(super) fn note(&mut self, row: usize) {
        let name = (row as u32).wrapping_add(1);
        if self.get(name).previous != 0 {
            return;
        }
        let last = self.get(self.state.first).previous;
        if self.state.first == 0 {
            self.state.first = name;
        } else {
            self.change(last, |note| note.next = name);
            self.change(self.state.first, |note| note.previous = name);
        }
        self.change(name, |note| {
            *note = Note {
                next: 0,
                previous: if last == 0 { name } else { last },
            };
        });
    }

    /// Notes a row as the last one, even if it has been noted: it has become vacant, and will be used again after those that became vacant before. O(1).
    pub(super) fn note_vacant(&mut self, row: usize) {
        let name = (row as u32).wrapping_add(1);
        let Note { next, previous } = self.get(name);
        if previous != 0 {
            if self.state.first == name {
                self.state.first = next;
            } else {
                self.change(previous, |note| note.next = next);
            }
            let follower = if next == 0 { self.state.first } else { next };
            self.change(follower, |note| note.previous = previous);
            self.change(name, |note| *note = Note::NONE);
        }
        self.note(row);
    }

    /// Returns the rows that are noted, in order.
    pub(super) fn noted(&self) -> impl Iterator<Item = usize> {
        let row_of = |name: u32| name.checked_sub(1).map(|row| row as usize);
        core::iter::successors(row_of(self.state.first), move |row| {
            self.notes.get(*row).and_then(|note| row_of(note.next))
        })
        .take(self.notes.len())
    }

    /// Forgets all notes, and begins with the state that the book has. O(notes).
    pub(super) fn begin(&mut self, now: Slot, counters: &Counters, incarnation: u32) {
        let mut next = self.state.first;
        // At most one round, however damaged its links.
        for _ in 0..self.notes.len() {
            if next == 0 {
                break;
            }
            let name = next;
            next = self.get(name).next;
            self.change(name, |note| *note = Note::NONE);
        }
        *self.state = JournalState {
            now,
            counters: *counters,
            seen: counters.revision,
            incarnation,
            kept: 1,
            ..JournalState::NEW
        };
    }

    fn get(&self, name: u32) -> Note {
        let index = name.checked_sub(1).map(|row| row as usize);
        index
            .and_then(|index| self.notes.get(index))
            .copied()
            .unwrap_or(Note::NONE)
    }

    fn change(&mut self, name: u32, change: impl FnOnce(&mut Note)) {
        let index = name.checked_sub(1).map(|row| row as usize);
        if let Some(note) = index.and_then(|index| self.notes.get_mut(index)) {
            change(note);
        }
    }
}
