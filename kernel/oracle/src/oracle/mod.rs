//! A list of reservations, and every answer looked up in it.

mod best_effort;
mod elastic;

pub use elastic::portion_window;

use bookahead::{
    Advanced, Error, EventKind, Misuse, PeCount, Policy, Record, Rectangle, Refusal, Request,
    Reservation, Slot, Span, State, Terms, Window,
};

use crate::{Feasible, Free, Happening, Kind, Number, Progress, Timetable, choose};

/// One reservation as the oracle knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    number: Number,
    known: Reservation,
    /// The PEs it holds, ascending; none before the start when they are bound late.
    set: Vec<u16>,
    /// Whether its end was announced.
    announced: bool,
}

impl Row {
    fn covers(&self, slot: u64) -> bool {
        self.known.window.contains(Slot::new(slot))
    }

    /// When something happens to it next, and the rank of that among things of one slot.
    fn timer(&self) -> (Slot, u8) {
        let window = self.known.window;
        match self.known.state {
            State::Running => (window.end, 0),
            State::Held { expires } => (expires, 1),
            State::Confirmed => (window.start, 2),
        }
    }
}

/// The twin: the same answers as a book, without a ring, without a ledger, without haste.
///
/// ```
/// use bookahead::{PeCount, Policy, Request, Slot, Span};
/// use bookahead_oracle::{Kind, Oracle};
/// let mut oracle = Oracle::new(Kind::Sets, 4, 16, 8);
/// let request = Request {
///     ready: Slot::new(2),
///     duration: Span::new(3),
///     deadline: Slot::new(9),
///     pes: PeCount::new(2),
/// };
/// let (number, start) = oracle.reserve(&request, Policy::FirstFit).unwrap();
/// assert_eq!((number, start), (0, Slot::new(2)));
/// assert_eq!(oracle.pes_of(number), Some(&[0, 1][..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oracle {
    kind: Kind,
    pes: u16,
    slots: u32,
    capacity: usize,
    now: Slot,
    accepted: Number,
    /// In order of acceptance.
    rows: Vec<Row>,
}

impl Oracle {
    /// An empty book of `capacity` rows for `pes` PEs, looking `slots` slots ahead of slot 0.
    #[must_use]
    pub fn new(kind: Kind, pes: u16, slots: u32, capacity: usize) -> Self {
        Self {
            kind,
            pes,
            slots,
            capacity,
            now: Slot::new(0),
            accepted: 0,
            rows: Vec::new(),
        }
    }

    /// Which ring it stands for.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The current slot.
    #[must_use]
    pub fn now(&self) -> Slot {
        self.now
    }

    /// How many slots it looks ahead.
    #[must_use]
    pub fn horizon(&self) -> Span {
        Span::new(self.slots)
    }

    /// How many PEs there are.
    #[must_use]
    pub fn pes(&self) -> PeCount {
        PeCount::new(self.pes)
    }

    /// How many reservations may live at once.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// The numbers of the live reservations, in order of acceptance.
    #[must_use]
    pub fn live(&self) -> Vec<Number> {
        self.rows.iter().map(|row| row.number).collect()
    }

    /// What is free in every slot of the ring.
    #[must_use]
    pub fn timetable(&self) -> Timetable {
        let now = self.now.get();
        Timetable {
            now: self.now,
            pes: self.pes,
            slots: (now..now + u64::from(self.slots))
                .map(|slot| self.free_at(slot))
                .collect(),
        }
    }

    fn free_at(&self, slot: u64) -> Free {
        let busy = self.rows.iter().filter(|row| row.covers(slot));
        match self.kind {
            Kind::Counts => {
                Free::Count(self.pes - busy.map(|row| row.known.request.pes.get()).sum::<u16>())
            }
            Kind::Sets => {
                let mut free = vec![true; usize::from(self.pes)];
                for &pe in busy.flat_map(|row| &row.set) {
                    assert!(
                        free[usize::from(pe)],
                        "PE {pe} is booked twice in slot {slot}"
                    );
                    free[usize::from(pe)] = false;
                }
                Free::Set(free)
            }
        }
    }

    /// How many PEs are free throughout `window`; `None` for an empty window and one that leaves the ring.
    #[must_use]
    pub fn free_during(&self, window: Window) -> Option<PeCount> {
        let free = self.timetable().free_during(window)?;
        Some(PeCount::new(free.count()))
    }

    /// The maximal rectangle around a run; `None` when it leaves the ring or has no length.
    #[must_use]
    pub fn rectangle(&self, start: Slot, duration: Span) -> Option<Rectangle> {
        self.timetable().rectangle(start, duration)
    }

    /// The change points of the ring.
    #[must_use]
    pub fn records(&self) -> Vec<Record> {
        self.timetable().records()
    }

    /// The starts that the search tries.
    #[must_use]
    pub fn candidate_starts(&self, request: &Request) -> Vec<Slot> {
        self.timetable().candidate_starts(request)
    }

    /// Whether the request makes sense here and now, looking at everything but what is booked.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn check_request(&self, request: &Request) -> Result<(), Error> {
        let ready = u128::from(request.ready.get());
        let deadline = u128::from(request.deadline.get());
        let duration = u128::from(request.duration.get());
        let now = u128::from(self.now.get());
        let slots = u128::from(self.slots);
        let reasons: [(bool, Error); 7] = [
            (duration == 0, Misuse::ZeroDuration.into()),
            (request.pes.get() == 0, Misuse::ZeroPes.into()),
            (request.pes.get() > self.pes, Refusal::TooWide.into()),
            (duration > slots, Refusal::TooLong.into()),
            (ready < now, Refusal::ReadyInPast.into()),
            (deadline < ready + duration, Refusal::WindowTooShort.into()),
            (deadline > now + slots, Refusal::BeyondHorizon.into()),
        ];
        match reasons.into_iter().find(|(applies, _)| *applies) {
            Some((_, reason)) => Err(reason),
            None => Ok(()),
        }
    }

    /// The same, looking at whether there is a row left, too.
    ///
    /// # Errors
    ///
    /// The first reason that applies.
    pub fn check(&self, request: &Request) -> Result<(), Error> {
        self.check_request(request)?;
        if self.rows.len() >= self.capacity {
            return Err(Refusal::TableFull.into());
        }
        Ok(())
    }

    /// Every feasible candidate, in increasing order.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check).
    pub fn feasible(&self, request: &Request) -> Result<Vec<Feasible>, Error> {
        self.check(request)?;
        Ok(self.timetable().feasible(request))
    }

    /// The candidate that the policy takes.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check), or that there is no room.
    pub fn plan(&self, request: &Request, policy: Policy) -> Result<Feasible, Error> {
        let feasible = self.feasible(request)?;
        let chosen = choose(policy, &feasible).ok_or(Refusal::NoRoom)?;
        Ok(chosen.clone())
    }

    /// Plans and books.
    ///
    /// # Errors
    ///
    /// As [`plan`](Self::plan); a hold of no slots is misuse before anything else.
    pub fn book(
        &mut self,
        request: &Request,
        policy: Policy,
        terms: Terms,
    ) -> Result<(Number, Slot), Error> {
        self.state_under(terms, self.now)?;
        let found = self.plan(request, policy)?;
        let number = self.book_at(request, &found, terms)?;
        Ok((number, found.start))
    }

    /// Books what was found a moment ago.
    ///
    /// # Errors
    ///
    /// Misuse, when it would be a hold of no slots.
    pub fn book_at(
        &mut self,
        request: &Request,
        found: &Feasible,
        terms: Terms,
    ) -> Result<Number, Error> {
        let known = Reservation {
            request: *request,
            window: Window::starting(found.start, request.duration).expect("ends by the deadline"),
            state: self.state_under(terms, found.start)?,
            ticket: None,
        };
        let set = match &found.free {
            Free::Count(_) => Vec::new(),
            Free::Set(free) => lowest(free, request.pes),
        };
        Ok(self.enter(known, set))
    }

    fn enter(&mut self, known: Reservation, set: Vec<u16>) -> Number {
        let number = self.accepted;
        self.accepted += 1;
        self.rows.push(Row {
            number,
            known,
            set,
            announced: false,
        });
        number
    }

    /// A hold ends at its start at the latest.
    fn state_under(&self, terms: Terms, start: Slot) -> Result<State, Error> {
        match terms {
            Terms::Held { ttl } if ttl == Span::ZERO => Err(Misuse::ZeroHold.into()),
            Terms::Held { ttl } => Ok(State::Held {
                expires: Slot::new(self.now.get() + u64::from(ttl.get())).min(start),
            }),
            Terms::Confirmed => Ok(State::Confirmed),
        }
    }

    /// Books for good.
    ///
    /// # Errors
    ///
    /// As [`plan`](Self::plan).
    pub fn reserve(&mut self, request: &Request, policy: Policy) -> Result<(Number, Slot), Error> {
        self.book(request, policy, Terms::Confirmed)
    }

    /// Books for `ttl` slots, until confirmed.
    ///
    /// # Errors
    ///
    /// As [`book`](Self::book).
    pub fn hold(
        &mut self,
        request: &Request,
        policy: Policy,
        ttl: Span,
    ) -> Result<(Number, Slot), Error> {
        self.book(request, policy, Terms::Held { ttl })
    }

    fn row(&mut self, number: Number) -> Result<&mut Row, Error> {
        let row = self.rows.iter_mut().find(|row| row.number == number);
        row.ok_or_else(|| Misuse::StaleHandle.into())
    }

    fn remove(&mut self, number: Number) {
        self.rows.retain(|row| row.number != number);
    }

    /// Turns a hold into a reservation.
    ///
    /// # Errors
    ///
    /// Misuse, when it has ended, is no hold, or is over.
    pub fn confirm(&mut self, number: Number) -> Result<(), Error> {
        let now = self.now;
        let row = self.row(number)?;
        let start = row.known.window.start;
        match row.known.state {
            State::Held { expires } if expires <= now && expires < start => {
                Err(Misuse::HoldExpired.into())
            }
            State::Held { .. } => {
                row.known.state = State::Confirmed;
                Ok(())
            }
            _ => Err(Misuse::NotHeld.into()),
        }
    }

    /// Gives a reservation up.
    ///
    /// # Errors
    ///
    /// Misuse, when it has ended.
    pub fn cancel(&mut self, number: Number) -> Result<(), Error> {
        self.row(number)?;
        self.remove(number);
        Ok(())
    }

    /// A running reservation ends at `at`, or now if that has passed.
    ///
    /// # Errors
    ///
    /// Misuse, when it does not run, or `at` lies behind its end.
    pub fn complete(&mut self, number: Number, at: Slot) -> Result<(), Error> {
        let now = self.now;
        let row = self.row(number)?;
        if row.known.state != State::Running {
            return Err(Misuse::NotRunning.into());
        }
        if at > row.known.window.end {
            return Err(Misuse::AfterBookedEnd.into());
        }
        let end = at.max(now);
        if end == now && end < row.known.window.end {
            self.remove(number);
        } else {
            row.known.window.end = end;
            row.known.request.duration = row.known.window.len().expect("shorter than it was");
            row.announced = true;
        }
        Ok(())
    }

    /// Moves `now` to `to`, telling at most `room` events on the way.
    ///
    /// # Errors
    ///
    /// Misuse, when `to` has passed or lies at the end of time.
    pub fn advance(&mut self, to: Slot, room: usize) -> Result<Progress<Number>, Error> {
        self.check_time(to)?;
        let mut events = Vec::new();
        let how_far = self.advance_on_the_way(to, to, room, &mut events);
        Ok((how_far, events))
    }

    /// Whether time can pass to `to`.
    pub(crate) fn check_time(&self, to: Slot) -> Result<(), Error> {
        if to < self.now {
            return Err(Misuse::TimeWentBack.into());
        }
        if to > Slot::LAST_NOW {
            return Err(Misuse::EndOfTime.into());
        }
        Ok(())
    }

    /// Moves `now` to `stop` on the way to `to`, by which whatever ends is missed unless it has started.
    pub(crate) fn advance_on_the_way(
        &mut self,
        stop: Slot,
        to: Slot,
        room: usize,
        events: &mut Vec<Happening>,
    ) -> Advanced {
        while let Some((at, number)) = self.next_timer().filter(|(at, _)| *at <= stop) {
            self.now = at;
            if events.len() >= room {
                return Advanced::EventsWaiting;
            }
            let ticket = self.get(number).and_then(|known| known.ticket);
            let kind = self.happen(number, to);
            events.push(Happening {
                at,
                whose: number,
                kind,
                ticket,
            });
        }
        self.now = stop;
        Advanced::Done
    }

    fn next_timer(&self) -> Option<(Slot, Number)> {
        let next = self
            .rows
            .iter()
            .min_by_key(|row| (row.timer(), row.number))?;
        Some((next.timer().0, next.number))
    }

    /// Lets the timer of a reservation go off on the way to `to`.
    fn happen(&mut self, number: Number, to: Slot) -> EventKind {
        let row = self.row(number).expect("it has a timer").clone();
        let kind = match row.known.state {
            State::Running if row.announced => EventKind::Completed,
            State::Running => EventKind::Overran,
            State::Held { .. } => EventKind::Expired,
            State::Confirmed if row.known.window.end <= to => EventKind::Missed,
            State::Confirmed => EventKind::Started,
        };
        if kind == EventKind::Started {
            self.start(number);
        } else {
            self.remove(number);
        }
        kind
    }

    /// For each PE whether nobody runs on it.
    fn idle(&self) -> Vec<bool> {
        let mut free = vec![true; usize::from(self.pes)];
        let running = self
            .rows
            .iter()
            .filter(|row| row.known.state == State::Running);
        for &pe in running.flat_map(|row| &row.set) {
            free[usize::from(pe)] = false;
        }
        free
    }

    fn start(&mut self, number: Number) {
        let free = self.idle();
        let late = self.kind == Kind::Counts;
        let row = self.row(number).expect("it starts");
        row.known.state = State::Running;
        if late {
            row.set = lowest(&free, row.known.request.pes);
        }
    }

    /// What is known of a live reservation.
    #[must_use]
    pub fn get(&self, number: Number) -> Option<Reservation> {
        let row = self.rows.iter().find(|row| row.number == number)?;
        Some(row.known)
    }

    /// The PEs of a live reservation, ascending; none while none are bound.
    #[must_use]
    pub fn pes_of(&self, number: Number) -> Option<&[u16]> {
        let row = self.rows.iter().find(|row| row.number == number)?;
        Some(&row.set)
    }

    /// The live reservations by start, ties by acceptance.
    #[must_use]
    pub fn by_start(&self) -> Vec<(Number, Reservation)> {
        let mut all: Vec<_> = self
            .rows
            .iter()
            .map(|row| (row.number, row.known))
            .collect();
        all.sort_by_key(|(number, known)| (known.window.start, *number));
        all
    }

    /// The reservations booked for `slot` that have not started, by acceptance.
    #[must_use]
    pub fn starting_at(&self, slot: Slot) -> Vec<Number> {
        let waiting =
            |row: &&Row| row.known.window.start == slot && row.known.state != State::Running;
        self.rows
            .iter()
            .filter(waiting)
            .map(|row| row.number)
            .collect()
    }

    /// When the next event is due.
    #[must_use]
    pub fn next_event(&self) -> Option<Slot> {
        self.next_timer().map(|(at, _)| at)
    }
}

/// The lowest-numbered `wanted` of the free PEs.
fn lowest(free: &[bool], wanted: PeCount) -> Vec<u16> {
    let numbers = (0u16..)
        .zip(free)
        .filter(|(_, free)| **free)
        .map(|(pe, _)| pe);
    let set: Vec<u16> = numbers.take(usize::from(wanted.get())).collect();
    assert_eq!(
        set.len(),
        usize::from(wanted.get()),
        "a start always finds its PEs"
    );
    set
}
