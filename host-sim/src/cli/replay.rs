//! `bookahead replay`: the requests of a CSV file, first come first decided.

use std::path::PathBuf;

use clap::Args;

use super::{
    basics::Basics,
    batch::{Batch, TableOptions},
    layout::LayoutOption,
    machine::{self, Size, SlotLength, Strategies},
    outages::OutageOptions,
    queue::QueueOption,
    screen,
    several::BesideOptions,
    waiting::WaitOptions,
};
use crate::{
    arrivals::{Arrivals, Outline},
    engine::System,
    error::{Error, Result},
    operation::Script,
    report::words::plural,
    text_file::file_name,
    workload::requests_csv,
};

const WAIT: &str = "--wait";

/// Columns that count only with an option, and that option.
const CONDITIONAL: [(&str, &str); 3] = [
    ("wait", WAIT),
    ("preemptible", "--preempt"),
    ("min_run", "--preempt"),
];

/// Decide the requests of a CSV file, and the operations on their reservations, in their order
#[derive(Args, Debug)]
#[command(after_help = MORE)]
pub(super) struct Replay {
    /// The requests
    #[arg(long, value_name = "FILE.csv")]
    requests: PathBuf,
    /// PEs of the machine, unless a --layout says them
    #[arg(long, value_name = "N", help_heading = machine::HEADING, value_parser = machine::pes, required_unless_present = "layout")]
    pes: Option<u16>,
    #[command(flatten)]
    layout: LayoutOption,
    /// Slots that can be booked ahead
    #[arg(long, value_name = "N", help_heading = machine::HEADING, value_parser = machine::slots)]
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
    #[command(flatten)]
    tables: TableOptions,
}

const MORE: &str = "\
The file has a header line job_id,arrival,ready,duration,deadline,pes and rows of whole numbers in order of arrival, times in \
seconds; other columns are ignored but for those below. A request that cannot be met is refused with a reason, which is no \
error.

A column duration_min makes duration the longest of a range of lengths, of which the longest that fits is granted (--strategy fit and \
overlay). A column run_time says how long a job really runs (it is stopped at its duration, unless it may --overrun), a column flexible (1 or 0) whether it may be moved, a column wait (1 or 0) whether it \
may --wait. A row with best-effort \
in a column kind is a job for the --queue, without ready and deadline; a column preemptible (1 or 0) says whether reservations may --preempt it, a column min_run after how many seconds. A column user numbers the users: --strategy overlay learns of each apart \
how long jobs run for what they book.

With --quota, a column principal names whose a request is; where it says nothing, that is the user, if the number is the name of a principal. With --resources, a column needs says how much \
of them a request needs beside its PEs, as in licence=2 bandwidth=5.

With a --layout, seven columns say which PEs a request asks for: partition (a name or a number), exclude (nodes such as 3 7-9), groups and \
per_group (from so many nodes so much: gpu=8 core=16, or all), within (a level of blocks; rack? if there is one), prefer, on (exactly these PEs, from \
ready on). pes may be empty beside groups and beside on.

Operations: a column op says what a row does, a column target to which job. A hold may have a column ttl. Such a row has a job_id of \
its own, its arrival is when it happens, and cells that it does not use are empty or 0:
  reserve        makes a reservation, as an empty cell does
  hold           makes one that expires unless confirmed within ttl seconds, or by its start
  confirm        makes a held reservation a firm one
  cancel         gives the reservation back, of a running job what is left
  complete       ends a running job at ready, or at once without a ready
  shift          moves it to the start ready, inside its window
  extend         gives it duration seconds in all, which are more than it has
  shorten        the same with fewer
  widen          gives it pes PEs in all, which are more than it has
  narrow         the same with fewer
  change-window  lets it run between ready and deadline: it stays if it fits, or takes the first fit
  extend-by-force  gives a running job duration seconds in all, whoever is in the way
  split          cuts it in two at ready; the second part has the job_id of this row from then on
A slot is one second long unless --slot-seconds says otherwise; new starts and ends round up to slots, deadlines down, lengths up. What \
cannot be done is refused by name: unknown-target (no such \
reservation), ended-target (it is over), or the kernel's reason. docs/replay.md describes the files.

Examples:
  bookahead generate --jobs 500 --out mine.csv
  bookahead replay --requests mine.csv --pes 1024 --slots 90000
  bookahead replay --requests mine.csv --pes 1024 --slots 4500 \\
    --slot-seconds 20 --policy pe-worst-fit
  bookahead replay --requests shares.csv --pes 16 --slots 400 \\
    --slot-seconds 60 --quota quota.toml --resources resources.toml";

impl Replay {
    /// Decides the requests of the file under each strategy and writes a result folder.
    pub(super) fn run(&self, basics: &Basics) -> Result<()> {
        let layout = self.layout.read()?;
        let beside = self.beside.read(self.slot.seconds, false)?;
        self.strategies.check_options()?;
        let busy = basics.progress().busy("reading the requests");
        let asked = beside.asked(layout.as_deref());
        let mut script = requests_csv::read_on(&self.requests, asked)?;
        let conditional = CONDITIONAL.map(|(name, _)| name);
        let ignored = requests_csv::ignored(&self.requests, asked, &conditional)?;
        let (conditional, unknown): (Vec<String>, Vec<String>) = ignored
            .into_iter()
            .partition(|name| conditional.contains(&name.as_str()));
        drop(busy);
        if !unknown.is_empty() {
            screen::note(&format!(
                "warning: {}: no such column is read, so it is ignored: {}",
                self.requests.display(),
                unknown.join(", ")
            ));
        }
        let size = Size {
            pes: match &layout {
                Some(layout) => Size::pes(self.pes, layout)?,
                None => self.pes.unwrap_or_default(),
            },
            slots: self.slots,
            slot_seconds: self.slot.seconds,
        };
        let seed = basics.seed();
        let mut systems = self.strategies.systems(size, layout.as_ref(), seed)?;
        self.outages.on(&mut systems, size)?;
        self.waiting
            .on(&mut systems, self.queue.discipline.is_some())?;
        self.queue.on(&mut systems)?;
        beside.on(&mut systems)?;
        self.queue.apply(&mut script)?;
        let outline = Outline::of_all(&script.demands, systems.first().and_then(System::longer));
        script.notices = self
            .outages
            .notices(&outline, size, layout.as_deref(), seed)?;
        for system in &systems {
            system.check()?;
            system.check_demands(&outline)?;
            system.check_operations(&script.operations)?;
        }
        if self.queue.discipline.is_some() && outline.best_effort == 0 {
            return Err(Error::Usage(format!(
                "--queue: no row of {} is of the kind best-effort, so that the queue stays empty",
                self.requests.display()
            )));
        }
        self.warn(&conditional, &script, &systems);
        let arrivals = Arrivals::of(&script, &outline);
        Batch {
            checkpoint: None,
            tables: self.tables,
            basics,
            workload: &file_name(&self.requests),
            at_a_time: self
                .strategies
                .memory
                .books_at_a_time(&systems, &arrivals)?,
            systems: &systems,
            arrivals,
        }
        .run()
        .map(drop)
    }

    /// Points out what of the file counts for nothing under these systems.
    fn warn(&self, columns: &[String], script: &Script, systems: &[System]) {
        let some = |is: fn(&System) -> bool| systems.iter().any(is);
        let given = |option| match option {
            WAIT => some(|system| system.wait.is_some()),
            _ => some(|system| system.preempt.is_some()),
        };
        let file = self.requests.display();
        for (name, option) in CONDITIONAL {
            if !given(option) && columns.iter().any(|column| column == name) {
                screen::note(&format!(
                    "{file}: without {option} the column {name} counts for nothing"
                ));
            }
        }
        let demands = script.demands.iter();
        let longer = demands.filter(|demand| demand.run() > demand.duration());
        let longer = longer.count();
        if longer > 0 && !some(|system| system.overrun) {
            screen::note(&format!(
                "{file}: {} with a run_time above the duration, stopped at the end of what was booked; --overrun lets reservations run on",
                plural(longer, "job")
            ));
        }
    }
}
