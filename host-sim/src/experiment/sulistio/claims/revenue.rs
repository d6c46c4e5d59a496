//! Claim 3.21: figure 8.

use super::super::{
    runs::{Measure, Sheet},
    strategies::{FF_BF, FF_FCFS, OF_THE_PAPER, OSP_BF, RIGID_BF, RIGID_FCFS},
};
use super::{Measured, curves, everywhere, on_average, overall};
use crate::experiment::{
    claims::Claim,
    rules::{Expected, Judgement, judge},
};

/// More revenue by this share of Rigid+BF's is a major advantage.
const MAJOR: f64 = 0.10;

pub(super) const REVENUE: Measure = |cell| cell.revenue;

/// The claim with the function that judges it.
pub(super) const CLAIMS: [Measured; 1] = [Measured {
    claim: Claim {
        id: "3.21",
        kind: "O",
        claim: "Figure 8: the Rigid algorithm has the lowest revenue, and the elastic model a major advantage.",
        claimed: "Rigid lowest, OSP+BF much higher",
        rule: "at every point with slt > 0 the paired interval of FF and of OSP less Rigid, both with the same queue, lies above 0, and at every bt OSP+BF exceeds Rigid+BF on average over slt by more than 10 % of its revenue; fails where an interval lies wholly on the other side.",
    },
    judge: lowest,
}];

fn lowest(sheet: &Sheet) -> Judgement {
    let found = curves(sheet, REVENUE);
    let mut comparisons = everywhere(&found, |curves, tick| {
        // With no room to move first fit is rigid.
        if curves.ticks[tick] == "0" {
            return Vec::new();
        }
        let above = Expected::Above(0.0);
        [(FF_FCFS, RIGID_FCFS), (FF_BF, RIGID_BF), (OSP_BF, RIGID_BF)]
            .map(|(flexible, rigid)| curves.compare(flexible, rigid, tick, above))
            .to_vec()
    });
    for curves in &found {
        let rigid = (0..curves.len()).map(|tick| curves.mean(RIGID_BF, tick));
        let rigid = rigid.sum::<f64>() / curves.len().max(1) as f64;
        let major = Expected::Above(MAJOR * rigid);
        comparisons.push(on_average(curves, OSP_BF, RIGID_BF, major));
    }
    let mut judgement = judge(
        &format!("dollars, {}", overall(&found, &OF_THE_PAPER)),
        &comparisons,
    );
    judgement.note.push_str(
        "Revenue goes by slots and CNs, so a few long and wide jobs weigh more than many others. ",
    );
    judgement
}

#[cfg(test)]
mod tests {
    use super::lowest;
    use crate::experiment::{
        rules::Verdict::{Fails, Holds},
        sulistio::claims::tests::{Picture, sheet},
    };

    #[test]
    fn rigid_is_lowest_or_not() {
        const DRAWN: Picture = |strategy, _, cell| {
            cell.revenue = [1_100.0, 1_100.0, 900.0, 900.0, 1_300.0, 0.0, 0.0][strategy];
        };
        const HARDLY: Picture = |strategy, _, cell| {
            cell.revenue = [1_100.0, 1_100.0, 900.0, 900.0, 950.0, 0.0, 0.0][strategy];
        };
        assert_eq!(lowest(&sheet(DRAWN)).verdict, Holds);
        assert_eq!(lowest(&sheet(HARDLY)).verdict, Fails);
    }
}
