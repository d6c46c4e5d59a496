//! A cycle of a batch system: the whole queue is planned, job by job, each at its earliest start beside those before it; and the same again after one job has
//! ended early.

use bookahead::{
    Advanced, BestEffortJob, Discipline, Event, EventKind, Handle, PeCount, Slot, Span, heapless,
};
use bookahead_heap::{BoxedCountBook, BoxedJobQueue, BoxedPeBook, HostColumn, Sizes};
use bookahead_oracle::conservative::{self, QueuedJob};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{MACHINE, Mean, Stopwatch, workload::log_uniform};

/// The longest estimate, in slots.
const LONGEST: u32 = 200;
/// Jobs that end early, each in a state of its own.
const ENDS: usize = 100;

/// What cycles of so many jobs cost.
pub struct Cycle {
    /// Nanoseconds of a cycle from scratch.
    pub whole: Mean,
    /// Nanoseconds of the plain replay of it.
    pub plain: Mean,
    /// Nanoseconds of what follows an early end; its median is told.
    pub after_one_end: Mean,
}

/// A book, the ring of the schedule, and the queue.
#[derive(Clone)]
struct State<M> {
    book: M,
    second: M,
    queue: BoxedJobQueue,
}

macro_rules! states {
    ($memory:ty) => {
        impl State<$memory> {
            /// An empty machine, and a queue of jobs that are not planned.
            fn new(jobs: &[QueuedJob], slots: u32) -> Self {
                let sizes = |reservations| Sizes {
                    pes: MACHINE.into(),
                    slots,
                    reservations,
                };
                let queue = BoxedJobQueue::new(Discipline::Conservative, jobs.len());
                let queue = queue.and_then(BoxedJobQueue::with_schedule);
                let mut state = Self {
                    book: <$memory>::new(sizes(MACHINE.into())).expect(MEMORY),
                    second: <$memory>::new(sizes(jobs.len())).expect(MEMORY),
                    queue: queue.expect(MEMORY),
                };
                for job in jobs {
                    let job = BestEffortJob {
                        estimate: Span::new(job.estimate as u32),
                        pes: PeCount::new(job.pes as u32),
                    };
                    let waits = state.queue.view().submit(&mut state.book.view(), &job);
                    waits.expect("there is room for it");
                }
                state
            }

            /// Plans and starts what can start by `to`, and returns who has started.
            fn advance(&mut self, to: Slot) -> Vec<Handle> {
                let (mut book, mut started) = (self.book.view(), Vec::new());
                let mut queue = self.queue.planned(self.second.view());
                let mut events = heapless::Vec::<Event, 4_096>::new();
                let done = queue.advance(&mut book, to, &mut events);
                assert_eq!(done, Ok(Advanced::Done));
                for event in &events {
                    match event.kind {
                        EventKind::BestEffortStarted => started.push(event.handle),
                        _ => started.retain(|handle| *handle != event.handle),
                    }
                }
                started
            }

            /// The planned starts of those who have not started.
            fn starts(&mut self) -> Vec<u64> {
                let queue = self.queue.planned(self.second.view());
                queue.starts().map(|(_, start)| start.get()).collect()
            }

            /// The handles of those that run on behind a slot.
            fn running(&mut self, mut handles: Vec<Handle>, to: Slot) -> Vec<Handle> {
                let book = self.book.view();
                handles.retain(|handle| book.get(*handle).is_ok_and(|known| known.window.end > to));
                handles
            }

            fn complete(&mut self, handle: Handle, at: Slot) {
                let done = self.book.view().complete(handle, at);
                done.expect("it runs");
            }
        }
    };
}

states!(BoxedCountBook);
states!(BoxedPeBook<HostColumn>);

const MEMORY: &str = "a host has the memory";

/// Measures cycles of so many jobs with late and with early binding.
///
/// # Panics
///
/// When kernel and plain replay answer differently.
#[must_use]
pub fn measure(watch: &Stopwatch, jobs: usize, seed: u64, rounds: usize) -> [Cycle; 2] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let job = |_| QueuedJob {
        submitted: 0,
        estimate: log_uniform(&mut rng, LONGEST).into(),
        pes: log_uniform(&mut rng, u32::from(MACHINE) / 4).into(),
        runs: u64::MAX,
    };
    let jobs: Vec<QueuedJob> = (0..jobs).map(job).collect();
    let work: u64 = jobs.iter().map(|job| job.estimate * job.pes).sum();
    let slots = (work / u64::from(MACHINE) * 3 / 2) as u32 + LONGEST;
    [
        of_counts(watch, &jobs, slots, seed, rounds),
        of_sets(watch, &jobs, slots, seed, rounds),
    ]
}

macro_rules! cycle {
    ($name:ident, $memory:ty, $exact:literal) => {
        fn $name(
            watch: &Stopwatch,
            jobs: &[QueuedJob],
            slots: u32,
            seed: u64,
            rounds: usize,
        ) -> Cycle {
            let [mut whole, mut plain, mut after_one_end] = [(); 3].map(|()| Mean::over(1));
            let fresh = State::<$memory>::new(jobs, slots);
            for _ in 0..rounds {
                let mut state = fresh.clone();
                // The last job is planned last, and all before it with it.
                let sum = watch.time(&[()], |()| state.advance(Slot::new(0)));
                whole.add(0, sum);
                let mut replayed = Vec::new();
                plain.add(
                    0,
                    watch.time(&[()], |()| {
                        replayed = conservative::replay(MACHINE.into(), jobs)
                    }),
                );
                replayed.retain(|start| *start > 0);
                assert!(!$exact || state.starts() == replayed, "the same starts");
            }
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            for turn in 0..ENDS {
                let mut state = fresh.clone();
                let mut running = state.advance(Slot::new(0));
                let to = Slot::new(rng.random_range(0..u64::from(LONGEST)));
                running.extend(state.advance(to));
                let running = state.running(running, to);
                let handle = running[rng.random_range(0..running.len())];
                state.complete(handle, to);
                for _ in 0..rounds.min(3) {
                    let mut state = state.clone();
                    after_one_end.add(turn, watch.time(&[()], |()| state.advance(to)));
                }
            }
            Cycle {
                whole,
                plain,
                after_one_end,
            }
        }
    };
}

cycle!(of_counts, BoxedCountBook, true);
// Where a job keeps its processing elements, it may start later.
cycle!(of_sets, BoxedPeBook<HostColumn>, false);
