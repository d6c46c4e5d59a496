//! Commands drawn from bytes, for random tests, for proptest and for fuzzing alike: absolute ones, in ranges that mean something in the
//! book as it is, with some that mean nothing.

mod changes;
mod moving;
mod placed;
mod profile;
mod requests;
mod rules;
mod situation;
mod source;
mod transactions;

use bookahead::{Commitment, PeCount, Policy, Preemption, Slot, Span, Ticket};
use bookahead_commands::{Command, Number};

pub use placed::{Classes, is_no_class};
pub use profile::{
    CROWDED, EVERYTHING, FLEXIBLE, JUGGLED, JUGGLING, OVERLAID, PREEMPTED, PULLED, Profile,
    QUEUEING, RULED, SHIFTED, SHIFTING, Topic, WAITING,
};
pub use requests::{later, request, tariff};
pub use situation::Situation;
pub use source::Source;

/// Room for all events of any advance.
pub const LONG_LIST: usize = 4096;

/// Room for the handles, moves, obstacles and offers of any command that is drawn.
pub const LONG_HANDLES: usize = 1024;

/// The longest undo log of what changes reservations one by one.
pub const LONG_LOG: usize = 32;

/// What to draw from, and for which book.
pub struct Generator<'a, 's> {
    situation: &'a Situation,
    profile: &'a Profile,
    source: &'a mut Source<'s>,
}

/// The next command for a book in that situation; none when the source ends before it is complete.
pub fn draw(profile: &Profile, situation: &Situation, source: &mut Source<'_>) -> Option<Command> {
    let mut generator = Generator {
        situation,
        profile,
        source,
    };
    generator.any()
}

impl Generator<'_, '_> {
    fn any(&mut self) -> Option<Command> {
        let topic = self.topic()?;
        self.command(topic)
    }

    /// What the next command is about: often what was begun before, a plan to be committed or an offer to be taken.
    fn topic(&mut self) -> Option<Topic> {
        let usual = Topic::Of(self.profile.topics);
        let begun = if self.situation.is_queue_refused() {
            Topic::Of(&[
                (4, Topic::SetQueueIncarnation),
                (1, Topic::Submit),
                (1, Topic::AdvanceQueue),
                (1, Topic::NextOfQueue),
            ])
        } else if !self.situation.moves.is_empty() {
            Topic::Apply
        } else if !self.situation.offers.is_empty() {
            Topic::Accept
        } else if self.situation.planned_at.is_some() {
            Topic::Commit
        } else {
            return Some(usual);
        };
        let between = [
            (8, begun),
            (2, Topic::Reserve),
            (3, Topic::Advance),
            (1, Topic::AdvanceQueue),
            (4, usual),
        ];
        self.source.weighted(&between)
    }

    /// Whether time is to pass for the queue as well: nearly always while jobs wait, since the queue is refused otherwise.
    fn goes_with_queue(&mut self) -> Option<bool> {
        if !self.situation.is_awaited() {
            return Some(false);
        }
        self.source.weighted(&[(63, true), (1, false)])
    }

    fn command(&mut self, topic: Topic) -> Option<Command> {
        match topic {
            Topic::Of(topics) => {
                let chosen = self.source.weighted(topics)?;
                self.command(chosen)
            }
            Topic::Reserve => self.book(Commitment::Confirmed),
            Topic::Hold => {
                let ttl = self.source.weighted(&[(8, true), (1, false)])?;
                let ttl = if ttl {
                    self.source.within(1..=self.slots())? as u32
                } else {
                    self.source.one_of(&[0, u32::MAX])?
                };
                let ttl = Span::new(ttl);
                self.book(Commitment::Held { ttl })
            }
            Topic::Flexible => {
                let terms = self.flexible()?;
                self.book(terms)
            }
            Topic::Confirm => self.pick().map(Command::Confirm),
            Topic::Cancel => self.pick().map(Command::Cancel),
            Topic::Complete => Some(Command::Complete(self.pick()?, self.end()?)),
            Topic::Freeze => self.pick().map(Command::Freeze),
            Topic::Plan => Some(Command::Plan(self.request()?, self.policy()?)),
            Topic::Mould => self.mould().map(Command::PlanMouldable),
            Topic::Commit => self.terms().map(Command::Commit),
            Topic::Extreme => self.extreme(),
            Topic::Offers => self.offers(),
            Topic::Accept => self.accept(),
            Topic::Find => Some(Command::Find(self.request()?, self.policy()?)),
            Topic::Read => self.read(),
            Topic::Explain => Some(Command::Explain(self.request()?, self.room(LONG_HANDLES)?)),
            Topic::Alter => {
                let number = self.pick()?;
                Some(Command::Alter(
                    number,
                    self.alteration(number)?,
                    self.log()?,
                ))
            }
            Topic::Split => {
                let number = self.pick()?;
                let after = self.source.within(-1..=self.profile.duration.into())?;
                let at = later(self.situation.place_of(number).start, after);
                Some(Command::Split(number, at, self.log()?))
            }
            Topic::Transact => self.transaction(),
            Topic::Apply => self.apply(),
            Topic::Rule => self.change_rule(),
            Topic::Series => self.series(),
            Topic::Together => self.together(),
            Topic::CancelAll => {
                let length = self.source.below(5)?;
                let picked = (0..length).map(|_| self.pick());
                picked.collect::<Option<_>>().map(Command::CancelAll)
            }
            Topic::Juggle => self.juggle(),
            Topic::Replan => self.replan(),
            Topic::Alternatives => self.alternatives(),
            Topic::ShiftIn => self.shift_in(),
            Topic::Overlay => self.overlay(),
            Topic::Advance | Topic::AdvanceFar if self.goes_with_queue()? => {
                self.command(match topic {
                    Topic::Advance => Topic::AdvanceQueue,
                    _ => Topic::AdvanceQueueFar,
                })
            }
            Topic::Advance => Some(Command::Advance(self.soon()?, self.room(LONG_LIST)?)),
            Topic::AdvanceFar => Some(Command::Advance(self.far()?, self.room(LONG_LIST)?)),
            Topic::AdvanceQueue => Some(Command::AdvanceQueue(self.soon()?, self.room(LONG_LIST)?)),
            Topic::AdvanceQueueFar => {
                Some(Command::AdvanceQueue(self.far()?, self.room(LONG_LIST)?))
            }
            Topic::AdvancePulling => {
                let limits = (self.room(LONG_LIST)?, self.room(LONG_HANDLES)?);
                Some(Command::AdvancePulling(self.soon()?, limits))
            }
            Topic::AdvancePullingFar => {
                let limits = (self.room(LONG_LIST)?, self.room(LONG_HANDLES)?);
                Some(Command::AdvancePulling(self.far()?, limits))
            }
            Topic::EndOfTime => Some(Command::Advance(self.any_slot()?, self.room(LONG_LIST)?)),
            Topic::Next => self.soon().map(Command::Next),
            Topic::NextOfQueue => self.soon().map(Command::NextOfQueue),
            Topic::Submit => self.job().map(Command::Submit),
            Topic::Withdraw => {
                let tickets = [&self.situation.waiting[..], &self.situation.requests].concat();
                self.ticket(&tickets).map(Command::Withdraw)
            }
            Topic::MakePreemptible => self.make_preemptible(),
            Topic::ReservePreempting => self.reserve_preempting(),
            Topic::Wait => self.wait(),
            Topic::SetKey => {
                let ticket = self.ticket(&self.situation.requests)?;
                Some(Command::SetKey(ticket, self.key()?))
            }
            Topic::SetIncarnation => {
                let incarnation = self.source.below(3)? as u32;
                Some(Command::SetIncarnation(incarnation))
            }
            Topic::SetQueueIncarnation => {
                let own = self.situation.version.incarnation;
                Some(Command::SetQueueIncarnation(own))
            }
        }
    }

    fn now(&self) -> Slot {
        self.situation.now
    }

    /// How many slots the book looks ahead.
    fn slots(&self) -> i64 {
        self.situation.size.horizon.get().into()
    }

    fn pes(&self) -> i64 {
        self.situation.size.pes.get().into()
    }

    fn policy(&mut self) -> Option<Policy> {
        self.source.one_of(&Policy::ALL)
    }

    /// A live reservation, seldom one that has ended or was never made.
    fn pick(&mut self) -> Option<Number> {
        let (live, ended) = (self.situation.live.len(), &self.situation.ended);
        match self.source.weighted(&[(80, 0), (9, 1), (1, 2)])? {
            0 if live > 0 => {
                let nth = self.source.below(live as u64)?;
                Some(self.situation.live[nth as usize].0)
            }
            0 | 1 if !ended.is_empty() => self.source.one_of(ended),
            _ => Some(Number::MAX),
        }
    }

    /// Terms for a job that runs, seldom for something else.
    fn make_preemptible(&mut self) -> Option<Command> {
        let live = self.situation.live.iter();
        let jobs = live.filter(|(_, known)| known.ticket.is_some());
        let jobs: Vec<Number> = jobs.map(|(number, _)| *number).collect();
        let number = match self.source.weighted(&[(20, true), (1, false)])? {
            true if !jobs.is_empty() => self.source.one_of(&jobs)?,
            _ => self.pick()?,
        };
        let usual = self
            .source
            .within(0..=i64::from(self.profile.duration) / 4)?;
        let min_run = self.source.weighted(&[(20, usual), (1, u32::MAX.into())])?;
        let terms = Preemption {
            min_run: span(min_run),
            keeps: self.source.weighted(&[(1, true), (1, false)])?,
        };
        Some(Command::MakePreemptible(number, terms))
    }

    /// One of those that wait, seldom one that waits no more or never has.
    fn ticket(&mut self, waiting: &[Ticket]) -> Option<Ticket> {
        match self.source.weighted(&[(9, true), (2, false)])? {
            true if !waiting.is_empty() => self.source.one_of(waiting),
            _ => {
                let newest = waiting.last().map_or(8, |ticket| ticket.get());
                let gone = self.source.within(1..=newest.into())? as u32;
                let number = self.source.weighted(&[(3, gone), (1, u32::MAX)])?;
                Ticket::from_number(number)
            }
        }
    }

    /// How much room a list has: mostly enough, or little.
    fn room(&mut self, enough: usize) -> Option<usize> {
        self.seldom_short(6, enough, 4)
    }

    /// How many entries an undo log has: mostly enough, or few.
    fn log(&mut self) -> Option<usize> {
        self.seldom_short(4, LONG_LOG, 8)
    }

    fn seldom_short(&mut self, weight: u16, enough: usize, few: u64) -> Option<usize> {
        if self.source.weighted(&[(weight, true), (1, false)])? {
            return Some(enough);
        }
        self.source.below(few).map(|number| number as usize)
    }

    /// A slot to which time passes usually.
    fn soon(&mut self) -> Option<Slot> {
        let by = self.source.within(0..=self.profile.step.into())?;
        Some(later(self.now(), by))
    }

    /// One so far away that little is left of what was booked.
    fn far(&mut self) -> Option<Slot> {
        let slots = self.slots();
        let by = match self.source.weighted(&[(2, true), (1, false)])? {
            true => self.source.within(0..=3 * slots)?,
            false => self.source.within(slots - 1..=slots + 1)?,
        };
        Some(later(self.now(), by))
    }

    /// When a running reservation ends.
    fn end(&mut self) -> Option<Slot> {
        match self.source.weighted(&[(18, true), (1, false)])? {
            true => {
                let by = self.source.within(-2..=self.profile.duration.into())?;
                Some(later(self.now(), by))
            }
            false => self.any_slot(),
        }
    }

    /// A slot that no sensible caller sends.
    fn any_slot(&mut self) -> Option<Slot> {
        let any = self.source.any()?;
        let before_last_horizon = u64::MAX - u64::from(u32::MAX);
        let extreme = [any, 0, u64::MAX, u64::MAX - 1, before_last_horizon];
        self.source.one_of(&extreme).map(Slot::new)
    }
}

/// So many PEs, at most what their type holds.
fn pe_count(number: i64) -> PeCount {
    PeCount::new(number.clamp(0, u16::MAX.into()) as u32)
}

/// So many slots, at most what their type holds.
fn span(number: i64) -> Span {
    Span::new(number.clamp(0, u32::MAX.into()) as u32)
}
