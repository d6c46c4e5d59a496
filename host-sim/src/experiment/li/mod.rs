//! The experiments of `li`: seven policies on a LANL-CM5-like workload with advance reservations.
//!
//! Every policy at every point sees the same requests in replication r, so policies are compared in pairs. What is open is
//! run in more than one way: other readings of what the paper leaves open, other slots and horizons, other bindings.
//!
//! Source: Li, Pei, Wu, Shen, "Resource availability-aware advance reservation for parallel jobs with deadlines" (2014).

mod audit;
mod claims;
mod example;
mod growth;
mod literal;
mod machine;
mod pictures;
mod plain;
mod points;
mod runs;
mod scale;

use std::{path::Path, time::Instant};

use bookahead::Policy;
use rayon::prelude::*;
use serde_json::json;

use self::{
    audit::Audit,
    claims::Evidence,
    machine::Machine,
    pictures::Sources,
    plain::{Recheck, recheck},
    points::{DEFAULT, Point, Reading},
    runs::{Order, Sheet},
    scale::Scale,
};
use super::{Verdicts, claims as rows, figures, files};
use crate::{
    error::Result,
    output::{self, RunInfo, Timing},
    progress::{Bar, Progress},
    report,
};

/// Runs the experiments of the paper into the folder `out`: claims.csv, figures.csv, metrics.json, timing.json, a
/// sample run in a folder of its own, and the report.
///
/// The same seed gives the same files whatever the number of threads, timing.json excepted. `quick` runs every row with fewer
/// and shorter runs.
///
/// # Errors
/// [`Error::Io`](crate::error::Error::Io) when a file cannot be written; [`Error::Internal`](crate::error::Error::Internal) for
/// a defect of this program.
pub fn reproduce(quick: bool, seed: u64, out: &Path, progress: &Progress) -> Result<Verdicts> {
    let scale = if quick { Scale::QUICK } else { Scale::FULL };
    at_scale(&scale, seed, out, progress)
}

fn at_scale(scale: &Scale, seed: u64, out: &Path, progress: &Progress) -> Result<Verdicts> {
    let begun = Instant::now();
    output::remove(&out.join(report::FILE))?;
    output::prepare(out)?;
    let sheets = Sheets::run(scale, seed, progress)?;
    let example = example::both_rings()?;
    let recheck = recheck_all(scale, seed)?;
    let machines = [&sheets.slotted[..], &sheets.bound[..]].concat();
    let audit = sheets.audit();
    let rows = claims::rows(&Evidence {
        main: &sheets.main,
        readings: &sheets.readings,
        machines: &machines,
        example: &example,
        audit: &audit,
        recheck: &recheck,
    });
    rows::write(out, "li", &rows)?;
    let pictures = pictures::figures(&Sources {
        main: &sheets.main,
        readings: &sheets.readings,
        slotted: &sheets.slotted,
        bound: &sheets.bound,
    });
    figures::write(out, &pictures)?;
    write_sample(scale, seed, out)?;
    output::write_timing(out, &Timing::new(audit.requests, begun.elapsed()))?;
    files::json(out, "metrics.json", &settings(scale, seed, &sheets.main))?;
    report::build(out)?;
    Ok(Verdicts::of(&rows))
}

/// Writes the run that stands for all in the report: PE worst fit at the default point, first replication.
fn write_sample(scale: &Scale, seed: u64, out: &Path) -> Result<()> {
    let system = machine::MAIN.under(Policy::PeWorstFit);
    let requests = points::MAIN.requests(DEFAULT, scale.jobs, seed, 0)?;
    let outcomes = machine::MAIN.run(&requests, Policy::PeWorstFit)?;
    let info = RunInfo {
        system,
        workload: "lanl-cm5".to_owned(),
        seed,
    };
    output::write_run(&out.join("sample"), &info, &outcomes)?;
    Ok(())
}

/// Everything that was run.
struct Sheets {
    main: Sheet,
    readings: Vec<(&'static str, Sheet)>,
    slotted: Vec<(&'static str, Sheet)>,
    bound: Vec<(&'static str, Sheet)>,
}

impl Sheets {
    fn run(scale: &Scale, seed: u64, progress: &Progress) -> Result<Self> {
        let all = points::all();
        let (many, few) = (
            u64::from(scale.replications),
            u64::from(scale.other_replications),
        );
        let (readings, slotted, bound) = (
            points::OTHERS.len(),
            machine::SLOTTED.len(),
            machine::BOUND.len(),
        );
        let steps = all.len() as u64 * (many + few * readings as u64)
            + machine::POINTS.len() as u64 * few * slotted as u64
            + machine::POINTS.len() as u64 * many * bound as u64;
        let bar = progress.bar("reproduce li", steps);
        let order = |reading: &Reading, machine: &Machine, replications| Order {
            reading: *reading,
            machine: *machine,
            jobs: scale.jobs,
            replications,
            seed,
        };
        let on = |machines: &[Machine], replications| {
            each(machines, &bar, |machine| {
                let order = order(&points::MAIN, machine, replications);
                (machine.name, order, machine::POINTS.to_vec())
            })
        };
        Ok(Self {
            main: order(&points::MAIN, &machine::MAIN, scale.replications)
                .run(all.clone(), &bar)?,
            readings: each(&points::OTHERS, &bar, |reading| {
                let order = order(reading, &machine::MAIN, scale.other_replications);
                (reading.name, order, all.clone())
            })?,
            slotted: on(&machine::SLOTTED, scale.other_replications)?,
            bound: on(&machine::BOUND, scale.replications)?,
        })
    }

    fn audit(&self) -> Audit {
        let others = [&self.readings, &self.slotted, &self.bound];
        let others = others.into_iter().flatten().map(|(_, sheet)| sheet.audit());
        others.fold(self.main.audit(), |sum, audit| sum.and(&audit))
    }
}

/// One sheet for each of some variants.
fn each<T>(
    variants: &[T],
    bar: &Bar,
    what: impl Fn(&T) -> (&'static str, Order, Vec<Point>),
) -> Result<Vec<(&'static str, Sheet)>> {
    variants
        .iter()
        .map(|variant| {
            let (name, order, points) = what(variant);
            Ok((name, order.run(points, bar)?))
        })
        .collect()
}

/// Takes decisions of every policy once more, in the first replication of the default point.
fn recheck_all(scale: &Scale, seed: u64) -> Result<Recheck> {
    let requests = points::MAIN.requests(DEFAULT, scale.jobs, seed, 0)?;
    let found: Vec<Recheck> = Policy::ALL
        .par_iter()
        .map(|&policy| {
            let outcomes = machine::MAIN.run(&requests, policy)?;
            Ok(recheck(
                &outcomes,
                &machine::MAIN,
                policy,
                scale.recheck_every,
            ))
        })
        .collect::<Result<_>>()?;
    Ok(found.into_iter().fold(Recheck::default(), Recheck::and))
}

fn settings(scale: &Scale, seed: u64, main: &Sheet) -> serde_json::Value {
    let load = main.mean_load(DEFAULT);
    json!({
        "paper": "li",
        "workload": "Lublin-Feitelson, LANL CM-5 sizes, six run-time classes",
        "reading": points::MAIN.name,
        "offered_load_at_default": (load * 1e4).round() / 1e4,
        "seed": seed,
        "jobs": scale.jobs,
        "replications": scale.replications,
        "replications_of_other_readings": scale.other_replications,
        "pes": machine::PES,
        "slots": machine::MAIN.slots,
        "slot_seconds": machine::MAIN.slot_seconds,
        "binding": machine::MAIN.binding.name(),
        "quick": scale.quick,
        "version": env!("CARGO_PKG_VERSION"),
    })
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::{Scale, at_scale};
    use crate::progress::Progress;

    const TINY: Scale = Scale {
        jobs: 5,
        replications: 2,
        other_replications: 1,
        recheck_every: 1,
        quick: true,
    };

    fn run(threads: usize, out: &Path) {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| at_scale(&TINY, 1, out, &Progress::new(true)))
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
        let header = "id,paper,kind,claim,claimed,measured,ci95,verdict,note";
        assert_eq!(
            claims
                .headers()
                .unwrap()
                .iter()
                .collect::<Vec<_>>()
                .join(","),
            header
        );
        let ids: Vec<String> = claims
            .records()
            .map(|row| row.unwrap()[0].to_owned())
            .collect();
        let expected: Vec<String> = (1..=34).map(|number| format!("1.{number:02}")).collect();
        assert_eq!(ids, expected);
    }
}
