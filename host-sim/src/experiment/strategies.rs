//! All strategies on the same requests: what the papers have in common, judged by the samples of a sweep.

use std::path::Path;

use serde_json::json;

use super::{
    Claim, Comparison, Curves, Finding, Kind, Panel, Rises, Row, Tick, above, claim, claims, parts,
    source::glossary, sweep::SAMPLES,
};
use crate::{
    error::{Error, Result},
    files,
    report::{self, palette::STRATEGIES},
    statistics::{Expected, Verdict},
    text_file,
    told::{Answer, answer},
};

/// The name of the experiment.
const NAME: &str = "strategies";

/// The axis of slack.
const SLACK: &str = "deadline_factor";
/// The axes that make a plot each.
const PLACES: [&str; 2] = ["workload", "binding"];
/// The axis of systems.
const STRATEGY: &str = "strategy";
// Places of its values in [`STRATEGIES`].
const FIRST: usize = 0;
const RIGID: usize = 7;
const OVERLAY: usize = 12;
const ALL: &[usize] = &[0, 1, 2, 3, 4, 5, 6, RIGID, 8, 9, 10, 11, OVERLAY];
/// Those that choose a start.
const CHOOSING: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, OVERLAY];

/// What is judged, and the samples' columns of it: [`claims`] takes them in this order.
const MEASURES: [(&str, &str); 5] = [
    ("acceptance", "acceptance_rate"),
    ("utilisation", "utilization"),
    ("slowdown", "average_slowdown"),
    ("accepted work", "accepted_work_rate"),
    ("violations per accepted", "violation_rate"),
];

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
    let curves = |at: usize| Curves::new(MEASURES[at].0, panels_of(&samples, at));
    let curves = [0, 1, 2, 3, 4].map(curves);
    let replications = curves[0].first().replications();
    let (judged, reasons) = claims::judge(out, ("all", note), claims(&curves), &[])?;
    let settings = json!({
        "paper": NAME,
        "paper_title": "What the papers have in common",
        "quick": quick,
        "replications": replications,
        "replications_in_full": in_full,
        "question": "Several papers let a scheduler choose when a reservation starts. On the same requests, does more room for the start help whatever the strategy, and is the earliest start good enough?",
        "disclaimer": note,
        "answer": answers(),
        "why_it_fails": reasons,
        "glossary": glossary(include_str!("strategies.csv"))?,
    });
    text_file::write(&out.join("settings.json"), |file| {
        writeln!(file, "{settings:#}")
    })?;
    report::build(out)?;
    let extent = report::extent(quick, replications as u32, in_full, NAME);
    Ok([claims::verdicts(&judged), extent])
}

fn answers() -> Vec<Answer> {
    use Verdict::{Fails, Holds, Undecidable};
    vec![
        answer(
            "More room for the start raises how much is accepted and how much of the machine is used, whatever the strategy.",
            &[("X.1", Holds)],
        ),
        answer(
            "More room for the start does not raise both how much is accepted and how much of the machine is used, for every strategy.",
            &[("X.1", Fails)],
        ),
        answer(
            "Whether more room for the start helps every strategy these runs cannot tell.",
            &[("X.1", Undecidable)],
        ),
        answer(
            "The earliest start makes jobs wait least, but some other strategy accepts more.",
            &[("X.2", Holds)],
        ),
        answer(
            "Whether the earliest start makes jobs wait least everywhere, while another strategy accepts more, these runs cannot tell.",
            &[("X.2", Undecidable)],
        ),
        answer(
            "It is not so everywhere that the earliest start makes jobs wait least while another strategy accepts more.",
            &[("X.2", Fails)],
        ),
    ]
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
        Panel::of(("slack by durations, at most", ""), STRATEGIES, ticks).placed(place)
    };
    places.into_iter().map(panel).collect()
}

/// What is found where it can be judged: not every strategy was run with either binding.
fn where_run(mut found: Finding) -> Finding {
    let run = |comparison: &Comparison| !comparison.differences.is_empty();
    found.comparisons.retain(run);
    found
}

fn claims([accepted, used, slowdown, work, violated]: &[Curves; 5]) -> Vec<Claim> {
    let others = CHOOSING.iter().filter(|other| **other != FIRST);
    let others: Vec<_> = others.map(|other| above(*other, FIRST)).collect();
    // Some other strategy accepts more than first fit.
    let best = accepted.points().map(|(panel, tick)| highest(panel, tick));
    let best_rule = format!(
        "{}: at every point, the best other above {}",
        accepted.name, STRATEGIES[FIRST]
    );
    let share = |panel: &Panel| {
        let run = ALL.iter().filter(|at| panel.mean(**at, 0).is_finite());
        let ends = panel.ends(&run.copied().collect::<Vec<_>>());
        Row::fact("accepted share of the work", ends).at(panel.axis_label())
    };
    vec![
        claim("X.1", Kind::Order, "Flexibility of the start time raises acceptance and utilisation and lowers rejection", "more slack raises both",
            parts([accepted, used].map(|curves| {
                (curves.name, where_run(curves.first_to_last(CHOOSING, Rises)).opening(curves.ends(&[FIRST])))
            })))
            .with(work.panels.iter().map(share))
            .remark("More slack lets wide and long jobs in, which take the room of many small ones: the evidence has the accepted share of the work. Rigid reservations have no use for slack.")
            .fails_since("The papers have more slack raise both acceptance and utilisation. Here acceptance rises with every strategy, while the utilisation falls with some on one of the workloads. Why is not known; a quick reproduction has two replications of few requests."),
        claim("X.2", Kind::Order, "The earliest fit has the lowest slowdown but not the best acceptance", "below all others; not above all",
            parts([
                (slowdown.name, where_run(slowdown.everywhere(others)).opening(slowdown.overall(ALL))),
                (accepted.name, Finding::comparing(best_rule, best).opening(accepted.overall(ALL))),
            ]))
            .with([accepted, violated].map(|curves| {
                Row::fact(format!("{}, mean over all points", curves.name), curves.overall_values(&[FIRST, OVERLAY]))
            }))
            .remark("Rigid reservations start when they are ready or not at all. What overlays accept more is at the risk that the evidence shows."),
    ]
}

fn highest(panel: &Panel, tick: usize) -> Comparison {
    let mean = |at: &usize| panel.mean(*at, tick);
    let others = (1..STRATEGIES.len()).filter(|other| mean(other).is_finite());
    let best = others.max_by(|a, b| mean(a).total_cmp(&mean(b)));
    let best = best.unwrap_or(FIRST);
    Comparison {
        what: format!("{} - {}", panel.names[best], panel.names[FIRST]),
        place: panel.at(tick),
        differences: panel.difference(best, FIRST, tick),
        expected: Expected::Above(0.0),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{MEASURES, NAME, OVERLAY, STRATEGIES, judge};
    use crate::experiment::{sweep::SAMPLES, tests::ids};

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
        let rows = claims.lines().skip(1).map(|row| row.split(',').next());
        assert!(rows.eq(ids(NAME).into_iter().map(Some)), "{claims}");
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
