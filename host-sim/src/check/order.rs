//! Every job once, in order of arrival. Rule 1.

use std::{io, path::Path};

use super::findings::Findings;
use crate::{files::Job, sorting::Sorter};

/// Rows that stand in the wrong place, and numbers of jobs that occur twice.
pub(super) struct Order {
    latest: u64,
    numbers: Sorter<u64>,
    /// The number of the last job.
    last: Option<u64>,
    /// Whether jobs are counted upwards, as mostly they are.
    counted: bool,
    found: Findings,
}

impl Order {
    /// Where there is a folder, numbers are sorted in files there.
    pub(super) fn new(folder: Option<&Path>) -> Self {
        Self {
            latest: 0,
            numbers: Sorter::new(folder),
            last: None,
            counted: true,
            found: Findings::default(),
        }
    }

    pub(super) fn job(&mut self, job: &Job<'_>) {
        let (submitted, latest) = (job.submission_time, self.latest);
        self.found.require(job.job_id, submitted >= latest, || {
            format!("submitted at {submitted}, but its row stands below one of {latest}")
        });
        self.latest = latest.max(submitted);
        self.counted &= self.last < Some(job.job_id);
        self.last = Some(job.job_id);
        self.numbers.add(job.job_id);
    }

    /// # Errors
    /// What the file system reports; nothing where no folder was given.
    pub(super) fn finish(self, found: &mut Findings) -> io::Result<()> {
        found.append(self.found);
        if self.counted {
            return Ok(());
        }
        let mut numbers = self.numbers.sorted()?.peekable();
        while let Some(job_id) = numbers.next().transpose()? {
            let mut times = 1;
            while numbers
                .next_if(|next| next.as_ref().is_ok_and(|next| *next == job_id))
                .is_some()
            {
                times += 1;
            }
            if times > 1 {
                found.add(Some(job_id), format!("occurs {times} times in jobs.csv"));
            }
        }
        Ok(())
    }
}
