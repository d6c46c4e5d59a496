//! Where a state is built and its search is timed.

use std::hint::black_box;

use bookahead::{
    Book, ElasticRequest, Offer, OfferOrder, OfferTerms, PeCount, Search, Slot, Span, Tariff,
    Window, raw::Ring,
};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, HostColumn, SizeError, Sizes};

use super::{Find, Judge, Sought, State, Structure};
use crate::{Floor, Stopwatch};

/// Offers that a caller has room for.
const OFFERS: usize = 32;
/// The words of a column.
const WORDS: usize = 8;
/// How often the floor and the search take turns at most: what is above the least comes from other programs.
const ROUNDS: usize = 3;
/// Passes over all slots in each turn; the first of them finds other memory in the caches.
const PASSES: usize = 4;
/// Searches in each turn.
const SEARCHES: usize = 2;
/// A search that takes longer (ns) is timed once: other programs hardly matter then.
const LONG: f64 = 1e9;

type List = heapless::Vec<Offer, OFFERS>;

/// How long a search took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The least time (ns).
    pub ns: f64,
    /// How many times as long as one pass over all slots that is.
    pub over_floor: f64,
}

/// The memory of a book of one structure and one size, and of the floor beside it.
pub struct Bed {
    watch: Stopwatch,
    book: Memory,
    floor: Pass,
    /// The least time of one pass so far (ns).
    least: Option<f64>,
    slots: u32,
    pes: u16,
}

enum Memory {
    Counts(BoxedCountBook),
    Sets(BoxedPeBook<HostColumn>),
}

/// One pass over as many bytes as the slots have: the counts, or the sets.
enum Pass {
    Counts(Vec<u16>),
    Sets(Floor),
}

impl Bed {
    /// Memory for states of this size.
    ///
    /// # Errors
    ///
    /// When no book can have that size, or there is not enough memory.
    pub fn new(structure: Structure, slots: u32, pes: u16) -> Result<Self, SizeError> {
        let sizes = Sizes {
            pes: pes.into(),
            slots,
            reservations: 1,
        };
        let (book, floor) = match structure {
            Structure::Count => {
                let book = Memory::Counts(BoxedCountBook::new(sizes)?);
                (book, Pass::Counts(vec![7; slots as usize]))
            }
            Structure::Pe => {
                let book = Memory::Sets(BoxedPeBook::new(sizes)?);
                // The floor's masks are two columns wide.
                let masks = (slots as usize * columns(pes)).div_ceil(2);
                let mut floor = Floor::new(masks);
                // Untouched memory is one and the same page.
                floor.flip(0..masks, &[1]);
                (book, Pass::Sets(floor))
            }
        };
        Ok(Self {
            watch: Stopwatch::calibrated(),
            book,
            floor,
            least: None,
            slots,
            pes,
        })
    }

    /// Memory for the state of `find`, which is built in it.
    ///
    /// # Panics
    ///
    /// When there is not enough memory.
    #[must_use]
    pub fn of(find: &Find) -> Self {
        let State { slots, pes, .. } = find.state;
        let mut bed = Self::new(find.structure, slots, pes).expect("a host has the memory");
        bed.build(&find.state);
        bed
    }

    /// Builds `state`, which must be valid and of the size of the bed.
    ///
    /// # Panics
    ///
    /// When it is of another size.
    pub fn build(&mut self, state: &State) {
        assert_eq!((state.slots, state.pes), (self.slots, self.pes));
        let (machine, horizon) = (PeCount::new(state.pes.into()), Span::new(state.slots));
        match &mut self.book {
            Memory::Counts(book) => {
                let ring = book.parts().init_ring(machine, horizon);
                let mut ring = ring.expect("the memory is for this");
                ring.advance(Slot::new(state.now.into()));
                let counts = state.counts();
                let mut from = 0;
                for run in counts.chunk_by(|one, next| one == next) {
                    let window = window(state, from, run.len());
                    ring.add(window, &PeCount::new(run[0].into()))
                        .expect("it is free");
                    from += run.len();
                }
            }
            Memory::Sets(book) => {
                let ring = book.parts().init_ring(machine, horizon);
                let mut ring = ring.expect("the memory is for this");
                ring.advance(Slot::new(state.now.into()));
                let words = columns(state.pes) * WORDS;
                let sets = state.sets(words);
                let sets: Vec<&[u64]> = sets.chunks_exact(words).collect();
                let mut from = 0;
                for run in sets.chunk_by(|one, next| one == next) {
                    let window = window(state, from, run.len());
                    let (columns, _) = run[0].as_chunks::<WORDS>();
                    ring.add(window, columns).expect("it is free");
                    from += run.len();
                }
            }
        }
    }

    /// Times the search of the state that was built last, until it turns out to be no slower than so many times the floor.
    pub fn time(&mut self, state: &State, sought: Sought, enough: f64) -> Measured {
        let mut ns = self.once(state, sought);
        // Mostly it is known already that the search is fast enough.
        if let Some(least) = self.least
            && ns / least <= enough
        {
            return Measured {
                ns,
                over_floor: ns / least,
            };
        }
        let mut floor = f64::INFINITY;
        for _ in 0..ROUNDS {
            for _ in 0..PASSES {
                floor = floor.min(self.watch.time(&[()], |()| self.floor.once()));
            }
            for _ in 0..SEARCHES {
                if ns / floor > enough && ns < LONG {
                    ns = ns.min(self.once(state, sought));
                }
            }
        }
        self.least = Some(self.least.map_or(floor, |least| least.min(floor)));
        Measured {
            ns,
            over_floor: ns / floor,
        }
    }

    /// The nanoseconds of one search.
    fn once(&mut self, state: &State, sought: Sought) -> f64 {
        let watch = self.watch;
        watch.time(&[()], |()| self.search(state, sought))
    }

    /// Makes the search of the state that was built last, and returns whether something was found.
    pub fn search(&mut self, state: &State, sought: Sought) -> bool {
        let mut list = List::new();
        match &mut self.book {
            Memory::Counts(book) => search(&mut book.view(), state, sought, &mut list),
            Memory::Sets(book) => search(&mut book.view(), state, sought, &mut list),
        }
    }

    /// The start that `policy` chooses in the state that was built last.
    pub fn start(&mut self, state: &State, policy: bookahead::Policy) -> Option<Slot> {
        let request = state.request();
        let plan = match &mut self.book {
            Memory::Counts(book) => book.view().plan(&request, policy),
            Memory::Sets(book) => book.view().plan(&request, policy),
        };
        plan.ok().map(|plan| plan.window().start)
    }
}

impl Judge for Bed {
    fn judge(&mut self, state: &State, sought: Sought, enough: f64) -> Measured {
        self.build(state);
        self.time(state, sought, enough)
    }
}

/// How many columns the sets of so many processing elements have.
fn columns(pes: u16) -> usize {
    usize::from(pes).div_ceil(WORDS * 64)
}

fn window(state: &State, from: usize, len: usize) -> Window {
    Window {
        start: state.slot(from as u32),
        end: state.slot((from + len) as u32),
    }
}

#[inline(never)]
fn search<R: Ring>(book: &mut Book<'_, R>, state: &State, sought: Sought, list: &mut List) -> bool {
    let request = state.request();
    match sought {
        Sought::Start(policy) => black_box(book.plan(black_box(&request), policy)).is_ok(),
        Sought::Offers { pes } => {
            let query = ElasticRequest {
                ready: request.ready,
                deadline: request.deadline,
                duration: Some(request.duration),
                pes: pes.then_some(request.pes),
            };
            const TERMS: OfferTerms = OfferTerms {
                search: Search::StripPacking,
                order: OfferOrder::Discovery,
                ttl: Span::new(1),
                tariff: Tariff::FREE,
            };
            black_box(book.offers(black_box(&query), black_box(&TERMS), list)).is_ok()
        }
    }
}

impl Pass {
    fn once(&self) -> u64 {
        match self {
            Self::Counts(counts) => peak(black_box(counts)).into(),
            Self::Sets(floor) => floor.union(black_box(0..floor.len()))[0],
        }
    }
}

#[inline(never)]
fn peak(counts: &[u16]) -> u16 {
    counts.iter().fold(0, |peak, count| peak.max(*count))
}
