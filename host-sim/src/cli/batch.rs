//! The same demands under several systems: files of each, a table of all, a report.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use rayon::prelude::*;

use super::{
    basics::Basics,
    doubts::{Doubts, Refused},
    machine,
    run_table::{self, FinishedRun},
    screen,
};
use crate::{
    arrivals::Arrivals,
    engine::{self, Listener, System, metrics::Refusals},
    error::{Error, Result},
    manifest::{HERE, Manifest},
    outage::Notice,
    output::{self, Aside, CHECKPOINT, Checkpoints, Kinds, RunFolder, RunInfo, Timing},
    progress::Bar,
    report::{
        self,
        words::{Setting, grouped, plural},
    },
};

/// Reasons that a request has itself, whoever else has asked.
const IMPOSSIBLE: [&str; 8] = [
    "zero-pes",
    "zero-duration",
    "ready-in-past",
    "window-too-short",
    "bad-shape",
    "uneven-groups",
    "not-whole-groups",
    "nothing-eligible",
];

/// What the rows of a request in jobs.csv and reservations.csv take at the least (bytes).
const LEAST_OF_ROW: u64 = 80;
/// The same where they are compressed. A log of equal requests that are all refused takes 17, and jobs of a model 54.
const LEAST_COMPRESSED: u64 = 10;

/// How the tables of runs are written.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct TableOptions {
    /// Compress the tables of each run, as jobs.csv.gz and so on, which every command reads as it does the others
    #[arg(long)]
    gzip: bool,
}

/// What to run and where to put it.
pub(super) struct Batch<'a> {
    pub(super) basics: &'a Basics,
    /// A name of the workload.
    pub(super) workload: &'a str,
    /// What arrives.
    pub(super) arrivals: Arrivals<'a>,
    pub(super) systems: &'a [System],
    /// How many of them fit into memory at a time.
    pub(super) at_a_time: usize,
    /// How often the state of a run is kept, if at all.
    pub(super) checkpoint: Option<Duration>,
    pub(super) tables: TableOptions,
}

impl Batch<'_> {
    /// Runs everything and returns the path of the report.
    pub(super) fn run(&self) -> Result<PathBuf> {
        self.prepare()?;
        let Arrivals {
            outline,
            operations,
            notices,
            ..
        } = self.arrivals;
        let rows = outline.demands + operations.len() + notices.len();
        let steps = rows * self.systems.len();
        let bar = self.basics.progress().bar(self.workload, steps as u64);
        // Several runs keep all threads busy as it is, and a state that is kept is one of both.
        let alone = self.systems.len() == 1 && self.checkpoint.is_none();
        let aside = alone && self.basics.threads() > 1;
        let done: Vec<FinishedRun> = self.basics.pool(self.at_a_time)?.install(|| {
            let systems = self.systems.par_iter();
            systems
                .map(|system| self.one(system, aside, &bar))
                .collect::<Result<_>>()
        })?;
        drop(bar);
        self.basics.table(|out| self.print(&done, out))?;
        self.advise(&done)?;
        let busy = self.basics.progress().busy("drawing the report");
        let report = report::build(self.basics.out())?;
        drop(busy);
        if self.checkpoint.is_some() {
            self.folders()
                .try_for_each(|dir| Checkpoints::remove(&dir))?;
        }
        screen::line(&format!("report: {}", report.display()))?;
        Ok(report)
    }

    /// Runs of several systems have a folder each.
    fn name(&self, system: &System) -> String {
        if self.systems.len() == 1 {
            return HERE.to_owned();
        }
        system.folder()
    }

    fn folder(&self, system: &System) -> PathBuf {
        Manifest::path(self.basics.out(), &self.name(system))
    }

    /// From here on nothing looks finished that is not.
    fn prepare(&self) -> Result<()> {
        let out = self.basics.out();
        self.check_disk()?;
        let runs = self.systems.iter().map(|system| self.name(system));
        self.basics.claim(out, runs.collect(), self.set())?;
        if self.checkpoint.is_none()
            && let Some(dir) = self.folders().find(|dir| Checkpoints::are_in(dir))
        {
            return Err(Error::Usage(format!(
                "{}: holds the state of a run that is not finished: say --checkpoint to go on from it, or remove {CHECKPOINT} there to begin anew",
                dir.display()
            )));
        }
        // The report first: it speaks of the others.
        output::remove(&out.join(report::FILE))?;
        let mut anew = self.folders().filter(|dir| !Checkpoints::are_in(dir));
        anew.try_for_each(|dir| output::prepare(&dir))
    }

    /// What cannot fit on the disk would only be found out when it is full.
    fn check_disk(&self) -> Result<()> {
        // Some of it is there where a run goes on.
        if self.folders().any(|dir| Checkpoints::are_in(&dir)) {
            return Ok(());
        }
        let Self {
            basics, systems, ..
        } = self;
        let rows = (self.arrivals.outline.demands * systems.len()) as u64;
        let least = match self.tables.gzip {
            true => LEAST_COMPRESSED,
            false => LEAST_OF_ROW,
        };
        let needed = rows.saturating_mul(least);
        // Where nobody knows, writing tells.
        let there = basics.out().ancestors().find(|folder| folder.exists());
        let free = fs4::available_space(there.unwrap_or(Path::new(".")));
        let free = free.unwrap_or(u64::MAX);
        if needed <= free {
            return Ok(());
        }
        let [needed, free] =
            [needed, free].map(|bytes| grouped(usize::try_from(bytes).unwrap_or(usize::MAX)));
        Err(Error::Usage(format!(
            "{}: the tables take {needed} bytes at the least, and {free} are free on the disk: take another --out, or fewer --jobs",
            basics.out().display(),
        )))
    }

    /// Those of the runs.
    fn folders(&self) -> impl Iterator<Item = PathBuf> {
        self.systems.iter().map(|system| self.folder(system))
    }

    /// What is set beside what was said: the size of the machine, which all systems have in common and of which part may come from the
    /// workload, and a system that is alone.
    fn set(&self) -> Vec<(&'static str, String)> {
        let Some(system) = self.systems.first() else {
            return Vec::new();
        };
        let mut set = vec![
            ("pes", system.pes.to_string()),
            ("slots", system.slots.to_string()),
            ("slot-seconds", system.slot_seconds.to_string()),
        ];
        if self.systems.len() == 1 {
            let strategy = system.strategy;
            set.push(("strategy", strategy.name().to_owned()));
            set.push(("policy", strategy.policy().name().to_owned()));
            if let Some(placing) = &system.placing {
                set.push(("prefer", placing.prefer.to_string()));
            }
        }
        set
    }

    /// Makes a run, and writes it on a thread of its own, or on the same.
    fn one(&self, system: &System, aside: bool, bar: &Bar) -> Result<FinishedRun> {
        let info = RunInfo {
            system: system.clone(),
            workload: self.workload.to_owned(),
            seed: self.basics.seed(),
        };
        let folder = self.folder(system);
        let kinds = Kinds {
            gzip: self.tables.gzip,
            ..Kinds::arriving(system, &self.arrivals)
        };
        let mut files = match self.checkpoint {
            None => RunFolder::new(&folder, &info, kinds)?,
            Some(every) => {
                let checkpoints = Checkpoints::new(&folder, every, system, &self.arrivals)?;
                RunFolder::going_on(&folder, &info, kinds, checkpoints)?
            }
        };
        if let Some(arrived) = files.goes_on_behind() {
            let arrived = grouped(arrived.try_into().unwrap_or(usize::MAX));
            let of = grouped(self.arrivals.outline.demands);
            let folder = folder.display();
            self.basics.note(&format!(
                "{folder}: {arrived} of {of} jobs had arrived before"
            ));
        }
        let run = |listener: &mut dyn Listener| {
            engine::follow(system, self.arrivals, listener, &|| bar.tick())
        };
        let deciding = if aside {
            Aside::of(&mut files, |aside| run(aside))?
        } else {
            run(&mut files)?;
            files.deciding()
        };
        let decisions = self.arrivals.outline.demands + self.arrivals.operations.len();
        let timing = Timing::new(decisions, deciding);
        if self.systems.len() == 1 {
            bar.say(format!("{}: writing", self.workload));
        }
        let metrics = files.finish()?;
        output::write_timing(&folder, &timing)?;
        Ok(FinishedRun {
            system: system.clone(),
            metrics,
            timing,
        })
    }

    fn count(&self) -> String {
        let Arrivals {
            outline,
            operations,
            notices,
            ..
        } = self.arrivals;
        let others = [
            (outline.best_effort, "best-effort job"),
            (operations.len(), "operation"),
            (notices.len(), "outage notice"),
        ];
        let mut count = plural(outline.requests(), "request");
        for (others, what) in others {
            if others > 0 {
                count += &format!(" and {}", plural(others, what));
            }
        }
        count
    }

    fn print(&self, done: &[FinishedRun], out: &mut dyn Write) -> io::Result<()> {
        if let Some(system) = self.systems.first() {
            let (name, seed) = (self.workload, self.basics.seed());
            let count = self.count();
            let size = machine::size(system);
            let length = system.slot_seconds;
            writeln!(
                out,
                "{name}: {count}, seed {seed}; {} of {length} s",
                size.join(", ")
            )?;
        }
        run_table::print(done, out)
    }

    /// Points out refusals that say more about the options than about the policies.
    fn advise(&self, done: &[FinishedRun]) -> Result<()> {
        let most = |reason| {
            done.iter()
                .filter_map(|run| run.metrics.refusals.get(reason))
                .max()
        };
        let has_layout = self.systems.iter().any(|system| system.placing.is_some());
        let width = match has_layout {
            // Quotas and resources can be too small, too.
            _ if self.systems.iter().any(System::joins) => "refused_by in reservations.csv",
            true => "--layout",
            false => "--pes",
        };
        if let Some(count) = most("too-wide") {
            let count = plural(*count, "request");
            screen::note(&format!("{count} refused as too-wide: see {width}"));
        }
        if let Some(count) = most("not-eligible") {
            let count = plural(*count, "request");
            screen::note(&format!(
                "{count} refused as not-eligible: even with nothing booked, the nodes that they accept, as by their partition, do not have what they ask for; `bookahead explain` says what one of them lacks"
            ));
        }
        let as_written = IMPOSSIBLE.map(|reason| (reason, most(reason).copied().unwrap_or(0)));
        if let Some((refused, reasons)) = counted(as_written) {
            let refused = plural(refused, "request");
            screen::note(&format!(
                "{refused} refused that could not be served as they are written ({reasons}): reservations.csv names each"
            ));
        }
        let queues = done.iter().map(|run| &run.metrics.best_effort);
        let most =
            queues.max_by_key(|queue| queue.impossible().map(|(_, count)| count).sum::<usize>());
        if let Some((never, reasons)) = most.and_then(|queue| counted(queue.impossible())) {
            let never = plural(never, "queued job");
            screen::note(&format!(
                "{never} never ran ({reasons}): jobs.csv names each"
            ));
        }
        let doubts = Doubts::new(Setting::Option);
        for run in done {
            let [refusals, queued] = [&run.metrics.refusals, &run.metrics.best_effort.refusals];
            let of = |refusals: &Refusals, reason: &str| refusals.get(reason).copied().unwrap_or(0);
            let refused = Refused {
                far_late: run.metrics.late_beyond_horizon,
                ..Refused::of(
                    |reason| of(refusals, reason),
                    |reason| of(queued, reason),
                    run.metrics.lost_to_rounding,
                    refusals.values().sum(),
                )
            };
            doubts.see(&run.system, &self.arrivals, refused, None)?;
        }
        doubts.warn();
        self.warn_of_idle_outages();
        self.warn_of_idle_quotas()?;
        Ok(())
    }
}

/// How many these are together, and each reason that there is with its count.
fn counted<'r>(reasons: impl IntoIterator<Item = (&'r str, usize)>) -> Option<(usize, String)> {
    let there = reasons.into_iter().filter(|(_, count)| *count > 0);
    let there: Vec<_> = there.collect();
    let words = there
        .iter()
        .map(|(reason, count)| format!("{} {reason}", grouped(*count)));
    let words: Vec<String> = words.collect();
    let all = there.iter().map(|(_, count)| count).sum();
    (all > 0).then(|| (all, words.join(", ")))
}

impl Batch<'_> {
    /// A part of a log begins late by its own clock, and outages count by the same.
    fn warn_of_idle_outages(&self) {
        let outline = self.arrivals.outline;
        let first = outline.first_arrival.unwrap_or(0);
        let last = outline.last_deadline.unwrap_or(u64::MAX);
        let notices = self.arrivals.notices;
        let warn = |count: usize, what: &str, second: u64| {
            if count > 0 {
                screen::note(&format!(
                    "warning: {} of {} {what} second {}: times are those of the log",
                    grouped(count),
                    plural(notices.len(), "outage"),
                    grouped(usize::try_from(second).unwrap_or(usize::MAX)),
                ));
            }
        };
        let count = |idle: &dyn Fn(&Notice) -> bool| notices.iter().filter(|one| idle(one)).count();
        let over = count(&|notice| notice.end <= first);
        warn(over, "over before the first request arrives, at", first);
        let behind = count(&|notice| notice.start >= last && notice.end > first);
        warn(behind, "begun only after the last deadline,", last);
    }

    /// Quotas of others than those who ask limit nobody.
    fn warn_of_idle_quotas(&self) -> Result<()> {
        let Some(system) = self.systems.iter().find(|one| !one.quotas.is_empty()) else {
            return Ok(());
        };
        for demand in self.arrivals.demands.each()? {
            let demand = demand?;
            if demand.request().is_some_and(|one| one.principal.is_some()) {
                return Ok(());
            }
        }
        screen::note(&format!(
            "warning: --quota: {}, none of anybody who asks, so that nothing is limited: of a log, the names are the numbers of its users",
            plural(system.quotas.len(), "principal"),
        ));
        Ok(())
    }
}
