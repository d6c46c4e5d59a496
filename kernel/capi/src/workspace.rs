//! Memory that the caller lends to what moves reservations.

use core::{ffi::c_void, ptr::NonNull};

use bookahead::raw::{self, Movable, UndoEntry, Unnumbered, workspace_bytes};

use crate::{
    BOOKAHEAD_ALIGNMENT, Book, Code,
    code::Failure,
    memory::{self, Narrow, Sizes, Wide},
    pointer::read,
};

/// Memory that the caller lends to a call that moves reservations: it notes in it how to put everything back. The memory belongs to the caller and
/// means nothing between calls, so one piece will do for all books that are not used at the same time.
///
/// A call says how many entries it takes, and a call that juggles for how many waiting reservations it takes room as well; with less it answers
/// MOVE_LIMIT and has changed nothing. Without a workspace (NULL), and where all of it is zero, there is no memory. A call answers NULL_POINTER or
/// MISALIGNED for memory that is null or not aligned as a book's.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Workspace {
    /// The memory; may be null when it has no bytes.
    pub memory: *mut c_void,
    /// Its bytes, see `bookahead_workspace_bytes`.
    pub length: usize,
    /// For how many waiting reservations some of it is kept; 0 where nobody juggles.
    pub waiting: usize,
}

// The header's formulas have these numbers in them.
const _: () = assert!(size_of::<UndoEntry>() == 72 && size_of::<Movable>() == 24);
const _: () = assert!(size_of::<UndoEntry<u32>>() == 80);
const _: () = assert!(align_of::<UndoEntry>() <= 8 && align_of::<Movable>() <= 8);
const _: () = assert!(align_of::<UndoEntry<u32>>() <= 8);
// So that what is behind something else lies there without a gap.
const _: () = assert!(align_of::<Narrow>() <= 8 && align_of::<Wide>() <= 8);
const _: () = assert!(BOOKAHEAD_ALIGNMENT == 8);

/// The memory of one call for one book, its pointers looked at: first what is kept for waiting reservations, then the entries, then their sets.
pub(crate) struct Lent {
    memory: NonNull<u64>,
    length: usize,
    waiting: usize,
    /// Of a set of PEs of the book.
    columns: usize,
}

impl Lent {
    /// What is lent for a call with `book`.
    ///
    /// # Safety
    ///
    /// By the contract of the crate.
    pub(crate) unsafe fn read(
        workspace: *const Workspace,
        book: *mut Book,
    ) -> Result<Self, Failure> {
        // SAFETY: passed on.
        let (workspace, columns) = unsafe {
            let none = Workspace {
                memory: core::ptr::null_mut(),
                length: 0,
                waiting: 0,
            };
            let workspace = if workspace.is_null() {
                none
            } else {
                read(workspace)?
            };
            (workspace, memory::sizes(book)?.columns())
        };
        let memory = NonNull::new(workspace.memory.cast::<u64>());
        if workspace.length > 0 && memory.is_none() {
            return Err(Code::NullPointer.into());
        }
        let memory = memory.unwrap_or(NonNull::dangling());
        if workspace.length > 0 && !memory.is_aligned() {
            return Err(Code::Misaligned.into());
        }
        let kept = workspace.length.checked_div(size_of::<Movable>());
        Ok(Self {
            memory,
            length: workspace.length,
            waiting: workspace.waiting.min(kept.unwrap_or(0)),
            columns,
        })
    }

    /// A workspace of as much as there is, but of no more than `entries` and `waiting`: only that is cleared, so that a call costs no more for a
    /// large memory. Beside each entry stands a set of the book's columns, of type `P`.
    ///
    /// # Safety
    ///
    /// The memory may be written to, nobody else uses it meanwhile, and it is taken once. Zeros are a valid `P`, which is aligned to 8 bytes at most.
    pub(crate) unsafe fn view<'w, P: raw::SetPart>(
        &self,
        entries: usize,
        waiting: usize,
    ) -> raw::Workspace<'w, P> {
        let kept = self.waiting.saturating_mul(size_of::<Movable>());
        let each = workspace_bytes::<P>(self.columns, 1, 0);
        let room = self.length.saturating_sub(kept);
        let entries = room.checked_div(each).unwrap_or(0).min(entries);
        let waiting = self.waiting.min(waiting);
        let parts = entries.saturating_mul(self.columns);
        // SAFETY: what is kept for waiting ones, `entries` and as many sets take no more than the length of the memory; where they take none, a
        // pointer to nothing will do. They are aligned: the memory is, and what stands before each is a multiple of 8. Zeroed they are valid: they
        // consist of integers.
        unsafe {
            let movables = self.memory.cast::<Movable>();
            let first = movables.add(self.waiting).cast::<UndoEntry<P::Count>>();
            let sets = first.add(entries).cast::<P>();
            movables.write_bytes(0, waiting);
            first
                .cast::<u8>()
                .write_bytes(0, entries.saturating_mul(each));
            raw::Workspace::new(
                core::slice::from_raw_parts_mut(first.as_ptr(), entries),
                core::slice::from_raw_parts_mut(sets.as_ptr(), parts),
                core::slice::from_raw_parts_mut(movables.as_ptr(), waiting),
            )
        }
    }
}

/// The bytes of a workspace with so many entries and for so many waiting reservations, for a book of that binding and so many PEs: a multiple of 8, or 0
/// when there is no such book. The macros `BOOKAHEAD_LATE_WORKSPACE_BYTES`, `BOOKAHEAD_EARLY_WORKSPACE_BYTES` and `BOOKAHEAD_UNIT_WORKSPACE_BYTES` say the same at compile time. O(1).
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_workspace_bytes(
    binding: u32,
    pes: u32,
    entries: u32,
    waiting: u32,
) -> usize {
    let Ok(sizes) = Sizes::of_machine(binding, pes) else {
        return 0;
    };
    workspace_bytes_of(sizes, entries, waiting).unwrap_or(0)
}

/// The bytes of a workspace for a book of these sizes; `None` when that is more than a pointer can reach.
pub(crate) fn workspace_bytes_of(sizes: Sizes, entries: u32, waiting: u32) -> Option<usize> {
    let (entries, waiting) = (entries as usize, waiting as usize);
    // No book has sets of parts of one byte: those of late binding take none.
    let without_sets = match sizes.is_units() {
        true => workspace_bytes::<Unnumbered>(0, entries, waiting),
        false => workspace_bytes::<()>(0, entries, waiting),
    };
    let bytes = without_sets
        .saturating_add(sizes.bytes_of_set().saturating_mul(entries))
        .checked_next_multiple_of(BOOKAHEAD_ALIGNMENT);
    bytes.filter(|bytes| isize::try_from(*bytes).is_ok())
}

/// How many entries of a log so many reservations take at most: one when they are lifted, one when they are placed again, and one for a rule or whoever is served.
pub(crate) const fn entries(reservations: usize) -> usize {
    reservations.saturating_mul(2).saturating_add(1)
}
