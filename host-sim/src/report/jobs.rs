//! jobs.csv as the report reads it: jobs that ran, one after the other, and what they come to together.

use std::path::Path;

use super::{
    excerpt::{Choice, Excerpt},
    run::number,
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
            let job = ran(row?, layout);
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
