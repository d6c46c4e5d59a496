//! Whether everything that was promised fits onto the machine at once, and whether there was no room for what was refused. Rules 12
//! and 14, and the clock of rule 9.
//!
//! Goes through the tables by time. At each decision, what was known then is booked: promised windows less ends known by then, and
//! places after the changes made so far.

use std::{
    collections::{BTreeMap, VecDeque},
    mem,
};

use super::{
    findings::Findings,
    operations::{Change, Histories, History},
    overlays,
    pieces::Run,
    queue::{self, Queue},
    room::{Room, Wanted},
    rules::{self, Base},
    settings::{Settings, Slots},
    waiting::{Waiter, Waiters},
};
use crate::{
    engine::OnLate,
    files::{Booking, Job, PeRanges, Profile, Reservation},
};

/// More slots than any machine can book ahead are noted elsewhere.
const MOST_SLOTS: usize = 1 << 20;

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

    fn of(course: Course<'a>, sets: bool, settings: &'a Settings) -> Self {
        let Course {
            mut altered,
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
        altered.sort_by_key(|altered| altered.change.time);
        let mut clock = Clock {
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
            pulled: VecDeque::new(),
            recuts: recuts.into(),
            edges,
            edge: 0,
            again: None,
            made: Vec::new(),
            latest: 0,
            found: Findings::default(),
        };
        ends.into_iter().for_each(|end| clock.will_end(end));
        // Where requests wait, nothing moves but what starts earlier, before they are tried.
        if clock.waiters.is_some() {
            clock.pulled = mem::take(&mut altered).into();
        }
        Self {
            clock,
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

/// What happens, in lists of their own.
struct Course<'a> {
    /// In order of arrival.
    rows: Vec<Row<'a>>,
    /// What operations changed.
    altered: Vec<Altered<'a>>,
    /// Bookings of jobs that are to end for reservations, and then later.
    recuts: Vec<Recut<'a>>,
    /// What time frees.
    ends: Vec<End>,
    /// Every time at which a booking may begin or end.
    edges: Vec<u64>,
    queue: Option<Queue<'a>>,
    /// The requests that waited, in order of arrival.
    waiters: Vec<Waiter<'a>>,
    /// What rules take.
    bases: Vec<Base>,
    settings: &'a Settings,
}

/// Something that arrives.
enum Row<'a> {
    Request {
        row: &'a Reservation,
        number: usize,
        booked: Option<Booking>,
        pes: &'a PeRanges,
    },
    Copy(&'a Spare),
    BestEffort {
        arrival: u64,
        /// Among those that were queued.
        place: Option<usize>,
    },
}

struct Altered<'a> {
    job_id: u64,
    /// The number of a run, and where it is.
    run: Option<(usize, &'a PeRanges)>,
    change: Change,
    /// Whether it happens when a slot begins, before anything arrives in it.
    at_edge: bool,
}

/// A job of the queue is to end for a reservation, or later than that.
struct Recut<'a> {
    /// The number of the row.
    place: usize,
    /// The reservation; nothing where time leaves room.
    by: Option<u64>,
    altered: Altered<'a>,
}

/// A booking is over.
struct End {
    time: u64,
    /// When it began, and its number.
    start: u64,
    number: usize,
    /// What is free from then on, of one that ends early.
    rest: Option<Booking>,
    /// Whether it has not begun yet: it leaves a slot to others, of whom the scheduler need not think at once.
    waits: bool,
}

impl Row<'_> {
    fn arrival(&self) -> u64 {
        match self {
            Self::Request { row, .. } => row.arrival,
            Self::Copy(spare) => spare.arrival,
            Self::BestEffort { arrival, .. } => *arrival,
        }
    }
}

impl<'a> Course<'a> {
    /// In which nothing happens.
    const fn new(settings: &'a Settings) -> Self {
        Self {
            rows: Vec::new(),
            altered: Vec::new(),
            recuts: Vec::new(),
            ends: Vec::new(),
            edges: Vec::new(),
            queue: None,
            waiters: Vec::new(),
            bases: Vec::new(),
            settings,
        }
    }

    fn of(
        reservations: &'a [Reservation],
        jobs: &'a [Job<'a>],
        (histories, runs): (Option<&Histories>, &'a [Run<'a>]),
        settings: &'a Settings,
    ) -> Self {
        let slots = settings.slots();
        let mut runs_of = runs.iter().enumerate().peekable();
        let mut course = Self::new(settings);
        let mut requests = reservations.iter();
        for (number, job) in jobs.iter().enumerate() {
            match job.profile {
                Profile::Split => {}
                Profile::BestEffort => {
                    let queue = || Queue::new(settings.discipline());
                    let queue = course.queue.get_or_insert_with(queue);
                    let mut places = Vec::new();
                    while let Some((run, one)) = runs_of.next_if(|(_, run)| run.number == number) {
                        // Jobs and reservations have the numbers of their rows.
                        let number = jobs.len() + run;
                        let booked = queue::booking(&one.job, slots);
                        let back = places.last().map(|(_, end)| *end);
                        let place = queue.add(&one.job, number, booked, (back, settings));
                        places.push((place, one.job.finish_time.unwrap_or_default()));
                    }
                    let first = match places.first() {
                        Some((place, _)) => *place,
                        None => queue.add(job, number, None, (None, settings)),
                    };
                    course.edges.extend(queue.removal(first, slots));
                    let later = places.iter().skip(1).filter_map(|(place, _)| *place);
                    later.for_each(|place| queue.meet(place));
                    course.rows.push(Row::BestEffort {
                        arrival: job.submission_time,
                        place: first,
                    });
                }
                Profile::Reservation => {
                    let Some(row) = requests.next() else { continue };
                    let history = histories.and_then(|histories| histories.of(row.job_id));
                    let request = course.request(row, number, job, history);
                    course.rows.push(request);
                }
            }
        }
        for (run, one) in runs.iter().enumerate() {
            course.run(one, jobs.len() + run, settings);
        }
        course.recuts.sort_by_key(|recut| recut.place);
        for history in histories.map(Histories::parts).unwrap_or_default() {
            course.follow(history, &history.changes, slots);
        }
        // The others are ends of bookings.
        let early = course.ends.iter().filter(|end| end.rest.is_some());
        course.edges.extend(early.map(|end| end.time));
        if let Some(queue) = &mut course.queue {
            queue.sort();
        }
        course
    }

    /// What a run of a job of the queue booked, and until when.
    fn run(&mut self, run: &'a Run<'a>, number: usize, settings: &Settings) {
        let slots = settings.slots();
        let job = &run.job;
        self.edge(queue::booking(job, slots));
        let last = run.booking(settings);
        self.ends
            .extend(last.and_then(|booking| end(job, number, booking, slots)));
        for &(place, change) in &run.changes {
            let (time, to) = (change.time, change.after());
            self.edge(Some(to));
            self.edges.push(slots.down(time));
            let altered = Altered {
                job_id: job.job_id,
                run: Some((number, &job.allocated_resources)),
                change: Change {
                    time,
                    from: change.before(),
                    to: Some(to),
                    moved: false,
                },
                at_edge: true,
            };
            self.recuts.push(Recut {
                place,
                by: change.cause_job_id,
                altered,
            });
        }
    }

    /// Adds copies that were given back.
    fn add(&mut self, spare: &'a [Spare], slots: Slots) {
        for copy in spare {
            self.edge(Some(copy.booking));
            self.edges.push(slots.down(copy.until));
            self.altered.push(Altered {
                job_id: copy.job_id,
                run: None,
                change: Change {
                    time: copy.until,
                    from: Some(copy.booking),
                    to: None,
                    moved: true,
                },
                at_edge: copy.until > copy.arrival,
            });
        }
        let rows = self.rows.drain(..).enumerate();
        let rows = rows.map(|(number, row)| (2 * number + 1, row));
        let copies = spare.iter().map(|copy| (2 * copy.before, Row::Copy(copy)));
        let mut together: Vec<_> = rows.chain(copies).collect();
        together.sort_by_key(|(place, _)| *place);
        self.rows.extend(together.into_iter().map(|(_, row)| row));
    }

    /// A request, which may wait for what it books.
    fn request(
        &mut self,
        row: &'a Reservation,
        number: usize,
        job: &'a Job<'_>,
        history: Option<&History>,
    ) -> Row<'a> {
        let pes = &job.allocated_resources;
        let mut booked = self.booked(row, number, job, history);
        if row.has_waited() {
            let waiter = Waiter::new(row, (number, pes), booked.take(), self.settings);
            self.edges.extend(waiter.iter().flat_map(Waiter::edges));
            self.waiters.extend(waiter);
        }
        Row::Request {
            row,
            number,
            booked,
            pes,
        }
    }

    /// What a request booked at first.
    fn booked(
        &mut self,
        row: &Reservation,
        number: usize,
        job: &Job<'_>,
        history: Option<&History>,
    ) -> Option<Booking> {
        let slots = self.settings.slots();
        if let Some(history) = history {
            let (first, later) = history.changes.split_first()?;
            self.edge(first.to);
            self.follow(history, later, slots);
            return first.to;
        }
        let [start, finish] = row.booked().filter(|_| row.is_accepted())?;
        let booking = Booking {
            start,
            end: finish,
            pes: row.granted()[1],
        };
        self.edge(Some(booking));
        self.ends.extend(end(job, number, booking, slots));
        self.late(row, job, booking, slots);
        Some(booking)
    }

    /// What starts late leaves each slot in which it cannot start to others, or all of them.
    fn late(&mut self, row: &Reservation, job: &Job<'_>, booking: Booking, slots: Slots) {
        if !overlays::is_late(row) {
            return;
        }
        if self.settings.on_late() == OnLate::Cancel {
            self.ends.push(End {
                time: booking.start,
                start: booking.start,
                number: 0,
                rest: Some(booking),
                waits: false,
            });
            return;
        }
        let began = job.starting_time.unwrap_or(booking.end).min(booking.end);
        self.edges.push(began);
        // No window is longer than what can be booked ahead.
        let step = slots.0.try_into().unwrap_or(usize::MAX);
        let late = (booking.start..began).step_by(step).take(MOST_SLOTS);
        self.ends.extend(late.map(|start| End {
            time: start,
            start,
            number: 0,
            rest: Some(Booking {
                start,
                end: start.saturating_add(slots.0).min(began),
                ..booking
            }),
            waits: true,
        }));
    }

    fn follow(&mut self, history: &History, changes: &[Change], slots: Slots) {
        for &change in changes {
            self.edge(change.from);
            self.edge(change.to);
            self.edges.push(slots.down(change.time));
            let job_id = history.job_id;
            self.altered.push(Altered {
                job_id,
                run: None,
                change,
                at_edge: false,
            });
        }
        self.ends.extend(history.freed.map(|(time, rest)| End {
            time,
            start: rest.start,
            number: 0,
            rest: Some(rest),
            waits: false,
        }));
    }

    fn edge(&mut self, booking: Option<Booking>) {
        let times = booking.map(|booking| [booking.start, booking.end]);
        self.edges.extend(times.into_iter().flatten());
    }
}

/// When the booking of a job is over: a job that ends inside a slot keeps it, and one that ends at once its first.
pub(super) fn over(job: &Job<'_>, booking: Booking, slots: Slots) -> Option<u64> {
    let first = booking.start.saturating_add(slots.0);
    Some(slots.up(job.finish_time?).max(first).min(booking.end))
}

fn end(job: &Job<'_>, number: usize, booking: Booking, slots: Slots) -> Option<End> {
    let Booking { start, end, .. } = booking;
    let time = over(job, booking, slots)?;
    let rest = (time < end).then_some(Booking {
        start: time,
        ..booking
    });
    Some(End {
        time,
        start,
        number,
        rest,
        waits: false,
    })
}

/// Goes through time.
struct Clock<'a> {
    settings: &'a Settings,
    room: Room<'a>,
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
    latest: u64,
    found: Findings,
}

impl Clock<'_> {
    /// Notes what will be over.
    fn will_end(&mut self, end: End) {
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

    fn row(&mut self, row: &Row<'_>, together: bool) {
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

    fn alter(&mut self, altered: &Altered<'_>) {
        self.leave_open(altered);
        self.arrive(altered.change.time);
        self.rebook(altered);
    }

    /// Whatever a transaction moves, moves at once, and nobody looks at the queue in between.
    fn leave_open(&mut self, altered: &Altered<'_>) {
        if let (Some(queue), true) = (&mut self.queue, altered.change.moved) {
            queue.open = Some(altered.change.time);
        }
    }

    /// Changes bookings of jobs, as long as that is `due` by its time and its cause.
    fn recut(&mut self, due: impl Fn(u64, Option<u64>) -> bool) {
        let is_due = |recut: &mut Recut<'_>| due(recut.altered.change.time, recut.by);
        while let Some(recut) = self.recuts.pop_front_if(is_due) {
            self.rebook(&recut.altered);
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
    fn run_out(&mut self) {
        self.judge();
        self.advance(u64::MAX);
        if let Some(queue) = &mut self.queue {
            queue.pass(u64::MAX, &mut self.room, &mut self.found);
        }
    }
}
