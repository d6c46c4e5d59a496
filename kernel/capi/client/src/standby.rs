//! A second book, which becomes what the first one is by its records alone.

use crate::{Careless, argument::List, caller::Caller};

/// How many records may follow on a snapshot.
const RECORDS: u32 = 64;

/// The book that follows, and a new one.
#[derive(Clone, Debug)]
pub struct Standby {
    book: Caller,
    new: Caller,
    records: u32,
}

impl Standby {
    /// One for a new book, unless that has overlays.
    pub fn of(first: &Caller) -> Option<Self> {
        let mut new = first.clone();
        new.careless = Careless::default();
        new.state_hash().ok()?;
        Some(Self {
            book: new.clone(),
            new,
            records: 0,
        })
    }

    /// Applies what has changed in the first book since it did so last, or now and then reads a snapshot, after which both have to be the same.
    pub fn follow(&mut self, first: &mut Caller) {
        let bytes = List::<u8>::new(1 << 14);
        let length = first.write_record(&bytes).expect("nothing is missed");
        if length > 0 {
            let record = List::of(&bytes.taken(length));
            assert_eq!(self.book.apply_record(&record), Ok(length));
            self.records += 1;
        }
        if self.records == RECORDS {
            let bytes = List::<u8>::new(1 << 14);
            let length = first.write_snapshot(&bytes).expect("there is room");
            *self = Self {
                book: self.new.clone(),
                new: self.new.clone(),
                records: 0,
            };
            let snapshot = List::of(&bytes.taken(length));
            assert_eq!(self.book.read_snapshot(&snapshot), Ok(length));
        }
        assert_eq!(self.book.state_hash(), first.state_hash());
    }
}
