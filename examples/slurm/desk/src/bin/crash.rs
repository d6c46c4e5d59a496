//! Kills the desk or slurmctld, or sets nodes down, again and again at random instants, under load, and looks whether Slurm and the book agree again within 10 s, and who was lost.
//!
//! A job that was accepted more than 5 s before slurmctld was killed must be there afterwards: Slurm writes its state every 5 s at the latest. Of younger ones, those
//! that Slurm has lost must have been told.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use bookahead_slurm::cluster::{Cluster, reservation_of, scontrol};
use bookahead_slurm_protocol::{
    LIFETIME, PREFIX,
    wire::{self, Message},
};
use clap::Parser;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Kills programs of a cluster that `up` has started, and looks what is lost.
#[derive(Parser)]
struct Cli {
    /// The folder of the cluster.
    folder: PathBuf,
    /// What goes: desk, slurmctld, or a node, which is set down.
    #[arg(long)]
    what: String,
    /// How often.
    #[arg(long, default_value_t = 100)]
    rounds: u32,
    /// What is drawn.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder of this program's scripts.
    #[arg(long, default_value = "examples/slurm")]
    scripts: PathBuf,
}

/// Within so long, all must agree again.
const LIMIT: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    bookahead_slurm::exit(run(&Cli::parse()))
}

/// The promise that a user was given, and when.
type Accepted = Mutex<BTreeMap<u64, Instant>>;

/// Submits a job that waits if need be.
fn submit(random: &mut ChaCha8Rng) -> Option<u64> {
    let mut command = Command::new("timeout");
    let nodes = random.random_range(1..=8);
    let (runs, deadline) = (random.random_range(1..=20), random.random_range(90..=150));
    command.args([
        "8",
        "sbatch",
        "-o",
        "/dev/null",
        "--chdir=/",
        "-t1",
        "--comment=bookahead:wait",
    ]);
    command.args([
        format!("-N{nodes}"),
        format!("--deadline=now+{deadline}"),
        format!("--wrap=exec sleep {runs}"),
    ]);
    let answer = command.output().ok()?;
    // Slurm's answer counts: a token alone is no job.
    if !answer.status.success() {
        return None;
    }
    let said = String::from_utf8_lossy(&answer.stderr).into_owned();
    let words: Vec<&str> = said.split_whitespace().collect();
    let at = words
        .iter()
        .position(|word| matches!(*word, "promise" | "request"))?;
    words.get(at + 1)?.trim_end_matches(':').parse().ok()
}

/// What the book says of its promises: number, end and nodes.
fn book(folder: &Path) -> Result<BTreeMap<u64, (i64, BTreeSet<String>)>> {
    let stream = std::os::unix::net::UnixStream::connect(folder.join("desk/socket"))?;
    wire::set_patience(&stream, Duration::from_secs(5))?;
    Message::new("bars").write(&stream)?;
    let answer = Message::read(&stream)?;
    let mut found = BTreeMap::new();
    for bar in answer.all("bar") {
        let parts: Vec<&str> = bar.split('\t').collect();
        let &["promise", name, _, end, nodes] = &parts[..] else {
            continue;
        };
        let number = name
            .rsplit("promise ")
            .next()
            .and_then(|rest| rest.trim_end_matches(')').parse().ok());
        found.insert(
            number.context("a number of a promise")?,
            (end.parse()?, nodes.split(',').map(String::from).collect()),
        );
    }
    Ok(found)
}

/// Whether each promise has its reservation, each reservation its promise, or somebody who runs in it, and what Slurm has.
fn agree(folder: &Path) -> Result<Cluster> {
    let before = book(folder)?;
    let cluster = Cluster::look()?;
    // Of those that did not change meanwhile.
    let after = book(folder)?;
    for (number, there) in before
        .iter()
        .filter(|(number, there)| after.get(number) == Some(there))
    {
        let name = reservation_of(*number);
        let reservation = cluster
            .reservations
            .get(&name)
            .with_context(|| format!("{name} is not in Slurm"))?;
        let nodes: BTreeSet<String> = reservation.nodes.iter().cloned().collect();
        ensure!(
            (reservation.end, nodes) == *there,
            "{name} is another one in Slurm"
        );
    }
    for name in cluster
        .reservations
        .keys()
        .filter(|name| name.starts_with(PREFIX))
    {
        let is_known =
            |book: &BTreeMap<u64, _>| book.keys().any(|number| reservation_of(*number) == *name);
        let runs = cluster
            .jobs
            .iter()
            .any(|job| job.reservation == *name && job.runs());
        ensure!(
            is_known(&before) || is_known(&after) || runs,
            "{name} is in Slurm alone"
        );
    }
    Ok(cluster)
}

/// Sets a node down and back, and returns after how long nobody was promised it any more. Whoever was is somewhere else, or was told.
fn node_down(folder: &Path, random: &mut ChaCha8Rng) -> Result<Duration> {
    let nodes = Cluster::look()?.nodes;
    let node = nodes[random.random_range(0..nodes.len())].name.clone();
    let before: Vec<u64> = book(folder)?
        .iter()
        .filter(|(_, (_, nodes))| nodes.contains(&node))
        .map(|(number, _)| *number)
        .collect();
    let name = format!("NodeName={node}");
    scontrol(["update", &name, "State=DOWN", "Reason=trial"])?;
    let down = Instant::now();
    let took = loop {
        let there = book(folder)?;
        let is_free = there.values().all(|(_, nodes)| !nodes.contains(&node));
        let told = std::fs::read_to_string(folder.join("desk/told"))?;
        let is_told = |number: &u64| {
            told.lines()
                .any(|line| line.split('\t').nth(1) == Some(&*number.to_string()))
        };
        if is_free
            && before
                .iter()
                .all(|number| there.contains_key(number) || is_told(number))
        {
            break down.elapsed();
        }
        if down.elapsed() > 3 * LIMIT {
            eprintln!("{node} is promised to somebody still");
            break down.elapsed();
        }
        thread::sleep(Duration::from_millis(50));
    };
    eprintln!(
        "{node}: {} promises elsewhere or told after {:.1} s",
        before.len(),
        took.as_secs_f64()
    );
    thread::sleep(Duration::from_secs(2));
    scontrol(["update", &name, "State=RESUME"])?;
    Ok(took)
}

fn run(cli: &Cli) -> Result<bool> {
    ensure!(
        matches!(&*cli.what, "desk" | "slurmctld" | "node"),
        "--what {}: expected desk, slurmctld or node",
        cli.what
    );
    let folder = cli
        .folder
        .canonicalize()
        .with_context(|| cli.folder.display().to_string())?;
    let accepted: Accepted = Mutex::default();
    let over = AtomicBool::new(false);
    let mut random = ChaCha8Rng::seed_from_u64(cli.seed);
    let (mut worst, mut late, mut lost, mut young) = (Duration::ZERO, 0, 0, BTreeSet::new());
    thread::scope(|scope| -> Result<()> {
        for number in 0..3 {
            let (accepted, over) = (&accepted, &over);
            let mut random = ChaCha8Rng::seed_from_u64(cli.seed * 1_000 + number);
            scope.spawn(move || {
                while !over.load(Ordering::SeqCst) {
                    if let Some(number) = submit(&mut random) {
                        accepted.lock().unwrap().insert(number, Instant::now());
                    }
                    thread::sleep(Duration::from_millis(random.random_range(100..=2_000)));
                }
            });
        }
        let done = (|| -> Result<()> {
            let mut counted = BTreeSet::new();
            for round in 1..=cli.rounds {
                thread::sleep(Duration::from_millis(random.random_range(500..=5_000)));
                if cli.what == "node" {
                    let took = node_down(&folder, &mut random)?;
                    worst = worst.max(took);
                    late += u32::from(took > LIMIT);
                    continue;
                }
                let pid = std::fs::read_to_string(folder.join("pid").join(&cli.what))?;
                ensure!(
                    Command::new("kill")
                        .args(["-9", pid.trim()])
                        .status()?
                        .success(),
                    "{} was not running",
                    cli.what
                );
                let killed = Instant::now();
                let begin = format!(
                    ". '{}/lib.sh'; folder='{}'; begin_{}",
                    cli.scripts.display(),
                    folder.display(),
                    cli.what
                );
                ensure!(
                    Command::new("bash")
                        .args(["-c", &begin])
                        .status()?
                        .success(),
                    "{} cannot be started",
                    cli.what
                );
                let mut last;
                let cluster = loop {
                    match agree(&folder) {
                        Ok(cluster) => break Some(cluster),
                        Err(error) => last = error,
                    }
                    if killed.elapsed() > 3 * LIMIT {
                        eprintln!("round {round}: {last:#}");
                        break None;
                    }
                    thread::sleep(Duration::from_millis(100));
                };
                let took = killed.elapsed();
                worst = worst.max(took);
                late += u32::from(took > LIMIT);
                let Some(cluster) = cluster else { continue };
                // A look at the desk's next ticks, in which it sees what is not there.
                thread::sleep(Duration::from_millis(1_500));
                let there: BTreeSet<u64> =
                    cluster.jobs.iter().filter_map(|job| job.promise).collect();
                let told = std::fs::read_to_string(folder.join("desk/told")).unwrap_or_default();
                let word = |number: u64| {
                    let lines = told
                        .lines()
                        .map(|line| line.split('\t').collect::<Vec<_>>());
                    let mine = lines.filter(|parts| {
                        parts.get(1).and_then(|there| there.parse().ok()) == Some(number)
                    });
                    mine.filter_map(|parts| parts.get(4).map(|word| word.to_string()))
                        .collect::<Vec<_>>()
                };
                for (number, since) in accepted
                    .lock()
                    .unwrap()
                    .iter()
                    .filter(|(_, since)| **since < killed)
                {
                    if there.contains(number) || counted.contains(number) {
                        continue;
                    }
                    let words = word(*number);
                    // Its job is over, and Slurm has forgotten it since.
                    if words
                        .iter()
                        .any(|word| matches!(&**word, "over" | "gave-up"))
                    {
                        continue;
                    }
                    counted.insert(*number);
                    if killed - *since > Duration::from_secs(5) {
                        lost += 1;
                        eprintln!(
                            "round {round}: promise {number}, given {:.1} s before, is lost: {words:?}",
                            (killed - *since).as_secs_f64()
                        );
                    } else {
                        young.insert(*number);
                    }
                }
                if round % 10 == 0 {
                    eprintln!(
                        "{round} rounds of {}: worst {:.1} s, accepted {}, young ones lost {}, others {lost}",
                        cli.rounds,
                        worst.as_secs_f64(),
                        accepted.lock().unwrap().len(),
                        young.len()
                    );
                }
            }
            Ok(())
        })();
        over.store(true, Ordering::SeqCst);
        done
    })?;
    // One that the desk has never seen is told when nobody can use its token any more.
    thread::sleep(Duration::from_secs(LIFETIME as u64 + 5));
    let told = std::fs::read_to_string(folder.join("desk/told"))?;
    let is_told = |number: &u64| {
        told.lines()
            .any(|line| line.split('\t').nth(1) == Some(&*number.to_string()))
    };
    let (told, untold): (Vec<u64>, Vec<u64>) = young.iter().partition(|number| is_told(number));
    println!(
        "killed {} {} times: accepted {}, agreed again within {:.1} s at worst, later than 10 s {late}, lost {lost}, younger than 5 s lost and told {}, untold {}",
        cli.what,
        cli.rounds,
        accepted.lock().unwrap().len(),
        worst.as_secs_f64(),
        told.len(),
        untold.len()
    );
    Ok(late == 0 && lost == 0 && untold.is_empty())
}
