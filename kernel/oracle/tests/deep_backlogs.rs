//! Rings of more than 300,000 slots, which have summaries of every height and wrap around, beside an ordered map of changes that is searched step by
//! step. `BOOKAHEAD_OPERATIONS` says how many operations are made.

use std::collections::VecDeque;

use bookahead::{
    Advanced, Book, Commitment, Event, Handle, PeCount, Policy, Request, Slot, Span,
    raw::{PeRing, Ring},
};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, HostColumn, Sizes};
use bookahead_oracle::changes::{Busy, Changes};

/// Numbers that look random and are always the same, by Marsaglia's shifts, from a seed that is not 0.
struct Numbers(u64);

impl Numbers {
    /// One below the limit.
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// Three summaries of the highest level, one of them incomplete, as are one of each level below and the last block.
const SLOTS: u64 = 2 * 262_144 + 50 * 4_096 + 3 * 64 + 17;
const PES: u16 = 60;
const ROWS: usize = 160;

/// A reservation, and where it lies.
struct Held<B> {
    handle: Handle,
    start: u64,
    end: u64,
    taken: B,
}

/// As many small numbers as large ones.
fn of_any_size(n: &mut Numbers, most: u64) -> u64 {
    let bits = u64::from(most.ilog2()) + 1;
    let all = 1 << (1 + n.below(bits));
    (1 + n.below(all)).min(most)
}

/// A request whose window begins and ends anywhere, or from now or to the horizon.
fn request(n: &mut Numbers, now: u64) -> Request {
    let duration = match n.below(3) {
        0 => 1 + n.below(SLOTS / 10),
        _ => of_any_size(n, SLOTS / 3),
    };
    let ready = match n.below(3) {
        0 => 0,
        _ => n.below(SLOTS - duration + 1),
    };
    let deadline = match n.below(3) {
        0 => (ready + duration + of_any_size(n, SLOTS)).min(SLOTS),
        _ => SLOTS,
    };
    let pes = match n.below(4) {
        0 => u64::from(PES),
        _ => of_any_size(n, u64::from(PES)),
    };
    Request {
        ready: Slot::new(now + ready),
        duration: Span::new(duration as u32),
        deadline: Slot::new(now + deadline),
        pes: PeCount::new((pes as u16).into()),
    }
}

/// What has been seen.
#[derive(Default)]
struct Seen {
    booked: u32,
    refused: u32,
    /// Booked more than a summary of the highest level behind the ready time.
    far: u32,
    /// Slots passed.
    passed: u64,
}

struct Test<'m, R: Ring, B> {
    book: Book<'m, R>,
    changes: Changes<B>,
    held: VecDeque<Held<B>>,
    taken: fn(&Book<'m, R>, Handle, u16) -> B,
    seen: Seen,
}

impl<R: Ring, B: Busy> Test<'_, R, B> {
    fn expected(&self, request: &Request, policy: Policy) -> Option<(u64, B)> {
        match policy {
            Policy::FirstFit => {
                let most = PES - request.pes.get() as u16;
                self.changes.first_fit(request, most)
            }
            _ => self.changes.worst_fit(request, PES),
        }
    }

    fn reserve(&mut self, request: &Request, policy: Policy) {
        let expected = self.expected(request, policy);
        let booked = self
            .book
            .reserve(request, policy, Commitment::Confirmed)
            .ok();
        let start = booked.map(|booking| booking.start.get());
        assert_eq!(
            start,
            expected.map(|(start, _)| start),
            "{policy:?} {request:?}"
        );
        let (Some(booking), Some((start, busy))) = (booked, expected) else {
            self.seen.refused += 1;
            return;
        };
        self.seen.booked += 1;
        self.seen.far += u32::from(start - request.ready.get() > 262_144);
        let pes = request.pes.get() as u16;
        let taken = (self.taken)(&self.book, booking.handle, pes);
        assert!(taken == busy.lowest_free(pes), "{request:?}");
        let end = start + u64::from(request.duration.get());
        self.changes.change(start, end, |busy| busy.with(taken));
        let handle = booking.handle;
        self.held.push_back(Held {
            handle,
            start,
            end,
            taken,
        });
    }

    fn cancel(&mut self, number: usize) {
        let held = self.held.swap_remove_back(number).unwrap();
        self.book.cancel(held.handle).unwrap();
        let start = held.start.max(self.book.now().get());
        self.changes
            .change(start, held.end, |busy| busy.without(held.taken));
    }

    fn advance(&mut self, slots: u64) {
        let to = self.book.now().get() + slots;
        let mut events = heapless::Vec::<Event, 16>::new();
        while self.book.advance(Slot::new(to), &mut events).unwrap() == Advanced::EventsWaiting {
            events.clear();
        }
        // Whose whole run was passed over has been reported as missed.
        self.held.retain(|held| held.end > to);
        self.changes.forget_before(to);
        self.seen.passed += slots;
    }

    fn step(&mut self, n: &mut Numbers) {
        let now = self.book.now().get();
        match n.below(16) {
            _ if self.held.len() + 1 >= ROWS => self.cancel(n.below(ROWS as u64 - 1) as usize),
            0..2 if !self.held.is_empty() => {
                self.cancel(n.below(self.held.len() as u64) as usize);
            }
            2 | 3 => self.advance(of_any_size(n, SLOTS / 16)),
            4 => self.reserve(&request(n, now), Policy::PeWorstFit),
            5..9 => {
                let request = request(n, now);
                let policy = [Policy::FirstFit, Policy::PeWorstFit][n.below(2) as usize];
                let start = self.book.plan(&request, policy).ok();
                let start = start.map(|plan| plan.window().start.get());
                let expected = self.expected(&request, policy).map(|(start, _)| start);
                assert_eq!(start, expected, "{policy:?} {request:?}");
            }
            _ => self.reserve(&request(n, now), Policy::FirstFit),
        }
    }

    fn run(mut self, seed: u64, rarely: u32) {
        let operations = match std::env::var("BOOKAHEAD_OPERATIONS") {
            Ok(text) => text.parse().expect("a whole number"),
            Err(_) => 4_000,
        };
        let mut numbers = Numbers(seed);
        for number in 0..operations {
            self.step(&mut numbers);
            if number % rarely == 0 {
                assert_eq!(self.book.check_invariants(), Ok(()), "{number}");
            }
        }
        assert_eq!(self.book.check_invariants(), Ok(()));
        let Seen {
            booked,
            refused,
            far,
            passed,
        } = self.seen;
        println!("{booked} booked, {far} of them far, {refused} refused, {passed} slots passed");
        assert!(booked > operations / 8 && refused > operations / 50 && far > operations / 200);
        assert!(passed > 2 * SLOTS, "{passed}");
    }
}

fn sizes() -> Sizes {
    Sizes {
        pes: PES.into(),
        slots: SLOTS as u32,
        reservations: ROWS,
    }
}

#[test]
fn counts_are_searched_as_changes_are() {
    let mut memory = BoxedCountBook::new(sizes()).unwrap();
    let test = Test {
        book: memory.view(),
        changes: Changes::<u16>::default(),
        held: VecDeque::new(),
        taken: |_, _, pes| pes,
        seen: Seen::default(),
    };
    test.run(21, 50);
}

/// Passes over what ends with a block, behind which nothing is busy for long.
fn passes<R: Ring>(mut book: Book<'_, R>) {
    let request = Request {
        ready: Slot::new(0),
        duration: Span::new(64),
        deadline: Slot::new(64),
        pes: PeCount::new(3),
    };
    let booked = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed);
    assert!(booked.is_ok());
    let mut events = heapless::Vec::<Event, 4>::new();
    for to in [1, 500, SLOTS + 400] {
        assert_eq!(book.advance(Slot::new(to), &mut events), Ok(Advanced::Done));
        assert_eq!(book.check_invariants(), Ok(()), "{to}");
    }
}

#[test]
fn a_jump_clears_the_edge_behind_a_block() {
    passes(BoxedCountBook::new(sizes()).unwrap().view());
    passes(BoxedPeBook::<u32>::new(sizes()).unwrap().view());
    passes(BoxedPeBook::<HostColumn>::new(sizes()).unwrap().view());
}

/// The set of a reservation.
fn set<C: bookahead::raw::Column>(book: &Book<'_, PeRing<'_, C>>, handle: Handle, _: u16) -> u64 {
    let pes = book.pes_of(handle).unwrap();
    pes.map(|pe| 1 << pe.get()).sum()
}

fn sets<C: bookahead::raw::Column>(seed: u64) {
    let mut memory = BoxedPeBook::<C>::new(sizes()).unwrap();
    let test = Test {
        book: memory.view(),
        changes: Changes::<u64>::default(),
        held: VecDeque::new(),
        taken: set::<C>,
        seen: Seen::default(),
    };
    test.run(seed, 150);
}

#[test]
fn narrow_sets_are_searched_as_changes_are() {
    sets::<u32>(22);
}

#[test]
fn wide_sets_are_searched_as_changes_are() {
    sets::<HostColumn>(23);
}
