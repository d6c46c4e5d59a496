//! The functions of the interface, as a C program calls them.

use std::ops::Range;

use bookahead::Discipline;
use bookahead_capi::{self as c, Binding};
use bookahead_commands::REQUESTS;

use crate::{
    argument::{
        Argument, At, Code, Lent, List, Place, Plain, any_first, first, input, lent, optional,
        output, told, values,
    },
    careless::Careless,
};

/// A book, perhaps with its journal, and a queue.
#[derive(Clone, Debug)]
pub struct Memory {
    pub book: List<u64>,
    pub queue: List<u64>,
    /// The bytes of the book that mean nothing between calls.
    scratch: Vec<Range<usize>>,
}

impl PartialEq for Memory {
    fn eq(&self, other: &Self) -> bool {
        self.queue == other.queue && (self.book == other.book || self.meaning() == other.meaning())
    }
}

impl Memory {
    /// The bytes of the book with zeros for what means nothing.
    fn meaning(&self) -> Vec<u8> {
        let words = self.book.all().into_iter();
        let mut bytes: Vec<u8> = words.flat_map(u64::to_ne_bytes).collect();
        for range in &self.scratch {
            bytes[range.clone()].fill(0);
        }
        bytes
    }
}

/// A program with its memory.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The memory of its book and its queue.
    pub memory: Memory,
    /// By which mistakes are made.
    pub careless: Careless,
    /// An empty book with a row for each job, for a schedule.
    second: List<u64>,
}

/// Makes of each line a method that calls a function, after a call with a mistake where the caller is careless. What stands behind the arrow are
/// the places that the function writes to last, the results of the method; the code of the function is its error.
macro_rules! functions {
    ($caller:ident, $self:ident: $(
        $name:ident($($given:ident: $type:ty),*) $(-> $($result:ident: $kind:ty),+)? = $function:ident($($passed:expr),* $(; $told:expr)?);
    )*) => {
        impl $caller {$(
            #[allow(unused_parens, reason = "there may be one result or several")]
            pub fn $name(&mut $self, $($given: $type),*) -> Result<($($($kind),+)?), u32> {
                $($(let $result = Place::<$kind>::new();)+)?
                let ways = [$($passed.ways(),)* $($(output(&$result).ways(),)+)? $($told.ways(),)?];
                if let Some(mistake) = $self.careless.mistake(&ways) {
                    let (before, mut places) = ($self.memory.clone(), 0..);
                    let mut how = || mistake.at(places.next());
                    // SAFETY: each pointer is null, misaligned, or that of a value, list or memory which the arguments own or borrow
                    // until the call is over, as long as the arguments beside it say; the one to a book or a queue may lead to a copy
                    // of its first words, with which it is none.
                    let code = unsafe {
                        c::$function($($passed.pass(how()),)* $($(output(&$result).pass(how()),)+)? $($told.pass(how()),)?)
                    };
                    let are_well = [$($passed.is_well(code),)* $($(output(&$result).is_well(code),)+)? $($told.is_well(code),)?];
                    mistake.check(stringify!($function), code, are_well.iter().all(|well| *well) && before == $self.memory);
                    $self.careless.mistakes += 1;
                }
                // SAFETY: each pointer is that of a value, list or memory which the arguments own or borrow until the call is over, as
                // long as the arguments beside it say, or of the book or the queue in the memory of the caller.
                let code = unsafe {
                    c::$function($($passed.pass(None),)* $($(output(&$result).pass(None),)+)? $($told.pass(None),)?)
                };
                let are_well = [$($passed.is_well(code),)* $($(output(&$result).is_well(code),)+)? $($told.is_well(code),)?];
                assert!(are_well.iter().all(|well| *well), "{} has written what it may not, {code}", stringify!($function));
                match code {
                    0 => Ok(($($($result.get()),+)?)),
                    code => Err(code),
                }
            }
        )*}
    };
}

pub(crate) use functions;

functions! { Caller, self:
    init(memory: &List<u64>, sizes: [u32; 4]) -> book: *mut c::Book
        = bookahead_init(lent(memory), memory.bytes(), sizes[0], sizes[1], sizes[2], sizes[3]);
    open(memory: &List<u64>) -> book: *mut c::Book = bookahead_open(lent(memory), memory.bytes());
    set_incarnation(number: u32) = bookahead_set_incarnation(self.book(), number);
    plan(request: &c::Request, policy: u8) -> plan: c::Plan
        = bookahead_plan(self.book(), input(request), Code(policy, 7));
    plan_mouldable(window: c::Window, forms: &[c::Form], policy: u8, choice: u8, terms: &c::PriceTerms) -> plan: c::Plan, price: u64
        = bookahead_plan_mouldable(self.book(), window.start, window.end, values(forms), forms.len(), Code(policy, 7), Code(choice, 3), input(terms));
    commit(plan: &c::Plan, terms: &c::Commitment) -> made: c::Handle
        = bookahead_commit(self.book(), input(plan), optional(terms));
    reserve(request: &c::Request, policy: u8, terms: &c::Commitment) -> booking: c::Booking
        = bookahead_reserve(self.book(), input(request), Code(policy, 7), optional(terms));
    confirm(name: c::Handle) = bookahead_confirm(self.book(), name);
    cancel(name: c::Handle) = bookahead_cancel(self.book(), name);
    complete(name: c::Handle, at: u64) = bookahead_complete(self.book(), name, at);
    freeze(name: c::Handle) = bookahead_freeze(self.book(), name);
    bind(name: c::Handle, pes: &[u32]) = bookahead_bind(self.book(), name, values(pes), pes.len());
    is_frozen(name: c::Handle) -> frozen: bool = bookahead_is_frozen(self.book(), name);
    get(name: c::Handle) -> known: c::Reservation = bookahead_get(self.book(), name);

    advance(to: u64, events: &List<c::Event>) -> count: usize, waiting: bool
        = bookahead_advance(self.book(), to, first(events), events.room());
    next(to: u64) -> event: c::Event, happened: bool = bookahead_next(self.book(), to);
    next_event() -> at: u64 = bookahead_next_event(self.book());

    alter(name: c::Handle, to: &c::Alteration, lent: &Lent, conflict: &Place<c::Conflict>) -> place: c::Placement
        = bookahead_alter(self.book(), name, input(to), lent; told(conflict));
    split(name: c::Handle, at: u64, lent: &Lent) -> rest: c::Handle
        = bookahead_split(self.book(), name, at, lent);
    reserve_series(series: &c::Series, policy: u8, terms: &c::Commitment, lent: &Lent, handles: &List<c::Handle>, conflict: &Place<c::Conflict>) -> count: usize
        = bookahead_reserve_series(self.book(), input(series), Code(policy, 7), optional(terms), lent, first(handles), handles.room(); told(conflict));
    reserve_together(window: c::Window, parts: &[c::Part], terms: &c::Commitment, lent: &Lent, handles: &List<c::Handle>, conflict: &Place<c::Conflict>) -> start: u64
        = bookahead_reserve_together(self.book(), window.start, window.end, values(parts), parts.len(), optional(terms), lent, first(handles), handles.room(); told(conflict));
    cancel_all(handles: &[c::Handle]) -> cancelled: usize = bookahead_cancel_all(self.book(), values(handles), handles.len());
    transaction(lent: &Lent, work: u64, steps: &List<c::Step>, ending: u32, moves: &List<c::Move>, outcome: &Place<c::Outcome>)
        = bookahead_transaction(self.book(), lent, work, any_first(steps), steps.room(), Code(ending as u8, 2), any_first(moves), moves.room(); told(outcome));
    apply(lent: &Lent, work: u64, moves: &[c::Move])
        = bookahead_apply(self.book(), lent, work, values(moves), moves.len());
    explain(request: &c::Request, obstacles: &List<c::Obstacle>) -> count: usize, explanation: c::Explanation
        = bookahead_explain(self.book(), input(request), first(obstacles), obstacles.room());

    juggle(request: &c::Request, terms: &c::Commitment, rules: &c::Juggling, lent: &Lent, ending: u8, moves: &List<c::Move>) -> juggled: c::Juggled
        = bookahead_juggle(self.book(), input(request), optional(terms), input(rules), lent, Code(ending, 2), any_first(moves), moves.room());
    replan(rules: &c::Juggling, lent: &Lent, ending: u8, moves: &List<c::Move>) -> juggled: c::Juggled
        = bookahead_replan(self.book(), input(rules), lent, Code(ending, 2), any_first(moves), moves.room());
    alternatives(request: &c::Request, terms: &c::Commitment, rules: &c::Juggling, wanted: &c::Suggesting, lent: &Lent, list: &List<c::Alternative>) -> count: usize, suggested: c::Suggested
        = bookahead_alternatives(self.book(), input(request), optional(terms), input(rules), input(wanted), lent, first(list), list.room());
    shift_in(request: &c::Request, terms: &c::Commitment, rules: &c::Shifting, lent: &Lent, ending: u8, moves: &List<c::Move>) -> shifted: c::Juggled
        = bookahead_shift_in(self.book(), input(request), optional(terms), input(rules), lent, Code(ending, 2), any_first(moves), moves.room());

    layout_check(layout: &c::Layout, fault: &Place<u32>) -> pes: u32 = bookahead_layout_check(input(layout); told(fault));
    layout_init(memory: &List<u64>, binding: u8, layout: &c::Layout, sizes: [u32; 4]) -> book: *mut c::Book
        = bookahead_layout_init(lent(memory), memory.bytes(), Code(binding, 8), input(layout), sizes[0], sizes[1], sizes[2], sizes[3]);
    workspace_bytes(entries: u32, waiting: u32) -> bytes: usize = bookahead_layout_workspace_bytes(self.book(), entries, waiting);
    class_add(class: &c::Class, fault: &Place<u32>) -> number: u32 = bookahead_class_add(self.book(), input(class); told(fault));
    class_drop(number: u32) = bookahead_class_drop(self.book(), number);
    class_ask(number: u32) = bookahead_class_ask(self.book(), number);
    class_of(name: c::Handle) -> number: u32 = bookahead_class_of(self.book(), name);
    failing(request: &c::Request, start: u64) -> failing: c::Failing = bookahead_failing(self.book(), input(request), start);
    reserve_exactly(window: c::Window, pes: &[u32], terms: &c::Commitment, conflict: &Place<c::Conflict>) -> made: c::Handle
        = bookahead_reserve_exactly(self.book(), window.start, window.end, values(pes), pes.len(), optional(terms); told(conflict));
    extension(name: c::Handle) -> until: u64 = bookahead_extension(self.book(), name);
    extend_by_force(name: c::Handle, until: u64, lent: &Lent, work: u64, ending: u8, moves: &List<c::Move>) -> forced: c::Juggled
        = bookahead_extend_by_force(self.book(), name, until, lent, work, Code(ending, 2), any_first(moves), moves.room());
    take_out(outage: (u8, c::Window), absent: &c::Absent, lent: &Lent, work: u64, ending: u8, moves: &List<c::Move>) -> taken: c::Juggled
        = bookahead_take_out(self.book(), Code(outage.0, 2), outage.1.start, outage.1.end, input(absent), lent, work, Code(ending, 2), any_first(moves), moves.room());
    set_rule(number: u32, rule: (Option<&c::Rule>, Option<&c::Absent>), lent: &Lent, work: u64, ending: u8, moves: &List<c::Move>) -> changed: c::Juggled
        = bookahead_set_rule(self.book(), number, rule.0.map(optional), rule.1.map(input), lent, work, Code(ending, 2), any_first(moves), moves.room());
    resize(absent: Option<&c::Absent>, lent: &Lent, work: u64, ending: u8, moves: &List<c::Move>) -> changed: c::Juggled
        = bookahead_resize(self.book(), absent.map(optional), lent, work, Code(ending, 2), any_first(moves), moves.room());
    rules_during(window: c::Window) -> rules: u32 = bookahead_rules_during(self.book(), window.start, window.end);
    reserve_open(pes: u32, meeting: u8, conflict: &Place<c::Conflict>) -> made: c::Handle
        = bookahead_reserve_open(self.book(), pes, Code(meeting, 2); told(conflict));
    announce_end(name: c::Handle, at: u64) = bookahead_announce_end(self.book(), name, at);
    is_outage(name: c::Handle) -> outage: bool = bookahead_is_outage(self.book(), name);
    relocate(request: &c::Request, terms: &c::Commitment, limits: (u16, u64), lent: &Lent, ending: u8, moves: &List<c::Move>) -> relocated: c::Juggled
        = bookahead_relocate(self.book(), input(request), optional(terms), limits.0, lent, limits.1, Code(ending, 2), any_first(moves), moves.room());

    plan_overlay(request: &c::Request, overlaying: &c::Overlaying, table: &List<u32>) -> plan: c::OverlayPlan
        = bookahead_plan_overlay(self.book(), input(request), input(overlaying), any_first(table), table.room());
    commit_overlay(plan: &c::OverlayPlan, terms: &c::Commitment) -> made: c::Handle
        = bookahead_commit_overlay(self.book(), input(plan), optional(terms));
    overlaid(name: c::Handle) -> pes: u32 = bookahead_overlaid(self.book(), name);
    record(law: &c::Law, booked: u32, ran: u32) = bookahead_record(input(law), booked, ran);

    keep(length: usize) = bookahead_journal_keep(self.book(), length);
    write_record(record: &List<u8>) -> length: usize = bookahead_journal_write(self.book(), lent(record), record.room());
    apply_record(record: &List<u8>) -> used: usize = bookahead_journal_apply(self.book(), lent(record), record.room());
    write_snapshot(bytes: &List<u8>) -> length: usize = bookahead_snapshot_write(self.book(), lent(bytes), bytes.room());
    read_snapshot(bytes: &List<u8>) -> used: usize = bookahead_snapshot_read(self.book(), lent(bytes), bytes.room());
    state_hash() -> hash: u64 = bookahead_state_hash(self.book());

    status() -> status: c::Status = bookahead_status(self.book());
    check() = bookahead_check_invariants(self.book());
    free_during(window: c::Window) -> pes: u32 = bookahead_free_during(self.book(), window.start, window.end);
    rectangle(start: u64, duration: u32) -> found: c::Rectangle = bookahead_rectangle(self.book(), start, duration);
    pes_of(name: c::Handle, skip: usize, list: &List<u16>) -> count: usize
        = bookahead_pes_of(self.book(), name, skip, first(list), list.room());
    waits_for(name: c::Handle, skip: usize, list: &List<c::Handle>) -> count: usize
        = bookahead_waits_for(self.book(), name, skip, first(list), list.room());
    reservations(skip: usize, list: &List<c::Handle>) -> count: usize
        = bookahead_reservations(self.book(), skip, first(list), list.room());
    starting_at(slot: u64, skip: usize, list: &List<c::Handle>) -> count: usize
        = bookahead_starting_at(self.book(), slot, skip, first(list), list.room());
    covering(window: c::Window, skip: usize, list: &List<c::Handle>) -> count: usize
        = bookahead_covering(self.book(), window.start, window.end, skip, first(list), list.room());
    records(skip: usize, list: &List<c::Record>) -> count: usize
        = bookahead_records(self.book(), skip, first(list), list.room());
    candidate_starts(request: &c::Request, skip: usize, list: &List<u64>) -> count: usize
        = bookahead_candidate_starts(self.book(), input(request), skip, first(list), list.room());

    offers(query: &c::Query, terms: &c::OfferTerms, list: &List<c::Offer>) -> count: usize, solution: bool, more: bool
        = bookahead_offers(self.book(), input(query), input(terms), first(list), list.room());
    accept(offer: &c::Offer, duration: u32, pes: u32, terms: &c::Commitment) -> booking: c::Booking
        = bookahead_accept(self.book(), input(offer), duration, pes, optional(terms));
    offer_start(offer: &[c::Offer], duration: u32) -> start: u64 = bookahead_offer_start(values(offer), duration);

    queue_init(memory: &List<u64>, discipline: u8, jobs: u32) -> queue: *mut c::Queue
        = bookahead_queue_init(lent(memory), memory.bytes(), Code(discipline, 3), jobs);
    queue_open(memory: &List<u64>) -> queue: *mut c::Queue = bookahead_queue_open(lent(memory), memory.bytes());
    queue_set_incarnation(number: u32) = bookahead_queue_set_incarnation(self.queue(), number);
    submit(job: &c::Job) -> ticket: u32 = bookahead_queue_submit(self.queue(), self.book(), input(job));
    withdraw(ticket: u32) = bookahead_queue_withdraw(self.queue(), ticket);
    queue_advance(to: u64, events: &List<c::Event>) -> count: usize, waiting: bool
        = bookahead_queue_advance(self.queue(), self.book(), to, first(events), events.room());
    queue_advance_pulling(to: u64, events: &List<c::Event>, lent: &Lent, moves: &List<c::Move>) -> count: usize, waiting: bool, moved: usize
        = bookahead_queue_advance_pulling(self.queue(), self.book(), to, first(events), events.room(), lent, any_first(moves), moves.room());
    queue_next(to: u64) -> event: c::Event, happened: bool = bookahead_queue_next(self.queue(), self.book(), to);
    queue_next_event() -> at: u64 = bookahead_queue_next_event(self.queue(), self.book());
    shadow() -> start: u64 = bookahead_queue_shadow(self.queue(), self.book());
    queue_status() -> status: c::QueueStatus = bookahead_queue_status(self.queue());
    queue_check() = bookahead_queue_check_invariants(self.queue(), self.book());
    jobs(skip: usize, list: &List<c::WaitingJob>) -> count: usize
        = bookahead_queue_jobs(self.queue(), skip, first(list), list.room());
    keep_requests(length: usize, requests: u32) = bookahead_queue_keep_requests(self.queue(), length, requests);
    keep_schedule(length: usize, second: &List<u64>) = bookahead_queue_keep_schedule(self.queue(), length, At::<c::Book>::new(second));
    starts(skip: usize, list: &List<c::PlannedStart>) -> count: usize
        = bookahead_queue_starts(self.queue(), skip, first(list), list.room());
    wait(request: &c::Request, policy: u8, terms: &c::Commitment, key: u32) -> ticket: u32
        = bookahead_queue_wait(self.queue(), self.book(), input(request), Code(policy, 7), optional(terms), key);
    make_preemptible(name: c::Handle, min_run: u32, keeps: u32) = bookahead_make_preemptible(self.book(), name, min_run, keeps);
    reserve_preempting(request: &c::Request, policy: u8, terms: &c::Commitment) -> booking: c::Booking
        = bookahead_queue_reserve_preempting(self.queue(), self.book(), input(request), Code(policy, 7), optional(terms));
    set_key(ticket: u32, key: u32) = bookahead_queue_set_key(self.queue(), ticket, key);
    requests(skip: usize, list: &List<c::WaitingRequest>) -> count: usize
        = bookahead_queue_requests(self.queue(), skip, first(list), list.room());

    forms(job: (u64, u32, u32), skip: usize, list: &List<c::Form>) -> count: usize
        = bookahead_malleable_forms(job.0, job.1, job.2, skip, first(list), list.room());
    price(terms: &c::PriceTerms, request: &[c::Request]) -> price: u64 = bookahead_price(input(terms), values(request));
    slot_rate(tariff: &c::Tariff) -> rate: u64 = bookahead_tariff_slot_rate(input(tariff));
    reserved(tariff: &c::Tariff, slots: u32, pes: u32) -> price: u64 = bookahead_tariff_reserved(input(tariff), slots, pes);
    best_effort(tariff: &c::Tariff, units: u64, pes: u32) -> price: u64 = bookahead_tariff_best_effort(input(tariff), units, pes);
    slot_rounding_up(clock: &c::Clock, seconds: u64) -> slot: u64 = bookahead_slot_rounding_up(input(clock), seconds);
    slot_rounding_down(clock: &c::Clock, seconds: u64) -> slot: u64 = bookahead_slot_rounding_down(input(clock), seconds);
    span_rounding_up(clock: &c::Clock, seconds: u64) -> slots: u32 = bookahead_span_rounding_up(input(clock), seconds);
    seconds(clock: &c::Clock, slot: u64) -> seconds: u64 = bookahead_seconds(input(clock), slot);
}

impl Caller {
    /// A program with an empty book for so many PEs, slots and reservations, and an empty queue for so many jobs.
    pub fn new(
        binding: Binding,
        [pes, slots, rows]: [u32; 3],
        jobs: u32,
        careless: Careless,
    ) -> Self {
        let binding = binding as u32;
        let bytes = |rows| c::bookahead_bytes(binding, pes, slots, rows);
        let init = |caller: &mut Self, book: &List<u64>, rows| {
            caller.init(book, [binding, pes, slots, rows])
        };
        Self::with(bytes, [rows, jobs], careless, init)
    }

    /// A program with an empty book of such a binding on a machine with a layout, for so many slots, reservations, classes and groups that one may list, and an
    /// empty queue for so many jobs.
    pub fn on(
        binding: Binding,
        layout: &c::Layout,
        sizes: [u32; 4],
        jobs: u32,
        careless: Careless,
    ) -> Self {
        let ([slots, rows, classes, order], binding) = (sizes, binding as u8);
        // SAFETY: the layout leads to lists as long as it says.
        let bytes = |rows| unsafe {
            c::bookahead_layout_bytes(binding.into(), layout, slots, rows, classes, order)
        };
        let init = |caller: &mut Self, book: &List<u64>, rows| {
            caller.layout_init(book, binding, layout, [slots, rows, classes, order])
        };
        Self::with(bytes, [rows, jobs], careless, init)
    }

    /// The book keeps a journal behind it.
    fn with(
        bytes: impl Fn(u32) -> usize,
        [rows, jobs]: [u32; 2],
        careless: Careless,
        init: impl Fn(&mut Self, &List<u64>, u32) -> Result<*mut c::Book, u32>,
    ) -> Self {
        let [bytes, second] = [rows, jobs].map(bytes);
        assert!(bytes > 0 && bytes.is_multiple_of(8));
        let journal = c::bookahead_journal_bytes(rows);
        let memory = Memory {
            book: List::new((bytes + journal) / 8),
            queue: List::new(0),
            scratch: Vec::new(),
        };
        let (book, second) = (memory.book.clone(), List::new(second / 8));
        let mut caller = Self {
            memory,
            careless,
            second: second.clone(),
        };
        init(&mut caller, &second, jobs).expect("there is such a book");
        caller.second = second;
        let made = init(&mut caller, &book, rows).expect("there is such a book");
        assert_eq!(made.cast(), book.pointer());
        caller.memory.book = book;
        let kept = caller.keep(bytes + journal);
        kept.expect("there is room behind the book");
        // SAFETY: it was made just now.
        caller.memory.scratch = unsafe { c::scratch(made) }.into();
        caller.clear_queue(Discipline::Fcfs, jobs);
        caller
    }

    /// Puts an empty queue in the place of the old one.
    pub fn clear_queue(&mut self, discipline: Discipline, jobs: u32) {
        let plans = discipline == Discipline::Conservative;
        let planned = match plans {
            true => c::bookahead_queue_schedule_bytes(jobs) + self.second.bytes(),
            false => 0,
        };
        let list = c::bookahead_queue_requests_bytes(REQUESTS as u32);
        let queue = List::new((c::bookahead_queue_bytes(jobs) + list + planned) / 8);
        let made = self.queue_init(&queue, discipline.code(), jobs);
        assert_eq!(made.expect("there is such a queue").cast(), queue.pointer());
        let length = queue.bytes();
        self.memory.queue = queue;
        let kept = self.keep_requests(length, REQUESTS as u32);
        kept.expect("there is room behind the queue");
        if plans {
            let second = self.second.clone();
            let kept = self.keep_schedule(length, &second);
            kept.expect("there is room behind the list");
        }
    }

    fn book(&self) -> At<c::Book> {
        At::new(&self.memory.book)
    }

    fn queue(&self) -> At<c::Queue> {
        At::new(&self.memory.queue)
    }

    /// A workspace of so many entries, with room for so many that wait.
    pub fn lend(&mut self, entries: usize, waiting: usize) -> Lent {
        let status = self.status().expect("it is a book");
        let [entries, most] =
            [entries, waiting].map(|number| number.try_into().expect("memory is not that long"));
        let bytes = self.workspace_bytes(entries, most).expect("there are such");
        let is_placed = [Binding::Placed, Binding::PlacedRuled].map(|one| one as u32);
        if !is_placed.contains(&status.binding) {
            let by_sizes = c::bookahead_workspace_bytes(status.binding, status.pes, entries, most);
            assert_eq!(bytes, by_sizes);
        }
        Lent::new(bytes, waiting)
    }

    /// All elements of a list, read some at a time by `read`, which is told how many to pass over.
    pub fn all<T: Plain>(
        &mut self,
        read: impl Fn(&mut Self, usize, &List<T>) -> Result<usize, u32>,
    ) -> Result<Vec<T>, u32> {
        let few = self
            .careless
            .byte()
            .map_or(64, |byte| 1 + usize::from(byte % 16));
        let mut all = Vec::new();
        loop {
            let list = List::new(few);
            let taken = list.taken(read(self, all.len(), &list)?);
            all.extend_from_slice(&taken);
            assert!(all.len() <= 1 << 16, "a list has no end");
            if taken.len() < few {
                break;
            }
        }
        assert_eq!(read(self, 0, &List::new(0)), Ok(0), "there is no room");
        assert_eq!(
            read(self, usize::MAX, &List::new(1)),
            Ok(0),
            "nothing is that far behind"
        );
        Ok(all)
    }
}
