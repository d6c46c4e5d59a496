//! Rules that come, change and go.

use bookahead::{Meeting, Outage, PeCount, Rule, Span, Window};
use bookahead_commands::{Call, Command, Ending, Gone, Kind, Transact};

use super::{Generator, LONG_LOG, later};

impl Generator<'_, '_> {
    /// A rule is set, changed or dropped, or the machine shrinks or grows, in a transaction of its own.
    pub(super) fn change_rule(&mut self) -> Option<Command> {
        let asks = self.source.below(16)?;
        if asks == 1 {
            return self.running().map(Command::Extension);
        }
        if asks > 10 {
            return self.open_ended();
        }
        if asks > 8 && self.situation.size.kind.binding() == Kind::Counts {
            return match asks {
                9 => self.bind(),
                _ => self.take_out(Self::gone),
            };
        }
        if asks == 0 {
            let start = self.source.within(-2..=self.slots())?;
            let end = later(self.now(), start + self.source.within(0..=self.slots())?);
            let start = later(self.now(), start);
            return Some(Command::RulesDuring(Window { start, end }));
        }
        let limits = (self.log()?, u64::MAX);
        let call = self.rule_call()?;
        let endings = [Ending::Commit, Ending::Commit, Ending::Commit, Ending::Drop];
        let ending = self.source.one_of(&endings)?;
        Some(self.transact(limits, vec![call], ending))
    }

    /// Somebody has other PEs than late binding gives, seldom another number.
    fn bind(&mut self) -> Option<Command> {
        let number = match self.source.below(4)? {
            0 => self.pick()?,
            _ => self.running()?,
        };
        let known = self.situation.live.iter().find(|(live, _)| *live == number);
        let pes = known.map_or(1, |(_, known)| known.request.pes.get());
        let pes = pes + u32::from(self.source.below(16)? == 0);
        let first = self.source.below(self.pes() as u64)? as u16;
        let every = self.source.one_of(&[1, 1, 2, 5])?;
        let set = (first..).step_by(every).take(pes as usize);
        Some(Command::Bind(number, set.collect()))
    }

    /// A job without a known end comes, mostly on few PEs, or is told one.
    fn open_ended(&mut self) -> Option<Command> {
        let open = self.situation.live.iter();
        let open = open.filter(|(_, known)| known.request.duration == Span::new(u32::MAX));
        let open: Vec<_> = open.map(|(number, _)| *number).collect();
        if self.source.below(3)? > 0 && !open.is_empty() {
            let number = self.source.one_of(&open)?;
            let ends = [
                Command::AnnounceEnd,
                Command::AnnounceEnd,
                Command::Complete,
            ];
            let end = self.source.one_of(&ends)?;
            let by = self.source.within(-1..=self.slots() + 1)?;
            return Some(end(number, later(self.now(), by)));
        }
        if self.source.below(16)? == 0 {
            let at = later(self.now(), self.source.within(0..=self.slots())?);
            return Some(Command::AnnounceEnd(self.pick()?, at));
        }
        let most = match self.source.below(8)? {
            0 => self.pes() as u64 + 1,
            _ => self.pes() as u64 / 8 + 1,
        };
        let pes = PeCount::new(self.source.below(most + 1)? as u32);
        let meeting = self.source.one_of(&[Meeting::Refuse, Meeting::Allow])?;
        Some(Command::ReserveOpen(pes, meeting))
    }

    /// Few rules, so that they are often changed, and seldom a number that none has.
    pub(super) fn rule_call(&mut self) -> Option<Call> {
        let number = match self.source.below(8)? {
            0 => self.source.one_of(&[Rule::MOST - 1, Rule::MOST])?,
            1 => {
                let gone = self.source.flip()?.then(|| self.gone());
                return Some(Call::Resize(match gone {
                    Some(gone) => Some(gone?),
                    None => None,
                }));
            }
            _ => self.source.below(3)? as usize,
        };
        if self.source.below(3)? == 0 {
            return Some(Call::SetRule(number, None));
        }
        let slots = self.slots() as u64;
        // Longer than the horizon, too.
        let period = match self.source.below(4)? {
            0 => self.source.below(2 * slots + 2)?,
            _ => 2 + self.source.below(slots / 2 + 1)?,
        };
        let length = match self.source.below(8)? {
            0 => self.source.below(period + 2)?,
            _ => 1 + self.source.below(period / 3 + 1)?,
        };
        let slots = |slots: u64| Span::new(slots as u32);
        let rule = Rule {
            phase: slots(self.source.below(period + 2)?),
            period: slots(period),
            length: slots(length),
        };
        Some(Call::SetRule(number, Some((rule, self.gone()?))))
    }

    /// Some PEs leave: at once, or when they are wanted.
    pub(super) fn take_out(
        &mut self,
        gone: impl FnOnce(&mut Self) -> Option<Gone>,
    ) -> Option<Command> {
        let window = self.window()?;
        let outage = match self.source.below(2)? {
            0 => Outage::Failure {
                until: later(self.situation.now, self.source.within(0..=12)?),
            },
            _ => Outage::Maintenance { window },
        };
        let gone = gone(self)?;
        let log = match self.source.below(8)? {
            0 => self.source.below(8)? as usize,
            _ => LONG_LOG,
        };
        let endings = [Ending::Commit, Ending::Commit, Ending::Commit, Ending::Drop];
        let asked = match &gone {
            Gone::These(set) => Call::ConflictExactly(None, window, set.clone()),
            Gone::Number(_) => Call::Savepoint,
        };
        let mut calls = vec![Call::TakeOut(outage, gone)];
        // Alone it has a function of its own in C.
        if self.source.flip()? {
            calls.insert(0, asked);
        }
        Some(Command::Transact(Transact {
            log,
            work: u64::MAX,
            calls,
            ending: self.source.one_of(&endings)?,
            watched: Vec::new(),
        }))
    }

    /// Mostly a window of the horizon, not long.
    pub(super) fn window(&mut self) -> Option<Window> {
        let last = i64::from(self.situation.size.horizon.get());
        let start = later(self.situation.now, self.source.within(-1..=last)?);
        let duration = self.source.below(u64::from(self.profile.duration) + 1)? as i64;
        let end = later(start, duration);
        Some(Window { start, end })
    }

    /// Mostly a third of the machine at most; now and then more than there is, or what the book does not know.
    fn gone(&mut self) -> Option<Gone> {
        let size = self.situation.size;
        let pes = u64::from(size.pes.get());
        let most = if self.source.below(8)? == 0 {
            pes + 1
        } else {
            pes / 3 + 1
        };
        let count = self.source.below(most + 1)?;
        let counts = size.kind.binding() == Kind::Counts;
        if counts != (self.source.below(32)? == 0) {
            return Some(Gone::Number(PeCount::new(count as u32)));
        }
        let first = self.source.below(pes)?;
        let every = self.source.one_of(&[1, 1, 2, 5])?;
        let numbers = (first..pes + u64::from(self.source.below(16)? == 0)).step_by(every);
        Some(Gone::These(
            numbers.take(count as usize).map(|pe| pe as u16).collect(),
        ))
    }
}
