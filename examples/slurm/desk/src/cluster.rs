//! What Slurm says of its nodes, jobs and reservations, and how it is told something: by its own commands, each with a time after which it is given up.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Read,
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, anyhow, bail, ensure};
use bookahead_slurm_protocol::{PREFIX, number_in};
use wait_timeout::ChildExt;

/// Slurm's commands answer within milliseconds; while slurmctld is down they would try for a long time.
const PATIENCE: Duration = Duration::from_secs(3);

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Processors.
    pub cpus: u32,
    /// GPUs of all kinds.
    pub gpus: u32,
    /// Its active features.
    pub features: BTreeSet<String>,
    /// Its partitions.
    pub partitions: BTreeSet<String>,
    /// Whether it serves.
    pub service: Service,
}

/// Whether a node serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// It does.
    Up,
    /// What runs on it goes on, and nothing else starts.
    Draining,
    /// It does not.
    Down,
}

/// A job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its number.
    pub id: u32,
    /// As Slurm says.
    pub state: String,
    /// When it has started or is thought to.
    pub start: Option<i64>,
    /// When it has ended or will be ended; `None` without a limit.
    pub end: Option<i64>,
    /// The reservation it runs in, empty for none.
    pub reservation: String,
    /// The nodes it has.
    pub nodes: Vec<String>,
    /// Whether it is held.
    pub held: bool,
    /// The promise that it has passed the gate with.
    pub promise: Option<u64>,
}

impl Job {
    /// Whether it has nodes.
    pub fn runs(&self) -> bool {
        matches!(
            &*self.state,
            "RUNNING" | "COMPLETING" | "SUSPENDED" | "CONFIGURING" | "STOPPED"
        )
    }

    /// Whether it is still to start.
    pub fn is_pending(&self) -> bool {
        matches!(
            &*self.state,
            "PENDING" | "REQUEUED" | "REQUEUE_HOLD" | "SPECIAL_EXIT" | "RESIZING"
        )
    }
}

/// A reservation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reservation {
    /// When it begins.
    pub start: i64,
    /// When it is over.
    pub end: i64,
    /// Its nodes.
    pub nodes: Vec<String>,
}

/// All of it at one time.
#[derive(Clone, Debug, Default)]
pub struct Cluster {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The jobs, those that ended lately among them.
    pub jobs: Vec<Job>,
    /// The reservations by name.
    pub reservations: BTreeMap<String, Reservation>,
}

impl Cluster {
    /// Asks Slurm.
    pub fn look() -> Result<Self> {
        // The jobs last: none of them runs on a node or in a reservation that is not there yet.
        let reservations =
            scontrol(["-o", "show", "reservation"]).and_then(|text| reservations(&text))?;
        let nodes = scontrol(["-o", "show", "node"]).and_then(|text| nodes(&text))?;
        let fields = "JobID:|,State:|,StartTime:|,EndTime:|,TimeLimit:|,Reservation:|,NodeList:|,PriorityLong:|,Comment:|";
        let jobs = run("squeue", ["-h", "-t", "all", "-O", fields])
            .and_then(|text| text.lines().map(job).collect())?;
        Ok(Self {
            nodes,
            jobs,
            reservations,
        })
    }
}

/// The partition of jobs that name none, empty if there is none.
///
/// # Errors
///
/// When Slurm does not answer.
pub fn default_partition() -> Result<String> {
    let partitions = scontrol(["-o", "show", "partition"])?;
    let default = partitions
        .lines()
        .find(|line| line.contains(" Default=YES"));
    let name = default.and_then(|line| pairs(line).get("PartitionName").copied());
    Ok(name.unwrap_or_default().into())
}

/// Runs `scontrol`.
pub fn scontrol<const N: usize>(arguments: [&str; N]) -> Result<String> {
    run("scontrol", arguments)
}

/// Runs a command of Slurm, and returns what it prints.
pub fn run<'a>(command: &str, arguments: impl IntoIterator<Item = &'a str>) -> Result<String> {
    let arguments: Vec<&str> = arguments.into_iter().collect();
    let said = || format!("{command} {}", arguments.join(" "));
    let mut child = Command::new(command)
        .args(&arguments)
        .env("SLURM_TIME_FORMAT", "%s")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("{}: cannot be started", said()))?;
    // Both are read while it runs: it would wait for ever with a full pipe.
    let (mut out, mut err) = (
        child.stdout.take().context("piped")?,
        child.stderr.take().context("piped")?,
    );
    let read = std::thread::spawn(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).map(|_| text)
    });
    let failed = std::thread::spawn(move || {
        let mut text = String::new();
        err.read_to_string(&mut text).map(|_| text)
    });
    let Some(status) = child.wait_timeout(PATIENCE)? else {
        child.kill()?;
        child.wait()?;
        bail!(
            "{}: Slurm did not answer within {} s",
            said(),
            PATIENCE.as_secs()
        );
    };
    let text = read.join().map_err(|_| anyhow!("reading"))??;
    let failed = failed.join().map_err(|_| anyhow!("reading"))??;
    ensure!(
        status.success(),
        "{}: {}{}",
        said(),
        failed.trim(),
        text.trim()
    );
    Ok(text)
}

/// The `KEY=VALUE` of a line; values with blanks are cut at the first.
fn pairs(line: &str) -> BTreeMap<&str, &str> {
    line.split_whitespace()
        .filter_map(|word| word.split_once('='))
        .collect()
}

fn get<'a>(pairs: &BTreeMap<&str, &'a str>, key: &str) -> Result<&'a str> {
    pairs
        .get(key)
        .copied()
        .with_context(|| format!("Slurm names no {key}"))
}

fn list(text: &str) -> BTreeSet<String> {
    text.split(',')
        .filter(|word| !matches!(*word, "" | "(null)"))
        .map(String::from)
        .collect()
}

fn nodes(text: &str) -> Result<Vec<Node>> {
    text.lines()
        .filter(|line| line.starts_with("NodeName="))
        .map(node)
        .collect()
}

fn node(line: &str) -> Result<Node> {
    let pairs = pairs(line);
    let state = get(&pairs, "State")?;
    let is = |flag: &str| {
        state
            .split(['+', '*', '~', '#', '!', '%', '$', '@', '^', '-'])
            .any(|word| word == flag)
    };
    // gpu:a100:4(S:0-1),gpu:2
    let gpus = |word: &str| {
        word.strip_prefix("gpu")?
            .split('(')
            .next()?
            .rsplit(':')
            .next()?
            .parse::<u32>()
            .ok()
    };
    Ok(Node {
        name: get(&pairs, "NodeName")?.into(),
        cpus: get(&pairs, "CPUTot")?.parse().context("CPUTot")?,
        gpus: pairs
            .get("Gres")
            .map_or(0, |gres| gres.split(',').filter_map(gpus).sum()),
        features: pairs
            .get("ActiveFeatures")
            .map_or_else(BTreeSet::new, |text| list(text)),
        partitions: pairs
            .get("Partitions")
            .map_or_else(BTreeSet::new, |text| list(text)),
        // One that does not answer (`*`), or has not yet since slurmctld was started, is thought to be as it was, until Slurm says that it is down.
        service: match () {
            () if ["DOWN", "FAIL", "ERROR", "POWERED_DOWN"]
                .iter()
                .any(|flag| is(flag)) =>
            {
                Service::Down
            }
            () if ["DRAIN", "DRAINING", "DRAINED"].iter().any(|flag| is(flag)) => Service::Draining,
            () => Service::Up,
        },
    })
}

fn reservations(text: &str) -> Result<BTreeMap<String, Reservation>> {
    text.lines()
        .filter(|line| line.starts_with("ReservationName="))
        .map(reservation)
        .collect()
}

fn reservation(line: &str) -> Result<(String, Reservation)> {
    let pairs = pairs(line);
    let time = |key| {
        get(&pairs, key)?
            .parse()
            .with_context(|| format!("{key} of a reservation"))
    };
    let nodes = hosts(get(&pairs, "Nodes")?)?;
    let read = Reservation {
        start: time("StartTime")?,
        end: time("EndTime")?,
        nodes,
    };
    Ok((get(&pairs, "ReservationName")?.into(), read))
}

fn job(line: &str) -> Result<Job> {
    let parts: Vec<&str> = line.splitn(9, '|').collect();
    let [
        id,
        state,
        start,
        end,
        limit,
        reservation,
        nodes,
        priority,
        comment,
    ] = parts[..]
    else {
        bail!("a job of Slurm has other fields than were asked for: {line}");
    };
    let time = |text: &str| text.parse::<i64>().ok();
    let name = |text: &str| {
        if text == "(null)" {
            String::new()
        } else {
            text.into()
        }
    };
    Ok(Job {
        id: id
            .parse()
            .with_context(|| format!("the number of a job: {id}"))?,
        state: state.into(),
        start: time(start),
        end: time(end).filter(|_| limit != "UNLIMITED"),
        reservation: name(reservation),
        nodes: hosts(&name(nodes))?,
        held: priority == "0",
        promise: number_in(comment.trim_end_matches('|')),
    })
}

/// The hosts of a list such as `n[000-003,007],login`.
pub fn hosts(list: &str) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = list;
    while !rest.is_empty() {
        let end = rest.find([',', '[']).unwrap_or(rest.len());
        let (prefix, behind) = rest.split_at(end);
        if let Some(behind) = behind.strip_prefix('[') {
            let (ranges, behind) = behind
                .split_once(']')
                .with_context(|| format!("a list of nodes without its bracket: {list}"))?;
            for range in ranges.split(',') {
                let (low, high) = range.split_once('-').unwrap_or((range, range));
                let number = |text: &str| {
                    text.parse::<u32>()
                        .with_context(|| format!("a number in a list of nodes: {list}"))
                };
                found.extend(
                    (number(low)?..=number(high)?)
                        .map(|number| format!("{prefix}{number:0width$}", width = low.len())),
                );
            }
            rest = behind.strip_prefix(',').unwrap_or(behind);
        } else {
            if !matches!(prefix, "" | "(null)") {
                found.push(prefix.into());
            }
            rest = behind.strip_prefix(',').unwrap_or(behind);
        }
    }
    Ok(found)
}

/// The name of a promise's reservation.
pub fn reservation_of(number: u64) -> String {
    format!("{PREFIX}{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_nodes_are_read() {
        assert_eq!(
            hosts("n[008-010,3],login").unwrap(),
            ["n008", "n009", "n010", "n3", "login"]
        );
        assert_eq!(hosts("a,b[1-2]").unwrap(), ["a", "b1", "b2"]);
        assert!(hosts("").unwrap().is_empty() && hosts("(null)").unwrap().is_empty());
        assert!(hosts("n[1-").is_err() && hosts("n[x]").is_err());
    }

    #[test]
    fn what_slurm_prints_is_read() {
        let line = "NodeName=n000 CPUTot=4 AvailableFeatures=ib,big ActiveFeatures=ib,big Gres=gpu:a100:4(S:0-1),gpu:2 OS=Linux 6.18 State=IDLE+DRAIN Partitions=batch,debug";
        let read = node(line).unwrap();
        assert_eq!(
            (read.cpus, read.gpus, read.service),
            (4, 6, Service::Draining)
        );
        assert!(read.features.contains("ib") && read.partitions.contains("debug"));
        for (state, service) in [
            ("IDLE", Service::Up),
            ("MIXED+PLANNED", Service::Up),
            ("DOWN*", Service::Down),
            ("ALLOCATED*", Service::Up),
            ("UNKNOWN*", Service::Up),
            ("IDLE+FAIL", Service::Down),
        ] {
            assert_eq!(
                node(&line.replace("IDLE+DRAIN", state)).unwrap().service,
                service,
                "{state}"
            );
        }
        let read =
            job("12|RUNNING|100|160|1:00|bookahead-3|n[001-002]|5|mine bookahead=3|").unwrap();
        assert_eq!(
            (read.start, read.end, read.promise, read.held),
            (Some(100), Some(160), Some(3), false)
        );
        let read = job("13|PENDING|N/A|N/A|UNLIMITED|(null)||0|(null)|").unwrap();
        assert!(
            read.held && read.is_pending() && read.end.is_none() && read.reservation.is_empty()
        );
        assert!(job("13|PENDING").is_err());
        let (name, read) = reservation(
            "ReservationName=x StartTime=5 EndTime=9 Duration=0 Nodes=n[0-1] Users=root",
        )
        .unwrap();
        assert_eq!(
            (&*name, read.start, read.end, read.nodes.len()),
            ("x", 5, 9, 2)
        );
    }
}
