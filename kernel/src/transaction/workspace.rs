//! The memory that a caller lends to a transaction: a log of how to restore the book, and a list for juggling.

use crate::{
    column::Column,
    ledger::Row,
    ring::{SetPart, Width},
};

/// An entry of an undo log: the contents of a row before a transaction changed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct UndoEntry<N = u16> {
    /// The row's former contents; while the transaction is committed, its new contents.
    pub(super) row: Row<N>,
    /// The row's index.
    pub(super) index: u32,
    /// How many savepoints and rollbacks there had been when the entry was written.
    pub(super) age: u32,
}

impl<N: Width> Default for UndoEntry<N> {
    fn default() -> Self {
        Self::NONE
    }
}

impl<N: Width> UndoEntry<N> {
    /// An unused entry.
    pub const NONE: Self = Self {
        row: Row::VACANT,
        index: 0,
        age: 0,
    };

    /// Returns the row's index.
    pub(crate) const fn row(&self) -> usize {
        self.index as usize
    }
}

/// An element of a workspace for juggling: a waiting reservation and its sort key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Movable {
    key: u64,
    accepted: u64,
    row: u32,
}

impl Movable {
    /// An unused element.
    pub const NONE: Self = Self {
        key: 0,
        accepted: 0,
        row: 0,
    };

    pub(crate) const fn new(key: u64, accepted: u64, row: usize) -> Self {
        Self {
            key,
            accepted,
            row: row as u32,
        }
    }

    pub(crate) const fn row(&self) -> usize {
        self.row as usize
    }

    /// Returns its position in the order: ties of the key are decided by acceptance.
    pub(crate) const fn place(&self) -> u128 {
        (self.key as u128) << 64 | self.accepted as u128
    }
}

/// The memory that a caller lends to a [`Transaction`](crate::Transaction), or to a call that is one. It has
///
/// - an entry for each reservation that is touched, and another one for each that is touched again after a savepoint: what it was before, so
///   that everything can be put back. For early binding, each entry has a set of processing elements beside it;
/// - an element for each reservation that waits while others are [arranged anew](crate::Transaction::juggle), 0 where nobody juggles.
///
/// Its contents between transactions are meaningless. [`CountWorkspace`] and [`PeWorkspace`] own one; `bookahead-heap` has one whose sizes are
/// known at run time.
pub struct Workspace<'w, P: SetPart> {
    pub(super) entries: &'w mut [UndoEntry<P::Count>],
    /// For each entry, as many parts as a set has.
    pub(super) sets: &'w mut [P],
    pub(crate) waiting: &'w mut [Movable],
}

impl<'w, P: SetPart> Workspace<'w, P> {
    /// Creates a workspace in memory of the caller. For early binding, `sets` has as many columns for each entry as the book has, and if it is
    /// shorter, the workspace has fewer entries; for late binding it is empty.
    ///
    /// ```
    /// use bookahead::raw::{Movable, UndoEntry, Workspace};
    /// let (mut entries, mut waiting) = (vec![UndoEntry::NONE; 100], vec![Movable::NONE; 50]);
    /// let workspace = Workspace::new(&mut entries, &mut [], &mut waiting);
    /// assert_eq!(workspace.capacity(), 100);
    /// # let _: Workspace<'_, ()> = workspace;
    /// ```
    #[must_use]
    pub const fn new(
        entries: &'w mut [UndoEntry<P::Count>],
        sets: &'w mut [P],
        waiting: &'w mut [Movable],
    ) -> Self {
        Self {
            entries,
            sets,
            waiting,
        }
    }

    /// Returns how many entries it has. O(1).
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.entries.len()
    }

    /// Returns the same memory, to be borrowed for a shorter time.
    #[cfg(feature = "plan")]
    pub(crate) fn again(&mut self) -> Workspace<'_, P> {
        Workspace {
            entries: &mut *self.entries,
            sets: &mut *self.sets,
            waiting: &mut *self.waiting,
        }
    }

    /// Returns the set beside entry number `entry`; a set has `parts` parts.
    pub(super) fn set(&self, entry: usize, parts: usize) -> Option<&[P]> {
        let from = entry.checked_mul(parts)?;
        self.sets.get(from..from.checked_add(parts)?)
    }

    /// As [`Self::set`], for writing.
    pub(super) fn set_mut(&mut self, entry: usize, parts: usize) -> Option<&mut [P]> {
        let from = entry.checked_mul(parts)?;
        self.sets.get_mut(from..from.checked_add(parts)?)
    }
}

/// Returns the bytes of a workspace with `entries` entries, each with `columns` columns of type `P` beside it, none with late binding, and for up
/// to `waiting` waiting reservations; the greatest number when that is more than a number can say. O(1).
///
/// ```
/// use bookahead::{CountWorkspace, PeWorkspace, raw::workspace_bytes};
/// assert_eq!(workspace_bytes::<()>(0, 16, 8), 16 * 72 + 8 * 24);
/// assert_eq!(workspace_bytes::<()>(0, 16, 8), CountWorkspace::<16, 8>::BYTES);
/// assert_eq!(workspace_bytes::<u32>(2, 10, 0), PeWorkspace::<u32, 2, 10, 0>::BYTES);
/// ```
#[must_use]
pub const fn workspace_bytes<P: SetPart>(columns: usize, entries: usize, waiting: usize) -> usize {
    let set = columns.saturating_mul(size_of::<P>());
    let logged = entries.saturating_mul(size_of::<UndoEntry<P::Count>>().saturating_add(set));
    logged.saturating_add(waiting.saturating_mul(size_of::<Movable>()))
}

/// Owns the workspace of a book that counts, in as many bits as `N` has: a [`CountWorkspace`] or a [`UnitWorkspace`].
#[derive(Clone, Debug)]
pub struct LateWorkspace<const ENTRIES: usize, const WAITING: usize, N> {
    entries: [UndoEntry<N>; ENTRIES],
    waiting: [Movable; WAITING],
}

/// Owns the workspace of a book with late binding, with `ENTRIES` entries and for up to `WAITING` waiting reservations.
///
/// ```
/// use bookahead::{Alteration, Commitment, Conflict, CountBook, CountWorkspace, PeCount, Policy, Request, Slot, Span};
/// # let mut memory = bookahead::fixture::memory();
/// # let mut book = memory.view();
/// # let request = Request {
/// #     ready: Slot::new(3), duration: Span::new(5), deadline: Slot::new(20), pes: PeCount::new(3),
/// # };
/// let booking = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)?;
/// // One reservation is touched, and nobody juggles.
/// let mut workspace = CountWorkspace::<1, 0>::new();
/// let later = Alteration::Shift { start: Slot::new(9) };
/// let placement = book.alter(booking.handle, later, workspace.view(), &mut Conflict::NONE)?;
/// assert_eq!(placement.start, Slot::new(9));
/// # Ok::<(), bookahead::Error>(())
/// ```
pub type CountWorkspace<const ENTRIES: usize, const WAITING: usize> =
    LateWorkspace<ENTRIES, WAITING, u16>;

/// Owns the workspace of a book of units, as [`CountWorkspace`] of others.
pub type UnitWorkspace<const ENTRIES: usize, const WAITING: usize> =
    LateWorkspace<ENTRIES, WAITING, u32>;

impl<const ENTRIES: usize, const WAITING: usize, N: Width> LateWorkspace<ENTRIES, WAITING, N> {
    /// The memory it takes, see [`workspace_bytes`](crate::raw::workspace_bytes).
    pub const BYTES: usize = size_of::<Self>();

    /// Creates an empty workspace. All of it is zero, so that a `static` of it occupies no space in a program image.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            entries: [UndoEntry::NONE; ENTRIES],
            waiting: [Movable::NONE; WAITING],
        }
    }

    /// Returns the workspace, to be lent to one transaction. O(1).
    pub const fn view(&mut self) -> Workspace<'_, N::NoSet> {
        Workspace::new(&mut self.entries, &mut [], &mut self.waiting)
    }
}

impl<const ENTRIES: usize, const WAITING: usize, N: Width> Default
    for LateWorkspace<ENTRIES, WAITING, N>
{
    fn default() -> Self {
        Self::new()
    }
}

/// Owns the workspace of a book with early binding and `COLUMNS` columns of type `C`, with `ENTRIES` entries and for up to `WAITING` waiting
/// reservations. As [`CountWorkspace`].
#[derive(Clone, Debug)]
pub struct PeWorkspace<C, const COLUMNS: usize, const ENTRIES: usize, const WAITING: usize> {
    entries: [UndoEntry; ENTRIES],
    waiting: [Movable; WAITING],
    sets: [[C; COLUMNS]; ENTRIES],
}

impl<C: Column, const COLUMNS: usize, const ENTRIES: usize, const WAITING: usize>
    PeWorkspace<C, COLUMNS, ENTRIES, WAITING>
{
    /// The memory it takes, see [`workspace_bytes`](crate::raw::workspace_bytes), rounded up to the alignment.
    pub const BYTES: usize = size_of::<Self>();

    /// Creates an empty workspace. All of it is zero.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            entries: [UndoEntry::NONE; ENTRIES],
            waiting: [Movable::NONE; WAITING],
            sets: [[C::NONE; COLUMNS]; ENTRIES],
        }
    }

    /// Returns the workspace, to be lent to one transaction. O(1).
    pub const fn view(&mut self) -> Workspace<'_, C> {
        let sets = self.sets.as_flattened_mut();
        Workspace::new(&mut self.entries, sets, &mut self.waiting)
    }
}

impl<C: Column, const COLUMNS: usize, const ENTRIES: usize, const WAITING: usize> Default
    for PeWorkspace<C, COLUMNS, ENTRIES, WAITING>
{
    fn default() -> Self {
        Self::new()
    }
}
