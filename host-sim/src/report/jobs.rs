//! jobs.csv as the report reads it: jobs that ran, one after the other, and what they come to together.

use std::path::Path;

use super::run::number;
use crate::{
    error::Result,
    files::{self, PeRanges, Rows},
    layout::Layout,
    outage::Breaker,
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
    /// The first start and the last finish.
    pub(super) ran: Option<[f64; 2]>,
    /// Rectangles in which all of them are drawn.
    pub(super) rectangles: usize,
    /// The last row in which one is drawn.
    pub(super) last_row: u32,
    /// Whether any was queued.
    pub(super) queued: bool,
}

impl Jobs {
    /// Of a table, or nothing when there is no such file.
    pub(super) fn read(file: &Path, layout: Option<&Layout>) -> Result<Option<Self>> {
        let Some(jobs) = each(file, layout)? else {
            return Ok(None);
        };
        let mut all = Self::default();
        for job in jobs {
            all.add(&job?);
        }
        Ok(Some(all))
    }

    /// One more.
    pub(super) fn add(&mut self, job: &Job) {
        let first = self.submitted.unwrap_or(f64::INFINITY);
        self.submitted = Some(first.min(job.submitted));
        let [start, finish] = self.ran.unwrap_or([f64::INFINITY, 0.0]);
        self.ran = Some([start.min(job.start), finish.max(job.finish)]);
        self.rectangles += job.rows.len();
        let rows = job.rows.iter().map(|(_, last)| *last);
        self.last_row = rows.fold(self.last_row, u32::max);
        self.queued |= job.best_effort;
    }
}

/// The jobs of a table that ran, one after the other, or nothing when there is no such file.
pub(super) fn each<'l>(
    file: &Path,
    layout: Option<&'l Layout>,
) -> Result<Option<impl Iterator<Item = Result<Job>> + use<'l>>> {
    let rows = Rows::<files::Job<'static>>::open(file)?;
    Ok(rows.map(|rows| rows.filter_map(move |row| row.map(|row| ran(row, layout)).transpose())))
}

/// Nothing of a job that did not run.
fn ran(row: files::Job<'_>, layout: Option<&Layout>) -> Option<Job> {
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
