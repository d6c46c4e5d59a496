//! Whether everything that was promised fits onto the machine at once, and whether there was no room for what was refused. Rules 12
//! and 14, and the clock of rule 9.
//!
//! Goes through the tables by time. At each decision, what was known then is booked: promised windows less ends known by then, and
//! places after the changes made so far.

mod clock;
mod course;

use std::{collections::VecDeque, mem};

use clock::Clock;
pub(super) use course::over;
use course::{Altered, Course, Row};

use super::{findings::Findings, operations::Histories, pieces::Run, rules, settings::Settings};
use crate::files::{Booking, Job, Reservation};

/// Books everything by time. O(jobs log jobs), and with a queue for each edge O(jobs waiting + those that fit x log jobs).
pub(super) fn check(
    reservations: &[Reservation],
    jobs: &[Job<'_>],
    queued: bool,
    (histories, spare, runs): (Option<&Histories>, &[Spare], &[Run<'_>]),
    settings: &Settings,
    found: &mut Findings,
) {
    let looks = queued || settings.waits();
    let sets = looks && settings.binds_early() && histories.is_none();
    let mut course = Course::of(reservations, jobs, (histories, runs), settings);
    course.add(spare, settings.slots());
    if !settings.rules().is_empty() {
        // No request looks further ahead.
        let deadlines = reservations.iter().map(|row| row.deadline);
        let last = deadlines.chain(course.edges.iter().copied()).max();
        course.bases = rules::bases(settings, settings.slots().up(last.unwrap_or(0)));
    }
    let rows = mem::take(&mut course.rows);
    let mut bookings = Bookings::of(course, sets, settings);
    rows.iter().for_each(|row| bookings.row(row));
    bookings.finish(found);
}

/// Goes through rows in order of arrival.
pub(super) struct Bookings<'a> {
    clock: Clock<'a>,
    /// What else changes, in order of time.
    altered: VecDeque<Altered<'a>>,
    /// How many requests came by themselves.
    requests: usize,
}

impl<'a> Bookings<'a> {
    /// Of requests that come by themselves: nothing happens to what is booked but that it ends, and nobody waits, so that what has passed is forgotten.
    pub(super) fn plain(settings: &'a Settings) -> Self {
        Self::of(Course::new(settings), false, settings)
    }

    fn of(mut course: Course<'a>, sets: bool, settings: &'a Settings) -> Self {
        course.altered.sort_by_key(|altered| altered.change.time);
        // Where requests wait, nothing moves but what starts earlier, before they are tried.
        let altered = match settings.waits() {
            true => Vec::new(),
            false => mem::take(&mut course.altered),
        };
        Self {
            clock: Clock::of(course, sets, settings),
            altered: altered.into(),
            requests: 0,
        }
    }

    /// The next request, of those that come by themselves. Says whether nothing is amiss: of rows that are out of order, or are about the past in another
    /// way, all are needed.
    pub(super) fn request(&mut self, row: &Reservation, job: &Job<'_>) -> bool {
        let clock = &mut self.clock;
        let mut course = Course::new(clock.settings);
        let request = course.request(row, self.requests, job, None);
        self.requests += 1;
        let ends = mem::take(&mut course.ends);
        let passed = clock.room.slots.down(clock.latest);
        let in_order = row.arrival >= clock.latest && ends.iter().all(|end| end.time > passed);
        ends.into_iter().for_each(|end| clock.will_end(end));
        self.row(&request);
        let room = &mut self.clock.room;
        room.forget(room.slots.down(self.clock.latest));
        in_order && !room.lacks_past()
    }

    fn row(&mut self, row: &Row<'_>) {
        let before = |altered: &mut Altered<'_>| match altered.at_edge {
            true => altered.change.time <= row.arrival(),
            false => altered.change.time < row.arrival(),
        };
        while let Some(altered) = self.altered.pop_front_if(before) {
            self.clock.alter(&altered);
        }
        let then = |altered: &&Altered<'_>| altered.change.time == row.arrival();
        let then = self.altered.iter().take_while(then);
        then.clone()
            .for_each(|altered| self.clock.leave_open(altered));
        self.clock.row(row, then.count() > 0);
    }

    /// Everything that is left, and what is wrong.
    pub(super) fn finish(mut self, found: &mut Findings) {
        self.altered
            .iter()
            .for_each(|altered| self.clock.alter(altered));
        self.clock.run_out();
        found.append(self.clock.found);
    }
}

/// A copy of a reservation that was not used.
pub(super) struct Spare {
    pub(super) job_id: u64,
    pub(super) arrival: u64,
    /// How many rows of its site came before it.
    pub(super) before: usize,
    pub(super) booking: Booking,
    /// Whether nothing of it was on top of others.
    pub(super) fits: bool,
    /// When it was given back.
    pub(super) until: u64,
}
