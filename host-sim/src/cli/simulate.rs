//! `bookahead simulate`: requests from a model or a log, run under one or more strategies.

use std::{path::Path, sync::Arc, time::Duration};

use clap::Args;

use super::{
    basics::Basics,
    batch::{Batch, TableOptions},
    jobs::{JobSource, Jobs},
    layout::{AskOptions, LayoutOption},
    machine::{self, MOST_PES, Size, SlotLength, Strategies},
    outages::OutageOptions,
    queue::QueueOption,
    requests::{FactorOptions, Requests},
    screen,
    several::{Beside, BesideOptions},
    waiting::WaitOptions,
};
use crate::{
    arrivals::{Arrivals, Demands, Outline},
    engine::System,
    error::{Error, Result},
    layout::Layout,
    operation::Script,
    outage::Notice,
    report::words::grouped,
    workload::reserve::Factors,
};

/// Make requests from a model or a log and run them
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(super) struct Simulate {
    #[command(flatten)]
    source: JobSource,
    #[command(flatten)]
    factors: FactorOptions,
    #[command(flatten)]
    layout: LayoutOption,
    #[command(flatten)]
    asks: AskOptions,
    /// PEs of the machine [default: those of the layout; those of the log's header; lublin 1024 (lanl-cm5) or 128; poisson 128]
    #[arg(long, value_name = "N", help_heading = machine::HEADING, value_parser = machine::pes)]
    pes: Option<u16>,
    /// Slots that can be booked ahead
    #[arg(long, value_name = "N", help_heading = machine::HEADING, default_value_t = machine::SLOTS, value_parser = machine::slots)]
    slots: u32,
    #[command(flatten)]
    slot: SlotLength,
    #[command(flatten)]
    beside: BesideOptions,
    #[command(flatten)]
    outages: OutageOptions,
    #[command(flatten)]
    queue: QueueOption,
    #[command(flatten)]
    waiting: WaitOptions,
    #[command(flatten)]
    strategies: Strategies,
}

const MORE: &str = "\
Every job, or a share of the jobs, becomes a reservation request with random lead time and slack; the others are queued beside the \
reservations and start when there is room, delaying none. With one policy and one binding the results lie in \
the result folder itself, with several in one subfolder each. Equal options give equal files, timing.json excepted.

Examples:
  bookahead simulate --slot-seconds 20 --slots 6144 --policy all \\
    --binding all
  bookahead simulate --workload poisson --jobs 2000 --mean-gap 120 \\
    --policy pe-worst-fit
  bookahead simulate --strategy fit,rigid,elastic --reservation-share 0.3 \\
    --queue easy --price --slot-seconds 60 --deadline-factor 9
  bookahead simulate --strategy juggle --flexible-share 0.5 --interval 50 \\
    --slots 524288 --binding late
  bookahead simulate --strategy fit,shift,juggle-shift --depth 1 \\
    --slot-seconds 20 --slots 6144
  bookahead simulate --workload SDSC-SP2.swf.gz --slots 1048576 \\
    --policy all --binding late
  bookahead simulate --workload SDSC-SP2.swf.gz --slot-seconds 60 \\
    --slots 43200 --duration requested

A slot is one second long unless --slot-seconds says otherwise. A start is rounded up to a slot, a deadline down and a duration up, so \
that a request can fit its window in seconds and not in slots. \
Such requests are refused as lost-to-rounding, whatever the policy, and counted apart; where they are one in a hundred or more, a warning \
names the longest slot that loses less. Short slots cost time, with early \
binding memory too, and searches that shift reservations stop at their --work-limit, which counts slots.";

/// What is run.
pub(super) struct Input {
    pub(super) systems: Vec<System>,
    pub(super) requests: Requests,
    outline: Outline,
    notices: Vec<Notice>,
}

impl Input {
    fn arrivals(&self) -> Arrivals<'_> {
        Arrivals {
            demands: &self.requests,
            outline: &self.outline,
            operations: &[],
            notices: &self.notices,
        }
    }

    /// What arrives, in memory.
    pub(super) fn script(&self) -> Result<Script> {
        Ok(Script {
            demands: self.requests.each()?.collect::<Result<_>>()?,
            operations: Vec::new(),
            notices: self.notices.clone(),
        })
    }
}

impl Simulate {
    /// Makes the requests, decides them under each strategy and writes a result folder. The state of each run is kept as often as is said.
    pub(super) fn run(
        &self,
        basics: &Basics,
        checkpoint: Option<Duration>,
        tables: TableOptions,
    ) -> Result<()> {
        self.check_options()?;
        let busy = basics.progress().busy("reading the workload");
        let jobs = self.source.load(basics.seed(), self.outages.overrun)?;
        if let Some(losses) = &jobs.losses {
            screen::note(losses);
        }
        let input = self.input(jobs, basics.seed())?;
        drop(busy);
        let arrivals = input.arrivals();
        Batch {
            checkpoint,
            tables,
            basics,
            workload: &input.requests.jobs.name,
            at_a_time: self
                .strategies
                .memory
                .books_at_a_time(&input.systems, &arrivals)?,
            systems: &input.systems,
            arrivals,
        }
        .run()
        .map(drop)
    }

    /// An option without effect would be taken for one with effect.
    pub(super) fn check_options(&self) -> Result<()> {
        self.strategies.check_options()
    }

    /// What to say of options that no strategy has.
    pub(super) fn idle(&self) -> impl Iterator<Item = String> {
        self.strategies.idle()
    }

    /// What these options run for a seed, in a sweep.
    pub(super) fn prepare(&self, seed: u64) -> Result<Input> {
        let jobs = self.source.load(seed, self.outages.overrun)?;
        self.input(jobs, seed)
    }

    /// Paths are relative to `folder` from now on.
    pub(super) fn relative_to(&mut self, folder: &Path) {
        self.source.relative_to(folder);
        self.layout.relative_to(folder);
        self.beside.relative_to(folder);
        self.outages.relative_to(folder);
        self.waiting.relative_to(folder);
    }

    /// The files that it reads.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        let files = [
            self.source.log_file(),
            self.layout.file(),
            self.waiting.file(),
        ];
        let files = files.into_iter().chain(self.outages.files());
        files.flatten().chain(self.beside.files())
    }

    /// The systems, and how many of them fit into memory at a time; everything that can be known to be wrong without making a job is
    /// found.
    pub(super) fn check(&self) -> Result<(Vec<System>, usize)> {
        let factors = self.factors.factors();
        factors.check()?;
        let layout = self.layout.read()?;
        self.asks
            .asks(layout.as_deref(), self.source.counts_gpus())?;
        let outline = self.source.outline()?;
        let systems = self.systems(&outline, layout.as_ref(), 0)?;
        self.check_queue(&factors)?;
        let size = self.size(&outline, layout.as_ref())?;
        let notices = self.outages.read(size, layout.as_deref())?;
        systems
            .iter()
            .try_for_each(|system| system.check_notices(&notices))?;
        let at_a_time = self
            .strategies
            .memory
            .books_at_a_time(&systems, &Arrivals::NONE)?;
        Ok((systems, at_a_time))
    }

    fn input(&self, jobs: Jobs, seed: u64) -> Result<Input> {
        let factors = self.factors.factors();
        factors.check()?;
        let layout = self.layout.read()?;
        let by_node = self
            .asks
            .asks(layout.as_deref(), self.source.counts_gpus())?;
        let size = self.size(&jobs, layout.as_ref())?;
        let systems = self.systems(&jobs, layout.as_ref(), seed)?;
        self.check_queue(&factors)?;
        let log = self.source.log_file();
        let requests = Requests {
            source: log.unwrap_or(Path::new(&jobs.name)).to_owned(),
            jobs,
            factors,
            seed,
            layout,
            by_node,
            queue_all: self.queue.removes_late(),
            beside: Beside::of(&systems),
        };
        let outline = requests.outline(systems.first().and_then(System::longer))?;
        let layout = requests.layout.as_deref();
        let notices = self.outages.notices(&outline, size, layout, seed)?;
        Ok(Input {
            systems,
            requests,
            outline,
            notices,
        })
    }

    fn size(&self, jobs: &Jobs, layout: Option<&Arc<Layout>>) -> Result<Size> {
        Ok(Size {
            pes: match layout {
                Some(layout) => Size::pes(self.pes, layout)?,
                None => self.pes(jobs)?,
            },
            slots: self.slots,
            slot_seconds: self.slot.seconds,
        })
    }

    fn systems(&self, jobs: &Jobs, layout: Option<&Arc<Layout>>, seed: u64) -> Result<Vec<System>> {
        let size = self.size(jobs, layout)?;
        let mut systems = self.strategies.systems(size, layout, seed)?;
        self.queue.on(&mut systems)?;
        if self.outages.overrun && !self.source.books_requested() {
            return Err(Error::Usage(
                "--overrun: every job books what it runs for; say --duration requested and a log in --workload".to_owned(),
            ));
        }
        self.outages.on(&mut systems, size)?;
        self.waiting
            .on(&mut systems, self.queue.discipline.is_some())?;
        let beside = self.beside.read(self.slot.seconds, true)?;
        beside.on(&mut systems)?;
        self.queue.check(&systems)?;
        Ok(systems)
    }

    /// Whoever does not reserve needs a queue, and a queue needs somebody who does not reserve.
    fn check_queue(&self, factors: &Factors) -> Result<()> {
        let share = factors.share;
        match self.queue.discipline {
            None if share < 1.0 => Err(Error::Usage(format!(
                "--reservation-share {share}: jobs that do not reserve need a queue; say --queue fcfs, easy or conservative"
            ))),
            Some(_) if share >= 1.0 && !self.queue.removes_late() => Err(Error::Usage(
                "--queue: all jobs reserve, so that the queue stays empty; say --reservation-share below 1".to_owned(),
            )),
            _ => Ok(()),
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
        u16::try_from(known)
            .ok()
            .filter(|pes| *pes > 0)
            .ok_or_else(|| {
                Error::Usage(format!(
                    "{name}: the header says {} processors, expected 1 to {}; say --pes",
                    grouped(known as usize),
                    grouped(MOST_PES as usize),
                ))
            })
    }
}
