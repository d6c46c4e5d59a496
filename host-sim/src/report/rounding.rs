//! What to do where many requests are lost to rounding.

use super::words::{Setting, grouped, plural};
use crate::engine::{
    System,
    rounding::{self, Losses},
};

/// How many of the requests were lost, and which slots would lose less; nothing where that is hardly any. `lost` of them were refused on a machine of so
/// many slots of so many seconds; `losses` are those [below](Losses::below) that. What to do is `said` in options or keys.
pub(crate) fn advice(
    lost: usize,
    losses: &Losses,
    [slots, slot_seconds]: [u32; 2],
    said: Setting,
) -> Option<String> {
    let count = losses.requests();
    if !rounding::distorts(lost, count) {
        return None;
    }
    let share = |lost: usize| 100.0 * lost as f64 / count as f64;
    let (shorter, less) = losses.longest();
    let horizon = u64::from(slots) * u64::from(slot_seconds);
    let slots = horizon.div_ceil(u64::from(shorter));
    let slots = match slots <= u64::from(System::MOST_SLOTS) {
        true => format!("{} for the same horizon", said.with("slots", slots)),
        false => format!(
            "{}, which is the most there can be",
            said.with("slots", System::MOST_SLOTS)
        ),
    };
    Some(format!(
        "{} of {} ({:.1} %) fit their windows in seconds, but not in whole slots of {slot_seconds} s, and were refused as \
         lost-to-rounding, whatever the policy. Acceptance says as much about the slots as about the policies then. Slots of {shorter} s \
         lose {:.2} %: {}, and {slots}.",
        grouped(lost),
        plural(count, "request"),
        share(lost),
        share(less),
        said.with("slot-seconds", shorter),
    ))
}
