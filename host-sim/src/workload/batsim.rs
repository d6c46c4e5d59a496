//! Workloads of the simulator Batsim: a JSON file with jobs and the profiles that they run.
//!
//! They are read as a log in the Standard Workload Format that says the same: what a profile of type `delay` takes is the run time, `walltime` the
//! requested time, `nb_res` the size of the machine. Profiles of other types say what a job computes and sends and not how long that takes, so they are refused by name.
//!
//! Source: Batsim's documentation, "Workload".

use std::{
    collections::{BTreeMap, HashSet},
    path::PathBuf,
};

use serde::Deserialize;

use super::{
    Job,
    from_swf::record,
    swf::{self, Header, Log, Record},
};
use crate::{
    error::{Error, Result},
    text_file::{self, input_error},
};

/// The only type of profile that says how long a job runs.
const DELAY: &str = "delay";

#[derive(Deserialize)]
struct Workload {
    nb_res: Option<u64>,
    jobs: Vec<JobEntry>,
    profiles: BTreeMap<String, Profile>,
}

#[derive(Deserialize)]
struct JobEntry {
    id: Id,
    subtime: f64,
    res: u64,
    walltime: Option<f64>,
    profile: String,
}

/// A number, or a text that is one.
#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Number(u64),
    Text(String),
}

#[derive(Deserialize)]
struct Profile {
    #[serde(rename = "type")]
    kind: String,
    delay: Option<f64>,
}

/// Reads a workload, plain or gzip, as a log. O(jobs log jobs).
///
/// ```
/// use bookahead_sim::workload::batsim;
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("one.json");
/// std::fs::write(&file, r#"{"nb_res": 4, "jobs": [{"id": "7", "subtime": 10, "res": 2, "walltime": 90, "profile": "minute"}],
///     "profiles": {"minute": {"type": "delay", "delay": 60}}}"#)?;
/// let log = batsim::read(&file)?;
/// assert_eq!(log.header().processors(), Some(4));
/// let record = log.records().next().unwrap()?.record;
/// assert_eq!((record.job_number, record.run_time, record.requested_time), (7, 60.0, 90.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Io`] if the file cannot be read; [`Error::Input`] with the line or the entry if it is no such workload, has a profile of another type, or
/// two jobs of the same number.
pub fn read(file: impl Into<PathBuf>) -> Result<Log> {
    let file = file.into();
    let text = text_file::read(&file)?;
    let workload: Workload = serde_json::from_str(&text).map_err(|error| {
        let line = Some(error.line() as u64).filter(|line| *line > 0);
        input_error(&file, line, None, error.to_string())
    })?;
    let wrong = |at: usize, field: &str, problem: String| -> Error {
        input_error(&file, None, Some(&format!("jobs[{at}].{field}")), problem)
    };
    if workload.jobs.is_empty() {
        let problem = "found none, expected at least one job".to_owned();
        return Err(input_error(&file, None, Some("jobs"), problem));
    }
    let mut numbers = HashSet::new();
    let mut records = Vec::with_capacity(workload.jobs.len());
    for (at, job) in workload.jobs.iter().enumerate() {
        let id = match &job.id {
            Id::Number(number) => *number,
            Id::Text(text) => text
                .parse()
                .map_err(|_| wrong(at, "id", format!("found {text:?}, expected a whole number")))?,
        };
        if !numbers.insert(id) {
            let problem =
                format!("found {id} a second time, expected a number of its own for each job");
            return Err(wrong(at, "id", problem));
        }
        let seconds = |field: &str, value: f64| match value.is_finite() && value >= 0.0 {
            true => Ok(value),
            false => Err(wrong(
                at,
                field,
                format!("found {value}, expected seconds of 0 or more"),
            )),
        };
        let profile = workload.profiles.get(&job.profile).ok_or_else(|| {
            wrong(
                at,
                "profile",
                format!("found {:?}, which is none of the profiles", job.profile),
            )
        })?;
        let run = match (&*profile.kind, profile.delay) {
            (DELAY, Some(delay)) => seconds("profile", delay)?,
            (DELAY, None) => {
                return Err(wrong(
                    at,
                    "profile",
                    format!("profile {:?} has no delay", job.profile),
                ));
            }
            (kind, _) => {
                let problem = format!(
                    "profile {:?} is of the type {kind:?}, expected {DELAY:?}: others do not say how long a job runs",
                    job.profile
                );
                return Err(wrong(at, "profile", problem));
            }
        };
        records.push(Record {
            submit_time: seconds("subtime", job.subtime)?,
            run_time: run,
            // None is -1, and so is what has no limit there.
            requested_time: job
                .walltime
                .filter(|walltime| *walltime > 0.0)
                .map_or(Ok(-1.0), |walltime| seconds("walltime", walltime))?,
            ..record(&Job {
                id,
                submit: 0.0,
                run: 0,
                duration: 0,
                pes: job.res,
                queue: None,
                user: None,
                partition: None,
            })
        });
    }
    records.sort_by(|one, other| one.submit_time.total_cmp(&other.submit_time));
    let size = workload.nb_res.map(|pes| pes.to_string());
    let header: Vec<(&str, &str)> = size.iter().map(|pes| ("MaxProcs", &**pes)).collect();
    let mut log = Vec::new();
    swf::write_to(&mut log, &Header::from_pairs(&header), &records)
        .map_err(|source| text_file::io_error(&file, source))?;
    Log::parse(file, log)
}
