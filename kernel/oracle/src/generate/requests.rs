//! Requests, queries, mouldable requests, series, parts that start together, and jobs.

use bookahead::{
    BestEffortJob, Commitment, Discount, ElasticRequest, Factor, Flexibility, Form, FormChoice,
    Freeze, MalleableJob, Money, Offer, OfferOrder, OfferTerms, Part, PriceTerms, Request, Search,
    Slot, Span, Take, Tariff, Window,
};
use bookahead_commands::{Command, Group, Mould, Recurrence};

use super::{Generator, LONG_HANDLES, pe_count, span};

/// How many forms a mouldable request has at most.
const FORMS: u64 = 4;

/// The slot so many slots later; below zero earlier.
#[must_use]
pub fn later(slot: Slot, by: i64) -> Slot {
    Slot::new(slot.get().saturating_add_signed(by))
}

/// A request that is ready so many slots from now, for so many slots and PEs, with so much slack.
#[must_use]
pub fn request(now: Slot, lead: i64, duration: i64, slack: i64, pes: i64) -> Request {
    let (ready, duration) = (later(now, lead), span(duration));
    Request {
        ready,
        duration,
        deadline: later(ready.saturating_add(duration), slack),
        pes: pe_count(pes),
    }
}

/// Nothing, sums that matter, and so much that one slot of one PE can be paid and not much more: five tariffs.
///
/// # Panics
///
/// When `index` is none of theirs.
#[must_use]
pub fn tariff(index: usize) -> Tariff {
    let tariff = |base, factor, units| Tariff::new(Money::new(base), factor, units);
    let four = Factor::from_num(4);
    let all = [
        Some(Tariff::FREE),
        tariff(50_000, four, 5),
        tariff(3, Factor::from_num(1) + Factor::DELTA, 7),
        tariff(u64::MAX >> 9, four, 1),
        tariff(u64::MAX >> 2, four, 1),
    ];
    all[index].expect("a factor of at least 1")
}

impl Generator<'_, '_> {
    fn usual(&self) -> (i64, i64) {
        (self.profile.duration.into(), self.profile.width.into())
    }

    /// Requests that mostly make sense.
    pub(super) fn request(&mut self) -> Option<Request> {
        let lead = self.lead()?;
        let duration = self.duration()?;
        let (usual, slots) = (self.usual().0, self.slots());
        // Deadlines are drawn towards the horizon, so that most requests are not refused for lying behind it.
        let touching = slots - lead - duration.min(4096) + i64::from(self.source.below(20)? == 19);
        let slack = match self.source.weighted(&[(4, 0), (4, 1), (6, 2), (1, 3)])? {
            0 => touching,
            1 => self.source.within(0..=usual)?.min(touching.max(0)),
            2 => self.source.within(0..=slots)?.min(touching.max(0)),
            _ => self.source.within(-3..=-1)?,
        };
        let pes = self.width()?;
        Some(request(self.now(), lead, duration, slack, pes))
    }

    /// How many slots from now a request is ready.
    fn lead(&mut self) -> Option<i64> {
        match self.source.weighted(&[(3, 0), (12, 1), (1, 2)])? {
            0 => Some(0),
            1 => self.source.within(0..=self.slots() - 1),
            _ => self.source.within(-3..=-1),
        }
    }

    fn duration(&mut self) -> Option<i64> {
        let (usual, slots) = (self.usual().0, self.slots());
        match self.source.weighted(&[(16, 0), (2, 1), (1, 2)])? {
            0 => self.source.within(1..=usual),
            1 => self.source.within(1..=slots),
            _ => self.source.one_of(&[0, slots, slots + 1, u16::MAX.into()]),
        }
    }

    fn width(&mut self) -> Option<i64> {
        let (usual, pes) = (self.usual().1, self.pes());
        match self.source.weighted(&[(16, 0), (3, 1), (1, 2)])? {
            0 => self.source.within(1..=usual),
            1 => self.source.within(1..=pes),
            _ => self.source.one_of(&[0, pes, pes + 1, u16::MAX.into()]),
        }
    }

    pub(super) fn book(&mut self, terms: Commitment) -> Option<Command> {
        Some(Command::Book(self.request()?, self.policy()?, terms))
    }

    /// A request for which jobs are to make room: soon, as long as those run that are there, and for many; seldom as others.
    pub(super) fn reserve_preempting(&mut self) -> Option<Command> {
        let mut asked = self.request()?;
        if self.source.weighted(&[(5, true), (1, false)])? {
            let usual = self.usual().0;
            let (lead, slack) = (
                self.source.within(0..=usual / 2)?,
                self.source.within(0..=4)?,
            );
            let duration = asked.duration.get().into();
            asked = request(self.now(), lead, duration, slack, asked.pes.get().into());
        }
        let (policy, terms) = (self.policy()?, self.terms()?);
        Some(Command::ReservePreempting(asked, policy, terms))
    }

    /// A request that is to wait: as others, or one whose deadline lies beyond the horizon.
    pub(super) fn wait(&mut self) -> Option<Command> {
        let (mut request, slots) = (self.request()?, self.slots());
        if self.source.weighted(&[(3, false), (1, true)])? {
            let further = self.source.within(0..=2 * slots)?;
            request.deadline = later(request.deadline, further);
        }
        Some(Command::Wait(
            request,
            self.policy()?,
            self.terms()?,
            self.key()?,
        ))
    }

    /// A priority: one of few, so that some are the same.
    pub(super) fn key(&mut self) -> Option<u32> {
        self.source.one_of(&[0, 0, 1, 2, u32::MAX])
    }

    /// Extreme slots, durations and numbers of PEs.
    pub(super) fn extreme(&mut self) -> Option<Command> {
        let any = self.source.any()? as u32;
        let request = Request {
            ready: self.any_slot()?,
            duration: Span::new(self.source.one_of(&[any, 1, u32::MAX])?),
            deadline: self.any_slot()?,
            pes: pe_count(self.source.within(0..=u16::MAX.into())?),
        };
        Some(Command::Book(
            request,
            self.policy()?,
            Commitment::Confirmed,
        ))
    }

    /// As what something is booked.
    pub(super) fn terms(&mut self) -> Option<Commitment> {
        match self.source.weighted(&[(8, 0), (8, 1), (1, 2)])? {
            0 => Some(Commitment::Confirmed),
            1 => self.held(),
            _ => self.flexible(),
        }
    }

    pub(super) fn held(&mut self) -> Option<Commitment> {
        let ttl = span(self.source.within(0..=19)?);
        Some(Commitment::Held { ttl })
    }

    pub(super) fn flexible(&mut self) -> Option<Commitment> {
        let kind = self
            .source
            .one_of(&[Flexibility::Interval, Flexibility::Deadline])?;
        let freeze = match self.source.weighted(&[(6, 0), (1, 1), (3, 2), (2, 3)])? {
            0 => Freeze::Never,
            1 => Freeze::Acceptance,
            2 => Freeze::Share {
                per_mille: self.source.below(22)? as u16 * 50,
            },
            _ => Freeze::Lead {
                lead: span(self.source.within(0..=self.slots())?),
            },
        };
        Some(Commitment::Flexible { kind, freeze })
    }

    /// An interval, mostly within the ring, often up to its end.
    fn interval(&mut self) -> Option<Window> {
        let slots = self.slots();
        let lead = match self.source.weighted(&[(20, 0), (30, 1), (1, 2)])? {
            0 => 0,
            1 => self.source.within(0..=slots - 1)?,
            _ => -1,
        };
        let room = slots - lead.max(0);
        let length = match self.source.weighted(&[(8, 0), (8, 1), (1, 2)])? {
            0 => self.source.within(1..=room)?,
            1 => room,
            _ => self.source.one_of(&[room + 1, 0, -2])?,
        };
        let start = later(self.now(), lead);
        let end = later(start, length);
        Some(Window { start, end })
    }

    /// An elastic query that mostly makes sense: half of them want a solution.
    pub(super) fn offers(&mut self) -> Option<Command> {
        let Window { start, end } = self.interval()?;
        let ((duration, width), slots, pes) = (self.usual(), self.slots(), self.pes());
        let duration = self.wanted(duration, slots)?.map(span);
        let pes = self.wanted(width, pes)?.map(pe_count);
        let query = ElasticRequest {
            ready: start,
            deadline: end,
            duration,
            pes,
        };
        let ttl = match self.source.weighted(&[(4, 0), (2, 1), (2, 2), (1, 3)])? {
            0 => self.source.within(20..=89)?,
            1 => self.source.within(2..=7)?,
            2 => 1,
            _ => 0,
        };
        let terms = OfferTerms {
            search: self.source.one_of(&Search::ALL)?,
            order: self.source.one_of(&OfferOrder::ALL)?,
            ttl: span(ttl),
            tariff: tariff(self.source.below(5)? as usize),
        };
        let room = self.room(LONG_HANDLES)?;
        Some(Command::Offers(query, terms, room))
    }

    /// A number that is asked for, mostly up to the usual one, or that none is.
    fn wanted(&mut self, usual: i64, most: i64) -> Option<Option<i64>> {
        match self.source.weighted(&[(12, 0), (3, 1), (6, 2), (1, 3)])? {
            0 => self.source.within(1..=usual).map(Some),
            1 => self.source.within(1..=most + 1).map(Some),
            2 => Some(None),
            _ => Some(Some(0)),
        }
    }

    /// One of the latest offers, mostly as it was made, and mostly a little less than all of it.
    pub(super) fn accept(&mut self) -> Option<Command> {
        if self.situation.offers.is_empty() {
            return self.offers();
        }
        let offer = self.source.one_of(&self.situation.offers)?;
        let whole = offer.whole();
        let take = Take {
            duration: span(i64::from(whole.duration.get()) - self.fewer()?),
            pes: pe_count(i64::from(whole.pes.get()) - self.fewer()?),
        };
        let terms = self.terms()?;
        Some(Command::Accept(self.forged(offer)?, take, terms))
    }

    fn fewer(&mut self) -> Option<i64> {
        match self.source.weighted(&[(6, 0), (6, 1), (2, 2), (1, 3)])? {
            0 => Some(0),
            1 => self.source.within(0..=3),
            2 => self.source.within(0..=59),
            _ => self.source.within(-2..=-1),
        }
    }

    /// The offer, seldom with something else in it.
    fn forged(&mut self, mut offer: Offer) -> Option<Offer> {
        let kinds = [(24, 0), (1, 1), (1, 2), (3, 3), (1, 4), (1, 5), (1, 6)];
        match self.source.weighted(&kinds)? {
            0 => {}
            1 => {
                let newest = self.situation.version.revision;
                offer.version.revision = newest + 1 + self.source.below(3)?;
            }
            2 => {
                let newest = self.situation.version.incarnation;
                offer.version.incarnation = newest.wrapping_add(1 + self.source.below(3)? as u32);
            }
            3 => {
                let edge = match self.source.below(6)? {
                    0 => &mut offer.within.start,
                    1 => &mut offer.within.end,
                    2 => &mut offer.window.start,
                    3 => &mut offer.window.end,
                    4 => &mut offer.seed.start,
                    _ => &mut offer.seed.end,
                };
                *edge = later(*edge, self.source.within(-5..=5)?);
            }
            4 => {
                let more = self.source.within(-3..=4)?;
                let more = if more == 4 { i64::MAX / 2 } else { more };
                offer.pes = pe_count(i64::from(offer.pes.get()) + more);
            }
            5 => offer.expires = self.far_off()?,
            _ => {
                let (start, end) = (self.far_off()?, self.far_off()?);
                let window = Window { start, end };
                (offer.within, offer.window, offer.seed) = (window, window, window);
            }
        }
        Some(offer)
    }

    fn far_off(&mut self) -> Option<Slot> {
        match self.source.flip()? {
            true => self.source.below(200).map(Slot::new),
            false => self.any_slot(),
        }
    }

    /// A mouldable request with a table of forms, or with those of a malleable job.
    pub(super) fn mould(&mut self) -> Option<Mould> {
        let window = self.interval()?;
        let forms = match self.source.weighted(&[(3, true), (2, false)])? {
            true => self.table()?,
            false => self.malleable()?.forms().take(FORMS as usize).collect(),
        };
        let tariff = tariff(self.source.below(5)? as usize);
        let parts = match self.source.weighted(&[(3, true), (1, false)])? {
            true => [self.source.below(256)?, self.source.below(256)?],
            false => [0; 2],
        };
        let [per_duration, most] = parts.map(|part| (part as u32) << 24);
        let budget = match self.source.weighted(&[(3, true), (2, false)])? {
            true => {
                let most = self.source.one_of(&[16, 256])?;
                let pe_slots = self.source.below(most)?;
                Money::new(tariff.slot_rate().get().saturating_mul(pe_slots))
            }
            false => Money::MAX,
        };
        Some(Mould {
            ready: window.start,
            deadline: window.end,
            forms,
            policy: self.policy()?,
            choice: self.source.one_of(&FormChoice::ALL)?,
            terms: PriceTerms {
                tariff,
                discount: Discount { per_duration, most },
                budget,
            },
        })
    }

    fn table(&mut self) -> Option<Vec<Form>> {
        let length = match self.source.weighted(&[(30, true), (1, false)])? {
            true => 1 + self.source.below(FORMS)?,
            false => 0,
        };
        (0..length).map(|_| self.form()).collect()
    }

    fn form(&mut self) -> Option<Form> {
        let ((duration, width), slots, pes) = (self.usual(), self.slots(), self.pes());
        let (pes, slots) = match self.source.weighted(&[(30, 0), (8, 1), (1, 2)])? {
            0 => (1..=width, 1..=duration),
            1 => (1..=pes, 1..=slots),
            _ => (0..=pes + 1, 0..=slots + 1),
        };
        Some(Form {
            pes: pe_count(self.source.within(pes)?),
            duration: span(self.source.within(slots)?),
        })
    }

    fn malleable(&mut self) -> Option<MalleableJob> {
        let ((duration, width), pes) = (self.usual(), self.pes());
        let work = match self.source.weighted(&[(8, 0), (1, 1), (1, 2)])? {
            0 => self.source.within(1..=duration * width.min(8))?,
            1 => 0,
            _ => self.source.within(0..=u16::MAX.into())?,
        };
        let (least, most) = match self.source.weighted(&[(8, true), (1, false)])? {
            true => (1..=width, 1..=pes),
            false => (0..=pes, 0..=pes + 1),
        };
        Some(MalleableJob {
            work: work as u64,
            least: pe_count(self.source.within(least)?),
            most: pe_count(self.source.within(most)?),
        })
    }

    pub(super) fn series(&mut self) -> Option<Command> {
        let mut first = self.request()?;
        // Half of them short and close together, so that the later ones lie inside the horizon, too.
        if self.source.flip()? {
            let lead = self.source.within(0..=2)?;
            let duration = self.source.within(1..=2)?;
            let slack = self.source.within(0..=1)?;
            first = request(self.now(), lead, duration, slack, first.pes.get().into());
        }
        let (step, duration) = (self.profile.step.into(), self.usual().0.min(100));
        let period = match self.source.weighted(&[(12, 0), (6, 1), (1, 2)])? {
            0 => self.source.within(1..=step)?,
            1 => self.source.within(1..=duration)?,
            _ => 0,
        };
        let count = match self.source.weighted(&[(12, true), (3, false)])? {
            true => self.source.within(1..=4)?,
            false => self.source.within(0..=15)?,
        };
        let without = [self.source.below(20)?, self.source.below(20)?];
        Some(Command::Series(Recurrence {
            first,
            period: span(period),
            count: count as u32,
            exceptions: without.map(|number| number as u32).to_vec(),
            policy: self.policy()?,
            terms: self.terms()?,
            limits: (self.log()?, self.room(LONG_HANDLES)?),
        }))
    }

    pub(super) fn together(&mut self) -> Option<Command> {
        let slots = self.slots();
        let (lead, length) = match self.source.weighted(&[(12, 0), (3, 1), (1, 2)])? {
            0 => {
                let lead = self.source.within(0..=slots - 1)?;
                (lead, slots - lead)
            }
            1 => (
                self.source.within(0..=slots - 1)?,
                self.source.within(0..=slots - 1)?,
            ),
            _ => (
                self.source.within(-2..=1)?,
                self.source.within(-2..=slots + 1)?,
            ),
        };
        let start = later(self.now(), lead);
        let window = Window {
            start,
            end: later(start, length),
        };
        let count = self.source.below(5)?;
        let parts = (0..count).map(|_| self.part()).collect::<Option<_>>()?;
        Some(Command::Together(Group {
            window,
            parts,
            terms: self.terms()?,
            limits: (self.log()?, self.room(LONG_HANDLES)?),
        }))
    }

    fn part(&mut self) -> Option<Part> {
        let ((duration, width), slots, pes) = (self.usual(), self.slots(), self.pes());
        let offset = match self.source.weighted(&[(3, true), (2, false)])? {
            true => 0,
            false => self.source.within(0..=5)?,
        };
        let duration = match self.source.weighted(&[(16, true), (1, false)])? {
            true => self.source.within(1..=duration)?,
            false => self.source.one_of(&[0, slots + 1])?,
        };
        let pes = match self.source.weighted(&[(16, true), (1, false)])? {
            true => self.source.within(1..=width)?,
            false => self.source.one_of(&[0, pes, pes + 1])?,
        };
        Some(Part {
            offset: span(offset),
            duration: span(duration),
            pes: pe_count(pes),
        })
    }

    /// A job that mostly can run, on the whole machine now and then.
    pub(super) fn job(&mut self) -> Option<BestEffortJob> {
        let ((duration, width), slots, pes) = (self.usual(), self.slots(), self.pes());
        let estimate = match self.source.weighted(&[(12, 0), (3, 1), (1, 2)])? {
            0 => self.source.within(1..=duration)?,
            1 => self.source.within(1..=slots)?,
            _ => self.source.one_of(&[0, slots + 1])?,
        };
        let pes = match self.source.weighted(&[(10, 0), (5, 1), (1, 2)])? {
            0 => self.source.within(1..=width)?,
            1 => self.source.within(1..=pes)?,
            _ => self.source.one_of(&[0, pes + 1])?,
        };
        Some(BestEffortJob {
            estimate: span(estimate),
            pes: pe_count(pes),
        })
    }

    /// One of the calls that read.
    pub(super) fn read(&mut self) -> Option<Command> {
        let kind = self
            .source
            .weighted(&[(8, 0), (2, 1), (2, 2), (2, 3), (2, 4)])?;
        if kind == 1 {
            let number = self.pick()?;
            let calls = [
                Command::Get,
                Command::PesOf,
                Command::Layer,
                Command::Extension,
            ];
            return self.source.one_of(&calls).map(|call| call(number));
        }
        let slots = self.slots();
        let start = later(self.now(), self.source.within(-3..=slots - 1)?);
        let length = self.source.within(-1..=slots - 1)?;
        let window = Window {
            start,
            end: later(start, length),
        };
        Some(match kind {
            0 => Command::Covering(window),
            2 => Command::FreeDuring(window),
            3 => Command::Rectangle(start, span(length)),
            _ => Command::CandidateStarts(self.request()?),
        })
    }
}
