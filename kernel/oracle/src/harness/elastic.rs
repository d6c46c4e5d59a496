//! Elastic queries on both sides, and what comes of accepting an offer.

use bookahead::{
    Factor, Money, Offer, OfferOrder, OfferTerms, PeCount, Portion, Query, Search, Slot, Span,
    Tariff, Terms, Window,
};

use super::{Harness, LONG_OFFERS};
use crate::difference::{same, sound};
use crate::{Difference, Disturbance, Forgery, Inquiry, Subject, Taking, portion_window};

/// A book changes less often than that between an offer and its acceptance.
const MANY_CHANGES: u64 = 1 << 40;

impl<S: Subject> Harness<S> {
    /// The query that `inquiry` means now, and how it is to be answered.
    #[must_use]
    pub fn question(&self, inquiry: Inquiry) -> (Query, OfferTerms) {
        let now = self.oracle.now().get();
        let ready = now.saturating_add_signed(inquiry.lead.into());
        let query = Query {
            ready: Slot::new(ready),
            deadline: Slot::new(ready.saturating_add_signed(inquiry.length.into())),
            duration: inquiry.duration.map(|slots| Span::new(slots.into())),
            pes: inquiry.pes.map(PeCount::new),
        };
        let terms = OfferTerms {
            search: Search::ALL[usize::from(inquiry.search) % Search::ALL.len()],
            order: OfferOrder::ALL[usize::from(inquiry.order) % OfferOrder::ALL.len()],
            ttl: Span::new(inquiry.ttl.into()),
            tariff: tariff(inquiry.tariff),
        };
        (query, terms)
    }

    /// Asks both sides and compares what they offer; the offers, none when they offer nothing.
    ///
    /// # Errors
    ///
    /// The first difference found.
    pub fn query(
        &mut self,
        query: &Query,
        terms: &OfferTerms,
        room: usize,
    ) -> Result<Vec<Offer>, Difference> {
        let room = if room < 8 { room } else { LONG_OFFERS };
        let before = self.subject.clone();
        let answer = self.subject.offers(query, terms, room);
        sound("asking changes nothing", self.subject == before)?;
        let expected = self.oracle.offers(query, terms, room);
        same(
            "what is offered",
            &answer.as_ref().map(|(offered, _)| offered),
            &expected.as_ref().map(|(offered, _)| offered),
        )?;
        let ((offered, offers), expected) = match (answer, expected) {
            (Ok(answer), Ok((_, expected))) => (answer, expected),
            (Err(reason), _) | (_, Err(reason)) => {
                self.tally.decline(reason);
                return Ok(Vec::new());
            }
        };
        let version = self.version(&offers)?;
        let expected: Vec<_> = expected
            .into_iter()
            .map(|offer| Offer { version, ..offer })
            .collect();
        same("offers", &offers, &expected)?;
        let solutions = u64::from(offered.solution);
        self.tally.solutions += solutions;
        self.tally.alternatives += (offers.len() as u64).saturating_sub(solutions);
        self.tally.more += u64::from(offered.more);
        Ok(offers)
    }

    /// The version that all of `offers` carry, which has grown with the changes of the book and with nothing else.
    fn version(&mut self, offers: &[Offer]) -> Result<u64, Difference> {
        let Some(Offer { version, .. }) = offers.first().copied() else {
            return Ok(0);
        };
        if let Some((known, earlier)) = &self.asked {
            let changed = *known != self.oracle;
            same("the version has grown", &(version > *earlier), &changed)?;
            sound("the version never falls", version >= *earlier)?;
        }
        self.asked = Some((self.oracle.clone(), version));
        Ok(version)
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
        let (offer, known) = (offers[nth], self.oracle.clone());
        self.disturb(between)?;
        // How many changes lie between cannot be seen from outside, only whether there are any.
        let changes = if self.oracle == known {
            0
        } else {
            MANY_CHANGES
        };
        let newest = offer.version + changes;
        let forged = forge(&offer, forgery, newest);
        self.accept(&forged, offer.whole(), taking, newest)?;
        compare_places(&offer)
    }

    /// Takes of `offer` what `taking` leaves of `whole`.
    fn accept(
        &mut self,
        offer: &Offer,
        whole: Portion,
        taking: Taking,
        newest: u64,
    ) -> Result<(), Difference> {
        let portion = Portion {
            duration: Span::new(less(whole.duration.get(), taking.fewer_slots)),
            pes: PeCount::new(less(whole.pes.get().into(), taking.fewer_pes) as u16),
        };
        let terms = match taking.ttl {
            Some(ttl) => Terms::Held {
                ttl: Span::new(ttl.into()),
            },
            None => Terms::Confirmed,
        };
        let before = self.subject.clone();
        let accepted = self.subject.accept(offer, portion, terms);
        let expected = self.oracle.accept(offer, portion, terms, newest);
        same(
            "start of what is accepted",
            &accepted.map(|(_, start)| start),
            &expected.map(|(_, start)| start),
        )?;
        match (accepted, expected) {
            (Ok((handle, _)), Ok((number, _))) => {
                self.tally.taken += 1;
                self.tally.reduced += u64::from(portion != whole);
                self.accepted(number, handle)
            }
            (Err(reason), _) | (_, Err(reason)) => self.declined(&before, reason),
        }
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
            same("start of a portion", &start, &expected)?;
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
fn tariff(index: u8) -> Tariff {
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

/// The offer with something else in it; `newest` is the highest version that it may carry.
fn forge(offer: &Offer, forgery: Forgery, newest: u64) -> Offer {
    let mut forged = *offer;
    match forgery {
        Forgery::Genuine => {}
        Forgery::Version(ahead) => forged.version = newest + 1 + u64::from(ahead),
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
            forged.pes = PeCount::new(forged.pes.get().saturating_add_signed(more));
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
