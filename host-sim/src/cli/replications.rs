//! `bookahead simulate`: one sample of the requests, or so many that the systems can be told apart.

use std::{path::Path, time::Duration};

use clap::Args;
use serde_json::Value as Json;

use super::{
    basics::Basics,
    batch::TableOptions,
    doubts::Doubts,
    simulate::Simulate,
    sweep::{self, info},
    values,
};
use crate::{
    arrivals::Arrivals,
    engine::{Story, System},
    error::{Error, Result},
    experiment::sweep::{Kind, Plan, Program, Sampled, Shard, Value},
    output::{self, Timing},
    report::{differences::SYSTEM, words::Setting},
};

/// Simulate, once or with replications
#[derive(Args, Debug)]
pub(super) struct Replicated {
    #[command(flatten)]
    simulate: Simulate,
    /// Compare the systems on so many samples of the requests, with the seeds from --seed on: means with 95 % confidence intervals, as a
    /// sweep has them, in place of the files of each run
    #[arg(long, value_name = "N", help_heading = "Comparison", conflicts_with = "gzip", value_parser = values::whole::<u32>(2..=1_000_000))]
    replications: Option<u32>,
    /// Keep the state of each run as often as this, such as 10min: the same command goes on there after it was cut short, and writes the same
    /// files
    #[arg(long, value_name = "TIME", conflicts_with = "replications", value_parser = values::time)]
    checkpoint: Option<Duration>,
    #[command(flatten)]
    tables: TableOptions,
}

/// What is measured, of whatever all systems have of it.
const MEASURES: [&str; 10] = [
    "acceptance_rate",
    "accepted_work_rate",
    "average_slowdown",
    "bounded_slowdown",
    "utilization",
    "deadlines_kept_rate",
    "promises_broken_rate",
    VIOLATIONS,
    UNDATED,
    BEST_EFFORT,
];

/// Nothing where nothing lies on top of others.
const VIOLATIONS: &str = "violation_rate";

/// How long the jobs without a deadline are queued, where that is told; else all jobs of the queue.
const UNDATED: &str = "undated_waiting_time";
const BEST_EFFORT: &str = "best_effort_waiting_time";

impl Replicated {
    /// Whether the same command takes up what it had done when it was cut short.
    pub(super) fn goes_on(&self) -> bool {
        self.replications.is_some() || self.checkpoint.is_some()
    }

    /// Runs it.
    pub(super) fn run(&self, basics: &Basics) -> Result<()> {
        let Some(replications) = self.replications else {
            return self.simulate.run(basics, self.checkpoint, self.tables);
        };
        self.simulate.check_options()?;
        let (systems, at_a_time) = self.simulate.check()?;
        let program = Replications {
            simulate: &self.simulate,
            systems,
            at_a_time,
            doubts: Doubts::new(Setting::Option),
        };
        let plan = program.plan(replications, basics)?;
        sweep::compare(&program, plan, Shard::WHOLE, basics.out(), basics)?;
        program.doubts.warn();
        sweep::written(basics)
    }
}

/// The systems as points of a sweep.
struct Replications<'a> {
    simulate: &'a Simulate,
    systems: Vec<System>,
    /// How many of them fit into memory.
    at_a_time: usize,
    doubts: Doubts,
}

impl Replications<'_> {
    /// The plan, which holds whatever was said, so that it tells this experiment from others.
    fn plan(&self, replications: u32, basics: &Basics) -> Result<Plan> {
        let outlines: Vec<Json> = (0..self.systems.len())
            .map(|system| self.outline(&system))
            .collect::<Result<_>>()?;
        let has = |key: &str| outlines.iter().all(|one| one.get(key).is_some());
        let measures = MEASURES.iter().filter(|key| has(key));
        let measures = measures.filter(|key| **key != BEST_EFFORT || !has(UNDATED));
        let mut strategies = self.systems.iter().map(|system| system.strategy);
        let overlays = strategies.any(|strategy| strategy.overlay().is_some());
        let measures = measures.filter(|key| **key != VIOLATIONS || overlays);
        let systems: Vec<String> = self.systems.iter().map(System::folder).collect();
        let mut text = format!(
            "seed = {}\nreplications = {replications}\nmeasures = {}\n",
            basics.seed(),
            Json::from_iter(measures.copied()),
        );
        if systems.len() > 1 {
            text += &format!("compare = {:?}\n", SYSTEM);
        }
        text += "\n[run]\n";
        let said = basics.said();
        let said = said.filter(|(name, _)| !["seed", "replications"].contains(&name.as_str()));
        for (name, value) in said {
            text += &format!("{} = {value}\n", name.replace('-', "_"));
        }
        text += &format!("{SYSTEM} = {}\n", Json::from(systems));
        Plan::parse(Path::new("--replications"), text)
    }
}

impl Program for Replications<'_> {
    type Options = usize;

    fn names(&self) -> Vec<String> {
        vec![SYSTEM.to_owned()]
    }

    fn kind(&self, _name: &str) -> Option<Kind> {
        Some(Kind {
            is_flag: true,
            takes_value: true,
            is_list: false,
        })
    }

    fn check(&self, _name: &str, _value: &Value) -> std::result::Result<(), String> {
        Ok(())
    }

    fn options(&self, given: &[(String, Value)], _folder: &Path) -> Result<usize> {
        let system = given.iter().find(|(name, _)| name == SYSTEM);
        let named = system.map(|(_, folder)| folder.to_string());
        let place = |folder| self.systems.iter().position(|one| one.folder() == folder);
        named.and_then(place).ok_or_else(gone)
    }

    fn inputs<'o>(&'o self, _system: &'o usize) -> Vec<&'o Path> {
        self.simulate.files().collect()
    }

    fn at_a_time(&self, _system: &usize) -> usize {
        self.at_a_time
    }

    fn bytes(&self, system: &usize) -> u64 {
        let system = self.systems.get(*system);
        let bytes = system.map(|system| system.bytes(&Arrivals::NONE));
        bytes.map_or(0, |bytes| bytes.map_or(u64::MAX, |bytes| bytes as u64))
    }

    fn outline(&self, system: &usize) -> Result<Json> {
        let system = self.systems.get(*system).ok_or_else(gone)?;
        output::metrics(&info(system.clone(), String::new(), 0), &Story::default())
    }

    fn counts(&self, system: &usize, measure: &str) -> bool {
        let system = self.systems.get(*system);
        system.is_some_and(|system| sweep::counts(system, measure))
    }

    fn run(&self, system: &usize, sampled: &Sampled<'_>) -> Result<(Json, Timing)> {
        let input = self.simulate.prepare(sampled.seed())?;
        self.doubts.log(input.requests.jobs.losses.as_ref());
        let system = input.systems.get(*system).ok_or_else(gone)?;
        let workload = input.requests.jobs.name.clone();
        sweep::measured(system, (&input.script()?, &self.doubts), workload, sampled)
    }
}

fn gone() -> Error {
    Error::Internal("a system is gone".to_owned())
}
