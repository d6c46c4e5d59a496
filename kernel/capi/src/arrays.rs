//! The arrays that lie one behind the other in the memory of a book or a queue.

use core::marker::PhantomData;

/// What is left of a book's or a queue's memory.
pub(crate) struct Arrays<'a> {
    next: *mut u8,
    memory: PhantomData<&'a mut [u8]>,
}

impl<'a> Arrays<'a> {
    /// What lies from a byte on.
    #[inline(always)]
    pub(crate) const fn at(next: *mut u8) -> Self {
        Self {
            next,
            memory: PhantomData,
        }
    }

    /// What lies behind the head of a book or a queue.
    ///
    /// # Safety
    ///
    /// There is memory behind it.
    #[inline(always)]
    pub(crate) unsafe fn behind<H>(head: *mut H) -> Self {
        // SAFETY: within the memory by this function's contract.
        Self::at(unsafe { head.add(1).cast() })
    }

    /// # Safety
    ///
    /// At least that many `T` are left, valid ones, and the next byte is aligned for them.
    #[inline(always)]
    pub(crate) unsafe fn take<T>(&mut self, length: usize) -> &'a mut [T] {
        let first = self.next.cast::<T>();
        // SAFETY: within the memory by this function's contract, and given out once.
        unsafe {
            self.next = first.add(length).cast();
            core::slice::from_raw_parts_mut(first, length)
        }
    }

    /// As [`take`](Self::take), and what is behind is aligned to 8 bytes if these are.
    ///
    /// # Safety
    ///
    /// As [`take`](Self::take), with up to 7 bytes more.
    #[cfg(any(feature = "risk", feature = "placement"))]
    #[inline(always)]
    pub(crate) unsafe fn take_padded<T>(&mut self, length: usize) -> &'a mut [T] {
        let bytes = length.wrapping_mul(size_of::<T>());
        let padding = bytes.wrapping_neg() & 7;
        // SAFETY: within the memory by this function's contract.
        unsafe {
            let taken = self.take(length);
            self.next = self.next.add(padding);
            taken
        }
    }

    /// # Safety
    ///
    /// As [`take`](Self::take).
    #[inline(always)]
    pub(crate) unsafe fn one<T>(&mut self) -> &'a mut T {
        let first = self.next.cast::<T>();
        // SAFETY: as above.
        unsafe {
            self.next = first.add(1).cast();
            &mut *first
        }
    }
}
