//! Claims 3.15 and 3.16: figure 5.

use super::super::{
    measures::{Cell, WIDTHS},
    points::BUSY_NODES,
    runs::Sheet,
    strategies::{FF_BF, NAMES, OSP_BF, RIGID_FCFS},
};
use super::{Measured, at_point};
use crate::experiment::{
    claims::Claim,
    rules::{Comparison, Expected, Judgement, judge},
    statistics::{Estimate, finite, paired},
};

/// The class from which a job is wide: more than half of the nodes.
const WIDE: usize = WIDTHS.len() - 1;

/// The claims with the functions that judge them.
pub(super) const CLAIMS: [Measured; 2] = [
    Measured {
        claim: Claim {
            id: "3.15",
            kind: "O",
            claim: "Figure 5: busy CNs fluctuate often under FF+BF and Rigid+FCFS, and less under OSP+BF.",
            claimed: "OSP+BF below FF+BF and Rigid+FCFS",
            rule: "at bt 5 h, slt 8 h the slot edges of the two weeks at which the number of busy CNs changes are fewer under OSP+BF than under each of the two, and so is the mean size of the change from slot to slot (paired intervals); fails where an interval lies wholly on the other side.",
        },
        judge: fluctuation,
    },
    Measured {
        claim: Claim {
            id: "3.16",
            kind: "T",
            claim: "Jobs that require many CNs are more probably accepted under OSP+BF than under FF+BF and Rigid+FCFS.",
            claimed: "OSP+BF above FF+BF and Rigid+FCFS",
            rule: "at bt 5 h, slt 8 h the share accepted of the requests for more than 32 CNs is higher under OSP+BF than under each of the two (paired intervals, replications with such requests); fails where an interval lies wholly on the other side.",
        },
        judge: wide_jobs,
    },
];

/// A strategy less another where figure 5 looks, without the replications in which one has no value.
fn less(
    sheet: &Sheet,
    what: &str,
    (a, b): (usize, usize),
    measure: impl Fn(&Cell) -> f64,
) -> Comparison {
    let [first, second] = [a, b].map(|strategy| sheet.at(BUSY_NODES, strategy, &measure));
    Comparison {
        what: format!("{what}, {} - {}", NAMES[a], NAMES[b]),
        differences: finite(paired(&first, &second)),
        expected: Expected::Above(0.0),
    }
}

fn fluctuation(sheet: &Sheet) -> Judgement {
    let comparisons = [FF_BF, RIGID_FCFS].map(|other| {
        let pair = (other, OSP_BF);
        [
            less(sheet, "changes", pair, |cell| cell.changes),
            less(sheet, "mean size of a step", pair, |cell| cell.swing),
        ]
    });
    let three = [FF_BF, OSP_BF, RIGID_FCFS];
    let context = format!(
        "changes at {}; mean size of a step at {}",
        at_point(sheet, BUSY_NODES, &three, |cell| cell.changes),
        at_point(sheet, BUSY_NODES, &three, |cell| cell.swing)
    );
    let mut judgement = judge(&context, &comparisons.concat());
    judgement.note.push_str(&format!(
        "Every start and every end of a job is a change, so a strategy that runs more jobs in the two weeks has more of them: utilisation at {}. Standard deviation of the busy CNs at {}. ",
        at_point(sheet, BUSY_NODES, &three, |cell| cell.utilisation),
        at_point(sheet, BUSY_NODES, &three, |cell| cell.deviation)
    ));
    judgement
}

fn wide_jobs(sheet: &Sheet) -> Judgement {
    let wide = |cell: &Cell| cell.acceptance_from(WIDE);
    let comparisons =
        [FF_BF, RIGID_FCFS].map(|other| less(sheet, "wide jobs accepted", (OSP_BF, other), wide));
    let share = |strategy: usize| {
        let shares = finite(sheet.at(BUSY_NODES, strategy, wide));
        let mean = Estimate::of(&shares).map_or(f64::NAN, |estimate| estimate.mean);
        format!("{} {mean:.3}", NAMES[strategy])
    };
    let asked = sheet.at(BUSY_NODES, OSP_BF, |cell| f64::from(cell.asked[WIDE]));
    let asked = asked.iter().sum::<f64>() / asked.len().max(1) as f64;
    let context = format!(
        "{}: accepted of {asked:.1} requests for more than 32 CNs, {}",
        BUSY_NODES.name(),
        [FF_BF, OSP_BF, RIGID_FCFS].map(share).join(", ")
    );
    let mut judgement = judge(&context, &comparisons);
    judgement
        .note
        .push_str("Reduced reservations count as accepted. ");
    judgement
}

#[cfg(test)]
mod tests {
    use super::{fluctuation, wide_jobs};
    use crate::experiment::{
        rules::Verdict::{Fails, Holds, Undecidable},
        sulistio::claims::tests::{Picture, sheet},
    };

    #[test]
    fn calm_holds_and_unrest_fails() {
        const CALM: Picture = |strategy, _, cell| {
            let osp = f64::from(u8::from(strategy == 4));
            cell.changes -= 100.0 * osp;
            cell.swing -= osp;
        };
        const UNREST: Picture = |strategy, _, cell| {
            cell.changes += 100.0 * f64::from(u8::from(strategy == 4));
        };
        assert_eq!(fluctuation(&sheet(CALM)).verdict, Holds);
        assert_eq!(fluctuation(&sheet(UNREST)).verdict, Fails);
    }

    #[test]
    fn wide_jobs_are_counted_by_themselves() {
        const MORE: Picture = |strategy, _, cell| {
            cell.accepted[5] = [10, 10, 10, 10, 20, 0, 0][strategy];
            cell.accepted[4] = [20, 20, 20, 20, 10, 0, 0][strategy];
        };
        const FEWER: Picture = |strategy, _, cell| {
            cell.accepted[5] = [20, 20, 20, 20, 10, 0, 0][strategy];
        };
        const NONE: Picture = |_, _, cell| {
            cell.asked[5] = 0;
            cell.accepted[5] = 0;
        };
        assert_eq!(wide_jobs(&sheet(MORE)).verdict, Holds);
        assert_eq!(wide_jobs(&sheet(FEWER)).verdict, Fails);
        assert_eq!(wide_jobs(&sheet(NONE)).verdict, Undecidable);
    }
}
