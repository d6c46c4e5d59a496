//! Many books, and the best of them for each request.

mod summary;

use alloc::{vec, vec::Vec};

use bookahead::{
    Booking, Commitment, Error, Event, EventKind, Handle, PeCount, Plan, Policy, Refusal, Request,
    Slot, Span, UsageError, Version, Window, raw::ProfileStep,
};

use crate::{BoxedBook, SizeError};
use summary::{GROUP, Summary};

/// Where a [`MetaScheduler`] would place a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The number of the book.
    pub book: usize,
    /// The plan of that book.
    pub plan: Plan,
}

/// A meta-scheduler: it owns many books, each of another machine, and places each request in the one where it can start first, by first fit; of books with
/// the same start, in
/// the one with the lowest number. It answers as if all books were asked, and asks few of them, since it keeps a summary of each.
///
/// A summary divides the horizon into at most 2,048 buckets. For each bucket and each power of two, it says how long a run of slots with so many free
/// processing elements
/// begins in the bucket at most. A book is searched only if its summary allows a start that is better than the best one found. With early binding, such a
/// run does not
/// mean that the same processing elements are free throughout, so more books are searched in vain.
///
/// Each call that changes a book brings its summary up to date. What is done to a book that was lent by [`book`](Self::book) is recognised by the version of
/// the book, and the whole summary
/// is made anew before the next decision. Therefore a lent book that is restored from a snapshot needs another incarnation, as it does for plans.
///
/// The books may differ in size, binding and `now`. Time passes in each of them by [`next`](Self::next).
///
/// ```
/// use bookahead::{Commitment, PeCount, Request, Slot, Span};
/// use bookahead_heap::{Binding, BoxedBook, MetaScheduler, Sizes};
///
/// let sizes = Sizes { pes: 16, slots: 1_000, reservations: 50 };
/// let books = (0..3).map(|_| BoxedBook::new(Binding::Late, sizes)).collect::<Result<_, _>>()?;
/// let mut sites = MetaScheduler::new(books)?;
/// let request = Request { ready: Slot::new(5), duration: Span::new(100), deadline: Slot::new(900), pes: PeCount::new(12) };
/// for number in 0..3 {
///     let (book, booking) = sites.reserve(&request, Commitment::Confirmed).unwrap();
///     assert_eq!((book, booking.start), (number, Slot::new(5)));
/// }
/// // No book has room for a fourth one before a hundred slots later.
/// let choice = sites.plan(&request).unwrap();
/// assert_eq!((choice.book, choice.plan.window().start), (0, Slot::new(105)));
/// // Each time, no other book was searched.
/// assert_eq!(sites.searches(), 4);
/// # Ok::<(), bookahead_heap::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MetaScheduler {
    books: Vec<BoxedBook>,
    known: Vec<Known>,
    /// The books that were lent since the last decision.
    lent: Vec<usize>,
    summary: Summary,
    /// A bit for each book: whether it was asked for the present request.
    asked: Vec<u64>,
    searches: u64,
}

/// What is known of a book beside its summary.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The version that the summary is of.
    version: Version,
    pes: PeCount,
    /// The end of its horizon.
    end: Slot,
    lent: bool,
    /// Its last answer was that its table is full.
    full: bool,
}

/// A start, and the number of the book.
type Found = (Slot, usize);

impl MetaScheduler {
    /// Creates a meta-scheduler over these books, which it numbers from 0 on. O(books x (steps of the profile + buckets x log PEs)).
    ///
    /// # Errors
    ///
    /// [`SizeError`] when there is not enough memory for the summaries, of which [`bytes`](Self::bytes) says how much it is.
    pub fn new(mut books: Vec<BoxedBook>) -> Result<Self, SizeError> {
        let pes = books.iter_mut().map(|book| book.pes()).max();
        let horizon = books.iter_mut().map(|book| book.horizon()).max();
        let groups = books.len().div_ceil(GROUP);
        let summary = Summary::new(groups, pes.unwrap_or_default(), horizon.unwrap_or_default())?;
        let known = books.iter_mut().map(|book| Known {
            version: book.version(),
            pes: book.pes(),
            end: Slot::default(),
            lent: false,
            full: false,
        });
        let mut scheduler = Self {
            known: known.collect(),
            asked: vec![0; groups],
            lent: Vec::new(),
            books,
            summary,
            searches: 0,
        };
        for number in 0..scheduler.books.len() {
            scheduler.look_at(number);
            scheduler.summarise_all(number);
        }
        Ok(scheduler)
    }

    /// Returns the bytes that a meta-scheduler takes beside its books: for so many books, of which the largest has so many processing elements and the
    /// longest such a horizon.
    ///
    /// The summaries take books, rounded up to a multiple of 64, x buckets x binary digits of the number of processing elements. There are as many buckets
    /// as the horizon needs, and one; a bucket is
    /// the least power of two of slots of which at most 2,048 cover the horizon. Each book takes 32 bytes more, and 64 books 8.
    ///
    /// ```
    /// use bookahead::{PeCount, Span};
    /// use bookahead_heap::MetaScheduler;
    /// let bytes = MetaScheduler::bytes(1_000, PeCount::new(1_024), Span::new(28_672));
    /// assert_eq!(bytes, 16 * 1_793 * 11 * 64 + 1_000 * 32 + 16 * 8);
    /// ```
    #[must_use]
    pub const fn bytes(books: usize, pes: PeCount, horizon: Span) -> usize {
        let groups = books.div_ceil(GROUP);
        Summary::bytes(groups, pes, horizon)
            + books * size_of::<Known>()
            + groups * size_of::<u64>()
    }

    /// Returns the books, in their order. O(1).
    #[must_use]
    pub fn into_books(self) -> Vec<BoxedBook> {
        self.books
    }

    /// Returns the number of books. O(1).
    #[must_use]
    pub const fn len(&self) -> usize {
        self.books.len()
    }

    /// Returns whether there is no book. O(1).
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.books.is_empty()
    }

    /// Returns how many books have been searched for a start since the beginning, all decisions together. O(1).
    #[must_use]
    pub const fn searches(&self) -> u64 {
        self.searches
    }

    /// Returns a book, for whatever is to be asked of it or done to it; `None` if there is none with that number. O(1), and when it has changed
    /// O(steps of its profile + buckets x log PEs) before the next decision.
    pub fn book(&mut self, number: usize) -> Option<&mut BoxedBook> {
        let known = self.known.get_mut(number)?;
        if !known.lent {
            known.lent = true;
            self.lent.push(number);
        }
        self.books.get_mut(number)
    }

    /// Returns where and when `request` can start first, without changing a book.
    ///
    /// Books are visited in the order of the starts that their summaries allow, a bucket at a time, and of their numbers; the visit ends when no other book
    /// can be better. O(books / 64 x buckets of the window) for the summaries, and a
    /// first fit for each book that is searched, which is so once at most, or twice if no book has a place.
    ///
    /// # Errors
    ///
    /// Those of [`Book::plan`](bookahead::Book::plan) if no book has a place: of the book that comes farthest in the order in which they are checked there.
    /// [`Refusal::NoRoom`] if there is no book.
    pub fn plan(&mut self, request: &Request) -> Result<Choice, Error> {
        self.settle();
        let Some((start, book)) = self.best(request) else {
            return Err(self.refusal(request));
        };
        let plan = Plan::new(*request, start, self.books[book].version());
        let plan = plan.ok_or(UsageError::StalePlan)?;
        Ok(Choice { book, plan })
    }

    /// Commits a choice, that is, makes its reservation. As [`Book::commit`](bookahead::Book::commit), and O(duration + log PEs) for the summary.
    ///
    /// # Errors
    ///
    /// Those of [`Book::commit`](bookahead::Book::commit), and [`UsageError::UnknownHandle`] if there is no book with that number.
    pub fn commit(&mut self, choice: &Choice, commitment: Commitment) -> Result<Handle, Error> {
        let window = choice.plan.window();
        self.change(choice.book, |book| {
            Ok((book.commit(&choice.plan, commitment)?, Some(window)))
        })
    }

    /// Reserves for `request` in the best book, and returns its number: [`plan`](Self::plan), then [`commit`](Self::commit), with their costs.
    ///
    /// # Errors
    ///
    /// Theirs.
    pub fn reserve(
        &mut self,
        request: &Request,
        commitment: Commitment,
    ) -> Result<(usize, Booking), Error> {
        let choice = self.plan(request)?;
        let handle = self.commit(&choice, commitment)?;
        let start = choice.plan.window().start;
        Ok((choice.book, Booking { handle, start }))
    }

    /// Confirms a held reservation of a book. As [`Book::confirm`](bookahead::Book::confirm).
    ///
    /// # Errors
    ///
    /// Those of [`Book::confirm`](bookahead::Book::confirm), also [`UsageError::UnknownHandle`] if there is no book with that number.
    pub fn confirm(&mut self, book: usize, handle: Handle) -> Result<(), Error> {
        self.change(book, |book| Ok((book.confirm(handle)?, None)))
    }

    /// Cancels a reservation of a book. As [`Book::cancel`](bookahead::Book::cancel), and O(duration + log PEs) for the summary.
    ///
    /// # Errors
    ///
    /// Those of [`Book::cancel`](bookahead::Book::cancel), also [`UsageError::UnknownHandle`] if there is no book with that number.
    pub fn cancel(&mut self, book: usize, handle: Handle) -> Result<(), Error> {
        self.change(book, |book| {
            let window = book.get(handle)?.window;
            Ok((book.cancel(handle)?, Some(window)))
        })
    }

    /// Completes a running job of a book. As [`Book::complete`](bookahead::Book::complete), and O(duration + log PEs) for the summary.
    ///
    /// # Errors
    ///
    /// Those of [`Book::complete`](bookahead::Book::complete), also [`UsageError::UnknownHandle`] if there is no book with that number.
    pub fn complete(&mut self, book: usize, handle: Handle, at: Slot) -> Result<(), Error> {
        self.change(book, |book| {
            let window = book.get(handle)?.window;
            Ok((book.complete(handle, at)?, Some(window)))
        })
    }

    /// Returns the next event of a book on the way to `to`, as [`Book::next`](bookahead::Book::next). Costs as that, and O(books x log PEs) for each bucket
    /// that the horizon newly reaches, once for all books. A hold that expires costs what a [change by itself](Self::book) does.
    ///
    /// # Errors
    ///
    /// Those of [`Book::next`](bookahead::Book::next), also [`UsageError::UnknownHandle`] if there is no book with that number.
    pub fn next(&mut self, number: usize, to: Slot) -> Result<Option<Event>, Error> {
        let event = self.change(number, |book| Ok((book.next(to)?, None)))?;
        self.look_at(number);
        match event.map(|event| event.kind) {
            // Nothing that is still to come becomes free.
            None
            | Some(
                EventKind::Completed
                | EventKind::EndReached
                | EventKind::Missed
                | EventKind::Started
                | EventKind::StartFixed,
            ) => {}
            Some(_) => self.summarise_all(number),
        }
        Ok(event)
    }

    /// Does something to a book that changes nothing outside the window that is returned with the answer. The summary follows, unless it has to be made anew
    /// anyway.
    fn change<Answer>(
        &mut self,
        number: usize,
        action: impl FnOnce(&mut BoxedBook) -> Result<(Answer, Option<Window>), Error>,
    ) -> Result<Answer, Error> {
        let place = self.books.get_mut(number).zip(self.known.get_mut(number));
        let (book, known) = place.ok_or(UsageError::UnknownHandle)?;
        let summarised = known.version == book.version();
        let (answer, window) = action(book)?;
        known.full = false;
        if summarised {
            known.version = book.version();
            if let Some(window) = window {
                self.summarise(number, window);
            }
        }
        Ok(answer)
    }

    /// Catches up with what was done to the books that were lent.
    fn settle(&mut self) {
        while let Some(number) = self.lent.pop() {
            self.look_at(number);
            let known = &mut self.known[number];
            (known.lent, known.full) = (false, false);
            if known.version != self.books[number].version() {
                self.summarise_all(number);
            }
        }
    }

    /// Notes how far time has passed in a book.
    fn look_at(&mut self, number: usize) {
        let book = &mut self.books[number];
        self.known[number].end = book.now().saturating_add(book.horizon());
        self.summary.move_on(book.now());
    }

    /// Makes the summary of a book anew.
    fn summarise_all(&mut self, number: usize) {
        let book = &mut self.books[number];
        self.known[number].version = book.version();
        let window = Window {
            start: book.now(),
            end: book.now().saturating_add(book.horizon()),
        };
        self.summarise(number, window);
    }

    /// Makes the summary of a book say what has become of this window.
    fn summarise(&mut self, number: usize, window: Window) {
        let book = &mut self.books[number];
        let mut steps = book.profile(self.summary.to_know(window));
        // What the horizon has not reached yet is free, or the entries there would be wrong when it does.
        steps.push(ProfileStep {
            at: book.now().saturating_add(book.horizon()),
            busy: PeCount::ZERO,
        });
        let pes = self.known[number].pes;
        self.summary.note(number, pes, window, &steps);
    }

    /// Returns the first start in any book, and the lowest number of a book with it.
    fn best(&mut self, request: &Request) -> Option<Found> {
        let latest = request.latest_start()?;
        self.asked.fill(0);
        let mut best = None;
        for number in self.summary.bucket(request.ready)..=self.summary.bucket(latest) {
            // No book that was not asked has a start before this one.
            let bound = self.summary.start_of(number).max(request.ready);
            if is_reached(best, (bound, 0)) {
                break;
            }
            best = self.best_in_bucket(number, bound, request, best);
            if self.asked.iter().all(|asked| *asked == u64::MAX) {
                break;
            }
        }
        best
    }

    /// Asks each book that was not asked before and may have a start in a bucket, from `bound` on; as long as it may be better than the best so far.
    fn best_in_bucket(
        &mut self,
        number: u64,
        bound: Slot,
        request: &Request,
        mut best: Option<Found>,
    ) -> Option<Found> {
        for group in 0..self.asked.len() {
            let may_start = self
                .summary
                .may_start(number, group, request.pes, request.duration);
            let mut books = may_start & !self.asked[group];
            self.asked[group] |= books;
            while books != 0 {
                let book = group * GROUP + books.trailing_zeros() as usize;
                if book >= self.books.len() || is_reached(best, (bound, book)) {
                    return best;
                }
                best = self.ask(book, request, best).or(best);
                books &= books - 1;
            }
        }
        best
    }

    /// Returns the start of `request` in a book, if it is better than the best so far.
    fn ask(&mut self, number: usize, request: &Request, best: Option<Found>) -> Option<Found> {
        let (book, known) = (&mut self.books[number], &mut self.known[number]);
        // The book would say that, but not if its deadline was brought forward.
        if known.full || request.deadline > known.end {
            return None;
        }
        let mut better = *request;
        if let Some((start, of)) = best {
            let end = start.saturating_add(request.duration);
            better.deadline = end.saturating_sub(Span::new((number > of).into()));
        }
        self.searches += 1;
        match book.plan(&better, Policy::FirstFit) {
            Ok(plan) => Some((plan.window().start, number)),
            Err(error) => {
                known.full = error == Refusal::TableFull.into();
                None
            }
        }
    }

    /// Returns why no book has a place.
    fn refusal(&mut self, request: &Request) -> Error {
        let no_room = Error::from(Refusal::NoRoom);
        let mut farthest = None;
        for book in &mut self.books {
            if let Err(error) = book.plan(request, Policy::FirstFit) {
                farthest = farthest.max(CHECKS.iter().position(|check| *check == error));
                if error == no_room {
                    self.searches += 1;
                    break;
                }
            }
        }
        farthest.map_or(no_room, |check| CHECKS[check])
    }
}

/// Whether the best so far is as good as what may be found at best.
fn is_reached(best: Option<Found>, bound: Found) -> bool {
    best.is_some_and(|best| best <= bound)
}

/// The order in which a book checks a request.
const CHECKS: [Error; 9] = [
    Error::Misused(UsageError::ZeroDuration),
    Error::Misused(UsageError::ZeroPes),
    Error::Refused(Refusal::TooWide),
    Error::Refused(Refusal::TooLong),
    Error::Refused(Refusal::ReadyInPast),
    Error::Refused(Refusal::WindowTooShort),
    Error::Refused(Refusal::BeyondHorizon),
    Error::Refused(Refusal::TableFull),
    Error::Refused(Refusal::NoRoom),
];
