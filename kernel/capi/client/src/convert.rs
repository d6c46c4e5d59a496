//! The kernel's values as C has them, and C's as the kernel has them.

use std::{ops::Range, ptr};

use bookahead::{
    Alteration, BestEffortJob, BookPart, Commitment, ElasticRequest, Error, Event, EventKind,
    Flexibility, Form, Freeze, Handle, Insertion, JointBooking, Money, Move, Offer, OfferTerms,
    Part, PeCount, Placement, Policy, PriceTerms, Refusal, Request, Reservation, Rule, Shifting,
    Slot, Span, StartBand, State, Tariff, Ticket, UsageError, Version, Waiting, Window, Within,
    raw::ProfileStep,
};
use bookahead_capi as c;
use bookahead_commands::{Allowed, Gone, InTheWay, Kind, Machine, Number, Preferred, Shaped, Wish};

/// A value that C has too.
pub trait InC: Sized {
    /// What it is there.
    type C;
    /// As C has it.
    fn c(self) -> Self::C;
    /// As the kernel has it.
    fn of(c: Self::C) -> Self;
}

macro_rules! same {
    ($($kernel:ident: c::$c:ident { $($field:ident),* })*) => {$(
        impl InC for $kernel {
            type C = c::$c;

            fn c(self) -> c::$c {
                c::$c { $($field: self.$field.c()),* }
            }

            fn of(c: c::$c) -> Self {
                Self { $($field: InC::of(c.$field)),* }
            }
        }
    )*};
    ($($kernel:ty = $c:ty: $to:expr, $from:expr;)*) => {$(
        impl InC for $kernel {
            type C = $c;

            fn c(self) -> $c {
                $to(self)
            }

            fn of(c: $c) -> Self {
                $from(c)
            }
        }
    )*};
}

same! {
    Slot = u64: Self::get, Self::new;
    Span = u32: Self::get, Self::new;
    Money = u64: Self::get, Self::new;
    PeCount = u32: |pes: Self| pes.get(), Self::new;
    Handle = c::Handle: |handle: Self| c::Handle { bits: handle.to_bits() }, |handle: c::Handle| Self::from_bits(handle.bits);
    BookPart = c::BookPart: |part: Self| c::BookPart { book: part.book, handle: part.handle.c() },
        |part: c::BookPart| Self { book: part.book, handle: InC::of(part.handle) };
    Option<Ticket> = u32: |ticket: Self| ticket.map_or(0, Ticket::get), Ticket::from_number;
}

same! {
    Request: c::Request { ready, deadline, duration, pes }
    Placement: c::Placement { start, duration, pes }
    Window: c::Window { start, end }
    Form: c::Form { pes, duration }
    Part: c::Part { offset, duration, pes }
    BestEffortJob: c::Job { estimate, pes }
    ProfileStep: c::Record { at, busy }
    JointBooking: c::JointBooking { part, start }
    StartBand: c::StartBand { earliest, latest }
}

/// The error of that code, which a call of a book has answered.
///
/// # Panics
///
/// When no command can be answered so.
pub fn error(code: u32) -> Error {
    let refusal = Refusal::ALL
        .iter()
        .find(|reason| u32::from(reason.code()) == code);
    let usage = UsageError::ALL
        .iter()
        .find(|reason| u32::from(reason.code()) == code);
    let error = refusal.map(|reason| Error::Refused(*reason));
    let error = error.or(usage.map(|reason| Error::Misused(*reason)));
    error.unwrap_or_else(|| panic!("a command is answered by {code}"))
}

pub fn commitment(terms: Commitment) -> c::Commitment {
    // What the kind does not mention is not looked at.
    let mut all = c::Commitment {
        kind: c::CommitmentKind::Confirmed as u32,
        ttl: u32::MAX,
        flexibility: u32::MAX,
        freeze: u32::MAX,
        freeze_after: u32::MAX,
    };
    match terms {
        Commitment::Confirmed => {}
        Commitment::Held { ttl } => (all.kind, all.ttl) = (c::CommitmentKind::Held as u32, ttl.c()),
        Commitment::Flexible { kind, freeze } => {
            all.kind = c::CommitmentKind::Flexible as u32;
            (all.flexibility, all.freeze) = (kind.code().into(), freeze.code().into());
            match freeze {
                Freeze::Never | Freeze::Acceptance => {}
                Freeze::Share { per_mille } => all.freeze_after = per_mille.into(),
                Freeze::Lead { lead } => all.freeze_after = lead.c(),
            }
        }
    }
    all
}

pub fn alteration(to: Alteration) -> c::Alteration {
    // The values that the kind is not about are not looked at.
    let mut all = c::Alteration {
        start: u64::MAX,
        ready: u64::MAX,
        deadline: u64::MAX,
        duration: u32::MAX,
        pes: u32::MAX,
        kind: to.code().into(),
    };
    match to {
        Alteration::Shift { start } => all.start = start.c(),
        Alteration::Extend { duration } | Alteration::Shorten { duration } => {
            all.duration = duration.c();
        }
        Alteration::Widen { pes } | Alteration::Narrow { pes } => all.pes = pes.c(),
        Alteration::ChangeWindow { ready, deadline } => {
            (all.ready, all.deadline) = (ready.c(), deadline.c());
        }
    }
    all
}

pub fn reservation(known: c::Reservation) -> Reservation {
    let expires = InC::of(known.expires);
    let states = [State::Held { expires }, State::Confirmed, State::Running];
    let state = states
        .into_iter()
        .find(|state| u32::from(state.code()) == known.state);
    assert!(known.state == 1 || known.expires == 0, "{known:?}");
    Reservation {
        request: InC::of(known.request),
        window: window(known.start, known.end),
        state: state.expect("a state"),
        ticket: InC::of(known.ticket),
    }
}

fn terms_of(terms: c::Commitment) -> Commitment {
    let kinds = [
        c::CommitmentKind::Confirmed,
        c::CommitmentKind::Held,
        c::CommitmentKind::Flexible,
    ];
    let kind = kinds.into_iter().find(|kind| *kind as u32 == terms.kind);
    let code = |code: u32| u8::try_from(code).expect("a code");
    match kind.expect("a kind") {
        c::CommitmentKind::Confirmed => Commitment::Confirmed,
        c::CommitmentKind::Held => Commitment::Held {
            ttl: InC::of(terms.ttl),
        },
        c::CommitmentKind::Flexible => Commitment::Flexible {
            kind: Flexibility::from_code(code(terms.flexibility)).expect("a flexibility"),
            freeze: match terms.freeze {
                0 => Freeze::Never,
                1 => Freeze::Acceptance,
                2 => Freeze::Share {
                    per_mille: terms.freeze_after.try_into().expect("thousandths"),
                },
                _ => Freeze::Lead {
                    lead: InC::of(terms.freeze_after),
                },
            },
        },
    }
}

pub fn waiting(waiting: c::WaitingRequest) -> (Ticket, Waiting) {
    let policy = u8::try_from(waiting.policy).ok();
    let known = Waiting {
        request: InC::of(waiting.request),
        policy: policy.and_then(Policy::from_code).expect("a policy"),
        commitment: terms_of(waiting.commitment),
        key: waiting.key,
    };
    let ticket = Option::of(waiting.ticket);
    (ticket.expect("no request has ticket 0"), known)
}

pub fn window(start: u64, end: u64) -> Window {
    InC::of(c::Window { start, end })
}

pub fn event(event: c::Event) -> Event {
    let mut kinds = EventKind::ALL.iter();
    let kind = kinds.find(|kind| u32::from(kind.code()) == event.kind);
    Event {
        at: InC::of(event.at),
        handle: InC::of(event.handle),
        kind: *kind.expect("a kind of event"),
        ticket: InC::of(event.ticket),
    }
}

pub fn in_the_way(conflict: &c::Conflict, number: impl Fn(Handle) -> Number) -> InTheWay {
    let (listed, rest) = conflict.handles.split_at(conflict.listed as usize);
    assert!(rest.iter().all(|handle| handle.bits == 0), "{conflict:?}");
    InTheWay {
        names: listed
            .iter()
            .map(|handle| number(InC::of(*handle)))
            .collect(),
        more: conflict.more,
        rules: rules(conflict.rules),
    }
}

/// The numbers of the rules whose bits are set.
pub fn rules(bits: u32) -> Vec<Number> {
    assert!(bits >> c::BOOKAHEAD_MOST_RULES == 0, "{bits:b} are rules");
    let numbers = 0..c::BOOKAHEAD_MOST_RULES;
    let is_set = |number: &usize| bits >> number & 1 == 1;
    numbers
        .filter(is_set)
        .map(|number| number as Number)
        .collect()
}

/// What the books of a binding are.
pub fn kind(binding: u32) -> Kind {
    let kinds = [
        (c::Binding::Late, Kind::Counts),
        (c::Binding::Early, Kind::Sets),
        (c::Binding::Overlaid, Kind::Counts),
        (c::Binding::Placed, Kind::Sets),
        (c::Binding::LateRuled, Kind::RuledCounts),
        (c::Binding::EarlyRuled, Kind::RuledSets),
        (c::Binding::PlacedRuled, Kind::RuledSets),
        (c::Binding::Units, Kind::Units),
    ];
    let known = kinds.into_iter().find(|(one, _)| *one as u32 == binding);
    known.expect("a binding").1
}

/// The rule as C has it.
pub const fn rule(rule: &Rule) -> c::Rule {
    c::Rule {
        phase: rule.phase.get(),
        period: rule.period.get(),
        length: rule.length.get(),
    }
}

/// What is not there, given the set of these; what is not mentioned is not looked at.
pub fn absent(gone: &Gone, set: &[u32]) -> c::Absent {
    match gone {
        Gone::Number(pes) => c::Absent {
            pes: ptr::dangling::<u8>().cast(),
            words: 0,
            number: pes.c(),
        },
        Gone::These(_) => c::Absent {
            pes: set.as_ptr(),
            words: set.len(),
            number: u32::MAX,
        },
    }
}

/// Where nothing is booked.
pub const NOWHERE: c::Placement = c::Placement {
    start: 0,
    duration: 0,
    pes: 0,
};

pub fn a_move(handle: c::Handle, from: Option<Placement>, to: Option<Placement>) -> c::Move {
    c::Move {
        handle,
        from: from.map_or(NOWHERE, InC::c),
        to: to.map_or(NOWHERE, InC::c),
    }
}

pub fn move_of(change: &c::Move) -> Move {
    let somewhere = |place: c::Placement| (place.duration > 0).then(|| InC::of(place));
    Move {
        handle: InC::of(change.handle),
        from: somewhere(change.from),
        to: somewhere(change.to),
    }
}

/// One by which a reservation is charged the same.
pub fn tariff(tariff: &Tariff) -> c::Tariff {
    c::Tariff {
        base: tariff.slot_rate().c(),
        factor: c::BOOKAHEAD_FACTOR_ONE,
        slot_units: 1,
    }
}

pub fn price_terms(terms: &PriceTerms) -> c::PriceTerms {
    c::PriceTerms {
        tariff: tariff(&terms.tariff),
        budget: terms.budget.c(),
        discount: terms.discount.per_duration,
        most_discount: terms.discount.most,
    }
}

pub fn query(query: &ElasticRequest) -> c::Query {
    // The largest number stands for any in C; one less is as much too wide or too long for every book.
    let given = |number: u32| number.min(c::BOOKAHEAD_ANY - 1);
    c::Query {
        ready: query.ready.c(),
        deadline: query.deadline.c(),
        duration: query
            .duration
            .map_or(c::BOOKAHEAD_ANY, |span| given(span.c())),
        pes: query.pes.map_or(c::BOOKAHEAD_ANY, |pes| given(pes.c())),
    }
}

pub fn offer_terms(terms: &OfferTerms) -> c::OfferTerms {
    c::OfferTerms {
        search: terms.search.code().into(),
        order: terms.order.code().into(),
        ttl: terms.ttl.c(),
        tariff: tariff(&terms.tariff),
    }
}

pub fn offer(offer: &Offer) -> c::Offer {
    c::Offer {
        within: offer.within.c(),
        window: offer.window.c(),
        seed: offer.seed.c(),
        expires: offer.expires.c(),
        version: offer.version.revision,
        price: offer.price.c(),
        pes: offer.pes.c(),
        solution: offer.solution.into(),
        incarnation: offer.version.incarnation,
    }
}

pub fn offer_of(offer: &c::Offer) -> Offer {
    Offer {
        within: InC::of(offer.within),
        window: InC::of(offer.window),
        seed: InC::of(offer.seed),
        expires: InC::of(offer.expires),
        version: Version {
            revision: offer.version,
            incarnation: offer.incarnation,
        },
        price: InC::of(offer.price),
        pes: InC::of(offer.pes),
        solution: offer.solution != 0,
    }
}

pub fn shifting(rules: &Shifting) -> c::Shifting {
    c::Shifting {
        direction: rules.direction.code().into(),
        insertion: rules.insertion.code().into(),
        depth: match rules.insertion {
            Insertion::Slides { depth } => depth.into(),
            Insertion::FewestMoves | Insertion::LeastShift => u32::MAX,
        },
        max_moves: rules.max_moves,
        earliest: rules.earliest.c(),
        work: rules.work,
    }
}

/// What of each group is missing.
pub fn missing(machine: &Machine) -> Vec<c::Fewer> {
    let fewer = |(from, to, kind, pes): &(u16, u16, u8, u8)| c::Fewer {
        groups: c::Groups {
            from: *from,
            to: *to,
        },
        kind: *kind,
        pes: *pes,
    };
    machine.missing.iter().map(fewer).collect()
}

/// The layout, with what [`missing`] returns.
pub fn layout(machine: &Machine, missing: &[c::Fewer]) -> c::Layout {
    c::Layout {
        kinds: machine.kinds.as_ptr(),
        kind_count: machine.kinds.len(),
        missing: missing.as_ptr(),
        missing_count: missing.len(),
        levels: machine.levels.as_ptr(),
        level_count: machine.levels.len(),
        groups: machine.groups.into(),
    }
}

/// The groups that a class may have.
pub fn groups(wish: &Wish) -> Vec<c::Groups> {
    let ranges = wish.ranges().into_iter();
    let groups = |range: Range<u16>| c::Groups {
        from: range.start,
        to: range.end,
    };
    ranges.map(groups).collect()
}

/// The class, with what [`groups`] returns. What the numbers do not mention is not looked at.
pub fn class(wish: &Wish, groups: &[c::Groups]) -> c::Class {
    let mut class = c::Class {
        groups: groups.as_ptr(),
        group_count: groups.len(),
        pes: ptr::null(),
        word_count: usize::MAX,
        per_group: ptr::null(),
        kind_count: usize::MAX,
        order: ptr::null(),
        order_count: usize::MAX,
        eligible: c::Eligible::All as u32,
        kinds: u32::MAX,
        shape: c::Shape::Number as u32,
        within: c::Within::Anywhere as u32,
        level: u32::MAX,
        preference: c::Preference::Lowest as u32,
        compact: u32::MAX,
    };
    match &wish.eligible {
        Allowed::All => {}
        Allowed::Groups(_, kinds) => {
            (class.eligible, class.kinds) = (c::Eligible::Groups as u32, (*kinds).into());
        }
        Allowed::Pes(mask) => {
            class.eligible = c::Eligible::Pes as u32;
            (class.pes, class.word_count) = (mask.as_ptr(), mask.len());
        }
    }
    match &wish.shape {
        Shaped::Number => {}
        Shaped::PerGroup(pes) => {
            class.shape = c::Shape::PerGroup as u32;
            (class.per_group, class.kind_count) = (pes.as_ptr(), pes.len());
        }
        Shaped::WholeGroups => class.shape = c::Shape::WholeGroups as u32,
    }
    let (within, level) = match wish.within {
        Within::Anywhere => (c::Within::Anywhere, u8::MAX),
        Within::Required(level) => (c::Within::Required, level),
        Within::Preferred(level) => (c::Within::Preferred, level),
    };
    (class.within, class.level) = (within as u32, level.into());
    let preference = match &wish.preference {
        Preferred::Lowest => c::Preference::Lowest,
        Preferred::Pack => c::Preference::Pack,
        Preferred::Spread => c::Preference::Spread,
        Preferred::Order(order) => {
            (class.order, class.order_count) = (order.as_ptr(), order.len());
            c::Preference::Order
        }
        Preferred::Compact(level) => {
            class.compact = (*level).into();
            c::Preference::Compact
        }
    };
    class.preference = preference as u32;
    class
}
