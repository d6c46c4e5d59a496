//! Claims 1.02 to 1.08 and 1.12: the worked example.

use bookahead::Policy;
use bookahead_oracle::papers::li::example::{self, Seen};

use crate::{
    error::{Error, Result},
    experiment::{
        basis::{Exact, exactly},
        claims::Claim,
        comparison::Judgement,
    },
};

/// What the paper prints and what came out, as texts of one kind.
type Texts = (String, String);

/// One line of the example: its claim, what was seen of it, and a remark.
type Line = (&'static str, fn(&Seen) -> Texts, &'static str);

const RULE: &str = "t_i is slot i, N = 4, job1 on {0}, job2 on {1}, job3 on {0,1}, n = 1; the kernel's answers, with both rings, equal the paper's";

const LINES: [Line; 8] = [
    (
        "1.02",
        |seen| {
            let printed = [(0, 2), (1, 1), (3, 0), (8, 2), (10, 0)];
            (records(&printed), records(&seen.records))
        },
        "",
    ),
    (
        "1.03",
        |seen| (times([2, 3, 6, 7]), times(seen.candidates.clone())),
        "t7 = t9 - t_du shows that the deadline counts as a change.",
    ),
    (
        "1.04",
        |seen| {
            let printed = rectangles(4, &[(1, 8, 3), (3, 8, 4)]);
            (printed, rectangles(seen.rectangles.len(), &seen.rectangles))
        },
        "",
    ),
    (
        "1.05",
        |seen| (times([3]), times(start(seen, Policy::PeWorstFit))),
        "",
    ),
    (
        "1.06",
        |seen| {
            let printed = [(0, 2), (1, 1), (5, 0), (8, 2), (10, 0)];
            (records(&printed), records(&seen.added))
        },
        "The job must get job1's processing elements for the records to merge; the lowest-numbered free are those.",
    ),
    (
        "1.07",
        |seen| {
            let deleted = [(0, 1), (5, 0), (8, 2), (10, 0)];
            let advanced = [(1, 1), (5, 0), (8, 2), (10, 0)];
            (
                both_sides(&deleted, &advanced),
                both_sides(&seen.deleted, &seen.advanced),
            )
        },
        "The text merges t1 into t0 and then prints t1: the first list is the view from t0 after the deletion, the second that after time has reached t1.",
    ),
    (
        "1.08",
        |seen| {
            let policies = [Policy::DurationBestFit, Policy::PeWorstFit];
            let chosen = policies
                .into_iter()
                .filter_map(|policy| start(seen, policy));
            let shared = seen.rectangles.get(1) == seen.rectangles.get(2);
            let text = |shared: bool, chosen: String| format!("shared: {shared}; {chosen}");
            (text(true, times([3, 3])), text(shared, times(chosen)))
        },
        "",
    ),
    (
        "1.12",
        |seen| {
            let starts = seen.empty.iter().map(|(_, start)| *start);
            (times([2; 7]), times(starts))
        },
        "",
    ),
];

/// Records with the number of busy processing elements.
fn records(records: &[(u64, u16)]) -> String {
    let text = |(at, busy): &(u64, u16)| format!("{{t{at},{busy}}}");
    records.iter().map(text).collect::<Vec<_>>().join(" ")
}

fn times(times: impl IntoIterator<Item = u64>) -> String {
    let texts: Vec<String> = times.into_iter().map(|at| format!("t{at}")).collect();
    texts.join(", ")
}

/// How many are feasible, and the first two.
fn rectangles(feasible: usize, first: &[(u64, u64, u16)]) -> String {
    let text = |(from, to, free): &(u64, u64, u16)| format!("{free} free in [t{from},t{to})");
    let texts: Vec<String> = first.iter().take(2).map(text).collect();
    format!("{feasible} feasible; {}", texts.join(", "))
}

fn both_sides(deleted: &[(u64, u16)], advanced: &[(u64, u16)]) -> String {
    format!("{}; then {}", records(deleted), records(advanced))
}

fn start(seen: &Seen, policy: Policy) -> Option<u64> {
    let found = seen.starts.iter().find(|(other, _)| *other == policy);
    found.map(|(_, start)| *start)
}

/// The claims, by what early and late binding answer.
pub(super) fn claims() -> Result<Vec<Claim>> {
    let both = example::both_rings().map_err(refused)?;
    let claim = |(id, look, remark): Line| {
        Claim::once(id, RULE, judge(&both.each_ref().map(look))).remark(remark)
    };
    Ok(LINES.map(claim).into())
}

fn refused(error: impl std::fmt::Display) -> Error {
    Error::Internal(format!("the worked example was refused: {error}"))
}

fn judge([early, late]: &[Texts; 2]) -> Judgement {
    let measured = if early.1 == late.1 {
        format!("{} with both rings", early.1)
    } else {
        format!("{} with early, {} with late binding", early.1, late.1)
    };
    let answer = |who, (printed, seen): &Texts| Exact {
        who,
        printed: printed.clone(),
        seen: seen.clone(),
    };
    exactly(
        measured,
        &[answer("early binding", early), answer("late binding", late)],
    )
}

#[cfg(test)]
mod tests {
    use super::{LINES, example, judge};
    use crate::experiment::comparison::Verdict;

    #[test]
    fn the_example_holds_and_every_line_of_it_can_fail() {
        let both = example::both_rings().unwrap();
        let mut wrong = both.clone();
        let late = &mut wrong[1];
        late.records.pop();
        late.candidates.push(8);
        late.rectangles.swap(0, 1);
        late.starts.iter_mut().for_each(|(_, start)| *start = 6);
        late.added.clear();
        late.deleted.clear();
        late.empty.clear();
        for (id, look, _) in LINES {
            assert_eq!(
                judge(&both.each_ref().map(look)).verdict,
                Verdict::Holds,
                "{id}"
            );
            assert_eq!(
                judge(&wrong.each_ref().map(look)).verdict,
                Verdict::Fails,
                "{id}"
            );
        }
    }
}
