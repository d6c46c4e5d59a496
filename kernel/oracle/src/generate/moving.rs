//! Juggling, shifting and overlays.

use bookahead::{
    Behind, Commitment, Direction, Guarantee, Insertion, Probability, Request, Shifting, Sides,
    Slot, Span,
};
use bookahead_commands::{Command, JuggleEnd, Law, Lent, Risk, Rules, Sorting, Wanted};

use super::{Generator, LONG_HANDLES, later, request, span};

/// Room for all that any shifting in the tests touches.
const LONG_SHIFT: usize = 512;

const ENDS: [JuggleEnd; 3] = [JuggleEnd::AtOnce, JuggleEnd::Commit, JuggleEnd::Plan];

impl Generator<'_, '_> {
    /// Mostly flexible.
    fn movable(&mut self) -> Option<Commitment> {
        match self.source.weighted(&[(2, 0), (12, 1), (1, 2)])? {
            0 => Some(Commitment::Confirmed),
            1 => self.flexible(),
            _ => self.held(),
        }
    }

    /// The newcomer with a window up to the horizon, as juggling needs it, or as it is.
    fn wide(&mut self) -> Option<Request> {
        let mut asked = self.request()?;
        if self.source.flip()? {
            let end = later(self.now(), self.slots());
            asked.deadline = asked.deadline.max(end);
        }
        Some(asked)
    }

    /// A request that wants a whole window to itself, which is often refused.
    fn tight(&mut self) -> Option<Request> {
        let lead = self.source.within(0..=self.slots() - 1)?;
        let duration = self.source.within(1..=self.profile.duration.into())?;
        let slack = self.source.within(0..=3)?;
        let pes = self.source.within(1..=self.pes())?;
        Some(request(self.now(), lead, duration, slack, pes))
    }

    /// One that soon wants to run and has some patience.
    fn near(&mut self) -> Option<Request> {
        let (slots, longest) = (self.slots(), self.profile.duration.into());
        let lead = self.source.within(0..=slots / 2)?;
        let duration = self.source.within(1..=longest)?;
        let slack = self.source.within(0..=longest)?;
        let slack = slack.min(slots - lead - duration);
        let pes = self.source.within(1..=self.profile.width.into())?;
        Some(request(self.now(), lead, duration, slack, pes))
    }

    /// Nobody starts before that slot.
    fn earliest(&mut self) -> Option<Slot> {
        let by = match self.source.weighted(&[(4, 0), (2, 1), (1, 2)])? {
            0 => 0,
            1 => 1,
            _ => self.source.within(0..=9)?,
        };
        Some(later(self.now(), by))
    }

    fn rules(&mut self) -> Option<Rules> {
        let seed = self.source.below(256)?;
        Some(Rules {
            sorting: self.source.one_of(&Sorting::all(seed))?,
            always: self.source.flip()?,
            retry: self.source.flip()?,
            earliest: self.earliest()?,
            max_moves: u32::MAX,
        })
    }

    /// How to juggle and with what, mostly without limits.
    fn limited_rules(&mut self) -> Option<(Rules, Lent)> {
        let (mut rules, mut lent) = (self.rules()?, Lent::ENOUGH);
        let work = 40 * u64::from(self.profile.duration);
        let kinds = [(12, 0), (1, 1), (1, 2), (2, 3), (1, 4), (1, 5)];
        match self.source.weighted(&kinds)? {
            0 => {}
            1 => rules.max_moves = self.source.below(6)? as u32,
            2 => lent.work = self.source.below(work)?,
            3 => lent.log = self.source.below(30)? as usize,
            4 => lent.list = self.source.below(12)? as usize,
            _ => {
                lent.log = self.source.below(30)? as usize;
                lent.work = self.source.below(work)?;
            }
        }
        Some((rules, lent))
    }

    /// A newcomer for which waiting reservations are juggled.
    fn newcomer(&mut self) -> Option<(Request, Commitment)> {
        let asked = match self.source.weighted(&[(3, true), (2, false)])? {
            true => self.wide()?,
            false => self.tight()?,
        };
        Some((asked, self.movable()?))
    }

    pub(super) fn juggle(&mut self) -> Option<Command> {
        let newcomer = self.newcomer()?;
        let (rules, lent) = self.limited_rules()?;
        let end = self.source.one_of(&ENDS)?;
        Some(Command::Juggle(Some(newcomer), rules, lent, end))
    }

    pub(super) fn replan(&mut self) -> Option<Command> {
        let (rules, lent) = self.limited_rules()?;
        let end = self.source.one_of(&ENDS)?;
        Some(Command::Juggle(None, rules, lent, end))
    }

    pub(super) fn alternatives(&mut self) -> Option<Command> {
        let (asked, terms) = self.newcomer()?;
        let (rules, lent) = self.limited_rules()?;
        let max_percent = match self.source.weighted(&[(3, true), (2, false)])? {
            true => u32::MAX,
            false => self.source.below(200)? as u32,
        };
        let wanted = Wanted {
            sides: self.source.one_of(&Sides::ALL)?,
            max_percent,
            behind: self.source.one_of(&[Behind::Deadline, Behind::End])?,
            room: self.room(LONG_HANDLES)?,
        };
        Some(Command::Alternatives(asked, terms, rules, lent, wanted))
    }

    /// A newcomer for which others slide aside, mostly without limits. Deeper than 2 takes the twin too long.
    pub(super) fn shift_in(&mut self) -> Option<Command> {
        let asked = match self.source.weighted(&[(6, 0), (1, 1), (1, 2)])? {
            0 => self.near()?,
            1 => self.wide()?,
            _ => self.tight()?,
        };
        let terms = self.movable()?;
        let mut rules = Shifting {
            direction: self.source.one_of(&[Direction::Right, Direction::Both])?,
            insertion: Insertion::Slides {
                depth: self.source.below(3)? as u8,
            },
            earliest: self.earliest()?,
            max_moves: u32::MAX,
            work: u64::MAX,
        };
        let mut log = LONG_SHIFT;
        match self.source.weighted(&[(12, 0), (1, 1), (1, 2), (1, 3)])? {
            0 => {}
            1 => rules.max_moves = self.source.below(4)? as u32,
            2 => rules.work = self.source.below(100 * u64::from(self.profile.duration))?,
            _ => log = self.source.below(8)? as usize,
        }
        let end = self.source.one_of(&ENDS)?;
        Some(Command::ShiftIn((asked, terms), rules, log, end))
    }

    pub(super) fn overlay(&mut self) -> Option<Command> {
        let percent = match self.source.weighted(&[(3, true), (5, false)])? {
            true => 0,
            false => self.source.below(101)? as u32,
        };
        let guarantee = self
            .source
            .one_of(&[Guarantee::Access, Guarantee::Completion])?;
        let law = self.law()?;
        let ttl = match self.source.weighted(&[(4, true), (1, false)])? {
            true => None,
            false => Some(span(self.source.within(0..=19)?)),
        };
        // The table is too short by one where the list is not.
        let (list, lacking) = match self.source.weighted(&[(12, true), (1, false)])? {
            true => (64, 0),
            false => match self.source.below(5)? {
                4 => (64, 1),
                list => (list as usize, 0),
            },
        };
        let risk = Risk {
            guarantee,
            threshold: Probability::rounding_up(percent, 100)?,
            law,
            ttl,
            list,
            lacking,
        };
        Some(Command::Overlay(self.request()?, risk))
    }

    /// How long jobs run: mostly less than they have booked.
    fn law(&mut self) -> Option<Law> {
        let counters = |generator: &mut Self| -> Option<Vec<u32>> {
            let counters = (0..6).map(|_| generator.source.below(10).map(|count| count as u32));
            counters.collect()
        };
        let number = 1 + self.source.below(8)? as u32;
        Some(
            match self.source.weighted(&[(9, 0), (1, 1), (1, 2), (1, 3)])? {
                0 => Law::Part(number),
                1 => Law::Mean(number),
                2 => Law::ServiceTimes(Span::new(number), counters(self)?),
                _ => Law::UsedShares(counters(self)?),
            },
        )
    }
}
