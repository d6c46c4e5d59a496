//! Claims 3.26 and 3.27: what the paper concludes.

use super::super::{
    runs::Sheet,
    strategies::{FF_BF, FF_FCFS, OSP_BF, RIGID_BF, RIGID_FCFS},
};
use super::{
    Measured, curves, on_average, overall,
    rejections::{REJECTIONS, others},
    utilisation::UTILISATION,
};
use crate::experiment::{
    claims::Claim,
    rules::{Comparison, Expected, Judgement, judge},
};

/// Points of utilisation that are not too far.
const NOT_TOO_FAR: f64 = 0.05;

/// The claims with the functions that judge them.
pub(super) const CLAIMS: [Measured; 2] = [
    Measured {
        claim: Claim {
            id: "3.26",
            kind: "O",
            claim: "OSP accepts more reservations than FF and Rigid, at a utilisation not too far from FF's.",
            claimed: "most accepted; utilisation close to FF's",
            rule: "at every bt, on average over slt, OSP+BF rejects less than each of FF+FCFS, FF+BF, Rigid+FCFS and Rigid+BF (paired intervals above 0, wholly below fails), and its utilisation differs from that of FF+BF by at most 0.05, interval included.",
        },
        judge: conclusion,
    },
    Measured {
        claim: Claim {
            id: "3.27",
            kind: "O",
            claim: "Utilisation and acceptance are higher than with a rigid approach.",
            claimed: "OSP+BF above Rigid+BF in both",
            rule: "at every bt, on average over slt, the paired intervals of utilisation gained and of rejections saved against Rigid+BF lie above 0; wholly below fails.",
        },
        judge: abstracted,
    },
];

fn conclusion(sheet: &Sheet) -> Judgement {
    let (rejections, utilisation) = (curves(sheet, REJECTIONS), curves(sheet, UTILISATION));
    let mut comparisons = Vec::new();
    for (rejections, utilisation) in rejections.iter().zip(&utilisation) {
        let more = |other| on_average(rejections, other, OSP_BF, Expected::Above(0.0));
        comparisons.extend(
            [FF_FCFS, FF_BF, RIGID_FCFS, RIGID_BF]
                .map(more)
                .map(of("rejections")),
        );
        let near = on_average(utilisation, OSP_BF, FF_BF, Expected::Within(NOT_TOO_FAR));
        comparisons.push(of("utilisation")(near));
    }
    let both = [FF_BF, RIGID_BF, OSP_BF];
    let context = format!(
        "rejections, {}; utilisation, {}",
        overall(&rejections, &both),
        overall(&utilisation, &both)
    );
    let mut judgement = judge(&context, &comparisons);
    judgement.note.push_str(&others(sheet));
    judgement
}

fn abstracted(sheet: &Sheet) -> Judgement {
    let (rejections, utilisation) = (curves(sheet, REJECTIONS), curves(sheet, UTILISATION));
    let above = Expected::Above(0.0);
    let fewer = rejections
        .iter()
        .map(|curves| of("rejections")(on_average(curves, RIGID_BF, OSP_BF, above)));
    let higher = utilisation
        .iter()
        .map(|curves| of("utilisation")(on_average(curves, OSP_BF, RIGID_BF, above)));
    let both = [RIGID_BF, OSP_BF];
    let context = format!(
        "rejections, {}; utilisation, {}",
        overall(&rejections, &both),
        overall(&utilisation, &both)
    );
    judge(&context, &fewer.chain(higher).collect::<Vec<_>>())
}

/// Says what is compared.
fn of(measure: &str) -> impl Fn(Comparison) -> Comparison {
    move |comparison| Comparison {
        what: format!("{measure} of {}", comparison.what),
        ..comparison
    }
}

#[cfg(test)]
mod tests {
    use super::{abstracted, conclusion};
    use crate::experiment::{
        rules::Verdict::{Fails, Holds},
        sulistio::claims::tests::{Picture, sheet},
    };

    const AS_DRAWN: Picture = |strategy, _, cell| {
        cell.rejections = [60.0, 60.0, 90.0, 90.0, 40.0, 50.0, 30.0][strategy];
        cell.utilisation = [0.4, 0.6, 0.35, 0.5, 0.58, 0.6, 0.6][strategy];
    };

    #[test]
    fn conclusions_hold_and_fail() {
        assert_eq!(conclusion(&sheet(AS_DRAWN)).verdict, Holds);
        assert_eq!(abstracted(&sheet(AS_DRAWN)).verdict, Holds);
        let far = sheet(|strategy, point, cell| {
            AS_DRAWN(strategy, point, cell);
            cell.utilisation -= 0.2 * f64::from(u8::from(strategy == 4));
        });
        assert_eq!(conclusion(&far).verdict, Fails);
        assert_eq!(abstracted(&far).verdict, Fails);
    }
}
