//! Claims 1.01 and 1.09 to 1.11: definitions, and the cost of the paper's structure.

use super::super::{audit::Audit, growth::Sweep, plain::Recheck};
use crate::experiment::{
    claims::{Claim, Row},
    rules::{Judgement, Verdict},
};

/// By how much a count may outgrow its formula over a sixteenfold sweep.
const TOLERANCE: f64 = 1.25;

const MODEL: Claim = Claim {
    id: "1.01",
    kind: "D",
    claim: "Requests have t_r >= t_a and t_dl >= t_r + t_du; jobs start in [t_r, t_dl - t_du], keep their size and are never interrupted.",
    claimed: "always",
    rule: "every request and every accepted job of every run is looked at, also that no processing element serves two jobs; one breach fails.",
};

const POLICIES: Claim = Claim {
    id: "1.09",
    kind: "D",
    claim: "Each policy takes the feasible start that its definition names.",
    claimed: "earliest; least or most free; shortest or longest rectangle; least or greatest product",
    rule: "decisions of every policy at the default point are taken once more from the accepted jobs alone by the plain definitions, start and processing elements; one difference fails.",
};

const UPDATE: Claim = Claim {
    id: "1.10",
    kind: "C",
    claim: "Adding or deleting an allocation costs O(n' (n + k + log n)).",
    claimed: "n' (n + k + log n)",
    rule: "the paper's structure, taken literally, counts its own operations while one quantity grows 16-fold; the count may outgrow the formula by at most a factor of 1.25.",
};

const SEARCH: Claim = Claim {
    id: "1.11",
    kind: "C",
    claim: "A search costs O(p u v + n log n + njob log u + p), and O(1) in an empty list.",
    claimed: "p u v + n log n + njob log u + p; 1",
    rule: "as for 1.10, with p feasible starts, u and v as met; and a search in an empty list costs the same for any machine.",
};

/// Claim 1.01.
pub(super) fn model(audit: &Audit) -> Row {
    let Audit {
        requests,
        accepted,
        breaches,
        first,
    } = audit;
    let verdict = if *accepted == 0 {
        Verdict::Undecidable
    } else {
        Verdict::of(*breaches == 0)
    };
    let judgement = Judgement {
        verdict,
        measured: format!(
            "{breaches} breaches among {requests} requests, {accepted} of them accepted"
        ),
        ci95: None,
        note: first_of(first),
    };
    Row::new(MODEL, judgement)
}

/// Claim 1.09.
pub(super) fn policies(recheck: &Recheck) -> Row {
    let Recheck {
        decisions,
        different,
        first,
    } = recheck;
    let verdict = if *decisions == 0 {
        Verdict::Undecidable
    } else {
        Verdict::of(*different == 0)
    };
    let judgement = Judgement {
        verdict,
        measured: format!("{different} of {decisions} decisions differ"),
        ci95: None,
        note: first_of(first),
    };
    Row::new(POLICIES, judgement)
}

fn first_of(first: &str) -> String {
    if first.is_empty() {
        String::new()
    } else {
        format!("The first: {first}.")
    }
}

/// Claim 1.10.
pub(super) fn update(sweeps: &[Sweep]) -> Row {
    Row::new(UPDATE, growth(sweeps, Verdict::Holds))
}

/// Claim 1.11.
pub(super) fn search(sweeps: &[Sweep], empty: &[u64]) -> Row {
    let constant = empty.iter().all(|count| Some(count) == empty.first());
    Row::new(
        SEARCH,
        growth(sweeps, Verdict::of(constant && !empty.is_empty())),
    )
}

fn growth(sweeps: &[Sweep], besides: Verdict) -> Judgement {
    let mut verdicts = vec![besides];
    let (mut measured, mut note) = (Vec::new(), String::new());
    for sweep in sweeps {
        let Some((quantity, count, formula)) = sweep.growth() else {
            verdicts.push(Verdict::Undecidable);
            continue;
        };
        let exponent = count.log(quantity);
        if sweep.in_formula {
            verdicts.push(Verdict::of(count <= TOLERANCE * formula));
            measured.push(format!(
                "{} x{quantity}: count x{count:.2} (exponent {exponent:.2}), formula x{formula:.2}",
                sweep.quantity
            ));
        } else if count > TOLERANCE * formula {
            note.push_str(&format!(
                "The formula leaves something out: with 16 times the {} the count grows {count:.2}-fold, the formula {formula:.2}-fold. ",
                sweep.quantity
            ));
        }
    }
    Judgement {
        verdict: Verdict::all(verdicts),
        measured: measured.join("; "),
        ci95: None,
        note,
    }
}

#[cfg(test)]
mod tests {
    use super::{growth, model, policies, search, update};
    use crate::experiment::{
        li::{audit::Audit, growth::Sweep, plain::Recheck},
        rules::Verdict,
    };

    fn sweep(last: f64) -> Sweep {
        Sweep {
            quantity: "n",
            in_formula: true,
            steps: vec![(1, 10.0, 10.0), (16, last, 160.0)],
        }
    }

    #[test]
    fn growth_beyond_the_formula_fails() {
        assert_eq!(
            growth(&[sweep(150.0)], Verdict::Holds).verdict,
            Verdict::Holds
        );
        assert_eq!(
            growth(&[sweep(300.0)], Verdict::Holds).verdict,
            Verdict::Fails
        );
        assert_eq!(
            growth(&[sweep(150.0)], Verdict::Fails).verdict,
            Verdict::Fails
        );
        let beside = Sweep {
            in_formula: false,
            ..sweep(300.0)
        };
        let judgement = growth(&[beside], Verdict::Holds);
        assert_eq!(judgement.verdict, Verdict::Holds);
        assert!(judgement.note.contains("leaves something out"));
        let _ = (update(&[sweep(1.0)]), search(&[sweep(1.0)], &[1, 1]));
    }

    #[test]
    fn one_breach_or_difference_fails_and_nothing_seen_decides_nothing() {
        let text = |row: &crate::experiment::claims::Row| format!("{row:?}");
        let mut audit = Audit {
            requests: 9,
            accepted: 5,
            ..Audit::default()
        };
        assert!(text(&model(&audit)).contains("verdict: Holds"));
        audit.breaches = 1;
        assert!(text(&model(&audit)).contains("verdict: Fails"));
        assert!(text(&model(&Audit::default())).contains("verdict: Undecidable"));
        let mut recheck = Recheck {
            decisions: 5,
            ..Recheck::default()
        };
        assert!(text(&policies(&recheck)).contains("verdict: Holds"));
        recheck.different = 2;
        assert!(text(&policies(&recheck)).contains("verdict: Fails"));
        assert!(text(&policies(&Recheck::default())).contains("verdict: Undecidable"));
    }
}
