//! Copies of a store's book, for those who only read.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::commit::Shared;

/// The copies that may still be read, in order, each with the number of the last change in it.
type Copies<B> = Vec<(u64, Arc<Mutex<B>>)>;

/// Gives the book as it was last [published](crate::Store::publish), never later than what is durable. Readers wait for nobody but for each other: not for calls, and not for syncs.
/// Copies of a reader are the same one.
///
/// ```
/// # use bookahead::{Commitment, PeCount, Policy, Request, Slot, Span};
/// # use bookahead_heap::{Binding, BoxedBook, Sizes};
/// # use bookahead_store::Store;
/// # let folder = std::env::temp_dir().join(format!("bookahead-reader-{}", std::process::id()));
/// # let sizes = Sizes { pes: 64, slots: 1_440, reservations: 1_000 };
/// # let request = Request { ready: Slot::new(60), duration: Span::new(90), deadline: Slot::new(480), pes: PeCount::new(48) };
/// let mut store = Store::open(&folder, BoxedBook::new(Binding::Early, sizes)?)?;
/// let reader = store.reader();
/// let answer = store.call(|book| book.reserve(&request, Policy::FirstFit, Commitment::Confirmed))?;
/// store.publish();
/// let booking = answer.wait()?.unwrap();
/// let seen = std::thread::spawn(move || {
///     let (last, book) = reader.get().expect("it is durable");
///     let found = book.lock().unwrap().get(booking.handle);
///     (last, found.unwrap().window.start)
/// });
/// assert_eq!(seen.join().unwrap(), (1, Slot::new(60)));
/// # drop(store);
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Reader<B> {
    copies: Arc<Mutex<Copies<B>>>,
    shared: Arc<Shared>,
}

impl<B> Clone for Reader<B> {
    fn clone(&self) -> Self {
        Self {
            copies: Arc::clone(&self.copies),
            shared: Arc::clone(&self.shared),
        }
    }
}

impl<B> Reader<B> {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        let copies = Arc::default();
        Self { copies, shared }
    }

    /// Returns the book, and how many changes are in it; nothing before the first published one is durable. A book is looked at through `&mut`, so it is behind a lock; what somebody changes in it is promised to nobody, and gone with the next
    /// one. O(copies that have been published since the last time).
    #[must_use]
    pub fn get(&self) -> Option<(u64, Arc<Mutex<B>>)> {
        let durable = self.shared.lock().durable;
        let copies = self.durable_first(durable);
        let first = copies.first().filter(|copy| copy.0 <= durable);
        first.cloned()
    }

    pub(crate) fn publish(&self, last: u64, book: B) {
        let durable = self.shared.lock().durable;
        let mut copies = self.durable_first(durable);
        copies.push((last, Arc::new(Mutex::new(book))));
    }

    /// Forgets all copies before the last one that is durable.
    fn durable_first(&self, durable: u64) -> MutexGuard<'_, Copies<B>> {
        let copies = self.copies.lock();
        let mut copies = copies.unwrap_or_else(PoisonError::into_inner);
        let until = copies.iter().rposition(|copy| copy.0 <= durable);
        copies.drain(..until.unwrap_or(0));
        copies
    }
}
