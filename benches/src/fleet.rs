//! What a meta-scheduler over many books costs, beside asking each of them.

use bookahead::{Commitment, Handle, PeCount, Policy, Request, Slot, Span};
use bookahead_heap::{Binding, BoxedBook, Choice, MetaScheduler, Sizes};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{MACHINE, Mean, Stopwatch, Workload};

const CONFIRMED: Commitment = Commitment::Confirmed;
/// Requests between two looks at the clock.
const BATCH: usize = 16;

/// When jobs are ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ready {
    /// At any time, as in all other measurements.
    Sometime,
    /// Now, and with the whole horizon until their deadline.
    Now,
}

/// What the books of a fleet are.
#[derive(Clone, Copy, Debug)]
pub struct Fleet {
    /// How many there are.
    pub books: usize,
    /// How many reservations live in each, on average.
    pub live: usize,
    /// When processing elements are assigned.
    pub binding: Binding,
    /// When jobs are ready.
    pub ready: Ready,
    /// Decides what is asked for.
    pub seed: u64,
}

/// A reservation, and the number of its book.
pub type Accepted = (usize, Handle);

impl Fleet {
    /// The sizes of each book. The first ones have more reservations than the average, up to twice as many.
    #[must_use]
    pub fn sizes(&self) -> Sizes {
        Sizes {
            pes: MACHINE.into(),
            slots: Workload::new(self.live, self.seed).slots(),
            reservations: 2 * self.live,
        }
    }

    /// The bytes of the books, and of what the meta-scheduler has beside them.
    #[must_use]
    pub fn bytes(&self) -> [usize; 2] {
        let sizes = self.sizes();
        let (pes, horizon) = (PeCount::new(sizes.pes), Span::new(sizes.slots));
        [
            self.books * BoxedBook::bytes(self.binding, sizes),
            MetaScheduler::bytes(self.books, pes, horizon),
        ]
    }

    /// What is asked for.
    pub fn requests(&self, seed: u64) -> impl Iterator<Item = Request> + use<> {
        let mut workload = Workload::new(self.live, seed);
        let (ready, end) = (self.ready, Slot::new(workload.slots().into()));
        core::iter::repeat_with(move || {
            let request = workload.request();
            match ready {
                Ready::Sometime => request,
                Ready::Now => Request {
                    ready: Slot::new(0),
                    deadline: end,
                    ..request
                },
            }
        })
    }

    /// Has the meta-scheduler place as many reservations as are to live, each in the best book, and returns who was accepted.
    ///
    /// # Panics
    ///
    /// When there is not enough memory.
    #[must_use]
    pub fn filled(&self) -> (MetaScheduler, Vec<Accepted>) {
        let sizes = self.sizes();
        let book = |_| BoxedBook::new(self.binding, sizes).expect("a host has the memory");
        let books = (0..self.books).map(book).collect();
        let mut scheduler = MetaScheduler::new(books).expect("a host has the memory");
        let accepted = self.requests(self.seed).filter_map(|request| {
            let (book, booking) = scheduler.reserve(&request, CONFIRMED).ok()?;
            Some((book, booking.handle))
        });
        let accepted = accepted.take(self.books * self.live).collect();
        (scheduler, accepted)
    }
}

/// What both take.
#[derive(Clone, Debug)]
pub struct Costs {
    /// To find the best place by the meta-scheduler, and by asking all books.
    pub plan: [Mean; 2],
    /// The same, to reserve there, and to cancel.
    pub decision: [Mean; 2],
    /// How many books are searched for a request.
    pub searched: f64,
}

/// Mean nanoseconds of the meta-scheduler of a fleet and of asking all, whose answers are compared.
///
/// # Panics
///
/// When they answer differently, or there is not enough memory.
#[must_use]
pub fn measure(
    watch: &Stopwatch,
    fleet: Fleet,
    mut scheduler: MetaScheduler,
    requests: usize,
    rounds: usize,
) -> Costs {
    let mut books = scheduler.clone().into_books();
    let requests: Vec<Request> = fleet.requests(fleet.seed + 1).take(requests).collect();
    let mean = || Mean::over(BATCH);
    let (mut plan, mut decision) = ([mean(), mean()], [mean(), mean()]);
    let (mut planned, before) = (0, scheduler.searches());
    let mut searches = before;
    for _ in 0..rounds {
        for (turn, batch) in requests.chunks_exact(BATCH).enumerate() {
            let mut found = [Vec::with_capacity(BATCH), Vec::with_capacity(BATCH)];
            let [by_summary, by_all] = &mut found;
            let start = scheduler.searches();
            let sum = watch.time(batch, |request| {
                let choice = scheduler.plan(request).ok();
                by_summary.push(choice.map(|choice| (choice.plan.window().start, choice.book)));
            });
            plan[0].add(turn, sum);
            (searches, planned) = (searches + scheduler.searches() - start, planned + BATCH);
            let sum = watch.time(batch, |request| {
                by_all.push(best_of_all(&mut books, request))
            });
            plan[1].add(turn, sum);
            assert_eq!(found[0], found[1]);
            let sum = watch.time(batch, |request| {
                if let Ok((book, booking)) = scheduler.reserve(request, CONFIRMED) {
                    scheduler.cancel(book, booking.handle).expect("it lives");
                }
            });
            decision[0].add(turn, sum);
            let sum = watch.time(batch, |request| {
                if let Some((_, book)) = best_of_all(&mut books, request) {
                    let book = &mut books[book];
                    let booked = book.reserve(request, Policy::FirstFit, CONFIRMED);
                    book.cancel(booked.expect("there is room").handle)
                        .expect("it lives");
                }
            });
            decision[1].add(turn, sum);
        }
    }
    Costs {
        plan,
        decision,
        searched: (searches - before) as f64 / planned as f64,
    }
}

/// Asks each book.
fn best_of_all(books: &mut [BoxedBook], request: &Request) -> Option<(Slot, usize)> {
    let numbered = books.iter_mut().enumerate();
    let found = numbered.filter_map(|(number, book)| {
        let plan = book.plan(request, Policy::FirstFit).ok()?;
        Some((plan.window().start, number))
    });
    found.min()
}

/// Part of the books of a fleet, which begin with a certain number, and who was accepted in them.
#[derive(Debug)]
pub struct Part {
    scheduler: MetaScheduler,
    first: usize,
    accepted: Vec<Accepted>,
    proposed: Option<Choice>,
    rng: ChaCha8Rng,
}

impl Part {
    /// Makes so many parts of a fleet, as large as each other.
    #[must_use]
    pub fn of(parts: usize, scheduler: MetaScheduler, accepted: &[Accepted]) -> Vec<Self> {
        let mut books = scheduler.into_books();
        let size = books.len().div_ceil(parts);
        let part = |number: usize| {
            let first = number * size;
            let here = accepted
                .iter()
                .filter(|(book, _)| (first..first + size).contains(book));
            let books = books.drain(..size.min(books.len())).collect();
            Self {
                scheduler: MetaScheduler::new(books).expect("a host has the memory"),
                first,
                accepted: here.map(|(book, handle)| (book - first, *handle)).collect(),
                proposed: None,
                rng: ChaCha8Rng::seed_from_u64(number as u64),
            }
        };
        (0..parts).map(part).collect()
    }

    /// Finds the best book of this part for a request, and returns the start there; `None` if none has room.
    pub fn propose(&mut self, request: &Request) -> Option<Slot> {
        self.proposed = self.scheduler.plan(request).ok();
        self.proposed.map(|choice| choice.plan.window().start)
    }

    /// Reserves as was proposed last, and cancels another reservation of this part. Returns the start and the number of the book.
    ///
    /// # Panics
    ///
    /// When the books are not what they were.
    pub fn decide(&mut self) -> Option<(Slot, usize)> {
        let choice = self.proposed.take()?;
        let made = self.scheduler.commit(&choice, CONFIRMED);
        self.accepted
            .push((choice.book, made.expect("nothing has changed")));
        let leaves = self.rng.random_range(0..self.accepted.len());
        let (of, handle) = self.accepted.swap_remove(leaves);
        self.scheduler.cancel(of, handle).expect("it lives");
        Some((choice.plan.window().start, self.first + choice.book))
    }

    /// How many books were searched.
    #[must_use]
    pub fn searches(&self) -> u64 {
        self.scheduler.searches()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_decide_as_the_whole_where_the_better_one_decides() {
        for (binding, ready) in [
            (Binding::Late, Ready::Sometime),
            (Binding::Early, Ready::Now),
        ] {
            let fleet = Fleet {
                books: 6,
                live: 20,
                binding,
                ready,
                seed: 3,
            };
            // It compares its answers with those of all books.
            let (scheduler, accepted) = fleet.filled();
            let costs = measure(&Stopwatch::calibrated(), fleet, scheduler.clone(), BATCH, 1);
            assert!(costs.searched <= 7.0);
            let mut whole = Part::of(1, scheduler.clone(), &accepted);
            let mut halves = Part::of(2, scheduler, &accepted);
            for request in fleet.requests(4).take(50) {
                let start = whole[0].propose(&request);
                let starts = [0, 1].map(|half: usize| halves[half].propose(&request));
                assert_eq!(start, starts.into_iter().flatten().min());
            }
        }
    }
}
