//! Goes through time and judges what is booked, and what was refused, when it happens.

use std::{
    collections::{BTreeMap, VecDeque},
    mem,
};

use super::{
    super::{
        findings::Findings,
        queue::Queue,
        room::{Room, Wanted},
        rules::Base,
        settings::Settings,
        waiting::{Waiter, Waiters},
    },
    Spare,
    course::{Altered, Course, End, Recut, Row},
};
use crate::files::{Booking, Reservation};

/// Goes through time.
pub(super) struct Clock<'a> {
    pub(super) settings: &'a Settings,
    pub(super) room: Room<'a>,
    /// Whether it is told which processing elements bookings have.
    sets: bool,
    queue: Option<Queue<'a>>,
    /// Requests that will wait, the next one last, and those that do; nothing where none does.
    coming: Vec<Waiter<'a>>,
    waiters: Option<Waiters<'a>>,
    /// By time, and by how many were noted before.
    ends: BTreeMap<(u64, usize), End>,
    ending: usize,
    /// What rules take, and what they will when that becomes something else.
    base: Vec<Booking>,
    bases: VecDeque<Base>,
    /// What starts earlier at an edge, where requests wait.
    pulled: VecDeque<Altered<'a>>,
    /// What becomes of jobs that are to end for reservations.
    recuts: VecDeque<Recut<'a>>,
    /// Every time at which something may change, and how many of these have passed.
    edges: Vec<u64>,
    edge: usize,
    /// An edge at which something has changed after the queue was looked at.
    again: Option<u64>,
    /// What has been booked in the second that is running, to be judged when it is over: nobody knows in which order operations and
    /// requests of the same second came.
    made: Vec<(u64, u64, Booking)>,
    pub(super) latest: u64,
    pub(super) found: Findings,
}

impl<'a> Clock<'a> {
    /// At the beginning of what happens.
    pub(super) fn of(course: Course<'a>, sets: bool, settings: &'a Settings) -> Self {
        let Course {
            altered,
            recuts,
            ends,
            mut edges,
            queue,
            mut waiters,
            bases,
            ..
        } = course;
        let taken = bases.iter().flat_map(|base| &base.taken);
        edges.extend(taken.flat_map(|taken| [taken.start, taken.end]));
        edges.extend(bases.iter().map(|base| base.since));
        edges.push(0);
        edges.sort_unstable();
        edges.dedup();
        waiters.reverse();
        let mut clock = Self {
            settings,
            room: Room::new(settings, sets),
            sets,
            queue,
            coming: waiters,
            waiters: settings.waits().then(Waiters::default),
            ends: BTreeMap::new(),
            ending: 0,
            base: Vec::new(),
            bases: bases.into(),
            pulled: altered.into(),
            recuts: recuts.into(),
            edges,
            edge: 0,
            again: None,
            made: Vec::new(),
            latest: 0,
            found: Findings::default(),
        };
        ends.into_iter().for_each(|end| clock.will_end(end));
        clock
    }

    /// Notes what will be over.
    pub(super) fn will_end(&mut self, end: End) {
        // A booking that lasts to its end frees nothing, and only sets note that it is over.
        if self.sets || end.rest.is_some() {
            self.ends.insert((end.time, self.ending), end);
            self.ending += 1;
        }
    }

    /// Something arrives at `second`.
    fn arrive(&mut self, second: u64) {
        if second != self.latest {
            self.judge();
        }
        let second = second.max(self.latest);
        self.latest = second;
        self.advance(self.room.slots.down(second));
        if let Some(queue) = &mut self.queue {
            queue.pass(second, &mut self.room, &mut self.found);
        }
    }

    /// Whether everything that was booked in a second fits.
    fn judge(&mut self) {
        for (job_id, time, booking) in self.made.drain(..) {
            self.room.judge(job_id, time, booking, &mut self.found);
        }
    }

    /// Everything up to the edge `to`.
    fn advance(&mut self, to: u64) {
        while let Some(Base { since, taken }) = self.bases.pop_front_if(|base| base.since <= to) {
            let ahead = |booking: &Booking| Booking {
                start: booking.start.max(since),
                ..*booking
            };
            let before = mem::replace(&mut self.base, taken);
            let before = before.iter().filter(|booking| booking.end > since);
            before.for_each(|booking| self.room.free(ahead(booking)));
            self.base
                .iter()
                .for_each(|booking| self.room.book(ahead(booking)));
        }
        if self.queue.is_none() && self.waiters.is_none() {
            self.end(to);
            return;
        }
        while let Some(edge) = self.next().filter(|edge| *edge <= to) {
            while self.edges.get(self.edge).is_some_and(|at| *at <= edge) {
                self.edge += 1;
            }
            self.again = self.again.filter(|again| *again > edge);
            if let Some(queue) = &mut self.queue {
                queue.pass(edge, &mut self.room, &mut self.found);
            }
            self.end(edge);
            while let Some(altered) = self.pulled.pop_front_if(|one| one.change.time <= edge) {
                self.rebook(&altered);
            }
            self.recut(|time, by| by.is_none() && time <= edge);
            if let Some(waiters) = &mut self.waiters {
                let first_fit = self.settings.takes_first();
                waiters.look(edge, &mut self.room, first_fit, &mut self.found);
            }
            if let Some(queue) = &mut self.queue {
                queue.look(edge, &mut self.room, &mut self.found);
            }
        }
    }

    fn next(&self) -> Option<u64> {
        let edge = self.edges.get(self.edge).copied();
        let queued = self.queue.as_ref().and_then(Queue::next);
        [edge, queued, self.again].into_iter().flatten().min()
    }

    /// What is over by `edge`.
    fn end(&mut self, edge: u64) {
        while let Some(first) = self.ends.first_entry()
            && first.key().0 <= edge
        {
            let end = first.remove();
            self.room.leave(end.number, end.start);
            if let Some(rest) = end.rest {
                self.room.free(rest);
                if let Some(waiters) = &mut self.waiters {
                    waiters.freed = waiters.freed.max(rest.end);
                }
            }
            if let (Some(queue), true) = (&mut self.queue, end.waits) {
                queue.open = Some(edge);
            }
        }
    }

    pub(super) fn row(&mut self, row: &Row<'_>, together: bool) {
        let second = row.arrival();
        // Who comes to the queue has a turn with all others that come before something is decided.
        if !matches!(row, Row::BestEffort { .. }) {
            self.arrive(second);
        }
        match *row {
            Row::Request {
                row,
                number,
                booked,
                pes,
            } => {
                let Some(booking) = booked else {
                    if !together {
                        self.refused(row);
                    }
                    let waits = self.coming.pop_if(|waiter| waiter.is_of(row));
                    if let (Some(waiters), Some(waiter)) = (&mut self.waiters, waits) {
                        waiters.add(waiter);
                    }
                    return;
                };
                // What lies on top of others need not fit, but whatever was booked before had to.
                let fits = !row.is_overlay();
                if fits && !together {
                    self.longest(row, booking);
                }
                if !fits {
                    self.judge();
                }
                // Those make room at once for whom they end.
                let mine = |by: Option<u64>| by == Some(row.job_id);
                self.recut(|time, by| time < second || time == second && mine(by));
                self.room.book(booking);
                self.room.assign(number, booking, pes);
                self.changed(row.job_id, second, Some(booking).filter(|_| fits));
            }
            Row::Copy(Spare {
                job_id,
                booking,
                fits,
                ..
            }) => {
                if !fits {
                    self.judge();
                }
                self.room.book(*booking);
                self.changed(*job_id, second, Some(*booking).filter(|_| *fits));
            }
            Row::BestEffort { place, .. } => {
                if let (Some(queue), Some(place)) = (&mut self.queue, place) {
                    queue.meet(place);
                }
            }
        }
        if together && let Some(queue) = &mut self.queue {
            queue.open = Some(second);
        }
    }

    pub(super) fn alter(&mut self, altered: &Altered<'_>) {
        self.leave_open(altered);
        self.arrive(altered.change.time);
        self.rebook(altered);
    }

    /// Whatever a transaction moves, moves at once, and nobody looks at the queue in between.
    pub(super) fn leave_open(&mut self, altered: &Altered<'_>) {
        if let (Some(queue), true) = (&mut self.queue, altered.change.moved) {
            queue.open = Some(altered.change.time);
        }
    }

    /// Changes bookings of jobs, as long as that is `due` by its time and its cause.
    fn recut(&mut self, due: impl Fn(u64, Option<u64>) -> bool) {
        let is_due = |recut: &mut Recut<'_>| due(recut.altered.change.time, recut.by);
        while let Some(recut) = self.recuts.pop_front_if(is_due) {
            self.rebook(&recut.altered);
            if let (Some(queue), Some(back)) = (&mut self.queue, recut.back) {
                queue.meet(back);
            }
        }
    }

    fn rebook(&mut self, altered: &Altered<'_>) {
        let Altered { job_id, change, .. } = *altered;
        let now = self.room.slots.down(change.time);
        let ahead = |booking: Booking| Booking {
            start: booking.start.max(now),
            ..booking
        };
        if let Some(from) = change.from {
            self.room.free(ahead(from));
            if let Some(waiters) = &mut self.waiters {
                waiters.freed = waiters.freed.max(from.end);
            }
        }
        if let Some(to) = change.to {
            self.room.book(ahead(to));
            if let Some((number, pes)) = altered.run {
                self.room.assign(number, to, pes);
            }
        }
        self.changed(job_id, change.time, change.to);
    }

    /// Something was booked or freed at `second`.
    fn changed(&mut self, job_id: u64, second: u64, booking: Option<Booking>) {
        self.made
            .extend(booking.map(|booking| (job_id, second, booking)));
        if second == self.room.slots.down(second) {
            self.again = Some(second);
        }
    }

    /// With late binding, counts tell whether there was room for a request that found none.
    fn refused(&mut self, row: &Reservation) {
        let settings = self.settings;
        if !["no-room", "too-risky"].contains(&&*row.reason)
            || !settings.binds_late()
            || settings.refuses_early()
            || settings.redundancy().is_some()
            || settings.joins() && !row.is_refused_by_machine()
        {
            return;
        }
        if let Some(at) = self.room_for(row, self.room.slots.up(row.least_duration())) {
            let problem = format!("refused for no-room, although there is room at {at}");
            self.found.add(Some(row.job_id), problem);
        }
    }

    /// With late binding, counts tell whether a slot more would have fit than was granted of a range of lengths.
    fn longest(&mut self, row: &Reservation, booked: Booking) {
        let slots = self.room.slots;
        let longer = booked
            .end
            .saturating_sub(booked.start)
            .saturating_add(slots.0);
        if row.shortest().is_none()
            || longer > slots.up(row.duration)
            || !self.settings.binds_late()
        {
            return;
        }
        if let Some(at) = self.room_for(row, longer) {
            let granted = row.granted()[0];
            let problem = format!("granted {granted} s, although {longer} s fit at {at}");
            self.found.add(Some(row.job_id), problem);
        }
    }

    /// Where a request would have room for so many seconds.
    fn room_for(&self, row: &Reservation, duration: u64) -> Option<u64> {
        let slots = self.room.slots;
        let pes = row.pes;
        let ready = slots.up(row.ready);
        let latest = match self.settings.is_rigid() {
            true => ready,
            false => slots.down(row.deadline).checked_sub(duration)?,
        };
        let wanted = Wanted {
            duration,
            pes,
            asks: None,
        };
        self.room.earliest(ready, latest, wanted)
    }

    /// Everything that is left.
    pub(super) fn run_out(&mut self) {
        self.judge();
        self.advance(u64::MAX);
        if let Some(queue) = &mut self.queue {
            queue.pass(u64::MAX, &mut self.room, &mut self.found);
        }
    }
}
