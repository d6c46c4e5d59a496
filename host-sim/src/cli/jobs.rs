//! Options that say where jobs come from.

use std::{
    iter,
    path::{Path, PathBuf},
};

use clap::{Args, ValueEnum};

use super::{traces, values};
use crate::{
    error::{Error, Result},
    report::words::{grouped, plural},
    text_file::file_name,
    workload::{
        Job, batsim,
        from_swf::{self, DurationFrom, Losses, Options},
        gpu::GpuJobs,
        lublin::{Lublin, six_class::Reconstruction},
        poisson::Poisson,
        swf::{Header, Log},
    },
};

/// The models of workloads.
const MODELS: [(&str, Model); 3] = [
    ("lublin", Model::Lublin),
    ("poisson", Model::Poisson),
    ("gpu", Model::Gpu),
];
/// How names of files end that Batsim reads.
const BATSIM: [&str; 2] = [".json", ".json.gz"];
/// Jobs that a model makes where nothing else is said.
const MODEL_JOBS: usize = 10_000;
/// The paper's machine.
const LANL_CM5_PES: u64 = 1024;
/// The machine that the model's authors had in mind.
const LUBLIN_PES: u64 = 128;
/// The machine of the plain model.
const POISSON_PES: u64 = 128;
/// The machine of jobs that ask for GPUs, unless a layout says another.
const GPUS: u64 = 256;
/// Where the stages of sizes meet in the log of the LANL CM-5.
pub(super) const UMED: f64 = 7.0;

/// Where jobs come from.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Jobs")]
pub(super) struct JobSource {
    /// lublin, poisson or gpu (models), or a file, plain or gzip: a log in the Standard Workload Format, or (.json) a workload of Batsim with profiles of type delay
    #[arg(long, value_name = "MODEL|FILE", default_value = MODELS[0].0)]
    workload: PathBuf,
    /// Jobs to take [default: 10000 of a model, all of a log]
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(1..=u32::MAX.into()))]
    jobs: Option<u32>,
    /// log: jobs to leave out before the first [default: none]
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(0..=u32::MAX.into()))]
    skip: Option<u32>,
    /// lublin: whose parameters [default: lanl-cm5]
    #[arg(long, value_enum, value_name = "SET")]
    lublin_model: Option<LublinModel>,
    /// lublin, lanl-cm5: log2 of the size at which the stages of sizes meet [default: 7]
    #[arg(long, value_name = "X", value_parser = values::real)]
    umed: Option<f64>,
    /// lublin, lanl-cm5: where the weights of the six run times come from [default: log-sample]
    #[arg(long, value_enum, value_name = "WEIGHTS")]
    run_times: Option<RunTimes>,
    /// poisson, gpu: mean time between submissions in seconds [default: 300; gpu 480]
    #[arg(long, value_name = "S", value_parser = values::positive)]
    mean_gap: Option<f64>,
    /// poisson: least and greatest number of PEs [default: 1-32]
    #[arg(long, value_name = "A-B", value_parser = values::range, allow_hyphen_values = true)]
    job_pes: Option<(u64, u64)>,
    /// poisson: shortest and longest duration in seconds [default: 60-10800]
    #[arg(long, value_name = "A-B", value_parser = values::range, allow_hyphen_values = true)]
    job_seconds: Option<(u64, u64)>,
    /// log: what a job books, the time it ran or the time its user requested [default: run]
    #[arg(long, value_enum, value_name = "WHICH")]
    duration: Option<Duration>,
}

/// A model of workloads.
#[derive(Clone, Copy, Debug)]
enum Model {
    Lublin,
    Poisson,
    Gpu,
}

/// Parameters of the Lublin-Feitelson model: the LANL CM-5 (sizes are powers of two from 32 to 1024, run times of six
/// classes), or those of the authors for all jobs together or for interactive and batch jobs apart.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum LublinModel {
    LanlCm5,
    Combined,
    TwoType,
}

/// Weights of the six run times: from a sample of the log, or the model's own run times rounded up to a class.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum RunTimes {
    LogSample,
    ModelRounded,
}

/// What a job of a log books.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Duration {
    Run,
    Requested,
}

/// Jobs, which are made or read anew each time, and what is known about them.
pub(super) struct Jobs {
    /// A name of the workload without its folder.
    pub(super) name: String,
    /// Processing elements of the machine they are made for.
    pub(super) pes: Option<u64>,
    /// Comments of the log, which must go along with its jobs.
    pub(super) header: Option<Header>,
    /// What became of a log's records that are no jobs, or other jobs than they say.
    pub(super) losses: Option<String>,
    each: Box<dyn Fn() -> Result<EachJob> + Sync>,
}

type EachJob = Box<dyn Iterator<Item = Result<Job>>>;

impl Jobs {
    fn with(self, each: impl Fn() -> Result<EachJob> + Sync + 'static) -> Self {
        Self {
            each: Box::new(each),
            ..self
        }
    }

    /// The jobs, from the first on.
    pub(super) fn each(&self) -> Result<EachJob> {
        (self.each)()
    }
}

/// The LANL CM-5 as the demonstration and the default have it.
pub(super) fn lanl_cm5(
    umed: f64,
    run_times: Reconstruction,
    seed: u64,
    count: usize,
) -> Result<Jobs> {
    let stages = Lublin::LANL_CM5_STAGES;
    if !stages.contains(&umed) {
        let [least, most] = [stages.start(), stages.end()];
        return Err(Error::Usage(format!(
            "--umed {umed}: expected a number from {least} to {most}"
        )));
    }
    let model = Lublin::lanl_cm5(umed, run_times);
    made(("lublin", LANL_CM5_PES), count, move || model.jobs(seed, 0))
}

/// So many jobs of a model.
fn made<J: Iterator<Item = Job> + 'static>(
    (name, pes): (&str, u64),
    count: usize,
    jobs: impl Fn() -> Result<J> + Sync + 'static,
) -> Result<Jobs> {
    // What is wrong with the parameters is said before anything is made.
    jobs()?;
    Ok(Jobs {
        name: name.to_owned(),
        pes: Some(pes),
        header: None,
        losses: None,
        each: Box::new(move || Ok(Box::new(jobs()?.take(count).map(Ok)))),
    })
}

impl JobSource {
    /// Where jobs come from when paths are relative to `folder`, or else to the current folder, or to that of logs.
    pub(super) fn relative_to(&mut self, folder: &Path) {
        if self.model().is_none() {
            let beside = folder.join(&self.workload);
            let here = [beside.clone(), self.workload.clone()];
            let here = here.into_iter().find(|file| file.exists());
            let elsewhere = || traces::find(&self.workload);
            self.workload = here.or_else(elsewhere).unwrap_or(beside);
        }
    }

    /// The log that jobs come from, if they come from one.
    pub(super) fn log_file(&self) -> Option<&Path> {
        self.model().is_none().then_some(self.workload.as_path())
    }

    /// Whether jobs of a log book what was requested, which may be less than they run for.
    pub(super) fn books_requested(&self) -> bool {
        self.model().is_none() && matches!(self.duration, Some(Duration::Requested))
    }

    /// Makes or reads the jobs; those of a log that run longer than they book are told to be stopped unless there are `overruns`.
    pub(super) fn load(&self, seed: u64, overruns: bool) -> Result<Jobs> {
        let count = self.jobs.map_or(MODEL_JOBS, |count| count as usize);
        match self.model() {
            Some(Model::Lublin) => self.lublin(seed, count),
            Some(Model::Poisson) => self.poisson(seed, count),
            Some(Model::Gpu) => self.gpu(seed, count),
            None => self.jobs_of(self.log()?, overruns),
        }
    }

    /// What is known of the jobs before any is made or read.
    pub(super) fn outline(&self) -> Result<Jobs> {
        match self.model() {
            Some(Model::Lublin) => self.lublin(0, 0),
            Some(Model::Poisson) => self.poisson(0, 0),
            Some(Model::Gpu) => self.gpu(0, 0),
            None => Ok(self.named(&self.log()?)),
        }
    }

    /// Whether the processors of its jobs are GPUs.
    pub(super) fn counts_gpus(&self) -> bool {
        matches!(self.model(), Some(Model::Gpu))
    }

    fn model(&self) -> Option<Model> {
        let named = |(name, _): &&(&str, Model)| self.workload == Path::new(name);
        MODELS.iter().find(named).map(|(_, model)| *model)
    }

    fn lublin(&self, seed: u64, count: usize) -> Result<Jobs> {
        self.refuse("a log", self.log_options())?;
        self.refuse("--workload poisson or gpu", self.gpu_options())?;
        self.refuse("--workload poisson", self.poisson_options())?;
        let model = self.lublin_model.unwrap_or(LublinModel::LanlCm5);
        let authors = |model: Lublin| -> Result<Jobs> {
            self.refuse("--lublin-model lanl-cm5", self.lanl_options())?;
            made(("lublin", LUBLIN_PES), count, move || model.jobs(seed, 0))
        };
        match model {
            LublinModel::LanlCm5 => {
                let run_times = match self.run_times {
                    Some(RunTimes::ModelRounded) => Reconstruction::ModelRounded,
                    Some(RunTimes::LogSample) | None => Reconstruction::LogSample,
                };
                lanl_cm5(self.umed.unwrap_or(UMED), run_times, seed, count)
            }
            LublinModel::Combined => authors(Lublin::default()),
            LublinModel::TwoType => authors(Lublin::two_types()),
        }
    }

    fn poisson(&self, seed: u64, count: usize) -> Result<Jobs> {
        self.refuse("a log", self.log_options())?;
        self.refuse("--workload lublin", self.lublin_options())?;
        let default = Poisson::default();
        let model = Poisson {
            mean_gap: self.mean_gap.unwrap_or(default.mean_gap),
            pes: self.job_pes.unwrap_or(default.pes),
            duration: self.job_seconds.unwrap_or(default.duration),
        };
        made(("poisson", POISSON_PES), count, move || model.jobs(seed, 0))
    }

    fn gpu(&self, seed: u64, count: usize) -> Result<Jobs> {
        self.refuse("a log", self.log_options())?;
        self.refuse("--workload lublin", self.lublin_options())?;
        self.refuse("--workload poisson", self.poisson_options())?;
        let default = GpuJobs::default();
        let model = GpuJobs {
            mean_gap: self.mean_gap.unwrap_or(default.mean_gap),
        };
        made(("gpu", GPUS), count, move || model.jobs(seed, 0))
    }

    fn log(&self) -> Result<Log> {
        self.refuse("--workload poisson or gpu", self.gpu_options())?;
        self.refuse("--workload poisson", self.poisson_options())?;
        self.refuse("--workload lublin", self.lublin_options())?;
        if !self.workload.exists() {
            let models = MODELS.map(|(name, _)| name);
            return Err(Error::Usage(format!(
                "--workload {}: no such file, and no model of that name; the models are {}, and plans of sweeps look for logs beside them, in the current folder, and in the one that BOOKAHEAD_TRACES names",
                self.workload.display(),
                models.join(", "),
            )));
        }
        match BATSIM
            .iter()
            .any(|end| file_name(&self.workload).ends_with(end))
        {
            true => batsim::read(&self.workload),
            false => Log::read(&self.workload),
        }
    }

    fn named(&self, log: &Log) -> Jobs {
        Jobs {
            name: file_name(&self.workload),
            pes: log.header().processors(),
            header: Some(log.header().clone()),
            losses: None,
            each: Box::new(|| Ok(Box::new(iter::empty()))),
        }
    }

    fn jobs_of(&self, log: Log, overruns: bool) -> Result<Jobs> {
        let options = Options {
            duration_from: match self.duration {
                Some(Duration::Requested) => DurationFrom::Requested,
                Some(Duration::Run) | None => DurationFrom::Run,
            },
            clip_pes: None,
            overruns,
        };
        let checked = from_swf::check(&log, options)?;
        let count = self.jobs.map_or(usize::MAX, |count| count as usize);
        let skipped = self.skip.map_or(0, |skip| skip as usize);
        let left = checked.jobs.saturating_sub(skipped);
        if left == 0 && checked.jobs > 0 {
            let (log, jobs) = (self.workload.display(), plural(checked.jobs, "job"));
            let skipped = grouped(skipped);
            return Err(Error::Usage(format!(
                "--skip {skipped}: {log} has {jobs}, expected fewer than that"
            )));
        }
        let few = self.jobs.filter(|_| left < count).map(|_| {
            let behind = match skipped {
                0 => String::new(),
                skipped => format!(" behind the first {}", grouped(skipped)),
            };
            let (left, asked) = (plural(left, "job"), grouped(count));
            format!("{left}{behind}, where {asked} are asked for")
        });
        let losses: Vec<String> = losses(&checked).into_iter().chain(few).collect();
        Ok(Jobs {
            losses: (!losses.is_empty())
                .then(|| format!("{}: {}", self.workload.display(), losses.join("; "))),
            ..self.named(&log)
        }
        .with(move || {
            // Whoever runs them stops them, and knows then which ones these are.
            let overruns = true;
            let jobs = from_swf::stream(
                &log,
                Options {
                    overruns,
                    ..options
                },
            );
            Ok(Box::new(jobs.skip(skipped).take(count)))
        }))
    }

    fn log_options(&self) -> [(&'static str, bool); 2] {
        [
            ("--duration", self.duration.is_some()),
            ("--skip", self.skip.is_some()),
        ]
    }

    fn lanl_options(&self) -> [(&'static str, bool); 2] {
        [
            ("--umed", self.umed.is_some()),
            ("--run-times", self.run_times.is_some()),
        ]
    }

    fn lublin_options(&self) -> [(&'static str, bool); 3] {
        let [umed, run_times] = self.lanl_options();
        [
            umed,
            run_times,
            ("--lublin-model", self.lublin_model.is_some()),
        ]
    }

    fn gpu_options(&self) -> [(&'static str, bool); 1] {
        [("--mean-gap", self.mean_gap.is_some())]
    }

    fn poisson_options(&self) -> [(&'static str, bool); 2] {
        [
            ("--job-pes", self.job_pes.is_some()),
            ("--job-seconds", self.job_seconds.is_some()),
        ]
    }

    /// An option without effect would be taken for one with effect.
    fn refuse<const N: usize>(
        &self,
        only_for: &str,
        options: [(&'static str, bool); N],
    ) -> Result<()> {
        match options.iter().find(|(_, given)| *given) {
            Some((name, _)) => Err(Error::Usage(format!("{name} is only for {only_for}"))),
            None => Ok(()),
        }
    }
}

/// What became of records that are no job, or another than they say.
fn losses(losses: &Losses) -> Option<String> {
    let (skipped, adjusted) = (&losses.skipped, &losses.adjusted);
    let (record, job) = ("record", "job");
    let counts = [
        (record, "of a partial execution skipped", skipped.partial),
        (record, "of unknown run time skipped", skipped.unknown_run),
        (record, "of run time 0 skipped", skipped.zero_run),
        (record, "without processors skipped", skipped.no_processors),
        (
            job,
            "stopped at the requested time",
            adjusted.stopped_at_request,
        ),
        (
            job,
            "without a requested time, for which the run time is booked",
            adjusted.no_requested_time,
        ),
    ];
    let told: Vec<String> = counts
        .iter()
        .filter(|(.., count)| *count > 0)
        .map(|(of, what, count)| format!("{} {what}", plural(*count as usize, of)))
        .collect();
    let jobs = plural(losses.jobs, job);
    (!told.is_empty()).then(|| format!("{jobs}; {}", told.join(", ")))
}
