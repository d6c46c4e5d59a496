//! The small cases of the paper, on whatever answers queries: figure 1, the index of a slot, the cost of a job.
//!
//! Source: `sulistio`, sections 2.1 to 2.4, figure 1.

use bookahead::{
    Commitment, CountBook, Discipline, ElasticRequest, Error, Factor, JobQueue, Money, Offer,
    OfferOrder, OfferTerms, PeBook, PeCount, Policy, Request, Search, Slot, SlotClock, Span,
    Tariff, Window,
    raw::{CountRing, Ring, find},
};
use bookahead_heap::{BoxedCountBook, Sizes};

use super::{SLOT, SLOTS, literal};
use crate::papers::exactly;
use bookahead_commands::{Kernel, Subject};

/// A place: from, to, nodes.
pub type Place = (u64, u64, u64);

/// Nodes of figure 1.
pub const NODES: u16 = 3;
/// What users 1 to 4 have booked, whose numbers are not to be read from the figure. These leave both of the nodes asked for free from
/// 13 to 15 only.
pub const BOOKED: [Place; 4] = [(4, 9, 2), (8, 16, 1), (9, 13, 1), (15, 17, 2)];
/// `queryReserv(11, 16, 2, 2)` of user 5.
pub const QUERY: literal::Query = literal::Query {
    from: 11,
    to: 16,
    duration: Some(2),
    nodes: Some(2),
};
/// `offer(13, 15, 2)`, then `reserv(13, 15, 2)`.
pub const OFFER: Place = (13, 15, 2);

/// What was answered to the query of figure 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The offers, and whether each is a solution.
    pub offers: Vec<(Place, bool)>,
    /// What was booked when the first was accepted.
    pub booked: Option<Place>,
}

/// Figure 1 with late binding, with early binding, and by the literal algorithm.
///
/// # Errors
///
/// Why the kernel does not take a step of it.
pub fn figure_1() -> Result<[Answer; 3], Error> {
    let (nodes, horizon) = (PeCount::new(NODES.into()), Span::new(64));
    let counts = CountBook::<1, 3, 8>::new(nodes, horizon).expect("it fits");
    let pes = PeBook::<u32, 1, 1, 8>::new(nodes, horizon).expect("it fits");
    Ok([
        play(&Kernel::new(counts, JobQueue::<1>::new(Discipline::Fcfs)))?,
        play(&Kernel::new(pes, JobQueue::<1>::new(Discipline::Fcfs)))?,
        by_the_letter(),
    ])
}

/// Figure 1 on an empty book of three nodes.
///
/// # Errors
///
/// Why the book does not take a step of it.
pub fn play(book: &dyn Subject) -> Result<Answer, Error> {
    let mut book = book.copy();
    for (start, end, nodes) in BOOKED {
        let booked = exactly(start, end, nodes as u16);
        book.book(&booked, Policy::FirstFit, Commitment::Confirmed)?;
    }
    let terms = OfferTerms {
        search: Search::StripPacking,
        order: OfferOrder::Discovery,
        ttl: Span::new(1),
        tariff: Tariff::FREE,
    };
    let (_, offers) = book.offers(&query(), &terms, 8)?;
    let place =
        |window: Window, pes: PeCount| (window.start.get(), window.end.get(), u64::from(pes.get()));
    let mut booked = None;
    if let Some(first) = offers.first() {
        let (handle, _) = book.accept(first, first.whole(), Commitment::Confirmed)?;
        let there = book.get(handle)?;
        booked = Some(place(there.window, there.request.pes));
    }
    let shown = |offer: &Offer| (place(offer.window, offer.pes), offer.solution);
    Ok(Answer {
        offers: offers.iter().map(shown).collect(),
        booked,
    })
}

/// The query of user 5 in the kernel's terms.
#[must_use]
pub fn query() -> ElasticRequest {
    ElasticRequest {
        ready: Slot::new(QUERY.from),
        deadline: Slot::new(QUERY.to),
        duration: QUERY.duration.map(|slots| Span::new(slots as u32)),
        pes: QUERY.nodes.map(|nodes| PeCount::new((nodes as u16).into())),
    }
}

fn by_the_letter() -> Answer {
    let live = BOOKED.map(|(start, end, nodes)| literal::Place { start, end, nodes });
    let offers = literal::answer(&QUERY, NODES.into(), &live);
    let booked = literal::choose(&offers, 2, 2).map(|place| (place.start, place.end, place.nodes));
    let shown = |offer: &literal::Offer| ((offer.start, offer.end, offer.nodes), offer.solution);
    Answer {
        offers: offers.iter().map(shown).collect(),
        booked,
    }
}

/// How times find their slots, on a clock and in a ring like the paper's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slots {
    /// Times looked at.
    pub times: u64,
    /// Those that get another slot than t / delta rounded up.
    pub misplaced: u64,
    /// When a job ready at 01:03:05 starts (s).
    pub after_1_03_05: u64,
    /// Slots booked, three times round the ring.
    pub booked: u64,
    /// Places of the ring that were booked each time it came round.
    pub places: usize,
    /// Of the slots booked those that were not free before or not busy after.
    pub stale: u64,
    /// Bookings taken beyond the ring, which would fall upon a slot in use.
    pub beyond: u64,
}

/// How often each place of the ring comes up.
const ROUNDS: u64 = 3;

/// Equation 1 on the kernel.
///
/// # Errors
///
/// Why the ring does not take a slot that lies within it.
pub fn slots() -> Result<Slots, Error> {
    let clock = SlotClock::new(SLOT as u32, 0).expect("a slot has a length");
    let place = |seconds: u64| clock.slot_rounding_up(seconds).map(Slot::get);
    let times = 3 * SLOT * 288;
    let misplaced = |t: &u64| place(*t) != Some((*t as f64 / SLOT as f64).ceil() as u64);
    let start = place(3_785).expect("an hour has its slot");
    let mut seen = Slots {
        times,
        misplaced: (0..times).filter(misplaced).count() as u64,
        after_1_03_05: start * SLOT,
        booked: 0,
        places: 0,
        stale: 0,
        beyond: 0,
    };
    let mut memory = BoxedCountBook::new(Sizes {
        pes: 1,
        slots: SLOTS,
        reservations: 0,
    })
    .expect("there is memory for it");
    let ring = memory.parts().init_ring(PeCount::new(1), Span::new(SLOTS));
    let mut ring = ring.expect("the memory is of this size");
    let mut times_booked = vec![0; SLOTS as usize];
    let ahead = u64::from(SLOTS) - 1;
    // Always at the far end, so that each place of the ring is used again as soon as it has passed.
    for last in ahead..ahead + ROUNDS * u64::from(SLOTS) {
        let one = |slot: u64| Window {
            start: Slot::new(slot),
            end: Slot::new(slot + 1),
        };
        let is_free = |ring: &mut CountRing<'_>, slot: u64| {
            let request = Request {
                ready: one(slot).start,
                duration: Span::new(1),
                deadline: one(slot).end,
                pes: PeCount::new(1),
            };
            find(ring, &request, Policy::FirstFit).is_ok()
        };
        let taken = is_free(&mut ring, last);
        ring.add(one(last), &PeCount::new(1))?;
        seen.booked += 1;
        seen.stale += u64::from(!taken) + u64::from(is_free(&mut ring, last));
        seen.beyond += u64::from(is_free(&mut ring, last + 1));
        times_booked[(last % u64::from(SLOTS)) as usize] += u64::from(taken);
        ring.advance(Slot::new(last + 1 - ahead));
    }
    let every_time = times_booked.iter().filter(|times| **times == ROUNDS);
    seen.places = every_time.count();
    Ok(seen)
}

/// What an hour on one node costs, in micro-units of a dollar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prices {
    /// A reserved slot.
    pub slot: u64,
    /// The hour reserved.
    pub reserved: u64,
    /// The hour as best effort.
    pub best_effort: u64,
}

/// The paper's tariff: $0.05 per minute, reserved four times as much.
#[must_use]
pub fn tariff() -> Tariff {
    let minutes = (SLOT / 60) as u32;
    let tariff = Tariff::new(Money::new(50_000), Factor::from_num(4), minutes);
    tariff.expect("a dollar can be told")
}

/// Equations 2 and 3 on the kernel.
///
/// # Errors
///
/// Why an hour has no price.
pub fn prices() -> Result<Prices, Error> {
    let tariff = tariff();
    let one = PeCount::new(1);
    let hour = Span::new((3_600 / SLOT) as u32);
    Ok(Prices {
        slot: tariff.slot_rate().get(),
        reserved: tariff.reserved(hour, one)?.get(),
        best_effort: tariff.best_effort(60, one)?.get(),
    })
}

#[cfg(test)]
mod tests {
    use super::{OFFER, figure_1, prices, slots};

    #[test]
    fn the_kernel_offers_what_figure_1_shows() {
        for answer in figure_1().unwrap() {
            assert_eq!(answer.offers, [(OFFER, true)]);
            assert_eq!(answer.booked, Some(OFFER));
        }
    }

    #[test]
    fn slots_are_found_and_used_again() {
        let seen = slots().unwrap();
        assert_eq!(seen.misplaced + seen.stale + seen.beyond, 0, "{seen:?}");
        assert_eq!((seen.after_1_03_05, seen.places), (3_900, 8_640));
    }

    #[test]
    fn an_hour_costs_three_dollars_or_twelve() {
        let prices = prices().unwrap();
        assert_eq!(
            [prices.slot, prices.reserved, prices.best_effort],
            [1_000_000, 12_000_000, 3_000_000]
        );
    }
}
