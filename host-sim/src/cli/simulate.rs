//! `bookahead simulate`: requests from a model or a log, run under one or more strategies.

use bookahead::Discipline;
use clap::{Args, builder::TypedValueParser};

use super::{
    basics::Basics,
    batch::Batch,
    jobs::{JobSource, Jobs},
    machine::{self, MOST_PES, Size, Strategies},
    requests::{self, FactorOptions},
    values,
};
use crate::{
    error::{Error, Result},
    report::words::grouped,
    request::{Demand, best_effort_jobs},
};

/// Make requests from a model or a log and run them
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(super) struct Simulate {
    #[command(flatten)]
    source: JobSource,
    #[command(flatten)]
    factors: FactorOptions,
    /// PEs of the machine [default: those of the log's header; lublin 1024 (lanl-cm5) or 128; poisson 128]
    #[arg(long, value_name = "N", value_parser = machine::pes)]
    pes: Option<u16>,
    /// Slots that can be booked ahead
    #[arg(long, value_name = "N", default_value_t = 2048, value_parser = machine::slots)]
    slots: u32,
    /// Length of a slot in seconds
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = machine::slot_seconds)]
    slot_seconds: u32,
    /// How jobs that do not reserve are queued
    #[arg(long, alias = "best-effort", value_name = "NAME", value_parser = disciplines())]
    queue: Option<Discipline>,
    #[command(flatten)]
    strategies: Strategies,
}

const MORE: &str = "\
Every job, or a share of the jobs, becomes a reservation request with random lead time and slack; the others are queued beside the \
reservations and start when there is room, delaying none. With one policy and one binding the results lie in \
the result folder itself, with several in one subfolder each. Equal options give equal files, timing.json excepted.

Examples:
  bookahead simulate --policy all --binding all
  bookahead simulate --workload poisson --jobs 2000 --mean-gap 120 \\
    --policy pe-worst-fit
  bookahead simulate --strategy fit,rigid,elastic --reservation-share 0.3 \\
    --queue easy --price
  bookahead simulate --workload SDSC-SP2.swf.gz --duration requested \\
    --slot-seconds 300 --slots 8640";

impl Simulate {
    /// Does it.
    pub(super) fn run(&self, basics: &Basics) -> Result<()> {
        let jobs = self.source.load(basics)?;
        let size = Size {
            pes: self.pes(&jobs)?,
            slots: self.slots,
            slot_seconds: self.slot_seconds,
        };
        let script = self.demands(&jobs, basics)?.into();
        let mut systems = self.strategies.systems(size)?;
        for system in &mut systems {
            system.best_effort = self.queue;
        }
        Batch {
            basics,
            workload: jobs.name,
            at_a_time: self.strategies.memory.books_at_a_time(&systems, &script)?,
            systems,
            script,
        }
        .run()
        .map(drop)
    }

    /// What the jobs ask for, if there is somebody to ask.
    fn demands(&self, jobs: &Jobs, basics: &Basics) -> Result<Vec<Demand>> {
        let factors = self.factors.factors();
        let demands = requests::make(&factors, jobs, basics)?;
        let queued = best_effort_jobs(&demands);
        match self.queue {
            None if queued > 0 => Err(Error::Usage(format!(
                "--reservation-share {}: {} of {} jobs do not reserve, and there is no queue for them; say --queue fcfs or \
                 --queue easy",
                factors.share,
                grouped(queued),
                grouped(demands.len()),
            ))),
            Some(_) if factors.share >= 1.0 => Err(Error::Usage(
                "--queue: all jobs reserve, so that the queue stays empty; say --reservation-share below 1".to_owned(),
            )),
            _ => Ok(demands),
        }
    }

    fn pes(&self, jobs: &Jobs) -> Result<u16> {
        if let Some(pes) = self.pes {
            return Ok(pes);
        }
        let name = &jobs.name;
        let known = jobs.pes.ok_or_else(|| {
            Error::Usage(format!(
                "{name}: the header names no MaxProcs, so --pes is needed"
            ))
        })?;
        u16::try_from(known).ok().filter(|pes| *pes > 0).ok_or_else(|| {
            Error::Usage(format!(
                "{name}: the header says {known} processors, expected 1 to {MOST_PES}; say --pes"
            ))
        })
    }
}

fn disciplines() -> impl TypedValueParser<Value = Discipline> {
    let meaning = |discipline| match discipline {
        Discipline::Fcfs => "first come, first served: nobody passes the first",
        Discipline::Easy => "backfilling: a job passes others when that does not delay the first",
    };
    values::one_of(
        Discipline::ALL
            .map(|one| values::named(one.name(), meaning(one), one))
            .to_vec(),
    )
}
