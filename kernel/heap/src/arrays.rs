//! Checks of sizes, and allocation that reports failure.

use alloc::{boxed::Box, vec::Vec};

use bookahead::raw::{BookState, NativeScan, Row, Scan, Timer, Width, blocks};

use crate::{SizeError, journal::Notes};

/// The most reservations of a book and the most jobs of a queue: the kernel numbers them from 1 in 32 bits and keeps one number free.
pub(crate) const MOST_ROWS: usize = u32::MAX as usize - 1;

/// The most processing elements of a book in which they have numbers.
pub(crate) const NUMBERED: u32 = u16::MAX as u32;

/// The most units of a book in which they have none.
pub(crate) const UNITS: u32 = i32::MAX as u32;

/// The sizes of a book.
///
/// ```
/// use bookahead_heap::{BoxedCountBook, Sizes};
/// // A day of minutes.
/// let sizes = Sizes { pes: 16, slots: 1_440, reservations: 200 };
/// assert!(BoxedCountBook::bytes(sizes) < 26_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The number of processing elements of the machine.
    pub pes: u32,
    /// The number of slots that the ring covers, from `now` on.
    pub slots: u32,
    /// The number of reservations that may exist at a time.
    pub reservations: usize,
}

impl Sizes {
    /// Checks that a book of at most so many processing elements can have these sizes, whatever memory it takes.
    fn check(self, most: u32) -> Result<(), SizeError> {
        if self.pes == 0 {
            return Err(SizeError::NoPes);
        }
        if self.pes > most {
            let asked = self.pes;
            return Err(SizeError::TooManyPes { asked, most });
        }
        if self.slots == 0 {
            return Err(SizeError::NoSlots);
        }
        if self.reservations > MOST_ROWS {
            return Err(SizeError::TooManyReservations {
                asked: self.reservations,
                most: MOST_ROWS,
            });
        }
        Ok(())
    }

    /// Returns the number of processing elements where they have numbers, of which there are no more.
    pub(crate) const fn numbered(self) -> u16 {
        if self.pes > NUMBERED {
            return u16::MAX;
        }
        self.pes as u16
    }

    /// Returns the number of slots in the arrays.
    pub(crate) fn storage(self) -> usize {
        blocks(self.slots) * 64
    }
}

/// The allocator of the arrays of one book, queue or workspace, which counts their bytes.
pub(crate) struct Arrays {
    /// The bytes of all of them together.
    needed: usize,
    /// The bytes allocated so far.
    taken: usize,
}

impl Arrays {
    /// Prepares the arrays of a book that takes `needed` bytes, when the caller allows `limit`. If this succeeds, the length of no array of
    /// the book overflows: each is part of `needed`, which does not.
    pub(crate) fn of_book(
        size: Sizes,
        most: u32,
        needed: usize,
        limit: usize,
    ) -> Result<Self, SizeError> {
        size.check(most)?;
        Self::within(needed, limit)
    }

    /// Prepares arrays of `needed` bytes, when the caller allows `limit`.
    pub(crate) fn within(needed: usize, limit: usize) -> Result<Self, SizeError> {
        // No allocation may be larger than `isize::MAX`, whatever the caller allows.
        let most = limit.min(isize::MAX as usize);
        if needed > most {
            return Err(SizeError::TooMuchMemory {
                bytes: needed,
                most,
            });
        }
        Ok(Self { needed, taken: 0 })
    }

    /// Allocates an array of `length` default values.
    pub(crate) fn array<T: Clone + Default>(
        &mut self,
        length: usize,
    ) -> Result<Box<[T]>, SizeError> {
        let mut array = Vec::new();
        let out_of_memory = |_| SizeError::OutOfMemory { bytes: self.needed };
        array.try_reserve_exact(length).map_err(out_of_memory)?;
        array.resize(length, T::default());
        self.taken += size_of_val(array.as_slice());
        Ok(array.into_boxed_slice())
    }

    /// Returns the bytes allocated, plus those of the scalars of type `State`, rounded up as if all of it were one struct.
    pub(crate) fn bytes_with<State>(&self) -> usize {
        (self.taken + size_of::<State>()).next_multiple_of(align_of::<State>())
    }
}

/// The memory that books of both kinds have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Common<N = u16> {
    pub(crate) state: BookState,
    pub(crate) rows: Box<[Row<N>]>,
    pub(crate) starts: Box<[u32]>,
    pub(crate) timers: Box<[Timer]>,
    pub(crate) counts: Box<[N]>,
    pub(crate) summaries: Box<[N]>,
    pub(crate) change: Box<[u32]>,
    pub(crate) release: Box<[u32]>,
    pub(crate) notes: Notes,
}

impl<N: Width> Common<N> {
    pub(crate) fn allocate(size: Sizes, arrays: &mut Arrays) -> Result<Self, SizeError> {
        let storage = size.storage();
        Ok(Self {
            state: BookState::default(),
            rows: arrays.array(size.reservations)?,
            starts: arrays.array(storage)?,
            timers: arrays.array(size.reservations)?,
            counts: arrays.array(storage)?,
            summaries: arrays.array(blocks(size.slots) * NativeScan::SUMMARIES)?,
            change: arrays.array(storage / 32)?,
            release: arrays.array(storage / 32)?,
            notes: Notes::default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Arrays;
    use crate::SizeError;

    #[test]
    fn what_the_allocator_does_not_have_is_an_error() {
        let needed = isize::MAX as usize;
        let mut arrays = Arrays::within(needed, usize::MAX).unwrap();
        // No address space is large enough for it, so nothing is allocated.
        let refused = arrays.array::<u64>(needed / 8);
        let out_of_memory = SizeError::OutOfMemory { bytes: needed };
        assert_eq!(refused.unwrap_err(), out_of_memory);
    }

    #[test]
    fn no_limit_allows_more_than_can_be_addressed() {
        let (bytes, most) = (usize::MAX, isize::MAX as usize);
        assert_eq!(
            Arrays::within(bytes, usize::MAX).err(),
            Some(SizeError::TooMuchMemory { bytes, most })
        );
    }
}
