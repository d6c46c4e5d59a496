//! Options that every sub-command accepts, before its name and behind it.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::{Arg, ArgMatches, Args, Command};
use serde_json::Value;

use super::{screen, values};
use crate::{
    error::{Error, Result},
    manifest::{Fate, Manifest, Other},
    progress::Progress,
};

/// The name of the default result folder.
pub(super) const OUT: &str = "bookahead-out";

const SEED: u64 = 1;

/// Options that every sub-command accepts.
#[derive(Args, Clone, Debug)]
pub(super) struct Basics {
    /// Seed of everything random; equal seeds give equal bytes [default: 1]
    #[arg(long, global = true, value_name = "N", value_parser = values::whole::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Threads to use, 0 for all; results do not depend on it
    #[arg(long, global = true, value_name = "N", default_value_t = 0, value_parser = values::whole::<u16>(0..=1024))]
    threads: u16,
    /// No progress and no tables; warnings and errors are told all the same
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Folder for the results [default: bookahead-out]
    #[arg(long, global = true, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace another experiment in the folder [default: only in bookahead-out, and what took more than a minute is kept as
    /// bookahead-out.1]
    #[arg(long, global = true)]
    force: bool,
    /// What was said beside these.
    #[arg(skip)]
    experiment: Experiment,
}

/// What an experiment is known by.
#[derive(Clone, Debug, Default)]
struct Experiment {
    command: String,
    options: BTreeMap<String, Value>,
}

const ALL: [&str; 5] = ["seed", "threads", "quiet", "out", "force"];

/// The common options that mean nothing to a sub-command, which accepts them all the same.
const MEANINGLESS: [(&str, &[&str]); 10] = [
    ("sweep", &["seed"]),
    ("merge", &["seed", "threads"]),
    ("generate", &["threads", "force"]),
    ("report", &["seed", "threads", "force"]),
    ("check", &["seed", "threads", "out", "force"]),
    ("ask", &["seed", "threads", "out", "force"]),
    ("explain", &["seed", "threads", "out", "force"]),
    ("store", &["seed", "threads", "out", "force"]),
    ("completions", &ALL),
    ("man", &ALL),
];

/// What `--out` is where it is no folder for an experiment.
const OTHER_OUT: [(&str, &str, &str); 2] = [
    (
        "generate",
        "FILE",
        "File to write, compressed if its name ends in .gz; - for the standard output [default: -]",
    ),
    (
        "report",
        "DIR",
        "Folder for the report [default: the result folder]",
    ),
];

/// The command whose sub-commands show those of the common options that mean something to them. A negative number is a value, so that
/// the option that does not take it says so.
pub(super) fn adapted(command: Command) -> Command {
    let common = Basics::augment_args(Command::new("common"));
    let option = |name: &str| {
        let found = common
            .get_arguments()
            .find(|option| option.get_id() == name);
        found.cloned().unwrap_or_default()
    };
    let mut command = command;
    for (name, options) in MEANINGLESS {
        let hidden = options.iter().map(|name| option(name).hide(true));
        command = command.mut_subcommand(name, |sub| sub.args(hidden));
    }
    for (name, value, help) in OTHER_OUT {
        let out = option("out").value_name(value).help(help);
        command = command.mut_subcommand(name, |sub| sub.arg(out));
    }
    let numbers = |option: Arg| match option.get_action().takes_values() {
        true => option.allow_negative_numbers(true),
        false => option,
    };
    let command = command.mut_args(numbers);
    command.mut_subcommands(|sub| sub.mut_args(numbers))
}

impl Basics {
    /// The same with what was said beside these options.
    pub(super) fn of(self, command: &Command, matches: &ArgMatches) -> Self {
        let (name, command, matches) = match matches.subcommand() {
            Some((name, matches)) => (name, command.find_subcommand(name), matches),
            None => ("demonstration", Some(command), matches),
        };
        let mut options = command.map_or_else(BTreeMap::new, |command| options(command, matches));
        options.insert("seed".to_owned(), self.seed().into());
        Self {
            experiment: Experiment {
                command: name.to_owned(),
                options,
            },
            ..self
        }
    }

    /// The seed.
    pub(super) fn seed(&self) -> u64 {
        self.seed.unwrap_or(SEED)
    }

    /// The options beside these that were said or have a default.
    pub(super) fn said(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.experiment.options.iter()
    }

    /// The seed, where one was said.
    pub(super) fn given_seed(&self) -> Option<u64> {
        self.seed
    }

    /// Where results go.
    pub(super) fn out(&self) -> &Path {
        self.out.as_deref().unwrap_or(Path::new(OUT))
    }

    /// Where results go, where that was said.
    pub(super) fn given_out(&self) -> Option<&Path> {
        self.out.as_deref()
    }

    /// Makes a result folder that of this experiment, to which these runs belong, and in which more is set than was said. Returns whether
    /// it was this experiment's before.
    pub(super) fn claim(
        &self,
        dir: &Path,
        runs: Vec<String>,
        set: impl IntoIterator<Item = (&'static str, String)>,
    ) -> Result<bool> {
        let Experiment { command, options } = &self.experiment;
        let mut options = options.clone();
        let set = set.into_iter();
        options.extend(set.map(|(name, value)| (name.to_owned(), value.into())));
        Manifest::new(command, options, runs).claim(dir, self.other())
    }

    /// What happens to another experiment in the folder: the default folder holds the last one, whichever that was.
    pub(super) fn other(&self) -> Other {
        Other {
            fate: match self.out {
                _ if self.force => Fate::Removed,
                None => Fate::Replaced,
                Some(_) => Fate::Stays,
            },
            tell: screen::note,
        }
    }

    /// Progress bars as wanted.
    pub(super) fn progress(&self) -> Progress {
        Progress::new(self.quiet)
    }

    /// Tells how the work goes, unless it is to be quiet.
    pub(super) fn note(&self, text: &str) {
        if !self.quiet {
            screen::note(text);
        }
    }

    /// Writes a table to the standard output, unless it is to be quiet.
    pub(super) fn table(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        match self.quiet {
            true => Ok(()),
            false => screen::results(write),
        }
    }

    /// How many threads are wanted.
    pub(super) fn threads(&self) -> usize {
        match self.threads {
            0 => rayon::current_num_threads(),
            threads => usize::from(threads),
        }
    }

    /// A pool of the threads wanted, `limit` of them at most.
    pub(super) fn pool(&self, limit: usize) -> Result<rayon::ThreadPool> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads().min(limit).max(1))
            .build()
            .map_err(|error| Error::Internal(format!("no threads: {error}")))
    }
}

/// Options that change no result.
const WITHOUT_EFFECT: [&str; 2] = ["max-memory", "checkpoint"];

/// The options of a sub-command that were said or have a default, common ones apart.
fn options(command: &Command, matches: &ArgMatches) -> BTreeMap<String, Value> {
    let own = command
        .get_arguments()
        .filter(|option| !option.is_global_set());
    let given = own.filter_map(|option| {
        let id = option.get_id().as_str();
        let values = matches.try_get_raw(id).ok().flatten()?;
        let values: Vec<String> = values
            .map(|value| value.to_string_lossy().into_owned())
            .collect();
        let name = option.get_long().unwrap_or(id).to_owned();
        (values != ["false"] && !WITHOUT_EFFECT.contains(&&*name))
            .then(|| (name, values.join(",").into()))
    });
    given.collect()
}
