//! One reservation between its acceptance and its end, as far as the tables tell.

use std::ops::Range;

use super::super::{
    findings::Findings,
    settings::{Settings, Slots},
};
use crate::{
    engine::Freeze,
    files::{Booking, Move, Reservation},
};

/// How something ended a reservation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Ended {
    Completed,
    Cancelled {
        running: bool,
    },
    /// By an outage or an overrun.
    Broken {
        running: bool,
    },
}

impl Ended {
    /// Whether it had not started.
    const fn is_before_start(self) -> bool {
        matches!(
            self,
            Self::Cancelled { running: false } | Self::Broken { running: false }
        )
    }
}

/// What was booked from `time` on instead of what was booked before.
#[derive(Clone, Copy)]
pub(in super::super) struct Change {
    pub(in super::super) time: u64,
    pub(in super::super) from: Option<Booking>,
    pub(in super::super) to: Option<Booking>,
    /// Whether its strategy made it, one of several changes at once.
    pub(in super::super) moved: bool,
}

/// A reservation.
pub(in super::super) struct History {
    pub(in super::super) job_id: u64,
    /// When it was made.
    pub(in super::super) submitted: u64,
    /// Seconds and processing elements asked for when it was made.
    pub(in super::super) asked: [u64; 2],
    /// What is booked, in the end what was booked at last.
    pub(in super::super) booking: Booking,
    pub(super) ready: u64,
    pub(super) deadline: u64,
    pub(super) duration: u64,
    /// When it expires unless it starts before; nothing for a firm one.
    pub(super) held_until: Option<u64>,
    /// Whether its end has been announced.
    pub(super) announced: bool,
    /// By which second an operation stops it.
    pub(in super::super) stop: Option<u64>,
    pub(in super::super) ended: Option<Ended>,
    /// How many processing elements it gave back while it ran, and when.
    pub(in super::super) given_back: Vec<(u64, u64)>,
    /// When it was over by itself, where that was before anything stopped it.
    pub(super) over: Option<u64>,
    /// What was booked until it gave something back, and since when the rest has been.
    pieces: Vec<Booking>,
    /// What its acceptance and operations changed.
    pub(in super::super) changes: Vec<Change>,
    /// What time freed before its booked end, and when.
    pub(in super::super) freed: Option<(u64, Booking)>,
    /// How long it may be moved; nothing where only operations move it.
    fixing: Option<Fixing>,
    /// Whether it has exactly the processing elements that it asked for, and keeps them.
    exact: bool,
}

/// When the start of a flexible reservation becomes fixed.
#[derive(Clone, Copy)]
struct Fixing {
    rule: Freeze,
    slots: Slots,
    /// The slot edge at which it was accepted.
    made: u64,
    /// When its start becomes fixed, as it is booked.
    due: u64,
}

impl Fixing {
    /// As booked from `start` on since `time`, when everything up to `now` had happened; what has been fixed by then stays fixed.
    fn book(&mut self, start: u64, [time, now]: [u64; 2]) {
        if self.due <= now && time > self.made {
            return;
        }
        let wait = start.saturating_sub(self.made);
        let after = match self.rule {
            Freeze::Never => wait,
            Freeze::Acceptance => 0,
            Freeze::Share { per_mille } => {
                let slots = wait / self.slots.0;
                slots.saturating_mul(per_mille.into()).div_ceil(1000) * self.slots.0
            }
            Freeze::Lead { seconds } => wait.saturating_sub(self.slots.up(seconds)),
        };
        self.due = self.made.saturating_add(after).max(self.slots.up(now));
    }
}

impl History {
    /// Of an accepted request, if its row says what was booked.
    pub(super) fn of(promise: &Reservation, settings: &Settings) -> Option<Self> {
        let (Some([start, end]), true) = (promise.booked(), promise.is_accepted()) else {
            return None;
        };
        let slots = settings.slots();
        let [duration, pes] = promise.granted();
        let booking = Booking { start, end, pes };
        let made = slots.down(promise.promised_at());
        let expires = |ttl: u64| made.saturating_add(slots.up(ttl));
        let held_until = promise.ttl.flatten().map_or(u64::MAX, expires);
        let mut history = Self::new(promise.job_id, promise.promised_at(), booking, duration);
        history.asked = promise.asked();
        history.held_until = promise.is_hold().then_some(held_until);
        history.fixing = settings
            .freeze()
            .filter(|_| promise.is_flexible())
            .map(|rule| {
                let mut fixing = Fixing {
                    rule,
                    slots,
                    made,
                    due: u64::MAX,
                };
                fixing.book(start, [made; 2]);
                fixing
            });
        history.exact = promise.is_exact();
        // A rigid reservation leaves nothing open.
        if !settings.is_rigid() && !history.exact {
            [history.ready, history.deadline] = promise.window();
        }
        Some(history)
    }

    /// Of something that is booked firmly and may not run elsewhere.
    pub(super) fn new(job_id: u64, submitted: u64, booking: Booking, duration: u64) -> Self {
        let made = Change {
            time: submitted,
            from: None,
            to: Some(booking),
            moved: false,
        };
        Self {
            job_id,
            submitted,
            asked: [duration, booking.pes],
            booking,
            ready: booking.start,
            deadline: booking.end,
            duration,
            held_until: None,
            announced: false,
            stop: None,
            ended: None,
            given_back: Vec::new(),
            over: None,
            pieces: Vec::new(),
            changes: vec![made],
            freed: None,
            fixing: None,
            exact: false,
        }
    }

    /// The start that was booked when it was made.
    pub(in super::super) fn promised_start(&self) -> Option<u64> {
        Some(self.changes.first()?.to?.start)
    }

    /// When its start became fixed: at the start itself unless something fixed it before.
    pub(in super::super) fn fixed_at(&self) -> u64 {
        let start = self.booking.start;
        let stop = self.stop.filter(|_| self.ended_before_start());
        let due = self.fixing.map_or(start, |fixing| fixing.due);
        match stop {
            Some(stop) if due > stop => start,
            _ => due.min(start),
        }
    }

    /// What was booked when a request came at `time`, whether before others were moved at that time or after.
    fn booked_about(&self, time: u64) -> impl Iterator<Item = Booking> {
        let before = self.changes.iter().rfind(|change| change.time < time);
        let then = self
            .changes
            .iter()
            .filter(move |change| change.time == time);
        before
            .into_iter()
            .chain(then)
            .filter_map(|change| change.to)
    }

    /// Whether its strategy could have moved it to another start when a request came at `time`. What happened in the same second may have
    /// been before or after that.
    pub(in super::super) fn could_move(&self, time: u64, slots: Slots) -> bool {
        let now = slots.down(time);
        let length = self.booking.end.saturating_sub(self.booking.start);
        let first = slots.up(self.ready.max(now));
        let last = slots.down(self.deadline).saturating_sub(length);
        let is_free = self.fixing.is_some_and(|fixing| fixing.due >= now);
        is_free && first < last && self.booked_about(time).any(|booking| booking.start >= now)
    }

    /// Whether it was booked inside the window when a request came at `time`.
    pub(in super::super) fn overlaps(&self, time: u64, window: &Range<u64>) -> bool {
        let mut booked = self.booked_about(time);
        booked.any(|booking| booking.start < window.end && window.start < booking.end)
    }

    /// Whether it gave something back at `time`, by itself or by an operation.
    pub(super) fn frees_at(&self, time: u64) -> bool {
        let keeps = |booking: Booking| (booking.start, booking.pes);
        let ends = |change: &Change| match (change.from, change.to) {
            (Some(from), Some(to)) => keeps(from) == keeps(to) && to.end <= from.end,
            _ => false,
        };
        let mut then = self.changes.iter().filter(|change| change.time == time);
        self.stop == Some(time)
            || self.freed.is_some_and(|(freed, _)| freed == time)
            || then.any(|change| !change.moved && ends(change))
    }

    /// Follows a move of its strategy.
    pub(super) fn juggle(&mut self, row: &Move, slots: Slots, found: &mut Findings) {
        let (id, time, before, after) = (self.job_id, row.time, self.booking, row.after());
        found.require(id, after.start != before.start, || {
            format!(
                "moves.csv: moved at {time} from {before} to {after}, expected the same elsewhere"
            )
        });
        let now = slots.down(time);
        let fixed = self.fixing.map(|fixing| fixing.due);
        found.require(id, fixed.is_some_and(|due| due > now), || match fixed {
            Some(due) => {
                format!("moves.csv: moved at {time}, although its start is fixed since {due}")
            }
            None => format!("moves.csv: moved at {time}, although it is not flexible"),
        });
        self.displace(row, now, slots, found);
    }

    /// Follows a move to another place in its window, at the same start too, when everything up to `now` had happened.
    pub(super) fn displace(&mut self, row: &Move, now: u64, slots: Slots, found: &mut Findings) {
        let (id, time, before, after) = (self.job_id, row.time, self.booking, row.after());
        let mut require = |holds: bool, problem: &dyn Fn() -> String| {
            found.require(id, holds, || format!("moves.csv: {}", problem()));
        };
        require(row.before() == Some(before), &|| {
            let from = row
                .before()
                .map_or("nothing".to_owned(), |from| from.to_string());
            format!("moved at {time} from {from}, but booked was {before}")
        });
        let length = |booking: Booking| booking.end.checked_sub(booking.start);
        let same = (length(after), after.pes) == (length(before), before.pes);
        require(same, &|| {
            format!("moved at {time} from {before} to {after}, expected the same elsewhere")
        });
        let alive = self.submitted <= time && !self.is_over(now, slots);
        require(alive && !self.is_running(now), &|| {
            format!("moved at {time}, when it is not waiting")
        });
        let &mut Self {
            ready, deadline, ..
        } = self;
        let inside = after.start >= ready.max(slots.up(time)) && after.end <= deadline;
        require(inside && after.start.is_multiple_of(slots.0), &|| {
            format!(
                "moved at {time} to {after}, outside of {ready}-{deadline}, into the past or to no edge of a slot"
            )
        });
        self.book([time, now], after);
        if let Some(change) = self.changes.last_mut() {
            change.moved = true;
        }
    }

    /// Follows a job that goes on at the end of its booking.
    pub(super) fn overrun(&mut self, row: &Move, settings: &Settings, found: &mut Findings) {
        let (id, time, before, after) = (self.job_id, row.time, self.booking, row.after());
        found.require(id, settings.overruns(), || {
            format!("moves.csv: goes on by itself at {time}, which the settings rule out")
        });
        let same = Booking {
            end: after.end,
            ..before
        };
        let on = row.before() == Some(before) && after == same && after.end > before.end;
        let edge = after.end.is_multiple_of(settings.slots().0);
        found.require(id, on && edge && time == before.end, || {
            format!("moves.csv: goes on at {time} as {after}, but booked was {before}")
        });
        let runs = self.ended.is_none() && !self.announced && self.is_running(time);
        found.require(id, runs, || {
            format!("moves.csv: goes on at {time}, when it does not run")
        });
        self.deadline = self.deadline.max(after.end);
        self.book([time; 2], after);
    }

    /// Follows a move in space, which leaves it where it is in time.
    pub(super) fn relocate(&self, row: &Move, slots: Slots, found: &mut Findings) {
        let (id, time, booked) = (self.job_id, row.time, self.booking);
        let now = slots.down(time);
        let stays = row.before() == Some(booked) && row.after() == booked;
        found.require(id, stays, || {
            let after = row.after();
            format!("moves.csv: takes other PEs at {time} as {after}, but booked was {booked}")
        });
        let alive = self.submitted <= time && !self.is_over(now, slots);
        found.require(id, alive && !self.is_running(now), || {
            format!("moves.csv: takes other PEs at {time}, when it is not waiting")
        });
        found.require(id, !self.exact, || {
            format!("moves.csv: takes other PEs at {time}, but asked for exactly those that it has")
        });
    }

    /// When its hold is over, and whether it lasts until the start, whose slot it keeps then.
    fn expiry(&self) -> Option<(u64, bool)> {
        let held_until = self.held_until?;
        let start = self.booking.start;
        Some((held_until.min(start), held_until >= start))
    }

    pub(super) fn is_held(&self) -> bool {
        self.held_until.is_some()
    }

    pub(super) fn is_running(&self, now: u64) -> bool {
        !self.is_held() && self.booking.start <= now
    }

    /// Whether it is over at the slot edge `now`.
    pub(super) fn is_over(&self, now: u64, slots: Slots) -> bool {
        match self.expiry() {
            _ if self.ended.is_some() => true,
            Some((at, true)) => now > at,
            Some((at, false)) => now >= at,
            None => now >= self.end(slots),
        }
    }

    /// When its processing elements are free again: a job that ends inside a slot keeps it, and one that ends at once its first.
    fn end(&self, slots: Slots) -> u64 {
        let first = self.booking.start.saturating_add(slots.0);
        let over = self.over.map(|over| slots.up(over).max(first));
        over.map_or(self.booking.end, |over| over.min(self.booking.end))
    }

    /// Whether it ever ran.
    pub(in super::super) fn has_run(&self) -> bool {
        !self.ended_before_start() && !self.has_expired()
    }

    fn ended_before_start(&self) -> bool {
        self.ended.is_some_and(Ended::is_before_start)
    }

    /// Whether nobody confirmed it, now that nothing more happens.
    pub(in super::super) fn has_expired(&self) -> bool {
        self.is_held() && self.ended.is_none()
    }

    /// Something else is booked from `time` on, when everything up to `now` had happened.
    pub(super) fn book(&mut self, [time, now]: [u64; 2], booking: Booking) {
        self.changes.push(Change {
            time,
            from: Some(self.booking),
            to: Some(booking),
            moved: false,
        });
        self.booking = booking;
        if let Some(fixing) = &mut self.fixing {
            fixing.book(booking.start, [time, now]);
        }
    }

    /// Nothing is booked any more from `time` on.
    fn free(&mut self, time: u64) {
        self.changes.push(Change {
            time,
            from: Some(self.booking),
            to: None,
            moved: false,
        });
    }

    pub(super) fn cancel(&mut self, time: u64, now: u64) {
        let running = self.is_running(now);
        self.end_at(time, now, Ended::Cancelled { running });
    }

    /// What was booked when it was ended or changed last.
    pub(in super::super) fn booked_before(&self) -> Option<Booking> {
        self.changes.last()?.from
    }

    /// Something that cannot wait breaks the promise.
    pub(super) fn break_off(&mut self, time: u64, now: u64, slots: Slots, found: &mut Findings) {
        let alive = self.submitted <= time && !self.is_over(now, slots);
        found.require(self.job_id, alive, || {
            format!("broken at {time}, when nothing is booked for it")
        });
        let running = self.is_running(now);
        self.end_at(time, now, Ended::Broken { running });
    }

    fn end_at(&mut self, time: u64, now: u64, ended: Ended) {
        let running = !ended.is_before_start();
        self.free(time);
        self.stop = Some(time);
        self.ended = Some(ended);
        if running {
            self.booking.end = now;
        }
    }

    /// While it runs it keeps only so many processing elements from `time` on.
    pub(super) fn give_back(&mut self, time: u64, now: u64, kept: u64) {
        let gone = self.booking.pes.saturating_sub(kept);
        self.given_back.push((time, gone));
        self.pieces.push(Booking {
            start: self.piece_start(),
            end: now,
            ..self.booking
        });
    }

    fn piece_start(&self) -> u64 {
        let last = self.pieces.last();
        last.map_or(self.booking.start, |piece| piece.end)
    }

    /// Time goes on until everything is over: what expires then, and what ends early.
    pub(super) fn let_pass(&mut self, slots: Slots) {
        if self.ended.is_some() {
            return;
        }
        let end = match self.expiry() {
            Some((at, false)) => at,
            Some((at, true)) => at.saturating_add(slots.0),
            None => self.end(slots),
        };
        self.freed = (end < self.booking.end).then_some((
            end,
            Booking {
                start: end.max(self.booking.start),
                ..self.booking
            },
        ));
    }

    /// What was booked in the end: one stretch for each number of processing elements.
    pub(in super::super) fn booked(&self) -> impl Iterator<Item = Booking> {
        let last = Booking {
            start: self.piece_start(),
            ..self.booking
        };
        let all = self.pieces.iter().copied().chain([last]);
        // What is cancelled at the second of its start was booked for no time.
        all.filter(|piece| self.has_run() && piece.start < piece.end)
    }
}
