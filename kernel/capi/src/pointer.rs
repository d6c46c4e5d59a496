//! Pointers from C: looked at before they are followed.

use core::ptr::NonNull;

use crate::{Code, code::Failure};

/// A place for a result, not null and aligned.
#[derive(Clone, Copy)]
pub(crate) struct Out<T>(NonNull<T>);

impl<T> Out<T> {
    /// The place behind `pointer`.
    #[inline(always)]
    pub(crate) fn new(pointer: *mut T) -> Result<Self, Failure> {
        let pointer = NonNull::new(pointer).ok_or(Code::NullPointer)?;
        if !pointer.is_aligned() {
            return Err(Code::Misaligned.into());
        }
        Ok(Self(pointer))
    }

    /// Writes the result.
    ///
    /// # Safety
    ///
    /// The pointer is one to write a `T` to.
    #[inline(always)]
    pub(crate) unsafe fn set(self, value: impl Into<T>) {
        // SAFETY: not null, aligned, and writable by this function's contract.
        unsafe { self.0.write(value.into()) }
    }
}

/// The value behind `pointer`.
///
/// # Safety
///
/// `pointer` is null, misaligned, or one to read a `T` from, for which any bits will do.
#[inline(always)]
pub(crate) unsafe fn read<T: Copy>(pointer: *const T) -> Result<T, Failure> {
    let pointer = Out::new(pointer.cast_mut())?;
    // SAFETY: not null, aligned, and readable by this function's contract.
    Ok(unsafe { pointer.0.read() })
}

/// A list for results: `capacity` elements.
#[derive(Clone, Copy)]
pub(crate) struct List<T> {
    first: *mut T,
    capacity: usize,
}

impl<T> List<T> {
    /// The list at `first`, which may be null when it has no room.
    #[inline(always)]
    pub(crate) fn new(first: *mut T, capacity: usize) -> Result<Self, Failure> {
        if capacity > 0 {
            Out::new(first)?;
        }
        Ok(Self { first, capacity })
    }

    #[inline(always)]
    pub(crate) const fn len(&self) -> usize {
        self.capacity
    }

    /// Where it begins; null or misaligned only without elements.
    #[cfg(feature = "risk")]
    #[inline(always)]
    pub(crate) const fn as_mut_ptr(&self) -> *mut T {
        self.first
    }

    /// The element numbered `index`, which is there.
    ///
    /// # Safety
    ///
    /// There are `capacity` elements to read, for which any bits will do, and `index` is below.
    #[inline(always)]
    pub(crate) unsafe fn get(&self, index: usize) -> T
    where
        T: Copy,
    {
        // SAFETY: an element of the list by this function's contract; aligned, since the first one is.
        unsafe { self.first.add(index).read() }
    }

    #[inline(always)]
    pub(crate) fn has_room(&self, length: usize) -> bool {
        length < self.capacity
    }

    /// Writes the element numbered `index`, for which there is room.
    ///
    /// # Safety
    ///
    /// There are `capacity` elements to write to, and `index` is below.
    #[inline(always)]
    pub(crate) unsafe fn set(&self, index: usize, value: impl Into<T>) {
        // SAFETY: an element of the list by this function's contract; aligned, since the first one is.
        unsafe { self.first.add(index).write(value.into()) }
    }

    /// Writes what `items` has after the first `skip`, as far as there is room, and says how many that were.
    ///
    /// # Safety
    ///
    /// There are `capacity` elements to write to.
    pub(crate) unsafe fn fill<I: Into<T>>(
        &self,
        items: impl Iterator<Item = I>,
        skip: usize,
    ) -> usize {
        let mut length = 0_usize;
        for item in items.skip(skip).take(self.capacity) {
            // SAFETY: `take` keeps `length` below the capacity.
            unsafe { self.set(length, item) };
            length = length.wrapping_add(1);
        }
        length
    }
}

/// The elements of a caller's list, which may be null when it is empty.
///
/// # Safety
///
/// By the contract of the crate; nobody writes to the list while the slice is used, and any bits are a `T`.
pub(crate) unsafe fn elements<'a, T>(first: *const T, length: usize) -> Result<&'a [T], Failure> {
    let first = first_of(first.cast_mut(), length)?;
    // SAFETY: not null, aligned, no longer than memory can be, and readable by this function's contract.
    Ok(unsafe { core::slice::from_raw_parts(first.as_ptr(), length) })
}

/// The same of a list that is written to.
///
/// # Safety
///
/// As [`elements`], and nobody else reads the list meanwhile.
pub(crate) unsafe fn elements_mut<'a, T>(
    first: *mut T,
    length: usize,
) -> Result<&'a mut [T], Failure> {
    let first = first_of(first, length)?;
    // SAFETY: as above, and writable by this function's contract.
    Ok(unsafe { core::slice::from_raw_parts_mut(first.as_ptr(), length) })
}

/// Where a list of so many begins, which may be anywhere when it is empty.
fn first_of<T>(first: *mut T, length: usize) -> Result<NonNull<T>, Failure> {
    if length == 0 {
        return Ok(NonNull::dangling());
    }
    let first = Out::new(first)?;
    let bytes = length.checked_mul(size_of::<T>());
    if bytes.is_none_or(|bytes| isize::try_from(bytes).is_err()) {
        return Err(Code::SizeOutOfRange.into());
    }
    Ok(first.0)
}
