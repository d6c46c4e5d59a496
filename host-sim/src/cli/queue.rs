//! The option that chooses a queue.

use bookahead::{Discipline, Policy};
use clap::{Args, builder::TypedValueParser};

use super::values;
use crate::{
    engine::{Strategy, System},
    error::{Error, Result},
    operation::Script,
    request::Demand,
};

/// Whether there is a queue, and which.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Queue and waiting")]
pub(super) struct QueueOption {
    /// How jobs that do not reserve are queued
    #[arg(long = "queue", alias = "best-effort", value_name = "NAME", value_parser = disciplines())]
    pub(super) discipline: Option<Discipline>,
    /// Queue the jobs that would reserve, too: without a promise each waits from its ready time on, and is removed when its latest start has passed
    #[arg(long)]
    remove_late: bool,
    /// Let reservations that find no other room end jobs of the queue, those first that lose the least work; such a job is queued again as it was. docs/waiting.md
    /// describes it
    #[arg(long)]
    preempt: bool,
    /// With --preempt: how long a job runs at least before that (s), where its cell min_run does not say [default: 0]
    #[arg(long, value_name = "SECONDS", value_parser = values::whole::<u64>(0..=u32::MAX.into()))]
    min_run: Option<u64>,
}

impl QueueOption {
    /// Whether nobody reserves.
    pub(super) const fn removes_late(&self) -> bool {
        self.remove_late
    }

    /// Lets systems queue jobs as is said.
    pub(super) fn on(&self, systems: &mut [System]) -> Result<()> {
        for system in &mut *systems {
            system.best_effort = self.discipline;
            system.preempt = self.preempt.then_some(self.min_run.unwrap_or(0));
            system.deadlines |= self.remove_late;
        }
        self.check(systems)
    }

    /// Lets the jobs of a script that would reserve be queued, where that is said.
    pub(super) fn apply(&self, script: &mut Script) -> Result<()> {
        if !self.remove_late {
            return Ok(());
        }
        if let Some(operation) = script.operations.first() {
            return Err(Error::Usage(format!(
                "--remove-late: nobody reserves, but row {} is an operation on a reservation",
                operation.job_id
            )));
        }
        let demands = std::mem::take(&mut script.demands).into_iter();
        script.demands = demands.map(without_promise).collect::<Result<_>>()?;
        Ok(())
    }

    /// Whether these systems can queue what would reserve.
    pub(super) fn check(&self, systems: &[System]) -> Result<()> {
        let any = |is: fn(&System) -> bool| systems.iter().any(is);
        if self.min_run.is_some() && !self.preempt {
            return Err(Error::Usage("--min-run is only for --preempt".to_owned()));
        }
        let problem = match self.discipline {
            _ if !self.remove_late => return Ok(()),
            _ if self.preempt => {
                "--remove-late: nobody reserves, so that no job makes room; leave out --preempt"
            }
            None => "--remove-late: there is no queue; say --queue fcfs, easy or conservative",
            Some(_) if any(|system| system.wait.is_some()) => {
                "--remove-late: nobody reserves, so that no request waits; leave out --wait"
            }
            Some(_) if any(|system| system.pull_forward) => {
                "--remove-late: nobody reserves, so that no reservation starts earlier; leave out --pull-forward"
            }
            Some(_) if any(|system| system.strategy != Strategy::Fit(Policy::FirstFit)) => {
                "--remove-late: nobody reserves, so that no strategy or policy is asked; leave out --strategy and --policy"
            }
            Some(_) if any(|system| system.sites > 1) => {
                "--remove-late: jobs with windows are queued at one site only; leave out --sites"
            }
            Some(_) => return Ok(()),
        };
        Err(Error::Usage(problem.to_owned()))
    }
}

/// The same as a job of the queue.
pub(super) fn without_promise(demand: Demand) -> Result<Demand> {
    let request = match demand {
        Demand::BestEffort(_) => return Ok(demand),
        Demand::Hold(hold) => {
            return Err(Error::Usage(format!(
                "--remove-late: nobody reserves, but job {} is a hold",
                hold.request.job_id
            )));
        }
        Demand::Reserve(request) => request,
    };
    let exact = request.asks.as_ref().is_some_and(|asks| asks.is_exact());
    let problem = match request.shortest {
        _ if exact => "asks for exactly these PEs",
        Some(_) => "has a duration_min",
        None => return Ok(Demand::BestEffort(request.without_promise())),
    };
    Err(Error::Usage(format!(
        "--remove-late: a job of the queue has one length and takes any PEs of its class, but request {} {problem}",
        request.job_id
    )))
}

fn disciplines() -> impl TypedValueParser<Value = Discipline> {
    let meaning = |discipline| match discipline {
        Discipline::Fcfs => "first come, first served: nobody passes the first",
        Discipline::Easy => "backfilling: a job passes others when that does not delay the first",
        Discipline::Conservative => {
            "conservative backfilling: each job has a planned start, and passes others when that delays none of them"
        }
    };
    values::each(Discipline::ALL, Discipline::name, meaning)
}
