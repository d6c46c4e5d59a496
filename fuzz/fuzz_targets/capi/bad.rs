//! Pointers that may be bad, and what is behind them.

use std::ptr::null_mut;

const MOST_ROOM: u8 = 9;

/// A pointer that is good, or bad in one of two ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pointer {
    Good,
    Null,
    Misaligned,
}

impl Pointer {
    pub fn to<T>(self, place: *mut T) -> *mut T {
        match self {
            Self::Good => place,
            Self::Null => null_mut(),
            Self::Misaligned => place.wrapping_byte_add(1),
        }
    }
}

/// The pointers of one call: to the book or the queue, to what it reads, to what it writes.
#[derive(Clone, Copy, Debug)]
pub struct Pointers {
    pub book: Pointer,
    pub input: Pointer,
    pub output: Pointer,
}

impl Pointers {
    pub fn of(bad: u8) -> Self {
        let digit = |place: u8| match (bad.saturating_sub(200) / place) % 3 {
            0 => Pointer::Good,
            1 => Pointer::Null,
            _ => Pointer::Misaligned,
        };
        Self {
            book: digit(1),
            input: digit(3),
            output: digit(9),
        }
    }
}

/// A result that starts as something no call writes by accident, with room behind for a misaligned write that must not happen.
pub struct Result<T> {
    cells: [T; 2],
    before: T,
}

impl<T: Copy + PartialEq + std::fmt::Debug> Result<T> {
    pub fn new(before: T) -> Self {
        Self {
            cells: [before; 2],
            before,
        }
    }

    pub fn place(&mut self, pointer: Pointer) -> *mut T {
        pointer.to(self.cells.as_mut_ptr())
    }

    /// What was written, if the call worked; nothing may be, if not.
    pub fn get(&self, code: u32, pointer: Pointer) -> Option<T> {
        assert_eq!(self.cells[1], self.before);
        if code == 0 {
            assert_eq!(pointer, Pointer::Good, "a bad pointer goes unnoticed");
            return Some(self.cells[0]);
        }
        assert_eq!(self.cells[0], self.before, "a failed call has written");
        None
    }
}

/// A list of exactly so many elements, and where a call says how many it has written.
pub struct List<T> {
    pub items: Vec<T>,
    before: T,
    pub count: Result<usize>,
}

impl<T: Copy + PartialEq + std::fmt::Debug> List<T> {
    pub fn new(room: u8, before: T) -> Self {
        Self {
            items: vec![before; usize::from(room % (MOST_ROOM + 1))],
            before,
            count: Result::new(usize::MAX),
        }
    }

    pub fn first(&mut self, pointer: Pointer) -> *mut T {
        // Without room nobody looks at the pointer.
        pointer.to(self.items.as_mut_ptr())
    }

    pub fn get(&self, code: u32) -> &[T] {
        let count = self.count.get(code, Pointer::Good).unwrap_or(0);
        let (written, rest) = self.items.split_at(count);
        assert!(rest.iter().all(|item| *item == self.before));
        written
    }
}
