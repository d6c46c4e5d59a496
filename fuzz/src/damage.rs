//! Books and queues in memory that somebody else has written to.

use std::{fmt, str::FromStr};

use bookahead::{
    BestEffortJob, Book, CountBook, Discipline, PeCount, Span,
    raw::{BookState, CountRing, PeRing, Ring, WaitingJob},
};
use bookahead_heap::{BoxedCountBook, BoxedJobQueue, BoxedPeBook, Sizes};

/// Something that is written to an array that a book or its queue lives in. As text: `strike book ARRAY PLACE OTHER set NUMBER`, or with
/// `queue`, and with `flip BIT`, `copy` or `swap`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strike {
    /// Whether it is an array of the queue.
    pub is_queue: bool,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl Strike {
    /// Any of them.
    pub fn draw(number: &mut impl FnMut() -> u64) -> Self {
        let bits = number();
        let how = match number() % 4 {
            0 => How::Set([bits, bits % 100][number() as usize % 2]),
            1 => How::Flip(bits as u8),
            2 => How::Copy,
            _ => How::Swap,
        };
        Self {
            is_queue: number().is_multiple_of(4),
            array: number() as u8,
            place: number() as u16 % 256,
            other: number() as u16 % 256,
            how,
        }
    }
}

impl fmt::Display for Strike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            array,
            place,
            other,
            how,
            ..
        } = self;
        let whose = if self.is_queue { "queue" } else { "book" };
        write!(f, "strike {whose} {array} {place} {other} ")?;
        match how {
            How::Set(bits) => write!(f, "set {bits}"),
            How::Flip(bit) => write!(f, "flip {bit}"),
            How::Copy => f.write_str("copy"),
            How::Swap => f.write_str("swap"),
        }
    }
}

/// That a line says nothing that could be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoStrike;

impl FromStr for Strike {
    type Err = NoStrike;

    fn from_str(line: &str) -> Result<Self, NoStrike> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let (whose, array, place, other, how) = match words[..] {
            ["strike", whose, array, place, other, ref how @ ..] => {
                (whose, array, place, other, how)
            }
            _ => return Err(NoStrike),
        };
        let how = match how {
            ["set", bits] => How::Set(number(bits)?),
            ["flip", bit] => How::Flip(number(bit)?),
            ["copy"] => How::Copy,
            ["swap"] => How::Swap,
            _ => return Err(NoStrike),
        };
        Ok(Self {
            is_queue: match whose {
                "book" => false,
                "queue" => true,
                _ => return Err(NoStrike),
            },
            array: number(array)?,
            place: number(place)?,
            other: number(other)?,
            how,
        })
    }
}

fn number<T: FromStr>(word: &str) -> Result<T, NoStrike> {
    word.parse().map_err(|_| NoStrike)
}

/// Memory of a book, with access to all of it.
pub trait Memory: Sized {
    /// The ring in it.
    type Ring<'a>: Ring
    where
        Self: 'a;

    /// The book in the memory, if its sizes fit.
    fn open(&mut self) -> Option<Book<'_, Self::Ring<'_>>>;

    /// Writes to it.
    fn strike(&mut self, strike: &Strike);
}

impl Memory for BoxedCountBook {
    type Ring<'a> = CountRing<'a>;

    fn open(&mut self) -> Option<Book<'_, CountRing<'_>>> {
        self.parts().open()
    }

    fn strike(&mut self, strike: &Strike) {
        let parts = self.parts();
        match strike.array % 9 {
            0 => write_state(parts.state, strike),
            1 => write_records(parts.rows, strike),
            2 => write(parts.starts, strike),
            3 => write_records(parts.timers, strike),
            4 => write(parts.busy, strike),
            5 => write(parts.summaries, strike),
            6 => write(parts.change, strike),
            7 => write(parts.release, strike),
            _ => write(parts.owner, strike),
        }
    }
}

impl Memory for BoxedPeBook<u32> {
    type Ring<'a> = PeRing<'a, u32>;

    fn open(&mut self) -> Option<Book<'_, PeRing<'_, u32>>> {
        self.parts().open()
    }

    fn strike(&mut self, strike: &Strike) {
        let parts = self.parts();
        match strike.array % 13 {
            0 => write_state(parts.state, strike),
            1 => write_records(parts.rows, strike),
            2 => write(parts.starts, strike),
            3 => write_records(parts.timers, strike),
            4 => write(parts.busy, strike),
            5 => write(parts.any, strike),
            6 => write(parts.counts, strike),
            7 => write(parts.summaries, strike),
            8 => write(parts.change, strike),
            9 => write(parts.release, strike),
            10 => write(parts.sets, strike),
            11 => write(parts.suffixes, strike),
            _ => write(parts.joined, strike),
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

fn write<T: Word>(array: &mut [T], strike: &Strike) {
    let Some((place, other)) = places(array.len(), strike) else {
        return;
    };
    match strike.how {
        How::Set(bits) => array[place] = T::cut(bits),
        How::Flip(bit) => array[place] = array[place].flipped(bit),
        How::Copy => array[place] = array[other],
        How::Swap => array.swap(place, other),
    }
}

/// Elements whose bits cannot be reached: instead of a number the default is written.
fn write_records<T: Copy + Default>(array: &mut [T], strike: &Strike) {
    let Some((place, other)) = places(array.len(), strike) else {
        return;
    };
    match strike.how {
        How::Set(_) | How::Flip(_) => array[place] = T::default(),
        How::Copy => array[place] = array[other],
        How::Swap => array.swap(place, other),
    }
}

/// The state of an empty book of another size.
fn write_state(state: &mut BookState, strike: &Strike) {
    let (pes, slots) = (u32::from(strike.place % 70), u32::from(strike.other % 200));
    *state = match BoxedCountBook::new(Sizes {
        pes,
        slots,
        reservations: 1,
    }) {
        Ok(mut memory) => *memory.parts().state,
        Err(_) => BookState::default(),
    };
}

/// The two places that are meant in an array of that length, unless it is empty.
fn places(len: usize, strike: &Strike) -> Option<(usize, usize)> {
    let place = usize::from(strike.place).checked_rem(len)?;
    Some((place, usize::from(strike.other) % len))
}

/// Writes to a queue.
pub fn strike_queue(memory: &mut BoxedJobQueue, strike: &Strike) {
    let parts = memory.parts();
    if strike.array.is_multiple_of(4) {
        let discipline = Discipline::ALL[usize::from(strike.other) % Discipline::ALL.len()];
        *parts.state = *busy(discipline, usize::from(strike.place % 20))
            .parts()
            .state;
        return;
    }
    let Some((place, other)) = places(parts.jobs.len(), strike) else {
        return;
    };
    match strike.how {
        How::Set(slots) => {
            let mut busy = busy(Discipline::Fcfs, slots as usize % 20 + 1);
            parts.jobs[place] = busy.parts().jobs[0];
        }
        How::Flip(_) => parts.jobs[place] = WaitingJob::NONE,
        How::Copy => parts.jobs[place] = parts.jobs[other],
        How::Swap => parts.jobs.swap(place, other),
    }
}

/// A queue in which so many jobs wait, each as long and as wide as their number.
fn busy(discipline: Discipline, jobs: usize) -> BoxedJobQueue {
    let mut memory = BoxedJobQueue::new(discipline, jobs).expect("the sizes are small");
    let mut book = CountBook::<1, 20, 1>::new(PeCount::new(20), Span::new(20)).expect("it fits");
    for _ in 0..jobs {
        let job = BestEffortJob {
            estimate: Span::new(jobs as u32),
            pes: PeCount::new(jobs as u32),
        };
        let ticket = memory.view().submit(&mut book.view(), &job);
        assert!(ticket.is_ok(), "there is room for all");
    }
    memory
}
