//! Elastic queries on both sides, and what comes of accepting an offer.

use bookahead::{
    ElasticRequest, Factor, Money, Offer, OfferTerms, PeCount, Slot, Span, Take, Tariff, Version,
    Window,
};

use super::Harness;
use crate::difference::same;
use crate::meaning::commitment;
use crate::{Difference, Disturbance, Forgery, Inquiry, Taking, portion_window};
use bookahead_commands::{Command, LONG_OFFERS, Reply};

impl Harness {
    /// The query that `inquiry` means now, and how it is to be answered.
    #[must_use]
    pub fn question(&self, inquiry: Inquiry) -> (ElasticRequest, OfferTerms) {
        inquiry.question(self.twin.oracle.now(), tariff(inquiry.tariff))
    }

    /// Asks both sides and compares what they offer; the offers, none when they offer nothing.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn query(
        &mut self,
        query: &ElasticRequest,
        terms: &OfferTerms,
        room: usize,
    ) -> Result<Vec<Offer>, Difference> {
        let room = if room < 8 { room } else { LONG_OFFERS };
        let ask = Command::Offers(*query, *terms, room);
        let Reply::Offered(offered, offers) = self.read("offers", &ask)? else {
            return Ok(Vec::new());
        };
        let solutions = u64::from(offered.solution);
        self.tally.solutions += solutions;
        self.tally.alternatives += (offers.len() as u64).saturating_sub(solutions);
        self.tally.more += u64::from(offered.more);
        Ok(offers)
    }

    pub(super) fn query_accept(
        &mut self,
        inquiry: Inquiry,
        taking: Taking,
        forgery: Forgery,
        between: Disturbance,
    ) -> Result<(), Difference> {
        let (query, terms) = self.question(inquiry);
        let offers = self.query(&query, &terms, inquiry.room.into())?;
        let Some(nth) = usize::from(taking.nth).checked_rem(offers.len()) else {
            return Ok(());
        };
        let offer = offers[nth];
        self.disturb(between)?;
        let forged = forge(&offer, forgery, self.twin.oracle.version());
        self.accept(&forged, offer.whole(), taking)?;
        compare_places(&offer)
    }

    /// Takes of `offer` what `taking` leaves of `whole`.
    fn accept(&mut self, offer: &Offer, whole: Take, taking: Taking) -> Result<(), Difference> {
        let take = Take {
            duration: Span::new(less(whole.duration.get(), taking.fewer_slots)),
            pes: PeCount::new((less(whole.pes.get(), taking.fewer_pes) as u16).into()),
        };
        let accept = Command::Accept(*offer, take, commitment(taking.ttl));
        let Reply::Booked(number, _) = self.both("start of what is accepted", &accept)? else {
            return Ok(());
        };
        self.tally.taken += 1;
        self.tally.reduced += u64::from(take != whole);
        self.accepted(number)
    }
}

/// Where portions of an offer of the book would go, short ones and long ones.
fn compare_places(offer: &Offer) -> Result<(), Difference> {
    let longest = offer.whole().duration.get();
    for duration in [1, 2, longest / 2, longest - 1, longest] {
        let start = offer.start_of(Span::new(duration));
        let there = portion_window(offer, Span::new(duration)).start;
        let expected = (duration > 0).then_some(there);
        if duration <= longest {
            same("start of a take", &start, &expected)?;
        }
    }
    same(
        "start of more than is offered",
        &offer.start_of(Span::new(longest + 1)),
        &None,
    )
}

/// `number` less `fewer`, at least nothing and at most what 16 bits hold.
fn less(number: u32, fewer: i8) -> u32 {
    let number = i64::from(number) - i64::from(fewer);
    number.clamp(0, u16::MAX.into()) as u32
}

/// Nothing, sums that matter, and so much that one slot of one PE can be paid and not much more.
pub(super) fn tariff(index: u8) -> Tariff {
    let tariff = |base, factor, units| Tariff::new(Money::new(base), factor, units);
    let four = Factor::from_num(4);
    let all = [
        Some(Tariff::FREE),
        tariff(50_000, four, 5),
        tariff(3, Factor::from_num(1) + Factor::DELTA, 7),
        tariff(u64::MAX >> 9, four, 1),
        tariff(u64::MAX >> 2, four, 1),
    ];
    all[usize::from(index) % all.len()].expect("a factor of at least 1")
}

/// The offer with something else in it; `newest` is the version that the book has now.
fn forge(offer: &Offer, forgery: Forgery, newest: Version) -> Offer {
    let mut forged = *offer;
    match forgery {
        Forgery::Genuine => {}
        Forgery::Version(ahead) => {
            forged.version.revision = newest.revision + 1 + u64::from(ahead);
        }
        Forgery::Incarnation(ahead) => {
            forged.version.incarnation = newest.incarnation + 1 + u32::from(ahead);
        }
        Forgery::Edge(which, by) => {
            let edge = match which % 6 {
                0 => &mut forged.within.start,
                1 => &mut forged.within.end,
                2 => &mut forged.window.start,
                3 => &mut forged.window.end,
                4 => &mut forged.seed.start,
                _ => &mut forged.seed.end,
            };
            *edge = Slot::new(edge.get().saturating_add_signed(by.into()));
        }
        Forgery::Pes(more) => {
            forged.pes = PeCount::new(forged.pes.get().saturating_add_signed(more.into()));
        }
        Forgery::Expires(at) => forged.expires = Slot::new(at),
        Forgery::Elsewhere { start, end } => {
            let window = Window {
                start: Slot::new(start),
                end: Slot::new(end),
            };
            (forged.within, forged.window, forged.seed) = (window, window, window);
        }
    }
    forged
}
