//! All structures side by side, measured in turns.
//!
//! For every operation all structures take turns on the same batches of queries, in an order that rotates, so that none
//! always finds the caches as another one left them. One pass per operation: no operation warms the masks for the next.

use std::collections::BTreeMap;
use std::ops::Range;

use bookahead::{
    Placement, Policy, Request, Slot, Window,
    raw::{CountRing, PeRing},
};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, HostColumn};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::kernel;
use crate::{
    Booking, Early, Floor, Late, MACHINE, Mask, Mean, Paper, Scene, Stopwatch, Structure, Whole,
};

/// Calls between two looks at the clock: enough for the fastest, few enough that structures take turns often.
const BATCH: usize = 16;
/// Seed of the draw of bookings to remove.
const DRAWS: u64 = 16;

/// What the rings and the books of a scene live in.
pub struct Memory {
    pe: BoxedPeBook<HostColumn>,
    count: BoxedCountBook,
    pe_book: BoxedPeBook<HostColumn>,
    count_book: BoxedCountBook,
}

impl Memory {
    /// Memory for the rings and the books of `scene`.
    #[must_use]
    pub fn new(scene: &Scene) -> Self {
        Self {
            pe: kernel::early(scene),
            count: kernel::late(scene),
            pe_book: kernel::early(scene),
            count_book: kernel::late(scene),
        }
    }
}

/// Mean nanoseconds, or bytes, by name.
#[derive(Default)]
pub struct Means(BTreeMap<String, Mean>);

impl Means {
    fn add(&mut self, name: &str, turn: usize, sum: f64) {
        let mean = self
            .0
            .entry(name.into())
            .or_insert_with(|| Mean::over(BATCH));
        mean.add(turn, sum);
    }

    /// The mean of that name.
    ///
    /// # Panics
    ///
    /// When nothing of that name was measured.
    #[must_use]
    pub fn value(&self, name: &str) -> f64 {
        self.0[name].value()
    }
}

/// Requests, and where each goes when those before it are booked.
struct Arrivals {
    requests: Vec<Request>,
    bookings: Vec<Booking>,
}

/// Live bookings, and their numbers among all that live.
struct Departures {
    numbers: Vec<usize>,
    bookings: Vec<Booking>,
}

/// Whole books, with their ledgers.
struct Books<'m> {
    pe: Whole<'m, PeRing<'m, HostColumn>>,
    count: Whole<'m, CountRing<'m>>,
    /// Where the bookings of each batch of departures could be moved.
    elsewhere: Vec<[Vec<Placement>; 2]>,
}

/// All structures in the steady state of one scene.
pub struct Stand<'m> {
    scene: &'m Scene,
    pe: Early<'m>,
    count: Late<'m>,
    paper: Paper,
    floor: Floor,
    /// Masks of its own, so that the plain fold finds them as cold as the floor finds its.
    plain: Floor,
    /// What the ring of counts answered before anything was measured.
    late_answers: Vec<Option<Slot>>,
    /// Where the queries of each batch would go, one after the other.
    arrivals: Vec<Arrivals>,
    /// Live bookings, drawn anew for each batch.
    departures: Vec<Departures>,
    books: Books<'m>,
    /// What has been measured.
    pub means: Means,
}

impl<'m> Stand<'m> {
    /// All structures, filled with what lives in `scene`.
    pub fn new(scene: &'m Scene, memory: &'m mut Memory) -> Self {
        let bookings = scene.bookings();
        let departures = departures(scene);
        let columns = bookahead::raw::columns::<HostColumn>(MACHINE);
        let mut books = Books {
            pe: Whole::new(memory.pe_book.view(), scene, columns),
            count: Whole::new(memory.count_book.view(), scene, 0),
            elsewhere: Vec::new(),
        };
        for Departures { numbers, .. } in &departures {
            let places = [books.pe.elsewhere(numbers), books.count.elsewhere(numbers)];
            books.elsewhere.push(places);
        }
        let mut pe = Early(kernel::early_ring(&mut memory.pe, scene));
        pe.fill(&bookings);
        let mut count = Late(kernel::late_ring(&mut memory.count, scene));
        count.fill(&bookings);
        let mut floor = Floor::new(scene.slots as usize);
        for booking in &bookings {
            floor.flip(slots(booking.window), booking.pes.words());
        }
        let paper = Paper {
            ring: scene.ring(),
            list: scene.paper.clone(),
        };
        Self {
            scene,
            late_answers: answers(&mut count, scene),
            pe,
            count,
            arrivals: arrivals(scene, paper.clone()),
            departures,
            books,
            paper,
            plain: floor.clone(),
            floor,
            means: Means::default(),
        }
    }

    /// The two structures that know PEs must agree on every query under every policy.
    ///
    /// # Panics
    ///
    /// When they do not.
    pub fn assert_identical_answers(&mut self) {
        let early = answers(&mut self.pe, self.scene);
        assert!(
            early == answers(&mut self.paper, self.scene),
            "the ring and the paper's structure agree"
        );
        assert!(
            early.iter().any(Option::is_some) && early.iter().any(Option::is_none),
            "some find room, some do not"
        );
    }

    /// What was added was taken out again.
    ///
    /// # Panics
    ///
    /// When it was not.
    pub fn assert_unchanged(&mut self) {
        assert!(
            self.paper.list == self.scene.paper,
            "the paper's records are what they were"
        );
        assert!(
            answers(&mut self.count, self.scene) == self.late_answers,
            "the counts are what they were"
        );
        self.assert_identical_answers();
        self.books.pe.assert_unchanged();
        self.books.count.assert_unchanged();
    }

    /// Measures every operation on every structure once, taking turns.
    pub fn measure(&mut self, watch: &Stopwatch) {
        for policy in Policy::ALL {
            for (turn, batch) in self.scene.queries.chunks_exact(BATCH).enumerate() {
                for nth in 0..5 {
                    self.find_in_turn((turn + nth) % 5, watch, policy, (turn, batch));
                }
            }
        }
        for turn in 0..self.arrivals.len() {
            for nth in 0..3 {
                self.add_in_turn((turn + nth) % 3, watch, turn);
            }
        }
        for turn in 0..self.scene.queries.len() / BATCH {
            for nth in 0..3 {
                self.remove_in_turn((turn + nth) % 3, watch, turn);
            }
        }
        self.measure_books(watch);
    }

    /// Whole calls on books at work. One book after the other makes all its calls, and so do the rings alone, so each finds in the caches what its own
    /// calls left there, as in a program that serves one book. Twice, since the first calls find what the book before left.
    fn measure_books(&mut self, watch: &Stopwatch) {
        for whose in (0..6).flat_map(twice) {
            for turn in 0..self.arrivals.len() {
                self.book_at_work(whose, watch, turn);
            }
        }
        for whose in (0..4).flat_map(twice) {
            for turn in 0..self.departures.len() {
                self.cancel_at_work(whose, watch, turn);
            }
        }
        for whose in (0..4).flat_map(twice) {
            for turn in 0..self.departures.len() {
                self.move_at_work(whose, watch, turn);
            }
        }
    }

    fn find_in_turn(
        &mut self,
        whose: usize,
        watch: &Stopwatch,
        policy: Policy,
        (turn, batch): Batch<'_>,
    ) {
        let what = policy_name(policy);
        let (name, sum) = match whose {
            0 => (
                format!("pe_{what}"),
                watch.time(batch, |request| self.pe.find(request, policy)),
            ),
            1 => (
                format!("count_{what}"),
                watch.time(batch, |request| self.count.find(request, policy)),
            ),
            2 => (
                format!("paper_{what}"),
                watch.time(batch, |request| self.paper.find(request, policy)),
            ),
            3 => return self.floor_in_turn(watch, policy, (turn, batch)),
            _ => return self.plain_in_turn(watch, policy, (turn, batch)),
        };
        self.means.add(&name, turn, sum);
    }

    fn floor_in_turn(&mut self, watch: &Stopwatch, policy: Policy, (turn, batch): Batch<'_>) {
        if let Some((what, stretch)) = stretch(policy) {
            let sum = watch.time(batch, |request| self.floor.union(stretch(request)));
            self.means.add(&format!("floor_{what}"), turn, sum);
            let bytes: usize = batch
                .iter()
                .map(|request| stretch(request).len() * size_of::<Mask>())
                .sum();
            self.means.add(&format!("bytes_{what}"), turn, bytes as f64);
        }
    }

    fn plain_in_turn(&mut self, watch: &Stopwatch, policy: Policy, (turn, batch): Batch<'_>) {
        if let Some((what, stretch)) = stretch(policy) {
            let sum = watch.time(batch, |request| self.plain.plain_fold(stretch(request)));
            self.means.add(&format!("plain_{what}"), turn, sum);
        }
    }

    fn add_in_turn(&mut self, whose: usize, watch: &Stopwatch, turn: usize) {
        let bookings = &self.arrivals[turn].bookings;
        let (name, sum) = match whose {
            0 => ("pe_add", add(&mut self.pe, watch, bookings)),
            1 => ("count_add", add(&mut self.count, watch, bookings)),
            _ => ("paper_add", add(&mut self.paper, watch, bookings)),
        };
        self.means.add(name, turn, sum);
    }

    fn remove_in_turn(&mut self, whose: usize, watch: &Stopwatch, turn: usize) {
        let bookings = &self.departures[turn].bookings;
        let (name, sum) = match whose {
            0 => ("pe_remove", remove(&mut self.pe, watch, bookings)),
            1 => ("count_remove", remove(&mut self.count, watch, bookings)),
            _ => ("paper_remove", remove(&mut self.paper, watch, bookings)),
        };
        self.means.add(name, turn, sum);
    }
}

impl Stand<'_> {
    fn book_at_work(&mut self, whose: usize, watch: &Stopwatch, turn: usize) {
        let Arrivals { requests, bookings } = &self.arrivals[turn];
        let books = &mut self.books;
        let (name, sum) = match whose {
            0 => ("pe_book_reserve", books.pe.reserve(watch, requests)),
            1 => ("pe_book_commit", books.pe.commit(watch, bookings)),
            2 => ("pe_ring_add", add(&mut self.pe, watch, bookings)),
            3 => ("count_book_reserve", books.count.reserve(watch, requests)),
            4 => ("count_book_commit", books.count.commit(watch, bookings)),
            _ => ("count_ring_add", add(&mut self.count, watch, bookings)),
        };
        self.means.add(name, turn, sum);
    }

    fn cancel_at_work(&mut self, whose: usize, watch: &Stopwatch, turn: usize) {
        let Departures { numbers, bookings } = &self.departures[turn];
        let books = &mut self.books;
        let (name, sum) = match whose {
            0 => ("pe_book_cancel", books.pe.cancel(watch, numbers)),
            1 => ("pe_ring_remove", remove(&mut self.pe, watch, bookings)),
            2 => ("count_book_cancel", books.count.cancel(watch, numbers)),
            _ => (
                "count_ring_remove",
                remove(&mut self.count, watch, bookings),
            ),
        };
        self.means.add(name, turn, sum);
    }

    fn move_at_work(&mut self, whose: usize, watch: &Stopwatch, turn: usize) {
        let numbers = &self.departures[turn].numbers;
        let Books {
            pe,
            count,
            elsewhere,
        } = &mut self.books;
        let [of_pe, of_count] = &elsewhere[turn];
        let (name, sum) = match whose {
            0 => ("pe_moves", pe.move_all(watch, numbers, of_pe)),
            1 => (
                "pe_cancel_reserve",
                pe.cancel_and_book(watch, numbers, of_pe),
            ),
            2 => ("count_moves", count.move_all(watch, numbers, of_count)),
            _ => (
                "count_cancel_reserve",
                count.cancel_and_book(watch, numbers, of_count),
            ),
        };
        self.means.add(name, turn, sum);
    }
}

fn twice(whose: usize) -> [usize; 2] {
    [whose; 2]
}

/// What a structure answers to every query under every policy.
fn answers(structure: &mut impl Structure, scene: &Scene) -> Vec<Option<Slot>> {
    let all = scene
        .queries
        .iter()
        .flat_map(|request| Policy::ALL.map(|policy| (request, policy)));
    all.map(|(request, policy)| structure.find(request, policy))
        .collect()
}

/// Times adding all of `bookings`, and takes them out again.
fn add<S: Structure>(structure: &mut S, watch: &Stopwatch, bookings: &[Booking]) -> f64 {
    let known: Vec<_> = bookings
        .iter()
        .map(|booking| structure.know(booking))
        .collect();
    let sum = watch.time(&known, |known| structure.add(known));
    known.iter().for_each(|known| structure.remove(known));
    sum
}

/// Times taking all of `bookings` out, and puts them back.
fn remove<S: Structure>(structure: &mut S, watch: &Stopwatch, bookings: &[Booking]) -> f64 {
    let known: Vec<_> = bookings
        .iter()
        .map(|booking| structure.know(booking))
        .collect();
    let sum = watch.time(&known, |known| structure.remove(known));
    known.iter().for_each(|known| structure.add(known));
    sum
}

/// Batches of bookings that fit into the steady state together.
fn arrivals(scene: &Scene, mut paper: Paper) -> Vec<Arrivals> {
    let mut batches = Vec::new();
    let (mut requests, mut batch): (Vec<Request>, Vec<Booking>) = Default::default();
    for request in &scene.queries {
        let found = paper
            .list
            .find_allocation(paper.ring, request, Policy::FirstFit);
        let Some(found) = found else {
            continue;
        };
        let window = Window::starting(found.start, request.duration).expect("it fits");
        let booking = Booking {
            window,
            pes: found.pes,
        };
        paper.add(&booking);
        batch.push(booking);
        requests.push(*request);
        if batch.len() == BATCH {
            batch.iter().for_each(|booking| paper.remove(booking));
            batches.push(Arrivals {
                requests: std::mem::take(&mut requests),
                bookings: std::mem::take(&mut batch),
            });
        }
    }
    batches
}

/// Batches of different live bookings: as many bookings as live, and at least as many as there are queries.
fn departures(scene: &Scene) -> Vec<Departures> {
    let mut live: Vec<(usize, &Booking)> = scene.bookings().into_iter().enumerate().collect();
    let number = live.len().max(scene.queries.len());
    let mut rng = ChaCha8Rng::seed_from_u64(DRAWS);
    let draw = |_| {
        let (drawn, _) = live.partial_shuffle(&mut rng, BATCH);
        Departures {
            numbers: drawn.iter().map(|(number, _)| *number).collect(),
            bookings: drawn
                .iter()
                .map(|(_, booking)| (*booking).clone())
                .collect(),
        }
    };
    (0..number / BATCH).map(draw).collect()
}

fn slots(window: Window) -> Range<usize> {
    window.start.get() as usize..window.end.get() as usize
}

/// Queries, and which batch they are.
type Batch<'q> = (usize, &'q [Request]);

/// The slots that a request is about.
type Stretch = fn(&Request) -> Range<usize>;

/// The slots whose masks a search must look at, and the name of that: what first fit needs at least, and a choice over the whole window.
fn stretch(policy: Policy) -> Option<(&'static str, Stretch)> {
    match policy {
        Policy::FirstFit => Some(("first", |request| {
            let ready = request.ready.get() as usize;
            ready..ready + request.duration.get() as usize
        })),
        Policy::PeWorstFit => Some(("window", |request| {
            request.ready.get() as usize..request.deadline.get() as usize
        })),
        _ => None,
    }
}

/// The policy in the names of measurements.
#[must_use]
pub fn policy_name(policy: Policy) -> &'static str {
    match policy {
        Policy::FirstFit => "find_first",
        Policy::PeBestFit => "find_pe_best",
        Policy::PeWorstFit => "find_pe_worst",
        Policy::DurationBestFit => "find_duration_best",
        Policy::DurationWorstFit => "find_duration_worst",
        Policy::PeDurationBestFit => "find_pe_duration_best",
        Policy::PeDurationWorstFit => "find_pe_duration_worst",
    }
}
