//! A cycle of planning beside a plain timeline per node, which is how ROCm's `spur` plans (crates/spur-sched): each node has a list of what is taken on it,
//! sorted by start, in which the earliest start of a job is looked for; a job gets the nodes on which it can start first.
//!
//! `spur` lets such a job begin when the last of these nodes is free, without looking whether the others still are, so that its plans overlap. Here the nodes are
//! asked again from that time on, until enough of them are free at one and the same time. So the plan is right, and that of the kernel.

use bookahead::{Class, ClassId, Commitment, PeCount, Policy, Request, Shape, Slot, Span};
use bookahead_heap::{BoxedPlacedBook, HostColumn, PlacedSizes};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{
    Mean, Stopwatch,
    placed::{CORES, GPUS, MACHINE, NODES},
    workload::log_uniform,
};

/// Jobs of a cycle.
const JOBS: usize = 1_000;
/// The longest run, in slots.
const LONGEST: u32 = 200;
/// What a job takes of each of its nodes: cores and GPUs. Jobs without GPUs take as many cores as those with some.
const SHAPES: [[u8; 2]; 6] = [[2, 1], [4, 2], [8, 4], [16, 8], [8, 0], [16, 0]];
/// The widest job, in nodes: one of eight parts of the machine.
const WIDEST: u32 = NODES as u32 / 8;
/// Slots of the ring, more than all jobs take one after the other in any case.
const SLOTS: u32 = 1 << 15;

/// A job: which shape, on how many nodes, for how many slots.
#[derive(Clone, Copy)]
struct Job {
    shape: usize,
    nodes: u16,
    duration: u32,
}

/// What is taken on a node, and when: a bit for each core, and above them one for each GPU.
#[derive(Clone, Copy)]
struct Taken {
    start: u64,
    end: u64,
    pes: u32,
}

/// What is taken on one node, in order of start.
#[derive(Clone, Default)]
struct Timeline(Vec<Taken>);

impl Timeline {
    /// What is taken at some time of a window, and when the first of that is given back.
    fn during(&self, start: u64, end: u64) -> (u32, u64) {
        let mut taken = (0, u64::MAX);
        for other in &self.0 {
            if other.start >= end {
                break;
            }
            if other.end > start {
                taken = (taken.0 | other.pes, other.end.min(taken.1));
            }
        }
        taken
    }

    /// The earliest start from `after` on.
    fn earliest_start(&self, job: Job, after: u64) -> u64 {
        let mut start = after;
        loop {
            let (taken, next) = self.during(start, start + u64::from(job.duration));
            if choice(job.shape, taken).is_some() {
                return start;
            }
            start = next;
        }
    }

    fn take(&mut self, taken: Taken) {
        self.0.push(taken);
        self.0.sort_by_key(|taken| taken.start);
    }
}

/// The lowest cores and GPUs for a shape where some are taken, if there are enough.
fn choice(shape: usize, taken: u32) -> Option<u32> {
    let [cores, gpus] = SHAPES[shape];
    let lowest = |all: u32, asked: u8| {
        let (mut free, mut chosen) = (all & !taken, 0);
        for _ in 0..asked {
            let lowest = free & free.wrapping_neg();
            (free, chosen) = (free ^ lowest, chosen | lowest);
        }
        (chosen.count_ones() == u32::from(asked)).then_some(chosen)
    };
    let all_cores = (1 << CORES) - 1;
    let all_gpus = ((1 << GPUS) - 1) << CORES;
    Some(lowest(all_cores, cores)? | lowest(all_gpus, gpus)?)
}

/// Plans all jobs in their order, and returns their starts.
fn plan(jobs: &[Job]) -> Vec<u64> {
    let mut nodes = vec![Timeline::default(); NODES.into()];
    jobs.iter().map(|job| plan_one(&mut nodes, *job)).collect()
}

fn plan_one(nodes: &mut [Timeline], job: Job) -> u64 {
    let mut start = 0;
    loop {
        let starts = nodes.iter().map(|node| node.earliest_start(job, start));
        let starts: Vec<u64> = starts.collect();
        let mut sorted = starts.clone();
        sorted.sort_unstable();
        let enough = sorted[usize::from(job.nodes) - 1];
        if enough > start {
            start = enough;
            continue;
        }
        let end = start + u64::from(job.duration);
        let able = nodes.iter_mut().zip(starts);
        let able = able.filter(|(_, earliest)| *earliest == start);
        for (node, _) in able.take(job.nodes.into()) {
            let (taken, _) = node.during(start, end);
            let pes = choice(job.shape, taken).expect("it is free");
            node.take(Taken { start, end, pes });
        }
        return start;
    }
}

/// Nanoseconds of a cycle.
pub struct Cycle {
    /// In a book.
    pub book: Mean,
    /// By timelines.
    pub timelines: Mean,
}

/// Measures a cycle: an empty machine, and 1,000 jobs that each get the earliest start from now on beside those before them.
///
/// # Panics
///
/// When the two answer differently.
#[must_use]
pub fn measure(watch: &Stopwatch, seed: u64, rounds: usize) -> Cycle {
    let jobs = jobs(seed);
    let sizes = PlacedSizes {
        slots: SLOTS,
        reservations: JOBS,
        classes: SHAPES.len(),
        order: 0,
    };
    let empty = BoxedPlacedBook::<HostColumn>::new(&MACHINE, sizes).expect("a host has the memory");
    let mut cycle = Cycle {
        book: Mean::over(1),
        timelines: Mean::over(1),
    };
    for _ in 0..rounds {
        let mut memory = empty.clone();
        let mut starts = Vec::new();
        let sum = watch.time(&[()], |()| starts = reserve(&mut memory, &jobs));
        cycle.book.add(0, sum);
        let mut planned = Vec::new();
        let sum = watch.time(&[()], |()| planned = plan(&jobs));
        cycle.timelines.add(0, sum);
        assert_eq!(starts, planned);
    }
    cycle
}

/// Reserves for all jobs in their order, and returns their starts.
fn reserve(memory: &mut BoxedPlacedBook<HostColumn>, jobs: &[Job]) -> Vec<u64> {
    let mut book = memory.view();
    let classes = SHAPES.map(|shape| {
        let class = Class {
            shape: Shape::PerGroup(&shape),
            ..Class::ANY
        };
        book.class_add(&class).expect("the table has room")
    });
    let deadline = Slot::new(SLOTS.into());
    let mut reserve = |job: &Job| {
        let class: ClassId = classes[job.shape];
        let of_node: u16 = SHAPES[job.shape].iter().map(|pes| u16::from(*pes)).sum();
        let request = Request {
            ready: Slot::new(0),
            duration: Span::new(job.duration),
            deadline,
            pes: PeCount::new((of_node * job.nodes).into()),
        };
        let booking = book.reserve((class, &request), Policy::FirstFit, Commitment::Confirmed);
        booking.expect("there is room").start.get()
    };
    jobs.iter().map(&mut reserve).collect()
}

fn jobs(seed: u64) -> Vec<Job> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let job = |_| Job {
        shape: rng.random_range(0..SHAPES.len()),
        nodes: log_uniform(&mut rng, WIDEST) as u16,
        duration: log_uniform(&mut rng, LONGEST),
    };
    (0..JOBS).map(job).collect()
}
