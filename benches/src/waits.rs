//! Many requests wait for room, and one running job ends early: how long it takes until those who fit are promised, beside a plain replay slot by slot.

use bookahead::{
    Advanced, Commitment, Discipline, Event, EventKind, Handle, PeCount, Policy, Request, Slot,
    Span, heapless,
};
use bookahead_heap::{BoxedCountBook, BoxedJobQueue, BoxedPeBook, HostColumn, Sizes};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{MACHINE, Mean, Stopwatch, workload::log_uniform};

/// The longest duration, in slots. Ends come within so many slots, and nobody is given up by then.
const LONGEST: u32 = 200;
/// The slots of the ring; all deadlines lie inside.
const SLOTS: u32 = 2_048;
/// Jobs that end early, each in a state of its own.
const ENDS: usize = 100;

const MEMORY: &str = "a host has the memory";

/// What an early end costs while requests wait. Medians are told.
pub struct AfterOneEnd {
    /// Nanoseconds until all are promised that fit.
    pub waits: Mean,
    /// Nanoseconds of the plain replay of it.
    pub plain: Mean,
    /// How many were promised in all.
    pub promised: usize,
}

/// A request that arrives at 0, ready within 400 slots, with a slack of 200 to 600.
fn request(rng: &mut ChaCha8Rng) -> Request {
    let (ready, duration) = (rng.random_range(0..400), log_uniform(rng, LONGEST));
    Request {
        ready: Slot::new(ready),
        duration: Span::new(duration),
        deadline: Slot::new(ready + u64::from(duration) + rng.random_range(200..600)),
        pes: PeCount::new(log_uniform(rng, u32::from(MACHINE) / 4)),
    }
}

/// Counts slot by slot, and every start tried out in turn.
#[derive(Clone)]
struct Plain {
    busy: Vec<u32>,
    waiting: Vec<Request>,
}

impl Plain {
    fn add(&mut self, [start, end]: [u64; 2], pes: i32) {
        for busy in &mut self.busy[start as usize..end as usize] {
            *busy = busy.checked_add_signed(pes).expect("it was there");
        }
    }

    /// Promises room to all who have it from `now` on, and returns their starts.
    fn promise(&mut self, now: Slot) -> Vec<u64> {
        let mut starts = Vec::new();
        let waiting = std::mem::take(&mut self.waiting);
        for request in waiting {
            let (pes, duration) = (request.pes.get(), u64::from(request.duration.get()));
            let mut start = request.ready.max(now).get();
            while start + duration <= request.deadline.get() {
                let window = &self.busy[start as usize..(start + duration) as usize];
                let full = window
                    .iter()
                    .rposition(|busy| busy + pes > u32::from(MACHINE));
                match full {
                    Some(full) => start += full as u64 + 1,
                    None => {
                        self.add([start, start + duration], pes as i32);
                        starts.push(start);
                        break;
                    }
                }
            }
        }
        starts
    }
}

/// Measures with late and with early binding, while so many requests wait.
///
/// # Panics
///
/// When kernel and plain replay promise other starts.
#[must_use]
pub fn measure(watch: &Stopwatch, waiting: usize, seed: u64, rounds: usize) -> [AfterOneEnd; 2] {
    [
        of_counts(watch, waiting, seed, rounds),
        of_sets(watch, waiting, seed, rounds),
    ]
}

macro_rules! waits {
    ($name:ident, $memory:ty, $exact:literal) => {
        fn $name(watch: &Stopwatch, count: usize, seed: u64, rounds: usize) -> AfterOneEnd {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let sizes = Sizes {
                pes: MACHINE.into(),
                slots: SLOTS,
                reservations: 16_384,
            };
            let mut book = <$memory>::new(sizes).expect(MEMORY);
            let queue = BoxedJobQueue::new(Discipline::Fcfs, 0);
            let mut queue = queue
                .and_then(|queue| queue.with_requests(count))
                .expect(MEMORY);
            let (mut waiting, mut booked) = (Vec::new(), Vec::new());
            while waiting.len() < count {
                let request = request(&mut rng);
                let (policy, firmly) = (Policy::FirstFit, Commitment::Confirmed);
                match book.view().reserve(&request, policy, firmly) {
                    Ok(booking) => booked.push(booking.handle),
                    Err(_) => {
                        let waits =
                            queue
                                .view()
                                .wait(&mut book.view(), &request, policy, firmly, 0);
                        waits.expect("there is room for it");
                        waiting.push(request);
                    }
                }
            }
            let advance = |book: &mut $memory, queue: &mut BoxedJobQueue, to| {
                let mut events = heapless::Vec::<Event, 16_384>::new();
                let done = queue.view().advance(&mut book.view(), to, &mut events);
                assert_eq!(done, Ok(Advanced::Done));
                let promised = events
                    .iter()
                    .filter(|event| event.kind == EventKind::Promised);
                promised.map(|event| event.handle).collect::<Vec<Handle>>()
            };
            let [mut waits, mut replay] = [(); 2].map(|()| Mean::over(1));
            let mut promised = 0;
            let draw = |_| rng.random_range(1..u64::from(LONGEST));
            let mut ends: Vec<u64> = (0..ENDS).map(draw).collect();
            ends.sort_unstable();
            for (turn, to) in ends.into_iter().map(Slot::new).enumerate() {
                // Slot by slot, as whatever lies behind a jump is missed and makes room.
                while book.view().now() < to {
                    let next = book.view().now().saturating_add(Span::new(1));
                    assert!(advance(&mut book, &mut queue, next).is_empty());
                }
                let (mut book, queue) = (book.clone(), queue.clone());
                let view = book.view();
                let mut plain = Plain {
                    busy: vec![0; SLOTS as usize],
                    waiting: waiting.clone(),
                };
                let known = booked
                    .iter()
                    .filter_map(|handle| Some((*handle, view.get(*handle).ok()?)));
                let mut running = Vec::new();
                for (handle, known) in known {
                    let [start, end] = [known.window.start, known.window.end];
                    let pes = known.request.pes.get() as i32;
                    plain.add([start.get(), end.get()], pes);
                    if start <= to && end > to {
                        running.push((handle, end, pes));
                    }
                }
                let (handle, end, pes) = running[rng.random_range(0..running.len())];
                plain.add([to.get(), end.get()], -pes);
                book.view().complete(handle, to).expect("it runs");
                for _ in 0..rounds.min(3) {
                    let (mut book, mut queue, mut plain) =
                        (book.clone(), queue.clone(), plain.clone());
                    let (mut handles, mut starts) = (Vec::new(), Vec::new());
                    waits.add(
                        turn,
                        watch.time(&[()], |()| handles = advance(&mut book, &mut queue, to)),
                    );
                    replay.add(turn, watch.time(&[()], |()| starts = plain.promise(to)));
                    promised += handles.len();
                    let view = book.view();
                    let told = handles
                        .iter()
                        .map(|handle| view.get(*handle).expect("it is booked").window.start.get());
                    assert!(!$exact || told.eq(starts), "the same starts");
                }
            }
            AfterOneEnd {
                waits,
                plain: replay,
                promised: promised / rounds.min(3),
            }
        }
    };
}

waits!(of_counts, BoxedCountBook, true);
// Where reservations keep their processing elements, fewer fit.
waits!(of_sets, BoxedPeBook<HostColumn>, false);
