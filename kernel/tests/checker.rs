//! The checker notices every kind of damage.

use bookahead::{
    Book, BookState, CountParts, CountRing, Event, PeCount, PeParts, PeRing, Policy, Request, Row,
    Slot, Span, Timer, Violation,
};

const PES: u16 = 6;
const SLOTS: u32 = 100;
const STORAGE: usize = 128;
const ROWS: usize = 8;

/// One running job, one held, two confirmed, and a row that has been given back.
macro_rules! fill {
    ($book:expr) => {{
        let mut book = $book.unwrap();
        let ask = |ready, duration, pes| Request {
            ready: Slot::new(ready),
            duration: Span::new(duration),
            deadline: Slot::new(90),
            pes: PeCount::new(pes),
        };
        let mut events = heapless::Vec::<Event, 8>::new();
        book.reserve(&ask(0, 70, 2), Policy::FirstFit).unwrap();
        let _ = book.advance(Slot::new(0), &mut events).unwrap();
        book.reserve(&ask(3, 10, 3), Policy::FirstFit).unwrap();
        book.reserve(&ask(3, 20, 1), Policy::FirstFit).unwrap();
        book.hold(&ask(5, 9, 4), Policy::FirstFit, Span::new(4))
            .unwrap();
        let gone = book.reserve(&ask(5, 4, 1), Policy::FirstFit).unwrap();
        book.cancel(gone.handle).unwrap();
        assert_eq!(book.check_invariants(), Ok(()));
    }};
}

struct Counts {
    state: BookState,
    rows: Vec<Row>,
    starts: Vec<u32>,
    timers: Vec<Timer>,
    busy: Vec<u16>,
    most: Vec<u16>,
    change: Vec<u32>,
    release: Vec<u32>,
    owner: Vec<u32>,
}

impl Counts {
    fn new() -> Self {
        let mut memory = Self {
            state: BookState::default(),
            rows: vec![Row::VACANT; ROWS],
            starts: vec![0; STORAGE],
            timers: vec![Timer::NONE; ROWS],
            busy: vec![0; STORAGE],
            most: vec![0; STORAGE / 64],
            change: vec![0; STORAGE / 32],
            release: vec![0; STORAGE / 32],
            owner: vec![0; 9],
        };
        fill!(memory.parts().format(PES, SLOTS));
        memory
    }

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

    fn check_after(damage: impl FnOnce(&mut Self)) -> Result<(), Violation> {
        let mut memory = Self::new();
        damage(&mut memory);
        let mut book: Book<'_, CountRing<'_>> = memory.parts().open().unwrap();
        book.check_invariants()
    }
}

struct Sets {
    state: BookState,
    rows: Vec<Row>,
    starts: Vec<u32>,
    timers: Vec<Timer>,
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
    fn new() -> Self {
        let mut memory = Self {
            state: BookState::default(),
            rows: vec![Row::VACANT; ROWS],
            starts: vec![0; STORAGE],
            timers: vec![Timer::NONE; ROWS],
            busy: vec![0; STORAGE],
            any: vec![0; STORAGE / 8],
            counts: vec![0; STORAGE],
            most: vec![0; STORAGE / 64],
            change: vec![0; STORAGE / 32],
            release: vec![0; STORAGE / 32],
            sets: vec![0; ROWS],
            suffixes: vec![0; STORAGE],
            prefix: vec![0],
            joined: vec![0],
        };
        fill!(memory.parts().format(PES, SLOTS));
        memory
    }

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

    fn check_after(damage: impl FnOnce(&mut Self)) -> Result<(), Violation> {
        let mut memory = Self::new();
        damage(&mut memory);
        let mut book: Book<'_, PeRing<'_, u32>> = memory.parts().open().unwrap();
        book.check_invariants()
    }
}

#[test]
fn damage_to_counts_is_noticed() {
    assert_eq!(Counts::check_after(|_| ()), Ok(()));
    let occupancy = Err(Violation::Occupancy);
    assert_eq!(Counts::check_after(|book| book.busy[4] += 1), occupancy);
    assert_eq!(
        Counts::check_after(|book| book.busy[120] = 1),
        occupancy,
        "beyond the horizon"
    );
    let summary = Err(Violation::Summary);
    assert_eq!(Counts::check_after(|book| book.most[1] += 1), summary);
    let edge = Err(Violation::Edge);
    assert_eq!(Counts::check_after(|book| book.change[0] ^= 1 << 4), edge);
    assert_eq!(Counts::check_after(|book| book.release[3] ^= 1 << 18), edge);
    let binding = Err(Violation::Binding);
    assert_eq!(Counts::check_after(|book| book.owner[0] = 0), binding);
    assert_eq!(
        Counts::check_after(|book| book.owner[3] = 2),
        binding,
        "before its start"
    );
    assert_eq!(
        Counts::check_after(|book| book.owner[8] = 1),
        binding,
        "beyond the machine"
    );
}

#[test]
fn damage_to_sets_is_noticed() {
    assert_eq!(Sets::check_after(|_| ()), Ok(()));
    let occupancy = Err(Violation::Occupancy);
    assert_eq!(Sets::check_after(|book| book.busy[4] ^= 1), occupancy);
    assert_eq!(Sets::check_after(|book| book.busy[4] |= 1 << 20), occupancy);
    let summary = Err(Violation::Summary);
    assert_eq!(Sets::check_after(|book| book.any[15] = 1), summary);
    assert_eq!(Sets::check_after(|book| book.counts[4] += 1), summary);
    assert_eq!(Sets::check_after(|book| book.most[1] += 1), summary);
    let edge = Err(Violation::Edge);
    assert_eq!(Sets::check_after(|book| book.change[0] ^= 1 << 4), edge);
    assert_eq!(Sets::check_after(|book| book.release[3] ^= 1 << 18), edge);
    let binding = Err(Violation::Binding);
    assert_eq!(
        Sets::check_after(|book| book.sets[1] = 1),
        binding,
        "too few"
    );
    assert_eq!(
        Sets::check_after(|book| book.sets[1] = 0b111),
        occupancy,
        "somebody else's"
    );
}

#[test]
fn damage_to_the_ledger_is_noticed() {
    let list = Err(Violation::List);
    assert_eq!(Counts::check_after(|book| book.starts[3] = 0), list, "lost");
    assert_eq!(
        Counts::check_after(|book| book.starts.swap(3, 90)),
        list,
        "misplaced"
    );
    let timer = Err(Violation::Timer);
    assert_eq!(Counts::check_after(|book| book.timers.swap(0, 1)), timer);
    let rows = Err(Violation::Rows);
    assert_eq!(
        Counts::check_after(|book| book.rows[7] = book.rows[4]),
        rows
    );
    assert_eq!(
        Counts::check_after(|book| book.rows[2] = Row::VACANT),
        Err(Violation::Occupancy)
    );
    assert_eq!(
        Counts::check_after(|book| book.rows[4] = Row::VACANT),
        rows,
        "given back, and as if never used"
    );
}

/// Two rows of two, both given back.
#[test]
fn damage_to_the_list_of_vacant_rows_is_noticed() {
    let mut memory = Counts::new();
    (memory.rows, memory.timers) = (vec![Row::VACANT; 2], vec![Timer::NONE; 2]);
    let mut book = memory.parts().format(PES, SLOTS).unwrap();
    let request = Request {
        ready: Slot::new(3),
        duration: Span::new(5),
        deadline: Slot::new(20),
        pes: PeCount::new(1),
    };
    let bookings = [(); 2].map(|()| book.reserve(&request, Policy::FirstFit).unwrap());
    for booking in bookings {
        book.cancel(booking.handle).unwrap();
    }
    assert_eq!(book.check_invariants(), Ok(()));
    // The second is the head of the list and names the first, which now names itself.
    memory.rows[0] = memory.rows[1];
    let verdict = memory.parts().open().unwrap().check_invariants();
    assert_eq!(verdict, Err(Violation::Rows));
}

#[test]
fn a_time_gone_by_is_noticed() {
    // The scalars of a book whose `now` is later, over the rows of one whose is not.
    let mut later = Counts::new();
    let mut events = heapless::Vec::<Event, 8>::new();
    let _ = later
        .parts()
        .open()
        .unwrap()
        .advance(Slot::new(8), &mut events)
        .unwrap();
    let state = later.state;
    let verdict = Counts::check_after(|book| book.state = state);
    assert_eq!(verdict, Err(Violation::Window));
}
