//! A sweep as an array of jobs of Slurm, and a job that puts its shards together.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use clap::Args;

use super::{basics::Basics, screen};
use crate::{
    error::{Error, Result},
    experiment::sweep::{Plan, Program, Sweep},
    report::words::{grouped, plural, time},
    text_file::{self, io_error},
};

/// As jobs of Slurm, which does all the scheduling.
#[derive(Args, Debug)]
#[command(next_help_heading = "On a cluster")]
pub(super) struct Sbatch {
    /// Run nothing but the plan's largest point once, and write two scripts for Slurm into --out: an array of jobs, one for each shard,
    /// that asks for the time and the memory this took, and a job that merges the shards
    #[arg(long)]
    pub(super) sbatch: bool,
    /// With --sbatch: how many jobs the array has [default: one for each point]
    #[arg(long, value_name = "N", value_parser = super::values::whole::<u32>(1..=1_000_000))]
    tasks: Option<u32>,
    /// With --sbatch: hand both in
    #[arg(long)]
    submit: bool,
}

/// The script of the array, in the folder of the results.
const ARRAY: &str = "array.sbatch";
/// The script that merges.
const MERGE: &str = "merge.sbatch";

/// How much more time and memory than the pilot took is asked for: other seeds and other nodes take longer.
const TIMES: f64 = 2.0;
const MEMORY: f64 = 1.5;
/// Beside that, for whatever a run needs anyway.
const LEAST_SECONDS: f64 = 60.0;
const LEAST_MEGABYTES: f64 = 64.0;

/// What one run took.
struct Pilot {
    seconds: f64,
    megabytes: f64,
}

impl Sbatch {
    /// An option without effect would be taken for one with effect.
    pub(super) fn check(&self) -> Result<()> {
        let idle = [("--tasks", self.tasks.is_some()), ("--submit", self.submit)];
        match idle.iter().find(|option| option.1 && !self.sbatch) {
            Some((option, _)) => Err(Error::Usage(format!("{option} is only for --sbatch"))),
            None => Ok(()),
        }
    }

    /// Writes the scripts, and hands them in where that is wanted.
    pub(super) fn run<P: Program>(
        &self,
        (file, plan): (&Path, &Plan),
        sweep: &Sweep<'_, P>,
        basics: &Basics,
    ) -> Result<()> {
        let points = sweep.points;
        let tasks = self.tasks.map_or(points, |tasks| tasks as usize);
        if tasks > points {
            return Err(Error::Usage(format!(
                "--tasks {tasks}: the plan has {}, and no job would be left for each shard",
                plural(points, "point")
            )));
        }
        sweep.claim(basics.out(), basics.other())?;
        let busy = basics.progress().busy("the largest point, once");
        let pilot = Pilot::of(|| sweep.pilot())?;
        drop(busy);
        let runs = points.div_ceil(tasks) * plan.replications as usize;
        let scripts = Scripts::new(file, basics.out(), tasks)?;
        scripts.write(&pilot, runs)?;
        screen::line(&format!(
            "the largest point took {} and {} MB; each of {} asks for {} and {} MB",
            time(pilot.seconds),
            grouped(pilot.megabytes.ceil() as usize),
            plural(tasks, "job"),
            time(60.0 * pilot.minutes(runs) as f64),
            grouped(pilot.asked() as usize),
        ))?;
        match self.submit {
            true => scripts.submit(),
            false => screen::line(&format!(
                "hand them in: ARRAY=$(sbatch --parsable {}) && sbatch --dependency=afterany:$ARRAY {}",
                scripts.array().display(),
                scripts.merge().display()
            )),
        }
    }
}

impl Pilot {
    fn of(run: impl FnOnce() -> Result<()>) -> Result<Self> {
        let begin = Instant::now();
        run()?;
        Ok(Self {
            seconds: begin.elapsed().as_secs_f64(),
            megabytes: peak().unwrap_or(1024.0),
        })
    }

    /// The time limit of a job that makes so many runs.
    fn minutes(&self, runs: usize) -> u64 {
        ((TIMES * self.seconds * runs as f64 + LEAST_SECONDS) / 60.0).ceil() as u64
    }

    /// The memory that a job asks for, in megabytes.
    fn asked(&self) -> u64 {
        (MEMORY * self.megabytes + LEAST_MEGABYTES).ceil() as u64
    }
}

/// The most memory that this process has had, in megabytes; nothing where the system does not tell.
fn peak() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}

/// Where the scripts are, and what they run; all paths are absolute, since jobs begin elsewhere.
struct Scripts {
    program: PathBuf,
    plan: PathBuf,
    out: PathBuf,
    tasks: usize,
}

impl Scripts {
    fn new(plan: &Path, out: &Path, tasks: usize) -> Result<Self> {
        let logs = out.join("logs");
        fs::create_dir_all(&logs).map_err(|source| io_error(&logs, source))?;
        let whole = |path: &Path| path.canonicalize().map_err(|source| io_error(path, source));
        let program =
            env::current_exe().map_err(|source| io_error(Path::new("bookahead"), source))?;
        Ok(Self {
            program,
            plan: whole(plan)?,
            out: whole(out)?,
            tasks,
        })
    }

    fn array(&self) -> PathBuf {
        self.out.join(ARRAY)
    }

    fn merge(&self) -> PathBuf {
        self.out.join(MERGE)
    }

    fn write(&self, pilot: &Pilot, runs: usize) -> Result<()> {
        let Self {
            program,
            plan,
            out,
            tasks,
        } = self;
        let [program, plan, out] = [program, plan, out].map(|path| quoted(path));
        let [program, plan, out] = [program?, plan?, out?];
        let logs = self.out.join("logs");
        let logs = logs.display();
        let head = |minutes: u64, megabytes: u64| {
            format!(
                "#SBATCH --job-name=bookahead-sweep\n#SBATCH --cpus-per-task=1\n#SBATCH --time={minutes}\n#SBATCH --mem={megabytes}M\n\
                 #SBATCH --requeue\n#SBATCH --open-mode=append\n"
            )
        };
        // Finished runs are kept, so a shard that is requeued goes on where it was.
        let array = format!(
            "#!/bin/sh\n# Up to {runs} runs in each job, for twice the {} that the plan's largest point took.\n#SBATCH --array=1-{tasks}\n{}\
             #SBATCH --output={logs}/%a.log\nexec {program} sweep {plan} --shard \"$SLURM_ARRAY_TASK_ID/{tasks}\" --threads 1 \
             --out {out}/shards/\"$SLURM_ARRAY_TASK_ID\"\n",
            time(pilot.seconds),
            head(pilot.minutes(runs), pilot.asked()),
        );
        let merge = format!(
            "#!/bin/sh\n{}#SBATCH --output={logs}/merge.log\nexec {program} merge {out}/shards/* --out {out}\n",
            head(pilot.minutes(runs), 2 * pilot.asked()),
        );
        for (file, text) in [(self.array(), array), (self.merge(), merge)] {
            text_file::write(&file, |to| to.write_all(text.as_bytes()))?;
            screen::line(&format!("script: {}", file.display()))?;
        }
        Ok(())
    }

    fn submit(&self) -> Result<()> {
        let array = sbatch(&[], &self.array())?;
        // However they end: a job whose node is lost has failed for a moment, until it is queued again. Whatever is missing in the end, the merge names.
        let after = format!("--dependency=afterany:{array}");
        let merge = sbatch(&[&after], &self.merge())?;
        screen::line(&format!(
            "submitted: array {array} of {}, and job {merge}, which merges into {}",
            plural(self.tasks, "job"),
            self.out.display()
        ))
    }
}

/// A path as a word of a shell, which has to be text.
fn quoted(path: &Path) -> Result<String> {
    let text = path
        .to_str()
        .ok_or_else(|| Error::Usage(format!("{}: expected a path in UTF-8", path.display())))?;
    let quoted = shlex::try_quote(text)
        .map_err(|error| Error::Usage(format!("{}: {error}", path.display())))?;
    Ok(quoted.into_owned())
}

/// Hands a script in, and gives the number of its job.
fn sbatch(options: &[&str], script: &Path) -> Result<String> {
    let mut command = Command::new("sbatch");
    command.arg("--parsable").args(options).arg(script);
    let done = command.output().map_err(|error| {
        Error::Usage(format!(
            "sbatch cannot be run: {error}; without --submit the scripts are only written"
        ))
    })?;
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        return Err(Error::Usage(format!(
            "sbatch refused {}: {}",
            script.display(),
            said.trim()
        )));
    }
    let said = String::from_utf8_lossy(&done.stdout);
    // With several clusters the name of one follows.
    let number = said.trim().split(';').next().unwrap_or_default();
    Ok(number.to_owned())
}
