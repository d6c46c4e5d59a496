//! Submits jobs with windows from a real log to the Slurm of `SLURM_CONF`, scaled in time, and says which deadlines were kept.
//!
//! The same submissions go to a Slurm with the desk in front of it, and to one alone. A job sleeps for what it really ran, its limit is what the user had asked for, in
//! whole minutes, as Slurm counts them.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs::File,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    sync::Mutex,
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Submits jobs with windows from a real log, and says which deadlines were kept.
#[derive(Parser)]
struct Cli {
    /// A log in SWF, compressed or not.
    #[arg(long)]
    log: PathBuf,
    /// How many submissions.
    #[arg(long, default_value_t = 500)]
    jobs: usize,
    /// Which part of the log, and which windows.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seconds in which they are submitted.
    #[arg(long, default_value_t = 170)]
    seconds: u64,
    /// The nodes of the cluster.
    #[arg(long, default_value_t = 64)]
    nodes: u32,
    /// How much of the nodes' time in these seconds the jobs want, in hundredths.
    #[arg(long, default_value_t = 90)]
    load: u64,
    /// The folder of the desk; Slurm is alone without one.
    #[arg(long)]
    desk: Option<PathBuf>,
    /// Seconds by which a job may start late.
    #[arg(long, default_value_t = 10)]
    guard: i64,
    /// Where the rows go.
    #[arg(long)]
    out: PathBuf,
}

/// A submission and what became of it.
#[derive(Clone, Debug)]
struct Trial {
    /// Seconds from the beginning.
    at: u64,
    nodes: u32,
    limit: u64,
    runs: u64,
    /// Seconds after the submission.
    begin: u64,
    deadline: u64,
    // What was seen.
    submitted: i64,
    answer: String,
    job: Option<u32>,
    milliseconds: u128,
}

fn main() -> ExitCode {
    bookahead_slurm::exit(run(&Cli::parse()))
}

fn now() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs() as i64)
}

/// Arrival, run time, processors and requested time of the jobs of a log that ran.
fn read(path: &Path) -> Result<Vec<[i64; 4]>> {
    let file = File::open(path).with_context(|| path.display().to_string())?;
    let reader: Box<dyn Read> = if path.extension().is_some_and(|end| end == "gz") {
        Box::new(flate2::read::MultiGzDecoder::new(file))
    } else {
        Box::new(file)
    };
    let mut jobs = Vec::new();
    for (number, line) in BufReader::new(reader).lines().enumerate() {
        let line = line.with_context(|| path.display().to_string())?;
        if line.starts_with(';') || line.trim().is_empty() {
            continue;
        }
        let fields: Vec<f64> = line
            .split_whitespace()
            .map_while(|field| field.parse().ok())
            .collect();
        ensure!(
            fields.len() >= 9,
            "{}:{}: expected the 18 numbers of a job in SWF",
            path.display(),
            number + 1
        );
        let requested = if fields[8] > 0.0 {
            fields[8]
        } else {
            fields[3]
        };
        let job = [fields[1], fields[3], fields[4], requested].map(|field| field as i64);
        if job[1] > 0 && job[2] > 0 {
            jobs.push(job);
        }
    }
    Ok(jobs)
}

/// Draws the submissions.
fn draw(cli: &Cli) -> Result<Vec<Trial>> {
    let log = read(&cli.log)?;
    ensure!(
        log.len() >= cli.jobs,
        "{}: {} jobs, and {} are wanted",
        cli.log.display(),
        log.len(),
        cli.jobs
    );
    let mut random = ChaCha8Rng::seed_from_u64(cli.seed);
    let first = random.random_range(0..=log.len() - cli.jobs);
    let part = &log[first..first + cli.jobs];
    let widest = part.iter().map(|job| job[2]).max().unwrap_or(1);
    // Half of the machine at most: some logs have jobs of all of it, which in minutes would be the only ones.
    let nodes = |job: &[i64; 4]| {
        (job[2] * i64::from(cli.nodes / 2))
            .div_euclid(widest)
            .clamp(1, i64::from(cli.nodes)) as u32
    };
    let (from, until) = (part[0][0], part[cli.jobs - 1][0]);
    let work: f64 = part
        .iter()
        .map(|job| job[1] as f64 * f64::from(nodes(job)))
        .sum();
    let room = cli.seconds as f64 * f64::from(cli.nodes) * cli.load as f64 / 100.0;
    // A run is cut to what fits into the shortest limits, so the rest is stretched a little until the load is as wanted.
    let runs = |job: &[i64; 4], scale: f64| ((job[1] as f64 * scale).round() as u64).clamp(1, 110);
    let mut scale = room / work;
    for _ in 0..40 {
        let got: u64 = part
            .iter()
            .map(|job| runs(job, scale) * u64::from(nodes(job)))
            .sum();
        scale *= room / got as f64;
    }
    Ok(part
        .iter()
        .map(|job| {
            let runs = runs(job, scale);
            let limit =
                ((job[3] as f64 * scale / 60.0).ceil() as u64).clamp((runs + 5).div_ceil(60), 2);
            let begin = if random.random_bool(0.3) {
                random.random_range(1..=20)
            } else {
                0
            };
            let slack = random.random_range(cli.guard as u64 + 2..=cli.guard as u64 + 60);
            Trial {
                at: (job[0] - from) as u64 * cli.seconds / (until - from).max(1) as u64,
                nodes: nodes(job),
                limit,
                runs,
                begin,
                deadline: begin + 60 * limit + slack,
                submitted: 0,
                answer: String::new(),
                job: None,
                milliseconds: 0,
            }
        })
        .collect())
}

/// Submits a job as a user does.
fn submit(trial: &mut Trial, waits: bool) -> Result<()> {
    trial.submitted = now();
    let time = |seconds: u64| format!("uts{}", trial.submitted + seconds as i64);
    let mut command = Command::new("sbatch");
    command.args(["-o", "/dev/null", "--chdir=/"]);
    command.args([
        format!("-N{}", trial.nodes),
        format!("-t{}", trial.limit),
        format!("--deadline={}", time(trial.deadline)),
        format!("--wrap=exec sleep {}", trial.runs),
    ]);
    if trial.begin > 0 {
        command.arg(format!("--begin={}", time(trial.begin)));
    }
    if waits {
        command.arg("--comment=bookahead:wait");
    }
    let began = Instant::now();
    let answer = command.output().context("sbatch cannot be started")?;
    trial.milliseconds = began.elapsed().as_millis();
    let said = String::from_utf8_lossy(&answer.stdout);
    trial.job = said
        .trim()
        .strip_prefix("Submitted batch job ")
        .and_then(|job| job.parse().ok());
    trial.answer = String::from_utf8_lossy(&answer.stderr)
        .trim()
        .replace(['\n', '\t'], " ");
    Ok(())
}

/// State, start and end of each job.
type Seen = BTreeMap<u32, (String, i64, i64)>;

fn jobs() -> Result<Seen> {
    let fields = "JobID:|,State:|,StartTime:|,EndTime:|";
    let seen = Command::new("squeue")
        .args(["-h", "-t", "all", "-O", fields])
        .env("SLURM_TIME_FORMAT", "%s")
        .output()
        .context("squeue cannot be started")?;
    ensure!(
        seen.status.success(),
        "squeue: {}",
        String::from_utf8_lossy(&seen.stderr)
    );
    let mut jobs = BTreeMap::new();
    for line in String::from_utf8_lossy(&seen.stdout).lines() {
        let [id, state, start, end, ..] = line.split('|').collect::<Vec<_>>()[..] else {
            bail!("squeue printed {line}")
        };
        let time = |text: &str| text.parse().unwrap_or(0);
        jobs.insert(
            id.parse().context("a number of a job")?,
            (state.to_string(), time(start), time(end)),
        );
    }
    Ok(jobs)
}

/// Whoever has completed has: a slurmctld that is killed may think otherwise.
fn remember(seen: &mut Seen, jobs: Seen) {
    for (id, job) in jobs {
        if seen.get(&id).is_none_or(|(state, ..)| state != "COMPLETED") {
            seen.insert(id, job);
        }
    }
}

fn run(cli: &Cli) -> Result<bool> {
    let mut trials = draw(cli)?;
    let began = Instant::now();
    let seen = Mutex::new(Seen::new());
    let done = Mutex::new(false);
    thread::scope(|scope| -> Result<()> {
        // Slurm forgets jobs after some minutes, so they are looked at all the time.
        scope.spawn(|| {
            while !*done.lock().unwrap() {
                if let Ok(jobs) = jobs() {
                    remember(&mut seen.lock().unwrap(), jobs);
                }
                thread::sleep(Duration::from_secs(2));
            }
        });
        let last = trials
            .iter()
            .map(|trial| trial.at + trial.deadline)
            .max()
            .unwrap_or(0);
        for (number, trial) in trials.iter_mut().enumerate() {
            thread::sleep(Duration::from_secs(trial.at).saturating_sub(began.elapsed()));
            submit(trial, cli.desk.is_some())?;
            if number % 50 == 49 {
                eprintln!(
                    "{} submitted after {} s, of at most {} s in all",
                    number + 1,
                    began.elapsed().as_secs(),
                    last + 5
                );
            }
        }
        thread::sleep(Duration::from_secs(last + 5).saturating_sub(began.elapsed()));
        *done.lock().unwrap() = true;
        Ok(())
    })?;
    let mut seen = seen.into_inner().unwrap_or_default();
    remember(&mut seen, jobs()?);
    let told = match &cli.desk {
        Some(folder) => std::fs::read_to_string(folder.join("told")).context("told")?,
        None => String::new(),
    };
    report(cli, &trials, &seen, &told)
}

/// Writes a row for each submission, and the sums in the last line.
fn report(cli: &Cli, trials: &[Trial], seen: &Seen, told: &str) -> Result<bool> {
    // The last start that each job's user was promised, and whether he was told that it is broken.
    let (mut promised, mut broken_told, mut completed) = (
        BTreeMap::<u32, i64>::new(),
        BTreeMap::<u32, ()>::new(),
        BTreeMap::<u32, i64>::new(),
    );
    for line in told.lines() {
        let [time, _, job, _, what, start, text] = line.split('\t').collect::<Vec<_>>()[..] else {
            bail!("told: {line}")
        };
        let (Ok(job), Ok(start)) = (job.parse(), start.parse()) else {
            continue;
        };
        match what {
            "promised" | "earlier" | "moved" | "kept" | "late" => drop(promised.insert(job, start)),
            "broken" | "lost" => drop(broken_told.insert(job, ())),
            // A slurmctld that is killed may forget an end that the desk has seen.
            "over" if text.ends_with(": completed") => _ = completed.insert(job, time.parse()?),
            _ => (),
        }
    }
    let mut text = String::from(
        "at,nodes,limit,runs,begin,deadline,submitted,job,answer,promised,state,start,end,kept,milliseconds\n",
    );
    let (mut given, mut kept_promises, mut broken, mut kept, mut work, mut worst) =
        (0, 0, 0, 0, 0, 0);
    let mut times: Vec<u128> = trials.iter().map(|trial| trial.milliseconds).collect();
    for trial in trials {
        let nothing = (String::from("NONE"), 0, 0);
        let (state, start, end) = trial.job.and_then(|job| seen.get(&job)).unwrap_or(&nothing);
        let ended = trial.job.and_then(|job| completed.get(&job));
        let (state, end) = match ended {
            Some(end) if state != "COMPLETED" => ("COMPLETED", end),
            _ => (&**state, end),
        };
        let deadline = trial.submitted + trial.deadline as i64;
        let is_kept = state == "COMPLETED" && *end <= deadline;
        let answer = match trial.job {
            None => "refused",
            Some(_) if trial.answer.contains(": starts by ") => "promised",
            Some(_) if trial.answer.contains(" waits for room until ") => "waits",
            Some(_) => "submitted",
        };
        let first = trial.answer.contains(": starts by ");
        let told_start = trial.job.and_then(|job| promised.get(&job).copied());
        // Earlier than promised is no lateness.
        let late = told_start.map_or(0, |told| start - told);
        if first || told_start.is_some() {
            given += 1;
            worst = worst.max(if *start > 0 { late } else { 0 });
            if is_kept && late <= cli.guard {
                kept_promises += 1;
            } else {
                broken += 1;
            }
        }
        if is_kept {
            kept += 1;
            work += u64::from(trial.nodes) * trial.runs;
        }
        let Trial {
            at,
            nodes,
            limit,
            runs,
            begin,
            milliseconds,
            submitted,
            ..
        } = trial;
        let job = trial.job.map_or(String::new(), |job| job.to_string());
        let promised = told_start.map_or(String::new(), |start| start.to_string());
        writeln!(
            text,
            "{at},{nodes},{limit},{runs},{begin},{},{submitted},{job},{answer},{promised},{state},{start},{end},{},{milliseconds}",
            trial.deadline,
            u8::from(is_kept)
        )?;
    }
    std::fs::write(&cli.out, text).with_context(|| cli.out.display().to_string())?;
    times.sort_unstable();
    let part = |share: usize| times[(times.len() - 1) * share / 100];
    println!(
        "submitted {} promised {given} kept_promises {kept_promises} broken {broken} told {} deadlines_kept {kept} pe_seconds {work} latest_start {worst} sbatch_p50_ms {} sbatch_p99_ms {}",
        trials.len(),
        broken_told.len(),
        part(50),
        part(99)
    );
    Ok(broken == 0)
}
