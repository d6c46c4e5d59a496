//! Several books decided together: nodes and licences, bandwidth, space.

mod alter;
mod member;
#[cfg(feature = "quota")]
mod quota;

use core::fmt;

use heapless::Vec;

use crate::{
    book::check_hold,
    error::{Error, Refusal, UsageError},
    event::Event,
    fit::Job,
    handle::Handle,
    ledger::Row,
    pe::PeCount,
    request::Request,
    time::{Slot, Span},
};
use member::Asker;
pub use member::{Need, Resource};
#[cfg(feature = "quota")]
pub use quota::{Period, Quota};

/// A part of a joint reservation: a reservation of one of several books. Each part stands for the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct BookPart {
    /// The place of the book among the books.
    pub book: u32,
    /// The handle of the part in that book.
    pub handle: Handle,
}

/// Memory beside a row of one of several books: which reservation of another book belongs to the one in the row. The parts of a joint reservation lead from
/// one to the next, and the last to the first. 16 bytes, of which no bit pattern is invalid; zeros say that the reservation is alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Tie {
    /// That of the handle of the reservation in the row: the tie of an earlier one is none.
    generation: u32,
    next: BookPart,
}

impl Tie {
    /// No tie.
    pub const NONE: Self = Self {
        generation: 0,
        next: BookPart {
            book: 0,
            handle: Handle::from_bits(0),
        },
    };
}

impl Default for Tie {
    fn default() -> Self {
        Self::NONE
    }
}

/// One of several books, with the memory that is lent beside it: a [`Tie`] for each reservation that it has room for.
pub struct Joined<'b> {
    /// The book.
    pub book: &'b mut dyn Resource,
    /// The ties of its rows, the same in each view of the same books in the same order, as ties name books by their places. A view of other books, such as the quota of another user, needs
    /// ties of its own, or each takes what the other has made for torn.
    pub ties: &'b mut [Tie],
}

/// A request to several books at once: the same slots in each, and what is needed of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointRequest<'q> {
    /// Earliest start.
    pub ready: Slot,
    /// Length of the run.
    pub duration: Span,
    /// Latest end, exclusive.
    pub deadline: Slot,
    /// What is needed of each book, in the order of the books.
    pub needs: &'q [Need],
}

/// A joint reservation that has just been made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct JointBooking {
    /// The part in the first book of which something is needed.
    pub part: BookPart,
    /// The slot at which all parts start.
    pub start: Slot,
}

/// Why several books did not do what they were asked, and which of them. All are bit for bit as they were, except for scratch memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct JointError {
    /// The place of the book that is the reason; `None` if it is no single one, as when each has room, but never all at once.
    pub book: Option<u32>,
    /// What that book says, or all of them.
    pub error: Error,
}

impl fmt::Display for JointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.book {
            Some(book) => write!(f, "book {book}: {}", self.error),
            None => self.error.fmt(f),
        }
    }
}

impl core::error::Error for JointError {}

impl JointError {
    fn of(book: u32) -> impl Fn(Error) -> Self {
        move |error| Self {
            book: Some(book),
            error,
        }
    }

    fn of_all(error: impl Into<Error>) -> Self {
        Self {
            book: None,
            error: error.into(),
        }
    }
}

/// Up to eight books decided together, each for another resource: nodes, licences, bandwidth, space. A view of books and of memory beside them, to be made
/// for each call or kept.
///
/// A joint reservation has a part in each book of which it needs something. All parts start and end together: whoever confirms, cancels, completes or
/// [alters](Self::alter) one does it to all. The window of a part is exactly its run, so nothing moves it away from the others. How much a part has is its book's own
/// matter. Reservations of a single book are made in that book or here; here they are their own only part.
///
/// Between the views, each book can be used by itself. If a part has been changed so, or is lost to an outage, the next call for its reservation says which
/// book it is in ([`StaleHandle`](UsageError::StaleHandle), [`PartsApart`](UsageError::PartsApart)) and changes nothing, and [`end_torn`](Self::end_torn) ends what is left of it.
/// Time passes for all books at once, by [`next`](Self::next). Best-effort jobs of a queue do not start in it.
///
/// ```
/// use bookahead::{CountBook, EventKind, JointRequest, Joined, Need, PeCount, Refusal, Several, Slot, Span, Tie};
/// // A machine of 16 nodes, and a pool of 3 licences.
/// let mut nodes = CountBook::<1, 16, 8>::new(PeCount::new(16), Span::new(64)).unwrap();
/// let mut licences = CountBook::<1, 3, 8>::new(PeCount::new(3), Span::new(64)).unwrap();
/// let (mut nodes, mut licences) = (nodes.view(), licences.view());
/// let mut ties = [[Tie::NONE; 8]; 2];
/// let [of_nodes, of_licences] = &mut ties;
/// let mut books = [
///     Joined { book: &mut nodes, ties: of_nodes },
///     Joined { book: &mut licences, ties: of_licences },
/// ];
/// let mut site = Several::new(&mut books)?;
///
/// // Four nodes and two licences for ten slots, as early as both are there.
/// let needs = [4, 2].map(|pes| Need::new(PeCount::new(pes)));
/// let request = JointRequest { ready: Slot::new(0), duration: Span::new(10), deadline: Slot::new(25), needs: &needs };
/// let first = site.reserve(&request, None, 1_000)?;
/// let second = site.reserve(&request, None, 1_000)?;
/// assert_eq!((first.start, second.start), (Slot::new(0), Slot::new(10)));
///
/// // There are nodes enough for a third one, and no licences.
/// let refused = site.reserve(&request, None, 1_000).unwrap_err();
/// assert_eq!((refused.book, refused.error), (Some(1), Refusal::NoRoom.into()));
///
/// // Both parts start, and one event tells of it.
/// let (part, event) = site.next(Slot::new(5))?.unwrap();
/// assert_eq!((part, event.kind), (first.part, EventKind::Started));
/// assert_eq!(site.next(Slot::new(5))?, None);
/// site.cancel(part)?;
/// assert_eq!((nodes.len(), licences.len()), (1, 1));
/// # Ok::<(), bookahead::JointError>(())
/// ```
pub struct Several<'s, 'b> {
    books: &'s mut [Joined<'b>],
}

/// The parts of a joint reservation.
type Parts = Vec<BookPart, { Several::MOST }>;
/// What looks for a common start, each in its book, and the job that it is there.
type Asked = Vec<(u32, Asker, Job), { Several::MOST }>;

impl<'s, 'b> Several<'s, 'b> {
    /// How many books can be decided together.
    pub const MOST: usize = 8;

    /// Creates a view of these books, which have the same slots. O(books).
    ///
    /// # Errors
    ///
    /// [`UsageError::TooManyParts`] for no book or more than [`MOST`](Self::MOST); for one book after the other [`UsageError::BooksApart`] if it is at another
    /// instant than the first one or covers another number of slots, [`Refusal::ScratchTooShort`] if it has more rows than ties; a book that is alone needs none.
    pub fn new(books: &'s mut [Joined<'b>]) -> Result<Self, JointError> {
        let axis = |joined: &Joined<'_>| {
            let axis = joined.book.axis();
            (axis.now(), axis.horizon())
        };
        let first = books.first().map(axis);
        if first.is_none() || books.len() > Self::MOST {
            return Err(JointError::of_all(UsageError::TooManyParts));
        }
        for (number, joined) in (0..).zip(books.iter()) {
            if Some(axis(joined)) != first {
                return Err(JointError::of(number)(UsageError::BooksApart.into()));
            }
            if books.len() > 1 && joined.ties.len() < joined.book.rows() {
                return Err(JointError::of(number)(Refusal::ScratchTooShort.into()));
            }
        }
        Ok(Self { books })
    }

    /// Reserves in all books of which something is needed, or in none: at the first start at which each of them has room, by first fit. Confirmed, or
    /// held for so many slots. `work` bounds the search, in slots searched.
    ///
    /// Each book in turn is asked for its earliest start from the latest that was found on, until all have agreed to one. O(rounds x books x first fit), where
    /// each round but the last moves the start, mostly one or two; committing as in each book.
    ///
    /// # Errors
    ///
    /// Of all books [`UsageError::ZeroHold`], [`UsageError::BadNeeds`] unless there is one need for each book, [`UsageError::ZeroPes`] if nothing is needed. Of one
    /// book after the other, those of [`Book::plan`](crate::Book::plan) but for `NoRoom`. [`Refusal::WorkLimit`], of the book that would have been searched.
    /// [`Refusal::NoRoom`]: of the first book that has no room in the whole window, however it is elsewhere, or of none.
    pub fn reserve(
        &mut self,
        request: &JointRequest<'_>,
        hold: Option<Span>,
        work: u64,
    ) -> Result<JointBooking, JointError> {
        check_hold(hold).map_err(JointError::of_all)?;
        let mut asked = Asked::new();
        self.ask_for(&mut asked, request)?;
        let offset = self.common_start(&asked, work)?;
        let mut parts = Parts::new();
        for (book, asker, job) in &asked {
            // Cannot fail: there is room, and a vacant row. The reservation's own window is exactly its run.
            let run = Job {
                ready: offset,
                latest: offset,
                ..*job
            };
            let handle = self.ask(*book, |member| member.book_at(*asker, &run, hold))?;
            let _ = parts.push(BookPart {
                book: *book,
                handle,
            });
        }
        self.tie(&parts);
        let start = self.slot(offset);
        let part = parts.first().copied();
        part.map(|part| JointBooking { part, start })
            .ok_or(JointError::of_all(UsageError::ZeroPes))
    }

    /// Returns the start that [`reserve`](Self::reserve) would give. For one that is refused, with a later deadline, when it would not be. Costs as `reserve` without committing.
    ///
    /// # Errors
    ///
    /// Those of [`reserve`](Self::reserve), and nothing is changed.
    pub fn earliest(&mut self, request: &JointRequest<'_>, work: u64) -> Result<Slot, JointError> {
        let mut asked = Asked::new();
        self.ask_for(&mut asked, request)?;
        let offset = self.common_start(&asked, work)?;
        Ok(self.slot(offset))
    }

    /// Notes what is asked of which book.
    fn ask_for(&mut self, asked: &mut Asked, request: &JointRequest<'_>) -> Result<(), JointError> {
        if request.needs.len() != self.books.len() {
            return Err(JointError::of_all(UsageError::BadNeeds));
        }
        let times = Request {
            ready: request.ready,
            duration: request.duration,
            deadline: request.deadline,
            pes: PeCount::ZERO,
        };
        let needs = (0..).zip(request.needs);
        needs
            .filter(|(_, need)| need.pes != PeCount::ZERO)
            .try_for_each(|(book, need)| self.admit(asked, book, Asker::Newcomer(*need), &times))
    }

    /// Notes what an asker wants of a book between these times, apart from free processing elements.
    fn admit(
        &mut self,
        asked: &mut Asked,
        book: u32,
        asker: Asker,
        times: &Request,
    ) -> Result<(), JointError> {
        let job = self.ask(book, |member| member.admit(asker, times))?;
        // Cannot fail: there is room for all books.
        let _ = asked.push((book, asker, job));
        Ok(())
    }

    /// Returns the parts of the reservation that `part` is of, from that one on in the order of the books. O(parts).
    ///
    /// # Errors
    ///
    /// [`UsageError::UnknownHandle`] also for a book that is not there, [`UsageError::StaleHandle`]; of the book where somebody has changed a part by itself,
    /// [`UsageError::StaleHandle`] if it is gone and [`UsageError::PartsApart`] if it is not as the one that was asked for.
    pub fn parts(&self, part: BookPart) -> Result<Vec<BookPart, { Several::MOST }>, JointError> {
        let mut parts = Parts::new();
        let (first, mut tie) = self.look_up(part)?;
        let mut at = part;
        while parts.push(at).is_ok() {
            match tie {
                Some(next) if next != part => at = next,
                None if parts.len() > 1 => break,
                _ => return Ok(parts),
            }
            let row;
            (row, tie) = self.look_up(at)?;
            if !first.stands_as(&row) {
                break;
            }
        }
        Err(JointError::of(at.book)(UsageError::PartsApart.into()))
    }

    /// Confirms all parts of a held reservation. O(parts x log rows).
    ///
    /// # Errors
    ///
    /// Those of [`parts`](Self::parts) and of [`Book::confirm`](crate::Book::confirm).
    pub fn confirm(&mut self, part: BookPart) -> Result<(), JointError> {
        self.each(part, |member, handle| member.confirm_part(handle))
    }

    /// Cancels all parts of a reservation in any state. O(parts) cancellations.
    ///
    /// # Errors
    ///
    /// Those of [`parts`](Self::parts).
    pub fn cancel(&mut self, part: BookPart) -> Result<(), JointError> {
        self.each(part, |member, handle| member.cancel_part(handle))
    }

    /// Completes all parts of a running reservation at `at`, as [`Book::complete`](crate::Book::complete). O(parts) completions.
    ///
    /// # Errors
    ///
    /// Those of [`parts`](Self::parts) and of [`Book::complete`](crate::Book::complete).
    pub fn complete(&mut self, part: BookPart, at: Slot) -> Result<(), JointError> {
        self.each(part, |member, handle| member.complete_part(handle, at))
    }

    /// Returns the next event on the way to `to` in any book, and the part that it is of, with `now` of all books moved to its slot; `None` when there is no
    /// more and `now` is `to`. What happens to a part happens to all, and is told once, of the part in the first book. As [`Book::next`](crate::Book::next), which says
    /// in which order; among books, the one of a slot and kind that is due in the first book comes first.
    /// O(books), and the costs of `next` for each.
    ///
    /// # Errors
    ///
    /// [`UsageError::TimeWentBack`], [`UsageError::EndOfTime`]; those of [`parts`](Self::parts) when a reservation is due of which a part was changed by itself.
    pub fn next(&mut self, to: Slot) -> Result<Option<(BookPart, Event)>, JointError> {
        let now = self.books.first().map(|joined| joined.book.axis().now());
        if Some(to) < now {
            return Err(JointError::of_all(UsageError::TimeWentBack));
        }
        if to > Slot::LAST_NOW {
            return Err(JointError::of_all(UsageError::EndOfTime));
        }
        let books = (0..).zip(self.books.iter());
        let due = books.filter_map(|(book, joined)| Some((joined.book.due()?, book)));
        let due = due.filter(|((at, ..), _)| *at <= to);
        let Some(((at, _, row), book)) = due.min_by_key(|((at, phase, _), _)| (*at, *phase)) else {
            self.move_now(to);
            return Ok(None);
        };
        let place = self.books.get(book as usize);
        let row = place.and_then(|joined| Some((joined.book.row(row)?, row)));
        let Some((handle, at)) = row.map(|(row, index)| (row.handle(index), row.happens_at(at)))
        else {
            return Ok(None);
        };
        let parts = self.parts(BookPart { book, handle })?;
        self.move_now(at);
        let mut told = None;
        for part in parts {
            let event = self.ask(part.book, |member| {
                Ok(member.happen(part.handle.index(), to))
            })?;
            told = told.or(Some((part, event)));
        }
        Ok(told)
    }

    /// Returns a part that is there without all the others being there as it is, if there is one: the invariant of several books. O(rows x parts).
    #[must_use]
    pub fn torn(&self) -> Option<BookPart> {
        let books = (0..).zip(self.books.iter());
        let mut parts = books.flat_map(|(book, joined)| {
            let rows = (0..joined.book.rows()).filter_map(|index| {
                let row = joined.book.row(index).filter(Row::is_live)?;
                Some(row.handle(index))
            });
            rows.map(move |handle| BookPart { book, handle })
        });
        parts.find(|part| self.parts(*part).is_err())
    }

    /// Cancels a part that is [torn](Self::torn), and returns it, if there is one; to be called until there is none, after an outage or whatever else was done to a book by itself.
    /// O(rows x parts).
    pub fn end_torn(&mut self) -> Option<BookPart> {
        let part = self.torn()?;
        let ended = self.ask(part.book, |member| member.cancel_part(part.handle));
        ended.ok().map(|()| part)
    }

    /// Does to each part what is done to one. Parts stand as each other, so what the first one allows all do.
    fn each(
        &mut self,
        part: BookPart,
        mut action: impl FnMut(&mut (dyn Resource + 'b), Handle) -> Result<(), Error>,
    ) -> Result<(), JointError> {
        for part in self.parts(part)? {
            self.ask(part.book, |member| action(member, part.handle))?;
        }
        Ok(())
    }

    /// Asks one of the books.
    fn ask<Answer>(
        &mut self,
        book: u32,
        action: impl FnOnce(&mut (dyn Resource + 'b)) -> Result<Answer, Error>,
    ) -> Result<Answer, JointError> {
        let joined = self.books.get_mut(book as usize);
        let answer = match joined {
            Some(joined) => action(joined.book),
            None => Err(UsageError::UnknownHandle.into()),
        };
        answer.map_err(JointError::of(book))
    }

    /// Returns the row of a part, and the part that its tie leads to.
    fn look_up(&self, part: BookPart) -> Result<(Row<u32>, Option<BookPart>), JointError> {
        let unknown = JointError::of(part.book)(UsageError::UnknownHandle.into());
        let joined = self.books.get(part.book as usize).ok_or(unknown)?;
        let (index, row) = joined
            .book
            .find(part.handle)
            .map_err(JointError::of(part.book))?;
        let tie = joined.ties.get(index);
        // A book that is alone has no parts elsewhere, whatever the ties that it has with others say.
        let tie =
            tie.filter(|tie| self.books.len() > 1 && tie.generation == part.handle.generation);
        Ok((row, tie.map(|tie| tie.next)))
    }

    /// Ties parts to each other.
    fn tie(&mut self, parts: &[BookPart]) {
        let others = parts.iter().cycle().skip(1);
        for (part, next) in parts.iter().zip(others).filter(|_| parts.len() > 1) {
            let joined = self.books.get_mut(part.book as usize);
            if let Some(tie) = joined.and_then(|joined| joined.ties.get_mut(part.handle.index())) {
                *tie = Tie {
                    generation: part.handle.generation,
                    next: *next,
                };
            }
        }
    }

    fn move_now(&mut self, to: Slot) {
        for joined in self.books.iter_mut() {
            joined.book.move_now(to);
        }
    }

    /// Returns the first start at which each asker has room in its book.
    fn common_start(&mut self, asked: &Asked, mut work: u64) -> Result<usize, JointError> {
        let mut agreed = 0_usize;
        let mut start = asked.first().map_or(0, |(.., job)| job.ready);
        // Each round moves the start, or one more book agrees to it.
        for (book, asker, job) in asked.iter().cycle() {
            let from = Job {
                ready: start,
                ..*job
            };
            let reach = from.window(from.latest).end.saturating_sub(start);
            let cost = reach.saturating_add(from.duration);
            let limit = JointError::of(*book)(Refusal::WorkLimit.into());
            work = work.checked_sub(cost as u64).ok_or(limit)?;
            match self.ask(*book, |member| Ok(member.earliest(*asker, &from)))? {
                None => return Err(self.without_room(asked)),
                Some(found) if found == start => agreed = agreed.saturating_add(1),
                Some(later) => (start, agreed) = (later, 1),
            }
            if agreed == asked.len() {
                return Ok(start);
            }
        }
        Err(JointError::of_all(UsageError::ZeroPes))
    }

    /// Says which book has no start at all, however it is elsewhere.
    fn without_room(&mut self, asked: &Asked) -> JointError {
        let full = asked.iter().find(|(book, asker, job)| {
            let earliest = self.ask(*book, |member| Ok(member.earliest(*asker, job)));
            matches!(earliest, Ok(None))
        });
        JointError {
            book: full.map(|(book, ..)| *book),
            error: Refusal::NoRoom.into(),
        }
    }

    /// Returns the slot that is so many after `now`.
    fn slot(&self, offset: usize) -> Slot {
        let axis = self.books.first().map(|joined| joined.book.axis());
        axis.map_or(Slot::LAST_NOW, |axis| axis.slot(offset))
    }
}
