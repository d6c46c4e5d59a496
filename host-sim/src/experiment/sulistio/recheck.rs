//! Answers queries of a run once more by the literal algorithms, from the jobs alone, and compares the kernel's.

use bookahead::{
    Commitment, ElasticRequest, Error as Denied, Offer as KernelOffer, OfferOrder, OfferTerms,
    PeCount, Policy, Refusal, Request, Search, Slot, Span, Tariff,
};
use bookahead_heap::{BoxedCountBook, Sizes};
use bookahead_oracle::papers::sulistio::literal::{self, Offer, Place, Query, choose};

use super::{
    points::{NODES, SLOT, SLOTS},
    systems::OFFERS,
};
use crate::experiment::{Count, refused};
use crate::{
    engine::{Outcome, Placed},
    error::{Error, Result},
    request::{Demand, JobRequest},
};

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Recheck {
    /// Queries answered again, and the answers among them that differ, in what is offered or in what is then booked.
    pub(super) count: Count,
    /// Reservations left out, since a job starts in the very slot and outcomes do not tell what came first.
    pub(super) left_out: usize,
    /// Offers in the answers.
    pub(super) offers: usize,
    /// Answers cut to as many offers as a user is shown.
    pub(super) cut: usize,
}

impl Recheck {
    /// Both together.
    #[must_use]
    pub(super) fn and(self, other: &Self) -> Self {
        Self {
            count: self.count.and(&other.count),
            left_out: self.left_out + other.left_out,
            offers: self.offers + other.offers,
            cut: self.cut + other.cut,
        }
    }
}

/// Whether the user asks again without a number of nodes when nothing suits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asks {
    Once,
    Again,
}

/// Looks at every `every`-th reservation of a run under OSP.
pub(super) fn recheck(outcomes: &[Outcome], asks: Asks, every: usize) -> Result<Recheck> {
    let mut found = Recheck::default();
    let reserving = outcomes.iter().enumerate();
    let reserving = reserving.filter_map(|(at, outcome)| match &outcome.demand {
        Demand::Reserve(request) => Some((at, request)),
        Demand::Hold(_) | Demand::BestEffort(_) => None,
    });
    for (at, request) in reserving.step_by(every) {
        let now = request.arrival / SLOT;
        let Some(live) = live(&outcomes[..at], now) else {
            found.left_out += 1;
            continue;
        };
        let scene = Machine { now, live: &live };
        let place = scene.answer(request, asks, &mut found)?;
        let booked = outcomes[at].decision.as_ref().ok().map(in_slots);
        found.count.wrong_if(place != booked, || {
            let job = request.job_id;
            format!("job {job} was given {booked:?}, by the letter {place:?}")
        });
    }
    Ok(found)
}

fn in_slots(placed: &Placed) -> Place {
    Place {
        start: placed.start / SLOT,
        end: placed.end / SLOT,
        nodes: placed.width(),
    }
}

/// What takes room at `now`: reservations made before and not over, and jobs that have started and run still. Nothing where a job
/// starts in the very slot.
fn live(before: &[Outcome], now: u64) -> Option<Vec<Place>> {
    let mut live = Vec::new();
    for outcome in before {
        let Ok(placed) = &outcome.decision else {
            continue;
        };
        let place = in_slots(placed);
        if let Demand::BestEffort(_) = outcome.demand {
            if place.start == now {
                return None;
            }
            if place.start > now {
                continue;
            }
        }
        let over = placed.finish().div_ceil(SLOT).max(place.start + 1);
        if over > now {
            live.push(place);
        }
    }
    Some(live)
}

/// The machine when a query is made.
struct Machine<'a> {
    now: u64,
    live: &'a [Place],
}

impl Machine<'_> {
    /// What the user books, by the letter; each query is put to the kernel, too.
    fn answer(
        &self,
        request: &JobRequest,
        asks: Asks,
        found: &mut Recheck,
    ) -> Result<Option<Place>> {
        let (duration, nodes) = (request.duration.div_ceil(SLOT), request.pes);
        let query = Query {
            from: request.ready.div_ceil(SLOT),
            to: request.deadline / SLOT,
            duration: Some(duration),
            nodes: Some(nodes),
        };
        let open = Query {
            nodes: None,
            ..query
        };
        for query in [query, open] {
            let (literal, kernel) = (self.shown(&query), self.kernel(&query)?);
            found.cut += usize::from(self.literal(&query).len() > literal.len());
            found.offers += literal.len();
            found.count.case(literal == kernel, || {
                format!("job {}: {query:?}", request.job_id)
            });
        }
        let first = choose(&self.shown(&query), duration, nodes);
        Ok(match asks {
            Asks::Once => first,
            Asks::Again => first.or_else(|| choose(&self.shown(&open), duration, nodes)),
        })
    }

    fn literal(&self, query: &Query) -> Vec<Offer> {
        literal::answer(query, NODES.into(), self.live)
    }

    /// As many of them as a user is shown.
    fn shown(&self, query: &Query) -> Vec<Offer> {
        let mut offers = self.literal(query);
        offers.truncate(OFFERS);
        offers
    }

    /// What a kernel of its own offers, in whose book the same room is taken.
    fn kernel(&self, query: &Query) -> Result<Vec<Offer>> {
        let memory = BoxedCountBook::new(Sizes {
            pes: NODES.into(),
            slots: SLOTS,
            reservations: self.live.len().max(1),
        });
        let mut memory = memory.map_err(refused)?;
        let mut book = memory.view();
        let since = |slot: u64| Slot::new(slot.saturating_sub(self.now));
        for place in self.live {
            let (start, end) = (since(place.start), since(place.end));
            let request = Request {
                ready: start,
                duration: Span::new((end.get() - start.get()) as u32),
                deadline: end,
                pes: PeCount::new((place.nodes as u16).into()),
            };
            book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)
                .map_err(refused)?;
        }
        let asked = ElasticRequest {
            ready: since(query.from),
            deadline: since(query.to),
            duration: query.duration.map(|slots| Span::new(slots as u32)),
            pes: query.nodes.map(|nodes| PeCount::new((nodes as u16).into())),
        };
        let terms = OfferTerms {
            search: Search::StripPacking,
            order: OfferOrder::Discovery,
            ttl: Span::new(1),
            tariff: Tariff::FREE,
        };
        let mut offers = heapless::Vec::<KernelOffer, OFFERS>::new();
        match book.offers(&asked, &terms, &mut offers) {
            // Nothing to offer is an answer, too.
            Ok(_) | Err(Denied::Refused(Refusal::NoRoom)) => {}
            Err(other) => {
                let problem = format!("a query of a run was refused: {other}");
                return Err(Error::Internal(problem));
            }
        }
        Ok(offers.iter().map(|offer| self.in_letters(offer)).collect())
    }

    fn in_letters(&self, offer: &KernelOffer) -> Offer {
        let slot = |slot: Slot| slot.get() + self.now;
        Offer {
            start: slot(offer.window.start),
            end: slot(offer.window.end),
            nodes: offer.pes.get().into(),
            seed: (slot(offer.seed.start), slot(offer.seed.end)),
            solution: offer.solution,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Asks, recheck};
    use crate::experiment::sulistio::{
        Sulistio,
        points::Point,
        systems::{FF_BF, OSP_BF, PROCESSORS, SECOND_QUERY, assumptions},
        workload::Workload,
    };

    #[test]
    fn runs_are_confirmed_and_another_strategy_is_noticed() {
        let workload = Workload::synthetic(1).unwrap().first(200);
        let paper = Sulistio {
            workload,
            ..Sulistio::new(None, 1, false).unwrap()
        };
        let processors = &assumptions(&paper)[1];
        assert_eq!(processors.name, PROCESSORS);
        let look = |strategy, asks| {
            let story = processors.one(Point::new(1, 4), 0, strategy).unwrap();
            recheck(&story.outcomes, asks, 1).unwrap()
        };
        for (strategy, asks) in [(OSP_BF, Asks::Once), (SECOND_QUERY, Asks::Again)] {
            let found = look(strategy, asks).count;
            assert!(found.looked_at > 80, "{}", found.looked_at);
            assert_eq!(found.wrong, 0, "{found:?}");
        }
        assert!(look(FF_BF, Asks::Once).count.wrong > 0);
    }
}
