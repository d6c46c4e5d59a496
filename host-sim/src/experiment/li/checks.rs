//! Claims 1.01 and 1.09 to 1.11: what must hold in every run, and the cost of the paper's structure.

use bookahead_oracle::papers::li::growth::{self, Sweep};
use rayon::prelude::*;

use super::{
    Li,
    measures::BREACHES,
    plain::recheck,
    points::{DEFAULT, POLICIES, Point},
};
use crate::experiment::{Audit, Claim, Count, Finding, Kind, Ran, Row, claim};
use crate::{error::Result, statistics::Verdict};

const TRANSCRIPTION: &str = "The operations counted are those of the paper's structure in our transcription, so the row says what the paper says; the kernel stores no such list.";

/// The claims.
pub(super) fn claims(paper: &Li, ran: &[Ran<Point>], audit: &Audit) -> Result<Vec<Claim>> {
    let decisions = recheck_all(paper)?.found("decisions differ");
    let (empty, search) = (growth::empty_search(), growth::search());
    let constant = empty.iter().all(|count| Some(count) == empty.first());
    let empty = Verdict::of(constant && !empty.is_empty());
    Ok(vec![
        claim(
            "1.01",
            Kind::Definition,
            "Requests have t_r >= t_a and t_dl >= t_r + t_du; jobs start in [t_r, t_dl - t_du], keep their size and are never interrupted.",
            "always",
            model(ran, audit).by_rule("every request of every run has t_r >= t_a and t_dl >= t_r + t_du, and every accepted job passes the checker and runs uninterrupted; one breach fails"),
        ),
        claim(
            "1.09",
            Kind::Definition,
            "Each policy takes the feasible start that its definition names.",
            "earliest; least or most free; shortest or longest rectangle; least or greatest product",
            decisions.by_rule("decisions of every policy at the default point are taken once more from the accepted jobs alone by the plain definitions, start and processing elements; one difference fails"),
        ),
        claim(
            "1.10",
            Kind::Built,
            "Adding or deleting an allocation costs O(n' (n + k + log n)).",
            "n' (n + k + log n)",
            grows(&growth::update(), Verdict::Holds).by_rule("the paper's structure, taken literally, counts its own operations while one quantity grows 16-fold; a count that outgrows the formula by more than a quarter fails"),
        )
        .remark(TRANSCRIPTION),
        claim(
            "1.11",
            Kind::Built,
            "A search costs O(p u v + n log n + njob log u + p), and O(1) in an empty list.",
            "p u v + n log n + njob log u + p; 1",
            grows(&search, empty).by_rule("as for 1.10, with p feasible starts, u and v as met; and a search in an empty list costs the same for any machine"),
        )
        .remark(TRANSCRIPTION),
    ])
}

fn model(ran: &[Ran<Point>], audit: &Audit) -> Finding {
    let of = |ran: &Ran<Point>| {
        let Ran { samples, .. } = ran;
        let at = |point| POLICIES.map(|policy| samples.at(point, policy, &BREACHES));
        samples.points().flat_map(at).flatten().sum::<f64>()
    };
    let breaches: f64 = ran.iter().map(of).sum();
    let mut count = audit.accepted.clone();
    count.wrong += breaches as usize;
    let (wrong, requests, accepted) = (count.wrong, audit.requests, count.looked_at);
    count.measured(format!(
        "{wrong} breaches among {requests} requests, {accepted} of them accepted"
    ))
}

/// Takes decisions of every policy once more, in the first replication of the default point.
fn recheck_all(paper: &Li) -> Result<Count> {
    let main = &super::points::assumptions(paper)[0];
    let again = |policy: usize| {
        let (story, system) = (main.one(DEFAULT, 0, policy)?, &main.systems[policy].1);
        Ok(recheck(&story.outcomes, system, paper.recheck_every))
    };
    let found: Vec<Count> = POLICIES.into_par_iter().map(again).collect::<Result<_>>()?;
    Ok(found.iter().sum())
}

fn grows(sweeps: &[Sweep], besides: Verdict) -> Finding {
    let mut verdicts = vec![besides];
    let (mut measured, mut rows) = (Vec::new(), Vec::new());
    for sweep in sweeps {
        let Some((by, count, formula)) = sweep.growth() else {
            verdicts.push(Verdict::Undecidable);
            continue;
        };
        let mut row = Row::growth(sweep.quantity, by, count, formula);
        if sweep.in_formula {
            verdicts.extend(row.verdict);
            let exponent = count.log(by);
            measured.push(format!(
                "{} x{by}: count x{count:.2} (exponent {exponent:.2}), formula x{formula:.2}",
                sweep.quantity
            ));
        } else {
            // What the formula leaves out decides nothing.
            row.verdict = None;
        }
        rows.push(row);
    }
    Finding::once(Verdict::all(verdicts), measured.join("; ")).with(rows)
}

#[cfg(test)]
mod tests {
    use super::{Sweep, Verdict, grows};

    #[test]
    fn growth_beyond_the_formula_fails() {
        let sweep = |last, in_formula| Sweep {
            quantity: "n",
            in_formula,
            steps: vec![(1, 10.0, 10.0), (16, last, 160.0)],
        };
        let verdict = |sweep, besides| grows(&[sweep], besides).verdict();
        assert_eq!(verdict(sweep(150.0, true), Verdict::Holds), Verdict::Holds);
        assert_eq!(verdict(sweep(300.0, true), Verdict::Holds), Verdict::Fails);
        assert_eq!(verdict(sweep(150.0, true), Verdict::Fails), Verdict::Fails);
        assert_eq!(verdict(sweep(300.0, false), Verdict::Holds), Verdict::Holds);
    }
}
