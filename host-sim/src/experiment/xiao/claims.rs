//! Claims 4.09 to 4.25, about figures 4 to 6, each with its rule.

use super::{
    points::PRINTED,
    views::{
        BROKEN, BROKEN_AT_60, BROKEN_BEFORE, BROKEN_FROM_80, BROKEN_FROM_90, BROKEN_OVERLAYS,
        FIRST_GAIN, GAINS, NEW, OLD, RANGES, RATIO, REFUSED, SLOPES, USED, USED_AT, WAITED,
    },
};
use crate::experiment::{Claim, Kind, Panel, Panels, Rises, Row, above, claim, parts};

/// Points within which a percentage that is read from a text is met.
const NEAR: f64 = 5.0;

const COPIED: &str = "Both modes book as many sites, and these copies keep other jobs waiting; the evidence has ARROS with as few as it needs.";
const SAFE: &str = "A copy that would be late is replaced by the next, so fewer reservations are violated than copies are late.";

/// The claims.
pub(super) fn claims(p: &Panels) -> Vec<Claim> {
    use Kind::{Definition, Number, Order, Trend};
    let old = |at: usize| p[USED_AT[at]].range(PRINTED[at] - NEAR, PRINTED[at] + NEAR);
    let used = || {
        p[USED]
            .everywhere([above(NEW, OLD)])
            .opening(p[USED].ends(&[OLD, NEW]))
    };
    let refused = || {
        p[REFUSED]
            .everywhere([above(OLD, NEW)])
            .opening(p[REFUSED].ends(&[OLD, NEW]))
    };
    let steady = || {
        p[RANGES]
            .everywhere([above(0, 1)])
            .opening(p[RANGES].ends(&[0, 1]))
    };
    let rises = |view| {
        p[view]
            .first_to_last(&[OLD], Rises)
            .opening(p[view].ends(&[OLD]))
    };
    vec![
        claim("4.09", Number, "Traditional reservation: with 5 to 20 % reservations the utilisation drops from 71 % to about 30 % (figure 4).", "71 to about 30 %",
            parts([("5 %", old(0)), ("20 %", old(1))]))
            .remark("Arrivals, copies and lead times, of which the paper says nothing, are fitted to this row: it shows that such a setting exists, with overload and several copies."),
        claim("4.10", Trend, "ARROS: it keeps relatively steady and does not drop dramatically (figure 4).", "range small beside the traditional one",
            steady()),
        claim("4.11", Number, "ARROS: from 5 to 10 % reservations it increases about 7 % (figure 4).", "+7 %",
            p[FIRST_GAIN].range(5.0, 9.0))
            .remark("The paper does not say whether points or percent are meant: judged are points."),
        claim("4.12", Trend, "ARROS: such an increase is not sustained with 15 % and more (figure 4).", "smaller gains from 10 % on",
            p[GAINS].everywhere([above(0, 1), above(0, 2)]).opening(p[GAINS].ends(&[0, 1, 2]))),
        claim("4.13", Trend, "Traditional reservation: the rejection rate increases sharply with the reservations (figure 5).", "rises in every step",
            p[REFUSED].steps(&[OLD], Rises).opening(p[REFUSED].ends(&[OLD, NEW]))),
        claim("4.14", Number, "ARROS: the rejection rate is only about 50 % of the traditional one (figure 5).", "ratio 0.5",
            p[RATIO].range(0.4, 0.6)),
        claim("4.15", Order, "ARROS has the higher utilisation, the lower rejection rate, and is more robust at a high share of reservations (section 5.2).", "above, below, steadier",
            parts([("utilisation", used()), ("rejection", refused()), ("robust", steady())]))
            .remark(COPIED),
        claim("4.18", Trend, "More overestimation leads to a lower violation rate (figure 6).", "k3 < k2 < k1",
            p[BROKEN].everywhere([above(0, 1), above(1, 2)]).opening(p[BROKEN].overall(&[0, 1, 2])))
            .with(by_overlay(p))
            .remark(SAFE),
        claim("4.19", Trend, "For k1 and k2 the violation rate drops quickly when v* increases from 0.6 to 0.8, then the decline becomes stable (figure 6).", "steeper up to 0.8 than from there on",
            p[SLOPES].everywhere([above(0, 1), above(2, 3)]).opening(p[SLOPES].overall(&[0, 1, 2, 3]))),
        claim("4.20", Number, "The violation rate is below 10 % when v* >= 0.8, in all cases (figure 6).", "< 10 %",
            p[BROKEN_FROM_80].range(0.0, 10.0))
            .with(by_overlay(p))
            .remark(SAFE),
        claim("4.21", Number, "It is below 5 % when v* >= 0.9 (section 5.3).", "< 5 %",
            p[BROKEN_FROM_90].range(0.0, 5.0))
            .with(by_overlay(p))
            .remark(SAFE),
        claim("4.22", Trend, "A low v* is not a good idea with many reservations (figure 6 c and d).", "higher with 15 and 20 % than with 5 and 10 %",
            p[BROKEN_AT_60].everywhere([above(2, 0), above(2, 1), above(3, 0), above(3, 1)]).opening(p[BROKEN_AT_60].overall(&[0, 1, 2, 3])))
            .remark("The caption has 15 % among the high rates, the text only what is above it."),
        claim("4.23", Definition, "Traditional reservation violates nothing (section 5.3).", "0",
            p[BROKEN_BEFORE].range(0.0, 0.0)),
        claim("4.24", Trend, "Remarkably higher utilisation and lower rejection at the price of slightly more violations (section 6).", "gains; < 10 %",
            parts([("utilisation", used()), ("rejection", refused()), ("violations", p[BROKEN_FROM_80].range(0.0, 10.0))]))
            .remark(COPIED),
        claim("4.25", Trend, "Other studies: reservations raise the mean waiting time and the rejection rate (section 2).", "both rise",
            parts([("waiting", rises(WAITED)), ("rejection", rises(REFUSED))]))
            .remark("What other studies found, as the paper tells; here by its own experiment."),
    ]
}

/// The highest share of overlays that were violated, by share of reservations.
fn by_overlay(p: &Panels) -> Vec<Row> {
    let row = |one: &Panel| Row::fact("of overlays", one.ends(&[0, 1, 2])).at(&one.place);
    p[BROKEN_OVERLAYS].panels.iter().map(row).collect()
}
