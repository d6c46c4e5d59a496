//! What stands beside a book: a queue, and memory for transactions and offers.

use bookahead::{
    BestEffortJob, Book, Discipline, ElasticRequest, Factor, JobQueue, Money, Offer, OfferOrder,
    OfferTerms, PeCount, Search, Span, Tariff,
    raw::{Movable, Ring, SetPart, UndoEntry, Workspace},
};
use heapless::Vec;

use crate::operation::Arguments;

/// As many offers as an embedder might show.
pub type Offers = Vec<Offer, 8>;

/// A queue, in which a short job may pass a long one, and a workspace.
pub struct Beside<P: SetPart> {
    pub jobs: JobQueue<32>,
    entries: [UndoEntry<P::Count>; 8],
    /// Two columns for each entry, which is what the larger book has.
    sets: [P; 16],
    /// Those that wait while they are arranged anew.
    waiting: [Movable; 8],
}

impl<P: SetPart> Beside<P> {
    pub fn fresh() -> Self {
        Self {
            jobs: JobQueue::new(Discipline::Easy),
            entries: [UndoEntry::NONE; 8],
            sets: [P::default(); 16],
            waiting: [Movable::NONE; 8],
        }
    }

    pub fn workspace(&mut self) -> Workspace<'_, P> {
        Workspace::new(&mut self.entries, &mut self.sets, &mut self.waiting)
    }
}

/// A job without a reservation.
pub fn job(estimate: u32, pes: u32) -> BestEffortJob {
    BestEffortJob {
        estimate: Span::new(estimate),
        pes: PeCount::new((pes as u16).into()),
    }
}

/// The query of these arguments, from the present slot on, at a tariff that is not free.
pub fn query<R: Ring>(
    book: &Book<'_, R>,
    search: Search,
    arguments: Arguments,
) -> (ElasticRequest, OfferTerms) {
    let [order, duration, deadline, pes] = arguments;
    let query = ElasticRequest {
        ready: book.now(),
        deadline: book.now().saturating_add(Span::new(deadline)),
        duration: (duration > 0).then(|| Span::new(duration)),
        pes: (pes > 0).then(|| PeCount::new((pes as u16).into())),
    };
    let tariff = Tariff::new(Money::new(50_000), Factor::from_bits(5 << 31), 60);
    let terms = OfferTerms {
        search,
        order: OfferOrder::from_code(order as u8).unwrap_or_default(),
        ttl: Span::new(1),
        tariff: tariff.expect("the tariff makes sense"),
    };
    (query, terms)
}
