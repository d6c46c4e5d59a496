//! Claims 4.09 to 4.25, about figures 4 to 6, each with its rule.

use super::{
    points::PRINTED,
    views::{
        BROKEN, BROKEN_AT_60, BROKEN_BEFORE, BROKEN_FROM_80, BROKEN_FROM_90, BROKEN_OVERLAYS,
        FIRST_GAIN, GAINS, NEW, OLD, RANGES, RATIO, REFUSED, SLOPES, USED, USED_AT, WAITED,
    },
};
use crate::experiment::{
    Claim, Panel, Panels, Rises, Row, Rule, View, above, ends, everywhere, range, steps,
};

/// Points within which a percentage that is read from a text is met.
const NEAR: f64 = 5.0;

const FITTED: &str = concat!(
    "Arrivals, copies and lead times, of which the paper says nothing, are fitted to this row: it shows that such a setting ",
    "exists, with overload and several copies."
);
const COPIED: &str = "Both modes book as many sites, and these copies keep other jobs waiting; the evidence has ARROS with as few as it needs.";
const POINTS: &str =
    "The paper does not say whether points or percent are meant: judged are points.";
const SAFE: &str = "A copy that would be late is replaced by the next, so fewer reservations are violated than copies are late.";
const CONTEXT: &str = "What other studies found, as the paper tells; here by its own experiment.";

/// The claims.
pub(super) fn claims() -> Vec<Claim> {
    let near = |view, claimed| range(view, claimed - NEAR, claimed + NEAR);
    let both = |view: View| move |p: &Panels| p.ends(view, &[OLD, NEW]);
    let used = || everywhere(USED, [above(NEW, OLD)]).opening(both(USED));
    let refused = || everywhere(REFUSED, [above(OLD, NEW)]).opening(both(REFUSED));
    let steady = || everywhere(RANGES, [above(0, 1)]).opening(|p| p.ends(RANGES, &[0, 1]));
    let old = |at: usize| near(USED_AT[at], PRINTED[at]);
    vec![
        Claim::parts("4.09", [("5 %", old(0)), ("20 %", old(1))]).remark(FITTED),
        Claim::along("4.10", steady()),
        Claim::along("4.11", range(FIRST_GAIN, 5.0, 9.0)).remark(POINTS),
        Claim::along(
            "4.12",
            everywhere(GAINS, [above(0, 1), above(0, 2)]).opening(|p| p.ends(GAINS, &[0, 1, 2])),
        ),
        Claim::along("4.13", steps(REFUSED, &[OLD], Rises).opening(both(REFUSED))),
        Claim::along("4.14", range(RATIO, 0.4, 0.6)),
        Claim::parts(
            "4.15",
            [
                ("utilisation", used()),
                ("rejection", refused()),
                ("robust", steady()),
            ],
        )
        .remark(COPIED),
        Claim::along(
            "4.18",
            everywhere(BROKEN, [above(0, 1), above(1, 2)])
                .opening(|p| p.overall(BROKEN, &[0, 1, 2])),
        )
        .with(by_overlay)
        .remark(SAFE),
        Claim::along(
            "4.19",
            everywhere(SLOPES, [above(0, 1), above(2, 3)])
                .opening(|p| p.overall(SLOPES, &[0, 1, 2, 3])),
        ),
        Claim::along("4.20", range(BROKEN_FROM_80, 0.0, 10.0))
            .with(by_overlay)
            .remark(SAFE),
        Claim::along("4.21", range(BROKEN_FROM_90, 0.0, 5.0))
            .with(by_overlay)
            .remark(SAFE),
        Claim::along(
            "4.22",
            everywhere(
                BROKEN_AT_60,
                [above(2, 0), above(2, 1), above(3, 0), above(3, 1)],
            )
            .opening(|p| p.overall(BROKEN_AT_60, &[0, 1, 2, 3])),
        )
        .remark("The caption has 15 % among the high rates, the text only what is above it."),
        Claim::along("4.23", range(BROKEN_BEFORE, 0.0, 0.0)),
        Claim::parts(
            "4.24",
            [
                ("utilisation", used()),
                ("rejection", refused()),
                ("violations", range(BROKEN_FROM_80, 0.0, 10.0)),
            ],
        )
        .remark(COPIED),
        Claim::parts(
            "4.25",
            [("waiting", rises(WAITED)), ("rejection", rises(REFUSED))],
        )
        .remark(CONTEXT),
    ]
}

fn rises(view: View) -> Rule {
    ends(view, &[OLD], Rises).opening(move |p| p.ends(view, &[OLD]))
}

/// The highest share of overlays that were violated, by share of reservations.
fn by_overlay(panels: &Panels) -> Vec<Row> {
    let row = |one: &Panel| Row::fact("of overlays", one.ends(&[0, 1, 2])).at(&one.place);
    panels.of(BROKEN_OVERLAYS).iter().map(row).collect()
}
