//! Transactions: a copy of the book is changed, and either becomes the book or is forgotten.

use bookahead::{
    Commitment, Error, PeCount, Placement, Refusal, Request, Reservation, Slot, Span, UsageError,
    Window,
};

use super::classes::OUT;
use super::row::{Life, Row};
use super::{Oracle, check_terms, first_that_applies};
use bookahead_commands::{Answer, Answered, Call, InTheWay, Kind, Moved, Number, Sight};

/// What a transaction has come to.
#[derive(Clone, Debug)]
struct Draft {
    book: Oracle,
    /// Rows that were removed, which become vacant at the commit.
    removed: usize,
    /// Where each row stood when it was touched first, and on which PEs, in that order.
    touched: Vec<(Number, Option<Seat>)>,
    /// The rows touched since the newest savepoint.
    since: Vec<Number>,
    /// The entries of the undo log.
    entries: usize,
}

/// Where a reservation is booked, and with early binding on which PEs.
type Seat = (Placement, Vec<u16>);

impl Draft {
    fn touch(&mut self, number: Number, from: Option<Seat>) {
        if !self.touched.iter().any(|(known, _)| *known == number) {
            self.touched.push((number, from));
        }
        if !self.since.contains(&number) {
            self.since.push(number);
            self.entries += 1;
        }
    }
}

/// A state that was noted.
#[derive(Clone, Debug)]
pub(super) struct Noted(Draft);

/// A transaction on a copy of the book. Savepoints are copies, too.
#[derive(Clone, Debug)]
pub struct Attempt {
    draft: Draft,
    /// The savepoints that are valid, each with its number.
    saved: Vec<(usize, Draft)>,
    savepoints: usize,
    log: usize,
    work: u64,
}

impl Oracle {
    /// Begins a transaction with room for `log` entries in its undo log and `work` slots of work.
    #[must_use]
    pub fn attempt(&self, log: usize, work: u64) -> Attempt {
        let draft = Draft {
            book: self.clone(),
            removed: 0,
            touched: Vec::new(),
            since: Vec::new(),
            entries: 0,
        };
        Attempt {
            draft,
            saved: Vec::new(),
            savepoints: 0,
            log,
            work,
        }
    }

    /// Makes what the transaction came to the book's state, as one change if anything has changed.
    ///
    /// # Errors
    ///
    /// UsageError, when a lifted reservation has not been placed again.
    pub fn commit_attempt(&mut self, attempt: Attempt) -> Result<(), Error> {
        attempt.check_placed()?;
        let mut book = attempt.draft.book;
        for row in &mut book.rows {
            // A job that runs and got narrower gives back the highest-numbered PEs.
            row.set.truncate(row.placed.pes.get() as usize);
            row.fix_if_passed(book.now);
        }
        if (&book.rows, &book.rules) != (&self.rows, &self.rules) {
            book.changed();
        }
        let open = |book: &Oracle| book.rows.iter().filter(|row| row.is_open()).count();
        if open(&book) < open(self) {
            book.look_at_others();
        }
        if book.rules != self.rules {
            book.look_at_turns();
            book.look_at_changed(self);
        }
        *self = book;
        Ok(())
    }
}

impl Attempt {
    /// The book as it is inside the transaction.
    #[must_use]
    pub fn book(&self) -> &Oracle {
        &self.draft.book
    }

    /// Savepoints that are valid.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.saved.len()
    }

    /// The reservations that are lifted, in order of acceptance.
    #[must_use]
    pub fn lifted(&self) -> Vec<Number> {
        let rows = self.draft.book.rows.iter().filter(|row| row.lifted);
        rows.map(|row| row.number).collect()
    }

    /// What is known of a reservation.
    ///
    /// # Errors
    ///
    /// UsageError, when there is none.
    pub fn get(&self, number: Number) -> Result<Reservation, Error> {
        self.draft.book.get(number)
    }

    /// What can be seen from inside the transaction, of these reservations in particular.
    #[must_use]
    pub fn sight(&self, watched: &[Number]) -> Sight {
        let always = Window {
            start: Slot::new(0),
            end: Slot::new(u64::MAX),
        };
        Sight {
            moves: self.moves(),
            covering: self.book().covering(always),
            known: watched.iter().map(|number| self.get(*number)).collect(),
            work_left: self.work,
            logged: self.draft.entries,
        }
    }

    /// Makes one call. Whatever fails changes nothing.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn call(&mut self, call: &Call) -> Answered {
        match *call {
            Call::Lift(number) => self.lift(number).map(Answer::At),
            Call::Place(number, place) => self.place(number, place).map(|()| Answer::Done),
            Call::PlaceExactly(number, start, ref pes) => {
                let placed = self.place_exactly(number, start, pes);
                placed.map(|()| Answer::Done)
            }
            Call::PlaceFirstFit(number, from) => {
                self.place_first_fit(number, from).map(Answer::Starts)
            }
            Call::Insert(ref request, start, commitment) => {
                self.insert(request, start, commitment).map(Answer::Made)
            }
            Call::Remove(number) => self.remove(number).map(|()| Answer::Done),
            Call::Alter(number, alteration) => self.alter(number, alteration).map(Answer::At),
            Call::Split(number, at) => self.split(number, at).map(Answer::Made),
            Call::Savepoint => {
                self.savepoint();
                Ok(Answer::Done)
            }
            Call::RollbackTo(savepoint) => self.rollback_to(savepoint).map(|()| Answer::Done),
            Call::Apply(ref moves) => self.apply(moves).map(|()| Answer::Done),
            Call::Conflict(own, place) => Ok(Answer::Conflict(self.conflict(own, place))),
            Call::ConflictExactly(own, window, ref pes) => {
                let book = &self.draft.book;
                let set = book.set_of(pes)?;
                Ok(Answer::Conflict(book.against_exactly(window, &set, own)))
            }
            Call::PesOf(number) => self
                .book()
                .pes_of(number)
                .map(|pes| Answer::Pes(pes.to_vec())),
            Call::ExtendByForce(number, until) => {
                let extended = self.extend_by_force(number, until);
                extended.map(|(place, broken)| Answer::Forced(place, broken))
            }
            Call::TakeOut(outage, ref gone) => {
                let taken = self.take_out(outage, gone);
                taken.map(|(parts, broken)| Answer::Out(parts, broken))
            }
            Call::SetRule(number, ref rule) => {
                self.set_rule(number, rule.clone()).map(Answer::Ruled)
            }
            Call::Resize(ref gone) => self.change_size(gone.clone()).map(Answer::Ruled),
        }
    }

    /// Takes the room of a reservation out and keeps its row.
    pub(super) fn lift(&mut self, number: Number) -> Result<Placement, Error> {
        let row = self.check_booked(number)?;
        let placed = row.placed;
        if row.life == Life::Ending {
            return Err(UsageError::WrongState.into());
        }
        self.check_log(&[number], 0)?;
        self.spend(placed.duration)?;
        self.touch(number);
        self.row(number).lifted = true;
        Ok(placed)
    }

    /// Places a lifted reservation.
    pub(super) fn place(&mut self, number: Number, place: Placement) -> Result<(), Error> {
        let row = self.check_lifted(number)?.clone();
        self.check_place(&row, place)?;
        self.check_log(&[number], 0)?;
        self.spend(place.duration)?;
        self.put(&row, place)
    }

    /// Places a lifted reservation on exactly these PEs.
    fn place_exactly(&mut self, number: Number, start: Slot, pes: &[u16]) -> Result<(), Error> {
        let row = self.check_lifted(number)?.clone();
        let set = self.draft.book.set_of(pes)?;
        let place = Placement {
            start,
            duration: row.placed.duration,
            pes: PeCount::new(set.len() as u32),
        };
        self.check_place(&row, place)?;
        self.draft.book.admits_exactly(&row, &set)?;
        self.check_log(&[number], 0)?;
        self.spend(place.duration)?;
        let book = &self.draft.book;
        // What has passed takes no room.
        let window = Window {
            start: start.max(book.now),
            end: start.saturating_add(place.duration),
        };
        if !book.is_all_there(window, &set) {
            return Err(Refusal::NoRoom.into());
        }
        self.touch(number);
        *self.row(number) = Row {
            placed: place,
            set: set.into_iter().collect(),
            lifted: false,
            ..row
        };
        Ok(())
    }

    /// Places a lifted reservation as it is at the earliest start in its own window from `earliest` on.
    pub(super) fn place_first_fit(
        &mut self,
        number: Number,
        earliest: Slot,
    ) -> Result<Slot, Error> {
        let row = self.check_lifted(number)?.clone();
        if row.has_started() {
            return Err(UsageError::WrongState.into());
        }
        self.draft.book.may_choose(&row, 0)?;
        let from = earliest.max(row.request.ready).max(self.draft.book.now);
        self.check_log(&[number], 0)?;
        let last = row.request.deadline.get();
        if from.get().saturating_add(row.placed.duration.get().into()) > last {
            return Err(Refusal::NoRoom.into());
        }
        self.spend_more(
            row.placed.duration,
            window_length(from, row.request.deadline),
        )?;
        self.put_first_fit(&row, from)
    }

    /// Books something new.
    pub(super) fn insert(
        &mut self,
        request: &Request,
        start: Slot,
        commitment: Commitment,
    ) -> Result<Number, Error> {
        self.draft.book.check_class()?;
        check_terms(commitment)?;
        let book = &self.draft.book;
        book.check_request(request)?;
        if start < request.ready || Some(start) > request.latest_start() {
            return Err(Refusal::OutsideWindow.into());
        }
        self.check_table()?;
        self.check_log(&[], 1)?;
        self.spend(request.duration)?;
        let window = Window::starting(start, request.duration).expect("it ends by the deadline");
        let book = &self.draft.book;
        let free = book.timetable().free_during(window);
        if !free.is_some_and(|free| book.serves(book.asked, &free, request.pes.get())) {
            return Err(Refusal::NoRoom.into());
        }
        let number = self.draft.book.enter(request, start, commitment);
        self.draft.touch(number, None);
        Ok(number)
    }

    /// Makes a part of an outage, on PEs that are free.
    pub(super) fn insert_part(&mut self, request: Request, set: Vec<u16>) -> Result<Number, Error> {
        self.check_table()?;
        self.check_log(&[], 1)?;
        self.spend(request.duration)?;
        let place = Placement {
            start: request.ready,
            duration: request.duration,
            pes: request.pes,
        };
        let book = &mut self.draft.book;
        let asked = book.ask(OUT);
        let number = book.push(request, place, Life::Confirmed, set, None);
        book.ask(asked);
        self.draft.touch(number, None);
        Ok(number)
    }

    /// Books something new at the earliest start at which there is room.
    pub(super) fn insert_first_fit(
        &mut self,
        request: &Request,
        commitment: Commitment,
    ) -> Result<(Number, Slot), Error> {
        check_terms(commitment)?;
        self.draft.book.check_request(request)?;
        self.check_table()?;
        self.check_log(&[], 1)?;
        self.spend_more(
            request.duration,
            window_length(request.ready, request.deadline),
        )?;
        let (book, timetable) = (&self.draft.book, self.draft.book.timetable());
        let latest = request.latest_start().expect("the window is long enough");
        let fits = |start: &u64| {
            let window = Window::starting(Slot::new(*start), request.duration);
            let free = window.and_then(|window| timetable.free_during(window));
            free.is_some_and(|free| book.serves(book.asked, &free, request.pes.get()))
        };
        let start = (request.ready.get()..=latest.get()).find(fits);
        let start = Slot::new(start.ok_or(Refusal::NoRoom)?);
        let number = self.draft.book.enter(request, start, commitment);
        self.draft.touch(number, None);
        Ok((number, start))
    }

    /// Gives a reservation up, lifted or not.
    pub(super) fn remove(&mut self, number: Number) -> Result<(), Error> {
        let row = self.draft.book.find(number)?;
        let duration = match row.is_open() {
            true => self.draft.book.horizon(),
            false => row.placed.duration,
        };
        self.check_log(&[number], 0)?;
        self.spend(duration)?;
        self.touch(number);
        self.draft.book.remove(number);
        self.draft.removed += 1;
        Ok(())
    }

    /// Makes two reservations of one: the first ends, and the second starts, at `at`.
    pub(super) fn split(&mut self, number: Number, at: Slot) -> Result<Number, Error> {
        let now = self.draft.book.now;
        let row = self.check_booked(number)?.clone();
        if !matches!(row.life, Life::Confirmed | Life::Running) {
            return Err(UsageError::WrongState.into());
        }
        let window = row.window();
        let inside = window.start < at && at < window.end;
        if !inside || (row.has_started() && at <= now) {
            return Err(Refusal::OutsideWindow.into());
        }
        self.check_table()?;
        self.check_log(&[number], 1)?;
        // As for lifting the whole and placing both parts.
        self.spend_more(row.placed.duration, row.placed.duration.get().into())?;
        self.touch(number);
        let (first, rest) = (length(window.start, at), length(at, window.end));
        let kept = self.row(number);
        kept.placed.duration = first;
        kept.request.duration = first;
        kept.request.deadline = at;
        let place = Placement {
            start: at,
            duration: rest,
            pes: row.placed.pes,
        };
        let request = Request {
            ready: at,
            duration: rest,
            deadline: row.request.deadline,
            pes: row.placed.pes,
        };
        let set = match self.draft.book.kind {
            Kind::Counts => Vec::new(),
            _ => row.set.clone(),
        };
        let book = &mut self.draft.book;
        let asked = book.ask(row.class);
        let second = book.push(request, place, Life::Confirmed, set, None);
        book.ask(asked);
        self.draft.touch(second, None);
        Ok(second)
    }

    /// Notes the present state.
    fn savepoint(&mut self) {
        self.draft.since.clear();
        self.saved.push((self.savepoints, self.draft.clone()));
        self.savepoints += 1;
    }

    /// Returns to a noted state. Its savepoint stays valid, and so do those of the same state, but not those of later ones.
    fn rollback_to(&mut self, savepoint: usize) -> Result<(), Error> {
        let place = self
            .saved
            .iter()
            .position(|(number, _)| *number == savepoint);
        let place = place.ok_or(UsageError::BadSavepoint)?;
        self.draft = self.saved[place].1.clone();
        // Whatever changes takes an entry of the log, so those with as many entries note the same state.
        let entries = self.draft.entries;
        self.saved.retain(|(_, saved)| saved.entries <= entries);
        Ok(())
    }

    /// What each touched reservation has come to, in the order in which they were touched first; without those that are where they
    /// were.
    #[must_use]
    pub fn moves(&self) -> Vec<Moved> {
        let touched = self.draft.touched.iter();
        let moved = touched.filter_map(|(whose, from)| {
            let to = self.seat(*whose);
            let placement = |seat: &Option<Seat>| seat.as_ref().map(|(placement, _)| *placement);
            (*from != to).then(|| Moved {
                whose: *whose,
                from: placement(from),
                to: placement(&to),
            })
        });
        moved.collect()
    }

    /// Where a reservation is booked; with late binding no PEs belong to that.
    fn seat(&self, number: Number) -> Option<Seat> {
        let row = self.draft.book.find(number).ok()?;
        let set = match self.draft.book.kind {
            Kind::Counts => Vec::new(),
            _ => row.set.clone(),
        };
        Some((row.placed, set))
    }

    /// Makes planned moves: all or none.
    fn apply(&mut self, moves: &[Moved]) -> Result<(), Error> {
        self.all_or_nothing(|attempt| attempt.apply_one_by_one(moves))
    }

    /// Makes several changes, or none when one of them fails.
    pub(super) fn all_or_nothing<T>(
        &mut self,
        change: impl FnOnce(&mut Self) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let before = self.note();
        let changed = change(self);
        if changed.is_err() {
            self.draft = before.0;
            return changed;
        }
        // Nobody can return to the savepoint inside.
        let touched = self.draft.touched.iter().map(|(number, _)| *number);
        let known = &before.0.touched;
        let inside: Vec<Number> = touched
            .filter(|number| !known.iter().any(|(known, _)| known == number))
            .collect();
        self.draft.since.extend(inside);
        self.draft.since.extend(before.0.since);
        changed
    }

    /// Notes the state, as a savepoint does.
    pub(super) fn note(&mut self) -> Noted {
        let noted = Noted(self.draft.clone());
        self.draft.since.clear();
        noted
    }

    /// Returns to a noted state, as often as one likes.
    pub(super) fn return_to(&mut self, noted: &Noted) {
        self.draft = noted.0.clone();
        self.draft.since.clear();
    }

    fn apply_one_by_one(&mut self, moves: &[Moved]) -> Result<(), Error> {
        for moved in moves {
            let from = moved.from.ok_or(UsageError::BadMove)?;
            let row = self.check_booked(moved.whose)?;
            if row.placed != from {
                return Err(UsageError::StalePlan.into());
            }
            match moved.to {
                Some(_) => drop(self.lift(moved.whose)?),
                // So that a job whose end is announced can go, which cannot be lifted.
                None => self.remove(moved.whose)?,
            }
        }
        for (whose, to) in moves
            .iter()
            .filter_map(|moved| Some((moved.whose, moved.to?)))
        {
            self.place(whose, to)?;
        }
        Ok(())
    }

    /// Who is in the way of a placement, of a certain reservation or of anybody's.
    #[must_use]
    pub fn conflict(&self, own: Option<Number>, place: Placement) -> InTheWay {
        let window = Window {
            start: place.start,
            end: place.start.saturating_add(place.duration),
        };
        self.draft.book.conflict(own, window, place.pes)
    }

    /// Passes when everything lifted has been placed again.
    fn check_placed(&self) -> Result<(), Error> {
        if self.lifted().is_empty() {
            return Ok(());
        }
        Err(UsageError::StillLifted.into())
    }

    /// The moves, as far as a list has `room` for them, and how many are left out.
    ///
    /// # Errors
    ///
    /// UsageError, when a lifted reservation has not been placed again.
    pub fn plan(&self, room: usize) -> Result<(Vec<Moved>, u32), Error> {
        self.check_placed()?;
        let mut moves = self.moves();
        let more = moves.len().saturating_sub(room) as u32;
        moves.truncate(room);
        Ok((moves, more))
    }

    /// One that has its room, may be moved, and has an end.
    pub(super) fn check_booked(&self, number: Number) -> Result<&Row, Error> {
        let row = self.draft.book.find(number)?;
        let pinned = self.draft.book.is_pinned(row);
        first_that_applies(&[
            (row.lifted, UsageError::AlreadyLifted.into()),
            (pinned, Refusal::Pinned.into()),
            (row.is_open(), UsageError::WrongState.into()),
        ])?;
        Ok(row)
    }

    fn check_lifted(&self, number: Number) -> Result<&Row, Error> {
        let row = self.draft.book.find(number)?;
        if !row.lifted {
            return Err(UsageError::NotLifted.into());
        }
        Ok(row)
    }

    /// Whether the reservation `row` may stand at `place`, looking at everything but what is booked.
    pub(super) fn check_place(&self, row: &Row, place: Placement) -> Result<(), Error> {
        let book = &self.draft.book;
        let (now, running) = (book.now, row.has_started());
        let end = u128::from(place.start.get()) + u128::from(place.duration.get());
        let horizon = u128::from(now.get()) + u128::from(book.slots);
        let fixed = place.start != row.placed.start || place.pes > row.placed.pes;
        let outside =
            place.start < row.request.ready || end > u128::from(row.request.deadline.get());
        let over = end <= u128::from(now.get());
        first_that_applies(&[
            (
                place.duration == Span::ZERO,
                UsageError::ZeroDuration.into(),
            ),
            (place.pes.get() == 0, UsageError::ZeroPes.into()),
            (running && fixed, UsageError::WrongState.into()),
            (place.pes.get() > book.pes, Refusal::TooWide.into()),
            (outside, Refusal::OutsideWindow.into()),
            (!running && place.start < now, Refusal::ReadyInPast.into()),
            (running && over, Refusal::OutsideWindow.into()),
            (end > horizon, Refusal::BeyondHorizon.into()),
        ])?;
        book.admits(row.class, place.pes.get())?;
        book.may_choose(row, place.pes.get())
    }

    /// Whether there is a row left for one more reservation.
    pub(super) fn check_table(&self) -> Result<(), Error> {
        let book = &self.draft.book;
        if book.rows.len() + self.draft.removed >= book.capacity {
            return Err(Refusal::TableFull.into());
        }
        Ok(())
    }

    /// Whether the undo log has room for these rows and so many new ones.
    pub(super) fn check_log(&self, rows: &[Number], new: usize) -> Result<(), Error> {
        let unlogged = rows.iter().filter(|row| !self.draft.since.contains(row));
        if self.draft.entries + unlogged.count() + new > self.log {
            return Err(Refusal::MoveLimit.into());
        }
        Ok(())
    }

    fn spend(&mut self, slots: Span) -> Result<(), Error> {
        self.spend_more(slots, 0)
    }

    /// Takes so many slots of work from what is left. They are gone, whatever comes of the call.
    pub(super) fn spend_more(&mut self, slots: Span, more: u64) -> Result<(), Error> {
        let cost = u64::from(slots.get()).saturating_add(more);
        self.work = self.work.checked_sub(cost).ok_or(Refusal::WorkLimit)?;
        Ok(())
    }

    pub(super) fn touch(&mut self, number: Number) {
        let from = self.seat(number);
        self.draft.touch(number, from);
    }

    /// Takes an entry of the log for a rule.
    pub(super) fn add_entry(&mut self) {
        self.draft.entries += 1;
    }

    /// Makes the rules of that book its own.
    pub(super) fn take_rules(&mut self, book: &Oracle) {
        self.draft.book.rules.clone_from(&book.rules);
    }

    fn row(&mut self, number: Number) -> &mut Row {
        self.draft.book.row(number).expect("it was found before")
    }

    /// Puts `row`, with the promise that it says, to `place`, if there is room without its present booking.
    pub(super) fn put(&mut self, row: &Row, place: Placement) -> Result<(), Error> {
        let mut without = self.draft.book.clone();
        without.row(row.number)?.lifted = true;
        let set = without.seats(row, place).ok_or(Refusal::NoRoom)?;
        self.touch(row.number);
        *self.row(row.number) = Row {
            placed: place,
            set,
            lifted: false,
            ..row.clone()
        };
        Ok(())
    }

    /// The same at the earliest start from `from` on by which it ends in time.
    pub(super) fn put_first_fit(&mut self, row: &Row, from: Slot) -> Result<Slot, Error> {
        let mut without = self.draft.book.clone();
        without.row(row.number)?.lifted = true;
        let timetable = without.for_class(row.class).timetable();
        let fits = |start: &u64| {
            let window = Window::starting(Slot::new(*start), row.placed.duration);
            let free = window.and_then(|window| timetable.free_during(window));
            free.is_some_and(|free| without.serves(row.class, &free, row.placed.pes.get()))
        };
        let deadline = row.request.deadline.get();
        let behind_last = (deadline + 1).saturating_sub(row.placed.duration.get().into());
        let start = (from.get()..behind_last).find(fits);
        let start = Slot::new(start.ok_or(Refusal::NoRoom)?);
        self.put(
            row,
            Placement {
                start,
                ..row.placed
            },
        )?;
        Ok(start)
    }
}

/// The number of slots from `from` to `to`; none when `to` comes first.
pub(super) fn window_length(from: Slot, to: Slot) -> u64 {
    to.get().saturating_sub(from.get())
}

fn length(start: Slot, end: Slot) -> Span {
    end.since(start).expect("part of a booked window")
}
