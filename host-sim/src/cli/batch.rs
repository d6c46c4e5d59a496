//! The same demands under several systems: files of each, a table of all, a report.

use std::{
    io::{self, Write},
    path::PathBuf,
    time::Instant,
};

use rayon::prelude::*;

use super::{basics::Basics, screen};
use crate::{
    engine::{self, System, metrics::Metrics},
    error::Result,
    manifest::{HERE, Manifest},
    operation::Script,
    output::{self, RunInfo, Timing},
    progress::Bar,
    report::{self, words::plural},
    request::best_effort_jobs,
};

/// What to run and where to put it.
pub(super) struct Batch<'a> {
    pub(super) basics: &'a Basics,
    /// A name of the workload.
    pub(super) workload: String,
    /// What arrives.
    pub(super) script: Script,
    pub(super) systems: Vec<System>,
    /// How many of them fit into memory at a time.
    pub(super) at_a_time: usize,
}

/// A column for systems that have a queue or prices.
struct Extra {
    name: &'static str,
    has: fn(&System) -> bool,
    show: fn(&Metrics) -> String,
}

const EXTRAS: [Extra; 2] = [
    Extra {
        name: "queued for",
        has: |system| system.best_effort.is_some(),
        show: |metrics| format!("{:.0} s", metrics.best_effort.waiting_time),
    },
    Extra {
        name: "revenue",
        has: System::has_prices,
        show: |metrics| {
            let both = [metrics.revenue, metrics.best_effort.revenue];
            format!("{:.2}", both.map(output::units).iter().sum::<f64>())
        },
    },
];

impl Extra {
    fn is_in(&self, done: &[Done]) -> bool {
        done.iter().any(|run| (self.has)(&run.system))
    }
}

/// One run that is over.
struct Done {
    system: System,
    metrics: Metrics,
    timing: Timing,
}

impl Batch<'_> {
    /// Runs everything and returns the path of the report.
    pub(super) fn run(&self) -> Result<PathBuf> {
        self.prepare()?;
        let rows = self.script.demands.len() + self.script.operations.len();
        let steps = rows * self.systems.len();
        let bar = self.basics.progress().bar(&self.workload, steps as u64);
        let done: Vec<Done> = self.basics.pool(self.at_a_time)?.install(|| {
            let systems = self.systems.par_iter();
            systems
                .map(|system| self.one(system, &bar))
                .collect::<Result<_>>()
        })?;
        drop(bar);
        screen::results(|out| self.print(&done, out))?;
        self.advise(&done);
        let report = report::build(self.basics.out())?;
        screen::line(&format!("report: {}", report.display()))?;
        Ok(report)
    }

    /// Runs of several systems have a folder each.
    fn name(&self, system: &System) -> String {
        if self.systems.len() == 1 {
            return HERE.to_owned();
        }
        format!("{}-{}", system.strategy.label(), system.binding.name())
    }

    fn folder(&self, system: &System) -> PathBuf {
        Manifest::path(self.basics.out(), &self.name(system))
    }

    /// From here on nothing looks finished that is not.
    fn prepare(&self) -> Result<()> {
        let out = self.basics.out();
        let runs = self.systems.iter().map(|system| self.name(system));
        self.basics.claim(out, runs.collect())?;
        // The report first: it speaks of the others.
        output::remove(&out.join(report::FILE))?;
        self.systems
            .iter()
            .try_for_each(|system| output::prepare(&self.folder(system)))
    }

    fn one(&self, system: &System, bar: &Bar) -> Result<Done> {
        let begin = Instant::now();
        let story = engine::replay(system, &self.script, &|| bar.tick())?;
        let decisions = story.outcomes.len() + story.operated.len();
        let timing = Timing::new(decisions, begin.elapsed());
        let info = RunInfo {
            system: *system,
            workload: self.workload.clone(),
            seed: self.basics.seed(),
        };
        let folder = self.folder(system);
        let metrics = output::write_story(&folder, &info, &story)?;
        output::write_timing(&folder, &timing)?;
        Ok(Done {
            system: *system,
            metrics,
            timing,
        })
    }

    fn count(&self) -> String {
        let Script {
            demands,
            operations,
        } = &self.script;
        let queued = best_effort_jobs(demands);
        let others = [(queued, "best-effort job"), (operations.len(), "operation")];
        let mut count = plural(demands.len() - queued, "request");
        for (others, what) in others {
            if others > 0 {
                count += &format!(" and {}", plural(others, what));
            }
        }
        count
    }

    fn print(&self, done: &[Done], out: &mut dyn Write) -> io::Result<()> {
        if let Some(System {
            pes,
            slots,
            slot_seconds,
            ..
        }) = self.systems.first()
        {
            let (name, seed) = (&self.workload, self.basics.seed());
            let count = self.count();
            let pes = plural(usize::from(*pes), "PE");
            let slots = plural(*slots as usize, "slot");
            writeln!(
                out,
                "{name}: {count}, seed {seed}; {pes}, {slots} of {slot_seconds} s"
            )?;
        }
        write!(
            out,
            "{:21}  {:12}  {:>8}  {:>7}  {:>8}  {:>11}  {:>11}",
            "policy", "binding", "accepted", "by work", "slowdown", "utilisation", "decisions/s"
        )?;
        let extras: Vec<&Extra> = EXTRAS.iter().filter(|extra| extra.is_in(done)).collect();
        for extra in &extras {
            write!(out, "  {:>12}", extra.name)?;
        }
        writeln!(out)?;
        for run in done {
            let Metrics {
                acceptance_rate,
                accepted_work_rate,
                average_slowdown,
                utilization,
                ..
            } = run.metrics;
            write!(
                out,
                "{:21}  {:12}  {:>6.1} %  {:>5.1} %  {:>8.3}  {:>9.1} %  {:>11.0}",
                run.system.strategy.label(),
                run.system.binding.name(),
                100.0 * acceptance_rate,
                100.0 * accepted_work_rate,
                average_slowdown,
                100.0 * utilization,
                run.timing.decisions_per_second,
            )?;
            for extra in &extras {
                write!(out, "  {:>12}", (extra.show)(&run.metrics))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// Points out refusals that say more about the options than about the policies.
    fn advise(&self, done: &[Done]) {
        let most = |reason| {
            done.iter()
                .filter_map(|run| run.metrics.refusals.get(reason))
                .max()
        };
        for (reason, option) in [
            ("beyond-horizon", "--slots"),
            ("too-wide", "--pes"),
            ("lost-to-rounding", "--slot-seconds"),
        ] {
            if let Some(count) = most(reason) {
                let count = plural(*count, "request");
                self.basics
                    .note(&format!("{count} refused as {reason}: see {option}"));
            }
        }
    }
}
