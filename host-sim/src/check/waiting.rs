//! Requests that wait for room after they were refused. Rule 23.

use std::{cmp::Reverse, collections::HashMap};

use super::{
    findings::Findings,
    placing,
    refusals::{Refusals, may_pass},
    room::{Room, Wanted},
    settings::{Settings, Slots},
};
use crate::{
    engine::{Priority, user_key},
    files::{Bit, Booking, Decision, PeRanges, Reservation},
    layout::Asks,
};

/// What a row says about waiting.
pub(super) fn row(
    row: &Reservation,
    refusals: &Refusals<'_>,
    settings: &Settings,
    found: &mut Findings,
) {
    let id = row.job_id;
    if !settings.waits() {
        let none = row.wait.is_none() && row.wait_key.flatten().is_none();
        found.require(id, none && !row.has_waited(), || {
            "waits, although no request does".to_owned()
        });
        return;
    }
    // Of cells that may be empty, files do not tell whether they are there.
    found.require(id, row.wait.is_some(), || {
        "the column wait is missing, although requests wait".to_owned()
    });
    let late = row.decision == Decision::PromisedLate;
    found.require(id, row.promised_at.flatten().is_some() == late, || {
        "promised_at stands beside what is promised late, and nowhere else".to_owned()
    });
    found.require(
        id,
        row.wait_key.flatten().is_some() == row.has_waited(),
        || "wait_key stands beside what waited, and nowhere else".to_owned(),
    );
    let may = row.wait == Some(Bit(true));
    found.require(id, may || !row.has_waited(), || {
        "waited, although it was not to".to_owned()
    });
    let gone = row.decision == Decision::Refused && may && may_pass(&row.reason);
    found.require(id, !gone || !refusals.can_wait(row), || {
        format!("refused for {} for good, although it may wait", row.reason)
    });
    if let (true, Some(at)) = (late, row.promised_at.flatten()) {
        promised(row, at, settings, found);
    }
}

/// A late promise lies behind the refusal, and not behind the latest start.
fn promised(row: &Reservation, at: u64, settings: &Settings, found: &mut Findings) {
    let (id, slots) = (row.job_id, settings.slots());
    found.require(id, at > row.arrival, || {
        format!("promised late at {at}, and arrived at {}", row.arrival)
    });
    found.require(id, at == slots.down(at), || {
        format!(
            "promised late at {at}, which is no edge of a slot of {} s",
            slots.0
        )
    });
    let latest = latest(row, settings);
    found.require(id, latest.is_some_and(|latest| at <= latest), || {
        format!("promised late at {at}, when its latest start has passed")
    });
    let reached = reached(row, settings).unwrap_or(0);
    found.require(id, reached <= at, || {
        format!("promised late at {at}, and its window can be booked from {reached} on")
    });
    found.require(id, row.start.is_none_or(|start| start >= at), || {
        format!("promised late at {at}, to start before that")
    });
}

/// Whether keys are those of the priority, as far as the tables tell.
pub(super) fn keys(rows: &[Reservation], settings: &Settings, found: &mut Findings) {
    let priority = settings.priority();
    let named = |named: Priority| priority == Some(named.name());
    let mut late: Vec<&Reservation> = rows
        .iter()
        .filter(|row| row.decision == Decision::PromisedLate)
        .collect();
    late.sort_by_key(|row| Reverse(row.promised_at()));
    let mut promised: HashMap<Option<u64>, u64> = HashMap::new();
    let add = |promised: &mut HashMap<_, u64>, row: &Reservation| {
        let [start, end] = row.booked().unwrap_or_default();
        let more = end.saturating_sub(start).saturating_mul(row.pes);
        let sum = promised.entry(row.user.flatten()).or_default();
        *sum = sum.saturating_add(more);
    };
    for row in rows {
        while let Some(before) = late.pop_if(|one| one.promised_at() <= row.arrival) {
            add(&mut promised, before);
        }
        let expected = match priority {
            _ if named(Priority::Age) => 0,
            _ if named(Priority::Size) => row.pes,
            _ if named(Priority::User) => {
                let sum = promised.get(&row.user.flatten()).copied();
                user_key(sum.unwrap_or(0)).into()
            }
            _ => row.wait_key.flatten().unwrap_or(0),
        };
        if let Some(key) = row.wait_key.flatten() {
            found.expect(row.job_id, "wait_key", key, expected);
        }
        if row.decision == Decision::Accepted {
            add(&mut promised, row);
        }
    }
}

/// Its latest start, where its window has one.
fn latest(row: &Reservation, settings: &Settings) -> Option<u64> {
    let slots = settings.slots();
    let latest = slots
        .down(row.deadline)
        .checked_sub(slots.up(row.duration))?;
    match settings.is_rigid() {
        true => Some(slots.up(row.ready)),
        false => Some(latest),
    }
}

/// The first edge from which all of its window can be booked.
fn reached(row: &Reservation, settings: &Settings) -> Option<u64> {
    let slots = settings.slots();
    let latest = latest(row, settings)?;
    let end = match settings.is_rigid() {
        true => latest.saturating_add(slots.up(row.duration)),
        false => slots.down(row.deadline),
    };
    let ahead = settings.horizon().saturating_mul(slots.0);
    Some(end.saturating_sub(ahead))
}

/// A request that waits.
pub(super) struct Waiter<'a> {
    row: &'a Reservation,
    number: usize,
    /// What was booked for it in the end, and where.
    booking: Option<Booking>,
    pes: &'a PeRanges,
    asks: Option<Asks>,
    latest: u64,
    /// The first edge from which all of its window can be booked.
    reached: u64,
    /// Whether it has not been looked at yet.
    is_new: bool,
    /// Whether it was noted that it was passed over.
    told: bool,
}

impl<'a> Waiter<'a> {
    /// Of a row that says that it waited.
    pub(super) fn new(
        row: &'a Reservation,
        (number, pes): (usize, &'a PeRanges),
        booking: Option<Booking>,
        settings: &Settings,
    ) -> Option<Self> {
        Some(Self {
            row,
            number,
            booking,
            pes,
            asks: settings
                .layout()
                .and_then(|layout| placing::read(layout, row.asks())),
            latest: latest(row, settings)?,
            reached: reached(row, settings)?,
            is_new: true,
            told: false,
        })
    }

    pub(super) fn is_of(&self, row: &Reservation) -> bool {
        std::ptr::eq(self.row, row)
    }

    /// When something becomes of it that nothing else causes.
    pub(super) fn edges(&self) -> impl Iterator<Item = u64> {
        let promised = self.row.promised_at.flatten();
        promised.into_iter().chain([self.reached])
    }

    fn wanted(&self, slots: Slots) -> Wanted<'_> {
        Wanted {
            duration: slots.up(self.row.duration),
            pes: self.row.pes,
            asks: self.asks.as_ref(),
        }
    }

    /// Where it would have room, by `last`, if it were promised a start at `edge`.
    fn room(&self, edge: u64, last: u64, room: &Room<'_>) -> Option<u64> {
        let slots = room.slots;
        if edge < self.reached || !room.is_known() {
            return None;
        }
        let from = slots.up(self.row.ready).max(edge);
        room.earliest(from, last.min(self.latest), self.wanted(slots))
    }

    /// The last start that could have become possible since it was looked at: something came free before `freed`.
    fn last(&self, edge: u64, freed: u64) -> Option<u64> {
        match self.booking.filter(|_| self.row.promised_at() <= edge) {
            Some(booking) => Some(booking.start),
            None if self.is_new || self.reached == edge => Some(self.latest),
            None => freed.checked_sub(1),
        }
    }
}

/// The requests that wait, those first that are tried first.
#[derive(Default)]
pub(super) struct Waiters<'a> {
    waiting: Vec<Waiter<'a>>,
    /// Until when something was booked that was given back since they were looked at; 0 for nothing.
    pub(super) freed: u64,
}

impl<'a> Waiters<'a> {
    pub(super) fn add(&mut self, waiter: Waiter<'a>) {
        let key = |waiter: &Waiter<'_>| Reverse(waiter.row.wait_key.flatten());
        let place = self
            .waiting
            .partition_point(|other| key(other) <= key(&waiter));
        self.waiting.insert(place, waiter);
    }

    /// Everybody in turn at `edge`: who has room must be promised it.
    pub(super) fn look(
        &mut self,
        edge: u64,
        room: &mut Room<'_>,
        first_fit: bool,
        found: &mut Findings,
    ) {
        let freed = std::mem::take(&mut self.freed);
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.retain_mut(|waiter| {
            let row = waiter.row;
            let booking = waiter.booking.filter(|_| row.promised_at() <= edge);
            let last = waiter.last(edge, freed).filter(|_| !waiter.told);
            let at = last.and_then(|last| waiter.room(edge, last, room));
            waiter.is_new = false;
            if let Some(booking) = booking {
                let first = !first_fit || at.is_none_or(|at| at == booking.start);
                found.require(row.job_id, first, || {
                    format!(
                        "promised late to start at {}, although it could start at {}",
                        booking.start,
                        at.unwrap_or_default()
                    )
                });
                room.book(booking);
                room.assign(waiter.number, booking, waiter.pes);
                room.judge(row.job_id, edge, booking, found);
                return false;
            }
            // The table of reservations may be full, which no file tells.
            if let Some(at) = at.filter(|_| row.reason != "table-full") {
                let then = match row.promised_at.flatten() {
                    Some(at) => format!("promised late at {at}"),
                    None => "given up".to_owned(),
                };
                let problem = format!("{then}, although at {edge} there was room for it at {at}");
                found.add(Some(row.job_id), problem);
                waiter.told = true;
            }
            waiter.booking.is_some() || edge < waiter.latest
        });
        self.waiting = waiting;
    }
}
