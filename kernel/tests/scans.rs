//! Two books, one searched plainly and one in bulk, with the same calls: they answer the same and hold the same.

mod numbers;

use std::fmt::Debug;

use bookahead::{
    Book, Commitment, ElasticRequest, Event, Handle, Money, Obstacle, Offer, OfferOrder,
    OfferTerms, PeCount, Policy, Request, Search, Slot, Span, Tariff,
    raw::{BulkScan, Column, CountRing, PeRing, PlainScan, Ring, Scan},
};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, HostColumn, Sizes};
use numbers::Numbers;

/// Memory whose book can be searched in both ways.
trait Memory: Clone + PartialEq + Debug {
    type Ring<'m, S: Scan>: Ring
    where
        Self: 'm;

    fn book<S: Scan>(&mut self) -> Book<'_, Self::Ring<'_, S>>;

    /// What both ways keep, each in its own way.
    fn summaries(&mut self) -> &mut [u16];
}

impl Memory for BoxedCountBook {
    type Ring<'m, S: Scan> = CountRing<'m, S>;

    fn book<S: Scan>(&mut self) -> Book<'_, CountRing<'_, S>> {
        self.parts().view_with()
    }

    fn summaries(&mut self) -> &mut [u16] {
        self.parts().summaries
    }
}

impl<C: Column> Memory for BoxedPeBook<C> {
    type Ring<'m, S: Scan>
        = PeRing<'m, C, S>
    where
        C: 'm;

    fn book<S: Scan>(&mut self) -> Book<'_, PeRing<'_, C, S>> {
        self.parts().view_with()
    }

    fn summaries(&mut self) -> &mut [u16] {
        self.parts().summaries
    }
}

/// As many small numbers as large ones.
fn of_any_size(n: &mut Numbers, most: u64) -> u64 {
    let bits = u64::from(most.ilog2()) + 1;
    let all = 1 << (1 + n.below(bits));
    (1 + n.below(all)).min(most)
}

/// A request in a ring of `slots` slots from `now` on, on at most `widest` processing elements.
fn request(n: &mut Numbers, now: u64, slots: u64, longest: u64, widest: u64) -> Request {
    let duration = of_any_size(n, longest);
    let ready = n.below(slots - duration + 1);
    let deadline = match n.below(3) {
        0 => slots,
        _ => (ready + duration + of_any_size(n, slots)).min(slots),
    };
    Request {
        ready: Slot::new(now + ready),
        duration: Span::new(duration as u32),
        deadline: Slot::new(now + deadline),
        pes: PeCount::new((of_any_size(n, widest) as u16).into()),
    }
}

enum Call {
    Reserve(Request, Policy),
    Cancel(Handle),
    Advance(Slot),
    Plan(Request, Policy),
    Offers(Request, Search, bool),
    Rectangle(Request),
    Explain(Request),
}

/// The next call; half of them change something.
fn draw(n: &mut Numbers, book: &Book<'_, impl Ring>, held: &mut Vec<Handle>) -> Call {
    let (now, slots) = (book.now().get(), u64::from(book.horizon().get()));
    let pes = u64::from(book.pes().get());
    let wide = request(n, now, slots, slots / 2, pes);
    let policy = Policy::ALL[n.below(7) as usize];
    match n.below(20) {
        0 if !held.is_empty() => {
            Call::Cancel(held.swap_remove(n.below(held.len() as u64) as usize))
        }
        1 => Call::Advance(Slot::new(now + of_any_size(n, slots / 16))),
        2..10 => Call::Reserve(request(n, now, slots, slots / 3, pes / 2), policy),
        10..15 => Call::Plan(wide, policy),
        15 | 16 => Call::Offers(wide, Search::StripPacking, n.below(2) == 0),
        17 => Call::Offers(wide, Search::ParetoFront, n.below(2) == 0),
        18 => Call::Rectangle(wide),
        _ => Call::Explain(wide),
    }
}

/// Makes the call; all that it answers, and whom it has booked.
fn make<R: Ring>(mut book: Book<'_, R>, call: &Call) -> (String, Option<Handle>) {
    let answer: &dyn Debug = match *call {
        Call::Reserve(request, policy) => {
            let booked = book.reserve(&request, policy, Commitment::Confirmed);
            let handle = booked.as_ref().ok().map(|booking| booking.handle);
            return (format!("{booked:?}"), handle);
        }
        Call::Cancel(handle) => &book.cancel(handle),
        Call::Advance(to) => {
            let mut events = heapless::Vec::<Event, 512>::new();
            &(book.advance(to, &mut events), events)
        }
        Call::Plan(request, policy) => &book.plan(&request, policy),
        Call::Offers(request, search, sized) => {
            let mut offers = heapless::Vec::<Offer, 8>::new();
            let query = ElasticRequest {
                ready: request.ready,
                deadline: request.deadline,
                duration: sized.then_some(request.duration),
                pes: Some(request.pes),
            };
            let terms = OfferTerms {
                search,
                order: OfferOrder::Discovery,
                ttl: Span::new(5),
                tariff: Tariff::of_rates(Money::new(1), Money::new(1)),
            };
            &(book.offers(&query, &terms, &mut offers), offers)
        }
        Call::Rectangle(request) => &book.rectangle(request.ready, request.duration),
        Call::Explain(request) => {
            let mut obstacles = heapless::Vec::<Obstacle, 4>::new();
            &(book.explain(&request, &mut obstacles), obstacles)
        }
    };
    (format!("{answer:?}"), None)
}

/// Whether both hold the same, summaries aside.
fn alike<M: Memory>(plain: &mut M, bulk: &mut M) -> bool {
    let own = plain.summaries().to_vec();
    plain.summaries().copy_from_slice(bulk.summaries());
    let alike = plain == bulk;
    plain.summaries().copy_from_slice(&own);
    alike
}

fn same<M: Memory>(memory: M, calls: u32, seed: u64) {
    let (mut plain, mut bulk) = (memory.clone(), memory);
    let (mut numbers, mut held) = (Numbers(seed), Vec::new());
    let (mut booked, mut refused) = (0, 0);
    for number in 0..calls {
        let call = draw(&mut numbers, &plain.book::<PlainScan>(), &mut held);
        let (answer, handle) = make(plain.book::<PlainScan>(), &call);
        let (other, _) = make(bulk.book::<BulkScan>(), &call);
        assert_eq!(answer, other, "call {number}");
        assert!(alike(&mut plain, &mut bulk), "call {number}");
        held.extend(handle);
        booked += u32::from(handle.is_some());
        refused += u32::from(answer.contains("NoRoom"));
        if number.is_multiple_of(64) {
            assert_eq!(plain.book::<PlainScan>().check_invariants(), Ok(()));
            assert_eq!(bulk.book::<BulkScan>().check_invariants(), Ok(()));
        }
    }
    println!("{booked} booked, {refused} without room");
    assert!(
        booked > calls / 20 && refused > calls / 20,
        "{booked}, {refused}"
    );
}

const fn sizes(pes: u16, slots: u32, reservations: usize) -> Sizes {
    Sizes {
        pes,
        slots,
        reservations,
    }
}

// Rings of several blocks, and long ones of so many that their peaks are compared many at once.

#[test]
fn counts_are_searched_alike() {
    same(BoxedCountBook::new(sizes(24, 500, 160)).unwrap(), 6_000, 1);
    same(
        BoxedCountBook::new(sizes(300, 9_001, 600)).unwrap(),
        3_000,
        2,
    );
}

#[test]
fn narrow_sets_are_searched_alike() {
    same(
        BoxedPeBook::<u32>::new(sizes(24, 500, 160)).unwrap(),
        6_000,
        3,
    );
    same(
        BoxedPeBook::<u32>::new(sizes(60, 5_001, 600)).unwrap(),
        1_000,
        4,
    );
}

#[test]
fn wide_sets_are_searched_alike() {
    same(
        BoxedPeBook::<HostColumn>::new(sizes(24, 500, 160)).unwrap(),
        6_000,
        5,
    );
    same(
        BoxedPeBook::<HostColumn>::new(sizes(600, 5_001, 600)).unwrap(),
        1_000,
        6,
    );
}

/// The processing elements of the machine that is full.
const MACHINE: u16 = 8;

/// The first fit behind a machine that is full for `full` slots, and once more behind a gap that is too short.
fn behind<R: Ring>(mut book: Book<'_, R>, full: u64) {
    let ask = |ready: u64, duration: u64, deadline: u64, pes: u16| Request {
        ready: Slot::new(ready),
        duration: Span::new(duration as u32),
        deadline: Slot::new(deadline),
        pes: PeCount::new(pes.into()),
    };
    for start in [0, full + 3] {
        let exactly = ask(start, full, start + full, MACHINE);
        let booked = book.reserve(&exactly, Policy::FirstFit, Commitment::Confirmed);
        assert!(booked.is_ok(), "{full}");
    }
    for (duration, start) in [(3, full), (4, 2 * full + 3)] {
        let plan = book.plan(&ask(0, duration, 1_000, 2), Policy::FirstFit);
        let found = plan.map(|plan| plan.window().start);
        assert_eq!(found, Ok(Slot::new(start)), "{duration} behind {full}");
    }
}

#[test]
fn what_is_full_for_any_time_is_left_behind_at_its_end() {
    let sizes = Sizes {
        pes: MACHINE,
        slots: 1_000,
        reservations: 4,
    };
    for full in 1..=400 {
        behind(BoxedCountBook::new(sizes).unwrap().view(), full);
        behind(BoxedPeBook::<u32>::new(sizes).unwrap().view(), full);
    }
}
