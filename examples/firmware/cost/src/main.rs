//! Finds out what the bookahead kernel costs on a microcontroller - flash, RAM, stack, instructions at worst - and watches that it does
//! not grow. `docs/cost.md` says what is measured and how.

mod adversary;
mod flash;
mod golden;
mod judge;
mod measure;
mod meter;
mod operation;
mod search;
mod state;
mod table;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Result, ensure};
use clap::{Parser, Subcommand};
use golden::Golden;
use measure::Bench;
use operation::Grid;
use search::Effort;

/// What the bookahead kernel costs on a microcontroller.
#[derive(Parser)]
struct Cli {
    /// The folder with the linked images, one folder below it for each profile.
    #[arg(long)]
    images: PathBuf,
    /// The version of the compiler that built them.
    #[arg(long)]
    compiler: String,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measures the goldens' cases and prints the table.
    Measure,
    /// Measures, and fails on growth, on a bar missed, on a worse case found in a quick look, and on a page that does not show the goldens.
    Check,
    /// Measures the goldens' cases, and makes that the goldens and the table of the page.
    Write,
    /// Looks for worse cases, then does what `write` does.
    Sweep {
        /// How many durations are tried on every listed adversary; on the worst few all are.
        #[arg(long, default_value_t = Grid::COARSE.durations)]
        durations: u32,
        /// How many numbers of processing elements.
        #[arg(long, default_value_t = Grid::COARSE.widths)]
        widths: u32,
        /// Random changes tried for each operation.
        #[arg(long, default_value_t = 2_000)]
        changes: u32,
        /// Where the random changes begin.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Only books and operations whose names, "late small reserve:first-fit", contain this, or one of these; the cases of the others stay.
        #[arg(long, default_value = "")]
        only: Vec<String>,
    },
}

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Result<()> {
    let bench = Bench {
        images: cli.images,
        compiler: cli.compiler,
    };
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = here.join("golden.toml");
    let page = here.join("../../../docs/cost.md");
    match cli.command {
        Command::Measure => print!("{}", table::render(&bench.measure(&Golden::read(&file)?)?)?),
        Command::Check => check(&bench, &Golden::read(&file)?, &page)?,
        Command::Write => {
            let measured = bench.measure(&Golden::read(&file)?)?;
            publish(&measured, &file, &page)?;
        }
        Command::Sweep {
            durations,
            widths,
            changes,
            seed,
            only,
        } => {
            let effort = Effort {
                grid: Grid { durations, widths },
                changes,
                seed,
            };
            let found = bench.search(&Golden::read(&file)?, effort, &only)?;
            publish(&bench.measure(&found)?, &file, &page)?;
        }
    }
    Ok(())
}

fn publish(measured: &Golden, file: &Path, page: &Path) -> Result<()> {
    measured.write(file)?;
    table::write(page, measured)?;
    print!("{}", table::render(measured)?);
    for missed in judge::missed_bars(measured) {
        println!("missed: {missed}");
    }
    Ok(())
}

fn check(bench: &Bench, golden: &Golden, page: &Path) -> Result<()> {
    let measured = bench.look_around(bench.measure(golden)?)?;
    println!("{}", table::render(&measured)?);
    let mut wrong = judge::missed_bars(&measured);
    if measured.compiler == golden.compiler {
        wrong.extend(judge::growth(&measured, golden));
    } else {
        println!("The goldens hold for {}.", golden.compiler);
        println!("This is {}, so growth is not judged.", measured.compiler);
    }
    if !table::is_current(page, golden)? {
        wrong.push(format!(
            "{} does not show the goldens: run .ci/cost write",
            page.display()
        ));
    }
    for wrong in &wrong {
        println!("wrong: {wrong}");
    }
    ensure!(wrong.is_empty(), "{} of these are wrong", wrong.len());
    println!("No bar is missed and nothing has grown.");
    Ok(())
}
