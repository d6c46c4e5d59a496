//! What the words of each type are.

use alloc::string::{String, ToString};

use bookahead::{
    Admission, Advanced, AfterFailure, Alteration, Behind, BestEffortJob, ClassError, Commitment,
    Direction, Discipline, Discount, ElasticRequest, Error, EventKind, Explanation, Failing,
    Flexibility, Form, FormChoice, Freeze, Guarantee, Insertion, Meeting, Money, Offer, OfferOrder,
    OfferTerms, Offered, Outage, Part, PeCount, Placement, Policy, Preemption, PriceTerms,
    Probability, Rectangle, Refusal, Request, Reservation, Rule, Search, Shifting, Sides, Slot,
    Span, State as Phase, Take, Tariff, Ticket, UsageError, Version, Violation, Waiting, Window,
    Within, raw::ProfileStep,
};

#[cfg(test)]
use super::tests::Random;
use super::{Misread, Text, Words, one_of, put, word_of};
use crate::{
    Allowed, Answer, Broken, Call, Command, Ending, Found, Gone, Group, Happening, InTheWay,
    JuggleEnd, Juggled, Kind, Known, Law, Lent, Machine, Mould, Moved, Obstruction, Outcome,
    Placed, Preferred, Recurrence, Reply, Risk, Rules, Shaped, Sight, Size, Sorting, State,
    Transact, Wanted, Wish,
};

/// Numbers that say how many bits they may have.
macro_rules! whole {
    ($($number:ident),+) => {$(
        impl Text for $number {
            fn write(&self, to: &mut String) {
                put(to, self);
            }

            fn read(words: &mut Words<'_>) -> Result<Self, Misread> {
                let word = words.next();
                word.parse().map_err(|_| {
                    let bits = $number::BITS.to_string();
                    words.misread(word, "a whole number of at most ".to_string() + &bits + " bits")
                })
            }

            #[cfg(test)]
            fn draw(from: &mut Random) -> Self {
                from.number() as $number
            }
        }
    )+};
}

/// Types that are written as another one, given how the one becomes the other.
macro_rules! written_as {
    ($($type:ident = $inner:ty: $into:expr, $from:expr, $expected:literal;)+) => {$(
        impl Text for $type {
            fn write(&self, to: &mut String) {
                let inner: $inner = $into(self);
                inner.write(to);
            }

            fn read(words: &mut Words<'_>) -> Result<Self, Misread> {
                let inner = <$inner>::read(words)?;
                let mut written = String::new();
                inner.write(&mut written);
                $from(inner.into()).ok_or_else(|| words.misread(&written, $expected))
            }

            #[cfg(test)]
            fn draw(from: &mut Random) -> Self {
                let drawn = core::iter::repeat_with(|| $from(<$inner>::draw(from).into()));
                drawn.flatten().next().expect("there is no end")
            }
        }
    )+};
}

/// Types with names of their own.
macro_rules! named {
    ($($type:ident),+) => {$(
        impl Text for $type {
            fn write(&self, to: &mut String) {
                put(to, self.name());
            }

            fn read(words: &mut Words<'_>) -> Result<Self, Misread> {
                let word = words.next();
                let known = $type::ALL.iter().find(|one| one.name() == word);
                let names = || one_of($type::ALL.iter().map(|one| one.name()));
                known.copied().ok_or_else(|| words.misread(word, names()))
            }

            #[cfg(test)]
            fn draw(from: &mut Random) -> Self {
                $type::ALL[from.below($type::ALL.len() as u64) as usize]
            }
        }
    )+};
}

/// Rules stand there only where there are some.
impl Text for InTheWay {
    fn write(&self, to: &mut String) {
        self.names.write(to);
        self.more.write(to);
        if !self.rules.is_empty() {
            put(to, RULES);
            self.rules.write(to);
        }
    }

    fn read(words: &mut Words<'_>) -> Result<Self, Misread> {
        Ok(Self {
            names: Text::read(words)?,
            more: Text::read(words)?,
            rules: match words.takes(RULES) {
                true => Text::read(words)?,
                false => Self::nobody().rules,
            },
        })
    }

    #[cfg(test)]
    fn draw(from: &mut Random) -> Self {
        Self {
            names: Text::draw(from),
            more: Text::draw(from),
            rules: Text::draw(from),
        }
    }
}

/// Before the rules that are in the way.
const RULES: &str = "rules";

/// Types of several fields.
macro_rules! fields {
    ($($type:ident { $($field:ident),+ })+) => {$(
        impl Text for $type {
            fn write(&self, to: &mut String) {
                $(self.$field.write(to);)+
            }

            fn read(words: &mut Words<'_>) -> Result<Self, Misread> {
                Ok(Self { $($field: Text::read(words)?),+ })
            }

            #[cfg(test)]
            fn draw(from: &mut Random) -> Self {
                Self { $($field: Text::draw(from)),+ }
            }
        }
    )+};
}

macro_rules! tuples {
    ($(($($type:ident $field:tt),*))+) => {$(
        #[allow(clippy::unused_unit, reason = "a tuple of nothing is one as well")]
        impl<$($type: Text),*> Text for ($($type,)*) {
            fn write(&self, _to: &mut String) {
                $(self.$field.write(_to);)*
            }

            fn read(_words: &mut Words<'_>) -> Result<Self, Misread> {
                Ok(($($type::read(_words)?,)*))
            }

            #[cfg(test)]
            fn draw(_from: &mut Random) -> Self {
                ($($type::draw(_from),)*)
            }
        }
    )+};
}

/// Types of several variants, with a name for each item that one holds.
macro_rules! variants {
    ($($type:ident { $($variant:ident $(($($item:ident),+))? $({$($field:ident),+})?),+ $(,)? })+) => {$(
        impl Text for $type {
            fn write(&self, to: &mut String) {
                match self {
                    $(Self::$variant $(($($item),+))? $({$($field),+})? => {
                        put(to, word_of(stringify!($variant)).collect::<String>());
                        $($($item.write(to);)+)?
                        $($($field.write(to);)+)?
                    })+
                }
            }

            fn read(words: &mut Words<'_>) -> Result<Self, Misread> {
                let word = words.next();
                $(if word.chars().eq(word_of(stringify!($variant))) {
                    return Ok(Self::$variant
                        $(($({ let $item = Text::read(words)?; $item }),+))?
                        $({$($field: Text::read(words)?),+})?);
                })+
                let names = Self::VARIANTS.iter();
                let names = names.map(|variant| word_of(variant).collect::<String>());
                Err(words.misread(word, one_of(names)))
            }

            #[cfg(test)]
            fn draw(from: &mut Random) -> Self {
                let variant = Self::VARIANTS[from.below(Self::VARIANTS.len() as u64) as usize];
                $(if variant == stringify!($variant) {
                    return Self::$variant
                        $(($({ let $item = Text::draw(from); $item }),+))?
                        $({$($field: Text::draw(from)),+})?;
                })+
                unreachable!("it is one of them");
            }
        }

        impl Variants for $type {
            const VARIANTS: &'static [&'static str] = &[$(stringify!($variant)),+];
        }
    )+};
}

/// The names of a type's variants, in order.
pub(super) trait Variants {
    const VARIANTS: &'static [&'static str];
}

whole!(u8, u16, u32, u64, usize, i64);

tuples! {
    ()
    (A 0, B 1)
    (A 0, B 1, C 2, D 3)
}

written_as! {
    Slot = u64: |slot: &Self| slot.get(), |slot| Some(Self::new(slot)), "a slot";
    Span = u32: |span: &Self| span.get(), |slots| Some(Self::new(slots)), "a number of slots";
    Money = u64: |money: &Self| money.get(), |units| Some(Self::new(units)), "a price";
    PeCount = u32: |pes: &Self| pes.get(), |pes| Some(Self::new(pes)), "a number of PEs";
    Ticket = u32: |ticket: &Self| ticket.get(), Self::from_number, "a ticket's number, from 1 on";
    // In units of 1 / 2^31, which is exact.
    Probability = u32: |part: &Self| part.get().to_bits(), |part| Self::rounding_down(part, 1 << 31), "a part of 2147483648";
    // The price of a slot on one PE without a reservation, and with one.
    Tariff = (Money, Money): |tariff: &Self| (unreserved(tariff), tariff.slot_rate()), |(base, rate)| Some(Self::of_rates(base, rate)), "two prices";
}

named!(
    Admission,
    AfterFailure,
    Behind,
    ClassError,
    Direction,
    Discipline,
    EventKind,
    Flexibility,
    FormChoice,
    OfferOrder,
    Policy,
    Refusal,
    Search,
    Sides,
    UsageError,
    Violation
);

fields! {
    BestEffortJob { estimate, pes }
    Discount { per_duration, most }
    ElasticRequest { ready, duration, deadline, pes }
    Explanation { fits, more, earlier, later }
    Form { pes, duration }
    Offer { within, window, seed, expires, version, price, pes, solution }
    OfferTerms { search, order, ttl, tariff }
    Offered { solution, more }
    Part { offset, duration, pes }
    Placement { start, duration, pes }
    Preemption { min_run, keeps }
    PriceTerms { tariff, discount, budget }
    ProfileStep { at, busy }
    Rectangle { window, free }
    Request { ready, duration, deadline, pes }
    Reservation { request, window, state, ticket }
    Rule { phase, period, length }
    Shifting { direction, insertion, earliest, max_moves, work }
    Take { duration, pes }
    Version { revision, incarnation }
    Waiting { request, policy, commitment, key }
    Window { start, end }

    Broken { whose, request, place }
    Found { tried, limit, alternatives }
    Group { window, parts, terms, limits }
    Happening { at, whose, kind, ticket }
    Juggled { made, moves }
    Known { reservation, frozen, pes, layer }
    Lent { log, list, work }
    Machine { groups, kinds, missing, levels }
    Mould { ready, deadline, forms, policy, choice, terms }
    Moved { whose, from, to }
    Obstruction { start, lacking, at, holders }
    Outcome { answers, end }
    Placed { machine, classes, order }
    Recurrence { first, period, count, exceptions, policy, terms, limits }
    Risk { guarantee, threshold, law, ttl, list, lacking }
    Rules { sorting, always, retry, earliest, max_moves }
    Sight { moves, covering, known, work_left, logged }
    Size { kind, pes, horizon, capacity, discipline, jobs, has_layer }
    State {
        invariants, now, length, next_event, records, by_start, known, starting, waiting, shadow,
        next_queue_event, version, planned
    }
    Transact { log, work, calls, ending, watched }
    Wish { eligible, shape, within, preference }
    Wanted { sides, max_percent, behind, room }
}

variants! {
    Advanced { Done, EventsWaiting }
    Alteration {
        Shift { start }, Extend { duration }, Shorten { duration }, Widen { pes }, Narrow { pes },
        ChangeWindow { ready, deadline },
    }
    Commitment { Confirmed, Held { ttl }, Flexible { kind, freeze } }
    Failing { Number { lacking }, Groups { lacking }, Block { lacking } }
    Freeze { Never, Acceptance, Share { per_mille }, Lead { lead } }
    Guarantee { Access, Completion }
    Outage { Failure { until }, Maintenance { window } }
    Insertion { Slides { depth }, FewestMoves, LeastShift }
    Phase { Held { expires }, Confirmed, Running }

    Answer { Done, At(place), Starts(start), Made(number), Conflict(conflict), Pes(pes), Forced(place, broken), Out(parts, broken), Ruled(broken) }
    Call {
        Lift(number), Place(number, place), PlaceExactly(number, start, pes), PlaceFirstFit(number, from),
        Insert(request, start, terms), Remove(number), Alter(number, alteration),
        Split(number, at), Savepoint, RollbackTo(savepoint), Apply(moves), Conflict(own, place), ConflictExactly(own, window, pes),
        PesOf(number), ExtendByForce(number, until), TakeOut(outage, gone), SetRule(number, rule), Resize(gone),
    }
    Command {
        Remember, IsUnchanged, Size, Look, Get(number), PesOf(number), Extension(number), Covering(window), RulesDuring(window),
        FreeDuring(window), Rectangle(start, duration), Layer(number), CandidateStarts(request),
        Find(request, policy),
        ClassAdd(wish), ClassDrop(class), Failing(request, start), For(class, command),
        SetIncarnation(incarnation), SetQueueIncarnation(incarnation), Plan(request, policy),
        PlanMouldable(mould), Commit(terms), Book(request, policy, terms),
        BookExactly(window, pes, terms), ReserveOpen(pes, meeting), AnnounceEnd(number, at), Confirm(number),
        Cancel(number), Complete(number, at), Freeze(number), Bind(number, pes), Advance(to, room), Next(to),
        Alter(number, alteration, log), Split(number, at, log), Transact(transact), Series(all),
        Together(all), CancelAll(numbers), Explain(request, room),
        Juggle(newcomer, rules, lent, end), Alternatives(request, terms, rules, lent, wanted),
        ShiftIn(newcomer, rules, log, end),
        Relocate(newcomer, targets, log, end), Overlay(request, risk), Offers(query, terms, room),
        Accept(offer, take, terms),
        Queue(discipline), Submit(job), Withdraw(ticket), MakePreemptible(number, terms),
        ReservePreempting(request, policy, terms), Wait(request, policy, terms, key), SetKey(ticket, key), Requests,
        Shadow, AdvanceQueue(to, room), AdvancePulling(to, room), NextOfQueue(to),
    }
    Ending { Commit, Plan(room), Drop }
    JuggleEnd { AtOnce, Commit, Plan }
    Meeting { Refuse, Allow }
    Gone { Number(pes), These(pes) }
    Kind { Counts, Units, Sets, RuledCounts, RuledSets }
    Law { Part(part), Mean(mean), ServiceTimes(bin, counters), UsedShares(counters) }
    Reply {
        Done, Refused(reason, conflict), NoLayer, Class(class), Fails(failing), Unfit(fault), Is(so), Size(size), State(state),
        Reservation(known), Pes(pes), Named(numbers), Free(free), Rectangle(found), Starts(starts),
        At(start), Shadow(start), Moulded(request, start, price), Booked(number, start),
        Made(number), Several(start, numbers), Placed(place), Passed(far, events), Pulled(far, events, moves), Next(event),
        Transacted(outcome), Cancelled(number), Explained(explanation, obstacles),
        Juggled(juggled), Found(found), Overlaid(overlaid), Layer(layer), Offered(offered, offers),
        Waits(ticket), Requests(waiting),
    }
    Allowed { All, Groups(groups, kinds), Pes(mask) }
    Preferred { Lowest, Pack, Spread, Order(order), Compact(level) }
    Shaped { Number, PerGroup(pes), WholeGroups }
    Within { Anywhere, Required(level), Preferred(level) }
    Sorting { Deadline, Flexibility, Size, Acceptance, Shuffle(seed), Revenue }
}

/// The price of a slot on one PE without a reservation.
fn unreserved(tariff: &Tariff) -> Money {
    let price = tariff.best_effort(1, PeCount::new(1));
    price.expect("it is the price of one")
}

impl Text for bool {
    fn write(&self, to: &mut String) {
        put(to, if *self { "yes" } else { "no" });
    }

    fn read(words: &mut Words<'_>) -> Result<Self, Misread> {
        match words.next() {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => Err(words.misread(other, one_of(["yes", "no"]))),
        }
    }

    #[cfg(test)]
    fn draw(from: &mut Random) -> Self {
        from.below(2) == 0
    }
}

/// By the name of the reason, whichever kind it is.
impl Text for Error {
    fn write(&self, to: &mut String) {
        put(to, self.name());
    }

    fn read(words: &mut Words<'_>) -> Result<Self, Misread> {
        let word = words.next();
        let refusals = Refusal::ALL.iter().map(|reason| Self::Refused(*reason));
        let misuses = UsageError::ALL.iter().map(|reason| Self::Misused(*reason));
        let mut reasons = refusals.chain(misuses);
        let known = reasons.find(|reason| reason.name() == word);
        known.ok_or_else(|| words.misread(word, "the name of a reason"))
    }

    #[cfg(test)]
    fn draw(from: &mut Random) -> Self {
        if bool::draw(from) {
            Self::Refused(Refusal::draw(from))
        } else {
            Self::Misused(UsageError::draw(from))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kernel's own names of variants that hold something are the words.
    #[test]
    fn the_kernel_says_the_same_words() {
        let mut random = Random(1);
        for _ in 0..200 {
            let written = |value: &dyn Fn(&mut String)| {
                let mut text = String::new();
                value(&mut text);
                text.split(' ').next().unwrap_or_default().to_string()
            };
            let alteration = Alteration::draw(&mut random);
            assert_eq!(written(&|to| alteration.write(to)), alteration.name());
            let freeze = Freeze::draw(&mut random);
            assert_eq!(written(&|to| freeze.write(to)), freeze.name());
            let insertion = Insertion::draw(&mut random);
            assert_eq!(written(&|to| insertion.write(to)), insertion.name());
            let phase = Phase::draw(&mut random);
            assert_eq!(written(&|to| phase.write(to)), phase.name());
        }
    }
}
