//! What a meta-scheduler chooses is what asking all books chooses, whatever happens to them.

use bookahead::{
    Alteration, Commitment, Conflict, Error, Handle, PeCount, Policy, Refusal, Request, Slot, Span,
};
use bookahead_heap::{Binding, BoxedBook, Choice, MetaScheduler, Sizes};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The same books twice: under a meta-scheduler, and by themselves, where each is asked.
struct Pair {
    rng: ChaCha8Rng,
    scheduler: MetaScheduler,
    books: Vec<BoxedBook>,
    /// Who was accepted, in which book. Some have ended.
    accepted: Vec<(usize, Handle)>,
    /// The most that requests ask for.
    pes: u32,
    slots: u32,
}

/// The order in which a book checks a request. The reason that is given when no book has a place is that of the book that came farthest.
const CHECKS: [&str; 9] = [
    "zero-duration",
    "zero-pes",
    "too-wide",
    "too-long",
    "ready-in-past",
    "window-too-short",
    "beyond-horizon",
    "table-full",
    "no-room",
];

/// Asks every book.
fn ask_all(books: &mut [BoxedBook], request: &Request) -> Result<(Slot, usize), Error> {
    let mut best = None;
    let mut farthest: Error = Refusal::NoRoom.into();
    let mut reached = None;
    for (number, book) in books.iter_mut().enumerate() {
        match book.plan(request, Policy::FirstFit) {
            Ok(plan) => {
                let start = plan.window().start;
                if best.is_none_or(|(earliest, _)| start < earliest) {
                    best = Some((start, number));
                }
            }
            Err(error) => {
                let check = CHECKS.iter().position(|name| *name == error.name());
                assert!(check.is_some(), "{error}");
                if check > reached {
                    (reached, farthest) = (check, error);
                }
            }
        }
    }
    best.ok_or(farthest)
}

fn chosen(choice: &Choice) -> (Slot, usize) {
    (choice.plan.window().start, choice.book)
}

impl Pair {
    /// Books of which each has so many processing elements and slots at most, and room for so many reservations.
    fn new(seed: u64, number: usize, pes: u16, slots: u32, reservations: usize) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut book = |_| {
            let binding = Binding::ALL[rng.random_range(0..2)];
            let sizes = Sizes {
                pes: rng.random_range(pes.div_ceil(2)..=pes).into(),
                slots: rng.random_range(slots.div_ceil(2)..=slots),
                reservations,
            };
            let mut book = BoxedBook::new(binding, sizes).unwrap();
            book.set_workspace(4, 4).unwrap();
            book
        };
        let books: Vec<BoxedBook> = (0..number).map(&mut book).collect();
        Self {
            scheduler: MetaScheduler::new(books.clone()).unwrap(),
            books,
            rng,
            accepted: Vec::new(),
            pes: pes.into(),
            slots,
        }
    }

    fn now(&mut self) -> u64 {
        let nows = self.books.iter_mut().map(|book| book.now().get());
        nows.max().unwrap_or_default()
    }

    /// A request that mostly makes sense.
    fn request(&mut self) -> Request {
        let now = self.now();
        let rng = &mut self.rng;
        let mut most = |most: u32| {
            let most = rng.random_range(1..=most);
            rng.random_range(0..=most)
        };
        let (pes, duration) = (most(self.pes + 1), most(self.slots / 2 + 1));
        let (ahead, slack) = (most(self.slots), most(self.slots));
        let ready = (now + u64::from(ahead)).saturating_sub(1);
        Request {
            ready: Slot::new(ready),
            duration: Span::new(duration),
            deadline: Slot::new(ready + u64::from(duration + slack).saturating_sub(1)),
            pes: PeCount::new(pes),
        }
    }

    /// Asks both for several requests.
    fn compare(&mut self) {
        for _ in 0..2 {
            let request = self.request();
            let all = ask_all(&mut self.books, &request);
            let choice = self.scheduler.plan(&request);
            assert_eq!(
                choice.as_ref().map(chosen).map_err(|error| *error),
                all,
                "{request:?}"
            );
            if let Ok(choice) = choice {
                assert_eq!(choice.plan.request(), request);
            }
        }
    }

    fn reserve(&mut self) {
        let request = self.request();
        let commitment = match self.rng.random_range(0..4) {
            0 => Commitment::Held {
                ttl: Span::new(self.rng.random_range(1..20)),
            },
            _ => Commitment::Confirmed,
        };
        let all = ask_all(&mut self.books, &request);
        let made = self.scheduler.reserve(&request, commitment);
        let said = made.as_ref().map(|(book, booking)| (booking.start, *book));
        assert_eq!(said.map_err(|error| *error), all, "{request:?}");
        if let Ok((number, booking)) = made {
            let same = self.books[number].reserve(&request, Policy::FirstFit, commitment);
            assert_eq!(same, Ok(booking));
            self.accepted.push((number, booking.handle));
        }
    }

    /// One of those who were accepted.
    fn anybody(&mut self) -> Option<(usize, Handle)> {
        let number = self.accepted.len();
        (number > 0).then(|| self.accepted[self.rng.random_range(0..number)])
    }

    /// Cancels, confirms or completes.
    fn end(&mut self) {
        let Some((number, handle)) = self.anybody() else {
            return;
        };
        let (scheduler, book) = (&mut self.scheduler, &mut self.books[number]);
        match self.rng.random_range(0..6) {
            0 => assert_eq!(scheduler.confirm(number, handle), book.confirm(handle)),
            1 | 2 => {
                let at = Slot::new(book.now().get() + self.rng.random_range(0..9));
                assert_eq!(
                    scheduler.complete(number, handle, at),
                    book.complete(handle, at)
                );
            }
            _ => assert_eq!(scheduler.cancel(number, handle), book.cancel(handle)),
        }
    }

    /// Does something to a book without the meta-scheduler.
    fn behind_its_back(&mut self) {
        let Some((number, handle)) = self.anybody() else {
            return;
        };
        let what = self.rng.random_range(0..6);
        let request = self.request();
        let at = Slot::new(self.now() + self.rng.random_range(0..u64::from(self.slots)));
        let act = |book: &mut BoxedBook, now: Slot| match what {
            0 => book.cancel(handle),
            1 => book.complete(handle, now),
            2 => book.confirm(handle),
            3 => {
                let later = Alteration::Shift { start: at };
                let mut conflict = Conflict::NONE;
                book.alter(handle, later, &mut conflict).map(|_| ())
            }
            4 => book
                .reserve(&request, Policy::PeWorstFit, Commitment::Confirmed)
                .map(|_| ()),
            _ => {
                let to = at.min(now.saturating_add(Span::new(5)));
                while book.next(to)?.is_some() {}
                Ok(())
            }
        };
        let now = self.books[number].now();
        let done = act(self.scheduler.book(number).unwrap(), now);
        assert_eq!(done, act(&mut self.books[number], now));
        // What it still knows of must not be lost by a call of its own.
        if self.rng.random_range(0..3) == 0 {
            self.end();
        }
    }

    /// Lets time pass in all books, or in one of them.
    fn pass(&mut self) {
        let far = self.rng.random_range(0..20) == 0;
        let to = self.now() + self.rng.random_range(0..=if far { 300 } else { 6 });
        let only =
            (self.rng.random_range(0..9) == 0).then(|| self.rng.random_range(0..=self.books.len()));
        for (number, book) in self.books.iter_mut().enumerate() {
            if only.is_some_and(|only| only != number) {
                continue;
            }
            loop {
                let event = book.next(Slot::new(to));
                assert_eq!(self.scheduler.next(number, Slot::new(to)), event);
                match event {
                    Ok(Some(_)) => {}
                    _ => break,
                }
            }
        }
    }

    fn live(&mut self, operations: usize) {
        for _ in 0..operations {
            match self.rng.random_range(0..12) {
                0..6 => self.reserve(),
                6..8 => self.end(),
                8..10 => self.behind_its_back(),
                _ => self.pass(),
            }
            self.compare();
        }
    }
}

#[test]
fn few_books_of_any_size_answer_as_all_of_them() {
    for seed in 0..1_500 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (number, pes) = (rng.random_range(0..6), rng.random_range(1..40));
        // From buckets of one slot to such of 32.
        let most = 1_u32 << rng.random_range(0..17);
        let slots = rng.random_range(1..=most);
        Pair::new(seed, number, pes, slots, 30).live(60);
    }
}

#[test]
fn more_books_than_are_compared_at_once_answer_as_all_of_them() {
    for seed in 0..60 {
        Pair::new(seed, 150, 6, 300, 6).live(150);
    }
}

#[test]
fn long_lives_in_which_buckets_come_again() {
    for seed in 0..20 {
        Pair::new(seed, 4, 9, 500, 60).live(3_000);
    }
}

/// How many of 200 books are searched for a request, on average over the last tenth of them, when the books fill up with jobs that are ready at some time,
/// or at once.
fn searched(binding: Binding, at_once: bool) -> f64 {
    let sizes = Sizes {
        pes: 32,
        slots: 1_000,
        reservations: 1_000,
    };
    let books = (0..200).map(|_| BoxedBook::new(binding, sizes).unwrap());
    let mut scheduler = MetaScheduler::new(books.collect()).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut before = 0;
    for turn in 0..30_000 {
        if turn == 27_000 {
            before = scheduler.searches();
        }
        let duration = rng.random_range(1..50);
        let ready = if at_once { 0 } else { rng.random_range(0..800) };
        let request = Request {
            ready: Slot::new(ready),
            duration: Span::new(duration),
            deadline: Slot::new(if at_once { 1_000 } else { ready + 200 }),
            pes: PeCount::new(rng.random_range(1..9)),
        };
        let reserved = scheduler.reserve(&request, Commitment::Confirmed);
        assert!(reserved.is_ok(), "{request:?}: {reserved:?}");
    }
    (scheduler.searches() - before) as f64 / 3_000.0
}

#[test]
fn long_lives_in_buckets_of_several_slots() {
    for seed in 0..20 {
        Pair::new(seed, 4, 4, 6_000, 60).live(1_500);
    }
}

/// A meta-scheduler of one book of two processing elements.
fn alone(slots: u32) -> MetaScheduler {
    let sizes = Sizes {
        pes: 2,
        slots,
        reservations: 2,
    };
    let book = BoxedBook::new(Binding::Late, sizes).unwrap();
    MetaScheduler::new(vec![book]).unwrap()
}

/// Both processing elements from `start` on.
fn both(start: u32, duration: u32) -> Request {
    Request {
        ready: Slot::new(start.into()),
        duration: Span::new(duration),
        deadline: Slot::new((start + duration).into()),
        pes: PeCount::new(2),
    }
}

#[test]
fn what_ends_far_ahead_is_seen_by_who_starts_long_before() {
    // In buckets of 1, 2 and 16 slots.
    for slots in [1_000, 3_000, 20_000] {
        let mut scheduler = alone(slots);
        for distance in 1..300 {
            // In the book, so that all of the summary is made anew.
            let book = scheduler.book(0).unwrap();
            let ahead = both(distance, 10);
            let booking = book.reserve(&ahead, Policy::FirstFit, Commitment::Confirmed);
            let longer = (1..=distance / 4 + 1).map(|more| both(0, distance + more));
            for request in longer.clone() {
                let refused = scheduler.plan(&request).map(|choice| chosen(&choice));
                assert_eq!(refused, Err(Refusal::NoRoom.into()), "{request:?}");
            }
            scheduler.cancel(0, booking.unwrap().handle).unwrap();
            for request in longer {
                let choice = scheduler.plan(&request).map(|choice| chosen(&choice));
                assert_eq!(choice, Ok((Slot::new(0), 0)), "{request:?}");
            }
        }
    }
}

#[test]
fn the_first_slot_and_the_last_one_are_apart() {
    for slots in [1_024, 4_096, 5_000, 1 << 15] {
        let mut scheduler = alone(slots);
        for now in 1..70 {
            assert_eq!(scheduler.next(0, Slot::new(now)), Ok(None));
            let first = both(now as u32, 1);
            let last = both(now as u32 + slots - 1, 1);
            for (full, free) in [(first, last), (last, first)] {
                let (_, booking) = scheduler.reserve(&full, Commitment::Confirmed).unwrap();
                assert!(scheduler.plan(&full).is_err());
                let choice = scheduler.plan(&free).map(|choice| chosen(&choice));
                assert_eq!(choice, Ok((free.ready, 0)), "{slots} slots from {now} on");
                scheduler.cancel(0, booking.handle).unwrap();
            }
        }
    }
}

#[test]
fn most_books_are_not_searched() {
    // Sets are summarised as counts, so with early binding more of them are searched in vain.
    for (binding, at_once, most) in [
        (Binding::Late, false, 2.0),
        (Binding::Late, true, 6.0),
        (Binding::Early, false, 6.0),
        (Binding::Early, true, 7.0),
    ] {
        let mean = searched(binding, at_once);
        let name = binding.name();
        assert!(mean < most, "{name}, at once: {at_once}: {mean} of 200");
    }
}

#[test]
fn who_changes_no_capacity_costs_no_search() {
    let mut pair = Pair::new(5, 100, 8, 400, 50);
    for _ in 0..400 {
        pair.reserve();
    }
    let wide = Request {
        ready: Slot::new(0),
        duration: Span::new(200),
        deadline: Slot::new(400),
        pes: PeCount::new(8),
    };
    let searches = |pair: &mut Pair| {
        let before = pair.scheduler.searches();
        let _ = pair.scheduler.plan(&wide);
        pair.scheduler.searches() - before
    };
    let before = searches(&mut pair);
    // Books that are only looked at stay as they are known.
    for number in 0..100 {
        let book = pair.scheduler.book(number).unwrap();
        assert!(book.len() <= book.capacity());
    }
    assert_eq!(searches(&mut pair), before);
    assert!(before < 20, "{before}");
}
