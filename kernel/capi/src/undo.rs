//! Memory that the caller lends to what moves reservations.

use core::{ffi::c_void, ptr::NonNull};

use bookahead::raw::{UndoEntry, UndoLog};

use crate::{
    BOOKAHEAD_ALIGNMENT,
    code::Failure,
    memory::{Narrow, Sizes, Wide},
    pointer::Out,
};

// The header's formulas have this number in them.
const _: () =
    assert!(size_of::<UndoEntry>() == 72 && align_of::<UndoEntry>() <= BOOKAHEAD_ALIGNMENT);
// So that sets lie behind entries without a gap.
const _: () = assert!(align_of::<Narrow>() <= 8 && align_of::<Wide>() <= 8);

/// The undo memory of one call. Its contents mean nothing before and after the call.
pub(crate) struct Undo {
    first: *mut UndoEntry,
    length: usize,
}

impl Undo {
    /// The memory at `memory`, which may be null when it is empty.
    pub(crate) fn new(memory: *mut c_void, length: usize) -> Result<Self, Failure> {
        let first = memory.cast::<UndoEntry>();
        if length > 0 {
            Out::new(first)?;
        }
        Ok(Self { first, length })
    }

    /// A log of as many entries as the memory has room for, but of no more than `most`: only these are cleared, so that a call costs no more
    /// for a large memory. Beside each entry stands a set of so many columns of type `P`.
    ///
    /// # Safety
    ///
    /// The memory may be written to, nobody else uses it meanwhile, and it is taken once. Zeros are a valid `P`, which is aligned no more than
    /// an entry.
    pub(crate) unsafe fn log<'u, P>(&self, columns: usize, most: usize) -> UndoLog<'u, P> {
        let set = columns.saturating_mul(size_of::<P>());
        let each = size_of::<UndoEntry>().saturating_add(set);
        let entries = self.length.checked_div(each).unwrap_or(0).min(most);
        if entries == 0 {
            return UndoLog::new(&mut [], &mut []);
        }
        let parts = entries.saturating_mul(columns);
        let first = NonNull::new(self.first).unwrap_or(NonNull::dangling());
        // SAFETY: `entries` of them and as many sets take no more than the length of the memory, which is not null then. They are aligned: the
        // memory is, and what stands before the sets is a multiple of 8. Zeroed they are valid: an entry consists of integers.
        unsafe {
            first
                .cast::<u8>()
                .write_bytes(0, entries.saturating_mul(each));
            let sets = first.add(entries).cast::<P>();
            UndoLog::new(
                core::slice::from_raw_parts_mut(first.as_ptr(), entries),
                core::slice::from_raw_parts_mut(sets.as_ptr(), parts),
            )
        }
    }
}

/// The bytes of undo memory with so many entries, for a book of that binding and so many PEs: a multiple of 8, or 0 when there is no such book. The
/// macros `BOOKAHEAD_LATE_UNDO_BYTES` and `BOOKAHEAD_EARLY_UNDO_BYTES` say the same at compile time. O(1).
///
/// Calls that move reservations note in this memory how to put everything back. It belongs to the caller, is aligned as a book's, and means nothing
/// between calls, so one piece will do for all books that are not used at the same time. A call says how many entries it takes; with fewer it
/// answers MOVE_LIMIT and has changed nothing.
#[unsafe(no_mangle)]
pub extern "C" fn bookahead_undo_bytes(binding: u32, pes: u32, entries: u32) -> usize {
    let Ok(set) = Sizes::set_bytes(binding, pes) else {
        return 0;
    };
    let each = size_of::<UndoEntry>().saturating_add(set);
    let bytes = each
        .checked_mul(entries as usize)
        .and_then(|bytes| bytes.checked_next_multiple_of(BOOKAHEAD_ALIGNMENT));
    bytes
        .filter(|bytes| isize::try_from(*bytes).is_ok())
        .unwrap_or(0)
}
