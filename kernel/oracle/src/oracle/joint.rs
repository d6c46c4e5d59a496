//! Several books decided as one: each is a book like any other, and what belongs together stands in a list.

use bookahead::{Commitment, Error, Placement, Refusal, Request, Slot, Span, UsageError, Window};
use bookahead_commands::{Happening, Number};

use super::passing::Due;
use super::row::{Life, Row};
use super::{Oracle, check_terms, first_that_applies};

/// A reservation of one of the books.
pub type JointPart = (u32, Number);
/// Which book is the reason, if it is one, and what it says.
pub type JointRefusal = (Option<u32>, Error);

/// The twin of several books.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JointOracle {
    /// The books.
    pub books: Vec<Oracle>,
    /// The parts of each reservation that has more than one, by book; also of those that are over.
    joint: Vec<Vec<JointPart>>,
}

impl JointOracle {
    /// These books, decided together.
    #[must_use]
    pub fn new(books: Vec<Oracle>) -> Self {
        let joint = Vec::new();
        Self { books, joint }
    }

    fn book(&mut self, book: u32) -> &mut Oracle {
        &mut self.books[book as usize]
    }

    fn find(&self, (book, number): JointPart) -> Result<&Row, JointRefusal> {
        let unknown = UsageError::UnknownHandle.into();
        let oracle = self.books.get(book as usize);
        let oracle = oracle.ok_or((Some(book), unknown))?;
        oracle.find(number).map_err(|error| (Some(book), error))
    }

    /// All parts, from this one on.
    ///
    /// # Errors
    ///
    /// The first part that is not there as this one is.
    pub fn parts(&self, part: JointPart) -> Result<Vec<JointPart>, JointRefusal> {
        let first = self.find(part)?;
        let group = self.joint.iter().find(|group| group.contains(&part));
        let mut parts = group.cloned().unwrap_or(vec![part]);
        while parts[0] != part {
            parts.rotate_left(1);
        }
        for other in &parts {
            if common(self.find(*other)?) != common(first) {
                return Err((Some(other.0), UsageError::PartsApart.into()));
            }
        }
        Ok(parts)
    }

    /// Whether a live part is not as all the others.
    #[must_use]
    pub fn is_torn(&self, part: JointPart) -> bool {
        self.find(part).is_ok() && self.parts(part).is_err()
    }

    /// All that live.
    #[must_use]
    pub fn live(&self) -> Vec<JointPart> {
        let books = (0..).zip(&self.books);
        let live = books.flat_map(|(book, oracle)| {
            let live = oracle.live().into_iter();
            live.map(move |number| (book, number))
        });
        live.collect()
    }

    /// The first start at which all have room, slot by slot.
    fn common_start(&self, askers: &[(u32, Request)], latest: u64) -> Result<Slot, JointRefusal> {
        let ready = askers[0].1.ready.get();
        let fits = |(book, request): &(u32, Request), start: u64| {
            let window = Window::starting(Slot::new(start), request.duration);
            let oracle = &self.books[*book as usize];
            let free = window.and_then(|window| oracle.timetable().free_during(window));
            free.is_some_and(|free| oracle.serves(0, &free, request.pes.get()))
        };
        let together = |start: &u64| askers.iter().all(|asker| fits(asker, *start));
        if let Some(start) = (ready..=latest).find(together) {
            return Ok(Slot::new(start));
        }
        let never = |asker: &&(u32, Request)| !(ready..=latest).any(|start| fits(asker, start));
        let book = askers.iter().find(never).map(|asker| asker.0);
        Err((book, Refusal::NoRoom.into()))
    }

    /// Reserves what is needed of each book.
    ///
    /// # Errors
    ///
    /// Why not, and which book is the reason.
    pub fn reserve(
        &mut self,
        times: &Request,
        needs: &[u32],
        hold: Option<Span>,
    ) -> Result<(JointPart, Slot), JointRefusal> {
        let commitment = hold.map_or(Commitment::Confirmed, |ttl| Commitment::Held { ttl });
        check_terms(commitment).map_err(|error| (None, error))?;
        if needs.len() != self.books.len() {
            return Err((None, UsageError::TooManyParts.into()));
        }
        let requests = (0..).zip(needs).filter(|(_, need)| **need > 0);
        let requests = requests.map(|(book, need)| {
            let pes = bookahead::PeCount::new(*need);
            (book, Request { pes, ..*times })
        });
        let askers: Vec<(u32, Request)> = requests.collect();
        if askers.is_empty() {
            return Err((None, UsageError::ZeroPes.into()));
        }
        for (book, request) in &askers {
            let checked = self.book(*book).check(request);
            checked.map_err(|error| (Some(*book), error))?;
        }
        let latest = times.deadline.get() - u64::from(times.duration.get());
        let start = self.common_start(&askers, latest)?;
        let parts = askers.into_iter().map(|(book, request)| {
            let run = Request {
                ready: start,
                deadline: start.saturating_add(request.duration),
                ..request
            };
            (book, self.book(book).book_at(&run, start, commitment))
        });
        let parts: Vec<JointPart> = parts.collect();
        let first = parts[0];
        if parts.len() > 1 {
            self.joint.push(parts);
        }
        Ok((first, start))
    }

    /// Does to each part what is done to one.
    ///
    /// # Errors
    ///
    /// Why not, and which book is the reason; then nothing is done.
    pub fn each(
        &mut self,
        part: JointPart,
        action: impl Fn(&mut Oracle, Number) -> Result<(), Error>,
    ) -> Result<(), JointRefusal> {
        let mut draft = self.clone();
        for (book, number) in self.parts(part)? {
            action(draft.book(book), number).map_err(|error| (Some(book), error))?;
        }
        *self = draft;
        Ok(())
    }

    /// Gives all parts other times.
    ///
    /// # Errors
    ///
    /// Why not, and which book is the reason; then nothing is done.
    pub fn alter(&mut self, part: JointPart, times: &Request) -> Result<Slot, JointRefusal> {
        let parts = self.parts(part)?;
        let row = self.find(part)?.clone();
        let mut without = self.clone();
        let mut askers = Vec::new();
        for (book, number) in &parts {
            let own = without.book(*book).row(*number).expect("it is there");
            own.lifted = true;
            let pes = own.placed.pes;
            askers.push((*book, Request { pes, ..*times }));
        }
        let start = if row.has_started() {
            self.books[part.0 as usize]
                .check_longer(&row, times)
                .map_err(|error| (Some(part.0), error))?;
            times.ready
        } else {
            for (book, request) in &askers {
                let checked = without.book(*book).check_request(request);
                checked.map_err(|error| (Some(*book), error))?;
            }
            let latest = times.deadline.get() - u64::from(times.duration.get());
            without.common_start(&askers, latest)?
        };
        for (book, number) in parts {
            let oracle = without.book(book);
            let own = oracle.find(number).expect("it is there").clone();
            let placed = Placement {
                start,
                duration: times.duration,
                ..own.placed
            };
            let set = oracle.seats(&own, placed);
            let set = set.ok_or((Some(book), Refusal::NoRoom.into()))?;
            let row = oracle.row(number).expect("it is there");
            row.request.duration = times.duration;
            row.request.deadline = start.saturating_add(times.duration);
            if !row.has_started() {
                row.request.ready = start;
            }
            (row.placed, row.set, row.lifted) = (placed, set, false);
            oracle.changed();
        }
        *self = without;
        Ok(start)
    }

    /// The next event on the way to `to`, and the part that it is told of.
    ///
    /// # Errors
    ///
    /// Why not, and which book is the reason.
    pub fn next(&mut self, to: Slot) -> Result<Option<(JointPart, Happening)>, JointRefusal> {
        self.books[0]
            .check_time(to)
            .map_err(|error| (None, error))?;
        let books = (0..).zip(&self.books);
        let due = books.flat_map(|(book, oracle)| oracle.due().map(move |due| (due, book)));
        let due = due.filter(|(due, _)| due.reached_at() <= to);
        let first = due.min_by_key(|(due, book)| (due.at, due.rank, *book, due.whose));
        let Some((first, book)) = first else {
            self.books.iter_mut().for_each(|oracle| oracle.now = to);
            return Ok(None);
        };
        let part = (book, first.whose());
        let parts = self.parts(part)?;
        self.books
            .iter_mut()
            .for_each(|oracle| oracle.now = first.at);
        let told = parts.into_iter().map(|(book, whose)| {
            let due = Due { whose, ..first };
            self.book(book).happen(due, to)
        });
        Ok(told
            .collect::<Vec<_>>()
            .into_iter()
            .next()
            .map(|event| (part, event)))
    }
}

impl Oracle {
    /// Whether what runs may run so long, apart from free PEs.
    fn check_longer(&self, row: &Row, times: &Request) -> Result<(), Error> {
        let ready = u128::from(times.ready.get());
        let end = ready + u128::from(times.duration.get());
        let now = u128::from(self.now.get());
        let elsewhere = times.ready != row.placed.start || row.life == Life::Ending;
        let beyond = end > now + u128::from(self.slots);
        first_that_applies(&[
            (elsewhere, UsageError::WrongState.into()),
            (
                times.duration == Span::ZERO,
                UsageError::ZeroDuration.into(),
            ),
            (
                end > u128::from(times.deadline.get()),
                Refusal::WindowTooShort.into(),
            ),
            (end <= now, Refusal::OutsideWindow.into()),
            (beyond, Refusal::BeyondHorizon.into()),
        ])
    }
}

/// What parts have in common.
fn common(row: &Row) -> impl PartialEq + use<> {
    let Request {
        ready,
        duration,
        deadline,
        ..
    } = row.request;
    let times = (ready, duration, deadline, row.window(), row.booked_at);
    (times, row.life, row.terms, row.ticket)
}
