//! How long questions to the desk take, with one client, and how long Slurm takes for a job that has no window.

use std::{
    os::unix::net::UnixStream,
    path::PathBuf,
    process::{Command, ExitCode},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result, ensure};
use bookahead_slurm_protocol::wire::{self, Message};
use clap::Parser;

/// Times questions to the desk, and submissions without a window.
#[derive(Parser)]
struct Cli {
    /// The folder of the desk; without one, only Slurm is timed.
    #[arg(long)]
    desk: Option<PathBuf>,
    /// How many of each.
    #[arg(long, default_value_t = 500)]
    times: usize,
}

fn main() -> ExitCode {
    bookahead_slurm::exit(run(&Cli::parse()))
}

fn print(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let part = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1_000.0;
    println!(
        "{what}_p50_ms {:.2} {what}_p99_ms {:.2}",
        part(50),
        part(99)
    );
}

fn run(cli: &Cli) -> Result<bool> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    if let Some(folder) = &cli.desk {
        let (mut times, mut accepted) = (Vec::new(), 0);
        for number in 0..cli.times {
            let began = Instant::now();
            let stream = UnixStream::connect(folder.join("socket")).context("no desk answers")?;
            wire::set_patience(&stream, Duration::from_secs(20))?;
            // One in three for a width that is soon refused.
            let nodes = if number % 3 == 0 { 40 } else { 1 };
            let question = Message::new("promise")
                .with("nodes", nodes)
                .with("limit", 1)
                .with("deadline", now + 1_800);
            question.write(&stream)?;
            let answer = Message::read(&stream)?;
            times.push(began.elapsed());
            accepted += usize::from(answer.word == "accepted");
        }
        ensure!(
            2 * accepted >= cli.times,
            "only {accepted} of {} were accepted",
            cli.times
        );
        println!("questions {} accepted {accepted}", cli.times);
        print("promise", times);
    }
    let mut times = Vec::new();
    for _ in 0..cli.times {
        let began = Instant::now();
        let answer = Command::new("sbatch")
            .args([
                "-N1",
                "-t1",
                "-o",
                "/dev/null",
                "--chdir=/",
                "--hold",
                "--wrap=true",
            ])
            .output()?;
        times.push(began.elapsed());
        ensure!(
            answer.status.success(),
            "sbatch: {}",
            String::from_utf8_lossy(&answer.stderr)
        );
    }
    print("sbatch_without_window", times);
    Ok(true)
}
