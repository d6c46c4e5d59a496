//! The experiments of `sulistio`: elastic reservations beside best-effort jobs, on the log of the SDSC Blue Horizon.
//!
//! Every strategy at every point sees the same jobs in replication r, 30 % of which reserve; replications differ in which. So strategies
//! are compared in pairs. What the paper leaves open is run in more than one way: what a compute node is, whether run times are
//! known, how the user asks.
//!
//! Source: Sulistio, Kim, Buyya, "On incorporating an on-line strip packing algorithm into elastic grid reservation-based systems" (2007).

mod audit;
mod claims;
mod example;
mod growth;
mod literal;
mod measures;
mod pictures;
mod points;
mod recheck;
mod runs;
mod scale;
mod strategies;
mod workload;

use std::{path::Path, time::Instant};

use rayon::prelude::*;
use serde_json::json;

use self::{
    audit::Audit,
    claims::Evidence,
    pictures::{BUSY, Busy, Sources},
    points::{BUSY_NODES, ComputeNode, MAIN, PROCESSORS, REQUESTED, Reading, SLOT},
    recheck::{Asks, Recheck, recheck},
    runs::{Order, Sheet},
    scale::Scale,
    strategies::{OSP_BF, SECOND_QUERY, systems},
    workload::Workload,
};
use super::{Verdicts, claims as rows, figures, files};
use crate::{
    error::Result,
    output::{self, RunInfo, Timing},
    progress::Progress,
    report,
};

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reproduced {
    /// What became of the claims.
    pub verdicts: Verdicts,
    /// What the jobs come from.
    pub workload: String,
    /// Whether they come from a log.
    pub from_log: bool,
    /// Runs whose files were checked; no promise was broken in any of them.
    pub runs_checked: usize,
}

/// Runs the experiments of the paper into the folder `out`: claims.csv, figures.csv, metrics.json, timing.json, a
/// sample run in a folder of its own, and the report.
///
/// `log` is a log in the Standard Workload Format, of which the first two weeks are used; without one the jobs are those of a
/// model, and results say so. The same seed gives the same files whatever the number of threads, timing.json excepted. `quick`
/// runs every row with fewer points and replications.
///
/// # Errors
/// [`Error::Input`](crate::error::Error::Input) for a malformed log, [`Error::Io`](crate::error::Error::Io) when a file cannot be
/// read or written; [`Error::Violated`](crate::error::Error::Violated) when a run broke a promise, which is a defect, as is
/// [`Error::Internal`](crate::error::Error::Internal).
pub fn reproduce(
    log: Option<&Path>,
    quick: bool,
    seed: u64,
    out: &Path,
    progress: &Progress,
) -> Result<Reproduced> {
    let scale = if quick { Scale::QUICK } else { Scale::FULL };
    let workload = match log {
        Some(file) => Workload::of_log(file)?,
        None => Workload::synthetic(seed)?,
    };
    at_scale(&scale, &workload.first(scale.jobs), seed, out, progress)
}

fn at_scale(
    scale: &Scale,
    workload: &Workload,
    seed: u64,
    out: &Path,
    progress: &Progress,
) -> Result<Reproduced> {
    let begun = Instant::now();
    output::remove(&out.join(report::FILE))?;
    output::prepare(out)?;
    let sheets = Sheets::run(scale, workload, seed, progress)?;
    let audit = sheets.audit();
    audit.kept()?;
    let main = order(workload, MAIN, scale.replications, seed);
    let recheck = recheck_all(scale, &main, progress)?;
    let readings = sheets.others();
    let rows = claims::rows(&Evidence {
        workload,
        main: (MAIN.name, &sheets.main),
        readings: &readings,
        figure_1: &example::figure_1()?,
        slots: &example::slots()?,
        prices: &example::prices()?,
        recheck: &recheck,
    });
    rows::write(out, "sulistio", &rows)?;
    let all_readings = [&[(MAIN.name, &sheets.main)], &readings[..]].concat();
    let pictures = pictures::figures(&Sources {
        main: &sheets.main,
        readings: &all_readings,
        busy: &busy_nodes(&main)?,
        slots_a_day: 24 * points::HOUR / SLOT,
    });
    figures::write(out, &pictures)?;
    write_sample(&main, out)?;
    let decisions = audit.runs * workload.len();
    output::write_timing(out, &Timing::new(decisions, begun.elapsed()))?;
    let settings = settings(scale, workload, seed, &audit);
    files::json(out, "metrics.json", &settings)?;
    report::build(out)?;
    Ok(Reproduced {
        verdicts: Verdicts::of(&rows),
        workload: workload.name.clone(),
        from_log: workload.facts.is_some(),
        runs_checked: audit.runs,
    })
}

const fn order(workload: &Workload, reading: Reading, replications: u32, seed: u64) -> Order<'_> {
    Order {
        workload,
        reading,
        replications,
        seed,
    }
}

/// Everything that was run.
struct Sheets {
    main: Sheet,
    others: Vec<(&'static str, Sheet)>,
}

impl Sheets {
    fn run(scale: &Scale, workload: &Workload, seed: u64, progress: &Progress) -> Result<Self> {
        let points = points::grid(scale.search_limits);
        let mut others = vec![PROCESSORS];
        if workload.has_requested_times() {
            others.push(REQUESTED);
        }
        let few = scale.other_replications;
        let replications = u64::from(scale.replications) + others.len() as u64 * u64::from(few);
        let bar = progress.bar("reproduce sulistio", points.len() as u64 * replications);
        let sheet =
            |reading, replications| order(workload, reading, replications, seed).run(&points, &bar);
        Ok(Self {
            main: sheet(MAIN, scale.replications)?,
            others: others
                .into_iter()
                .map(|reading| Ok((reading.name, sheet(reading, few)?)))
                .collect::<Result<_>>()?,
        })
    }

    fn others(&self) -> Vec<(&'static str, &Sheet)> {
        let others = self.others.iter();
        others.map(|(name, sheet)| (*name, sheet)).collect()
    }

    fn audit(&self) -> Audit {
        let others = self.others.iter().map(|(_, sheet)| sheet.audit.clone());
        others.fold(self.main.audit.clone(), Audit::and)
    }
}

/// Answers queries of OSP+BF once more, in the first replication of all points.
fn recheck_all(scale: &Scale, main: &Order, progress: &Progress) -> Result<Recheck> {
    let points = points::grid(scale.search_limits);
    let users = [(OSP_BF, Asks::Once), (SECOND_QUERY, Asks::Again)];
    let both = points
        .iter()
        .flat_map(|&point| users.map(|user| (point, user)));
    let both: Vec<_> = both.collect();
    let bar = progress.bar("sulistio: offers again", both.len() as u64);
    let found: Vec<Recheck> = both
        .into_par_iter()
        .map(|(point, (strategy, asks))| {
            let outcomes = main.outcomes(point, 0, strategy)?;
            let found = recheck(&outcomes, asks, scale.recheck_every);
            bar.tick();
            found
        })
        .collect::<Result<_>>()?;
    Ok(found.into_iter().fold(Recheck::default(), Recheck::and))
}

/// Figure 5 in the first replication.
fn busy_nodes(main: &Order) -> Result<Vec<Busy>> {
    let one = |strategy| {
        let outcomes = main.outcomes(BUSY_NODES, 0, strategy)?;
        Ok((strategy, measures::busy(&outcomes)))
    };
    BUSY.into_iter().map(one).collect()
}

/// Writes the run that stands for all in the report: OSP+BF where figure 5 looks, first replication.
fn write_sample(main: &Order, out: &Path) -> Result<()> {
    let info = RunInfo {
        system: systems()?[OSP_BF],
        workload: main.workload.name.clone(),
        seed: main.seed,
    };
    let outcomes = main.outcomes(BUSY_NODES, 0, OSP_BF)?;
    output::write_run(&out.join("sample"), &info, &outcomes)?;
    Ok(())
}

fn settings(scale: &Scale, workload: &Workload, seed: u64, audit: &Audit) -> serde_json::Value {
    let load = |node| (workload.load(node) * 1e4).round() / 1e4;
    json!({
        "paper": "sulistio",
        "workload": workload.name,
        "workload_is_a_log": workload.facts.is_some(),
        "reading": MAIN.name,
        "jobs": workload.len(),
        "share_reserving": points::RESERVING,
        "load": load(ComputeNode::Node),
        "load_if_cn_is_processor": load(ComputeNode::Processor),
        "seed": seed,
        "replications": scale.replications,
        "replications_of_other_readings": scale.other_replications,
        "pes": points::NODES,
        "slots": points::SLOTS,
        "slot_seconds": SLOT,
        "binding": "late",
        "runs_checked": audit.runs,
        "violations": audit.violations,
        "quick": scale.quick,
        "version": env!("CARGO_PKG_VERSION"),
    })
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::{Scale, Workload, at_scale};
    use crate::progress::Progress;

    const TINY: Scale = Scale {
        search_limits: &[0, 8, 12],
        jobs: 25,
        replications: 2,
        other_replications: 1,
        recheck_every: 4,
        ..Scale::QUICK
    };

    fn run(threads: usize, out: &Path) {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let workload = Workload::synthetic(1).unwrap().first(TINY.jobs);
        pool.install(|| at_scale(&TINY, &workload, 1, out, &Progress::new(true)))
            .unwrap();
    }

    #[test]
    fn a_tiny_reproduction_is_whole_and_the_same_for_any_number_of_threads() {
        let dir = tempfile::tempdir().unwrap();
        let (one, two) = (dir.path().join("one"), dir.path().join("two"));
        run(1, &one);
        run(2, &two);
        for name in ["claims.csv", "figures.csv", "metrics.json", "report.html"] {
            let bytes = fs::read(one.join(name)).unwrap();
            assert!(bytes == fs::read(two.join(name)).unwrap(), "{name}");
        }
        assert!(one.join("timing.json").is_file());
        let mut claims = csv::Reader::from_path(one.join("claims.csv")).unwrap();
        let rows: Vec<csv::StringRecord> = claims.records().map(Result::unwrap).collect();
        let ids: Vec<&str> = rows.iter().map(|row| &row[0]).collect();
        let expected: Vec<String> = (1..=27).map(|number| format!("3.{number:02}")).collect();
        assert_eq!(ids, expected);
        // Nobody may take a model's jobs for the paper's.
        for row in &rows {
            assert!(row[8].contains("The jobs are synthetic"), "{row:?}");
        }
        let report = fs::read_to_string(one.join("report.html")).unwrap();
        assert!(report.contains("synthetic (Lublin-Feitelson) instead of"));
    }
}
