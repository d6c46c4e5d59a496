//! The order of the queue. Rule 9.
//!
//! At each edge at which something changes, the discipline is applied once more to the jobs that the tables leave waiting, and to what
//! was known of bookings then. A job that may start must start, and no other may.

use std::{cmp::Reverse, collections::BTreeSet};

use bookahead::Discipline;

use super::{
    findings::Findings,
    placing,
    room::{Room, Wanted},
    settings::{Settings, Slots},
};
use crate::{
    engine::REMOVED_LATE,
    files::{Booking, Job, PeRanges},
    layout::Asks,
};

/// The best-effort jobs that ran, and those that were removed.
pub(super) struct Queue<'a> {
    discipline: Option<Discipline>,
    jobs: Vec<Waiting<'a>>,
    /// Jobs on their way to the first edge after their submission.
    coming: BTreeSet<(u64, usize)>,
    /// In the queue, in order of keys and submission.
    waiting: Vec<usize>,
    /// All jobs in order of their starts, and how many of those have passed.
    starts: Vec<usize>,
    passed: usize,
    /// An edge at which the tables leave open what came first.
    pub(super) open: Option<u64>,
}

/// One of them.
struct Waiting<'a> {
    job_id: u64,
    /// When it is queued: the first edge after its submission, and not before its window begins.
    queued: u64,
    /// Its latest start; it is removed behind that.
    latest: u64,
    /// When it starts: never, if it was removed.
    start: u64,
    duration: u64,
    width: u64,
    /// Its place in the order: by its key, by when it was queued first, and by the number of its row or run.
    order: (Reverse<u64>, u64, u64),
    /// What it asks of a machine with a layout.
    asks: Option<Asks>,
    pes: &'a PeRanges,
    number: usize,
    started: bool,
    /// Whether it was noted that it could start earlier.
    idle: bool,
}

impl Waiting<'_> {
    fn booking(&self) -> Booking {
        Booking {
            start: self.start,
            end: self.start.saturating_add(self.duration),
            pes: self.width,
        }
    }

    fn wanted(&self) -> Wanted<'_> {
        Wanted {
            duration: self.duration,
            pes: self.width,
            asks: self.asks.as_ref(),
        }
    }
}

/// When a best-effort job is queued: at the first edge after its submission, and not before its window begins.
pub(super) fn queued_at(job: &Job<'_>, slots: Slots) -> u64 {
    slots.up(job.queued_at())
}

/// What a best-effort job books when it starts.
pub(super) fn booking(job: &Job<'_>, slots: Slots) -> Option<Booking> {
    let start = job.starting_time?;
    Some(Booking {
        start,
        end: start.saturating_add(slots.up(job.requested_time)),
        pes: job.requested_number_of_resources,
    })
}

impl<'a> Queue<'a> {
    pub(super) fn new(discipline: Option<Discipline>) -> Self {
        Self {
            discipline,
            jobs: Vec::new(),
            coming: BTreeSet::new(),
            waiting: Vec::new(),
            starts: Vec::new(),
            passed: 0,
            open: None,
        }
    }

    /// Adds a job that ran or was removed, or one that came `back` at some time and ran again; returns its place.
    pub(super) fn add(
        &mut self,
        job: &'a Job<'a>,
        number: usize,
        booking: Option<Booking>,
        (back, settings): (Option<u64>, &Settings),
    ) -> Option<usize> {
        if booking.is_none() && job.metadata.reason() != Some(REMOVED_LATE) {
            return None;
        }
        let slots = settings.slots();
        let layout = settings.layout();
        let place = self.jobs.len();
        self.starts.extend(booking.map(|_| place));
        let window = job.metadata.window();
        let deadline = window.map_or(u64::MAX, |[_, deadline]| deadline);
        let duration = slots.up(job.requested_time);
        let queued = queued_at(job, slots);
        let [key, _] = job.metadata.key();
        self.jobs.push(Waiting {
            job_id: job.job_id,
            queued: back.unwrap_or(queued),
            order: (Reverse(key.unwrap_or(0)), queued, place as u64),
            latest: slots.down(deadline).saturating_sub(duration),
            start: booking.map_or(u64::MAX, |booking| booking.start),
            duration,
            width: job.requested_number_of_resources,
            asks: layout.and_then(|layout| placing::read(layout, job.metadata.asks())),
            pes: &job.allocated_resources,
            number,
            started: false,
            idle: false,
        });
        Some(place)
    }

    /// When a job is removed, if it is to be: at the first edge behind its latest start.
    pub(super) fn removal(&self, place: Option<usize>, slots: Slots) -> Option<u64> {
        let job = self.jobs.get(place?)?;
        (job.start == u64::MAX).then(|| job.latest.saturating_add(slots.0))
    }

    /// All jobs have been added.
    pub(super) fn sort(&mut self) {
        let Self { starts, jobs, .. } = self;
        starts.sort_by_key(|place| jobs[*place].start);
    }

    /// The row of the job at `place` is met.
    pub(super) fn meet(&mut self, place: usize) {
        self.coming.insert((self.jobs[place].queued, place));
    }

    /// When the next job is queued.
    pub(super) fn next(&self) -> Option<u64> {
        self.coming.first().map(|(queued, _)| *queued)
    }

    /// What the discipline says at `edge`.
    pub(super) fn look(&mut self, edge: u64, room: &mut Room, found: &mut Findings) {
        let jobs = &self.jobs;
        let removed = |job: &Waiting<'_>| job.start == u64::MAX && job.latest < edge;
        self.waiting.retain(|place| !removed(&jobs[*place]));
        while let Some(&(_, place)) = self.coming.first().filter(|(queued, _)| *queued <= edge) {
            self.coming.pop_first();
            if !self.jobs[place].started && !removed(&self.jobs[place]) {
                let before = |other: &usize| jobs[*other].order < jobs[place].order;
                let at = self.waiting.partition_point(before);
                self.waiting.insert(at, place);
            }
        }
        let mut free = room.free_at(edge);
        let mut shadow = None;
        let mut at = 0;
        while let Some(&place) = self.waiting.get(at) {
            let job = &self.jobs[place];
            let mut may = job.width <= free && room.fits(edge, job.wanted());
            let mut open = false;
            // Where jobs are planned, nobody may start earlier than that; the metadata of each is judged by itself.
            let planned = self.discipline == Some(Discipline::Conservative);
            may = may && (!planned || job.start == edge);
            if may && at > 0 && room.is_known() && !planned {
                let head = self.jobs[self.waiting[0]].wanted();
                let shadow = *shadow.get_or_insert_with(|| room.shadow(edge, head));
                // Which ones a job takes that starts, the tables tell.
                let taken = (job.start == edge).then_some(job.pes);
                let leaves = |at| room.leaves_room(edge, (job.wanted(), taken), at, head);
                let leaves = shadow.map_or(Some(true), leaves);
                (may, open) = (leaves != Some(false), leaves.is_none());
            }
            if may && job.start == edge {
                self.waiting.remove(at);
                self.start(place, edge, room, found);
                free = room.free_at(edge);
                shadow = None;
                continue;
            }
            if may && !open && room.is_known() && self.open != Some(edge) {
                self.idle(place, edge, found);
            }
            if self.discipline == Some(Discipline::Fcfs) {
                break;
            }
            at += 1;
        }
    }

    fn start(&mut self, place: usize, time: u64, room: &mut Room, found: &mut Findings) {
        self.jobs[place].started = true;
        let job = &self.jobs[place];
        room.book(job.booking());
        room.assign(job.number, job.booking(), job.pes);
        room.judge(job.job_id, time, job.booking(), found);
    }

    /// A job could start. It is noted where the tables let it wait on.
    fn idle(&mut self, place: usize, edge: u64, found: &mut Findings) {
        let job = &mut self.jobs[place];
        if job.start > edge && !job.idle && self.discipline.is_some() {
            let start = job.start;
            let problem = match start {
                u64::MAX => format!("is removed, although it could start at {edge}"),
                _ => format!("starts at {start}, although it could start at {edge}"),
            };
            found.add(Some(job.job_id), problem);
            job.idle = true;
        }
    }

    /// Starts what the tables start before `time`, though the discipline did not.
    pub(super) fn pass(&mut self, time: u64, room: &mut Room, found: &mut Findings) {
        while let Some(&place) = self.starts.get(self.passed) {
            if self.jobs[place].start >= time {
                break;
            }
            self.passed += 1;
            if !self.jobs[place].started {
                let at = self.waiting.iter().position(|other| *other == place);
                self.explain(place, room, found);
                if let Some(at) = at {
                    self.waiting.remove(at);
                }
                self.start(place, self.jobs[place].start, room, found);
            }
        }
    }

    /// Says why a job may not start when it does.
    fn explain(&self, place: usize, room: &Room, found: &mut Findings) {
        let job = &self.jobs[place];
        let start = job.start;
        let head = self.waiting.first().map(|head| &self.jobs[*head]);
        // One that starts before it is queued is noted elsewhere.
        let Some(head) = head.filter(|_| start >= job.queued && self.open != Some(start)) else {
            return;
        };
        let (id, ahead) = (job.job_id, head.job_id);
        let problem = if self.discipline == Some(Discipline::Fcfs) && id != ahead {
            format!("starts at {start}, before job {ahead} of the queue")
        } else if !room.fits(start, job.wanted()) {
            format!("starts at {start}, when there is no room for all of its estimate")
        } else if !room.is_known()
            || matches!(self.discipline, None | Some(Discipline::Conservative))
        {
            return;
        } else {
            let shadow = room.shadow(start, head.wanted()).unwrap_or_default();
            format!("starts at {start} and delays job {ahead}, which could start at {shadow}")
        };
        found.add(Some(id), problem);
    }
}
