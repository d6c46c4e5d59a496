//! Conservative backfilling, literally: planned jobs as slots and processing elements beside a book, and every slot looked at.

use std::ops::{Range, RangeInclusive};

use bookahead::{Slot, Span, Ticket};

use crate::queue::Waiting;
use crate::{Free, Oracle};

/// Whatever the horizon allows.
const ANY: RangeInclusive<u64> = 0..=u64::MAX;

/// A planned job.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Planned {
    job: Waiting,
    /// None while it is lifted.
    at: Option<Place>,
}

/// From when on, and with PEs that have names on which.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    start: Slot,
    set: Option<Vec<u16>>,
}

impl Planned {
    /// The slots that it takes.
    fn slots(&self) -> Range<u64> {
        let start = self.at.as_ref().expect("it is planned").start.get();
        start..start + u64::from(self.job.job.estimate.get())
    }

    fn covers(&self, slot: u64) -> bool {
        self.at.is_some() && self.slots().contains(&slot)
    }
}

/// The planned jobs, the first of the queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainSchedule {
    planned: Vec<Planned>,
    /// What was free in the book from that slot on, at which revision.
    seen: Option<(u64, Slot, Vec<Free>)>,
    /// The revision when nobody was left to start, and when somebody may be if nothing else happens.
    pub(crate) looked: Option<(u64, Slot)>,
}

impl PlainSchedule {
    /// The starts of the planned jobs.
    pub(crate) fn starts(&self) -> Vec<(Ticket, Slot)> {
        let told = |planned: &Planned| {
            let ticket = Ticket::from_number(planned.job.ticket)?;
            Some((ticket, planned.at.as_ref()?.start))
        };
        self.planned.iter().filter_map(told).collect()
    }

    /// The place of the first job that starts now, and its PEs.
    pub(crate) fn due(&self, now: Slot) -> Option<(usize, Option<Vec<u16>>)> {
        let starts = |planned: &Planned| planned.at.as_ref().is_some_and(|at| at.start == now);
        let place = self.planned.iter().position(starts)?;
        Some((place, self.planned[place].at.clone()?.set))
    }

    /// Notes that the job at that place has started, so that its room is booked.
    pub(crate) fn started(&mut self, place: usize, book: &Oracle) {
        self.planned.remove(place);
        self.see(book);
        self.looked = None;
    }

    /// Notes that the book is as it was, but for its revision.
    pub(crate) fn same(&mut self, before: u64, now: u64) {
        for seen in self.seen.iter_mut().map(|seen| &mut seen.0) {
            *seen = if *seen == before { now } else { *seen };
        }
        for looked in self.looked.iter_mut().map(|looked| &mut looked.0) {
            *looked = if *looked == before { now } else { *looked };
        }
    }

    fn see(&mut self, book: &Oracle) {
        let book = book.for_class(0);
        let free = slots_of(&book).map(|slot| book.free_at(slot)).collect();
        self.seen = Some((book.version().revision, book.now(), free));
    }

    /// Notes that nobody is left to start now, and when somebody may be.
    pub(crate) fn look_done(&mut self, book: &Oracle, jobs: &[Waiting], capacity: usize) {
        let next = book.now().saturating_add(Span::new(1));
        let first = self
            .planned
            .iter()
            .filter_map(|planned| planned.at.as_ref());
        let first = first.map(|at| at.start).min();
        let unplanned = jobs
            .get(self.planned.len())
            .filter(|_| self.planned.len() < capacity);
        let alarm = unplanned.map(|job| self.first_chance(book, job));
        let soonest = first.into_iter().chain(alarm).min();
        let soonest = soonest.map_or(Slot::new(u64::MAX), |slot| slot.max(next));
        self.looked = Some((book.version().revision, soonest));
    }

    /// When the horizon comes to the end of the job's first start, if all is free behind it.
    fn first_chance(&self, book: &Oracle, job: &Waiting) -> Slot {
        let (slots, estimate) = (slots_of(book), u64::from(job.job.estimate.get()));
        let book = &book.for_class(job.class);
        let fits = |start: &u64| {
            let inside = *start..slots.end.min(start + estimate);
            let serves = |free| book.serves_asked(&free, job.job.pes.get());
            inside.is_empty() || self.free_during(book, inside).is_some_and(serves)
        };
        let start = (slots.start..=slots.end)
            .find(fits)
            .expect("all is free behind the horizon");
        Slot::new(book.now().get() + (estimate - (slots.end - start)))
    }

    /// Follows what has happened to the book and to the jobs that wait, of which at most so many are planned.
    pub(crate) fn settle(&mut self, book: &Oracle, jobs: &[Waiting], capacity: usize) {
        let book = &book.for_class(0);
        let now = book.now();
        let mut room: Vec<u64> = Vec::new();
        // Whoever is behind one that has come back is planned anew.
        let mut kept: Vec<Planned> = Vec::new();
        for planned in std::mem::take(&mut self.planned) {
            match jobs.get(kept.len()) == Some(&planned.job) {
                true => kept.push(planned),
                false => room.extend(planned.slots()),
            }
        }
        self.planned = kept;
        for planned in &mut self.planned {
            planned.at = planned.at.take().filter(|at| at.start >= now);
        }
        if self
            .seen
            .as_ref()
            .is_none_or(|seen| seen.0 != book.version().revision)
        {
            room.extend(slots_of(book).filter(|slot| self.is_freer(book, *slot)));
            self.lift(book);
        }
        self.see(book);
        self.place_lifted(book);
        room.retain(|slot| *slot >= now.get());
        if let (Some(first), Some(last)) = (room.iter().min(), room.iter().max()) {
            self.pull_forward(book, *first..last + 1);
        }
        for job in jobs.iter().skip(self.planned.len()) {
            let at = self.earliest(book, job, ANY);
            if at.is_none() || self.planned.len() == capacity {
                break;
            }
            self.planned.push(Planned { job: *job, at });
        }
    }

    /// Whether something is free in a slot that was not.
    fn is_freer(&self, book: &Oracle, slot: u64) -> bool {
        let Some((_, from, seen)) = &self.seen else {
            return false;
        };
        let before = seen.get((slot - from.get()) as usize);
        before.is_some_and(|before| !before.covers(&book.free_at(slot)))
    }

    /// Lifts who is in the way.
    fn lift(&mut self, book: &Oracle) {
        for slot in slots_of(book) {
            match book.free_at(slot) {
                Free::Count(free) => {
                    let here = |planned: &Planned| planned.covers(slot);
                    let wanted = |schedule: &Self| {
                        let here = schedule.planned.iter().filter(|planned| here(planned));
                        here.map(|planned| planned.job.job.pes.get()).sum::<u32>()
                    };
                    while wanted(self) > free {
                        let last = self.planned.iter().rposition(here);
                        self.planned[last.expect("somebody wants it")].at = None;
                    }
                }
                Free::Set(free) => {
                    for planned in &mut self.planned {
                        let here = planned.covers(slot);
                        let set = planned.at.as_ref().and_then(|at| at.set.as_ref());
                        let taken = |set: &Vec<u16>| set.iter().any(|pe| !free[usize::from(*pe)]);
                        if here && set.is_some_and(taken) {
                            planned.at = None;
                        }
                    }
                }
            }
        }
    }

    fn place_lifted(&mut self, book: &Oracle) {
        for place in 0..self.planned.len() {
            if self.planned[place].at.is_none() {
                let job = self.planned[place].job;
                let Some(at) = self.earliest(book, &job, ANY) else {
                    self.planned.truncate(place);
                    return;
                };
                self.planned[place].at = Some(at);
            }
        }
    }

    fn pull_forward(&mut self, book: &Oracle, room: Range<u64>) {
        for place in 0..self.planned.len() {
            let planned = self.planned[place].clone();
            let slots = planned.slots();
            if slots.start == book.now().get() || slots.end <= room.start {
                continue;
            }
            self.planned[place].at = None;
            let first = (room.start + 1).saturating_sub(slots.end - slots.start);
            let last = slots.start.min(room.end - 1);
            let at = self.earliest(book, &planned.job, first..=last);
            self.planned[place].at = at.or(planned.at);
        }
    }

    /// The earliest of these places for a job.
    fn earliest(&self, book: &Oracle, job: &Waiting, starts: RangeInclusive<u64>) -> Option<Place> {
        let book = &book.for_class(job.class);
        let slots = slots_of(book);
        let estimate = u64::from(job.job.estimate.get());
        let last = slots.end.checked_sub(estimate)?.min(*starts.end());
        (slots.start.max(*starts.start())..=last).find_map(|start| {
            let free = self.free_during(book, start..start + estimate)?;
            let set = match &free {
                Free::Count(_) => None,
                Free::Set(free) => Some(free),
            };
            let serves = book.serves_asked(&free, job.job.pes.get());
            serves.then(|| Place {
                start: Slot::new(start),
                set: set.map(|free| book.choice(job.class, free, job.job.pes.get())),
            })
        })
    }

    /// What is neither booked nor planned in any of the slots.
    fn free_during(&self, book: &Oracle, slots: Range<u64>) -> Option<Free> {
        let free = slots.map(|slot| {
            let here = self.planned.iter().filter(|planned| planned.covers(slot));
            match book.free_at(slot) {
                Free::Count(free) => {
                    let taken: u32 = here.map(|planned| planned.job.job.pes.get()).sum();
                    Free::Count(free.saturating_sub(taken))
                }
                Free::Set(mut free) => {
                    for set in here.filter_map(|planned| planned.at.as_ref()?.set.as_ref()) {
                        for pe in set {
                            free[usize::from(*pe)] = false;
                        }
                    }
                    Free::Set(free)
                }
            }
        });
        free.reduce(|all, here| all.and(&here))
    }
}

fn slots_of(book: &Oracle) -> Range<u64> {
    let now = book.now().get();
    now..now + u64::from(book.horizon().get())
}
