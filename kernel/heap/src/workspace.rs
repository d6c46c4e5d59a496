//! The memory of a workspace.

use alloc::boxed::Box;

use bookahead::raw::{Column, Movable, SetPart, UndoEntry, Workspace, columns, workspace_bytes};

use crate::{SizeError, arrays::Arrays};

/// The memory of a [`Workspace`] of sizes known at run time, for transactions. `P` is the type that sets of processing elements are made of: `()`
/// with late binding, the book's column type with early binding.
///
/// ```
/// use bookahead::{Commitment, Alteration, Conflict, PeCount, Policy, Request, Slot, Span};
/// use bookahead_heap::{BoxedCountBook, BoxedWorkspace, Sizes};
///
/// let mut memory = BoxedCountBook::new(Sizes { pes: 16, slots: 1_440, reservations: 200 })?;
/// let mut workspace = BoxedWorkspace::late(10, 0)?;
/// let mut book = memory.view();
/// let request = Request {
///     ready: Slot::new(5),
///     duration: Span::new(10),
///     deadline: Slot::new(40),
///     pes: PeCount::new(4),
/// };
/// let handle = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed).unwrap().handle;
/// let later = Alteration::Shift { start: Slot::new(20) };
/// book.alter(handle, later, workspace.view(), &mut Conflict::NONE).unwrap();
/// assert_eq!(book.get(handle).unwrap().window.start, Slot::new(20));
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
///
/// Each call takes a workspace of its own, so `view()` is called anew for each. A function for either binding is generic over the ring and takes a
/// `BoxedWorkspace` of [`R::Part`](bookahead::raw::SetParts::Part); a [`BoxedBook`](crate::BoxedBook) has its own.
#[derive(Clone, Debug)]
pub struct BoxedWorkspace<P: SetPart> {
    entries: Box<[UndoEntry<P::Count>]>,
    sets: Box<[P]>,
    waiting: Box<[Movable]>,
}

impl<C: Column> BoxedWorkspace<C> {
    /// Creates a workspace with `entries` entries and for up to `waiting` waiting reservations, for a book with early binding for `pes`
    /// processing elements.
    ///
    /// # Errors
    ///
    /// As [`late`](BoxedWorkspace::late).
    pub fn early(pes: u32, entries: usize, waiting: usize) -> Result<Self, SizeError> {
        Self::with_columns(
            columns::<C>(u16::try_from(pes).unwrap_or(u16::MAX)),
            entries,
            waiting,
        )
    }
}

impl<P: SetPart> BoxedWorkspace<P> {
    /// Creates a workspace with `entries` entries and for up to `waiting` waiting reservations, for a book with late binding.
    ///
    /// # Errors
    ///
    /// [`SizeError`] when there is not enough memory.
    pub fn late(entries: usize, waiting: usize) -> Result<Self, SizeError> {
        Self::with_columns(0, entries, waiting)
    }

    /// Creates a workspace whose sets have so many columns, 0 for a book with late binding.
    ///
    /// # Errors
    ///
    /// As [`late`](BoxedWorkspace::late).
    pub fn with_columns(columns: usize, entries: usize, waiting: usize) -> Result<Self, SizeError> {
        let bytes = workspace_bytes::<P>(columns, entries, waiting);
        let mut arrays = Arrays::within(bytes, usize::MAX)?;
        Ok(Self {
            entries: arrays.array(entries)?,
            sets: arrays.array(entries.saturating_mul(columns))?,
            waiting: arrays.array(waiting)?,
        })
    }

    /// Returns the workspace, to be lent to one transaction. O(1).
    pub fn view(&mut self) -> Workspace<'_, P> {
        Workspace::new(&mut self.entries, &mut self.sets, &mut self.waiting)
    }
}
