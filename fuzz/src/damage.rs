//! Books in memory that somebody else has written to.

use arbitrary::Arbitrary;
use bookahead::{
    Book, BookState, CountParts, CountRing, PeParts, PeRing, Ring, Row, blocks, columns,
};

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

/// Late binding.
pub struct Counts {
    state: BookState,
    rows: Vec<Row>,
    starts: Vec<u32>,
    timers: Vec<u32>,
    busy: Vec<u16>,
    most: Vec<u16>,
    change: Vec<u32>,
    release: Vec<u32>,
    owner: Vec<u32>,
}

impl Counts {
    fn parts(&mut self) -> CountParts<'_> {
        CountParts {
            state: &mut self.state,
            rows: &mut self.rows,
            starts: &mut self.starts,
            timers: &mut self.timers,
            busy: &mut self.busy,
            most: &mut self.most,
            change: &mut self.change,
            release: &mut self.release,
            owner: &mut self.owner,
        }
    }
}

impl Memory for Counts {
    type Ring<'a> = CountRing<'a>;

    fn new(pes: u16, slots: u32, rows: usize) -> Self {
        let blocks = blocks(slots);
        let mut memory = Self {
            state: BookState::default(),
            rows: vec![Row::VACANT; rows],
            starts: vec![0; blocks * 64],
            timers: vec![0; rows],
            busy: vec![0; blocks * 64],
            most: vec![0; blocks],
            change: vec![0; blocks * 2],
            release: vec![0; blocks * 2],
            owner: vec![0; pes.into()],
        };
        assert!(memory.parts().format(pes, slots).is_some());
        memory
    }

    fn open(&mut self) -> Option<Book<'_, CountRing<'_>>> {
        self.parts().open()
    }

    fn strike(&mut self, blow: &Blow) {
        match blow.array % 9 {
            0 => strike_state(&mut self.state, blow),
            1 => strike_rows(&mut self.rows, blow),
            2 => strike(&mut self.starts, blow),
            3 => strike(&mut self.timers, blow),
            4 => strike(&mut self.busy, blow),
            5 => strike(&mut self.most, blow),
            6 => strike(&mut self.change, blow),
            7 => strike(&mut self.release, blow),
            _ => strike(&mut self.owner, blow),
        }
    }
}

/// Early binding.
pub struct Sets {
    state: BookState,
    rows: Vec<Row>,
    starts: Vec<u32>,
    timers: Vec<u32>,
    busy: Vec<u32>,
    any: Vec<u32>,
    counts: Vec<u16>,
    most: Vec<u16>,
    change: Vec<u32>,
    release: Vec<u32>,
    sets: Vec<u32>,
    suffixes: Vec<u32>,
    prefix: Vec<u32>,
    joined: Vec<u32>,
}

impl Sets {
    fn parts(&mut self) -> PeParts<'_, u32> {
        PeParts {
            state: &mut self.state,
            rows: &mut self.rows,
            starts: &mut self.starts,
            timers: &mut self.timers,
            busy: &mut self.busy,
            any: &mut self.any,
            counts: &mut self.counts,
            most: &mut self.most,
            change: &mut self.change,
            release: &mut self.release,
            sets: &mut self.sets,
            suffixes: &mut self.suffixes,
            prefix: &mut self.prefix,
            joined: &mut self.joined,
        }
    }
}

impl Memory for Sets {
    type Ring<'a> = PeRing<'a, u32>;

    fn new(pes: u16, slots: u32, rows: usize) -> Self {
        let (blocks, columns) = (blocks(slots), columns::<u32>(pes));
        let mut memory = Self {
            state: BookState::default(),
            rows: vec![Row::VACANT; rows],
            starts: vec![0; blocks * 64],
            timers: vec![0; rows],
            busy: vec![0; columns * blocks * 64],
            any: vec![0; columns * blocks * 8],
            counts: vec![0; blocks * 64],
            most: vec![0; blocks],
            change: vec![0; blocks * 2],
            release: vec![0; blocks * 2],
            sets: vec![0; columns * rows],
            suffixes: vec![0; columns * blocks * 64],
            prefix: vec![0; columns],
            joined: vec![0; columns],
        };
        assert!(memory.parts().format(pes, slots).is_some());
        memory
    }

    fn open(&mut self) -> Option<Book<'_, PeRing<'_, u32>>> {
        self.parts().open()
    }

    fn strike(&mut self, blow: &Blow) {
        match blow.array % 13 {
            0 => strike_state(&mut self.state, blow),
            1 => strike_rows(&mut self.rows, blow),
            2 => strike(&mut self.starts, blow),
            3 => strike(&mut self.timers, blow),
            4 => strike(&mut self.busy, blow),
            5 => strike(&mut self.any, blow),
            6 => strike(&mut self.counts, blow),
            7 => strike(&mut self.most, blow),
            8 => strike(&mut self.change, blow),
            9 => strike(&mut self.release, blow),
            10 => strike(&mut self.sets, blow),
            11 => strike(&mut self.suffixes, blow),
            _ => strike(&mut self.joined, blow),
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

fn strike_rows(rows: &mut [Row], blow: &Blow) {
    let Some((place, other)) = places(rows.len(), blow) else {
        return;
    };
    match blow.how {
        How::Set(_) | How::Flip(_) => rows[place] = Row::VACANT,
        How::Copy => rows[place] = rows[other],
        How::Swap => rows.swap(place, other),
    }
}

/// The state of an empty book of another size.
fn strike_state(state: &mut BookState, blow: &Blow) {
    let (pes, slots) = (blow.place % 70, u32::from(blow.other % 200));
    *state = if pes == 0 || slots == 0 {
        BookState::default()
    } else {
        Counts::new(pes, slots, 1).state
    };
}

/// The two places that a blow means in an array of that length, unless it is empty.
pub(crate) fn places(len: usize, blow: &Blow) -> Option<(usize, usize)> {
    let place = usize::from(blow.place).checked_rem(len)?;
    Some((place, usize::from(blow.other) % len))
}
