//! The small cases of the paper on the kernel: figure 1, the index of a slot, the cost of a job.
//!
//! Source: `sulistio`, sections 2.1 to 2.4, figure 1.

use bookahead::{
    Book, Commitment, CountBook, ElasticRequest, Error as Denied, Factor, Money, Offer, OfferOrder,
    OfferTerms, PeBook, PeCount, Policy, Request, Search, Slot, SlotClock, Span, Tariff, Window,
    raw::{CountRing, Ring, find},
};
use bookahead_heap::{BoxedCountBook, Sizes};

use super::{
    literal::{self, Osp, consecutive_slots, listed},
    points::{SLOT, SLOTS},
};
use crate::error::{Error, Result};

/// Nodes of figure 1.
const NODES: u16 = 3;
/// Existing bookings, whose numbers are lost: from, to, nodes. They leave both of the nodes asked for free from 13 to 15 only.
const BOOKED: [(u64, u64, u16); 4] = [(4, 9, 2), (8, 16, 1), (9, 13, 1), (15, 17, 2)];

/// A place: from, to, nodes.
pub(super) type Place = (u64, u64, u64);

/// What was answered to the query of figure 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    /// The offers, and whether each is a solution.
    pub(super) offers: Vec<(Place, bool)>,
    /// What was booked when the first was accepted.
    pub(super) booked: Option<Place>,
}

/// Figure 1 with late binding, with early binding, and by the literal algorithm.
pub(super) fn figure_1() -> Result<[Answer; 3]> {
    let no_room = || Error::Internal("the example does not fit its book".to_owned());
    let mut counts =
        CountBook::<1, 3, 8>::new(PeCount::new(NODES), Span::new(64)).map_err(|_| no_room())?;
    let mut pes =
        PeBook::<u32, 1, 1, 8>::new(PeCount::new(NODES), Span::new(64)).map_err(|_| no_room())?;
    let refused = |error| Error::Internal(format!("the example was refused: {error}"));
    Ok([
        play(counts.view()).map_err(refused)?,
        play(pes.view()).map_err(refused)?,
        by_the_letter(),
    ])
}

fn play<R: Ring>(mut book: Book<'_, R>) -> std::result::Result<Answer, Denied> {
    for (from, to, nodes) in BOOKED {
        let request = Request {
            ready: Slot::new(from),
            duration: Span::new((to - from) as u32),
            deadline: Slot::new(to),
            pes: PeCount::new(nodes),
        };
        book.reserve(&request, Policy::FirstFit)?;
    }
    let query = ElasticRequest {
        ready: Slot::new(11),
        deadline: Slot::new(16),
        duration: Some(Span::new(2)),
        pes: Some(PeCount::new(2)),
    };
    let terms = OfferTerms {
        search: Search::StripPacking,
        order: OfferOrder::Discovery,
        ttl: Span::new(1),
        tariff: Tariff::FREE,
    };
    let mut offers = heapless::Vec::<Offer, 8>::new();
    book.offers(&query, &terms, &mut offers)?;
    let listed = |offer: &Offer| {
        let Window { start, end } = offer.window;
        let place = (start.get(), end.get(), u64::from(offer.pes.get()));
        (place, offer.solution)
    };
    let mut booked = None;
    if let Some(first) = offers.first() {
        let booking = book.accept(first, first.whole(), Commitment::Confirmed)?;
        let there = book.get(booking.handle)?;
        let Window { start, end } = there.window;
        booked = Some((start.get(), end.get(), u64::from(there.request.pes.get())));
    }
    Ok(Answer {
        offers: offers.iter().map(listed).collect(),
        booked,
    })
}

fn by_the_letter() -> Answer {
    let free = |slot: u64| {
        let covering = BOOKED
            .iter()
            .filter(|(from, to, _)| (*from..*to).contains(&slot));
        u64::from(NODES) - covering.map(|(_, _, nodes)| u64::from(*nodes)).sum::<u64>()
    };
    let query = literal::Query {
        from: 11,
        to: 16,
        duration: Some(2),
        nodes: Some(2),
    };
    let offers = listed(Osp::default().offers(&query, &consecutive_slots(11, 16, free)));
    let booked = literal::choose(&offers, 2, 2).map(|place| (place.start, place.end, place.nodes));
    let listed = |offer: &literal::Offer| ((offer.start, offer.end, offer.nodes), offer.solution);
    Answer {
        offers: offers.iter().map(listed).collect(),
        booked,
    }
}

/// How times find their slots, on a clock and in a ring like the paper's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slots {
    /// Times looked at.
    pub(super) times: u64,
    /// Those that get another slot than t / delta rounded up.
    pub(super) misplaced: u64,
    /// When a job ready at 01:03:05 starts (s).
    pub(super) after_1_03_05: u64,
    /// Slots booked, three times round the ring.
    pub(super) booked: u64,
    /// Places of the ring that were booked each time it came round.
    pub(super) places: usize,
    /// Of the slots booked those that were not free before or not busy after.
    pub(super) stale: u64,
    /// Bookings taken beyond the ring, which would fall upon a slot in use.
    pub(super) beyond: u64,
}

/// How often each place of the ring comes up.
const ROUNDS: u64 = 3;

/// Equation 1 on the kernel.
pub(super) fn slots() -> Result<Slots> {
    let broken = || Error::Internal("the clock or the ring has no size".to_owned());
    let clock = SlotClock::new(SLOT as u32, 0).ok_or_else(broken)?;
    let place = |seconds: u64| clock.slot_rounding_up(seconds).map(Slot::get);
    let times = 3 * SLOT * 288;
    let misplaced = |t: &u64| place(*t) != Some((*t as f64 / SLOT as f64).ceil() as u64);
    let start = place(3_785).ok_or_else(broken)?;
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
    .map_err(|_| broken())?;
    let ring = memory.parts().init_ring(PeCount::new(1), Span::new(SLOTS));
    let mut ring = ring.map_err(|_| broken())?;
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
        let added = ring.add(one(last), &PeCount::new(1));
        added.map_err(|reason| Error::Internal(format!("within the ring: {reason}")))?;
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
pub(super) struct Prices {
    /// A reserved slot.
    pub(super) slot: u64,
    /// The hour reserved.
    pub(super) reserved: u64,
    /// The hour as best effort.
    pub(super) best_effort: u64,
}

/// The paper's tariff: $0.05 per minute, reserved four times as much.
pub(super) fn tariff() -> Result<Tariff> {
    let minutes = (SLOT / 60) as u32;
    let tariff = Tariff::new(Money::new(50_000), Factor::from_num(4), minutes);
    tariff.ok_or_else(|| Error::Internal("the paper's tariff overflows".to_owned()))
}

/// Equations 2 and 3 on the kernel.
pub(super) fn prices() -> Result<Prices> {
    let tariff = tariff()?;
    let one = PeCount::new(1);
    let hour = Span::new((3_600 / SLOT) as u32);
    let overflow = |error| Error::Internal(format!("an hour has no price: {error}"));
    Ok(Prices {
        slot: tariff.slot_rate().get(),
        reserved: tariff.reserved(hour, one).map_err(overflow)?.get(),
        best_effort: tariff.best_effort(60, one).map_err(overflow)?.get(),
    })
}

#[cfg(test)]
mod tests {
    use super::{figure_1, prices, slots};

    #[test]
    fn the_kernel_offers_what_figure_1_shows() {
        for answer in figure_1().unwrap() {
            assert_eq!(answer.offers, [((13, 15, 2), true)]);
            assert_eq!(answer.booked, Some((13, 15, 2)));
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
