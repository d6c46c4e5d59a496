//! What is decided about reservations does not depend on the jobs that wait beside them: with the same rows in the book, each command is answered as without
//! those jobs, and the book is the same afterwards, bit for bit.
//!
//! 100,000 streams are four million operations: `BOOKAHEAD_OPERATIONS=4000000 cargo test --release -p bookahead-oracle --test oracle -- apart`.

use bookahead::{
    Advanced, Discipline, EventKind, Slot, Span, Ticket,
    raw::{BulkScan, PlainScan},
};
use bookahead_commands::{Command, Happening, Kernel, Kind, Memory, Reply, Scanned, Subject};
use bookahead_heap::{BoxedCountBook, BoxedJobQueue, BoxedPeBook, HostColumn};
use bookahead_oracle::generate::{
    CROWDED, LONG_HANDLES, LONG_LIST, PULLED, Profile, QUEUEING, Situation, Topic,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::common::{World, kernels, lives};

const WORLD: World = World {
    pes: 6,
    slots: 30,
    duration: 12,
    width: 5,
    step: 3,
};

const TOPICS: &[(u16, Topic)] = &[
    (3, Topic::Of(QUEUEING)),
    (2, Topic::Of(PULLED)),
    (1, Topic::Of(CROWDED)),
];

/// Commands in a stream.
const STREAM: u64 = 40;

/// What has been met.
#[derive(Debug, Default)]
struct Met {
    /// Commands while jobs waited.
    beside: u64,
    /// Jobs that started, and steps in which something else happened, too.
    started: u64,
    together: u64,
}

/// A command as steps in which time passes by a slot at most, or where it does not begins to, and nothing is cut short; none of what this is not about.
fn steps(command: Command, now: Slot) -> Vec<Command> {
    let step = |to| match command {
        Command::AdvancePulling(..) => Command::AdvancePulling(to, (LONG_LIST, LONG_HANDLES)),
        _ => Command::AdvanceQueue(to, LONG_LIST),
    };
    match command.until() {
        Some(to) if to > now => {
            let slots = to.get().saturating_sub(now.get()).min(100);
            let later = |by| now.saturating_add(Span::new(by as u32));
            (0..=slots).map(|by| step(later(by))).collect()
        }
        Some(to) => vec![step(to)],
        None => match command {
            Command::SetIncarnation(_) | Command::SetQueueIncarnation(_) => Vec::new(),
            command => vec![command],
        },
    }
}

fn events(reply: &Reply) -> &[Happening] {
    match reply {
        Reply::Passed(_, events) | Reply::Pulled(_, events, _) => events,
        _ => &[],
    }
}

impl Met {
    /// Gives a command to a book whose queue has all jobs, and to a copy of it without any. Those that start in this step come to the copy when all else has happened.
    fn apply<M: Memory>(
        &mut self,
        queued: &mut Kernel<M, BoxedJobQueue>,
        (discipline, waiting): (Discipline, &[Ticket]),
        command: &Command,
    ) -> Reply {
        let (mut alone, line) = (queued.clone(), queued.queue.clone());
        let reply = queued.perform(command);
        if matches!(command.inner(), Command::Submit(_))
            || matches!(command, Command::Withdraw(ticket) if waiting.contains(ticket))
        {
            assert!(queued.book == alone.book, "{command:?}");
            return reply;
        }
        let (starts, others): (Vec<Happening>, Vec<Happening>) = events(&reply)
            .iter()
            .copied()
            .partition(|event| event.kind == EventKind::BestEffortStarted);
        let stays = |ticket: &&Ticket| starts.iter().all(|start| start.ticket != Some(**ticket));
        let leave = |alone: &mut Kernel<M, BoxedJobQueue>, whom: &[Ticket]| {
            for ticket in whom {
                assert_eq!(alone.perform(&Command::Withdraw(*ticket)), Reply::Done);
            }
        };
        leave(&mut alone, waiting);
        let without = match &reply {
            Reply::Passed(far, _) => Reply::Passed(*far, others.clone()),
            Reply::Pulled(far, _, moves) => Reply::Pulled(*far, others.clone(), moves.clone()),
            reply => reply.clone(),
        };
        assert_eq!(alone.perform(command), without, "{command:?}");
        // A planned job starts on the processing elements that it was planned on, which may be others than it would get alone.
        let elsewhere = M::KIND == Kind::Sets && !starts.is_empty();
        let until = command.until();
        if let Some(to) = until.filter(|_| !elsewhere && !starts.is_empty()) {
            // The schedule is a new one.
            let requests = alone.requests.clone();
            alone.perform(&Command::Queue(discipline));
            (alone.queue, alone.requests) = (line, requests);
            let staying: Vec<Ticket> = waiting.iter().filter(stays).copied().collect();
            leave(&mut alone, &staying);
            alone.perform(&Command::SetQueueIncarnation(0));
            let told = Reply::Passed(Advanced::Done, starts.clone());
            let start = Command::AdvanceQueue(to, LONG_LIST);
            assert_eq!(alone.perform(&start), told, "{command:?}");
        }
        let both = (&queued.book, &queued.requests) == (&alone.book, &alone.requests);
        assert!(elsewhere || both, "{command:?}: {reply:?}");
        self.beside += u64::from(waiting.len() > starts.len());
        self.started += starts.len() as u64;
        self.together += u64::from(!starts.is_empty() && !others.is_empty());
        reply
    }
}

fn streams<M: Memory>(seed: u8, book: impl Fn() -> M) {
    let mut rng = ChaCha8Rng::from_seed([seed; 32]);
    let profile: Profile = WORLD.used_for(TOPICS);
    let mut met = Met::default();
    let count = lives::operations(40_000, 4) / STREAM;
    for stream in 0..count {
        // Planned jobs are what this is about most.
        let discipline = match stream % 5 {
            0 => Discipline::Fcfs,
            1 => Discipline::Easy,
            _ => Discipline::Conservative,
        };
        let queue = BoxedJobQueue::new(discipline, kernels::JOBS).expect("it is small");
        let mut queued = Kernel::new(book(), queue);
        let Reply::Size(size) = queued.perform(&Command::Size) else {
            panic!("a book has a size");
        };
        let mut situation = Situation::new(size);
        for _ in 0..STREAM {
            let command = lives::drawn(&profile, &situation, &mut rng);
            for step in steps(command, situation.now) {
                let reply = met.apply(&mut queued, (discipline, &situation.waiting), &step);
                situation.note(&step, &reply);
                let Reply::State(state) = queued.perform(&Command::Look) else {
                    panic!("it can be seen");
                };
                assert_eq!(state.invariants, Ok(()), "{step:?}");
                situation.look(&state);
                if let Reply::Requests(requests) = queued.perform(&Command::Requests) {
                    situation.requests = requests.iter().map(|(ticket, _)| *ticket).collect();
                }
            }
        }
    }
    println!("{count} streams: {met:?}");
    assert!(met.beside > count && met.started > count, "{met:?}");
    assert!(met.together > 20, "{met:?}");
}

#[test]
fn beside_counts() {
    let book = || BoxedCountBook::new(kernels::sizes(WORLD.pes, WORLD.slots, 10));
    streams(1, || {
        Scanned::<_, BulkScan>::new(book().expect("it is small"))
    });
}

#[test]
fn beside_counts_with_few_rows() {
    let book = || BoxedCountBook::new(kernels::sizes(WORLD.pes, 64, 4));
    streams(2, || {
        Scanned::<_, PlainScan>::new(book().expect("it is small"))
    });
}

#[test]
fn beside_narrow_sets() {
    let book = || BoxedPeBook::<u32>::new(kernels::sizes(WORLD.pes, WORLD.slots, 10));
    streams(3, || {
        Scanned::<_, PlainScan>::new(book().expect("it is small"))
    });
}

#[test]
fn beside_wide_sets() {
    let book = || BoxedPeBook::<HostColumn>::new(kernels::sizes(WORLD.pes, WORLD.slots, 10));
    streams(4, || {
        Scanned::<_, BulkScan>::new(book().expect("it is small"))
    });
}
