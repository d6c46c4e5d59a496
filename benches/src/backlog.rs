//! Machines that are full for long: first fit from now through all that waits, beside an ordered map of changes that is walked step by step.

use bookahead::{
    Advanced, Book, Commitment, Event, PeCount, Policy, Request, Slot, Span, raw::Ring,
};
use bookahead_heap::{BoxedCountBook, BoxedPeBook, HostColumn, Sizes};
use bookahead_oracle::changes::{Busy, Changes};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::workload::log_uniform;
use crate::{MACHINE, Stopwatch};

/// Of how many finds at the end of a backlog the median is taken.
const LAST: usize = 500;
/// The jobs of a mixed backlog.
const MIXED: usize = 10_000;
/// The slots of a jump during which nothing happens.
const IDLE: u64 = 1_000_000;
/// Jumps over so many.
const JUMPS: usize = 8;
/// Gaps that are too short for a job, one in so many slots.
const GAPS: u32 = 1_000;
const PERIOD: u32 = 1_024;

/// Nanoseconds of a find, and of the same by the map.
#[derive(Clone, Copy, Debug)]
pub struct Find {
    /// In the ring.
    pub ring: f64,
    /// In the map.
    pub map: f64,
}

/// A job that waits: for how many slots, on how many processing elements.
type Job = (u32, u16);

/// The median of finding the last of so many jobs of 16 of 48 processing elements and up to 2,000 slots, with late binding.
///
/// # Panics
///
/// When the ring and the map answer differently.
#[must_use]
pub fn of_counts(watch: &Stopwatch, depth: usize, seed: u64) -> Find {
    let jobs = equal(depth, seed);
    let mut memory = BoxedCountBook::new(sizes(48, &jobs, 1.05)).expect("a host has the memory");
    let [ring, map] = fill::<_, u16>(watch, memory.view(), &jobs, depth - LAST);
    Find {
        ring: median(ring),
        map: median(map),
    }
}

/// As [`of_counts`], with early binding.
///
/// # Panics
///
/// As [`of_counts`].
#[must_use]
pub fn of_sets(watch: &Stopwatch, depth: usize, seed: u64) -> Find {
    let jobs = equal(depth, seed);
    let mut memory =
        BoxedPeBook::<u32>::new(sizes(48, &jobs, 1.05)).expect("a host has the memory");
    let [ring, map] = fill::<_, u64>(watch, memory.view(), &jobs, depth - LAST);
    Find {
        ring: median(ring),
        map: median(map),
    }
}

/// The mean of finding each of 10,000 jobs of any size, in slots of a minute and in slots of a second, with late binding.
///
/// # Panics
///
/// As [`of_counts`].
#[must_use]
pub fn mixed(watch: &Stopwatch, seed: u64) -> [Find; 2] {
    let jobs = any(seed);
    [1, 60].map(|slots| {
        let jobs: Vec<Job> = jobs.iter().map(|job| (job.0 * slots, job.1)).collect();
        let sizes = sizes(MACHINE, &jobs, 1.5);
        let mut memory = BoxedCountBook::new(sizes).expect("a host has the memory");
        let [ring, map] = fill::<_, u16>(watch, memory.view(), &jobs, 0);
        Find {
            ring: mean(&ring),
            map: mean(&map),
        }
    })
}

/// Nanoseconds of a jump over a million slots during which nothing happens, with late and with early binding.
///
/// # Panics
///
/// When the machine lacks the memory.
#[must_use]
pub fn idle(watch: &Stopwatch) -> [f64; 2] {
    let sizes = Sizes {
        pes: MACHINE.into(),
        slots: IDLE as u32,
        reservations: 4,
    };
    let mut late = BoxedCountBook::new(sizes).expect("a host has the memory");
    let mut early = BoxedPeBook::<HostColumn>::new(sizes).expect("a host has the memory");
    [jumps(watch, late.view()), jumps(watch, early.view())]
}

fn jumps<R: Ring>(watch: &Stopwatch, mut book: Book<'_, R>) -> f64 {
    let jump = |_| {
        let to = book.now().saturating_add(Span::new(IDLE as u32));
        let mut events = heapless::Vec::<Event, 4>::new();
        watch.time(&[to], |to| {
            assert_eq!(book.advance(*to, &mut events), Ok(Advanced::Done));
        })
    };
    median((0..JUMPS).map(jump).collect())
}

/// Nanoseconds for each of the gaps that a first fit passes since its job, of so many slots, is twice as long: with late and with early binding.
///
/// # Panics
///
/// When another start is found than the one behind all gaps.
#[must_use]
pub fn gaps(watch: &Stopwatch, duration: u32) -> [f64; 2] {
    let sizes = Sizes {
        pes: MACHINE.into(),
        slots: PERIOD * (GAPS + 1) + duration,
        reservations: GAPS as usize + 2,
    };
    let mut late = BoxedCountBook::new(sizes).expect("a host has the memory");
    let mut early = BoxedPeBook::<HostColumn>::new(sizes).expect("a host has the memory");
    [
        passed(watch, late.view(), duration),
        passed(watch, early.view(), duration),
    ]
}

fn passed<R: Ring>(watch: &Stopwatch, mut book: Book<'_, R>, duration: u32) -> f64 {
    let full = PERIOD - duration / 2;
    let between = |ready: u64, slots: u32, deadline: u64, pes: u16| Request {
        ready: Slot::new(ready),
        duration: Span::new(slots),
        deadline: Slot::new(deadline),
        pes: PeCount::new(pes.into()),
    };
    for number in 0..=u64::from(GAPS) {
        let ready = number * u64::from(PERIOD);
        let request = between(ready, full, ready + u64::from(full), MACHINE);
        let booked = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed);
        assert!(booked.is_ok(), "{booked:?}");
    }
    let request = between(0, duration, book.horizon().get().into(), 16);
    let find = |_| {
        watch.time(&[request], |request| {
            let start = book
                .plan(request, Policy::FirstFit)
                .map(|plan| plan.window().start);
            assert_eq!(start, Ok(Slot::new(u64::from(GAPS * PERIOD + full))));
        })
    };
    median((0..LAST).map(find).collect()) / f64::from(GAPS)
}

fn equal(depth: usize, seed: u64) -> Vec<Job> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..depth)
        .map(|_| (rng.random_range(1..=2_000), 16))
        .collect()
}

/// Jobs of up to a day in minutes, and of up to a quarter of the machine.
fn any(seed: u64) -> Vec<Job> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let job = |_| {
        let minutes = log_uniform(&mut rng, 24 * 60);
        (
            minutes,
            log_uniform(&mut rng, u32::from(MACHINE / 4)) as u16,
        )
    };
    (0..MIXED).map(job).collect()
}

/// A ring so many times as long as the jobs would take without a gap.
fn sizes(machine: u16, jobs: &[Job], spare: f64) -> Sizes {
    let work = jobs
        .iter()
        .map(|(slots, pes)| f64::from(*slots) * f64::from(*pes));
    let slots = work.sum::<f64>() / f64::from(machine) * spare;
    Sizes {
        pes: machine.into(),
        slots: slots as u32,
        reservations: jobs.len(),
    }
}

/// Reserves for each job by first fit from now on, and returns the times of finding those from `measured` on, in the ring and in the map.
fn fill<R: Ring, B: Busy>(
    watch: &Stopwatch,
    mut book: Book<'_, R>,
    jobs: &[Job],
    measured: usize,
) -> [Vec<f64>; 2] {
    let mut changes = Changes::<B>::default();
    let mut times = [Vec::new(), Vec::new()];
    let end = Slot::new(book.horizon().get().into());
    for (number, (slots, pes)) in jobs.iter().enumerate() {
        let request = Request {
            ready: Slot::new(0),
            duration: Span::new(*slots),
            deadline: end,
            pes: PeCount::new((*pes).into()),
        };
        let most = book.pes().get() as u16 - pes;
        if number >= measured {
            let (mut found, mut walked) = (None, None);
            let [ring, map] = &mut times;
            ring.push(watch.time(&[request], |request| {
                found = book.plan(request, Policy::FirstFit).ok();
            }));
            map.push(watch.time(&[request], |request| {
                walked = changes.first_fit(request, most)
            }));
            let found = found.map(|plan| plan.window().start.get());
            assert_eq!(found, walked.map(|(start, _)| start), "{request:?}");
        }
        let booking = book
            .reserve(&request, Policy::FirstFit, Commitment::Confirmed)
            .expect("there is room");
        let start = booking.start.get();
        let end = start + u64::from(*slots);
        let taken = changes.taken(start, end, *pes);
        changes.change(start, end, |busy| busy.with(taken));
    }
    times
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}
