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
    /// The periods of each book that is a quota.
    pub quotas: Vec<Vec<Spell>>,
    /// The parts of each reservation that has more than one, by book; also of those that are over.
    joint: Vec<Vec<JointPart>>,
}

/// A period of a quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spell {
    /// Where the next one begins.
    pub until: Slot,
    /// How much may be used.
    pub most: u64,
    /// How much has been used in slots that have passed.
    pub passed: u64,
}

impl JointOracle {
    /// These books, decided together.
    #[must_use]
    pub fn new(books: Vec<Oracle>) -> Self {
        let quotas = vec![Vec::new(); books.len()];
        Self {
            books,
            quotas,
            joint: Vec::new(),
        }
    }

    /// The period of a quota that a slot lies in.
    fn spell(&self, book: u32, slot: u64) -> Option<usize> {
        let mut spells = self.quotas[book as usize].iter();
        spells.position(|spell| slot < spell.until.get())
    }

    /// How much has been used of a period and is booked: slot by slot.
    #[must_use]
    pub fn used(&self, book: u32, spell: usize) -> u64 {
        let oracle = &self.books[book as usize];
        let now = oracle.now.get();
        let slots = (now..now + u64::from(oracle.slots))
            .filter(|slot| self.spell(book, *slot) == Some(spell));
        let booked: u64 = slots.map(|slot| oracle.busy_at(slot)).sum();
        self.quotas[book as usize][spell].passed + booked
    }

    /// Whether so many more may be used in these slots.
    fn affords(&self, book: u32, window: Window, pes: u32) -> bool {
        let now = self.books[book as usize].now.get();
        (0..self.quotas[book as usize].len()).all(|spell| {
            let slots = (window.start.get().max(now)..window.end.get())
                .filter(|slot| self.spell(book, *slot) == Some(spell));
            let more = slots.count() as u64 * u64::from(pes);
            let used = self.used(book, spell);
            more == 0 || used + more <= self.quotas[book as usize][spell].most
        })
    }

    /// Lets time pass in all books, and sums up what is used in each slot of it.
    fn pass_to(&mut self, to: Slot) {
        for book in 0..self.books.len() as u32 {
            for slot in self.books[book as usize].now.get()..to.get() {
                if let Some(spell) = self.spell(book, slot) {
                    self.quotas[book as usize][spell].passed +=
                        self.books[book as usize].busy_at(slot);
                }
            }
            self.book(book).now = to;
        }
    }

    /// Replaces the earliest period of a quota, which is over, by one behind the last, and returns whether that could be.
    pub fn renew(&mut self, book: u32, until: Slot, most: u64) -> bool {
        let now = self.books[book as usize].now;
        let spells = &mut self.quotas[book as usize];
        let over = spells.first().is_some_and(|first| first.until <= now);
        let can = over && spells.last().is_some_and(|last| last.until < until);
        if can {
            spells.remove(0);
            spells.push(Spell {
                until,
                most,
                passed: 0,
            });
        }
        can
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
                && window.is_some_and(|window| self.affords(*book, window, request.pes.get()))
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
            return Err((None, UsageError::BadNeeds.into()));
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
            let own = without.find((book, number))?.clone();
            let window = Window {
                start,
                end: start.saturating_add(times.duration),
            };
            let before = self.find((book, number))?.window();
            let shorter = before.start <= window.start && window.end <= before.end;
            let affords = shorter || without.affords(book, window, own.placed.pes.get());
            let oracle = without.book(book);
            let placed = Placement {
                start,
                duration: times.duration,
                ..own.placed
            };
            let set = oracle.seats(&own, placed).filter(|_| affords);
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
            self.pass_to(to);
            return Ok(None);
        };
        let part = (book, first.whose());
        let parts = self.parts(part)?;
        self.pass_to(first.at);
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
    /// How many PEs are busy in a slot.
    fn busy_at(&self, slot: u64) -> u64 {
        let rows = self.rows.iter().filter(|row| row.covers(slot));
        rows.map(|row| u64::from(row.placed.pes.get())).sum()
    }

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
