//! Seconds and slots at their limits.

use bookahead::{Slot, SlotClock, Span};

#[test]
fn slots_of_no_length_are_no_clock() {
    assert_eq!(SlotClock::new(0, 0), None);
}

#[test]
fn edges_belong_to_the_slot_that_begins_there() {
    let clock = SlotClock::new(60, 1_000).unwrap();
    for (seconds, up, down) in [
        (1_000, 0, 0),
        (1_001, 1, 0),
        (1_059, 1, 0),
        (1_060, 1, 1),
        (1_061, 2, 1),
    ] {
        assert_eq!(
            clock.slot_rounding_up(seconds),
            Some(Slot::new(up)),
            "{seconds}"
        );
        assert_eq!(
            clock.slot_rounding_down(seconds),
            Some(Slot::new(down)),
            "{seconds}"
        );
    }
    assert_eq!(clock.slot_rounding_up(999), None);
    assert_eq!(clock.slot_rounding_down(999), None);
}

#[test]
fn durations_round_up_until_a_span_cannot_say_them() {
    let clock = SlotClock::new(10, 0).unwrap();
    assert_eq!(clock.span_rounding_up(0), Some(Span::ZERO));
    assert_eq!(clock.span_rounding_up(1), Some(Span::new(1)));
    assert_eq!(clock.span_rounding_up(10), Some(Span::new(1)));
    assert_eq!(clock.span_rounding_up(11), Some(Span::new(2)));
    let longest = u64::from(u32::MAX) * 10;
    assert_eq!(clock.span_rounding_up(longest), Some(Span::new(u32::MAX)));
    assert_eq!(clock.span_rounding_up(longest + 1), None);
    assert_eq!(clock.span_rounding_up(u64::MAX), None);
}

#[test]
fn the_end_of_time_is_no_slot_edge() {
    let second = SlotClock::new(1, 0).unwrap();
    assert_eq!(second.slot_rounding_up(u64::MAX), Some(Slot::new(u64::MAX)));
    assert_eq!(second.seconds(Slot::new(u64::MAX)), Some(u64::MAX));
    let minute = SlotClock::new(60, 7).unwrap();
    let last = minute.slot_rounding_down(u64::MAX).unwrap();
    assert!(minute.seconds(last).is_some());
    assert_eq!(minute.seconds(Slot::new(last.get() + 1)), None);
    assert_eq!(minute.slot_seconds(), 60);
}
