//! Commands relative to the state of a book: what each letter of an exhaustive alphabet means depends on what came before it.

use bookahead::{
    Alteration, Commitment, Offer, PeCount, Placement, Policy, Request, Rule, Slot, Span, Take,
};
use bookahead_commands::{
    Call, Command, Ending, Gone, JuggleEnd, LONG_HANDLES, LONG_LOG, Lent, Number, Reply, Rules,
    Sorting, Transact,
};
use bookahead_oracle::generate::{LONG_LIST, later, request};
use bookahead_oracle::{Attempt, Disagreement, Oracle, Recorded};

/// What happens.
pub type Letter = Box<dyn Fn(&mut Recorded) -> Result<(), Box<Disagreement>>>;

/// The nth reservation that lives, counted on from the first behind the last.
pub fn nth(oracle: &Oracle, nth: usize) -> Option<Number> {
    let live = oracle.live();
    let place = nth.checked_rem(live.len())?;
    Some(live[place])
}

/// One command, unless it means nothing now.
pub fn letter(meant: impl Fn(&Oracle) -> Option<Command> + 'static) -> Letter {
    Box::new(move |play| match meant(&play.harness.twin.oracle) {
        Some(command) => play.apply(command).map(drop),
        // The last comparison holds.
        None => Ok(()),
    })
}

/// A request that is ready so many slots from now, for so many slots, with so much slack, and for so many PEs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask(pub i64, pub i64, pub i64, pub i64);

impl Ask {
    pub fn at(self, now: Slot) -> Request {
        request(now, self.0, self.1, self.2, self.3)
    }
}

/// A request by this policy.
pub fn book(ask: Ask, policy: Policy, terms: Commitment) -> Letter {
    letter(move |oracle| Some(Command::Book(ask.at(oracle.now()), policy, terms)))
}

/// A request by first fit, confirmed at once.
pub fn reserve(ask: Ask) -> Letter {
    book(ask, Policy::FirstFit, Commitment::Confirmed)
}

/// A request by first fit, held for so many slots.
pub fn hold(ask: Ask, ttl: u32) -> Letter {
    let ttl = Span::new(ttl);
    book(ask, Policy::FirstFit, Commitment::Held { ttl })
}

/// Something that is done with the nth live reservation.
pub fn act(number: usize, act: fn(Number) -> Command) -> Letter {
    letter(move |oracle| nth(oracle, number).map(act))
}

/// The end of the nth live reservation, so many slots from now.
pub fn complete(number: usize, by: i64) -> Letter {
    letter(move |oracle| {
        let at = later(oracle.now(), by);
        nth(oracle, number).map(|number| Command::Complete(number, at))
    })
}

/// Others are juggled for a newcomer, or arranged anew.
pub fn juggling(newcomer: Option<Request>, oracle: &Oracle) -> Command {
    let rules = Rules {
        sorting: Sorting::all(0)[1],
        always: false,
        retry: true,
        earliest: oracle.now(),
        max_moves: u32::MAX,
    };
    let newcomer = newcomer.map(|request| (request, Commitment::Confirmed));
    Command::Juggle(newcomer, rules, Lent::ENOUGH, JuggleEnd::AtOnce)
}

/// So many slots pass, with a list of events, from 8 on one that is long enough.
pub fn advance(by: u32, room: usize) -> Letter {
    let room = if room < 8 { room } else { LONG_LIST };
    letter(move |oracle| {
        Some(Command::Advance(
            oracle.now().saturating_add(Span::new(by)),
            room,
        ))
    })
}

/// The same with the queue.
pub fn advance_queue(by: u32, room: usize) -> Letter {
    let room = if room < 8 { room } else { LONG_LIST };
    letter(move |oracle| {
        let to = oracle.now().saturating_add(Span::new(by));
        Some(Command::AdvanceQueue(to, room))
    })
}

/// An alteration of the nth live reservation.
pub fn alter(
    number: usize,
    alteration: impl Fn(Placement, Slot) -> Alteration + 'static,
) -> Letter {
    letter(move |oracle| {
        let number = nth(oracle, number)?;
        let place = oracle.placement(number).ok()?;
        Some(Command::Alter(number, alteration(place, oracle.now()), 1))
    })
}

/// The nth live reservation is split so many slots behind its start.
pub fn split(number: usize, after: i64) -> Letter {
    letter(move |oracle| {
        let number = nth(oracle, number)?;
        let at = later(oracle.placement(number).ok()?.start, after);
        Some(Command::Split(number, at, 2))
    })
}

/// What is taken of an offer.
#[derive(Clone, Copy)]
pub struct Taking {
    /// Which one.
    pub nth: usize,
    /// How many slots fewer than it has.
    pub fewer_slots: u32,
    /// How many PEs more than it has.
    pub more_pes: u32,
    /// As what.
    pub terms: Commitment,
}

impl Taking {
    /// All of the nth offer.
    pub const fn whole(nth: usize) -> Self {
        Self {
            nth,
            fewer_slots: 0,
            more_pes: 0,
            terms: Commitment::Confirmed,
        }
    }

    fn of(self, offer: &Offer) -> Take {
        let whole = offer.whole();
        Take {
            duration: Span::new(whole.duration.get() - self.fewer_slots),
            pes: PeCount::new(whole.pes.get() + self.more_pes),
        }
    }
}

/// An elastic query, something that happens, and an offer that is taken.
pub fn accept(
    question: impl Fn(Slot) -> Command + 'static,
    taking: Taking,
    between: Option<Letter>,
) -> Letter {
    Box::new(move |play| {
        let question = question(play.harness.twin.oracle.now());
        let Reply::Offered(_, offers) = play.apply(question)? else {
            return Ok(());
        };
        let Some(nth) = taking.nth.checked_rem(offers.len()) else {
            return Ok(());
        };
        if let Some(between) = &between {
            between(play)?;
        }
        let offer = offers[nth];
        let accept = Command::Accept(offer, taking.of(&offer), taking.terms);
        play.apply(accept).map(drop)
    })
}

/// One call of a transaction, by what the calls before it have come to and the book as it was before them; none where it means nothing.
pub type Step = fn(&Attempt, &Oracle) -> Option<Call>;

/// A transaction, with a log of so many entries and so much work.
#[derive(Clone)]
pub struct Script {
    pub steps: Vec<Step>,
    pub log: usize,
    pub work: u64,
}

impl Script {
    /// A transaction without limits.
    pub fn of(steps: &[Step]) -> Self {
        Self {
            steps: steps.to_vec(),
            log: LONG_LOG,
            work: u64::MAX,
        }
    }

    fn ended(&self, oracle: &Oracle, ending: Ending) -> Command {
        let mut attempt = oracle.attempt(self.log, self.work);
        let mut calls = Vec::new();
        for step in &self.steps {
            if let Some(call) = step(&attempt, oracle) {
                // What is refused belongs to it, too.
                let _ = attempt.call(&call);
                calls.push(call);
            }
        }
        self.transact(oracle, calls, ending)
    }

    fn transact(&self, oracle: &Oracle, calls: Vec<Call>, ending: Ending) -> Command {
        Command::Transact(Transact {
            log: self.log,
            work: self.work,
            calls,
            ending,
            watched: oracle.live(),
        })
    }

    /// The transaction, ended so.
    pub fn letter(self, ending: Ending) -> Letter {
        letter(move |oracle| Some(self.ended(oracle, ending)))
    }

    /// The transaction is planned, something happens, and another one applies the plan.
    pub fn planned(self, between: Option<Letter>) -> Letter {
        Box::new(move |play| {
            let plan = self.ended(&play.harness.twin.oracle, Ending::Plan(LONG_HANDLES));
            let Reply::Transacted(outcome) = play.apply(plan)? else {
                return Ok(());
            };
            if let Some(between) = &between {
                between(play)?;
            }
            let moves = outcome.end.map_or(Vec::new(), |(moves, _)| moves);
            let calls = vec![Call::Apply(moves)];
            let apply = self.transact(&play.harness.twin.oracle, calls, Ending::Commit);
            play.apply(apply).map(drop)
        })
    }
}

/// Where a reservation stands inside a transaction.
pub fn place_in(attempt: &Attempt, number: Number) -> Option<Placement> {
    attempt.book().placement(number).ok()
}

/// A rule is set, or with no length dropped.
pub fn rule(number: usize, (phase, period, length): (u32, u32, u32), gone: Gone) -> Letter {
    let rule = Rule {
        phase: Span::new(phase),
        period: Span::new(period),
        length: Span::new(length),
    };
    let rule = (length > 0).then_some((rule, gone));
    calls(
        move |_| vec![Call::SetRule(number, rule.clone())],
        Ending::Commit,
    )
}

/// Calls in a transaction.
pub fn calls(meant: impl Fn(&Oracle) -> Vec<Call> + 'static, ending: Ending) -> Letter {
    letter(move |oracle| {
        Some(Command::Transact(Transact {
            log: LONG_LOG,
            work: u64::MAX,
            calls: meant(oracle),
            ending,
            watched: oracle.live(),
        }))
    })
}
