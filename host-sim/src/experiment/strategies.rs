//! All strategies on the same requests: what the papers have in common, judged by the samples of a sweep.

use std::path::Path;

use serde_json::json;

use super::{
    Claim, Comparison, Evidence, Finding, Panel, Panels, Rises, Row, Rule, Tick, View, above,
    claims, ends, everywhere, points, source::glossary, special, sweep::SAMPLES,
};
use crate::{
    error::{Error, Result},
    files, report,
    statistics::Expected,
    text_file,
};

/// The name of the experiment.
const NAME: &str = "strategies";

/// What the papers say.
const CLAIMS: &str = "\
id,kind,claim,claimed
X.1,O,Flexibility of the start time raises acceptance and utilisation and lowers rejection,more slack raises both
X.2,O,The earliest fit has the lowest slowdown but not the best acceptance,below all others; not above all
";

/// The axis of slack.
const SLACK: &str = "deadline_factor";
/// The axes that make a plot each.
const PLACES: [&str; 2] = ["workload", "binding"];
/// The axis of systems, and its values.
const STRATEGY: &str = "strategy";
const STRATEGIES: [&str; 13] = [
    FIRST_FIT,
    "pe-best-fit",
    "pe-worst-fit",
    "duration-best-fit",
    "duration-worst-fit",
    "pe-duration-best-fit",
    "pe-duration-worst-fit",
    "rigid",
    "elastic",
    "juggle",
    "shift",
    "juggle-shift",
    "overlay",
];
const FIRST_FIT: &str = "first-fit";
const FIRST: usize = 0;
const RIGID: usize = 7;
const OVERLAY: usize = 12;
const ALL: &[usize] = &[0, 1, 2, 3, 4, 5, 6, RIGID, 8, 9, 10, 11, OVERLAY];
/// Those that choose a start.
const CHOOSING: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, OVERLAY];

const ACCEPTED: View = "acceptance";
const USED: View = "utilisation";
const SLOWDOWN: View = "slowdown";
const WORK: View = "accepted work";
const VIOLATED: View = "violations per accepted";
/// Where the samples have them.
const MEASURES: [(View, &str); 5] = [
    (ACCEPTED, "acceptance_rate"),
    (USED, "utilization"),
    (SLOWDOWN, "average_slowdown"),
    (WORK, "accepted_work_rate"),
    (VIOLATED, "violation_rate"),
];

/// What explains a failure of X.1.
const INSTEAD: &str = concat!(
    "More slack lets wide and long jobs in, which take the room of many small ones: the evidence has the accepted share of ",
    "the work. Rigid reservations have no use for slack."
);

/// What is compared in X.2, and at what price.
const ALONE: &str = concat!(
    "Rigid reservations start when they are ready or not at all. What overlays accept more is at the risk that the evidence ",
    "shows."
);

/// One run.
struct Sample {
    place: String,
    slack: f64,
    strategy: String,
    measures: [f64; MEASURES.len()],
}

/// Judges the claims by the samples in a folder: claims.csv, evidence.csv, settings.json, and the report with them. `note` stands behind
/// every row; `in_full` is how many replications the experiment has where it is not quick. What became of the claims, and how much was run.
///
/// # Errors
/// [`Error::Input`] for samples that are no table, [`Error::Io`] for files that cannot be read or written, [`Error::Internal`] for samples
/// of another plan.
pub(crate) fn judge(out: &Path, note: &str, quick: bool, in_full: u32) -> Result<[String; 2]> {
    let samples = read(&out.join(SAMPLES))?;
    let panels = MEASURES.iter().enumerate();
    let panels = panels.map(|(at, (view, _))| (*view, panels_of(&samples, at)));
    let panels = Panels::new(panels);
    let replications = panels.first(USED).replications();
    let evidence = Evidence {
        name: "the sweep",
        replications,
        complete: true,
        panels,
    };
    let verdicts = claims::judge(out, ("all", CLAIMS, note), claims(), &evidence, &[])?;
    let settings = json!({
        "paper": NAME,
        "quick": quick,
        "replications": replications,
        "replications_in_full": in_full,
        "glossary": glossary(include_str!("strategies.csv"))?,
    });
    text_file::write(&out.join("settings.json"), |file| {
        writeln!(file, "{settings:#}")
    })?;
    report::build(out)?;
    let extent = report::extent(quick, replications as u32, in_full, NAME);
    Ok([verdicts, extent])
}

fn read(file: &Path) -> Result<Vec<Sample>> {
    let axes = [SLACK, STRATEGY].into_iter().chain(PLACES);
    let columns: Vec<&str> = axes.chain(MEASURES.map(|(_, column)| column)).collect();
    let samples = files::read_lines(file, &columns, |line| {
        let number = |column| line.cell(column).parse().unwrap_or(f64::NAN);
        Ok(Sample {
            place: PLACES.map(|axis| line.cell(axis)).join(", "),
            slack: number(SLACK),
            strategy: line.cell(STRATEGY).to_owned(),
            measures: MEASURES.map(|(_, column)| number(column)),
        })
    })?;
    samples.ok_or_else(|| Error::Internal(format!("{}: gone", file.display())))
}

/// A panel for each place, with the strategies over the slack.
fn panels_of(samples: &[Sample], measure: usize) -> Vec<Panel> {
    let once = |mut all: Vec<String>, next: &Sample| {
        if !all.contains(&next.place) {
            all.push(next.place.clone());
        }
        all
    };
    let places = samples.iter().fold(Vec::new(), once);
    let panel = |place: String| {
        let here: Vec<&Sample> = samples.iter().filter(|s| s.place == place).collect();
        let mut slacks: Vec<f64> = here.iter().map(|sample| sample.slack).collect();
        slacks.sort_by(f64::total_cmp);
        slacks.dedup();
        let at = |slack: f64| -> Vec<Vec<f64>> {
            let of = |strategy: &str| {
                let runs = here.iter();
                runs.filter(|sample| sample.slack == slack && sample.strategy == strategy)
                    .map(|sample| sample.measures[measure])
                    .collect()
            };
            STRATEGIES.into_iter().map(of).collect()
        };
        let ticks = slacks
            .into_iter()
            .map(|slack| (Tick::number(slack), at(slack)));
        Panel {
            place,
            ..Panel::of(("slack by durations, at most", ""), STRATEGIES, ticks)
        }
    };
    places.into_iter().map(panel).collect()
}

/// The rule where it can be judged: not every strategy was run with either binding.
fn where_run(rule: Rule) -> Rule {
    rule.then(|found, _| {
        let run = |comparison: &Comparison| !comparison.differences.is_empty();
        found.comparisons.retain(run);
    })
}

fn claims() -> Vec<Claim> {
    let others = CHOOSING.iter().filter(|other| **other != FIRST);
    let others = others.map(|other| above(*other, FIRST));
    vec![
        Claim::parts(
            "X.1",
            [ACCEPTED, USED].map(|view| {
                let shown = move |panels: &Panels| panels.ends(view, &[FIRST]);
                (view, where_run(ends(view, CHOOSING, Rises)).opening(shown))
            }),
        )
        .with(|panels| {
            let rows = panels.of(WORK).iter();
            let run = |panel: &Panel| {
                let run = ALL.iter().filter(|at| panel.mean(**at, 0).is_finite());
                run.copied().collect::<Vec<_>>()
            };
            let row = |panel: &Panel| {
                Row::fact("accepted share of the work", panel.ends(&run(panel)))
                    .at(panel.axis_label())
            };
            rows.map(row).collect()
        })
        .remark(INSTEAD),
        Claim::parts(
            "X.2",
            [
                (
                    SLOWDOWN,
                    where_run(everywhere(SLOWDOWN, others.collect::<Vec<_>>()))
                        .opening(|panels| panels.overall(SLOWDOWN, ALL)),
                ),
                (ACCEPTED, not_best()),
            ],
        )
        .with(|panels| {
            let measured = |view| {
                let value = panels.overall_values(view, &[FIRST, OVERLAY]);
                Row::fact(format!("{view}, mean over all points"), value)
            };
            [ACCEPTED, VIOLATED].map(measured).into()
        })
        .remark(ALONE),
    ]
}

/// Some other strategy accepts more than first fit.
fn not_best() -> Rule {
    let words = format!("{ACCEPTED}: at every point, the best other above {FIRST_FIT}");
    let rule = special(words, |panels| Finding {
        comparisons: points(panels.of(ACCEPTED))
            .map(|(panel, tick)| highest(panel, tick))
            .collect(),
        ..Finding::default()
    });
    rule.opening(|panels| panels.overall(ACCEPTED, ALL))
}

fn highest(panel: &Panel, tick: usize) -> Comparison {
    let mean = |at: &usize| panel.mean(*at, tick);
    let others = (1..STRATEGIES.len()).filter(|other| mean(other).is_finite());
    let best = others.max_by(|a, b| mean(a).total_cmp(&mean(b)));
    let best = best.unwrap_or(FIRST);
    Comparison {
        what: format!("{} - {FIRST_FIT}", panel.names[best]),
        place: panel.at(tick),
        differences: panel.difference(best, FIRST, tick),
        expected: Expected::Above(0.0),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{MEASURES, OVERLAY, STRATEGIES, judge};
    use crate::experiment::sweep::SAMPLES;

    /// What is found where acceptance and utilisation rise by so much per slack, and every other strategy has so much more of
    /// everything than first fit.
    fn verdicts(slope: f64, more: f64) -> String {
        let mut table = "deadline_factor,workload,binding,strategy,replication".to_owned();
        table.extend(MEASURES.map(|(_, column)| format!(",{column}")));
        let points = [(1, "a"), (3, "a"), (1, "b"), (3, "b")];
        let points = points.map(|point| [(point, "early"), (point, "late")]);
        for ((slack, workload), binding) in points.concat() {
            let some = STRATEGIES.iter().enumerate();
            let some = some.filter(|(at, _)| binding == "late" || *at != OVERLAY);
            for (at, strategy) in some {
                for replication in 1..=3 {
                    let value = 0.5
                        + slope * f64::from(slack)
                        + more * at as f64
                        + 0.001 * f64::from(replication);
                    let cells = format!("{slack},{workload},{binding},{strategy},{replication}");
                    table += &format!("\n{cells}{}", format!(",{value}").repeat(MEASURES.len()));
                }
            }
        }
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(SAMPLES), table + "\n").unwrap();
        let [found, extent] = judge(dir.path(), "A note.", true, 5).unwrap();
        assert!(extent.starts_with("A quick reproduction: 3 replications of each point"));
        assert!(
            extent.contains("the full experiment takes 5 replications"),
            "{extent}"
        );
        let claims = fs::read_to_string(dir.path().join("claims.csv")).unwrap();
        assert_eq!(claims.matches(" A note.").count(), 2);
        assert!(claims.contains("X.1,all,O,") && claims.contains("X.2,all,O,"));
        found
    }

    #[test]
    fn both_claims_can_hold_and_fail() {
        let [holding, failing] =
            [(0.1, 0.01), (-0.1, -0.01)].map(|(slope, more)| verdicts(slope, more));
        assert_eq!(holding, "2 claims hold, 0 fail, 0 undecidable");
        assert_eq!(failing, "0 claims hold, 2 fail, 0 undecidable");
    }
}
