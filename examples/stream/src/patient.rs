//! Calls about flexible reservations and requests with several forms: on books where nothing else goes on, and behind all that is drawn otherwise.

use bookahead::{
    Admission, AfterFailure, Commitment, Direction, Flexibility, Form, FormChoice, Freeze,
    Insertion, Money, PeCount, Policy, Request, Shifting, Slot, Span,
};
use bookahead_stream::{Action, Mould, Newcomer, PES, Rules};
use rand::RngExt;

use crate::generate::Draw;

/// How long newcomers keep coming.
const LONG: u64 = 250;

/// What is enough for all that is not to be limited.
const WORK: u64 = 200_000;

const PATIENT: Commitment = Commitment::Flexible {
    kind: Flexibility::Interval,
    freeze: Freeze::Never,
};

impl Draw {
    /// Newcomers for whom others move, what else is done about these, and every reason to refuse any of it.
    pub(crate) fn patience(&mut self, slot: u64) {
        self.limits_of_patience(slot);
        let mut now = slot + 100;
        let mut made = Vec::new();
        while now < slot + 100 + LONG {
            self.newcomer(now, &mut made);
            match self.rng.random_range(0..12) {
                0 => {
                    let job = made[self.rng.random_range(0..made.len())];
                    self.call(now, job, Action::Cancel);
                    let (rules, plan) = (self.rules(now), self.rng.random_ratio(1, 3));
                    self.ask(now, Action::Replan(rules, plan));
                }
                1 => {
                    let job = made[self.rng.random_range(0..made.len())];
                    self.call(now, job, Action::Freeze);
                }
                2 => self.some_forms(now),
                _ => {}
            }
            now += self.rng.random_range(1..=4);
        }
    }

    fn newcomer(&mut self, now: u64, made: &mut Vec<u16>) {
        let duration = self.rng.random_range(4..=16);
        let ready = now + self.rng.random_range(0..30);
        let terms = self.terms();
        let slack = match terms {
            Commitment::Flexible { .. } => self.rng.random_range(4..=4 * duration),
            _ => self.rng.random_range(0..4),
        };
        let request = Request {
            ready: Slot::new(ready),
            duration: Span::new(duration),
            deadline: Slot::new(ready + u64::from(duration + slack)),
            pes: PeCount::new(self.rng.random_range(6..=24)),
        };
        let (newcomer, plan) = (Newcomer { request, terms }, self.rng.random_ratio(1, 6));
        let action = if self.rng.random_ratio(1, 2) {
            Action::Juggle(newcomer, self.rules(now), plan)
        } else {
            Action::ShiftIn(newcomer, self.shifting(now), plan)
        };
        made.push(self.ask(now, action));
    }

    fn terms(&mut self) -> Commitment {
        let kind = match self.rng.random_range(0..3) {
            0 => Flexibility::Deadline,
            _ => Flexibility::Interval,
        };
        let freeze = match self.rng.random_range(0..6) {
            0 => Freeze::Share {
                per_mille: self.rng.random_range(0..=1000),
            },
            1 => Freeze::Lead {
                lead: Span::new(self.rng.random_range(0..10)),
            },
            2 => return Commitment::Confirmed,
            _ => Freeze::Never,
        };
        Commitment::Flexible { kind, freeze }
    }

    fn rules(&mut self, now: u64) -> Rules {
        let seed = 7;
        Rules {
            order: self.rng.random_range(0..Rules::orders(seed).len()),
            seed,
            admission: Admission::ALL[self.rng.random_range(0..2)],
            after_failure: AfterFailure::ALL[self.rng.random_range(0..2)],
            earliest: Slot::new(now + self.rng.random_range(0..2)),
            max_moves: u32::MAX,
            work: WORK,
        }
    }

    fn shifting(&mut self, now: u64) -> Shifting {
        Shifting {
            direction: Direction::ALL[self.rng.random_range(0..2)],
            insertion: match self.rng.random_range(0..6) {
                0 => Insertion::FewestMoves,
                1 => Insertion::LeastShift,
                _ => Insertion::Slides {
                    depth: self.rng.random_range(1..=2),
                },
            },
            earliest: Slot::new(now + self.rng.random_range(0..2)),
            // The exact searches try all arrangements of so many.
            max_moves: 4,
            work: WORK,
        }
    }

    fn some_forms(&mut self, now: u64) {
        let forms: Vec<_> = (1..=4)
            .map(|number| Form {
                pes: PeCount::new(4 * number),
                duration: Span::new(self.rng.random_range(2..8) + 24 / u32::from(number)),
            })
            .collect();
        let mould = Mould {
            policy: Policy::FirstFit,
            choice: FormChoice::ALL[self.rng.random_range(0..FormChoice::ALL.len())],
            ready: Slot::new(now + self.rng.random_range(0..10)),
            deadline: Slot::new(now + 70),
            base: Money::new(100),
            budget: Money::new(self.rng.random_range(1..30_000)),
            forms: forms.into_iter().collect(),
        };
        self.ask(now, Action::Mould(mould));
        let terms = self.terms();
        self.ask(now, Action::CommitAs(terms));
    }

    /// One reservation behind the other, and newcomers that want the same, with too little of everything.
    fn limits_of_patience(&mut self, slot: u64) {
        let request = |ready: u64, duration: u32, deadline: u64, pes: u16| Request {
            ready: Slot::new(slot + ready),
            duration: Span::new(duration),
            deadline: Slot::new(slot + deadline),
            pes: PeCount::new(pes),
        };
        let plain = Rules {
            order: 0,
            seed: 0,
            admission: Admission::PlainFirst,
            after_failure: AfterFailure::Retry,
            earliest: Slot::new(slot),
            max_moves: u32::MAX,
            work: WORK,
        };
        let right = Shifting {
            earliest: Slot::new(slot),
            max_moves: 8,
            work: WORK,
            ..Shifting::EDS
        };
        let both = Shifting {
            direction: Direction::Both,
            ..right
        };
        let patient = |request| Newcomer {
            request,
            terms: PATIENT,
        };
        let strict = |request| Newcomer {
            request,
            terms: Commitment::Confirmed,
        };
        // From 10 to 20, and from 20 to 30 by its deadline.
        let early = patient(request(10, 10, 60, PES));
        let first = self.ask(slot, Action::ShiftIn(early, right, false));
        let between = patient(request(10, 10, 32, PES));
        self.ask(slot, Action::Juggle(between, plain, false));
        let urgent = strict(request(22, 6, 28, 1));
        let no_moves = Rules {
            max_moves: 0,
            ..plain
        };
        let no_work = Rules { work: 3, ..plain };
        for (rules, plan) in [(no_moves, false), (no_work, true), (plain, true)] {
            self.ask(slot, Action::Juggle(urgent, rules, plan));
        }
        let no_slides = Shifting {
            max_moves: 0,
            ..both
        };
        let no_slots = Shifting { work: 3, ..both };
        let fewest = Shifting {
            insertion: Insertion::FewestMoves,
            ..both
        };
        let least = Shifting {
            insertion: Insertion::LeastShift,
            ..both
        };
        for (rules, plan) in [
            (no_slides, false),
            (no_slots, false),
            (right, false),
            (fewest, true),
            (least, true),
            (both, true),
            (both, false),
        ] {
            self.ask(slot, Action::ShiftIn(urgent, rules, plan));
        }
        self.ask(slot, Action::Replan(Rules { work: 0, ..plain }, false));
        self.ask(slot, Action::Replan(plain, true));
        self.ask(slot, Action::Replan(plain, false));
        self.call(slot, first, Action::Freeze);
        self.call(slot, first, Action::Freeze);
        self.ask(slot, Action::Freeze);
        for bad in [
            request(22, 0, 28, 1),
            request(22, 6, 28, 0),
            request(22, 6, 28, PES + 1),
            request(22, 6, 27, 1),
            request(22, 6, 300, 1),
            request(22, 6, 28, PES),
        ] {
            self.ask(slot, Action::ShiftIn(strict(bad), both, false));
            self.ask(slot, Action::Juggle(patient(bad), plain, false));
        }

        let form = |pes, duration| Form {
            pes: PeCount::new(pes),
            duration: Span::new(duration),
        };
        let mould = |budget, forms: &[Form]| Mould {
            policy: Policy::FirstFit,
            choice: FormChoice::EarliestEnd,
            ready: Slot::new(slot + 60),
            deadline: Slot::new(slot + 90),
            base: Money::new(100),
            budget: Money::new(budget),
            forms: forms.iter().copied().collect(),
        };
        // The narrowest is the smallest, the widest the first to end, and the one in between the cheapest, for its slack.
        let forms = [form(4, 20), form(16, 6), form(30, 4)];
        for choice in FormChoice::ALL {
            let asked = Mould {
                choice,
                ..mould(u64::MAX, &forms)
            };
            self.ask(slot, Action::Mould(asked));
        }
        for asked in [
            mould(u64::MAX, &[]),
            mould(10, &forms),
            mould(u64::MAX, &[form(0, 3)]),
            mould(u64::MAX, &[form(3, 0)]),
            mould(u64::MAX, &[form(PES + 1, 3)]),
            mould(u64::MAX, &[form(1, 31)]),
        ] {
            self.ask(slot, Action::Mould(asked));
        }
        self.ask(slot, Action::CommitAs(PATIENT));
        self.ask(slot, Action::Mould(mould(u64::MAX, &forms)));
        self.ask(slot, Action::CommitAs(Commitment::Confirmed));
        self.ask(slot, Action::CommitAs(PATIENT));
        self.ask(slot, Action::Mould(mould(u64::MAX, &forms)));
        let fixed = Commitment::Flexible {
            kind: Flexibility::Deadline,
            freeze: Freeze::Acceptance,
        };
        self.ask(slot, Action::CommitAs(fixed));
    }
}
