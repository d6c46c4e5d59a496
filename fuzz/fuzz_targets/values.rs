//! The kernel's value types from JSON, names and numbers: what is taken comes back as it went, and no value harms a book.
#![no_main]

use std::fmt::Debug;

use bookahead::{
    BestEffortJob, Commitment, CountBook, Discipline, ElasticRequest, Error, Event, EventKind,
    Factor, Form, FormChoice, Handle, JobQueue, MalleableJob, Money, Offer, OfferOrder, OfferTerms,
    Pe, PeCount, Policy, PriceTerms, Refusal, Request, Reservation, Search, Slot, SlotClock, Span,
    State, Take, Tariff, Ticket, UsageError, Window,
};
use libfuzzer_sys::fuzz_target;
use serde::{Serialize, de::DeserializeOwned};

fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(bytes: &[u8]) -> Option<T> {
    let value: T = serde_json::from_slice(bytes).ok()?;
    let text = serde_json::to_string(&value).expect("a value can be written");
    let back: T = serde_json::from_str(&text).expect("what was written can be read");
    assert_eq!(back, value, "{text}");
    Some(value)
}

fn ask(request: &Request) {
    let mut memory =
        CountBook::<1, 4, 4>::new(PeCount::new(4), Span::new(64)).expect("the size fits");
    let mut book = memory.view();
    for policy in Policy::ALL {
        if let Ok(booking) = book.reserve(request, policy, Commitment::Confirmed) {
            let window = book.get(booking.handle).expect("it was just made").window;
            assert!(request.ready <= window.start && window.end <= request.deadline);
            assert!(request.latest_start() >= Some(booking.start));
        }
    }
    assert_eq!(book.check_invariants(), Ok(()));
}

fn name_unknown(handle: Handle) {
    assert_eq!(Handle::from_bits(handle.to_bits()), handle);
    let mut memory =
        CountBook::<1, 4, 4>::new(PeCount::new(4), Span::new(64)).expect("the size fits");
    let mut book = memory.view();
    let unknown = Err(Error::from(UsageError::UnknownHandle));
    assert_eq!(book.confirm(handle), unknown);
    assert_eq!(book.cancel(handle), unknown);
    assert_eq!(book.complete(handle, Slot::new(0)), unknown);
    assert_eq!(book.get(handle).map(drop), unknown);
    assert_eq!(book.pes_of(handle).map(drop), unknown);
}

/// Whatever is offered lies where it was asked for, and can be had.
fn inquire(query: &ElasticRequest) {
    for search in Search::ALL {
        let mut memory =
            CountBook::<1, 4, 4>::new(PeCount::new(4), Span::new(64)).expect("the size fits");
        let mut book = memory.view();
        let terms = OfferTerms {
            search,
            order: OfferOrder::Longest,
            ttl: Span::new(1),
            tariff: Tariff::FREE,
        };
        let mut offers = heapless::Vec::<Offer, 4>::new();
        if book.offers(query, &terms, &mut offers).is_ok() {
            let offer = offers.first().expect("there is one, or it is refused");
            assert!(query.ready <= offer.window.start && offer.window.end <= query.deadline);
            let booking = book.accept(offer, offer.whole(), Commitment::Confirmed);
            assert_eq!(booking.map(|booking| booking.start), Ok(offer.window.start));
        }
    }
}

/// An offer that nobody has made: whatever becomes of it, the book is sound.
fn take(offer: &Offer) {
    let mut memory =
        CountBook::<1, 4, 4>::new(PeCount::new(4), Span::new(64)).expect("the size fits");
    let mut book = memory.view();
    let one = Take {
        duration: Span::new(1),
        pes: PeCount::new(1),
    };
    for take in [offer.whole(), one] {
        if let Ok(booking) = book.accept(offer, take, Commitment::Confirmed) {
            let window = book.get(booking.handle).expect("it was just made").window;
            assert!(offer.window.start <= window.start && window.end <= offer.window.end);
            assert_eq!(offer.start_of(take.duration), Some(booking.start));
        }
    }
    assert_eq!(book.check_invariants(), Ok(()));
}

/// A job is refused, or starts at once on an idle machine.
fn submit(job: &BestEffortJob) {
    let mut memory =
        CountBook::<1, 4, 4>::new(PeCount::new(4), Span::new(64)).expect("the size fits");
    let mut book = memory.view();
    let mut waiting = JobQueue::<2>::new(Discipline::Easy);
    let mut queue = waiting.view();
    let Ok(ticket) = queue.submit(&mut book, job) else {
        return;
    };
    let mut events = heapless::Vec::<Event, 2>::new();
    let _ = queue.advance(&mut book, Slot::new(0), &mut events);
    let handle = events.first().expect("nobody is in its way").handle;
    let started = book.get(handle).expect("it runs").ticket;
    assert_eq!(started, Some(ticket));
    assert_eq!(
        queue.withdraw(ticket),
        Err(UsageError::UnknownTicket.into())
    );
}

/// The rate is what the fraction says, rounded to the nearest.
fn charge(base: Money, factor: Factor, slot_units: u32) {
    let Some(tariff) = Tariff::new(base, factor, slot_units) else {
        return;
    };
    // Twice 2^32 times the rate, which lies within half a unit of the product.
    let unreserved = u128::from(base.get()) * u128::from(slot_units);
    let exact = unreserved.checked_mul(u128::from(factor.to_bits()) << 1);
    let exact = exact.expect("its quotient by 2^33 has 64 bits");
    let twice = u128::from(tariff.slot_rate().get()) << 33;
    assert!(twice <= exact + (1 << 32) && exact < twice + (1 << 32));
}

/// Each form has room for the work, none has a slot or a PE too many, and they grow wider and shorter.
fn translate(job: &MalleableJob) {
    let work = u128::from(job.work);
    let area = |pes: u64, slots: u64| u128::from(pes) * u128::from(slots);
    let mut last: Option<Form> = None;
    for form in job.forms().take(100) {
        let (pes, slots) = (u64::from(form.pes.get()), u64::from(form.duration.get()));
        assert!(job.least <= form.pes && form.pes <= job.most);
        assert!(area(pes, slots) >= work && area(pes, slots - 1) < work);
        assert!(form.pes == job.least || area(pes - 1, slots) < work);
        if let Some(last) = last {
            assert!(last.pes < form.pes && last.duration > form.duration);
        }
        last = Some(form);
    }
}

/// A discount takes no more off than it may, and a price beyond the budget is refused.
fn discount(terms: &PriceTerms) {
    for (duration, slack) in [
        (1, 0),
        (1, 1),
        (7, 3),
        (1_000, 1 << 40),
        (u32::MAX, u32::MAX.into()),
    ] {
        let request = Request {
            ready: Slot::new(5),
            duration: Span::new(duration),
            deadline: Slot::new(5 + u64::from(duration) + slack),
            pes: PeCount::new(3),
        };
        let (Ok(full), Ok(price)) = (
            terms.tariff.reserved(request.duration, request.pes),
            terms.tariff.discounted(&request, &terms.discount),
        ) else {
            continue;
        };
        // In 2^-32 micro-units.
        let (full, paid) = (u128::from(full.get()), u128::from(price.get()) << 32);
        let least = full * (1 << 32) - full * u128::from(terms.discount.most);
        assert!(paid <= full << 32 && paid >= least);
        assert!(slack > 0 || paid == full << 32);
        let refused = Err(Refusal::OverBudget.into());
        let expected = if price > terms.budget {
            refused
        } else {
            Ok(price)
        };
        assert_eq!(terms.price(&request), expected);
    }
}

/// A slot is never outside the seconds it stands for, and a span never shorter.
fn convert(clock: SlotClock, seconds: u64) {
    let width = u64::from(clock.slot_seconds());
    if let Some(slot) = clock.slot_rounding_down(seconds) {
        let begins = clock.seconds(slot).expect("it is no later than `seconds`");
        assert!(begins <= seconds && seconds - begins < width);
    }
    if let Some(slot) = clock.slot_rounding_up(seconds)
        && let Some(begins) = clock.seconds(slot)
    {
        assert!(begins >= seconds && begins - seconds < width);
    }
    if let Some(span) = clock.span_rounding_up(seconds) {
        let holds = u64::from(span.get()).saturating_mul(width);
        assert!(holds >= seconds && holds - seconds < width);
    }
}

fuzz_target!(|bytes: &[u8]| {
    comes_back::<Slot>(bytes);
    comes_back::<Span>(bytes);
    comes_back::<Window>(bytes);
    comes_back::<Pe>(bytes);
    comes_back::<PeCount>(bytes);
    comes_back::<EventKind>(bytes);
    comes_back::<Event>(bytes);
    comes_back::<Refusal>(bytes);
    comes_back::<UsageError>(bytes);
    comes_back::<Error>(bytes);
    comes_back::<State>(bytes);
    comes_back::<Reservation>(bytes);
    comes_back::<Money>(bytes);
    comes_back::<Tariff>(bytes);
    comes_back::<Take>(bytes);
    if let Some(policy) = comes_back::<Policy>(bytes) {
        assert_eq!(Policy::from_name(policy.name()), Some(policy));
    }
    if let Some(search) = comes_back::<Search>(bytes) {
        assert_eq!(Search::from_name(search.name()), Some(search));
    }
    if let Some(order) = comes_back::<OfferOrder>(bytes) {
        assert_eq!(OfferOrder::from_name(order.name()), Some(order));
    }
    if let Some(discipline) = comes_back::<Discipline>(bytes) {
        assert_eq!(Discipline::from_name(discipline.name()), Some(discipline));
    }
    if let Some(choice) = comes_back::<FormChoice>(bytes) {
        assert_eq!(FormChoice::from_name(choice.name()), Some(choice));
    }
    if let Some(job) = comes_back::<MalleableJob>(bytes) {
        translate(&job);
    }
    if let Some(terms) = comes_back::<PriceTerms>(bytes) {
        discount(&terms);
    }
    if let Some(ticket) = comes_back::<Ticket>(bytes) {
        assert_eq!(Ticket::from_number(ticket.get()), Some(ticket));
    }
    if let Some(query) = comes_back::<ElasticRequest>(bytes) {
        inquire(&query);
    }
    if let Some(offer) = comes_back::<Offer>(bytes) {
        take(&offer);
    }
    if let Some(job) = comes_back::<BestEffortJob>(bytes) {
        submit(&job);
    }
    if let Some(request) = comes_back::<Request>(bytes) {
        ask(&request);
    }
    if let Some(handle) = comes_back::<Handle>(bytes) {
        name_unknown(handle);
    }
    if let Some(policy) = str::from_utf8(bytes).ok().and_then(Policy::from_name) {
        assert_eq!(policy.name().as_bytes(), bytes);
    }
    if let Some((width, rest)) = bytes.split_first_chunk()
        && let Some((epoch, rest)) = rest.split_first_chunk()
        && let Some((seconds, _)) = rest.split_first_chunk()
    {
        let (width, epoch) = (u32::from_le_bytes(*width), u64::from_le_bytes(*epoch));
        if let Some(clock) = SlotClock::new(width, epoch) {
            convert(clock, u64::from_le_bytes(*seconds));
        }
        let factor = Factor::from_bits(u64::from_le_bytes(*seconds));
        charge(Money::new(epoch), factor, width);
    }
});
