//! Books in memory that somebody else has written to.

use arbitrary::Arbitrary;
use bookahead::{
    Book,
    raw::{BookState, CountRing, PeRing, Ring},
};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, Sizes};

/// Something written to an array that a book lives in.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Blow {
    /// Which array, modulo their number.
    pub array: u8,
    /// Where in it, modulo its length.
    pub place: u16,
    /// Where in it for another place, modulo its length.
    pub other: u16,
    /// What to do there.
    pub how: How,
}

/// What is done to an element of an array.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub enum How {
    /// Another value, as many bits of it as fit.
    Set(u64),
    /// One bit, modulo their number, the other way.
    Flip(u8),
    /// The value of the other place.
    Copy,
    /// This value there and that one here.
    Swap,
}

/// Memory of a book, with access to all of it.
pub trait Memory: Sized {
    /// The ring in it.
    type Ring<'a>: Ring
    where
        Self: 'a;

    /// Memory of an empty book of that size.
    fn new(pes: u16, slots: u32, rows: usize) -> Self;

    /// The book in the memory, if its sizes fit.
    fn open(&mut self) -> Option<Book<'_, Self::Ring<'_>>>;

    /// Writes to it.
    fn strike(&mut self, blow: &Blow);
}

impl Memory for BoxedCountBook {
    type Ring<'a> = CountRing<'a>;

    fn new(pes: u16, slots: u32, rows: usize) -> Self {
        Self::new(Sizes {
            pes,
            slots,
            reservations: rows,
        })
        .expect("the sizes are small")
    }

    fn open(&mut self) -> Option<Book<'_, CountRing<'_>>> {
        self.parts().open()
    }

    fn strike(&mut self, blow: &Blow) {
        let parts = self.parts();
        match blow.array % 9 {
            0 => strike_state(parts.state, blow),
            1 => strike_records(parts.rows, blow),
            2 => strike(parts.starts, blow),
            3 => strike_records(parts.timers, blow),
            4 => strike(parts.busy, blow),
            5 => strike(parts.summaries, blow),
            6 => strike(parts.change, blow),
            7 => strike(parts.release, blow),
            _ => strike(parts.owner, blow),
        }
    }
}

impl Memory for BoxedPeBook<u32> {
    type Ring<'a> = PeRing<'a, u32>;

    fn new(pes: u16, slots: u32, rows: usize) -> Self {
        Self::new(Sizes {
            pes,
            slots,
            reservations: rows,
        })
        .expect("the sizes are small")
    }

    fn open(&mut self) -> Option<Book<'_, PeRing<'_, u32>>> {
        self.parts().open()
    }

    fn strike(&mut self, blow: &Blow) {
        let parts = self.parts();
        match blow.array % 13 {
            0 => strike_state(parts.state, blow),
            1 => strike_records(parts.rows, blow),
            2 => strike(parts.starts, blow),
            3 => strike_records(parts.timers, blow),
            4 => strike(parts.busy, blow),
            5 => strike(parts.any, blow),
            6 => strike(parts.counts, blow),
            7 => strike(parts.summaries, blow),
            8 => strike(parts.change, blow),
            9 => strike(parts.release, blow),
            10 => strike(parts.sets, blow),
            11 => strike(parts.suffixes, blow),
            _ => strike(parts.joined, blow),
        }
    }
}

/// A number of some width.
trait Word: Copy {
    fn cut(bits: u64) -> Self;
    fn flipped(self, bit: u8) -> Self;
}

macro_rules! words {
    ($($word:ty)*) => {
        $(
            impl Word for $word {
                fn cut(bits: u64) -> Self {
                    bits as Self
                }
                fn flipped(self, bit: u8) -> Self {
                    self ^ (1 << (u32::from(bit) % Self::BITS))
                }
            }
        )*
    };
}

words!(u16 u32 u64);

fn strike<T: Word>(array: &mut [T], blow: &Blow) {
    let Some((place, other)) = places(array.len(), blow) else {
        return;
    };
    match blow.how {
        How::Set(bits) => array[place] = T::cut(bits),
        How::Flip(bit) => array[place] = array[place].flipped(bit),
        How::Copy => array[place] = array[other],
        How::Swap => array.swap(place, other),
    }
}

/// Elements whose bits cannot be reached: instead of a number the default is written.
fn strike_records<T: Copy + Default>(array: &mut [T], blow: &Blow) {
    let Some((place, other)) = places(array.len(), blow) else {
        return;
    };
    match blow.how {
        How::Set(_) | How::Flip(_) => array[place] = T::default(),
        How::Copy => array[place] = array[other],
        How::Swap => array.swap(place, other),
    }
}

/// The state of an empty book of another size.
fn strike_state(state: &mut BookState, blow: &Blow) {
    let (pes, slots) = (blow.place % 70, u32::from(blow.other % 200));
    *state = match BoxedCountBook::new(Sizes {
        pes,
        slots,
        reservations: 1,
    }) {
        Ok(mut memory) => *memory.parts().state,
        Err(_) => BookState::default(),
    };
}

/// The two places that a blow means in an array of that length, unless it is empty.
pub(crate) fn places(len: usize, blow: &Blow) -> Option<(usize, usize)> {
    let place = usize::from(blow.place).checked_rem(len)?;
    Some((place, usize::from(blow.other) % len))
}
