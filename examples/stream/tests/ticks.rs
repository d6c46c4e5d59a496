//! The widened counter against one that never wraps.

use bookahead_stream::Ticks;

/// From any first reading, any step up to the longest allowed; several turns of the counter.
#[test]
fn it_counts_on_across_the_wrap() {
    let firsts = [0, 1, u32::MAX / 2, u32::MAX - 1, u32::MAX];
    let steps = [0, 1, 2, 99, u32::MAX / 3, u32::MAX - 1, u32::MAX];
    for first in firsts {
        let mut ticks = Ticks::starting_at(first);
        let mut truth = u64::from(first);
        for step in steps
            .into_iter()
            .chain(steps.into_iter().rev())
            .cycle()
            .take(200)
        {
            truth += u64::from(step);
            let total = ticks.total(truth as u32);
            assert_eq!(total, truth - u64::from(first), "{first} {step}");
        }
        assert!(truth > 50 << 32);
    }
}

/// Every reading of a counter of 8 bits, one after the other and over several turns.
#[test]
fn a_narrow_counter_is_read_shifted() {
    let mut ticks = Ticks::starting_at(200 << 24);
    for truth in 0..2_000 {
        let counter = (200 + truth) as u8;
        assert_eq!(ticks.total(u32::from(counter) << 24) >> 24, truth);
    }
}
