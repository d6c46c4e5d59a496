//! The files of a run: jobs.csv, reservations.csv, metrics.json and timing.json; with holds or operations also operations.csv and
//! moves.csv, with copies at several sites replicas.csv, with outages outages.csv, with jobs that end for reservations pieces.csv; and what sums
//! them up: schedule.csv, users.csv where the input names users, and principals.csv where there are quotas.
//!
//! Equal runs give equal bytes, timing.json excepted. Every file is whole or absent, and metrics.json is written last, so a
//! folder that has one holds a finished run.

mod aside;
mod checkpoint;
pub(crate) mod jobs;
pub(crate) mod metrics;
pub(crate) mod operations;
mod principals;
pub(crate) mod reservations;
mod timing;
mod users;

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use bookahead::Money;
use serde::Serialize;

pub(crate) use aside::Aside;
pub(crate) use checkpoint::CHECKPOINT;
pub use checkpoint::Checkpoints;
pub(crate) use metrics::limits;
pub use timing::Timing;

use self::{jobs::Jobs, principals::Principals, users::Users};
use crate::{
    arrivals::Arrivals,
    engine::{
        Listener, Operated, Outcome, Placed, Story, System,
        measuring::Measuring,
        metrics::Metrics,
        story::{self, Gone, InOrder, Moved, State, Told},
    },
    error::{Error, Result},
    files::{
        self, Job, Mark, Move, Operation, OutageRow, Piece, PrincipalRow, Replica, Reservation,
        Row, Schedule, Summing, Table, User,
    },
    saved::{Damaged, Saved, is_missing, put, saves, take},
    text_file::{self, io_error},
};

/// Batsim's job table.
pub const JOBS: &str = "jobs.csv";
/// Every request with its decision.
pub const RESERVATIONS: &str = "reservations.csv";
/// Every operation with its decision.
pub const OPERATIONS: &str = "operations.csv";
/// What operations changed.
pub const MOVES: &str = "moves.csv";
/// The copies of reservations that are booked at several sites.
pub const REPLICAS: &str = "replicas.csv";
/// What outages took.
pub const OUTAGES: &str = "outages.csv";
/// Runs of jobs that were ended for reservations.
pub const PIECES: &str = "pieces.csv";
/// The tables that may be compressed, under names of their own.
const TABLES: [&str; 7] = [
    JOBS,
    RESERVATIONS,
    OPERATIONS,
    MOVES,
    REPLICAS,
    OUTAGES,
    PIECES,
];
/// Batsim's summary of its job table.
pub const SCHEDULE: &str = "schedule.csv";
/// What each user asked for and got.
pub const USERS: &str = "users.csv";
/// What each principal asked for and got.
pub const PRINCIPALS: &str = "principals.csv";
/// Figures and settings.
pub const METRICS: &str = "metrics.json";
/// What was set in every run of a reproduction.
pub const SETTINGS: &str = "settings.json";
/// How fast it went, the one file that differs between equal runs.
pub const TIMING: &str = "timing.json";

/// What was run on what.
#[derive(Clone, Debug)]
pub struct RunInfo {
    /// The system simulated.
    pub system: System,
    /// A name of the workload.
    pub workload: String,
    /// The seed of everything random in it.
    pub seed: u64,
}

/// Money in units, as far as floats go.
pub(crate) fn units(money: Money) -> f64 {
    money.get() as f64 / 1e6
}

/// Makes `dir` if need be, and whatever is in it no finished run: an interrupted run must not look like one. Files of other
/// names stay.
///
/// # Errors
/// [`Error::Io`] if the folder cannot be made or a file not removed.
pub fn prepare(dir: &Path) -> Result<()> {
    text_file::prepare_folder(dir)?;
    [METRICS, TIMING, USERS, PRINCIPALS]
        .iter()
        .try_for_each(|name| remove(&dir.join(name)))?;
    // Those too that this run does not replace, as it has none of them or writes them otherwise.
    TABLES.iter().try_for_each(|name| {
        let table = dir.join(name);
        remove(&table)?;
        remove(&files::compressed(&table))
    })
}

/// Removes a file if it is there.
pub(crate) fn remove(file: &Path) -> Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error(file, error)),
        _ => Ok(()),
    }
}

/// Writes jobs.csv, reservations.csv and, last, metrics.json into `dir`, and returns the figures.
///
/// ```
/// use bookahead_sim::{engine::{self, Binding, Strategy, System}, output, request::{Demand, JobRequest}};
///
/// let job = JobRequest { job_id: 1, arrival: 0, ready: 60, duration: 90, deadline: 600, pes: 2, run: 90, flexible: true, ..JobRequest::default() };
/// let strategy = Strategy::Fit(bookahead::Policy::FirstFit);
/// let system = System::new(4, 64, 60, strategy, Binding::Early);
/// let outcomes = engine::run(&system, &[Demand::Reserve(job)], &|| {})?;
/// let dir = tempfile::tempdir().unwrap();
/// let info = output::RunInfo { system, workload: "example".into(), seed: 1 };
/// assert_eq!(output::write_run(dir.path(), &info, &outcomes)?.accepted, 1);
/// let reservations = std::fs::read_to_string(dir.path().join(output::RESERVATIONS)).unwrap();
/// assert!(reservations.ends_with("1,0,60,90,600,2,accepted,,60,180,1.000000\n"));
/// # Ok::<(), bookahead_sim::error::Error>(())
/// ```
///
/// # Errors
/// [`Error::Io`] if a file cannot be written; there is no metrics.json then.
pub fn write_run(dir: &Path, info: &RunInfo, outcomes: &[Outcome]) -> Result<Metrics> {
    write_story(dir, info, &Story::from(outcomes.to_vec()))
}

/// As [`write_run`], of all that became of a script: with holds or operations in it also operations.csv and moves.csv.
///
/// # Errors
/// As [`write_run`].
pub fn write_story(dir: &Path, info: &RunInfo, story: &Story) -> Result<Metrics> {
    let mut folder = RunFolder::new(dir, info, Kinds::of(&info.system, story))?;
    story
        .pieces
        .iter()
        .try_for_each(|piece| folder.add_piece(piece))?;
    story
        .moves
        .iter()
        .try_for_each(|moved| folder.add_move(moved))?;
    let mut written = Ok(());
    story.in_order(|one| {
        if written.is_ok() {
            written = match one {
                InOrder::Outcome(outcome, key) => folder.add_outcome(outcome, key),
                InOrder::Operated(operated) => folder.add_operated(operated),
            };
        }
    });
    written?;
    story
        .gone
        .iter()
        .try_for_each(|gone| folder.add_gone(gone))?;
    folder.finish()
}

/// Which kinds of rows there are in a run, on which columns and files depend.
#[derive(Clone, Copy, Debug)]
pub struct Kinds {
    /// Whether every demand is a firm one and nothing is done to it later.
    pub(crate) plain: bool,
    /// Whether promises may break: by outages, rules, or jobs that went on by force.
    pub(crate) breaks: bool,
    /// Whether a request leaves its length open.
    pub(crate) ranges: bool,
    /// Whether tables are compressed.
    pub(crate) gzip: bool,
}

impl Kinds {
    /// Those of what arrives to a system.
    #[must_use]
    pub fn arriving(system: &System, arrivals: &Arrivals<'_>) -> Self {
        Self {
            plain: arrivals.is_plain(),
            breaks: system.displaces(arrivals.operations),
            ranges: arrivals.outline.first_range.is_some(),
            gzip: false,
        }
    }

    pub(crate) fn of(system: &System, story: &Story) -> Self {
        let has_range = |outcome: &Outcome| {
            let request = outcome.demand.request();
            request.is_some_and(|request| request.shortest.is_some())
        };
        Self {
            plain: story.is_plain(),
            breaks: story.may_break(system),
            ranges: story.outcomes.iter().any(has_range),
            gzip: false,
        }
    }

    /// Whether bookings can change after they have been made: by operations, because the strategy moves them, or because something that cannot wait takes their places.
    pub(crate) fn has_moves(self, system: &System) -> bool {
        let moves = system.moving().is_some() || system.relocates();
        moves || self.breaks || !self.plain
    }

    /// Whether moves.csv is there.
    pub(crate) fn tells_moves(self, system: &System) -> bool {
        let by_time = system.strategy.overlay().is_some() || system.preempt.is_some();
        by_time || self.has_moves(system)
    }
}

/// What metrics.json says beside the figures.
pub(crate) struct Sums {
    plain: bool,
    used_pe_seconds: u64,
    users: Vec<User>,
    principals: Vec<PrincipalRow>,
}

impl Sums {
    pub(crate) fn of(system: &System, story: &Story) -> Self {
        let used = story.placed().flat_map(Placed::used);
        let lost = story.pieces.iter().map(story::Piece::stretch);
        let used = used.chain(lost).map(|stretch| stretch.pe_seconds());
        Self {
            plain: story.is_plain(),
            used_pe_seconds: used.fold(0, u64::saturating_add),
            users: Users::of(story),
            principals: Principals::of(&system.quotas, story),
        }
    }
}

/// The files of a run, which are written while it is told: a row is not kept when it has been written.
pub struct RunFolder<'i> {
    dir: PathBuf,
    info: &'i RunInfo,
    kinds: Kinds,
    jobs: Table,
    reservations: Table,
    operations: Option<Table>,
    moves: Option<Table>,
    replicas: Option<Table>,
    outages: Option<Table>,
    pieces: Option<Table>,
    rows: Jobs<'i>,
    schedule: Summing,
    users: Users,
    principals: Principals<'i>,
    /// How many demands have arrived, where states are kept.
    arrived: u64,
    used_pe_seconds: u64,
    measuring: Measuring<'i>,
    /// How long writing has taken so far.
    writing: Duration,
    /// How long the run has taken until `began`.
    before: Duration,
    began: Instant,
    checkpoints: Option<Checkpoints>,
    /// The state of the run itself, where it goes on.
    resumed: Option<Vec<u8>>,
}

impl Saved for RunFolder<'_> {
    saves!(arrived used_pe_seconds writing before; rows schedule users principals measuring);
}

impl<'i> RunFolder<'i> {
    /// Begins the files of a run with rows of such kinds.
    ///
    /// # Errors
    /// As [`prepare`].
    pub fn new(dir: &Path, info: &'i RunInfo, kinds: Kinds) -> Result<Self> {
        prepare(dir)?;
        Self::begin(dir, info, kinds, Table::new)
    }

    /// As [`new`](Self::new), of a run that goes on from its last checkpoint, if there is one, and keeps others.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`Error::Input`] if what was kept is damaged.
    pub fn going_on(
        dir: &Path,
        info: &'i RunInfo,
        kinds: Kinds,
        mut checkpoints: Checkpoints,
    ) -> Result<Self> {
        let found = checkpoints.take_found();
        let mut state = found.as_deref();
        match state {
            None => prepare(dir)?,
            // It is no finished run, even if it was one.
            Some(_) => [METRICS, TIMING]
                .iter()
                .try_for_each(|name| remove(&dir.join(name)))?,
        }
        let damaged = |damaged| checkpoints.unread(damaged);
        let marks: Option<Vec<Mark>> = state.as_mut().map(take).transpose().map_err(damaged)?;
        let mut marks = marks.into_iter().flatten();
        let table = |file: &Path, columns| {
            let mark = marks.next();
            let goes_on = mark.is_some();
            let table = Table::staying(file, columns, mark);
            table.map_err(|error| match error {
                Error::Io { source, .. } if goes_on && is_missing(&source) => {
                    checkpoints.unread(Damaged::Bytes)
                }
                error => error,
            })
        };
        let mut run = Self::begin(dir, info, kinds, table)?;
        run.measuring = run.measuring.going_on(dir);
        if let Some(mut state) = state {
            run.restore(&mut state).map_err(damaged)?;
            run.resumed = Some(state.to_vec());
        }
        run.checkpoints = Some(checkpoints);
        Ok(run)
    }

    fn begin(
        dir: &Path,
        info: &'i RunInfo,
        kinds: Kinds,
        mut begin: impl FnMut(&Path, &'static [&'static str]) -> Result<Table>,
    ) -> Result<Self> {
        let mut table = |name: &str, columns| {
            let file = dir.join(name);
            match kinds.gzip {
                true => begin(&files::compressed(&file), columns),
                false => begin(&file, columns),
            }
        };
        let system = &info.system;
        let (jobs, reservations) = (
            table(JOBS, Job::COLUMNS)?,
            table(RESERVATIONS, Reservation::COLUMNS)?,
        );
        let mut table_if =
            |name, columns, there: bool| there.then(|| table(name, columns)).transpose();
        Ok(Self {
            dir: dir.to_owned(),
            info,
            kinds,
            jobs,
            reservations,
            operations: table_if(OPERATIONS, Operation::COLUMNS, !kinds.plain)?,
            moves: table_if(MOVES, Move::COLUMNS, kinds.tells_moves(system))?,
            replicas: table_if(REPLICAS, Replica::COLUMNS, system.redundancy.is_some())?,
            outages: table_if(OUTAGES, OutageRow::COLUMNS, system.outages)?,
            pieces: table_if(PIECES, Piece::COLUMNS, system.preempt.is_some())?,
            rows: Jobs::new(system),
            schedule: Summing::default(),
            users: Users::default(),
            principals: Principals::new(&system.quotas),
            arrived: 0,
            used_pe_seconds: 0,
            measuring: Measuring::new(Some(system), system.all_pes(), Some(dir)),
            writing: Duration::ZERO,
            before: Duration::ZERO,
            began: Instant::now(),
            checkpoints: None,
            resumed: None,
        })
    }

    /// The tables that there are.
    fn tables(&mut self) -> impl Iterator<Item = &mut Table> {
        let always = [&mut self.jobs, &mut self.reservations].map(Some);
        let others = [
            &mut self.operations,
            &mut self.moves,
            &mut self.replicas,
            &mut self.outages,
            &mut self.pieces,
        ];
        let others = others.map(Option::as_mut);
        always.into_iter().chain(others).flatten()
    }

    /// How many demands had arrived where the run goes on.
    #[must_use]
    pub fn goes_on_behind(&self) -> Option<u64> {
        self.resumed.as_ref().map(|_| self.arrived)
    }

    /// Keeps the state, where it is time to.
    fn keep(&mut self, state: &mut State<'_>) -> Result<()> {
        let Some(mut checkpoints) = self.checkpoints.take_if(|kept| kept.is_due()) else {
            return Ok(());
        };
        self.before += self.began.elapsed();
        self.began = Instant::now();
        let marks = self.tables().map(Table::mark);
        let marks: Vec<Mark> = marks.collect::<Result<_>>()?;
        let mut bytes = Vec::new();
        put(&marks, &mut bytes)?;
        self.save(&mut bytes)
            .map_err(|damaged| checkpoints.unread(damaged))?;
        bytes.extend(state()?);
        let names = self.tables().map(|table| table.staying_name());
        let mut needed: Vec<String> = names.collect();
        needed.extend(self.measuring.files().cloned());
        checkpoints.keep(&bytes, &needed)?;
        self.checkpoints = Some(checkpoints);
        Ok(())
    }

    fn add_outcome(&mut self, outcome: &Outcome, key: Option<u32>) -> Result<()> {
        let job = self.rows.row(&self.info.workload, outcome, key);
        self.schedule.add(&job);
        self.jobs.add(job)?;
        if let Some(row) = reservations::row(outcome, &self.info.system, self.kinds) {
            self.reservations.add(row)?;
        }
        if let Some(replicas) = &mut self.replicas {
            reservations::replicas(outcome).try_for_each(|replica| replicas.add(replica))?;
        }
        self.use_of(outcome);
        self.users.add(outcome);
        self.principals.add(outcome);
        self.measuring.outcome(outcome);
        Ok(())
    }

    fn use_of(&mut self, outcome: &Outcome) {
        let placed = outcome.decision.iter();
        for used in placed.flat_map(Placed::used) {
            self.used_pe_seconds = self.used_pe_seconds.saturating_add(used.pe_seconds());
        }
    }

    fn add_operated(&mut self, operated: &Operated) -> Result<()> {
        if let Some(part) = &operated.part {
            let job = self.rows.part(&self.info.workload, part);
            self.schedule.add(&job);
            self.jobs.add(job)?;
            self.use_of(part);
            self.users.part(part);
        }
        if let Some(operations) = &mut self.operations {
            operations.add(operations::row(operated))?;
        }
        self.measuring.operated(operated.clone());
        Ok(())
    }

    fn add_move(&mut self, moved: &Moved) -> Result<()> {
        if let Some(moves) = &mut self.moves {
            moves.add(operations::moved(moved, self.info.system.sites > 1))?;
        }
        self.measuring.moved(moved);
        Ok(())
    }

    fn add_piece(&mut self, piece: &story::Piece) -> Result<()> {
        if let Some(pieces) = &mut self.pieces {
            pieces.add(operations::piece(piece))?;
        }
        let used = piece.stretch().pe_seconds();
        self.used_pe_seconds = self.used_pe_seconds.saturating_add(used);
        self.rows.piece(piece);
        self.users.piece(piece);
        self.measuring.piece(piece.clone());
        Ok(())
    }

    fn add_gone(&mut self, gone: &Gone) -> Result<()> {
        if let Some(outages) = &mut self.outages {
            outages.add(operations::outage(gone))?;
        }
        self.measuring.gone(gone.clone());
        Ok(())
    }

    /// Lets the files appear, metrics.json last, and returns the figures.
    ///
    /// # Errors
    /// [`Error::Io`] if a file cannot be written; there is no metrics.json then.
    pub fn finish(self) -> Result<Metrics> {
        let (dir, info) = (&self.dir, self.info);
        self.jobs.finish()?;
        self.reservations.finish()?;
        let others = [
            self.operations,
            self.moves,
            self.replicas,
            self.outages,
            self.pieces,
        ];
        others.into_iter().flatten().try_for_each(Table::finish)?;
        let sums = Sums {
            plain: self.kinds.plain,
            used_pe_seconds: self.used_pe_seconds,
            users: self.users.rows(),
            principals: self.principals.rows(),
        };
        if !sums.users.is_empty() {
            files::write(&dir.join(USERS), User::COLUMNS, &sums.users)?;
        }
        if !sums.principals.is_empty() {
            let file = dir.join(PRINCIPALS);
            files::write(&file, PrincipalRow::COLUMNS, &sums.principals)?;
        }
        let metrics = self.measuring.finish();
        let metrics = metrics.map_err(|error| io_error(dir, error))?;
        let ended = metrics
            .preemptions
            .map_or(0, |ended| ended.preempted_pe_seconds);
        let away = metrics
            .outages
            .and_then(|outages| outages.outage_pe_seconds);
        let mut schedule = self.schedule;
        schedule.add_use(ended);
        let pes = u64::from(info.system.pes) * u64::from(info.system.sites);
        let schedule = schedule.row(pes, away.unwrap_or(0));
        files::write(&dir.join(SCHEDULE), Schedule::COLUMNS, [schedule])?;
        metrics::write(&dir.join(METRICS), info, &metrics, &sums)?;
        Ok(metrics)
    }
}

impl RunFolder<'_> {
    /// How long the run has taken so far without what writing has.
    #[must_use]
    pub fn deciding(&self) -> Duration {
        (self.before + self.began.elapsed()).saturating_sub(self.writing)
    }

    fn timed(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let begin = Instant::now();
        let written = write(self);
        self.writing += begin.elapsed();
        written
    }
}

impl Listener for RunFolder<'_> {
    fn hear(&mut self, told: Told) -> Result<()> {
        self.timed(|files| match told {
            Told::Outcome(outcome, key) => files.add_outcome(&outcome, key),
            Told::Operated(operated) => files.add_operated(&operated),
            Told::Moved(moved) => files.add_move(&moved),
            Told::Piece(piece) => files.add_piece(&piece),
            Told::Gone(gone) => files.add_gone(&gone),
        })
    }

    fn resume(&mut self) -> Result<Option<Vec<u8>>> {
        Ok(self.resumed.take())
    }

    fn pause(&mut self, state: &mut State<'_>) -> Result<()> {
        self.arrived += 1;
        self.timed(|files| files.keep(state))
    }
}

/// What metrics.json says of a run, without writing anything.
///
/// # Errors
/// [`Error::Internal`] if it cannot be said in JSON, which is a defect.
pub fn metrics(info: &RunInfo, story: &Story) -> Result<serde_json::Value> {
    let metrics = Metrics::on(&info.system, story);
    metrics::value(info, &metrics, &Sums::of(&info.system, story))
        .map_err(|error| Error::Internal(format!("metrics.json: {error}")))
}

/// Writes timing.json into `dir`.
///
/// # Errors
/// [`Error::Io`] if it cannot be written.
pub fn write_timing(dir: &Path, timing: &Timing) -> Result<()> {
    write_json(&dir.join(TIMING), timing)
}

fn write_json(file: &Path, value: &impl Serialize) -> Result<()> {
    text_file::write(file, |out| {
        serde_json::to_writer_pretty(&mut *out, value)?;
        writeln!(out)
    })
}

/// Rows as CSV.
pub(crate) fn csv_text(rows: &[Vec<String>]) -> String {
    let mut table = csv::Writer::from_writer(Vec::new());
    for row in rows {
        // Writing to memory cannot fail, and the rows of a table are equally long.
        let _ = table.write_record(row);
    }
    String::from_utf8(table.into_inner().unwrap_or_default()).unwrap_or_default()
}
