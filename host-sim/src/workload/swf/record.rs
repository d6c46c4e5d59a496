//! One job of a log.

use std::fmt;

/// Names of the 18 fields in their order, as error messages use them.
pub const FIELDS: [&str; 18] = [
    "job number",
    "submit time",
    "wait time",
    "run time",
    "allocated processors",
    "average CPU time",
    "used memory",
    "requested processors",
    "requested time",
    "requested memory",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding job",
    "think time",
];

/// One line of a log; -1 where the log does not know.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record {
    /// 1: number of the job, never unknown.
    pub job_number: u64,
    /// 2: submission (s since the log's start); unknown only in lines of partial executions.
    pub submit_time: f64,
    /// 3: time in the queue (s).
    pub wait_time: f64,
    /// 4: wall-clock time from start to end (s).
    pub run_time: f64,
    /// 5: processors it got.
    pub allocated_processors: i64,
    /// 6: CPU time used, averaged over its processors (s).
    pub average_cpu_time: f64,
    /// 7: memory used per processor (kB).
    pub used_memory: f64,
    /// 8: processors it asked for.
    pub requested_processors: i64,
    /// 9: time it asked for (s).
    pub requested_time: f64,
    /// 10: memory it asked for per processor (kB).
    pub requested_memory: f64,
    /// 11: 0 failed, 1 completed, 2 to 4 a partial execution, 5 cancelled.
    pub status: i64,
    /// 12: user.
    pub user: i64,
    /// 13: group.
    pub group: i64,
    /// 14: executable.
    pub executable: i64,
    /// 15: queue.
    pub queue: i64,
    /// 16: partition.
    pub partition: i64,
    /// 17: job this one waited for.
    pub preceding_job: i64,
    /// 18: time between the end of that job and this submission (s).
    pub think_time: f64,
}

impl Record {
    /// Whether the line tells of one stretch of a job that was swapped out; the job has a summary line besides.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        (2..=4).contains(&self.status)
    }
}

/// The line of a log, without its end.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {} {}",
            self.job_number,
            self.submit_time,
            self.wait_time,
            self.run_time,
            self.allocated_processors,
            self.average_cpu_time,
            self.used_memory,
            self.requested_processors,
            self.requested_time,
            self.requested_memory,
            self.status,
            self.user,
            self.group,
            self.executable,
            self.queue,
            self.partition,
            self.preceding_job,
            self.think_time,
        )
    }
}
