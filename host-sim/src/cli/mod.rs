//! The command line: one file per sub-command, and what several of them share.

mod ask;
mod basics;
mod batch;
mod check;
mod demo;
mod doubts;
mod elastic;
mod explain;
mod generate;
mod interrupt;
mod jobs;
mod juggle;
mod layout;
mod machine;
mod manual;
mod memory;
mod moving;
mod outages;
mod overlay;
mod placement;
mod prices;
mod queue;
mod replay;
mod replications;
mod report;
mod reproduce;
mod requests;
mod run_table;
mod sbatch;
mod screen;
mod several;
mod shift;
mod simulate;
mod store;
mod strategies;
mod sweep;
mod sweep_table;
mod traces;
mod values;
mod waiting;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::error::{Error, Result};

/// Advance reservations: simulate, replay and judge.
#[derive(Debug, Parser)]
#[command(name = "bookahead", version, after_help = MORE)]
struct Cli {
    #[command(flatten)]
    basics: basics::Basics,
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    demo: demo::Demo,
}

const MORE: &str = "\
Without a sub-command it shows what it does: the seven policies on 10,000 jobs of a built-in workload model, a table on the \
terminal, and all results with a report to open in a browser.

Examples:
  bookahead
  bookahead simulate --workload lublin --slot-seconds 20 --slots 6144 \\
    --policy all --binding all
  bookahead simulate --workload SDSC-SP2.swf.gz --slots 1048576 \\
    --policy pe-worst-fit --binding late
  bookahead replay --requests mine.csv --pes 64 --slots 86400
  bookahead check bookahead-out
  bookahead explain bookahead-out 17
  bookahead sweep examples/sweeps/policies.toml --out policies

Exit status: 0 done, 2 wrong input or options, 1 anything else.";

#[derive(Debug, Subcommand)]
enum Command {
    Replay(Box<replay::Replay>),
    Simulate(Box<replications::Replicated>),
    Generate(generate::Generate),
    Reproduce(reproduce::Reproduce),
    Sweep(sweep::Sweep),
    Merge(sweep::Merge),
    Report(report::Report),
    Check(check::Check),
    Ask(ask::Ask),
    Explain(explain::Explain),
    Store(store::Store),
    Completions(manual::Completions),
    Man(manual::Man),
}

/// Runs the command of this process and says how it ended.
#[must_use]
pub fn main() -> ExitCode {
    let cli = parse();
    let done = interrupt::prepare(cli.goes_on()).and_then(|()| run(&cli));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            screen::error(&error);
            ExitCode::from(error.exit_status())
        }
    }
}

/// All sub-commands with their options.
fn command() -> clap::Command {
    basics::adapted(Cli::command())
}

/// What was said. Help, version and wrong usage end the process here.
fn parse() -> Cli {
    let mut command = command();
    let matches = command.get_matches_mut();
    let cli =
        Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut command).exit());
    Cli {
        basics: cli.basics.of(&command, &matches),
        ..cli
    }
}

impl Cli {
    /// Whether the same command takes up what was finished when it was cut short.
    fn goes_on(&self) -> bool {
        match &self.command {
            Some(Command::Reproduce(_) | Command::Sweep(_)) => true,
            Some(Command::Simulate(simulate)) => simulate.goes_on(),
            _ => false,
        }
    }
}

fn run(cli: &Cli) -> Result<()> {
    let basics = &cli.basics;
    if cli.command.is_some() && cli.demo.jobs.is_some() {
        return Err(Error::Usage(
            "--jobs in front of a sub-command is for the demonstration: say it behind the sub-command".to_owned(),
        ));
    }
    match &cli.command {
        None => cli.demo.run(basics),
        Some(Command::Replay(replay)) => replay.run(basics),
        Some(Command::Simulate(simulate)) => simulate.run(basics),
        Some(Command::Generate(generate)) => generate.run(basics),
        Some(Command::Reproduce(reproduce)) => reproduce.run(basics),
        Some(Command::Sweep(sweep)) => sweep.run(basics),
        Some(Command::Merge(merge)) => merge.run(basics),
        Some(Command::Report(report)) => report.run(basics),
        Some(Command::Check(check)) => check.run(basics),
        Some(Command::Ask(ask)) => ask.run(basics),
        Some(Command::Explain(explain)) => explain.run(basics),
        Some(Command::Store(store)) => store.run(basics),
        Some(Command::Completions(completions)) => completions.run(command()),
        Some(Command::Man(man)) => man.run(command()),
    }
}
