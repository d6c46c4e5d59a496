//! From any number to one that means something, so that few inputs are refused at the door.

use bookahead_oracle::{
    Ask, Change, Disturbance, Finish, Forgery, Hop, Inquiry, Juggle, Moulding, Operation, Pick,
    SHARES, Script, Shapes, Share, Shift, Spot, Step, Submission, Taking, Terms, Thaw, Verb,
};

/// Asks of this policy or a higher one stay as they are: one in eight, for the door itself.
const WILD: u8 = 224;

/// One in so many extreme operations stays as it is.
const EXTREME: u32 = 8;

/// The machine that numbers are folded to.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// PEs, at least one.
    pub pes: u16,
    /// Slots, at least one.
    pub slots: u16,
}

impl Size {
    /// A size up to `most`, often a small one: there everything meets everything, and soon.
    #[must_use]
    pub fn within(pes: u16, slots: u16, most: Self) -> Self {
        Self {
            pes: scaled(pes, most.pes - 1) + 1,
            slots: scaled(slots, most.slots - 1) + 1,
        }
    }

    /// The operation with its numbers folded.
    #[must_use]
    pub fn operation(self, operation: Operation) -> Operation {
        match operation {
            Operation::Reserve(ask) => Operation::Reserve(self.ask(ask)),
            Operation::Hold { ask, ttl } => Operation::Hold {
                ask: self.ask(ask),
                // Holds of no slots and of all time are asked for by the extremes of the number.
                ttl: match ttl {
                    0 | u32::MAX => ttl,
                    _ => scaled(ttl as u16, self.slots).into(),
                },
            },
            Operation::Act(pick, verb) => Operation::Act(folded(pick), self.verb(verb)),
            Operation::Advance { by, room } => Operation::Advance {
                by: self.step(by),
                room,
            },
            Operation::PlanCommit { ask, ttl, between } => Operation::PlanCommit {
                ask: self.ask(ask),
                ttl,
                between: self.disturbance(between),
            },
            Operation::Mould {
                moulding,
                ttl,
                between,
            } => Operation::Mould {
                moulding: self.moulding(moulding),
                ttl,
                between: self.disturbance(between),
            },
            Operation::Query(inquiry) => Operation::Query(self.inquiry(inquiry)),
            Operation::QueryAccept {
                inquiry,
                taking,
                forgery,
                between,
            } => Operation::QueryAccept {
                inquiry: self.inquiry(inquiry),
                taking: self.taking(taking),
                forgery: mostly_genuine(forgery),
                between: self.disturbance(between),
            },
            Operation::Submit(submission) => Operation::Submit(self.submission(submission)),
            Operation::Withdraw(pick) => Operation::Withdraw(folded(pick)),
            Operation::AdvanceQueue { by, room } => Operation::AdvanceQueue {
                by: self.step(by),
                room,
            },
            // Nearly all of these are refused, or leave an empty book behind.
            Operation::ReserveAt {
                ready,
                duration,
                deadline,
                pes,
                policy,
            } if duration % EXTREME != 0 => Operation::Reserve(self.ask(Ask {
                lead: ready as i16,
                duration: duration as u16,
                slack: deadline as i16,
                pes,
                policy,
            })),
            Operation::AdvanceTo { to, room } if to % u64::from(EXTREME) != 0 => {
                Operation::Advance {
                    by: self.step(to as u16),
                    room,
                }
            }
            extreme @ (Operation::ReserveAt { .. } | Operation::AdvanceTo { .. }) => extreme,
            Operation::Juggle { ask, terms, how } => Operation::Juggle {
                ask: self.ask(ask),
                terms: mostly_flexible(terms),
                how: self.juggle(how),
            },
            Operation::Shift { ask, terms, how } => Operation::Shift {
                ask: self.ask(ask),
                terms: mostly_flexible(terms),
                how: self.shift(how),
            },
            Operation::Overlay { ask, stake } => Operation::Overlay {
                ask: self.ask(ask),
                stake,
            },
            Operation::Replan(how) => Operation::Replan(self.juggle(how)),
            Operation::Alternatives {
                ask,
                terms,
                how,
                sides,
                percent,
                end,
                room,
            } => Operation::Alternatives {
                ask: self.ask(ask),
                terms: mostly_flexible(terms),
                how: self.juggle(how),
                sides,
                percent,
                end,
                room,
            },
            Operation::Alter { pick, change, log } => Operation::Alter {
                pick: folded(pick),
                change: self.change(change),
                log,
            },
            Operation::Split { pick, after, log } => Operation::Split {
                pick: folded(pick),
                after: self.slots_either_way(after),
                log,
            },
            Operation::Transaction(script) => Operation::Transaction(self.script(script)),
            Operation::Series {
                ask,
                ttl,
                period,
                count,
                without,
                log,
                room,
            } => Operation::Series {
                ask: self.ask(ask),
                ttl,
                // Most series end within the ring.
                period: scaled(u16::from(period) << 8, self.slots / 2).min(255) as u8,
                count: count % 5,
                without: without.map(|number| number % 5),
                log,
                room,
            },
            Operation::CancelAll { picks, length } => Operation::CancelAll {
                picks: picks.map(folded),
                length,
            },
            Operation::Together {
                lead,
                length,
                parts,
                count,
                ttl,
                log,
                room,
            } => Operation::Together {
                lead: signed(scaled(lead as u16, self.slots + 1)) - 1,
                length: signed(scaled(length as u16, self.slots + 1)) - 1,
                parts: self.shares(parts),
                count,
                ttl,
                log,
                room,
            },
            Operation::Explain { ask, room } => Operation::Explain {
                ask: self.ask(ask),
                room,
            },
            Operation::Covering { lead, length } => Operation::Covering {
                lead: self.slots_either_way(lead),
                length: self.slots_either_way(length),
            },
            Operation::Next { by, most } => Operation::Next {
                by: self.step(by),
                most,
            },
            Operation::NextOfQueue { by, most } => Operation::NextOfQueue {
                by: self.step(by),
                most,
            },
            restored @ Operation::Restore(_) => restored,
        }
    }

    /// As many slots as the ring has, later or earlier.
    fn slots_either_way(self, slots: i16) -> i16 {
        let folded = signed(scaled(slots.unsigned_abs() << 1, self.slots));
        if slots < 0 { -folded } else { folded }
    }

    fn pes_either_way(self, pes: i16) -> i16 {
        let folded = signed(scaled(pes.unsigned_abs() << 1, self.pes));
        if pes < 0 { -folded } else { folded }
    }

    fn change(self, change: Change) -> Change {
        match change {
            Change::Shift(by) => Change::Shift(self.slots_either_way(by)),
            Change::Extend(by) => Change::Extend(self.slots_either_way(by)),
            Change::Shorten(by) => Change::Shorten(self.slots_either_way(by)),
            Change::Widen(by) => Change::Widen(self.pes_either_way(by)),
            Change::Narrow(by) => Change::Narrow(self.pes_either_way(by)),
            Change::Window { lead, slack } => Change::Window {
                lead: self.slots_either_way(lead),
                slack: self.slots_either_way(slack),
            },
            Change::SameWindow => Change::SameWindow,
        }
    }

    fn hop(self, hop: Hop) -> Hop {
        Hop {
            by: self.slots_either_way(hop.by),
            // Most moves leave duration and PEs as they are.
            longer: self.slots_either_way(hop.longer) * i16::from(hop.longer % 4 == 0),
            wider: self.pes_either_way(hop.wider) * i16::from(hop.wider % 4 == 0),
        }
    }

    fn script(self, script: Script) -> Script {
        let step = |step| match step {
            Step::Lift(pick) => Step::Lift(folded(pick)),
            Step::Place(pick, Spot::Near(hop)) => {
                Step::Place(folded(pick), Spot::Near(self.hop(hop)))
            }
            Step::Place(pick, Spot::Of(other)) => {
                Step::Place(folded(pick), Spot::Of(folded(other)))
            }
            Step::FirstFit(pick, from) => Step::FirstFit(folded(pick), self.slots_either_way(from)),
            Step::Insert { ask, after, ttl } => Step::Insert {
                ask: self.ask(ask),
                after: after % 4,
                ttl,
            },
            Step::Remove(pick) => Step::Remove(folded(pick)),
            Step::Alter(pick, change) => Step::Alter(folded(pick), self.change(change)),
            Step::Split(pick, after) => Step::Split(folded(pick), self.slots_either_way(after)),
            Step::Conflict(pick, hop) => Step::Conflict(pick.map(folded), self.hop(hop)),
            step @ (Step::Savepoint | Step::RollbackTo(_) | Step::Apply) => step,
        };
        Script {
            steps: script.steps.map(step),
            finish: match script.finish {
                Finish::PlanApply(between) => Finish::PlanApply(self.disturbance(between)),
                finish => finish,
            },
            ..script
        }
    }

    fn shares(self, shares: [Share; SHARES]) -> [Share; SHARES] {
        shares.map(|share| Share {
            offset: scaled(u16::from(share.offset) << 8, self.slots / 4).min(255) as u8,
            duration: scaled(share.duration, self.slots),
            pes: scaled(share.pes, self.pes),
        })
    }

    /// Mostly within the ring, so that what was booked is met.
    fn step(self, by: u16) -> u16 {
        match by % 16 {
            0 => scaled(by, self.slots.saturating_mul(3)),
            _ => scaled(by, self.slots / 2),
        }
    }

    fn ask(self, ask: Ask) -> Ask {
        if ask.policy >= WILD {
            return ask;
        }
        // From one slot in the past to one behind the ring; windows from one slot too short to one too long.
        let lead = signed(scaled(ask.lead as u16, self.slots + 1)) - 1;
        let duration = scaled(ask.duration, self.slots);
        let room = self
            .slots
            .saturating_sub(duration.saturating_add_signed(lead));
        Ask {
            lead,
            duration,
            slack: signed(scaled(ask.slack as u16, room + 2)) - 1,
            pes: scaled(ask.pes, self.pes),
            policy: ask.policy,
        }
    }

    fn disturbance(self, disturbance: Disturbance) -> Disturbance {
        match disturbance {
            Disturbance::Plan(ask) => Disturbance::Plan(self.ask(ask)),
            Disturbance::Reserve(ask) => Disturbance::Reserve(self.ask(ask)),
            Disturbance::Act(pick, verb) => Disturbance::Act(folded(pick), self.verb(verb)),
            Disturbance::Alter(pick, change) => {
                Disturbance::Alter(folded(pick), self.change(change))
            }
            other => other,
        }
    }

    fn inquiry(self, inquiry: Inquiry) -> Inquiry {
        if inquiry.order >= WILD {
            return inquiry;
        }
        let lead = signed(scaled(inquiry.lead as u16, self.slots + 1)) - 1;
        let room = self.slots.saturating_add_signed(-lead);
        Inquiry {
            lead,
            // From no slot to one behind the ring.
            length: signed(scaled(inquiry.length as u16, room + 1)),
            duration: inquiry.duration.map(|slots| scaled(slots, self.slots)),
            pes: inquiry.pes.map(|pes| scaled(pes, self.pes)),
            ..inquiry
        }
    }

    fn moulding(self, moulding: Moulding) -> Moulding {
        if moulding.choice >= WILD {
            return moulding;
        }
        let lead = signed(scaled(moulding.lead as u16, self.slots + 1)) - 1;
        let room = self.slots.saturating_add_signed(-lead);
        Moulding {
            lead,
            length: signed(scaled(moulding.length as u16, room + 1)),
            shapes: match moulding.shapes {
                Shapes::Table(forms, length) => Shapes::Table(
                    forms.map(|(pes, slots)| {
                        (scaled(pes, self.pes + 1), scaled(slots, self.slots + 1))
                    }),
                    length,
                ),
                Shapes::Malleable { work, least, most } => Shapes::Malleable {
                    work: scaled(work, self.slots.saturating_mul(self.pes)),
                    least: scaled(least, self.pes),
                    most: scaled(most, self.pes + 1),
                },
            },
            ..moulding
        }
    }

    /// Limits are mostly large enough. On rings that are not short only one depth, since the twin takes long for more.
    fn shift(self, how: Shift) -> Shift {
        let depths = if self.slots <= 16 { 3 } else { 2 };
        Shift {
            depth: how.depth % depths,
            earliest: self.earliest(how.earliest),
            moves: seldom(how.moves),
            work: seldom(how.work),
            log: mostly_enough(how.log),
            ..how
        }
    }

    /// Limits are mostly large enough.
    fn juggle(self, how: Juggle) -> Juggle {
        Juggle {
            earliest: self.earliest(how.earliest),
            moves: seldom(how.moves),
            work: seldom(how.work),
            log: mostly_enough(how.log),
            list: mostly_enough(how.list),
            ..how
        }
    }

    fn earliest(self, slots: u8) -> u8 {
        scaled(u16::from(slots) << 8, self.slots).min(255) as u8
    }

    /// Seldom more than is offered, often all of it.
    fn taking(self, taking: Taking) -> Taking {
        let fewer = |fewer: i8, most: u16| match fewer {
            -2..0 => fewer,
            _ => scaled(u16::from(fewer.unsigned_abs()) << 9, most.min(100)) as i8,
        };
        Taking {
            fewer_slots: fewer(taking.fewer_slots, self.slots),
            fewer_pes: fewer(taking.fewer_pes, self.pes),
            ..taking
        }
    }

    fn submission(self, submission: Submission) -> Submission {
        Submission {
            estimate: scaled(submission.estimate, self.slots + 1),
            pes: scaled(submission.pes, self.pes + 1),
        }
    }

    fn verb(self, verb: Verb) -> Verb {
        match verb {
            Verb::Complete(after) => {
                Verb::Complete(signed(scaled(after as u16, self.slots + 1)) - 1)
            }
            Verb::CompleteAt(at) if at % u64::from(EXTREME) != 0 => {
                self.verb(Verb::Complete(at as i16))
            }
            other => other,
        }
    }
}

/// Most handles are those of live reservations.
fn folded(pick: Pick) -> Pick {
    match pick {
        Pick::Ended(nth) if nth >= 32 => Pick::Live(nth),
        other => other,
    }
}

/// Only what is flexible can be moved for others.
fn mostly_flexible(terms: Terms) -> Terms {
    match terms {
        Terms::Held(ttl) if !ttl.is_multiple_of(4) => Terms::Flexible {
            deadline: ttl.is_multiple_of(2),
            thaw: Thaw::Never,
        },
        other => other,
    }
}

/// One of four limits stays.
fn seldom<T: Copy + Into<u16>>(limit: Option<T>) -> Option<T> {
    limit.filter(|limit| (*limit).into().is_multiple_of(4))
}

/// The same of a length, of which the greatest is enough.
fn mostly_enough(length: u8) -> u8 {
    seldom(Some(length)).unwrap_or(u8::MAX)
}

/// Most forged offers are refused at the door.
fn mostly_genuine(forgery: Forgery) -> Forgery {
    match forgery {
        Forgery::Version(ahead) if ahead % EXTREME != 0 => Forgery::Genuine,
        Forgery::Expires(at) if at % u64::from(EXTREME) != 0 => Forgery::Genuine,
        Forgery::Elsewhere { start, .. } if start % u64::from(EXTREME) != 0 => Forgery::Genuine,
        Forgery::Edge(_, by) if by % 3 != 0 => Forgery::Genuine,
        Forgery::Pes(more) => Forgery::Pes(more % 5),
        other => other,
    }
}

/// A number up to `most`; small ones are as frequent as large ones, since most of what matters happens between small ones.
fn scaled(number: u16, most: u16) -> u16 {
    let (scale, number) = (number >> 14, number & 0x3fff);
    let limit = match scale {
        0 => most.min(3),
        1 => most / 8,
        2 => most / 2,
        _ => most,
    };
    number % (limit + 1)
}

fn signed(number: u16) -> i16 {
    i16::try_from(number).unwrap_or(i16::MAX)
}
