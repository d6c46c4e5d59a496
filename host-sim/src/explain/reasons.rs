//! What the names of reasons, strategies and policies mean, in words.

/// Names of reasons and what they mean, behind "It was refused:".
const MEANINGS: &[(&str, &str)] = &[
    ("no-room", "no start in its window had room"),
    (
        "table-full",
        "as many reservations as the book can hold were booked",
    ),
    ("too-wide", "it asks for more PEs than the machine has"),
    ("too-long", "it asks for more time than can be booked ahead"),
    ("ready-in-past", "it was to start before it was asked for"),
    ("zero-duration", "it asks for no time"),
    ("zero-pes", "it asks for no PEs"),
    ("zero-hold", "it is a hold that lasts no time"),
    (
        "window-too-short",
        "its window is shorter than its duration",
    ),
    (
        "lost-to-rounding",
        "it fits its window in seconds, but not in whole slots",
    ),
    (
        "beyond-horizon",
        "its window reaches beyond the slots that can be booked ahead",
    ),
    (
        "end-of-time",
        "it lies behind the last slot that can be counted",
    ),
    ("nothing-eligible", "no node is left that it accepts"),
    (
        "bad-shape",
        "it asks for PEs in a form that the machine does not have",
    ),
    (
        "uneven-groups",
        "it asks for whole nodes, and those that it accepts differ",
    ),
    (
        "not-whole-groups",
        "its PEs are not a whole number of the nodes it asks for",
    ),
    (
        "not-eligible",
        "even with nothing booked, the nodes that it accepts do not have what it asks for",
    ),
    (
        "too-risky",
        "on top of others it would be kept with too small a probability",
    ),
    (
        "move-limit",
        "making room would have moved more reservations than may be moved",
    ),
    (
        "work-limit",
        "the search for room was ended at its work limit",
    ),
    (
        "removed-late",
        "its latest start had passed before there was room",
    ),
    (
        "overtaken",
        "what it was offered had been booked by another",
    ),
    ("offer-expired", "it took too long to accept an offer"),
    ("price-overflow", "its price is more than can be said"),
    ("queue-full", "every place of the queue was taken"),
    ("outside-window", "its place would lie outside its window"),
    ("over-budget", "its price is more than its budget"),
    ("scratch-too-short", "the search had too little memory"),
    ("pinned", "it would move what may not be moved"),
];

/// Reasons behind which stands how much was free.
const OF_ROOM: [&str; 4] = ["no-room", "too-risky", "move-limit", "work-limit"];

/// What a reason means.
pub(crate) fn meaning(reason: &str) -> &'static str {
    let found = MEANINGS.iter().find(|(name, _)| *name == reason);
    found.map_or("for a reason of its own", |(_, meaning)| meaning)
}

/// Whether it depends on what is booked.
pub(super) fn is_of_room(reason: &str) -> bool {
    OF_ROOM.contains(&reason)
}

/// What a policy takes.
const POLICIES: [(&str, &str); 7] = [
    ("first-fit", "First fit takes the earliest start with room."),
    (
        "pe-best-fit",
        "PE best fit takes the start from which the fewest PEs are free all through.",
    ),
    (
        "pe-worst-fit",
        "PE worst fit takes the start from which the most PEs are free all through.",
    ),
    (
        "duration-best-fit",
        "Duration best fit takes the start around which its PEs stay free for the shortest time.",
    ),
    (
        "duration-worst-fit",
        "Duration worst fit takes the start around which its PEs stay free for the longest time.",
    ),
    (
        "pe-duration-best-fit",
        "PE-duration best fit takes the start with the least product of free PEs and the time they stay free.",
    ),
    (
        "pe-duration-worst-fit",
        "PE-duration worst fit takes the start with the greatest product of free PEs and the time they stay free.",
    ),
];

/// What strategies beside `fit` do.
const STRATEGIES: [(&str, &str); 6] = [
    (
        "rigid",
        "A rigid reservation starts at its ready time or not at all.",
    ),
    (
        "elastic",
        "The strategy elastic has no policy: of what is free in the window, it offers several places. A user takes all that was asked for if that is offered, else the longest offer of at least half the time and at least half the PEs, unless only all will do.",
    ),
    (
        "juggle",
        "The strategy juggle places flexible reservations anew to make room.",
    ),
    (
        "shift",
        "The strategy shift moves flexible reservations aside to make room.",
    ),
    (
        "juggle-shift",
        "The strategy juggle-shift moves flexible reservations aside, or places them anew, to make room.",
    ),
    (
        "overlay",
        "The strategy overlay books on top of others that will probably end early.",
    ),
];

/// The rule by which a start was found; where there was no room before, what made some, or what did without.
pub(super) fn rule(
    [strategy, policy, _]: [Option<&str>; 3],
    had_no_room: bool,
) -> Option<&'static str> {
    let of = |table: &'static [(&str, &str)], name: Option<&str>| {
        let found = table.iter().find(|(known, _)| Some(*known) == name);
        found.map(|(_, words)| *words)
    };
    let has_no_policy = ["rigid", "elastic"].map(Some).contains(&strategy);
    match of(&STRATEGIES, strategy) {
        Some(words) if had_no_room || policy.is_none() || has_no_policy => Some(words),
        _ => of(&POLICIES, policy),
    }
}

/// Whom a discipline lets start.
pub(super) fn discipline(name: Option<&str>) -> Option<&'static str> {
    match name? {
        "fcfs" => Some("First come, first served: nobody passes the first of the queue."),
        "easy" => {
            Some("EASY: a job passes others when that does not delay the first of the queue.")
        }
        "conservative" => {
            Some("Conservative backfilling: a job passes others when that delays none of them.")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use bookahead::{Policy, Refusal, UsageError};

    use super::{MEANINGS, POLICIES};

    #[test]
    fn whatever_the_scheduler_says_has_a_meaning() {
        let of_misuse = [UsageError::ZeroDuration, UsageError::ZeroPes];
        let of_misuse = of_misuse.into_iter().map(UsageError::name);
        let names = Refusal::ALL.iter().map(|refusal| refusal.name());
        for name in names.chain(of_misuse) {
            assert!(MEANINGS.iter().any(|(known, _)| *known == name), "{name}");
        }
        let policies = POLICIES.map(|(name, _)| name);
        assert_eq!(policies, Policy::ALL.map(Policy::name));
    }
}
