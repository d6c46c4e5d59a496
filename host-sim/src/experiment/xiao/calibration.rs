//! Figures that no run of the experiment shows: expected profit, the fit of the traditional mode, and promises beside what became of them.

use bookahead::{Money, Probability, Stakes};

use super::{
    ARRIVALS, K2, PRINTED, Point, SHARES, UTILISATION, Xiao, redundant, system, workload::Workload,
};
use crate::experiment::{ENGINE, Figure, Measure, Panel, Tick};
use crate::{
    engine::{Outcome, System},
    error::Result,
    operation::Script,
    statistics::Limits,
};

/// Figure 3, for two compensations.
pub(super) fn profit() -> Figure {
    let stakes = [10, 5].map(|compensation| Stakes {
        price: Money::new(10_000_000),
        compensation: Money::new(compensation * 1_000_000),
    });
    let along = (0..=10).map(|part| {
        let kept = Probability::rounding_down(part, 10).unwrap_or_default();
        let profit = stakes.map(|stakes| vec![stakes.expected_profit(kept) as f64 / 1e6]);
        (Tick::number(f64::from(part) / 10.0), profit)
    });
    let panel = Panel::of(
        ("probability of no violation", ""),
        ["C = 10, F = 10", "C = 10, F = 5"],
        along,
    );
    Figure::new(
        "fig3",
        "Figure 3: expected profit",
        "expected profit",
        panel,
    )
}

/// What the candidates of the arrival factor give in the traditional mode, with the copies and lead times that were chosen.
pub(super) fn fit(paper: &Xiao) -> Result<Figure> {
    let system = redundant(None);
    let used = |arrival: f64, share: u64| -> Result<Vec<f64>> {
        let point = Point { share, over: K2 };
        let workload = Workload {
            arrival,
            ..paper.workload()
        };
        let used = (0..paper.other_replications).map(|replication| {
            let story = ENGINE(&system, &workload.script(point, replication)?)?;
            Ok(UTILISATION.of_story(&system, &story))
        });
        used.collect()
    };
    let along = ARRIVALS.into_iter().map(|arrival| {
        let [least, most] = [SHARES[0], SHARES[SHARES.len() - 1]].map(|share| used(arrival, share));
        let printed = PRINTED.map(|printed| vec![printed]);
        let [first, last] = printed;
        Ok((Tick::number(arrival), [least?, first, most?, last]))
    });
    let along: Vec<_> = along.collect::<Result<_>>()?;
    let names = [
        "traditional, 5 %",
        "printed for 5 %",
        "traditional, 20 %",
        "printed for 20 %",
    ];
    let panel = Panel::of(("arrivals by those of the model", ""), names, along);
    let Measure { name, limits, .. } = UTILISATION;
    Ok(Figure::new(
        "fit",
        "The fit of the traditional mode",
        name,
        panel.within(limits),
    ))
}

/// The machine of the log.
const MACHINE: [u16; 2] = [1, 128];
/// What is accepted for the calibration (%): nearly everything.
const LEAST: u32 = 5;
/// Promised probabilities are counted by tenths.
const BINS: usize = 10;
/// Fewer overlays say nothing about a probability.
const FEW: usize = 20;

/// Which share of the overlays was kept, by the probability that was promised: of the model's jobs, and of those of a log on one machine.
pub(super) fn calibration(paper: &Xiao) -> Result<Figure> {
    let point = |over| Point {
        share: SHARES[SHARES.len() - 1],
        over,
    };
    let mut kept = [[(0, 0); BINS]; 2];
    for (over, replication) in
        (0..3).flat_map(|over| (0..paper.other_replications).map(move |r| (over, r)))
    {
        let script = paper.workload().script(point(over), replication)?;
        count(&mut kept[0], &redundant(Some(LEAST)), &script)?;
    }
    let mut names = vec!["model"];
    if let Some(log) = &paper.log {
        names.push("log");
        count(
            &mut kept[1],
            &system(MACHINE, Some(LEAST)),
            &paper.workload().of_log(log, 50)?,
        )?;
    }
    names.push("promised");
    let along = (0..BINS).map(|bin| {
        let middle = (bin as f64 + 0.5) / BINS as f64;
        let shares = kept.iter().take(names.len() - 1).map(|kept| {
            let (kept, all) = kept[bin];
            Some(kept as f64 / all as f64)
                .filter(|_| all >= FEW)
                .into_iter()
                .collect()
        });
        let values: Vec<Vec<f64>> = shares.chain([vec![middle]]).collect();
        (Tick::number(middle), values)
    });
    let panel = Panel::of(("probability promised", ""), names.clone(), along);
    Ok(Figure::new(
        "calibration",
        "Overlays kept by what was promised",
        "share kept",
        panel.within(Limits::SHARE),
    ))
}

/// Counts overlays kept, and all, by the tenth of their probability.
fn count(kept: &mut [(usize, usize); BINS], system: &System, script: &Script) -> Result<()> {
    let story = ENGINE(system, script)?;
    let placed = story.outcomes.iter().filter_map(Outcome::accepted);
    for overlay in placed.filter_map(|(_, placed)| placed.overlay) {
        let bin = overlay.probability.get().to_num::<f64>() * BINS as f64;
        let (kept, all) = &mut kept[(bin as usize).min(BINS - 1)];
        *kept += usize::from(overlay.breach.is_none());
        *all += 1;
    }
    Ok(())
}
