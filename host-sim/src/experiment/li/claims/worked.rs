//! Claims 1.02 to 1.08 and 1.12: the worked example.

use bookahead::Policy;

use super::super::example::Seen;
use crate::experiment::{
    claims::{Claim, Row},
    rules::{Judgement, Verdict},
};

/// One line of the example: what it says, and what was seen of it.
type Line = (Claim, fn(&Seen) -> Found);

/// What the paper prints and what came out, as text of one kind.
struct Found {
    printed: String,
    seen: String,
    note: &'static str,
}

const fn found(printed: String, seen: String) -> Found {
    Found {
        printed,
        seen,
        note: "",
    }
}

/// Records with the number of busy processing elements.
fn records(records: &[(u64, u16)]) -> String {
    let texts: Vec<String> = records
        .iter()
        .map(|(at, busy)| format!("{{t{at},{busy}}}"))
        .collect();
    texts.join(" ")
}

fn times(times: impl IntoIterator<Item = u64>) -> String {
    let texts: Vec<String> = times.into_iter().map(|at| format!("t{at}")).collect();
    texts.join(", ")
}

/// How many are feasible, and the first two.
fn rectangles(feasible: usize, first: &[(u64, u64, u16)]) -> String {
    let texts: Vec<String> = first
        .iter()
        .take(2)
        .map(|(from, to, free)| format!("{free} free in [t{from},t{to})"))
        .collect();
    format!("{feasible} feasible; {}", texts.join(", "))
}

const RULE: &str = "t_i is slot i, N = 4, job1 on {0}, job2 on {1}, job3 on {0,1}, n = 1; the kernel's answers, with both rings, equal the paper's.";

const fn claim(id: &'static str, claim: &'static str, claimed: &'static str) -> Claim {
    Claim {
        id,
        kind: "W",
        claim,
        claimed,
        rule: RULE,
    }
}

const LINES: [Line; 8] = [
    (
        claim(
            "1.02",
            "Three jobs make five records.",
            "{t0,n1+n2} {t1,n1} {t3,0} {t8,n3} {t10,0}",
        ),
        |seen| {
            let printed = [(0, 2), (1, 1), (3, 0), (8, 2), (10, 0)];
            found(records(&printed), records(&seen.records))
        },
    ),
    (
        claim(
            "1.03",
            "A request from t2 to t9 for t4-t2 is tried at four starts.",
            "t2, t3, t6, t7",
        ),
        |seen| Found {
            note: "t7 = t9 - t_du shows that the deadline counts as a change.",
            ..found(times([2, 3, 6, 7]), times(seen.candidates.clone()))
        },
    ),
    (
        claim(
            "1.04",
            "All four starts are feasible, with these rectangles for t2 and t3.",
            "t2: N-n1 in [t1,t8); t3: N in [t3,t8)",
        ),
        |seen| {
            let printed = rectangles(4, &[(1, 8, 3), (3, 8, 4)]);
            found(printed, rectangles(seen.rectangles.len(), &seen.rectangles))
        },
    ),
    (
        claim("1.05", "PE worst fit starts the job at t3.", "t3"),
        |seen| found(times([3]), times(start(seen, Policy::PeWorstFit))),
    ),
    (
        claim(
            "1.06",
            "Booking it adds {t5,0} and no record at t3, which merges into that of t1.",
            "{t0,n1+n2} {t1,n1} {t5,0} {t8,n3} {t10,0}",
        ),
        |seen| Found {
            note: "The job must get job1's processing elements for the records to merge; the lowest-numbered free are those.",
            ..found(
                records(&[(0, 2), (1, 1), (5, 0), (8, 2), (10, 0)]),
                records(&seen.added),
            )
        },
    ),
    (
        claim(
            "1.07",
            "When job2 ends, the records of t0 and t1 become one.",
            "{t1,n1} {t5,0} {t8,n3} {t10,0}",
        ),
        |seen| Found {
            note: "The text merges t1 into t0 and then prints t1: the first list is the view from t0 after the deletion, the second that after time has reached t1.",
            ..found(
                both_sides(
                    &[(0, 1), (5, 0), (8, 2), (10, 0)],
                    &[(1, 1), (5, 0), (8, 2), (10, 0)],
                ),
                both_sides(&seen.deleted, &seen.advanced),
            )
        },
    ),
    (
        claim(
            "1.08",
            "Of t3 and t6, which share a rectangle, duration best fit and PE worst fit take the earlier.",
            "t3, t3",
        ),
        |seen| {
            let policies = [Policy::DurationBestFit, Policy::PeWorstFit];
            let chosen = policies
                .into_iter()
                .filter_map(|policy| start(seen, policy));
            let shared = seen.rectangles.get(1) == seen.rectangles.get(2);
            let text = |shared: bool, chosen: String| format!("shared: {shared}; {chosen}");
            found(text(true, times([3, 3])), text(shared, times(chosen)))
        },
    ),
    (
        claim(
            "1.12",
            "In an empty system a job starts at its ready time.",
            "t2 under every policy",
        ),
        |seen| {
            let starts = seen.empty.iter().map(|(_, start)| *start);
            found(times([2; 7]), times(starts))
        },
    ),
];

fn both_sides(deleted: &[(u64, u16)], advanced: &[(u64, u16)]) -> String {
    format!("{}; then {}", records(deleted), records(advanced))
}

fn start(seen: &Seen, policy: Policy) -> Option<u64> {
    let found = seen.starts.iter().find(|(other, _)| *other == policy);
    found.map(|(_, start)| *start)
}

/// The rows, from what early and late binding answered.
pub(super) fn rows(both: &[Seen; 2]) -> Vec<Row> {
    LINES
        .into_iter()
        .map(|(claim, look)| Row::new(claim, judge(&both.each_ref().map(look))))
        .collect()
}

fn judge(found: &[Found; 2]) -> Judgement {
    let [early, late] = found;
    let same = |found: &Found| Verdict::of(found.seen == found.printed);
    let measured = if early.seen == late.seen {
        format!("{} with both rings", early.seen)
    } else {
        format!("{} with early, {} with late binding", early.seen, late.seen)
    };
    Judgement {
        verdict: Verdict::all(found.iter().map(same)),
        measured,
        ci95: None,
        note: early.note.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{LINES, judge};
    use crate::experiment::{li::example, rules::Verdict};

    #[test]
    fn the_example_holds_and_every_line_of_it_can_fail() {
        let both = example::both_rings().unwrap();
        for (claim, look) in LINES {
            assert_eq!(
                judge(&both.each_ref().map(look)).verdict,
                Verdict::Holds,
                "{}",
                claim.id
            );
        }
        let mut wrong = both;
        let late = &mut wrong[1];
        late.records.pop();
        late.candidates.push(8);
        late.rectangles.swap(0, 1);
        late.starts.iter_mut().for_each(|(_, start)| *start = 6);
        late.added.clear();
        late.deleted.clear();
        late.empty.clear();
        for (claim, look) in LINES {
            assert_eq!(
                judge(&wrong.each_ref().map(look)).verdict,
                Verdict::Fails,
                "{}",
                claim.id
            );
        }
    }
}
