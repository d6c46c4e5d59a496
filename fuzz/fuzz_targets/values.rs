//! The kernel's value types from JSON, names and numbers: what is taken comes back as it went, and no value harms a book.
#![no_main]

use std::fmt::Debug;

use bookahead::{
    CountBook, Error, Event, EventKind, Handle, Misuse, Pe, PeCount, Policy, Refusal, Request,
    Reservation, Slot, SlotClock, Span, State, Window,
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
    let mut memory = CountBook::<1, 4, 4>::new(4, 64).expect("the size fits");
    let mut book = memory.view();
    for policy in Policy::ALL {
        if let Ok(booking) = book.reserve(request, policy) {
            let window = book.get(booking.handle).expect("it was just made").window;
            assert!(request.ready <= window.start && window.end <= request.deadline);
            assert!(request.latest_start() >= Some(booking.start));
        }
    }
    assert_eq!(book.check_invariants(), Ok(()));
}

fn name_unknown(handle: Handle) {
    assert_eq!(Handle::from_bits(handle.to_bits()), handle);
    let mut memory = CountBook::<1, 4, 4>::new(4, 64).expect("the size fits");
    let mut book = memory.view();
    let unknown = Err(Error::from(Misuse::UnknownHandle));
    assert_eq!(book.confirm(handle), unknown);
    assert_eq!(book.cancel(handle), unknown);
    assert_eq!(book.complete(handle, Slot::new(0)), unknown);
    assert_eq!(book.get(handle).map(drop), unknown);
    assert_eq!(book.pes_of(handle).map(drop), unknown);
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
    comes_back::<Misuse>(bytes);
    comes_back::<Error>(bytes);
    comes_back::<State>(bytes);
    comes_back::<Reservation>(bytes);
    if let Some(policy) = comes_back::<Policy>(bytes) {
        assert_eq!(Policy::from_name(policy.name()), Some(policy));
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
    }
});
