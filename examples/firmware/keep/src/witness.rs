//! Whoever was promised something: what they have been told is compared with the book after each reset.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bookahead::{Handle, PeView};

use crate::{ROWS, owners::Owners};

/// What was told last, and what is asked at present. Any bits will do.
pub struct Witness {
    seen: [Seen; 2],
    /// Which of the two was told, and 2 more while the other one is asked.
    told: AtomicU32,
}

impl Witness {
    /// A new book is all that is told.
    pub fn clear(&self, book: &PeView<'_, u32>, owners: &Owners) {
        self.seen[0].look(book, owners);
        self.told.store(0, Relaxed);
    }

    /// The book has decided, and nobody has been told.
    pub fn ask(&self, book: &PeView<'_, u32>, owners: &Owners) {
        let told = self.told.load(Relaxed) & 1;
        self.told.store(told, Relaxed);
        self.seen[1 - told as usize].look(book, owners);
        self.told.store(told | 2, Relaxed);
    }

    /// What was asked is told.
    pub fn tell(&self) {
        self.told.store(1 - (self.told.load(Relaxed) & 1), Relaxed);
    }

    /// Compares the book after a reset with what was told. What was asked may have happened too, as a whole. Otherwise returns how many reservations are missing, and
    /// what else is wrong as one more.
    pub fn lost(&self, book: &PeView<'_, u32>, owners: &Owners) -> u32 {
        let told = self.told.load(Relaxed);
        let (last, asked) = (
            &self.seen[told as usize & 1],
            &self.seen[1 - (told as usize & 1)],
        );
        if told & 2 != 0 && asked.is(book, owners) {
            self.tell();
            return 0;
        }
        self.told.store(told & 1, Relaxed);
        match last.is(book, owners) {
            true => 0,
            false => 1 + last.missing(book, owners),
        }
    }
}

/// What can be seen of a book: its hash, and of each reservation the handle, the window, the processing elements and whose it is.
struct Seen {
    hash: [AtomicU32; 2],
    promises: [[AtomicU32; 6]; ROWS],
}

impl Seen {
    fn look(&self, book: &PeView<'_, u32>, owners: &Owners) {
        store(&self.hash, hash(book));
        let promises = book.iter().map(|(handle, _)| promise(book, owners, handle));
        let promises = promises.chain(core::iter::repeat(Some([0; 6])));
        for (place, promise) in self.promises.iter().zip(promises) {
            store(place, promise.unwrap_or_default());
        }
    }

    fn is(&self, book: &PeView<'_, u32>, owners: &Owners) -> bool {
        load(&self.hash) == hash(book) && self.missing(book, owners) == 0
    }

    fn missing(&self, book: &PeView<'_, u32>, owners: &Owners) -> u32 {
        let promises = self.promises.iter().map(load);
        let missing = promises.filter(|seen| {
            let [low, high, ..] = *seen;
            let handle = Handle::from_bits(u64::from(high) << 32 | u64::from(low));
            *seen != [0; 6] && promise(book, owners, handle) != Some(*seen)
        });
        missing.count() as u32
    }
}

fn hash(book: &PeView<'_, u32>) -> [u32; 2] {
    let hash = book.state_hash();
    [hash as u32, (hash >> 32) as u32]
}

fn promise(book: &PeView<'_, u32>, owners: &Owners, handle: Handle) -> Option<[u32; 6]> {
    let window = book.get(handle).ok()?.window;
    let pes = book
        .pes_of(handle)
        .ok()?
        .fold(0, |set, pe| set | 1 << pe.get());
    let bits = handle.to_bits();
    Some([
        bits as u32,
        (bits >> 32) as u32,
        window.start.get() as u32,
        window.end.get() as u32,
        pes,
        owners.of(handle)?,
    ])
}

fn store<const LEN: usize>(places: &[AtomicU32; LEN], values: [u32; LEN]) {
    for (place, value) in places.iter().zip(values) {
        place.store(value, Relaxed);
    }
}

fn load<const LEN: usize>(places: &[AtomicU32; LEN]) -> [u32; LEN] {
    places.each_ref().map(|place| place.load(Relaxed))
}
