//! jobs.csv as the report reads it: jobs that ran, one after the other, and what they come to together.

use std::path::Path;

use super::{
    excerpt::{Choice, Excerpt},
    run::number,
    widths::{self, Widths},
};
use crate::{
    error::Result,
    files::{self, PeRanges, Rows, Stretches},
    layout::Layout,
    outage::Breaker,
    text_file::io_error,
};

/// A job that ran, with what it really used.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) id: u64,
    /// Whether it was queued; the others were reserved.
    pub(super) best_effort: bool,
    pub(super) submitted: f64,
    pub(super) start: f64,
    pub(super) finish: f64,
    /// Its PEs.
    pub(super) pes: PeRanges,
    /// In which nodes they lie, on a machine with a layout.
    pub(super) groups: Option<PeRanges>,
    /// What broke its promise while it ran, and when.
    pub(super) broken: Option<(Breaker, u64)>,
    /// Where these are drawn: node by node on a machine with a layout, else by number.
    pub(super) rows: Vec<(u32, u32)>,
}

/// What all jobs that ran come to.
#[derive(Default)]
pub(super) struct Jobs {
    /// The first submission, if any job ran.
    pub(super) submitted: Option<f64>,
    /// The last row in which one is drawn.
    pub(super) last_row: u32,
    /// Whether any was queued.
    pub(super) queued: bool,
    /// How long those that were queued waited.
    pub(super) widths: Widths,
    /// What to draw of them, if anything.
    pub(super) excerpt: Option<Excerpt>,
    /// Where those of an excerpt stand in the table.
    times: Stretches,
}

impl Jobs {
    /// Those of a table, or nothing when there is no such file.
    pub(super) fn read(file: &Path, layout: Option<&Layout>) -> Result<Option<Self>> {
        let Some(mut rows) = Rows::open(file)? else {
            return Ok(None);
        };
        let mut all = Self::default();
        let mut choice = Choice::new(file.parent());
        while let Some(row) = rows.next() {
            let row = row?;
            widths::add(&mut all.widths, &row);
            let job = ran(row, layout);
            let times = job.as_ref().map(|job| [job.start, job.finish]);
            all.times
                .add(&rows, times.map(|times| times.map(f64::to_bits)));
            if let Some(job) = job {
                let first = all.submitted.unwrap_or(f64::INFINITY);
                all.submitted = Some(first.min(job.submitted));
                let rows = job.rows.iter().map(|(_, last)| *last);
                all.last_row = rows.fold(all.last_row, u32::max);
                all.queued |= job.best_effort;
                choice.add(&job);
            }
        }
        let excerpt = choice.excerpt();
        all.excerpt = excerpt.map_err(|error| io_error(file, error))?;
        Ok(Some(all))
    }

    /// Those that ran in an excerpt, and others, in the order of their rows.
    pub(super) fn of_excerpt<'a>(
        &'a self,
        file: &Path,
        layout: Option<&'a Layout>,
        excerpt: &Excerpt,
    ) -> Result<impl Iterator<Item = Result<Job>> + use<'a>> {
        // In the order of the numbers themselves, since none is negative.
        let [from, to] = [excerpt.from, excerpt.to].map(f64::to_bits);
        let meets = move |[start, finish]: [u64; 2]| start < to && finish > from;
        let rows = self.times.rows(file, meets)?;
        Ok(rows.filter_map(move |row| row.map(|row| ran(row, layout)).transpose()))
    }
}

/// Nothing of a job that did not run.
fn ran(row: files::Job<'static>, layout: Option<&Layout>) -> Option<Job> {
    let [start, finish] = row.ran()?;
    let pes = row.allocated_resources;
    Some(Job {
        id: row.job_id,
        best_effort: row.profile == files::Profile::BestEffort,
        submitted: number(row.submission_time),
        start: number(start),
        // That it is not over before it starts is for the checker to say.
        finish: number(finish.max(start)),
        groups: row.groups,
        broken: row.metadata.broken(),
        rows: match layout {
            Some(layout) => layout.group_by_group(&pes).0,
            None => pes.0.clone(),
        },
        pes,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rand::RngExt;

    use super::*;
    use crate::{
        files::Row,
        workload::rng::{Purpose, stream},
    };

    /// Start, finish and PEs of jobs, some of which were refused.
    type Ran = Option<[u64; 3]>;

    fn table(jobs: &[Ran]) -> String {
        let rows = jobs.iter().zip(1..).map(|(job, id)| match job {
            None => format!("{id},made,reservation,{id},1,60,0,REJECTED,,,,,,,,-1,\n"),
            Some([start, finish, pes]) => format!(
                "{id},made,reservation,{},{pes},60,1,COMPLETED_SUCCESSFULLY,{start},{},{finish},0,0,1,0-{},-1,\n",
                start / 2,
                finish - start,
                pes - 1
            ),
        });
        let header = files::Job::COLUMNS.join(",") + "\n";
        [header].into_iter().chain(rows).collect()
    }

    /// The part that is to be drawn, from all jobs in memory.
    fn expected(jobs: &[[u64; 3]]) -> [f64; 2] {
        let first = jobs.iter().map(|job| job[0]).min().unwrap() as f64;
        let last = jobs.iter().map(|job| job[1]).max().unwrap() as f64;
        let parts = jobs.len().div_ceil(150);
        let length = (last - first) / parts as f64;
        let load = |part: &f64| -> f64 {
            let begin = first + length * part;
            let uses = jobs.iter().map(|&[start, finish, pes]| {
                let inside = (finish as f64).min(begin + length) - (start as f64).max(begin);
                inside.max(0.0) * pes as f64
            });
            uses.sum()
        };
        let mut places: Vec<f64> = (0..parts).map(|part| part as f64).collect();
        places.sort_by(|a, b| load(a).total_cmp(&load(b)));
        let from = first + length * places[3 * (parts - 1) / 4];
        [from, from + length]
    }

    /// More of them than are kept in memory and than there are stretches, in order of start and in any order.
    #[test]
    fn an_excerpt_is_chosen_and_read_as_from_all_jobs() {
        let mut random = stream(5, Purpose::Reservations, 0);
        for (count, in_order) in [(9_000, true), (9_000, false), (700, true)] {
            let jobs = (0..count).map(|place| {
                let start = match in_order {
                    true => 100 * place + random.random_range(0..900),
                    false => random.random_range(0..100 * count),
                };
                let finish = start + random.random_range(1..20_000);
                random
                    .random_bool(0.8)
                    .then_some([start, finish, random.random_range(1..9)])
            });
            let jobs: Vec<Ran> = jobs.collect();
            let dir = tempfile::tempdir().unwrap();
            let file = dir.path().join("jobs.csv");
            fs::write(&file, table(&jobs)).unwrap();
            let read = Jobs::read(&file, None).unwrap().unwrap();
            // Nothing is left beside it.
            assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);

            let ran: Vec<[u64; 3]> = jobs.iter().flatten().copied().collect();
            let excerpt = read.excerpt.as_ref().unwrap();
            assert_eq!([excerpt.from, excerpt.to], expected(&ran));
            let submitted = ran.iter().map(|job| job[0] / 2).min().unwrap();
            assert_eq!(read.submitted, Some(submitted as f64));
            assert_eq!(
                u64::from(read.last_row),
                ran.iter().map(|job| job[2] - 1).max().unwrap()
            );

            let meets = |start: f64, finish: f64| start < excerpt.to && finish > excerpt.from;
            let again = read.of_excerpt(&file, None, excerpt).unwrap();
            let again: Vec<Job> = again.collect::<Result<_>>().unwrap();
            let drawn = again.iter().filter(|job| meets(job.start, job.finish));
            let drawn: Vec<u64> = drawn.map(|job| job.id).collect();
            let wanted = jobs.iter().zip(1..).filter_map(|(job, id)| {
                let [start, finish, _] = job.as_ref()?;
                meets(*start as f64, *finish as f64).then_some(id)
            });
            assert_eq!(drawn, wanted.collect::<Vec<u64>>());
            assert!(drawn.len() > 50);
            if in_order && count > 1_000 {
                assert!(
                    again.len() < 5 * drawn.len(),
                    "{} for {}",
                    again.len(),
                    drawn.len()
                );
            }
        }
    }
}
