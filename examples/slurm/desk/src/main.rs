//! `bookahead-slurm`: the desk in front of Slurm, and what people ask it.

use std::{os::unix::net::UnixStream, path::PathBuf, process::ExitCode, time::Duration};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Parser, Subcommand};

use bookahead_slurm::{
    cluster,
    desk::{Limits, Settings},
    munge, plan, serve,
};
use bookahead_slurm_protocol::wire::{self, Message};

/// Promises starts to Slurm's jobs that have deadlines, and keeps them.
#[derive(Parser)]
#[command(name = "bookahead-slurm", version)]
struct Cli {
    /// The folder of the desk: its key, its socket, and what it has promised.
    #[arg(
        long,
        global = true,
        default_value = "/etc/bookahead",
        env = "BOOKAHEAD_FOLDER"
    )]
    folder: PathBuf,
    /// Where the desk listens, where it runs on another machine: host:port.
    #[arg(long, global = true, value_name = "HOST:PORT", env = "BOOKAHEAD_DESK")]
    desk: Option<String>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs the desk, until it is ended.
    Serve {
        /// Seconds of a slot, in which the book counts.
        #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(i64).range(1..=86_400))]
        slot: i64,
        /// How many slots the book looks ahead: no deadline may lie beyond.
        #[arg(long, default_value_t = 20_160, value_parser = clap::value_parser!(u32).range(64..=1_048_576))]
        horizon: u32,
        /// Seconds by which Slurm may start a job later than promised. They are booked behind each limit.
        #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(i64).range(1..=3_600))]
        guard: i64,
        /// How many promises there can be at once, what is out of service among them; as many requests can wait.
        #[arg(long, default_value_t = 4_000, value_parser = clap::value_parser!(u16).range(1..=60_000))]
        rows: u16,
        /// How many node-hours (nodes times limit) one user may have promised, or wait for, at once; root may have any. Without it one user may have all.
        #[arg(long, value_name = "NODE_HOURS", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
        per_user: Option<u64>,
        /// Promises jobs of this partition only; may be said several times. Without it a job may name any one partition.
        #[arg(long = "partition", value_name = "NAME")]
        partitions: Vec<String>,
        /// Milliseconds between two looks at Slurm, which ask for all jobs, nodes and reservations.
        #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(20..=60_000))]
        look: u64,
        /// Writes each refusal with all that is booked to this file, for the program `audit`.
        #[arg(long)]
        audit: Option<PathBuf>,
        /// Answers other machines at this address too, such as 0.0.0.0:7321; munge says who asks there.
        #[arg(long, value_name = "ADDRESS:PORT")]
        listen: Option<String>,
    },
    /// What would a job get? Nothing is booked.
    Ask(What),
    /// What is promised to whom.
    Show,
    /// Why a job starts when it does, or does not: what its user was told, and where it stands.
    Why {
        /// The number of the job.
        job: u32,
    },
    /// What else a job could have that waits or is promised a start.
    Alternatives {
        /// The number of the job.
        job: u32,
    },
    /// The schedule, node by node, in the terminal or as a picture.
    Plan {
        /// Writes a picture (SVG) to this file instead.
        #[arg(long)]
        svg: Option<PathBuf>,
        /// How many minutes ahead.
        #[arg(long, default_value_t = 0)]
        minutes: i64,
    },
    /// What would it break to take nodes out of service? With --yes, Slurm is told to.
    Drain {
        /// The nodes, such as n[001-003].
        nodes: String,
        /// From this time, as `date` reads it.
        #[arg(long, default_value = "now")]
        from: String,
        /// Until this time, as `date` reads it.
        #[arg(long)]
        until: String,
        /// Makes a maintenance reservation in Slurm.
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Args)]
struct What {
    /// How many whole nodes.
    #[arg(short = 'N', long)]
    nodes: u32,
    /// The time limit in minutes.
    #[arg(short = 't', long = "time")]
    limit: u32,
    /// Not before this time, as `date` reads it.
    #[arg(long, default_value = "now")]
    begin: String,
    /// Over by this time, as `date` reads it.
    #[arg(long)]
    deadline: String,
    /// Features that each node must have, joined by &.
    #[arg(short = 'C', long, default_value = "")]
    constraint: String,
    /// The partition.
    #[arg(short, long, default_value = "")]
    partition: String,
    /// GPUs of each node.
    #[arg(long, default_value_t = 0)]
    gpus_per_node: u32,
}

fn main() -> ExitCode {
    bookahead_slurm::exit(run(&Cli::parse()))
}

/// Whether the desk has said yes.
fn run(cli: &Cli) -> Result<bool> {
    let answer = match &cli.command {
        Command::Serve {
            slot,
            horizon,
            guard,
            rows,
            per_user,
            partitions,
            look,
            audit,
            listen,
        } => {
            let settings = Settings {
                slot: *slot,
                horizon: *horizon,
                guard: *guard,
                rows: *rows,
            };
            let pause = Duration::from_millis(*look);
            serve::serve(
                &cli.folder,
                settings,
                Limits {
                    per_user: per_user.map(|hours| hours * 60),
                    partitions: partitions.clone(),
                },
                pause,
                audit.as_deref(),
                listen.as_deref(),
            )?;
            return Ok(true);
        }
        Command::Ask(what) => call(cli, &what.question()?)?,
        Command::Alternatives { job } => call(cli, &Message::new("alternatives").with("job", job))?,
        Command::Show => call(cli, &Message::new("show"))?,
        Command::Why { job } => call(cli, &Message::new("why").with("job", job))?,
        Command::Plan { svg, minutes } => {
            let answer = call(cli, &Message::new("bars"))?;
            let plan = plan::Plan::read(&answer, *minutes)?;
            match svg {
                Some(file) => {
                    std::fs::write(file, plan.svg()).with_context(|| file.display().to_string())?
                }
                None => print!("{}", plan.text()),
            }
            return Ok(true);
        }
        Command::Drain {
            nodes,
            from,
            until,
            yes,
        } => {
            let (from, until) = (time(from)?, time(until)?);
            let answer = call(
                cli,
                &Message::new("drain")
                    .with("nodes", nodes)
                    .with("from", from)
                    .with("until", until),
            )?;
            if *yes && answer.word == "shown" {
                let name = format!("ReservationName=maintenance-{}", serve::now());
                let start = if from <= serve::now() {
                    "StartTime=now".into()
                } else {
                    format!("StartTime=uts{from}")
                };
                let end = format!("EndTime=uts{until}");
                let nodes = format!("Nodes={}", cluster::hosts(nodes)?.join(","));
                cluster::scontrol([
                    "create",
                    "reservation",
                    &name,
                    &start,
                    &end,
                    &nodes,
                    "Users=root",
                    "Flags=MAINT,IGNORE_JOBS,OVERLAP",
                ])?;
            }
            answer
        }
    };
    for text in answer.all("text") {
        println!("{text}");
    }
    Ok(answer.word != "refused")
}

/// Asks the desk.
fn call(cli: &Cli, question: &Message) -> Result<Message> {
    let patience = Duration::from_secs(20);
    if let Some(desk) = &cli.desk {
        return munge::ask(desk, question, patience);
    }
    let path = cli.folder.join("socket");
    let stream = UnixStream::connect(&path).with_context(|| {
        format!(
            "no desk answers on {}: is `bookahead-slurm serve` running?",
            path.display()
        )
    })?;
    wire::set_patience(&stream, patience)?;
    question.write(&stream)?;
    Message::read(&stream).context("the desk gave no answer")
}

/// A time in seconds, as `date` reads it.
fn time(text: &str) -> Result<i64> {
    let read = std::process::Command::new("date")
        .args(["-d", text, "+%s"])
        .output()
        .context("date cannot be started")?;
    ensure!(
        read.status.success(),
        "{text}: expected a time as `date -d` reads it, such as \"tomorrow 8:00\" or \"2 hours\""
    );
    let Ok(seconds) = String::from_utf8_lossy(&read.stdout).trim().parse() else {
        bail!("{text}: date did not answer with seconds")
    };
    Ok(seconds)
}

impl What {
    fn question(&self) -> Result<Message> {
        let begin = if self.begin == "now" {
            0
        } else {
            time(&self.begin)?
        };
        Ok(Message::new("ask")
            .with("nodes", self.nodes)
            .with("limit", self.limit)
            .with("begin", begin)
            .with("deadline", time(&self.deadline)?)
            .with("features", &self.constraint)
            .with("partition", &self.partition)
            .with("gpus", self.gpus_per_node))
    }
}
