//! Books that are written and read again in the middle of their lives, as snapshots and as records of what has changed: nobody who asks them notices.

use std::fmt::Debug;

use bookahead::{
    BestEffortJob, Book, Commitment, Discipline, Event, EventKind, PeCount, Policy, Queue, Request,
    Slot, SnapshotError, Span, Violation, WaitingList,
    raw::{BulkScan, Column, Kept, PlainScan, Scan, ScheduleState, record_bytes},
};
use bookahead_commands::{Command, Kernel, Memory, REQUESTS, Reply, Scanned, Subject};
use bookahead_heap::{
    BoxedCountBook, BoxedJobQueue, BoxedOverlayBook, BoxedPeBook, BoxedPlacedBook, BoxedRuledBook,
    HostColumn, Survives,
};

use bookahead_oracle::generate::CROWDED as TOPICS;

use crate::classes::{WORLD, live, machine};
use crate::common::World;
use crate::common::kernels::{self, made_on, nodes, sizes};
use crate::long_lives::{CROWDED, crowded_life};
use crate::overlaid_lives::{self, overlaid_life};
use crate::{preempting, pulling, queue, rules, waiting};

/// Makes the same book in other memory, which is new.
fn survive<M: Memory + Debug>(old: &mut M, new: &mut M, moment: u64)
where
    for<'m> M::Ring<'m>: Kept,
{
    let untouched = new.clone();
    let bytes = written(&old.view());
    let mut other = new.clone();
    refused(&mut new.view(), &mut other.view(), &bytes, moment);
    assert!(*new == untouched, "whoever is refused has changed nothing");
    same(&old.view(), &mut new.view(), &bytes);
    let (mut one, mut other) = (old.clone(), new.clone());
    go_on(&mut one.view(), &mut other.view());
    if moment.is_multiple_of(64) {
        assert_eq!(longest(old), longest(new));
    }
}

fn written<R: Kept>(book: &Book<'_, R>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let whole = book.write_snapshot(&mut |piece| {
        bytes.extend_from_slice(piece);
        true
    });
    assert_eq!(whole, Ok(()));
    // Whoever stops is told so.
    let mut left = moment_of(&bytes) % 9;
    let stopped = book.write_snapshot(&mut |_| {
        left = left.saturating_sub(1);
        left > 0
    });
    assert_eq!(stopped, Err(SnapshotError::Stopped));
    bytes
}

fn moment_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |sum, byte| sum + u64::from(*byte))
}

/// Gives these bytes to a call that reads, and returns how many of them it has left.
fn giving(
    mut bytes: &[u8],
    call: impl FnOnce(&mut dyn FnMut(&mut [u8]) -> bool) -> Result<(), SnapshotError>,
) -> (Result<(), SnapshotError>, usize) {
    let read = call(&mut |piece| {
        let Some((next, rest)) = bytes.split_at_checked(piece.len()) else {
            return false;
        };
        piece.copy_from_slice(next);
        bytes = rest;
        true
    });
    (read, bytes.len())
}

fn read<R: Kept>(book: &mut Book<'_, R>, bytes: &[u8]) -> Result<(), SnapshotError> {
    let (read, left) = giving(bytes, |read| book.read_snapshot(read));
    assert!(read.is_err() || left == 0, "all of it is read");
    read
}

/// Which byte and which bit are to be others.
fn damage(bytes: &[u8], moment: u64) -> (usize, Vec<u8>) {
    let mut changed = bytes.to_vec();
    let at = (moment.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as usize % changed.len();
    changed[at] ^= 1 << (moment % 8);
    (at, changed)
}

/// Bytes that are no longer those that were written are refused: one is another, or the last ones are missing. With the right sum they are a book or
/// they are not, and in either case nothing breaks.
fn refused<R: Kept>(new: &mut Book<'_, R>, other: &mut Book<'_, R>, bytes: &[u8], moment: u64) {
    let (at, changed) = damage(bytes, moment);
    assert!(read(new, &changed).is_err(), "byte {at} is another");
    assert_eq!(read(new, &bytes[..at]), Err(SnapshotError::Stopped));
    let _ = read(other, &with_right_sum(changed));
    assert_eq!(other.check_invariants(), Ok(()));
}

fn with_right_sum(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 8;
    let (body, sum) = bytes.split_at_mut(end);
    let right = body.iter().fold(0xCBF2_9CE4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3)
    });
    sum.copy_from_slice(&right.to_le_bytes());
    bytes
}

fn same<R: Kept>(old: &Book<'_, R>, new: &mut Book<'_, R>, bytes: &[u8]) {
    assert_eq!(read(new, bytes), Ok(()));
    let incarnation = old.version().incarnation;
    assert_eq!(new.version().incarnation, incarnation + 1);
    assert_eq!(new.state_hash(), old.state_hash());
    if new.version().revision > 0 {
        assert_eq!(read(new, bytes), Err(SnapshotError::NotNew));
    }
    // The twin knows nothing of other incarnations.
    new.set_incarnation(incarnation);
    assert_eq!(written(new), bytes);
}

/// The longest duration that there has been, which no answer of a life shows: it is spent as work.
fn longest(memory: &impl Debug) -> String {
    let memory = format!("{memory:?}");
    let (_, behind) = memory.split_once("longest: ").expect("a ledger has one");
    behind.chars().take_while(|letter| *letter != ' ').collect()
}

/// Both give the same handles: which rows are used again, and in which order, shows in nothing else.
fn go_on<R: Kept>(one: &mut Book<'_, R>, other: &mut Book<'_, R>) {
    let request = Request {
        ready: one.now(),
        duration: Span::new(1),
        deadline: one.now().saturating_add(one.horizon()),
        pes: PeCount::new(1),
    };
    for _ in 0..4 {
        let reserve = |book: &mut Book<'_, R>| {
            book.reserve(&request, Policy::FirstFit, Commitment::Confirmed)
        };
        assert_eq!(reserve(one), reserve(other));
    }
}

/// The memory of a queue, and of those who wait beside it.
#[derive(Clone, Debug, PartialEq)]
struct Queues(BoxedJobQueue, WaitingList<REQUESTS>);

impl Queues {
    fn new() -> Self {
        Self(kernels::queue(), WaitingList::new())
    }

    fn view(&mut self) -> Queue<'_> {
        self.1.beside(self.0.view())
    }

    fn written(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let whole = self.view().write_snapshot(&mut |piece| {
            bytes.extend_from_slice(piece);
            true
        });
        assert_eq!(whole, Ok(()));
        bytes
    }

    /// A queue made of these bytes for a book, in its incarnation: the twin knows nothing of others.
    fn read<R: Kept>(bytes: &[u8], book: &mut Book<'_, R>, incarnation: [u8; 4]) -> Self {
        let (mut bytes, before) = (
            bytes.to_vec(),
            u32::from_le_bytes(incarnation).wrapping_sub(1),
        );
        let end = bytes.len() - 8;
        bytes[end - 4..end].copy_from_slice(&before.to_le_bytes());
        let mut new = Self::new();
        let bytes = with_right_sum(bytes);
        let read = giving(&bytes, |read| new.view().read_snapshot(book, read));
        assert_eq!(read, (Ok(()), 0));
        new
    }
}

/// Makes the same queue in new memory, with its schedule where its jobs are planned.
fn queue_survives<M: Memory + Debug>(old: &mut Kernel<M, BoxedJobQueue>, new: &M, moment: u64)
where
    for<'m> M::Ring<'m>: Kept,
{
    let mut empty = Kernel::new(new.clone(), kernels::queue());
    empty.book = old.book.clone();
    let (bytes, of_queue) = queue_written(old);
    let (at, changed) = damage(&bytes, moment);
    let mut other = empty.clone();
    let (read, _) = queue_read(&mut other, &changed);
    assert!(read.is_err(), "byte {at} of a queue is another");
    let (cut, _) = queue_read(&mut other, &bytes[..at]);
    assert_eq!(cut, Err(SnapshotError::Stopped));
    assert!(other == empty, "whoever is refused has changed nothing");
    assert_eq!(other.second, empty.second);
    // With the right sums it is a queue with a schedule or not, and in either case it goes on.
    let parts = changed.split_at(of_queue);
    let changed = [parts.0, parts.1].map(with_right_sum_of_part).concat();
    let (read, _) = queue_read(&mut other, &changed);
    let (mut book, mut queue) = other.both();
    let sound = queue.check_invariants(&mut book);
    assert_eq!(sound, Ok(()), "byte {at}: {read:?}");
    let to = book.now().saturating_add(Span::new(9));
    while let Ok(Some(_)) = queue.next(&mut book, to) {}
    assert_eq!(queue.check_invariants(&mut book), Ok(()), "byte {at}");
    // The twin knows nothing of other incarnations.
    let end = of_queue - 12;
    let incarnation = u32::from_le_bytes(bytes[end..end + 4].try_into().unwrap());
    let mut before = bytes.clone();
    before[end..end + 4].copy_from_slice(&incarnation.wrapping_sub(1).to_le_bytes());
    let before = [
        with_right_sum_of_part(&before[..of_queue]),
        before[of_queue..].to_vec(),
    ]
    .concat();
    assert_eq!(queue_read(&mut empty, &before), (Ok(()), 0));
    assert_eq!(queue_written(&mut empty), (bytes, of_queue));
    assert_eq!((&empty.queue, &empty.requests), (&old.queue, &old.requests));
    if empty.schedule.0 != ScheduleState::default() {
        let again = queue_read(&mut empty, &before);
        assert_eq!(again, (Err(SnapshotError::NotNew), before.len()));
    }
    (old.queue, old.requests) = (empty.queue, empty.requests);
    (old.schedule, old.second) = (empty.schedule, empty.second);
}

/// The bytes of a queue, and how many of them are not those of its schedule.
fn queue_written<M: Memory>(kernel: &mut Kernel<M, BoxedJobQueue>) -> (Vec<u8>, usize)
where
    for<'m> M::Ring<'m>: Kept,
{
    let (mut bytes, mut of_queue) = (Vec::new(), 0);
    let (mut book, mut queue) = kernel.both();
    let whole = queue.write_snapshot(&mut |piece| {
        bytes.extend_from_slice(piece);
        true
    });
    assert_eq!(whole, Ok(()));
    let alone = queue.queue().write_snapshot(&mut |piece| {
        of_queue += piece.len();
        true
    });
    assert_eq!(alone, Ok(()));
    // Whoever stops is told so, and the queue stays as it is.
    let mut left = moment_of(&bytes) as usize % bytes.len();
    let stopped = queue.write_snapshot(&mut |piece| {
        left = left.saturating_sub(piece.len());
        left > 0
    });
    assert_eq!(stopped, Err(SnapshotError::Stopped));
    assert_eq!(queue.check_invariants(&mut book), Ok(()));
    (bytes, of_queue)
}

fn queue_read<M: Memory>(
    kernel: &mut Kernel<M, BoxedJobQueue>,
    bytes: &[u8],
) -> (Result<(), SnapshotError>, usize)
where
    for<'m> M::Ring<'m>: Kept,
{
    let (book, mut queue) = kernel.both();
    giving(bytes, |read| queue.read_snapshot(&book, read))
}

fn with_right_sum_of_part(part: &[u8]) -> Vec<u8> {
    match part {
        [] => Vec::new(),
        _ => with_right_sum(part.to_vec()),
    }
}

/// A book and a queue that are read from snapshots into new memory before every third command, and others that follow them by records. Sometimes those take their place.
#[derive(Clone)]
struct Surviving<M> {
    kernel: Kernel<M, BoxedJobQueue>,
    standby: M,
    /// The queue as the last record has left it, and that of the standby.
    last: Queues,
    following: Queues,
    new: M,
    moments: u64,
    /// Whether it has a table of classes or rules.
    table: bool,
}

impl<M: Memory + Debug> Surviving<M>
where
    for<'m> M::Ring<'m>: Kept,
{
    /// The standby does what the book has done.
    fn follow(&mut self, command: &Command) {
        let mut record = Vec::new();
        let mut book = self.kernel.book.view();
        let news = book.write_record(&mut |piece| {
            record.extend_from_slice(piece);
            true
        });
        assert_eq!(news, Ok(!record.is_empty()));
        assert_eq!(book.write_record(&mut |_| false), Ok(false));
        let mut damaged = self.standby.clone();
        let mut standby = self.standby.view();
        if !record.is_empty() {
            let rows = u32::from_le_bytes(record[56..60].try_into().unwrap()) as usize;
            // A table comes to it where it has changed.
            let most = record_bytes(rows, book.pes().get() as u16);
            assert!(self.table && record[60] == 1 || record.len() <= most);
            torn(&mut damaged.view(), &record, self.moments);
            let applied = giving(&record, |read| standby.apply_record(read));
            assert_eq!(applied, (Ok(()), 0), "{command:?}");
            let (again, _) = giving(&record, |read| standby.apply_record(read));
            // Where nothing but the table has changed, it leads to where it began.
            let moved = record[8..24] != record[24..40];
            assert_eq!(again.is_err(), moved, "{again:?}");
        }
        assert_eq!(standby.state_hash(), book.state_hash(), "{command:?}");
    }

    fn follow_queue(&mut self, command: &Command) {
        let mut record = Vec::new();
        let kernel = &mut self.kernel;
        let queue = kernel.requests.beside(kernel.queue.view());
        let stopped = queue.write_record(&mut self.last.view(), &mut |_| false);
        let news = queue.write_record(&mut self.last.view(), &mut |piece| {
            record.extend_from_slice(piece);
            true
        });
        assert_eq!(news, Ok(!record.is_empty()));
        assert_eq!(stopped.is_err(), !record.is_empty());
        let again = queue.write_record(&mut self.last.view(), &mut |_| false);
        assert_eq!(again, Ok(false));
        if !record.is_empty() {
            let (mut other, mut torn) = (self.standby.clone(), self.following.clone());
            let mut book = other.view();
            let (at, changed) = damage(&record, self.moments);
            let _ = giving(&changed, |read| torn.view().apply_record(&book, read));
            assert_eq!(torn.view().check_invariants(&mut book), Ok(()), "byte {at}");
            let mut following = self.following.view();
            let applied = giving(&record, |read| {
                following.apply_record(&self.standby.view(), read)
            });
            assert_eq!(applied, (Ok(()), 0), "{command:?}");
        }
        assert_eq!(
            self.following.view().state_hash(),
            queue.state_hash(),
            "{command:?}"
        );
    }
}

/// A record that is no longer what was written is refused, or leads to a sound book.
fn torn<R: Kept>(book: &mut Book<'_, R>, record: &[u8], moment: u64) {
    let hash = book.state_hash();
    let (at, changed) = damage(record, moment);
    let (read, _) = giving(&changed, |read| book.apply_record(read));
    assert_eq!(book.check_invariants(), Ok(()), "byte {at}: {read:?}");
    let known = match read {
        Ok(()) => return,
        Err(SnapshotError::Stopped | SnapshotError::Damaged(_)) => 0,
        Err(_) => hash,
    };
    if known == 0 {
        assert!(book.is_empty() && book.version().revision == 0);
    } else {
        assert_eq!(book.state_hash(), known);
        let (cut, _) = giving(&record[..at.max(24)], |read| book.apply_record(read));
        assert_eq!(cut, Err(SnapshotError::Stopped));
    }
}

impl<M: Memory + Debug> Subject for Surviving<M>
where
    for<'m> M::Ring<'m>: Kept,
{
    fn perform(&mut self, command: &Command) -> Reply {
        if matches!(command, Command::Remember) {
            self.moments += 1;
            let kernel = &mut self.kernel;
            if self.moments.is_multiple_of(7) {
                let mut queues = Queues(kernel.queue.clone(), kernel.requests.clone());
                let incarnation = kernel.book.view().version().incarnation;
                kernel.book = self.standby.clone();
                // The twin knows nothing of other incarnations.
                kernel.book.view().set_incarnation(incarnation);
                let bytes = queues.written();
                let incarnation = bytes[bytes.len() - 12..].first_chunk();
                let incarnation = *incarnation.expect("it is there");
                let bytes = self.following.written();
                queues = Queues::read(&bytes, &mut kernel.book.view(), incarnation);
                Queues(kernel.queue, kernel.requests) = queues;
            } else if self.moments.is_multiple_of(3) {
                let mut new = self.new.clone();
                survive(&mut kernel.book, &mut new, self.moments);
                kernel.book = new;
                queue_survives(kernel, &self.new, self.moments);
            }
        }
        let reply = self.kernel.perform(command);
        self.follow(command);
        self.follow_queue(command);
        reply
    }

    fn copy(&self) -> Box<dyn Subject> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn Subject) -> bool {
        let other: &dyn std::any::Any = other;
        let other = other.downcast_ref::<Self>();
        other.is_some_and(|other| self.kernel == other.kernel)
    }
}

/// A new book that keeps a journal, in this memory.
fn surviving<M: Memory + Debug>(new: M, table: bool) -> Box<dyn Subject>
where
    for<'m> M::Ring<'m>: Kept,
{
    Box::new(Surviving {
        kernel: Kernel::new(new.clone(), kernels::queue()),
        standby: new.clone(),
        last: Queues::new(),
        following: Queues::new(),
        new,
        moments: 0,
        table,
    })
}

fn counts(world: &World, rows: usize) -> Box<dyn Subject> {
    let memory = BoxedCountBook::new(sizes(world.pes, world.slots, rows));
    let mut memory = memory.expect("it is small");
    memory.keep_journal();
    surviving(Scanned::<_, BulkScan>::new(memory), false)
}

fn sets<C: Column + Debug + 'static>(world: &World, rows: usize) -> Box<dyn Subject> {
    let memory = BoxedPeBook::<C>::new(sizes(world.pes, world.slots, rows));
    let mut memory = memory.expect("it is small");
    memory.keep_journal();
    surviving(Scanned::<_, BulkScan>::new(memory), false)
}

fn ruled_sets<C: Column + Debug + 'static, S: Scan>() -> Box<dyn Subject> {
    let memory = BoxedRuledBook::<BoxedPeBook<C>, C>::new(sizes(CROWDED.pes, CROWDED.slots, 40));
    let mut memory = memory.expect("it is small");
    memory.keep_journal();
    surviving(Scanned::<_, S>::new(memory), true)
}

#[test]
fn counts_survive() {
    crowded_life(counts(&CROWDED, 40), 11);
}

#[test]
fn counts_with_few_rows_survive() {
    crowded_life(counts(&CROWDED, 9), 12);
}

#[test]
fn narrow_sets_survive() {
    crowded_life(sets::<u32>(&CROWDED, 40), 13);
}

#[test]
fn wide_sets_survive() {
    crowded_life(sets::<HostColumn>(&CROWDED, 40), 14);
}

#[test]
fn counts_with_rules_survive() {
    let sizes = sizes(CROWDED.pes, CROWDED.slots, 40);
    let mut memory = BoxedRuledBook::<BoxedCountBook, ()>::new(sizes).expect("it is small");
    memory.keep_journal();
    rules::life(
        surviving(Scanned::<_, BulkScan>::new(memory), true),
        18,
        &CROWDED,
    );
}

#[test]
fn narrow_sets_with_rules_survive() {
    rules::life(ruled_sets::<u32, PlainScan>(), 19, &CROWDED);
}

#[test]
fn wide_sets_with_rules_survive() {
    rules::life(ruled_sets::<HostColumn, BulkScan>(), 20, &CROWDED);
}

#[test]
fn overlays_survive() {
    let world = &overlaid_lives::WORLD;
    let memory = BoxedOverlayBook::new(sizes(world.pes, world.slots, 12));
    let mut memory = memory.expect("it is small");
    memory.keep_journal();
    let subject = surviving(Scanned::<_, BulkScan>::new(memory), false);
    overlaid_life(subject, 17);
}

/// A machine of nodes with classes, whose reservations say which PEs they may have.
fn nodes_survive<C: Column + Debug + 'static, S: Scan>(seed: u8) {
    let machine = machine(4, &[4, 2], &[(3, 4, 1, 0)], &[2]);
    let mut memory = nodes::<C>(&machine, WORLD.slots, 24).expect("it is small");
    memory.keep_journal();
    let subject = surviving(Scanned::<_, S>::new(memory), true);
    live(subject, &machine, seed, &WORLD.used_for(TOPICS));
}

#[test]
fn nodes_in_narrow_columns_survive() {
    nodes_survive::<u32, PlainScan>(15);
}

#[test]
fn nodes_in_wide_columns_survive() {
    nodes_survive::<HostColumn, BulkScan>(16);
}

#[test]
fn nodes_with_rules_survive() {
    let machine = machine(4, &[4, 2], &[(3, 4, 1, 0)], &[2]);
    let make = BoxedRuledBook::<BoxedPlacedBook<u32>, u32>::new;
    let mut memory = made_on(&machine, WORLD.slots, 24, make).expect("it is small");
    memory.keep_journal();
    let subject = surviving(Scanned::<_, PlainScan>::new(memory), true);
    rules::life_on_nodes(subject, &machine, 21, &WORLD);
}

/// A queue that plans its jobs is read again with its schedule, in the midst of whatever has not come to it yet.
#[test]
fn planned_queues_survive() {
    queue::crowded(counts(&CROWDED, 40), Discipline::Conservative, 22);
    queue::crowded(sets::<u32>(&CROWDED, 40), Discipline::Conservative, 23);
}

#[test]
fn planned_queues_whose_jobs_make_room_survive() {
    let world = &preempting::WORLD;
    preempting::life(sets::<HostColumn>(world, 12), Discipline::Conservative, 24);
    preempting::life(counts(world, 12), Discipline::Conservative, 25);
}

#[test]
fn planned_queues_beside_requests_that_wait_survive() {
    let world = &waiting::WORLD;
    waiting::life(counts(world, 12), Discipline::Conservative, 26);
    waiting::life(sets::<u32>(world, 12), Discipline::Conservative, 27);
}

#[test]
fn planned_queues_behind_whoever_is_pulled_forward_survive() {
    let world = &pulling::WORLD;
    pulling::life(counts(world, 12), Discipline::Conservative, 28);
    pulling::life(sets::<u32>(world, 12), Discipline::Conservative, 29);
}

#[test]
fn planned_queues_of_nodes_survive() {
    let world = &preempting::WORLD;
    let machine = machine(3, &[2, 1], &[(2, 3, 1, 0)], &[]);
    let mut memory = nodes::<u32>(&machine, world.slots, 12).expect("it is small");
    memory.keep_journal();
    let subject = surviving(Scanned::<_, PlainScan>::new(memory), true);
    preempting::planned_life_with_classes(subject, &machine, 30);
}

/// Books two processing elements for so many slots.
fn reserve<R: Kept>(book: &mut Book<'_, R>, ready: u64, slots: u32) {
    let request = Request {
        ready: Slot::new(ready),
        duration: Span::new(slots),
        deadline: Slot::new(ready + u64::from(slots)),
        pes: PeCount::new(2),
    };
    let booked = book.reserve(&request, Policy::FirstFit, Commitment::Confirmed);
    assert!(booked.is_ok());
}

/// A book that goes on without its queue leaves jobs behind whose planned starts have passed.
#[test]
fn a_schedule_survives_that_its_book_has_left_behind() {
    let new = BoxedPeBook::<u32>::new(sizes(4, 64, 8)).expect("it is small");
    let new = Scanned::<_, BulkScan>::new(new);
    let jobs = BoxedJobQueue::new(Discipline::Conservative, kernels::JOBS);
    let mut old = Kernel::new(new.clone(), jobs.expect("it is small"));
    let (mut book, mut queue) = old.both();
    reserve(&mut book, 0, 10);
    for (slots, pes) in [(5, 3), (4, 4), (3, 1), (6, 3)] {
        let (estimate, pes) = (Span::new(slots), PeCount::new(pes));
        let job = BestEffortJob { estimate, pes };
        queue.submit(&mut book, &job).expect("it can be run");
    }
    let starts: Vec<_> = queue.starts().map(|(_, start)| start.get()).collect();
    assert_eq!(starts, [10, 15, 0, 19]);
    let mut events = heapless::Vec::<Event, 8>::new();
    let _ = book.advance(Slot::new(12), &mut events);
    reserve(&mut book, 15, 4);
    let incarnation = book.version().incarnation;
    queue.queue_mut().set_incarnation(incarnation);
    let mut other = old.clone();
    queue_survives(&mut other, &new, 5);
    let [one, other] = [&mut old, &mut other].map(|kernel| {
        let (mut book, mut queue) = kernel.both();
        let told = (0..60).map_while(|_| queue.next(&mut book, Slot::new(50)).expect("it goes on"));
        told.collect::<Vec<_>>()
    });
    assert_eq!(one, other);
    let started = one
        .iter()
        .filter(|event| event.kind == EventKind::BestEffortStarted);
    assert_eq!(started.count(), 4);
}

/// A hold that lasts until its start expires in that slot, so that no record leads beyond it that does not say so.
#[test]
fn no_record_passes_a_hold_that_lasts_until_its_start() {
    let new = || BoxedCountBook::new(sizes(4, 64, 3)).expect("it is small");
    let (mut book, mut standby) = (new(), new());
    book.keep_journal();
    let request = Request {
        ready: Slot::new(3),
        duration: Span::new(5),
        deadline: Slot::new(8),
        pes: PeCount::new(2),
    };
    let held = Commitment::Held { ttl: Span::new(9) };
    let (mut view, mut record) = (book.view(), Vec::new());
    let booked = view.reserve(&request, Policy::FirstFit, held);
    assert!(booked.is_ok());
    book.write_record(&mut record).expect("it keeps a journal");
    standby.apply_record(&record).expect("it is sound");
    record.clear();
    assert_eq!(book.view().next(Slot::new(1)), Ok(None));
    book.write_record(&mut record).expect("it keeps a journal");
    for (now, sound) in [(1, true), (3, true), (4, false)] {
        record[24..32].copy_from_slice(&u64::to_le_bytes(now));
        let applied = standby.clone().apply_record(&record);
        let expected = match sound {
            true => Ok(()),
            false => Err(SnapshotError::Damaged(Violation::Timer)),
        };
        assert_eq!(applied, expected, "{now}");
    }
}
