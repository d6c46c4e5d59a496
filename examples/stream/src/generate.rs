//! Draws calls so that everything happens that can happen.

use std::fmt::Write as _;

use bookahead::{
    BestEffortJob, Discipline, Money, OfferOrder, PeCount, Policy, Query, Request, Search, Slot,
    Span,
};
use bookahead_stream::{Action, Call, Choice, Manner, OFFERS, PES, SLOTS, WAITING};
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
#   SLOT end
#
# Time passes slot by slot, from slot 0 on: late is advanced by its queue to the slot, again and again while events are waiting, and its
# events are written down; then early in the same way; then the calls of the slot are made, each on late and then on early. Nothing is advanced
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
    };
    let mut slot = 0;
    let mut rush = SEASON / 2;
    let mut renewal = SEASON;
    while slot < LAST {
        match draw.rng.random_range(0..8) {
            0..=3 => draw.traffic(slot),
            4 | 5 => draw.elastic(slot),
            _ => draw.best_effort(slot),
        }
        if slot >= rush {
            draw.rush(slot);
            rush += 5 * SEASON;
        }
        if slot >= renewal {
            draw.renew_queue(slot);
            renewal += 2 * SEASON;
        }
        slot += draw.rng.random_range(0..=6);
    }
    draw.text()
}

struct Draw {
    rng: ChaCha8Rng,
    jobs: u16,
    calls: Vec<(u64, Call)>,
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
        let query = Query {
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

    fn ask(&mut self, slot: u64, action: Action) -> u16 {
        let job = self.jobs;
        self.jobs += 1;
        self.call(slot, job, action);
        job
    }

    fn call(&mut self, slot: u64, job: u16, action: Action) {
        self.calls.push((slot, Call { job, action }));
    }

    fn text(mut self) -> String {
        // Stable: the calls of one slot stay in the order in which they were drawn.
        self.calls.sort_by_key(|(slot, _)| *slot);
        let mut text = HEAD.to_owned();
        let mut last = 0;
        for (slot, call) in self.calls {
            let _ = writeln!(text, "{slot} {call}");
            last = slot;
        }
        // Everything booked is over by then.
        let _ = writeln!(text, "{} end", last + u64::from(SLOTS));
        text
    }
}
