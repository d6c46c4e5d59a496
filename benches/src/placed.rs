//! What a class costs: queries for such processing elements beside queries for as many of any.

use std::{hint::black_box, ops::Range};

use bookahead::{
    Book, Class, ClassId, Commitment, Eligible, Layout, PeCount, Policy, Preference, Request,
    Shape, Slot, Span, raw::PlacedRing,
};
use bookahead_heap::{BoxedPlacedBook, HostColumn, PlacedSizes};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

use crate::{Mean, Scale, Stopwatch, Workload, outages};

/// Nodes of the machine.
pub(crate) const NODES: u16 = 128;
/// What a node has.
pub(crate) const CORES: u8 = 16;
pub(crate) const GPUS: u8 = 8;
/// The machine: 16 nodes are a rack.
pub(crate) const MACHINE: Layout<'_> = Layout {
    groups: NODES,
    kinds: &[CORES, GPUS],
    missing: &[],
    levels: &[16],
};
/// The processing elements of a node.
const NODE: u16 = CORES as u16 + GPUS as u16;
/// Whole nodes that are asked for.
const WHOLE: u16 = 4;
/// Masks, each of a random half of the nodes.
const MASKS: usize = 16;
/// Queries of each kind.
const QUERIES: usize = 2_048;
/// Of an outage at the most.
const PARTS: usize = 8;
/// Queries between two looks at the clock.
const BATCH: usize = 16;

pub(crate) type Nodes<'m> = Book<'m, PlacedRing<'m, HostColumn>>;

/// A query: a class and what is asked for.
type Asked = (ClassId, Request);

/// What a kind of queries costs.
pub struct Cost {
    /// Its name in the output.
    pub name: &'static str,
    /// Nanoseconds per query.
    pub query: Mean,
    /// Slots that a query passes: all of its window, or with first fit those up to the end of its run.
    pub slots: f64,
    /// The share of queries that find room.
    pub accepted: f64,
}

impl Cost {
    /// Nanoseconds per slot passed.
    #[must_use]
    pub fn per_slot(&self) -> f64 {
        self.query.value() / self.slots
    }
}

/// Who asks for what.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// For any processing elements.
    Plain,
    /// For those of a random half of the nodes.
    Mask,
    /// For whole nodes.
    Groups,
}

/// Queries of one kind, and the book that they meet.
struct Side {
    name: &'static str,
    book: usize,
    queries: Vec<Asked>,
}

/// Books on one machine in their steady states, and queries.
///
/// The first three got the same requests, for as many processing elements as some whole nodes have: one for any, one for those under masks, one for whole nodes.
/// In the last book, all three kinds live beside each other.
pub struct Placed {
    memories: Vec<BoxedPlacedBook<HostColumn>>,
    sides: Vec<Side>,
    /// Where queries of one slot find room for each of two preferences: the lowest, and compactly in racks.
    choices: [(&'static str, Vec<(Asked, Slot)>); 2],
}

impl Placed {
    /// Fills the books with `live` reservations each.
    ///
    /// # Panics
    ///
    /// When the machine lacks the memory.
    #[must_use]
    pub fn new(live: usize, seed: u64) -> Self {
        let scale = Scale {
            machine: MACHINE.pes(),
            parts: 8,
            ..Scale::of(live)
        };
        let fillings: [&[Kind]; 4] = [
            &[Kind::Plain],
            &[Kind::Mask],
            &[Kind::Groups],
            &[Kind::Plain, Kind::Mask, Kind::Groups],
        ];
        let sizes = PlacedSizes {
            slots: Workload::scaled(scale, seed).slots(),
            // One for a newcomer, and some for the parts of an outage.
            reservations: live + 1 + PARTS,
            classes: MASKS + 2,
            order: 0,
        };
        let memory = |_| BoxedPlacedBook::new(&MACHINE, sizes).expect("a host has the memory");
        let mut memories: Vec<_> = fillings.iter().map(memory).collect();
        let (mut requests, mut classes) = (Vec::new(), None);
        for (memory, kinds) in memories.iter_mut().zip(fillings) {
            let mut workload = Workload::scaled(scale, seed);
            let mut book = memory.view();
            // The ids are the same in all books.
            let added = classes.insert(Classes::add(&mut book, seed));
            added.fill(&mut book, &mut workload, kinds);
            // Each took as many requests as it needed to be full; the queries are the same in all.
            requests = (0..QUERIES).map(|_| workload.request()).collect();
        }
        let classes = classes.expect("there are books");
        let side = |(name, book, kind, pes): (_, _, _, Option<u16>)| {
            let asked = |(number, request): (usize, &Request)| {
                let pes = pes.map_or(request.pes, |pes| PeCount::new(pes.into()));
                (classes.of(kind, number), Request { pes, ..*request })
            };
            let queries = requests.iter().enumerate().map(asked).collect();
            Side {
                name,
                book,
                queries,
            }
        };
        let whole = Some(WHOLE * NODE);
        let sides = [
            ("plain", 0, Kind::Plain, None),
            ("mask", 1, Kind::Mask, None),
            ("plain_96", 0, Kind::Plain, whole),
            ("groups", 2, Kind::Groups, whole),
            ("mixed_plain", 3, Kind::Plain, None),
            ("mixed_mask", 3, Kind::Mask, None),
            ("mixed_plain_96", 3, Kind::Plain, whole),
            ("mixed_groups", 3, Kind::Groups, whole),
        ];
        let sides = sides.into_iter().map(side).collect();
        let mut book = memories[3].view();
        let choices = [("lowest", ClassId::ANY), ("compact", classes.compact)];
        let choices = choices.map(|(name, class)| {
            let room = |request: &Request| room(&mut book, (class, *request));
            (name, requests.iter().filter_map(room).collect())
        });
        Self {
            memories,
            sides,
            choices,
        }
    }

    /// Measures queries under `policy`, all kinds in turn.
    #[must_use]
    pub fn queries(&mut self, watch: &Stopwatch, policy: Policy, rounds: usize) -> Vec<Cost> {
        let views = self.memories.iter_mut().map(BoxedPlacedBook::view);
        let mut books: Vec<Nodes<'_>> = views.collect();
        let mut costs: Vec<Cost> = Vec::new();
        for Side {
            name,
            book,
            queries,
        } in &self.sides
        {
            let book = &mut books[*book];
            let found = queries.iter().map(|asked| search(book, asked, policy));
            let found: Vec<Option<Slot>> = found.collect();
            let slots = queries.iter().zip(&found);
            let slots = slots.map(|((_, request), start)| passed(request, *start, policy));
            costs.push(Cost {
                name,
                query: Mean::over(BATCH),
                slots: slots.sum::<u64>() as f64 / QUERIES as f64,
                accepted: found.iter().flatten().count() as f64 / QUERIES as f64,
            });
        }
        for _ in 0..rounds {
            for turn in 0..QUERIES / BATCH {
                for (side, cost) in self.sides.iter().zip(&mut costs) {
                    let book = &mut books[side.book];
                    let batch = &side.queries[turn * BATCH..(turn + 1) * BATCH];
                    let sum = watch.time(batch, |asked| search(book, asked, policy));
                    cost.query.add(turn, sum);
                }
            }
        }
        costs
    }

    /// Measures outages in the book of those for any, see [`outages`].
    #[must_use]
    pub fn outages(&mut self, watch: &Stopwatch, rounds: usize) -> (Mean, [outages::Cost; 3]) {
        let book = self.memories[0].view();
        outages::measure(watch, book, &self.sides[0].queries, rounds)
    }

    /// Measures choosing alone, in windows of one slot: nanoseconds for each preference.
    #[must_use]
    pub fn choices(&mut self, watch: &Stopwatch, rounds: usize) -> [(&'static str, Mean); 2] {
        let mut book = self.memories[3].view();
        let mean = |(name, _): &(&'static str, _)| (*name, Mean::over(BATCH));
        let mut means = self.choices.each_ref().map(mean);
        let [(_, lowest), (_, compact)] = &self.choices;
        assert_eq!(
            lowest.len(),
            compact.len(),
            "the start does not depend on it"
        );
        for _ in 0..rounds {
            for turn in 0..lowest.len() / BATCH {
                for ((_, rooms), (_, mean)) in self.choices.iter().zip(&mut means) {
                    let batch = &rooms[turn * BATCH..(turn + 1) * BATCH];
                    let sum = watch.time(batch, |room| choose(&mut book, room));
                    mean.add(turn, sum);
                }
            }
        }
        means
    }
}

#[inline(never)]
pub(crate) fn search(
    book: &mut Nodes<'_>,
    (class, request): &Asked,
    policy: Policy,
) -> Option<Slot> {
    let plan = black_box(book.plan((*class, black_box(request)), policy));
    plan.ok().map(|plan| plan.window().start)
}

#[inline(never)]
fn choose(book: &mut Nodes<'_>, ((class, request), start): &(Asked, Slot)) -> usize {
    let asked = (*class, black_box(request));
    bookahead::raw::choose(book, asked, *start).expect("there is room")
}

/// As the query, for one slot, and where there is room for it.
fn room(book: &mut Nodes<'_>, (class, request): Asked) -> Option<(Asked, Slot)> {
    let asked = (
        class,
        Request {
            duration: Span::new(1),
            ..request
        },
    );
    let start = search(book, &asked, Policy::FirstFit)?;
    Some((asked, start))
}

/// How many slots a search passes.
fn passed(request: &Request, start: Option<Slot>, policy: Policy) -> u64 {
    let end = match (policy, start) {
        (Policy::FirstFit, Some(start)) => start.saturating_add(request.duration),
        _ => request.deadline,
    };
    end.get() - request.ready.get()
}

struct Classes {
    masks: [ClassId; MASKS],
    nodes: ClassId,
    compact: ClassId,
}

impl Classes {
    fn add(book: &mut Nodes<'_>, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut add = |class: Class<'_>| book.class_add(&class).expect("the table has room");
        let masks = [(); MASKS].map(|()| {
            let mut nodes: Vec<u16> = (0..NODES).collect();
            nodes.shuffle(&mut rng);
            let half = &nodes[..usize::from(NODES / 2)];
            let half: Vec<Range<u16>> = half.iter().map(|node| *node..node + 1).collect();
            add(Class {
                eligible: Eligible::Groups {
                    groups: &half,
                    kinds: 0b11,
                },
                ..Class::ANY
            })
        });
        Self {
            masks,
            nodes: add(Class {
                shape: Shape::PerGroup(&[CORES, GPUS]),
                ..Class::ANY
            }),
            compact: add(Class {
                preference: Preference::Compact(0),
                ..Class::ANY
            }),
        }
    }

    /// The class of the request of that number.
    fn of(&self, kind: Kind, number: usize) -> ClassId {
        match kind {
            Kind::Plain => ClassId::ANY,
            Kind::Mask => self.masks[number % MASKS],
            Kind::Groups => self.nodes,
        }
    }

    /// Fills a book with requests of these kinds in turn.
    fn fill(&self, book: &mut Nodes<'_>, workload: &mut Workload, kinds: &[Kind]) {
        workload.fill(book, |book, mut request, number| {
            let kind = kinds[number % kinds.len()];
            if kinds.len() == 1 || kind == Kind::Groups {
                let nodes = request.pes.get().div_ceil(NODE.into());
                request.pes = PeCount::new(nodes * u32::from(NODE));
            }
            let asked = (self.of(kind, number), &request);
            book.reserve(asked, Policy::FirstFit, Commitment::Confirmed)
        });
    }
}
