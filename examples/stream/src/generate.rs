//! Draws calls so that everything happens that can happen.

use std::fmt::Write as _;

use bookahead::{
    Alteration, BestEffortJob, Discipline, ElasticRequest, Money, OfferOrder, Part, PeCount,
    Placement, Policy, Request, Search, Slot, Span, Window,
};
use bookahead_stream::{
    Action, Call, Choice, Deed, ENTRIES, Group, Manner, OFFERS, PARTS, PES, Recurrence, SLOTS,
    Script, Step, WAITING,
};
use rand::RngExt;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

/// How the file explains itself.
const HEAD: &str = "\
# Calls for two books side by side, each with a ring of 256 slots, 32 PEs, 32 reservations, room for 8 events and a queue of 8 jobs:
# first `late`, which binds PEs when a job starts, then `early`, which binds them when it is booked.
#
#   SLOT reserve JOB POLICY READY DURATION DEADLINE PES
#   SLOT hold JOB POLICY READY DURATION DEADLINE PES TTL
#   SLOT confirm JOB
#   SLOT cancel JOB
#   SLOT complete JOB AT
#   SLOT offers JOB SEARCH ORDER READY DURATION DEADLINE PES TTL BASE
#   SLOT accept JOB NTH DURATION PES TTL
#   SLOT queue JOB DISCIPLINE
#   SLOT submit JOB ESTIMATE PES
#   SLOT withdraw JOB
#   SLOT shadow JOB
#   SLOT plan JOB POLICY READY DURATION DEADLINE PES
#   SLOT commit JOB TTL
#   SLOT alter JOB ALTERATION
#   SLOT split JOB OF AT
#   SLOT series JOB POLICY READY DURATION DEADLINE PES TTL PERIOD COUNT EXCEPTIONS
#   SLOT together JOB READY DEADLINE TTL PART...
#   SLOT cancel-all JOB COUNT
#   SLOT explain JOB READY DURATION DEADLINE PES
#   SLOT covering JOB START END
#   SLOT transaction JOB WORK ENTRIES ENDING STEP...
#   SLOT apply JOB WORK ENTRIES
#   SLOT incarnation JOB BOOK QUEUE
#   SLOT commit-as JOB TERMS
#   SLOT freeze JOB
#   SLOT mould JOB POLICY CHOICE READY DEADLINE BASE BUDGET FORM...
#   SLOT juggle JOB TERMS READY DURATION DEADLINE PES ORDER ADMISSION AFTER-FAILURE EARLIEST MAX-MOVES WORK ENDING
#   SLOT replan JOB ORDER ADMISSION AFTER-FAILURE EARLIEST MAX-MOVES WORK ENDING
#   SLOT shift-in JOB TERMS READY DURATION DEADLINE PES DIRECTION INSERTION EARLIEST MAX-MOVES WORK ENDING
#   SLOT end
#
# Time passes slot by slot, from slot 0 on: late is advanced by its queue to the slot, again and again while events are waiting, and its
# events are written down (in odd slots one at a time); then early in the same way; then the calls of the slot are made, each on late and then on early. Nothing is advanced
# a second time in a slot, so what is made for the slot that is running starts with the advance to the next one. A jump over many slots would
# not give the same answers, since it misses the jobs whose whole window it passes.
#
# A job that has no booking has the handle with all bits one. An answer's start is the booked start of the job as it was answered, 0 for a
# job that has none; its pes are those that the job holds after the call, or after the advance that reported the event. A job of the queue
# has a booking when it starts.
#
# `offers` lists up to 4; BASE are micro-units for a slot without a reservation, half as much more with one. Each offer follows the answer in
# a line of its own. `accept` takes a portion of the NTH offer, counted from 0, of those that this book made last; if there is none, of an
# offer of nothing, all of whose numbers are 0. `-` stands for what is not given: in a query whatever there is, in a portion the whole, and
# without a TTL it is confirmed at once. `queue` makes an empty one, first come first served until then: nobody waits any more, and a job
# that nobody waits for has no ticket. A `shadow` is answered as a start, 0 for none.
#
# `plan` is remembered, and `commit` books what was planned last; a refused plan is stale. An ALTERATION is `shift:START`, `extend:DURATION`,
# `shorten:DURATION`, `widen:PES`, `narrow:PES` or `change-window:READY:DEADLINE`. `split` makes JOB the rest of job OF from slot AT on. A `series` is of
# JOB and the jobs behind it, EXCEPTIONS being numbers with colons in between or `-`; so is what is reserved `together`, each PART being
# `OFFSET:DURATION:PES`, and the common start is answered. Either has room for 8 handles. `cancel-all` is of COUNT jobs from JOB on, and answers how many
# were cancelled. `explain` answers the earliest start, 0 for none, and lists up to 4 obstacles; `covering` lists up to 16 jobs.
#
# A `transaction` has WORK and an undo log of ENTRIES, is ended by `commit` or `plan`, and answers the work that is left. A STEP with `?` before it is
# optional. It is `lift:JOB`, `place:JOB:START:DURATION:PES`, `place-first-fit:JOB:EARLIEST`, `insert:JOB:START:READY:DURATION:DEADLINE:PES:TTL`,
# `remove:JOB`, `alter:JOB:ALTERATION`, `split:REST:JOB:AT`, `savepoint:N`, `rollback:N` or `rollback-if-refused:N`, the last one only if an optional
# step has been refused since the savepoint. Behind the answer stands a line for each step that was taken, who is in the way of a `place` or `insert` for
# which the transaction was refused, and each move if it was not. `apply` makes the moves of the last transaction true that was planned. All other
# calls have a log that is large enough.
#
# `incarnation` numbers book and queue; they have the same number whenever time passes, and a new queue gets the book's.
#
# TERMS are `strict`, or a kind of flexibility and when the start is fixed, `interval:never`, `deadline:acceptance`, `interval:share:PER-MILLE` or
# `interval:lead:SLOTS`. `commit-as` books what was planned last. `mould` plans one of several forms, each `PES:DURATION`; its prices are those of `offers`, less a
# quarter for a slack as long as the duration and half at most. The plan is remembered as that of `plan`, and the form and its price follow in a line of
# their own. ORDER is the name of one, or `shuffle:SEED`; INSERTION is `slides:DEPTH`, `fewest-moves` or `least-shift`. Ended by `commit`, `juggle`, `replan` and
# `shift-in` are followed by a line for each job that has moved, by number; by `plan`, by a line for each move in the order in which they were made,
# that of the newcomer too, which is nobody's.
";

/// Calls are drawn from slot 0 up to this one, several times round the ring.
const LAST: u64 = 1_200;
/// How long one kind of traffic lasts.
const SEASON: u64 = 75;

/// The text of `calls.txt`.
pub fn calls(seed: u64) -> String {
    let mut draw = Draw {
        rng: ChaCha8Rng::seed_from_u64(seed),
        jobs: 0,
        calls: Vec::new(),
        known: Vec::new(),
    };
    let mut slot = 0;
    let mut rush = SEASON / 2;
    let mut renewal = SEASON;
    while slot < LAST {
        match draw.rng.random_range(0..14) {
            0..=3 => draw.traffic(slot),
            4..=6 => draw.elastic(slot),
            7..=9 => draw.best_effort(slot),
            _ => draw.moving(slot),
        }
        if slot >= rush {
            draw.rush(slot);
            rush += 5 * SEASON;
        }
        if slot >= renewal {
            draw.renew_queue(slot);
            renewal += 2 * SEASON;
        }
        slot += draw.rng.random_range(0..=4);
    }
    // Behind all that is booked.
    draw.every_state(slot + u64::from(SLOTS));
    draw.patience(draw.end());
    draw.text()
}

/// A step without which nothing is to happen.
pub(crate) const fn needed(deed: Deed) -> Step {
    Step {
        optional: false,
        deed,
    }
}

/// A step that may be refused.
pub(crate) const fn tried(deed: Deed) -> Step {
    Step {
        optional: true,
        deed,
    }
}

pub(crate) struct Draw {
    pub(crate) rng: ChaCha8Rng,
    jobs: u16,
    calls: Vec<(u64, Call)>,
    /// Jobs that may be booked, with what they asked for.
    known: Vec<(u16, Request)>,
}

impl Draw {
    /// A job, and what becomes of it: seasons of mixed jobs, of wide ones that are in each other's way, and of long narrow ones.
    fn traffic(&mut self, slot: u64) {
        let (pes, durations) = match slot / SEASON % 3 {
            0 => (1..=16, 2..=40),
            1 => (6..=PES, 4..=30),
            _ => (1..=3, 30..=120),
        };
        let ready = match self.rng.random_range(0..4) {
            0 => slot,
            _ => slot + self.rng.random_range(0..60),
        };
        let duration = match self.rng.random_range(0..12) {
            0 => 1,
            _ => self.rng.random_range(durations),
        };
        let slack = self.rng.random_range(0..=duration);
        let mut request = Request {
            ready: Slot::new(ready),
            duration: Span::new(duration),
            deadline: Slot::new(ready + u64::from(duration + slack)),
            pes: PeCount::new(self.rng.random_range(pes)),
        };
        if self.rng.random_ratio(1, 8) {
            request = self.spoil(request);
        }
        if self.rng.random_ratio(1, 3) {
            self.hold(slot, request);
        } else {
            let policy = self.policy();
            let job = self.ask(slot, Action::Reserve(request, policy));
            self.known.push((job, request));
            self.follow(slot, job, &request);
        }
    }

    /// More jobs at once than the ledger has room for, and more events in one slot than their list.
    fn rush(&mut self, slot: u64) {
        let start = slot + 30;
        let request = Request {
            ready: Slot::new(start),
            duration: Span::new(10),
            deadline: Slot::new(start + 30),
            pes: PeCount::new(1),
        };
        for _ in 0..36 {
            let policy = self.policy();
            self.ask(slot, Action::Reserve(request, policy));
        }
        for _ in 0..=WAITING {
            let job = BestEffortJob {
                estimate: Span::new(self.rng.random_range(5..20)),
                pes: PeCount::new(PES),
            };
            self.ask(slot, Action::Submit(job));
        }
        // There is no row left for these either.
        let late = Request {
            ready: Slot::new(start),
            duration: Span::new(1),
            deadline: Slot::new(start + 200),
            pes: PeCount::new(1),
        };
        let insert = Deed::Insert(self.jobs, Slot::new(start), late, None);
        self.script(slot, false, vec![needed(insert)]);
        let last = self.jobs - 40;
        self.ask(slot, Action::Split(last, Slot::new(start + 5)));
        self.series(slot, late, None, 30, 2, &[]);
        let part = Part {
            offset: Span::ZERO,
            duration: Span::new(1),
            pes: PeCount::new(1),
        };
        self.together(slot, (start, start + 200), None, &[part]);
    }

    /// The other discipline.
    fn renew_queue(&mut self, slot: u64) {
        let discipline = match slot / SEASON / 2 % 2 {
            0 => Discipline::Easy,
            _ => Discipline::Fcfs,
        };
        self.ask(slot, Action::Queue(discipline));
    }

    /// A query, and what is taken of its offers, perhaps too late or too much.
    fn elastic(&mut self, slot: u64) {
        let ready = slot + self.rng.random_range(0..40);
        let duration = self.rng.random_range(1..=40);
        let room = self.rng.random_range(0..=2 * duration);
        let request = Request {
            ready: Slot::new(ready),
            duration: Span::new(duration),
            deadline: Slot::new(ready + u64::from(duration / 2 + room) + 1),
            pes: PeCount::new(self.rng.random_range(1..=PES / 2)),
        };
        let asked = match self.rng.random_range(0..8) {
            0 => self.spoil(request),
            _ => request,
        };
        let query = ElasticRequest {
            ready: asked.ready,
            deadline: asked.deadline,
            duration: self.often(asked.duration),
            pes: self.often(asked.pes),
        };
        let ttl = match self.rng.random_range(0..12) {
            0 => 0,
            _ => self.rng.random_range(1..12),
        };
        let manner = Manner {
            search: Search::ALL[self.rng.random_range(0..Search::ALL.len())],
            order: OfferOrder::ALL[self.rng.random_range(0..OfferOrder::ALL.len())],
            ttl: Span::new(ttl),
            base: Money::new(match self.rng.random_range(0..12) {
                0 => 1 << 63,
                _ => self.rng.random_range(0..1_000_000),
            }),
        };
        self.ask(slot, Action::Offers(query, manner));
        for _ in 0..self.rng.random_range(0..=2) {
            self.accept(slot, u64::from(ttl), &request);
        }
    }

    fn accept(&mut self, slot: u64, ttl: u64, request: &Request) {
        let later = match self.rng.random_range(0..4) {
            0 => slot + self.rng.random_range(0..=ttl + 2),
            _ => slot,
        };
        let longest = request.duration.get() + request.duration.get() / 8;
        let duration = self.rng.random_range(1..=longest);
        let widest = request.pes.get() + request.pes.get() / 8;
        let pes = self.rng.random_range(1..=widest);
        let choice = Choice {
            nth: match self.rng.random_range(0..3) {
                0 => self.rng.random_range(0..OFFERS),
                _ => 0,
            },
            duration: self.often(Span::new(duration)),
            pes: self.often(PeCount::new(pes)),
            ttl: match self.rng.random_range(0..3) {
                0 => Some(Span::new(self.rng.random_range(0..20))),
                _ => None,
            },
        };
        let job = self.ask(later, Action::Accept(choice));
        if choice.ttl.is_some() && self.rng.random_ratio(1, 2) {
            self.call(later + 1, job, Action::Confirm);
        }
        self.follow(later, job, request);
    }

    /// A job of the queue, and what becomes of it while it waits or runs.
    fn best_effort(&mut self, slot: u64) {
        let asked = Request {
            ready: Slot::new(slot),
            duration: Span::new(self.rng.random_range(1..=30)),
            deadline: Slot::new(slot),
            pes: PeCount::new(self.rng.random_range(1..=PES)),
        };
        let asked = match self.rng.random_range(0..10) {
            0 => self.spoil(asked),
            _ => asked,
        };
        let waiting = BestEffortJob {
            estimate: asked.duration,
            pes: asked.pes,
        };
        let job = self.ask(slot, Action::Submit(waiting));
        if self.rng.random_ratio(1, 3) {
            self.call(slot, job, Action::Shadow);
        }
        if self.rng.random_ratio(1, 4) {
            let later = slot + self.rng.random_range(0..30);
            self.call(later, job, Action::Withdraw);
        }
        self.follow(slot, job, &asked);
    }

    /// One of the jobs that may be booked.
    fn pick(&mut self) -> (u16, Request) {
        let recent = self.known.len().saturating_sub(12);
        let nth = self
            .rng
            .random_range(recent..self.known.len().max(recent + 1));
        let never = Request {
            ready: Slot::new(0),
            duration: Span::new(5),
            deadline: Slot::new(20),
            pes: PeCount::new(2),
        };
        self.known.get(nth).copied().unwrap_or((0, never))
    }

    /// Reservations move, several are made together, and somebody asks what is in the way.
    fn moving(&mut self, slot: u64) {
        match self.rng.random_range(0..13) {
            0..=2 => {
                let (job, request) = self.pick();
                let alteration = self.alteration(slot, &request);
                self.call(slot, job, Action::Alter(alteration));
            }
            3 => {
                let (job, request) = self.pick();
                let at = request.ready.get() + self.rng.random_range(0..30);
                self.ask(slot, Action::Split(job, Slot::new(at)));
            }
            4 => self.some_series(slot),
            5 => self.some_parts(slot),
            6 => {
                let request = self.request(slot);
                self.ask(slot, Action::Explain(request));
                let start = slot + self.rng.random_range(0..60);
                let window = Window {
                    start: Slot::new(start),
                    end: Slot::new(start + self.rng.random_range(0..40)),
                };
                self.ask(slot, Action::Covering(window));
            }
            7 => {
                let (request, policy) = (self.request(slot), self.policy());
                self.ask(slot, Action::Plan(request, policy));
                let later = slot + self.rng.random_range(0..4);
                let ttl = self.rng.random_range(0..9);
                let ttl = self.often(Span::new(ttl));
                let job = self.ask(later, Action::Commit(ttl));
                self.known.push((job, request));
            }
            _ => self.transaction(slot),
        }
    }

    fn request(&mut self, slot: u64) -> Request {
        let ready = slot + self.rng.random_range(0..50);
        let duration = self.rng.random_range(1..=30);
        let slack = self.rng.random_range(0..=2 * duration);
        Request {
            ready: Slot::new(ready),
            duration: Span::new(duration),
            deadline: Slot::new(ready + u64::from(duration + slack)),
            pes: PeCount::new(self.rng.random_range(1..=PES)),
        }
    }

    fn alteration(&mut self, slot: u64, request: &Request) -> Alteration {
        let (duration, pes) = (request.duration.get(), request.pes.get());
        let start = request.ready.get() + self.rng.random_range(0..=u64::from(duration));
        let less = self.rng.random_range(0..=duration);
        let more = duration + self.rng.random_range(0..20);
        match self.rng.random_range(0..6) {
            0 => Alteration::Shift {
                start: Slot::new(start),
            },
            1 => Alteration::Extend {
                duration: Span::new(more),
            },
            2 => Alteration::Shorten {
                duration: Span::new(less),
            },
            3 => Alteration::Widen {
                pes: PeCount::new(pes.saturating_add(self.rng.random_range(0..8))),
            },
            4 => Alteration::Narrow {
                pes: PeCount::new(self.rng.random_range(0..=pes)),
            },
            _ => {
                let ready = (slot + self.rng.random_range(0..60)).saturating_sub(3);
                Alteration::ChangeWindow {
                    ready: Slot::new(ready),
                    deadline: Slot::new(ready + u64::from(more) + u64::from(less)),
                }
            }
        }
    }

    fn some_series(&mut self, slot: u64) {
        let mut first = self.request(slot);
        first.pes = PeCount::new(self.rng.random_range(1..=PES / 2));
        let count = self.rng.random_range(2..=6);
        let exceptions = [self.rng.random_range(0..count)];
        let exceptions = &exceptions[..self.rng.random_range(0..=1)];
        let ttl = self.rng.random_range(1..20);
        let ttl = self.rng.random_ratio(1, 3).then_some(Span::new(ttl));
        let period = self.rng.random_range(1..30);
        let job = self.series(slot, first, ttl, period, count, exceptions);
        if self.rng.random_ratio(1, 2) {
            let later = slot + self.rng.random_range(0..40);
            self.call(later, job, Action::CancelAll(count as u16));
        }
    }

    pub(crate) fn series(
        &mut self,
        slot: u64,
        first: Request,
        ttl: Option<Span>,
        period: u32,
        count: u32,
        exceptions: &[u32],
    ) -> u16 {
        let series = Recurrence {
            first,
            policy: self.policy(),
            ttl,
            period: Span::new(period),
            count,
            exceptions: exceptions.iter().copied().collect(),
        };
        let job = self.ask(slot, Action::Series(series));
        self.jobs += count.clamp(1, PARTS as u32) as u16 - 1;
        job
    }

    fn some_parts(&mut self, slot: u64) {
        let parts: Vec<_> = (0..self.rng.random_range(1..=4))
            .map(|_| Part {
                offset: Span::new(self.rng.random_range(0..12)),
                duration: Span::new(self.rng.random_range(1..20)),
                pes: PeCount::new(self.rng.random_range(1..=PES / 2)),
            })
            .collect();
        let ready = slot + self.rng.random_range(0..40);
        let deadline = ready + self.rng.random_range(20..80);
        let ttl = self.rng.random_range(1..20);
        let ttl = self.rng.random_ratio(1, 3).then_some(Span::new(ttl));
        self.together(slot, (ready, deadline), ttl, &parts);
    }

    pub(crate) fn together(
        &mut self,
        slot: u64,
        (ready, deadline): (u64, u64),
        ttl: Option<Span>,
        parts: &[Part],
    ) -> u16 {
        let group = Group {
            ready: Slot::new(ready),
            deadline: Slot::new(deadline),
            ttl,
            parts: parts.iter().copied().collect(),
        };
        let job = self.ask(slot, Action::Together(group));
        self.jobs += parts.len().max(1) as u16 - 1;
        job
    }

    /// Some jobs change places, make room for a new one, or move only if all of them can.
    fn transaction(&mut self, slot: u64) {
        let mut steps = Vec::new();
        let ((one, asked), (other, also)) = (self.pick(), self.pick());
        let ready = |request: &Request| request.ready.max(Slot::new(slot));
        match self.rng.random_range(0..4) {
            0 => {
                let placement = |request: &Request, at: Slot| Placement {
                    start: at,
                    duration: request.duration,
                    pes: request.pes,
                };
                steps.extend([
                    needed(Deed::Lift(one)),
                    needed(Deed::Lift(other)),
                    needed(Deed::Place(one, placement(&asked, ready(&also)))),
                    needed(Deed::Place(other, placement(&also, ready(&asked)))),
                ]);
            }
            1 => {
                let request = self.request(slot);
                let insert = Deed::Insert(self.jobs, request.ready, request, None);
                self.known.push((self.jobs, request));
                steps.extend([
                    needed(Deed::Lift(one)),
                    needed(insert),
                    needed(Deed::PlaceFirstFit(one, Slot::new(slot))),
                ]);
            }
            2 => {
                for (job, request) in [(one, asked), (other, also)] {
                    let later = ready(&request).saturating_add(Span::new(3));
                    steps.extend([
                        needed(Deed::Savepoint(1)),
                        tried(Deed::Lift(job)),
                        tried(Deed::PlaceFirstFit(job, later)),
                        needed(Deed::RollbackIfRefused(1)),
                    ]);
                }
            }
            _ => {
                let alteration = self.alteration(slot, &asked);
                steps.extend([
                    needed(Deed::Savepoint(0)),
                    tried(Deed::Alter(one, alteration)),
                    tried(Deed::Remove(other)),
                    needed(Deed::Rollback(0)),
                    tried(Deed::Split(
                        self.jobs,
                        one,
                        asked.ready.saturating_add(Span::new(4)),
                    )),
                    tried(Deed::Alter(one, alteration)),
                ]);
            }
        }
        let plan = self.rng.random_ratio(1, 3);
        self.script(slot, plan, steps);
        if plan {
            let later = slot + self.rng.random_range(0..5);
            self.ask(later, Action::Apply(10_000, ENTRIES));
        }
    }

    /// A transaction that has all the work and room that it needs.
    pub(crate) fn script(&mut self, slot: u64, plan: bool, steps: Vec<Step>) {
        self.limited(slot, 10_000, ENTRIES, plan, steps);
    }

    pub(crate) fn limited(
        &mut self,
        slot: u64,
        work: u64,
        entries: usize,
        plan: bool,
        steps: Vec<Step>,
    ) {
        let script = Script {
            work,
            entries,
            plan,
            steps: steps.into_iter().collect(),
        };
        self.ask(slot, Action::Transaction(script));
    }

    /// Given in two of three cases.
    fn often<T>(&mut self, value: T) -> Option<T> {
        self.rng.random_ratio(2, 3).then_some(value)
    }

    fn hold(&mut self, slot: u64, request: Request) {
        let ttl = match self.rng.random_range(0..10) {
            0 => 0,
            _ => self.rng.random_range(1..40),
        };
        let policy = self.policy();
        let job = self.ask(slot, Action::Hold(request, policy, Span::new(ttl)));
        self.known.push((job, request));
        for _ in 0..self.rng.random_range(0..=2) {
            let later = slot + self.rng.random_range(0..=u64::from(ttl) + 2);
            self.call(later, job, Action::Confirm);
        }
        self.follow(slot, job, &request);
    }

    /// What becomes of a job: given back, or ended around the time at which it may run.
    fn follow(&mut self, slot: u64, job: u16, request: &Request) {
        if self.rng.random_ratio(1, 6) {
            let later = slot + self.rng.random_range(0..60);
            self.call(later, job, Action::Cancel);
        }
        if self.rng.random_ratio(2, 5) {
            let later = request.ready.get().max(slot) + self.rng.random_range(0..30);
            let at = match self.rng.random_range(0..5) {
                0 => later + u64::from(SLOTS),
                _ => (later + self.rng.random_range(0..12)).saturating_sub(3),
            };
            self.call(later, job, Action::Complete(Slot::new(at)));
        }
    }

    /// A request that is refused or makes no sense.
    fn spoil(&mut self, request: Request) -> Request {
        let ready = request.ready.get();
        let mut spoilt = request;
        match self.rng.random_range(0..7) {
            0 => spoilt.duration = Span::ZERO,
            1 => spoilt.pes = PeCount::ZERO,
            2 => spoilt.pes = PeCount::new(PES + self.rng.random_range(1..100)),
            3 => spoilt.duration = Span::new(SLOTS + self.rng.random_range(1..100)),
            4 => spoilt.ready = Slot::new(ready.saturating_sub(70)),
            5 => spoilt.deadline = Slot::new(ready),
            _ => spoilt.deadline = Slot::new(ready + u64::from(SLOTS) + 70),
        }
        spoilt
    }

    fn policy(&mut self) -> Policy {
        Policy::ALL[self.rng.random_range(0..Policy::ALL.len())]
    }

    /// The number of the next job.
    pub(crate) const fn jobs(&self) -> u16 {
        self.jobs
    }

    pub(crate) fn ask(&mut self, slot: u64, action: Action) -> u16 {
        let job = self.jobs;
        self.jobs += 1;
        self.call(slot, job, action);
        job
    }

    pub(crate) fn call(&mut self, slot: u64, job: u16, action: Action) {
        self.calls.push((slot, Call { job, action }));
    }

    /// Behind all that is booked by the calls so far.
    fn end(&self) -> u64 {
        let last = self.calls.iter().map(|(slot, _)| *slot).max();
        last.unwrap_or(0) + u64::from(SLOTS)
    }

    fn text(mut self) -> String {
        // Stable: the calls of one slot stay in the order in which they were drawn.
        self.calls.sort_by_key(|(slot, _)| *slot);
        let end = self.end();
        let mut text = HEAD.to_owned();
        for (slot, call) in self.calls {
            let _ = writeln!(text, "{slot} {call}");
        }
        let _ = writeln!(text, "{end} end");
        text
    }
}
