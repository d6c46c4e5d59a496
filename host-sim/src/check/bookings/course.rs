//! What happens to bookings, in the order in which it is judged.

use super::{
    super::{
        operations::{Change, Histories, History},
        overlays,
        pieces::Run,
        queue::{self, Queue},
        rules::Base,
        settings::{Settings, Slots},
        waiting::Waiter,
    },
    Spare,
};
use crate::{
    engine::OnLate,
    files::{Booking, Job, PeRanges, Profile, Reservation},
};

/// More slots than any machine can book ahead are noted elsewhere.
const MOST_SLOTS: usize = 1 << 20;

/// What happens, in lists of their own.
pub(super) struct Course<'a> {
    /// In order of arrival.
    pub(super) rows: Vec<Row<'a>>,
    /// What operations changed.
    pub(super) altered: Vec<Altered<'a>>,
    /// Bookings of jobs that are to end for reservations, and then later.
    pub(super) recuts: Vec<Recut<'a>>,
    /// What time frees.
    pub(super) ends: Vec<End>,
    /// Every time at which a booking may begin or end.
    pub(super) edges: Vec<u64>,
    pub(super) queue: Option<Queue<'a>>,
    /// The requests that waited, in order of arrival.
    pub(super) waiters: Vec<Waiter<'a>>,
    /// What rules take.
    pub(super) bases: Vec<Base>,
    settings: &'a Settings,
}

/// Something that arrives.
pub(super) enum Row<'a> {
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

pub(super) struct Altered<'a> {
    pub(super) job_id: u64,
    /// The number of a run, and where it is.
    pub(super) run: Option<(usize, &'a PeRanges)>,
    pub(super) change: Change,
    /// Whether it happens when a slot begins, before anything arrives in it.
    pub(super) at_edge: bool,
}

/// A job of the queue is to end for a reservation, or later than that.
pub(super) struct Recut<'a> {
    /// The number of the row.
    pub(super) place: usize,
    /// The reservation; nothing where time leaves room.
    pub(super) by: Option<u64>,
    /// The job's place in the queue when it has come back: it does so only after the reservation for which it ends, which may do it at once.
    pub(super) back: Option<usize>,
    pub(super) altered: Altered<'a>,
}

/// A booking is over.
pub(super) struct End {
    pub(super) time: u64,
    /// When it began, and its number.
    pub(super) start: u64,
    pub(super) number: usize,
    /// What is free from then on, of one that ends early.
    pub(super) rest: Option<Booking>,
    /// Whether it has not begun yet: it leaves a slot to others, of whom the scheduler need not think at once.
    pub(super) waits: bool,
}

impl Row<'_> {
    pub(super) fn arrival(&self) -> u64 {
        match self {
            Self::Request { row, .. } => row.arrival,
            Self::Copy(spare) => spare.arrival,
            Self::BestEffort { arrival, .. } => *arrival,
        }
    }
}

impl<'a> Course<'a> {
    /// In which nothing happens.
    pub(super) const fn new(settings: &'a Settings) -> Self {
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

    pub(super) fn of(
        reservations: &'a [Reservation],
        jobs: &'a [Job<'a>],
        (histories, runs): (Option<&Histories>, &'a [Run<'a>]),
        settings: &'a Settings,
    ) -> Self {
        let slots = settings.slots();
        let mut runs_of = runs.iter().enumerate().peekable();
        // The place in the queue of the run behind each, if there is one.
        let mut backs = vec![None; runs.len()];
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
                        if back.is_some() {
                            backs[run - 1] = place;
                        }
                        places.push((place, one.job.finish_time.unwrap_or_default()));
                    }
                    let first = match places.first() {
                        Some((place, _)) => *place,
                        None => queue.add(job, number, None, (None, settings)),
                    };
                    course.edges.extend(queue.removal(first, slots));
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
        for (run, (one, back)) in runs.iter().zip(backs).enumerate() {
            course.run(one, back, jobs.len() + run, settings);
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
    fn run(&mut self, run: &'a Run<'a>, back: Option<usize>, number: usize, settings: &Settings) {
        let slots = settings.slots();
        let job = &run.job;
        let ended = run.changes.last();
        let ended = ended.filter(|(_, change)| change.cause_job_id.is_some());
        if let (Some(queue), Some(back), None) = (&mut self.queue, back, ended) {
            queue.meet(back);
        }
        let last = run.booking(settings);
        let end = last.and_then(|booking| end(job, number, booking, slots));
        let over = end.as_ref().map(|end| end.time);
        self.ends.extend(end);
        let changed = |at: usize| run.changes.get(at).map(|(_, change)| change.time).or(over);
        self.edge(queue::booking(job, slots), changed(0));
        for (at, &(place, change)) in run.changes.iter().enumerate() {
            let (time, to) = (change.time, change.after());
            self.edge(Some(to), changed(at + 1));
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
                back: back.filter(|_| ended.is_some_and(|(last, _)| *last == place)),
                altered,
            });
        }
    }

    /// Adds copies that were given back.
    pub(super) fn add(&mut self, spare: &'a [Spare], slots: Slots) {
        for copy in spare {
            self.edge(Some(copy.booking), Some(copy.until));
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
    pub(super) fn request(
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
            self.follow(history, later, slots);
            return first.to;
        }
        let [start, finish] = row.booked().filter(|_| row.is_accepted())?;
        let booking = Booking {
            start,
            end: finish,
            pes: row.granted()[1],
        };
        let end = end(job, number, booking, slots);
        self.edge(Some(booking), end.as_ref().map(|end| end.time));
        self.ends.extend(end);
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
        let all = &history.changes;
        let times = all.iter().skip(1).map(|change| Some(change.time));
        let freed = history.freed.map(|(time, _)| time);
        for (change, until) in all.iter().zip(times.chain([freed])) {
            self.edge(change.to, until);
        }
        for &change in changes {
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

    /// A booking starts and ends, unless it became another before: nothing happens then, and nobody looks at the queue.
    fn edge(&mut self, booking: Option<Booking>, until: Option<u64>) {
        let times = booking.map(|booking| [booking.start, booking.end]);
        let times = times.into_iter().flatten();
        self.edges
            .extend(times.filter(|time| until.is_none_or(|until| *time <= until)));
    }
}

/// When the booking of a job is over: a job that ends inside a slot keeps it, and one that ends at once its first.
pub(in super::super) fn over(job: &Job<'_>, booking: Booking, slots: Slots) -> Option<u64> {
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
