//! All rules, in their order, over rows as they come.
//!
//! Each job is judged when its row comes, with the request that it comes from: what has to be kept is what is booked then, and numbers that are sorted
//! at the end, in files. Some settings need all rows (see [`Settings::need_rows`]): these are kept, and come one after the other all the same.

use std::{borrow::Borrow, path::Path};

use super::{
    best_effort,
    bookings::{self, Bookings, Spare},
    findings::Findings,
    joint,
    operations::{Histories, Movers},
    order::Order,
    outages::Away,
    overlap::Overlap,
    overlays,
    pieces::{self, Run},
    placing,
    promises::Promises,
    replicas,
    settings::Settings,
    sites, summaries,
    tables::Tables,
    totals::{Tally, Totals},
};
use crate::{
    error::Result,
    files::{Ahead, Job, Profile, Reservation, Rows},
    output::{JOBS, METRICS, RESERVATIONS},
    text_file::io_error,
};

/// What was found in the tables of a run.
pub(super) struct Judged {
    /// Whether no other rows were needed than those that were kept: else nothing was judged to the end.
    enough: bool,
    /// What other files sum up.
    pub(super) sums: summaries::Sums,
    /// Everything wrong, in the order of the rules.
    pub(super) found: Findings,
}

/// Which of the two tables of rows are there.
pub(super) struct There {
    pub(super) jobs: bool,
    pub(super) reservations: bool,
}

/// Rows that are kept: requests, and jobs.
type Kept<'k> = (&'k [Reservation], &'k [Job<'k>]);

/// The next row of jobs.csv and the one of reservations.csv that it comes from; of one table where the other has no such row.
type Each<'e> = dyn FnMut(Option<&Job<'_>>, Option<&Reservation>) -> bool + 'e;

/// Goes through the rows of both tables, as long as `each` says so. Of two tables that cannot be read, what is wrong with the jobs comes first.
pub(super) fn side_by_side<'j, J: Borrow<Job<'j>>, R: Borrow<Reservation>>(
    mut jobs: impl Iterator<Item = Result<J>>,
    mut rows: impl Iterator<Item = Result<R>>,
    each: &mut Each<'_>,
) -> Result<()> {
    while let Some(job) = jobs.next().transpose()? {
        let job = job.borrow();
        let row = match job.profile {
            Profile::Reservation => rows.next().transpose(),
            Profile::Split | Profile::BestEffort => Ok(None),
        };
        let row = row.map_err(|wrong| jobs.find_map(Result::err).unwrap_or(wrong))?;
        if !each(Some(job), row.as_ref().map(R::borrow)) {
            return Ok(());
        }
    }
    for row in rows {
        each(None, Some(row?.borrow()));
    }
    Ok(())
}

/// What judges rows of the whole run.
struct Whole<'a> {
    settings: &'a Settings,
    of_workload: Findings,
    order: Order,
    overlap: Overlap,
    away: Away<'a>,
    unasked: Findings,
    unjoined: Findings,
    tally: Tally<'a>,
    sums: summaries::Sums,
    /// Whether a request says what only operations can have done.
    told: bool,
}

impl Whole<'_> {
    fn row(&mut self, job: Option<&Job<'_>>, row: Option<&Reservation>) {
        if let Some(job) = job {
            self.settings.of_workload(job, &mut self.of_workload);
            self.order.job(job);
            self.overlap.job(job);
            self.away.job(job, row);
        }
        if let Some(row) = row {
            self.told |= tells(row);
            if self.settings.layout().is_none() {
                placing::unasked(row, &mut self.unasked);
            }
            if !self.settings.joins() {
                joint::unasked(row, &mut self.unjoined);
            }
        }
        self.tally.row(job, row);
        self.sums.row(job, row);
    }
}

/// Whether a request says what only operations can have done.
pub(super) fn tells(row: &Reservation) -> bool {
    row.op.is_some() && row.final_start.flatten().is_some()
}

/// What judges the rows of one machine.
struct Machine<'a> {
    promises: Promises<'a>,
    /// Where no rows are kept.
    bookings: Option<Bookings<'a>>,
}

impl Machine<'_> {
    /// Says whether the rows so far were enough.
    fn row(&mut self, job: Option<&Job<'_>>, row: Option<&Reservation>) -> bool {
        self.promises.row(job, row);
        match (&mut self.bookings, job, row) {
            (Some(bookings), Some(job), Some(row)) => bookings.request(row, job),
            _ => true,
        }
    }

    /// All rows have come. `queue` says how many jobs were queued on all machines, and whether there were any; `extra` are changes of bookings, and
    /// copies that were not used.
    fn finish(
        self,
        (reservations, jobs): Kept<'_>,
        (waiting, queue): (usize, bool),
        (histories, spare, runs): (Option<&Histories>, &[Spare], &[Run<'_>]),
        settings: &Settings,
        found: &mut Findings,
    ) {
        let queued: Vec<&Job<'_>> = jobs.iter().filter(|job| job.is_best_effort()).collect();
        self.promises.finish(found);
        let changed = histories.is_some() || settings.displaces();
        best_effort::check(
            &queued,
            waiting,
            (reservations, changed, runs),
            settings,
            found,
        );
        best_effort::keys(&queued, (reservations, runs), settings, found);
        match self.bookings {
            Some(bookings) => bookings.finish(found),
            None => {
                let changes = (histories, spare, runs);
                bookings::check(reservations, jobs, queue, changes, settings, found);
            }
        }
    }
}

impl Tables<'_> {
    /// Judges rows that are kept, which are always enough. Where there is a folder, numbers are sorted in files there.
    ///
    /// # Errors
    /// [`Error::Io`](crate::error::Error::Io) when these cannot be written or read.
    pub(super) fn judge_kept(&self, folder: Option<&Path>) -> Result<Judged> {
        let there = There {
            jobs: self.jobs.is_some(),
            reservations: self.reservations.is_some(),
        };
        let jobs = self.jobs.as_deref().unwrap_or_default();
        let reservations = self.reservations.as_deref().unwrap_or_default();
        let kept = (reservations, jobs);
        let rows = |each: &mut Each<'_>| {
            side_by_side(jobs.iter().map(Ok), reservations.iter().map(Ok), each)
        };
        self.judge(&there, Some(kept), rows, folder)
    }

    /// Judges rows as they come from files in `folder`, of which none is kept; nothing where they turn out to be needed.
    ///
    /// # Errors
    /// [`Error::Input`](crate::error::Error::Input) for a row that cannot be read; [`Error::Io`](crate::error::Error::Io) when a file cannot be read or written.
    pub(super) fn judge_rows(&self, folder: &Path) -> Result<Option<Judged>> {
        let jobs = Rows::<Job<'static>>::open(&folder.join(JOBS))?;
        let reservations = Rows::<Reservation>::open(&folder.join(RESERVATIONS))?;
        let there = There {
            jobs: jobs.is_some(),
            reservations: reservations.is_some(),
        };
        let rows = |each: &mut Each<'_>| {
            let jobs = Ahead::new(jobs.into_iter().flatten());
            let reservations = Ahead::new(reservations.into_iter().flatten());
            side_by_side(jobs, reservations, each)
        };
        let judged = self.judge(&there, None, rows, Some(folder))?;
        Ok(Some(judged).filter(|judged| judged.enough))
    }

    fn judge(
        &self,
        there: &There,
        kept: Option<Kept<'_>>,
        rows: impl FnOnce(&mut Each<'_>) -> Result<()>,
        folder: Option<&Path>,
    ) -> Result<Judged> {
        let mut found = Findings::default();
        let files = [
            (JOBS, there.jobs),
            (RESERVATIONS, there.reservations),
            (METRICS, self.totals.is_some()),
        ];
        for (name, _) in files.iter().filter(|file| !file.1) {
            let problem = format!("{name} is missing, so the run is not finished");
            found.add(None, problem);
        }
        let totals = self
            .totals
            .as_ref()
            .filter(|_| there.jobs && there.reservations);
        let sums = match totals {
            Some(totals) => self.all_rules(totals, kept, rows, folder, &mut found)?,
            None => {
                let mut sums = summaries::Sums::default();
                rows(&mut |job, row| {
                    sums.row(job, row);
                    true
                })?;
                Some(sums)
            }
        };
        Ok(Judged {
            enough: sums.is_some(),
            sums: sums.unwrap_or_default(),
            found,
        })
    }

    /// Nothing where rows are not kept and turn out to be needed.
    fn all_rules(
        &self,
        totals: &Totals,
        kept: Option<Kept<'_>>,
        rows: impl FnOnce(&mut Each<'_>) -> Result<()>,
        folder: Option<&Path>,
        found: &mut Findings,
    ) -> Result<Option<summaries::Sums>> {
        let settings = &totals.settings;
        let (reservations, jobs) = kept.unwrap_or_default();
        let outages = self.outages.as_deref().unwrap_or_default();
        let moves = self.moves.as_deref().unwrap_or_default();
        let operations = self.operations.as_deref().unwrap_or_default();
        let pieces = self.pieces.as_deref().unwrap_or_default();
        let queued: Vec<&Job<'_>> = jobs.iter().filter(|job| job.is_best_effort()).collect();
        let queue = (queued.len(), !queued.is_empty());
        let mut followed = Findings::default();
        let told = reservations.iter().any(tells);
        let histories = self.follow((reservations, told), jobs, settings, &mut followed);
        let histories = histories.as_ref();

        let away = (self.outages.is_some(), outages);
        let mut whole = Whole {
            settings,
            of_workload: Findings::default(),
            order: Order::new(folder),
            overlap: Overlap::new(folder),
            away: Away::new(away, (moves, histories), settings),
            unasked: Findings::default(),
            unjoined: Findings::default(),
            tally: Tally::new(histories, folder),
            sums: summaries::Sums::default(),
            told,
        };
        let mut machine = (settings.sites() == 1).then(|| Machine {
            promises: Promises::new(queue.0, histories, reservations, settings),
            bookings: kept.is_none().then(|| Bookings::plain(settings)),
        });
        let mut enough = true;
        rows(&mut |job, row| {
            whole.row(job, row);
            // Jobs of a queue may be there although no setting says that there is one.
            enough &= kept.is_some() || !job.is_some_and(Job::is_best_effort);
            if let Some(machine) = &mut machine {
                enough &= machine.row(job, row);
            }
            enough
        })?;
        if !enough {
            return Ok(None);
        }
        if kept.is_none() {
            self.follow((&[], whole.told), &[], settings, &mut followed);
        }

        let written = |error| io_error(folder.unwrap_or(Path::new("")), error);
        settings.check(whole.of_workload, queue.1, found);
        whole.order.finish(found).map_err(written)?;
        found.append(followed);
        let told = (self.pieces.as_deref(), self.moves.as_deref());
        let runs = pieces::runs(jobs, told, settings, found);
        pieces::check(&runs, reservations, settings, found);
        let ended = runs.iter().filter(|run| run.is_piece);
        ended.for_each(|run| whole.overlap.job(&run.job));
        outages.iter().for_each(|row| whole.overlap.away(row));
        whole.overlap.finish(settings, found).map_err(written)?;
        whole.away.finish(found);
        match settings.layout() {
            Some(layout) => placing::check(reservations, jobs, operations, layout, found),
            None => found.append(whole.unasked),
        }
        match settings.joins() {
            true => joint::check(reservations, jobs, histories, settings, found),
            false => found.append(whole.unjoined),
        }
        match machine {
            Some(machine) => {
                let changes = (histories, &[][..], &runs[..]);
                machine.finish((reservations, jobs), queue, changes, settings, found);
            }
            None => self.each_site((reservations, jobs), queue, settings, found)?,
        }
        let tally = whole.tally;
        let sums = totals.check((tally, &whole.sums), (&queued, pieces), found);
        let sums = sums.map_err(written)?;
        totals.joint.check(reservations, jobs, settings, found);
        if settings.overlays() {
            let made = moves.iter().filter(|moved| overlays::is_booked(moved));
            overlays::booked(reservations, self.replicas.as_deref(), made, found);
        }
        let forced = operations.iter().any(|row| row.is_by_force());
        let breaks = settings.displaces() || forced;
        totals.check_outages(&sums, (outages, moves, breaks), found);
        totals.check_placing(jobs, moves, found);
        totals.check_moves(&sums, (moves, &Movers::of(operations)), found);
        totals.check_operations(self.operations.is_some(), operations, found);
        Ok(Some(whole.sums))
    }

    /// Judges each of several sites like a machine of its own.
    fn each_site(
        &self,
        (reservations, jobs): Kept<'_>,
        queue: (usize, bool),
        settings: &Settings,
        found: &mut Findings,
    ) -> Result<()> {
        let copies = self.replicas.as_deref();
        replicas::check(reservations, copies, settings, found);
        let spare = copies.unwrap_or_default();
        for site in sites::divide(reservations, jobs, spare, settings, found) {
            let (rows, jobs) = (&site.reservations, &site.jobs);
            let runs = pieces::runs(jobs, (None, None), settings, found);
            let mut machine = Machine {
                promises: Promises::new(queue.0, None, rows, settings),
                bookings: None,
            };
            side_by_side(jobs.iter().map(Ok), rows.iter().map(Ok), &mut |job, row| {
                machine.row(job, row);
                true
            })?;
            let extra = (None, &site.spare[..], &runs[..]);
            machine.finish((rows, jobs), queue, extra, settings, found);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, iter};

    use bookahead::Policy;
    use rand::RngExt;

    use super::*;
    use crate::{
        check::findings::Violation,
        engine::{self, Binding, Strategy, System},
        files,
        output::{self, RunInfo},
        workload::{
            lublin::Lublin,
            reserve::Factors,
            rng::{Purpose, stream},
        },
    };

    fn found(judged: Judged) -> Vec<Violation> {
        judged.found.0
    }

    /// Whatever cells say, and in whatever order rows are: those that come one after the other are judged as those that are kept.
    #[test]
    fn rows_that_are_not_kept_are_judged_alike() {
        let factors = Factors {
            arrival: 3.0,
            ..Factors::default()
        };
        let jobs = Lublin::default().jobs(5, 0).unwrap().take(250);
        let demands: Vec<_> = factors.demands(jobs, 5, 0).unwrap().collect();
        let mut random = stream(11, Purpose::Reservations, 0);
        let (mut wrong, mut streamed) = (0, 0);
        for binding in [Binding::Late, Binding::Early] {
            let dir = tempfile::tempdir().unwrap();
            let strategy = Strategy::Fit(Policy::FirstFit);
            let system = System::new(128, 4096, 60, strategy, binding);
            let outcomes = engine::run(&system, &demands, &|| {}).unwrap();
            let info = RunInfo {
                system,
                workload: "made".to_owned(),
                seed: 5,
            };
            output::write_run(dir.path(), &info, &outcomes).unwrap();
            for name in [JOBS, RESERVATIONS] {
                let file = dir.path().join(name);
                let honest = fs::read_to_string(&file).unwrap();
                let rows: Vec<Vec<&str>> =
                    honest.lines().map(|row| row.split(',').collect()).collect();
                for _ in 0..150 {
                    let mut rows = rows.clone();
                    let mut any = || random.random_range(1..rows.len());
                    let [one, other] = [any(), any()];
                    let column = random.random_range(0..rows[0].len());
                    match random.random_range(0..4) {
                        0 => rows.swap(one, other),
                        1 => drop(rows.remove(one)),
                        2 => rows.insert(other, rows[one].clone()),
                        _ => rows[one][column] = rows[other][column],
                    }
                    let text = rows.iter().flat_map(|row| [row.join(","), "\n".to_owned()]);
                    fs::write(&file, text.collect::<String>()).unwrap();
                    let tables = Tables::beside_rows(dir.path()).unwrap();
                    let kept = Tables::read(dir.path()).unwrap().judge_kept(None).unwrap();
                    let kept = found(kept);
                    wrong += usize::from(!kept.is_empty());
                    if let Some(judged) = tables.judge_rows(dir.path()).unwrap() {
                        assert_eq!(found(judged), kept, "{one} {other} {column}");
                        streamed += 1;
                    }
                }
                fs::write(&file, honest).unwrap();
            }
        }
        assert!(wrong > 400 && streamed > 350, "{wrong} {streamed}");
    }

    #[test]
    fn of_two_tables_that_cannot_be_read_the_first_is_told() {
        let dir = tempfile::tempdir().unwrap();
        let [jobs, rows] = [JOBS, RESERVATIONS].map(|name| dir.path().join(name));
        let header = |columns: &[&str]| columns.join(",") + "\n";
        let job = "1,made,reservation,0,1,60,0,REJECTED,,,,,,,,-1,\n";
        let columns = <Job<'static> as files::Row>::COLUMNS;
        let text: String = iter::once(header(columns))
            .chain([job.to_owned(), job.replacen('1', "x", 1)])
            .collect();
        fs::write(&jobs, text).unwrap();
        let columns = <Reservation as files::Row>::COLUMNS;
        fs::write(
            &rows,
            header(columns) + "y,0,0,60,60,1,refused,no-room,,,\n",
        )
        .unwrap();
        let tables = Tables::beside_rows(dir.path()).unwrap();
        let told = |wrong: Option<crate::error::Error>| wrong.unwrap().to_string();
        let streamed = told(tables.judge_rows(dir.path()).err());
        assert_eq!(streamed, told(Tables::read(dir.path()).err()));
        assert!(streamed.contains("jobs.csv, line 3"), "{streamed}");
    }
}
