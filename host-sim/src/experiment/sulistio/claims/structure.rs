//! Claims 3.06 to 3.08: algorithm 1 and the data structure.

use super::super::{
    growth::{self, Access, SHAPES},
    recheck::Recheck,
    strategies::OFFERS,
};
use super::Judged;
use crate::experiment::{
    claims::Claim,
    rules::{Judgement, Verdict},
};

/// By how much a count may outgrow n^2 over the whole sweep.
const TOLERANCE: f64 = 1.25;

const ALGORITHM: Claim = Claim {
    id: "3.06",
    kind: "D",
    claim: "Algorithm 1 starts from the slots with the least free CNs that suffice, grows left before right until long enough, puts the solution first and stops there.",
    claimed: "the offers of algorithm 1",
    rule: "queries met in the runs, with and without a number of CNs, are answered once more by the algorithm taken literally, from the jobs alone; the kernel's list of offers and what the user then books must be the same; one difference fails.",
};

const COMPLEXITY: Claim = Claim {
    id: "3.07",
    kind: "C",
    claim: "Algorithm 1 takes O(n^2) for n groups of consecutive slots.",
    claimed: "n^2",
    rule: "the literal algorithm counts its own comparisons and visits of slots while n grows 32-fold, over lists of three shapes, the worst included; a count that outgrows n^2 by more than a factor of 1.25 fails.",
};

const ACCESS: Claim = Claim {
    id: "3.08",
    kind: "C",
    claim: "A slot is accessed in O(1).",
    claimed: "1 access",
    rule: "by structure, a place is computed and nothing is searched; every slot of the paper's array, taken literally, is read at its computed place, for sizes from 64 to 8640 and up to 5000 reservations; fails where that place holds a wrong number.",
};

/// The rows.
pub(super) fn rows(recheck: &Recheck) -> Vec<Judged> {
    let sweeps = SHAPES.map(|shape| (shape.name, growth::operations(shape)));
    vec![
        (ALGORITHM, algorithm(recheck)),
        (COMPLEXITY, quadratic(&sweeps)),
        (ACCESS, at_once(&growth::accesses())),
    ]
}

fn algorithm(recheck: &Recheck) -> Judgement {
    let Recheck {
        queries,
        offers,
        cut,
        different,
        first,
        left_out,
    } = recheck;
    let mut note = format!(
        "Each of the reservations looked at is queried twice; {left_out} are left out, since a best-effort job starts in the slot of the query and the results do not tell what came first. Both lists name equal windows once, with the seed found first, and are cut to the first {OFFERS} offers before they are compared; {cut} of the {queries} answers were cut. Read literally, slots with fewer free CNs than asked are skipped, so no offer is ever narrower than asked and the user's minimum of numCN / 2 never binds; a second query without a number of CNs gives it something to do. Where in an offer a job goes is open: as early as it covers the slots that the offer grew from. "
    );
    if !first.is_empty() {
        note.push_str(&format!("The first difference: {first}. "));
    }
    Judgement {
        verdict: match queries {
            0 => Verdict::Undecidable,
            _ => Verdict::of(*different == 0),
        },
        measured: format!("{different} of {queries} answers differ, {offers} offers in them"),
        ci95: None,
        note,
    }
}

fn quadratic(sweeps: &[(&str, Vec<(u64, u64)>)]) -> Judgement {
    let mut verdicts = Vec::new();
    let mut measured = Vec::new();
    for (name, steps) in sweeps {
        let (Some(first), Some(last)) = (steps.first(), steps.last()) else {
            continue;
        };
        let size = last.0 as f64 / first.0 as f64;
        let count = last.1 as f64 / first.1 as f64;
        verdicts.push(Verdict::of(count <= TOLERANCE * size.powi(2)));
        measured.push(format!(
            "{name}: {} operations for n = {}, exponent {:.2}",
            last.1,
            last.0,
            count.log(size)
        ));
    }
    Judgement {
        verdict: Verdict::all(verdicts),
        measured: measured.join("; "),
        ci95: None,
        note: "Nothing counts the kernel's operations. Its search looks at each group once to find runs that leave enough, and with late binding grows a single offer in each, O(interval + groups x offers listed) where both duration and number are given. ".to_owned(),
    }
}

fn at_once(found: &[Access]) -> Judgement {
    let wrong: u64 = found.iter().map(|access| access.wrong).sum();
    let sizes: Vec<String> = found
        .iter()
        .map(|access| {
            format!(
                "{} slots with {} reservations",
                access.slots, access.reservations
            )
        })
        .collect();
    Judgement {
        verdict: Verdict::all(found.iter().map(|access| Verdict::of(access.wrong == 0))),
        measured: format!("{wrong} wrong numbers: {}", sizes.join(", ")),
        ci95: None,
        note: "The index is computed, whatever is stored. The kernel keeps the counts in an array, too, and finds a slot's place by one addition and one conditional subtraction. ".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, Recheck, algorithm, at_once, quadratic};
    use crate::experiment::rules::Verdict::{Fails, Holds, Undecidable};

    #[test]
    fn counts_beyond_the_square_fail() {
        let sweep = |last| quadratic(&[("x", vec![(8, 64), (256, last)])]).verdict;
        assert_eq!(sweep(65_536), Holds);
        assert_eq!(sweep(65_536 * 2), Fails);
        assert_eq!(quadratic(&[]).verdict, Undecidable);
    }

    #[test]
    fn a_wrong_number_in_one_array_fails() {
        let access = |wrong| Access {
            slots: 64,
            reservations: 5,
            wrong,
        };
        assert_eq!(at_once(&[access(0), access(0)]).verdict, Holds);
        assert_eq!(at_once(&[access(0), access(1)]).verdict, Fails);
        assert_eq!(at_once(&[]).verdict, Undecidable);
    }

    #[test]
    fn one_different_answer_fails() {
        let recheck = |queries, different| {
            let found = Recheck {
                queries,
                different,
                ..Recheck::default()
            };
            algorithm(&found).verdict
        };
        assert_eq!(
            [recheck(9, 0), recheck(9, 1), recheck(0, 0)],
            [Holds, Fails, Undecidable]
        );
    }
}
