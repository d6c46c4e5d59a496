//! experiment.json: which experiment a result folder holds, and which runs belong to it.
//!
//! It is written before anything else, so that a folder whose experiment was cut short says what is missing. One folder holds one
//! experiment, and files that are nobody's experiment are never overwritten.

mod owned;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Component, Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    error::{Error, Result},
    output::{CHECKPOINT, Checkpoints},
    report::words::time,
    text_file,
};
use owned::Owned;

/// Name of the file.
pub(crate) const FILE: &str = "experiment.json";

/// A run that lies in the result folder itself.
pub(crate) const HERE: &str = ".";

/// The sub-command of a sweep, in one piece, in shards or merged.
pub(crate) const SWEEP: &str = "sweep";

/// The sub-command of the experiments of papers.
pub(crate) const REPRODUCE: &str = "reproduce";

/// All papers, and the folder of the sweep that goes with them, which is an experiment of its own.
pub(crate) const ALL: &str = "all";
pub(crate) const STRATEGIES: &str = "strategies";

/// The finished runs from which an experiment that was cut short goes on.
pub(crate) const RUNS: &str = "runs.bin";

/// What takes longer is kept when another experiment takes its folder (s).
const LONG: f64 = 60.0;

/// Files of results by name, what summarises others first: an experiment that is being removed looks unfinished from the beginning.
const RESULTS: [&str; 32] = [
    "report.html",
    "metrics.json",
    "differences.csv",
    "summary.csv",
    "samples.csv",
    "claims.csv",
    "evidence.csv",
    "figures.csv",
    "settings.json",
    "timing.json",
    "timing.html",
    "timing.csv",
    RUNS,
    "plan.toml",
    "operations.csv",
    "operations.csv.gz",
    "moves.csv",
    "moves.csv.gz",
    "replicas.csv",
    "replicas.csv.gz",
    "outages.csv",
    "outages.csv.gz",
    "pieces.csv",
    "pieces.csv.gz",
    "schedule.csv",
    "users.csv",
    "principals.csv",
    "reservations.csv",
    "reservations.csv.gz",
    "jobs.csv",
    "jobs.csv.gz",
    CHECKPOINT,
];

/// An experiment and the runs that belong to it.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
pub(crate) struct Manifest {
    /// The sub-command.
    pub(crate) command: String,
    /// Its options by their long names, but for those that change no result.
    pub(crate) options: BTreeMap<String, Value>,
    /// Version of this program.
    pub(crate) version: String,
    #[serde(flatten)]
    pub(crate) runs: Runs,
}

/// The runs that belong to an experiment.
#[derive(Clone, Debug, PartialEq, Deserialize, Serialize)]
#[serde(untagged)]
pub(crate) enum Runs {
    /// Results of their own.
    Listed {
        /// Folders or files, relative to that of the experiment; [`HERE`] where it is the folder itself.
        runs: Vec<String>,
    },
    /// Those of a sweep, in [`RUNS`].
    Counted {
        number_of_runs: usize,
        /// What tells the plan from others.
        plan_hash: String,
    },
}

/// What happens to another experiment in the folder, and how a person is told of it.
#[derive(Clone, Copy)]
pub(crate) struct Other {
    pub(crate) fate: Fate,
    pub(crate) tell: fn(&str),
}

/// What happens to another experiment in the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It stays, and the new one is refused.
    Stays,
    /// It is removed, but kept under another name where that would lose much.
    Replaced,
    /// It is removed.
    Removed,
}

impl Manifest {
    /// An experiment of this version.
    pub(crate) fn new(command: &str, options: BTreeMap<String, Value>, runs: Vec<String>) -> Self {
        Self::with(command, options, Runs::Listed { runs })
    }

    /// As [`new`](Self::new), of such runs.
    pub(crate) fn with(command: &str, options: BTreeMap<String, Value>, runs: Runs) -> Self {
        Self {
            command: command.to_owned(),
            options,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            runs,
        }
    }

    /// The manifest of a folder, or nothing when it has none.
    pub(crate) fn read(dir: &Path) -> Result<Option<Self>> {
        let file = dir.join(FILE);
        let Some(text) = text_file::read_if_there(&file)? else {
            return Ok(None);
        };
        let manifest: Self = serde_json::from_str(&text).map_err(|error| Error::Input {
            file: file.clone(),
            line: Some(error.line() as u64),
            field: None,
            problem: format!("expected the manifest of an experiment: {error}"),
        })?;
        match manifest.listed().iter().find(|run| !is_inside(run)) {
            None => Ok(Some(manifest)),
            Some(run) => Err(Error::Input {
                file,
                line: None,
                field: Some("runs".to_owned()),
                problem: format!("found {run:?}, expected a name inside the folder"),
            }),
        }
    }

    /// Whether its runs are the points of a sweep.
    pub(crate) fn is_sweep(&self) -> bool {
        self.command == SWEEP
    }

    /// The runs that have results of their own.
    pub(crate) fn listed(&self) -> &[String] {
        match &self.runs {
            Runs::Listed { runs } => runs,
            Runs::Counted { .. } => &[],
        }
    }

    /// How many runs it has.
    pub(crate) fn count(&self) -> usize {
        match &self.runs {
            Runs::Listed { runs } => runs.len(),
            Runs::Counted { number_of_runs, .. } => *number_of_runs,
        }
    }

    /// What tells the plan of a sweep from others.
    pub(crate) fn plan_hash(&self) -> Option<&String> {
        match &self.runs {
            Runs::Listed { .. } => None,
            Runs::Counted { plan_hash, .. } => Some(plan_hash),
        }
    }

    /// Whether it is a sweep with a file for each run.
    pub(crate) fn is_outdated(&self) -> bool {
        self.is_sweep() && self.plan_hash().is_none()
    }

    /// Whether it has all papers.
    fn has_all_papers(&self) -> bool {
        self.command == REPRODUCE && self.options.get("paper").is_some_and(|paper| paper == ALL)
    }

    /// The folders of the papers, where this is the manifest of all of them and not of one among them.
    pub(crate) fn papers(&self) -> Option<Vec<&str>> {
        let mut papers: Vec<&str> = (self.listed().iter())
            .filter_map(|run| Some(run.split_once('/')?.0))
            .collect();
        papers.push(STRATEGIES);
        Some(papers).filter(|papers| self.has_all_papers() && papers.len() > 1)
    }

    /// Whether both are the same experiment.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        (&self.command, &self.options, &self.runs) == (&other.command, &other.options, &other.runs)
    }

    /// The folder or file of a run.
    pub(crate) fn path(dir: &Path, run: &str) -> PathBuf {
        match run {
            HERE => dir.to_owned(),
            run => dir.join(run),
        }
    }

    /// Whether the same command takes up what was finished of it.
    fn goes_on(&self) -> bool {
        [SWEEP, REPRODUCE].contains(&&*self.command)
    }

    /// Makes the folder this experiment's: whatever it holds of another one is gone then, or the folder is refused. Returns whether it held
    /// this experiment before, of this version.
    pub(crate) fn claim(&self, dir: &Path, other: Other) -> Result<bool> {
        if dir.is_file() {
            return Err(Error::Usage(format!(
                "{}: found a file, expected a folder for results",
                dir.display()
            )));
        }
        let held = Self::read(dir)?;
        let is_there = held
            .as_ref()
            .is_some_and(|held| self.is_same(held) && self.version == held.version);
        match held {
            None => self.refuse_strangers(dir)?,
            Some(held) if self.is_same(&held) => {}
            Some(held) => self.take_over(dir, &held, other)?,
        }
        // What is unfinished stays where a run goes on from it.
        if !Checkpoints::are_in(dir) {
            text_file::prepare_folder(dir)?;
        }
        // When it was begun is told by the time of this file, as long as it goes on.
        if !is_there || !self.goes_on() {
            text_file::write(&dir.join(FILE), |out| {
                serde_json::to_writer_pretty(&mut *out, self)?;
                writeln!(out)
            })?;
        }
        Ok(is_there)
    }

    /// Removes another experiment, or gives it another name, and tells which.
    fn take_over(&self, dir: &Path, held: &Self, other: Other) -> Result<()> {
        let is = format!(
            "another experiment ({} of version {}{})",
            held.command,
            held.version,
            self.differences(held)
        );
        let dir_name = dir.display();
        let reason = match other.fate {
            Fate::Stays => {
                return Err(Error::Usage(format!(
                    "{dir_name}: holds {is}, which would be lost: say --force to replace it, or another --out"
                )));
            }
            Fate::Removed => None,
            Fate::Replaced => held.why_keep(dir)?,
        };
        let became = match reason {
            None => {
                Owned::of(held, dir)?.remove()?;
                "is replaced".to_owned()
            }
            Some(reason) => {
                let kept = owned::set_aside(dir)?;
                format!("is kept as {}, since {reason}", kept.display())
            }
        };
        (other.tell)(&format!("{dir_name}: held {is}, which {became}"));
        Ok(())
    }

    /// Why it is not to be removed, if there is a reason.
    fn why_keep(&self, dir: &Path) -> Result<Option<String>> {
        let owned = Owned::of(self, dir)?;
        let strangers = owned.strangers(dir)?;
        if let Some(file) = strangers.first() {
            let file = file.strip_prefix(dir).unwrap_or(file);
            return Ok(Some(format!("{} is no file of it", file.display())));
        }
        if owned.has(CHECKPOINT) {
            return Ok(Some(
                "it holds the state of a run that is not finished".to_owned(),
            ));
        }
        let [recorded, between] = [owned.recorded()?, owned.between()];
        Ok(if recorded > LONG {
            Some(format!("it took {}", time(recorded)))
        } else if between > LONG {
            let between = time(between);
            Some(format!("{between} lie between its first file and its last"))
        } else {
            None
        })
    }

    /// The options in which another experiment of the same command differs, in words.
    fn differences(&self, other: &Self) -> String {
        let names: BTreeSet<&String> = self.options.keys().chain(other.options.keys()).collect();
        let differ = |name: &&String| self.options.get(*name) != other.options.get(*name);
        let names = names.into_iter().filter(differ).map(String::as_str);
        let names: Vec<&str> = names.collect();
        match self.command == other.command {
            true if other.is_outdated() => {
                ", with a file for each run, as earlier versions kept them".to_owned()
            }
            true if !names.is_empty() => format!(", different in {}", names.join(", ")),
            _ => String::new(),
        }
    }

    /// Files of these names that no experiment of ours has made belong to somebody else.
    fn refuse_strangers(&self, dir: &Path) -> Result<()> {
        let folders = self.listed().iter().map(|run| Self::path(dir, run));
        let mut folders: Vec<PathBuf> = folders.collect();
        folders.push(dir.to_owned());
        let files = folders
            .iter()
            .flat_map(|folder| RESULTS.map(|name| folder.join(name)));
        match files.into_iter().find(|file| file.exists()) {
            None => Ok(()),
            Some(file) => Err(Error::Usage(format!(
                "{}: is there, and no {FILE} in {} says that it is a result of this program, so it is not overwritten: move it away, or \
                 say another --out",
                file.display(),
                dir.display(),
            ))),
        }
    }
}

fn is_inside(run: &str) -> bool {
    let inside = |part| matches!(part, Component::Normal(_));
    run == HERE || (!run.is_empty() && Path::new(run).components().all(inside))
}
