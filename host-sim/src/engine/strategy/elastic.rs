//! Elastic reservations: a query, and a user who chooses among the offers.

use std::cmp::Reverse;

use bookahead::{
    Book, Booking, ElasticRequest, Error as Denied, Offer, OfferOrder, OfferTerms, PeCount,
    Probability, Refusal, Search, Span, Take, Tariff, raw::Ring,
};

use super::admission::{Admission, Ask, Proposal};

/// How elastic queries are made and answered.
///
/// Source: `sulistio`, sections 2.1, 3 and 4.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elastic {
    /// How offers are looked for.
    pub search: Search,
    /// In which order they are listed.
    pub order: OfferOrder,
    /// How many offers the list holds, 1 to [`MOST_OFFERS`](Self::MOST_OFFERS); what comes last in the order is left out.
    pub offers: usize,
    /// What the user does without a solution.
    pub user: User,
}

/// What the user does when no offer is a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum User {
    /// Gives up.
    SolutionOnly,
    /// Takes the longest offer of at least half the time on at least half the PEs that were asked for, the first in the list among equals,
    /// and reduces it to what was asked.
    ///
    /// Source: `sulistio`, algorithm 2.
    Alternatives,
    /// The same; and if none suits, asks again without a number of PEs, and chooses in that list. Without the second query, [`Search::StripPacking`] makes no offer
    /// that is narrower than what was asked, so that only time would be reduced; [`Search::ParetoFront`] does.
    AskAgain,
}

impl User {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::SolutionOnly, Self::Alternatives, Self::AskAgain];

    /// The name in commands and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SolutionOnly => "solution-only",
            Self::Alternatives => "alternatives",
            Self::AskAgain => "ask-again",
        }
    }
}

impl Elastic {
    /// The longest list of offers.
    pub const MOST_OFFERS: usize = 1024;
}

impl Default for Elastic {
    /// As in the source, with a list that is hardly ever full.
    fn default() -> Self {
        Self {
            search: Search::StripPacking,
            order: OfferOrder::Discovery,
            offers: 64,
            user: User::Alternatives,
        }
    }
}

/// Asks for offers and takes one.
pub(super) struct ElasticOffers {
    elastic: Elastic,
    tariff: Tariff,
    list: Box<heapless::Vec<Offer, { Elastic::MOST_OFFERS }>>,
}

impl ElasticOffers {
    pub(super) fn new(elastic: Elastic, tariff: Tariff) -> Self {
        Self {
            elastic,
            tariff,
            list: Box::default(),
        }
    }

    /// Fills the list and says whether its first offer is a solution.
    fn ask<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        query: &ElasticRequest,
    ) -> Result<bool, Denied> {
        let terms = OfferTerms {
            search: self.elastic.search,
            order: self.elastic.order,
            // The user decides at once.
            ttl: Span::new(1),
            tariff: self.tariff,
        };
        let offered = book.offers(query, &terms, &mut *self.list);
        // A list that is filled up to here holds what a list of that capacity would.
        self.list.truncate(self.elastic.offers);
        match offered {
            Ok(offered) => Ok(offered.solution),
            Err(Denied::Refused(Refusal::NoRoom)) => Ok(false),
            Err(reason) => Err(reason),
        }
    }

    /// The offer that suits best, with the portion of it to take.
    fn choose(&self, wanted: Take) -> Option<(Offer, Take)> {
        let least = Take {
            duration: Span::new(wanted.duration.get().div_ceil(2)),
            pes: PeCount::new(wanted.pes.get().div_ceil(2)),
        };
        let suitable = self.list.iter().filter(|offer| {
            let whole = offer.whole();
            whole.duration >= least.duration && whole.pes >= least.pes
        });
        let offer = *suitable.min_by_key(|offer| Reverse(offer.whole().duration))?;
        let whole = offer.whole();
        let take = Take {
            duration: whole.duration.min(wanted.duration),
            pes: whole.pes.min(wanted.pes),
        };
        Some((offer, take))
    }

    /// The offer that the user takes, with the portion of it; where `once`, without asking again.
    fn take<R: Ring>(
        &mut self,
        book: &mut Book<'_, R>,
        ask: &Ask,
        once: bool,
    ) -> Result<(Offer, Take), Denied> {
        let request = &ask.request;
        let query = ElasticRequest {
            ready: request.ready,
            deadline: request.deadline,
            duration: Some(request.duration),
            pes: Some(request.pes),
        };
        let wanted = Take {
            duration: request.duration,
            pes: request.pes,
        };
        let solved = self.ask(book, &query)?;
        let chosen = match (self.list.first(), self.elastic.user) {
            (Some(&solution), _) if solved => Some((solution, wanted)),
            (_, User::SolutionOnly) => None,
            (_, User::Alternatives) => self.choose(wanted),
            (_, User::AskAgain) => match self.choose(wanted) {
                None if !once => {
                    self.ask(book, &ElasticRequest { pes: None, ..query })?;
                    self.choose(wanted)
                }
                chosen => chosen,
            },
        };
        chosen.ok_or(Refusal::NoRoom.into())
    }
}

impl<R: Ring> Admission<R> for ElasticOffers {
    /// What the user would take there. Where `firm`, of what is offered at first, so that nobody asks again while some site has a suitable offer.
    fn propose(
        &mut self,
        book: &mut Book<'_, R>,
        ask: &Ask,
        firm: bool,
    ) -> Result<Proposal, Denied> {
        let (offer, take) = self.take(book, ask, firm)?;
        Ok(Proposal {
            kept: Probability::ONE,
            late: Probability::ZERO,
            start: offer.start_of(take.duration).ok_or(Refusal::NoRoom)?,
            length: take.duration,
            pes: take.pes,
        })
    }

    fn admit(&mut self, book: &mut Book<'_, R>, ask: &Ask) -> Result<Booking, Denied> {
        let (offer, take) = self.take(book, ask, false)?;
        book.accept(&offer, take, ask.commitment)
    }
}
