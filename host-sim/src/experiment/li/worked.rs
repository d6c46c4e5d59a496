//! Claims 1.02 to 1.08 and 1.12: the worked example.

use bookahead::Policy;
use bookahead_oracle::papers::li::example::{
    ADDED, ADVANCED, CANDIDATES, DELETED, RECORDS, Seen, both_rings, rectangles,
};

use crate::error::Result;
use crate::experiment::{Claim, Finding, Kind, Row, claim, refused};

/// One line of the example: its claim, what the paper says and prints, what of it is compared, and a remark.
type Example = (
    &'static str,
    &'static str,
    &'static str,
    fn(&Seen) -> String,
    &'static str,
);

const RULE: &str = "t_i is slot i, N = 4, job1 on {0}, job2 on {1}, job3 on {0,1}, n = 1; the kernel's answers, with both rings, equal the paper's";

const LINES: [Example; 8] = [
    (
        "1.02",
        "Three jobs make five records.",
        "{t0,n1+n2} {t1,n1} {t3,0} {t8,n3} {t10,0}",
        |seen| records(&seen.records),
        "",
    ),
    (
        "1.03",
        "A request from t2 to t9 for t4-t2 is tried at four starts.",
        "t2, t3, t6, t7",
        |seen| times(seen.candidates.iter().copied()),
        "t7 = t9 - t_du shows that the deadline counts as a change.",
    ),
    (
        "1.04",
        "All four starts are feasible, with these rectangles for t2 and t3.",
        "t2: N-n1 in [t1,t8); t3: N in [t3,t8)",
        |seen| {
            // Those that the paper draws.
            let drawn = seen.rectangles.iter().take(2);
            let text = |(from, to, free): &_| format!("{free} free in [t{from},t{to})");
            let texts: Vec<String> = drawn.map(text).collect();
            format!("{} feasible; {}", seen.rectangles.len(), texts.join(", "))
        },
        "",
    ),
    (
        "1.05",
        "pe-worst-fit starts the job at t3.",
        "t3",
        |seen| times(start(seen, Policy::PeWorstFit)),
        "",
    ),
    (
        "1.06",
        "Booking it adds {t5,0} and no record at t3, which merges into that of t1.",
        "{t0,n1+n2} {t1,n1} {t5,0} {t8,n3} {t10,0}",
        |seen| records(&seen.added),
        "The job must get job1's processing elements for the records to merge; the lowest-numbered free are those.",
    ),
    (
        "1.07",
        "When job2 ends, the records of t0 and t1 become one.",
        "{t1,n1} {t5,0} {t8,n3} {t10,0}",
        |seen| {
            let both = [&seen.deleted, &seen.advanced];
            both.map(|list| records(list)).join("; then ")
        },
        "The text merges t1 into t0 and then prints t1: the first list is the view from t0 after the deletion, the second that after time has reached t1.",
    ),
    (
        "1.08",
        "Of t3 and t6, which share a rectangle, duration-best-fit and pe-worst-fit take the earlier.",
        "t3, t3",
        |seen| {
            let policies = [Policy::DurationBestFit, Policy::PeWorstFit].into_iter();
            let chosen = times(policies.filter_map(|policy| start(seen, policy)));
            let shared = seen.rectangles.get(1) == seen.rectangles.get(2);
            format!("shared: {shared}; {chosen}")
        },
        "",
    ),
    (
        "1.12",
        "In an empty system a job starts at its ready time.",
        "t2 under every policy",
        |seen| times(seen.empty.iter().map(|(_, start)| *start)),
        "",
    ),
];

/// The example as the paper prints it.
fn printed() -> Seen {
    let all = |start: u64| Policy::ALL.map(|policy| (policy, start)).to_vec();
    Seen {
        records: RECORDS.to_vec(),
        candidates: CANDIDATES.to_vec(),
        rectangles: rectangles(u64::MAX).to_vec(),
        // Both policies that it names choose t3.
        starts: all(3),
        added: ADDED.to_vec(),
        deleted: DELETED.to_vec(),
        advanced: ADVANCED.to_vec(),
        empty: all(2),
    }
}

/// Records with the number of busy processing elements.
fn records(records: &[(u64, u16)]) -> String {
    let text = |(at, busy): &(u64, u16)| format!("{{t{at},{busy}}}");
    records.iter().map(text).collect::<Vec<_>>().join(" ")
}

fn times(times: impl IntoIterator<Item = u64>) -> String {
    let texts: Vec<String> = times.into_iter().map(|at| format!("t{at}")).collect();
    texts.join(", ")
}

fn start(seen: &Seen, policy: Policy) -> Option<u64> {
    let found = seen.starts.iter().find(|(other, _)| *other == policy);
    found.map(|(_, start)| *start)
}

/// The claims, by what early and late binding answer.
pub(super) fn claims() -> Result<Vec<Claim>> {
    let both = both_rings().map_err(refused)?;
    let line = |(id, says, printed, look, remark): Example| {
        let found = judge(&both, look).by_rule(RULE);
        claim(id, Kind::Worked, says, printed, found).remark(remark)
    };
    Ok(LINES.map(line).into())
}

fn judge(both: &[Seen; 2], look: fn(&Seen) -> String) -> Finding {
    let [early, late] = both.each_ref().map(look);
    let measured = match early == late {
        true => format!("{early} with both rings"),
        false => format!("{early} with early, {late} with late binding"),
    };
    let printed = look(&printed());
    let answers = [("early binding", early), ("late binding", late)];
    let answers = answers.map(|(who, seen)| Row::exact(who, &printed, seen));
    Finding::all_of(measured, answers)
}

#[cfg(test)]
mod tests {
    use super::{LINES, both_rings, judge};
    use crate::statistics::Verdict;

    #[test]
    fn the_example_holds_and_every_line_of_it_can_fail() {
        let both = both_rings().unwrap();
        let mut wrong = both.clone();
        let late = &mut wrong[1];
        late.records.pop();
        late.candidates.push(8);
        late.rectangles.swap(0, 1);
        late.starts.iter_mut().for_each(|(_, start)| *start = 6);
        late.added.clear();
        late.deleted.clear();
        late.empty.clear();
        for (id, .., look, _) in LINES {
            assert_eq!(judge(&both, look).verdict(), Verdict::Holds, "{id}");
            assert_eq!(judge(&wrong, look).verdict(), Verdict::Fails, "{id}");
        }
    }
}
