//! What the operations mean in a book, given its current slot: the same for every side that makes them.

use bookahead::{
    Alteration, BestEffortJob, Commitment, Direction, Discount, ElasticRequest, Flexibility, Form,
    FormChoice, Freeze, Insertion, MalleableJob, OfferOrder, OfferTerms, Part, PeCount, Placement,
    Policy, Request, Search, Shifting, Slot, Span, Tariff, Window,
};

use crate::{
    Ask, Change, FORMS, Hop, Inquiry, Moulding, Shapes, Share, Shift, Submission, Terms, Thaw,
};

/// The slot so many slots later; below zero earlier.
#[must_use]
pub fn later(slot: Slot, by: i16) -> Slot {
    Slot::new(slot.get().saturating_add_signed(by.into()))
}

/// The window so many slots from now, of so many slots.
#[must_use]
pub fn window(now: Slot, lead: i16, length: i16) -> Window {
    let start = later(now, lead);
    Window {
        start,
        end: later(start, length),
    }
}

/// The policy of that number, modulo theirs.
#[must_use]
pub fn policy(index: u8) -> Policy {
    Policy::ALL[usize::from(index) % Policy::ALL.len()]
}

/// For good, or as a hold of so many slots.
#[must_use]
pub fn commitment(ttl: Option<u8>) -> Commitment {
    ttl.map_or(Commitment::Confirmed, |ttl| Commitment::Held {
        ttl: Span::new(ttl.into()),
    })
}

impl Ask {
    /// The request.
    #[must_use]
    pub fn request(&self, now: Slot) -> Request {
        let (ready, duration) = (later(now, self.lead), Span::new(self.duration.into()));
        Request {
            ready,
            duration,
            deadline: later(ready.saturating_add(duration), self.slack),
            pes: PeCount::new(self.pes.into()),
        }
    }
}

impl Terms {
    /// As what the newcomer is booked.
    #[must_use]
    pub fn commitment(self) -> Commitment {
        let (deadline, thaw) = match self {
            Self::Strict => return Commitment::Confirmed,
            Self::Held(ttl) => return commitment(Some(ttl)),
            Self::Flexible { deadline, thaw } => (deadline, thaw),
        };
        Commitment::Flexible {
            kind: if deadline {
                Flexibility::Deadline
            } else {
                Flexibility::Interval
            },
            freeze: match thaw {
                Thaw::Never => Freeze::Never,
                Thaw::Acceptance => Freeze::Acceptance,
                Thaw::Share(share) => Freeze::Share {
                    per_mille: u16::from(share) * 50,
                },
                Thaw::Lead(lead) => Freeze::Lead {
                    lead: Span::new(lead.into()),
                },
            },
        }
    }
}

impl Shift {
    /// How to shift, no deeper than that.
    #[must_use]
    pub fn rules(&self, now: Slot, deepest: u8) -> Shifting {
        Shifting {
            direction: if self.both {
                Direction::Both
            } else {
                Direction::Right
            },
            insertion: Insertion::Slides {
                depth: self.depth % (deepest + 1),
            },
            earliest: now.saturating_add(Span::new(self.earliest.into())),
            max_moves: self.moves.map_or(u32::MAX, u32::from),
            work: self.work.map_or(u64::MAX, u64::from),
        }
    }
}

impl Inquiry {
    /// The query, and how it is to be answered, by that tariff.
    #[must_use]
    pub fn question(&self, now: Slot, tariff: Tariff) -> (ElasticRequest, OfferTerms) {
        let interval = window(now, self.lead, self.length);
        let query = ElasticRequest {
            ready: interval.start,
            deadline: interval.end,
            duration: self.duration.map(|slots| Span::new(slots.into())),
            pes: self.pes.map(|pes| PeCount::new(pes.into())),
        };
        let terms = OfferTerms {
            search: Search::ALL[usize::from(self.search) % Search::ALL.len()],
            order: OfferOrder::ALL[usize::from(self.order) % OfferOrder::ALL.len()],
            ttl: Span::new(self.ttl.into()),
            tariff,
        };
        (query, terms)
    }
}

impl Submission {
    /// The job.
    #[must_use]
    pub fn job(&self) -> BestEffortJob {
        BestEffortJob {
            estimate: Span::new(self.estimate.into()),
            pes: PeCount::new(self.pes.into()),
        }
    }
}

impl Share {
    /// The part.
    #[must_use]
    pub fn part(&self) -> Part {
        Part {
            offset: Span::new(self.offset.into()),
            duration: Span::new(self.duration.into()),
            pes: PeCount::new(self.pes.into()),
        }
    }
}

impl Hop {
    /// The other placement.
    #[must_use]
    pub fn taken_from(&self, place: Placement) -> Placement {
        let duration = place.duration.get();
        Placement {
            start: later(place.start, self.by),
            duration: Span::new(duration.saturating_add_signed(self.longer.into())),
            pes: PeCount::new(place.pes.get().saturating_add_signed(self.wider.into())),
        }
    }
}

impl Change {
    /// The alteration of a reservation that is placed there and may lie in that window.
    #[must_use]
    pub fn alteration(self, place: Placement, asked: Window, now: Slot) -> Alteration {
        let hop = |longer, wider| {
            let by = 0;
            Hop { by, longer, wider }.taken_from(place)
        };
        match self {
            Self::Shift(by) => Alteration::Shift {
                start: later(place.start, by),
            },
            Self::Extend(by) => Alteration::Extend {
                duration: hop(by, 0).duration,
            },
            Self::Shorten(by) => Alteration::Shorten {
                duration: hop(by.saturating_neg(), 0).duration,
            },
            Self::Widen(by) => Alteration::Widen {
                pes: hop(0, by).pes,
            },
            Self::Narrow(by) => Alteration::Narrow {
                pes: hop(0, by.saturating_neg()).pes,
            },
            Self::Window { lead, slack } => {
                let ready = later(now, lead);
                Alteration::ChangeWindow {
                    ready,
                    deadline: later(ready.saturating_add(place.duration), slack),
                }
            }
            Self::SameWindow => Alteration::ChangeWindow {
                ready: asked.start,
                deadline: asked.end,
            },
        }
    }
}

impl Moulding {
    /// The forms.
    #[must_use]
    pub fn forms(&self) -> Vec<Form> {
        match self.shapes {
            Shapes::Table(table, length) => {
                let length = usize::from(length) % (FORMS + 1);
                let form = |(pes, slots): (u16, u16)| Form {
                    pes: PeCount::new(pes.into()),
                    duration: Span::new(slots.into()),
                };
                table.into_iter().take(length).map(form).collect()
            }
            Shapes::Malleable { .. } => self
                .job()
                .into_iter()
                .flat_map(|job| job.forms().take(FORMS).collect::<Vec<_>>())
                .collect(),
        }
    }

    /// The malleable requirement, if it is one.
    #[must_use]
    pub fn job(&self) -> Option<MalleableJob> {
        match self.shapes {
            Shapes::Malleable { work, least, most } => Some(MalleableJob {
                work: work.into(),
                least: PeCount::new(least.into()),
                most: PeCount::new(most.into()),
            }),
            Shapes::Table(..) => None,
        }
    }

    /// Which form is taken.
    #[must_use]
    pub fn choice(&self) -> FormChoice {
        FormChoice::ALL[usize::from(self.choice) % FormChoice::ALL.len()]
    }

    /// What slack takes off the price.
    #[must_use]
    pub fn discount(&self) -> Discount {
        let [per_duration, most] = self.discount.map(|part| u32::from(part) << 24);
        Discount { per_duration, most }
    }
}
