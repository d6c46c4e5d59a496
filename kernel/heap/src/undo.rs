//! The memory of an undo log.

use alloc::boxed::Box;

use bookahead::raw::{Column, UndoEntry, UndoLog, columns};

use crate::{SizeError, arrays::Arrays};

/// The memory of the undo log of transactions, with a size known at run time. A transaction takes an entry for each reservation it changes,
/// and another one if it changes it again after a savepoint. `P` is the type that sets of processing elements are made of: `()` with late
/// binding, the book's column type with early binding.
///
/// ```
/// use bookahead::{Commitment, Alteration, Conflict, PeCount, Policy, Request, Slot, Span};
/// use bookahead_heap::{BoxedCountBook, BoxedUndo, Sizes};
///
/// let mut memory = BoxedCountBook::new(Sizes { pes: 16, slots: 1_440, reservations: 200 })?;
/// let mut undo = BoxedUndo::late(10)?;
/// let mut book = memory.view();
/// let request = Request {
///     ready: Slot::new(5),
///     duration: Span::new(10),
///     deadline: Slot::new(40),
///     pes: PeCount::new(4),
/// };
/// let handle = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed).unwrap().handle;
/// let later = Alteration::Shift { start: Slot::new(20) };
/// book.alter(handle, later, undo.log(), &mut Conflict::NONE).unwrap();
/// assert_eq!(book.get(handle).unwrap().window.start, Slot::new(20));
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
///
/// Each call takes a log of its own, so `log()` is called anew for each. A function for either binding is generic over the ring and takes its undo
/// log by [`R::Part`](bookahead::raw::SetParts::Part):
///
/// ```
/// use bookahead::{Alteration, Book, Conflict, Error, Handle, Slot, raw::Ring};
/// use bookahead_heap::{Binding, BoxedBook, BoxedUndo, HostColumn, Sizes};
///
/// fn shift<R: Ring>(mut book: Book<'_, R>, undo: &mut BoxedUndo<R::Part>, handle: Handle, start: Slot) -> Result<(), Error> {
///     book.alter(handle, Alteration::Shift { start }, undo.log(), &mut Conflict::NONE)?;
///     Ok(())
/// }
///
/// # let handle = Handle::from_bits(1 << 32);
/// let mut memory = BoxedBook::new(Binding::Early, Sizes { pes: 640, slots: 1_440, reservations: 200 })?;
/// let shifted = match &mut memory {
///     BoxedBook::Late(memory) => shift(memory.view(), &mut BoxedUndo::late(10)?, handle, Slot::new(20)),
///     BoxedBook::Early(memory) => shift(memory.view(), &mut BoxedUndo::<u32>::early(640, 10)?, handle, Slot::new(20)),
///     BoxedBook::EarlyWide(memory) => shift(memory.view(), &mut BoxedUndo::<HostColumn>::early(640, 10)?, handle, Slot::new(20)),
/// };
/// assert!(shifted.is_err(), "nothing is reserved yet");
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoxedUndo<P> {
    entries: Box<[UndoEntry]>,
    sets: Box<[P]>,
}

impl BoxedUndo<()> {
    /// Creates a log with `entries` entries for a book with late binding.
    ///
    /// # Errors
    ///
    /// [`SizeError`] when there is not enough memory.
    pub fn late(entries: usize) -> Result<Self, SizeError> {
        Self::with_sets(entries, 0)
    }
}

impl<C: Column> BoxedUndo<C> {
    /// Creates a log with `entries` entries for a book with early binding for `pes` processing elements.
    ///
    /// # Errors
    ///
    /// As [`late`](BoxedUndo::late).
    pub fn early(pes: u16, entries: usize) -> Result<Self, SizeError> {
        Self::with_sets(entries, columns::<C>(pes))
    }
}

impl<P: Clone + Default> BoxedUndo<P> {
    fn with_sets(entries: usize, columns: usize) -> Result<Self, SizeError> {
        let parts = entries.saturating_mul(columns);
        let needed = entries
            .saturating_mul(size_of::<UndoEntry>())
            .saturating_add(parts.saturating_mul(size_of::<P>()));
        let mut arrays = Arrays::within(needed, usize::MAX)?;
        Ok(Self {
            entries: arrays.array(entries)?,
            sets: arrays.array(parts)?,
        })
    }

    /// Returns the log, to be lent to a transaction. O(1).
    pub fn log(&mut self) -> UndoLog<'_, P> {
        UndoLog::new(&mut self.entries, &mut self.sets)
    }
}
