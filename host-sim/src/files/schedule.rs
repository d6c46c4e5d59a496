//! schedule.csv: one row that sums up jobs.csv, with the columns of Batsim's file of that name.

use serde::{Deserialize, Serialize};

use super::{Decimal, Job, KILLED, Row};
use crate::{
    saved::{Saved, saves},
    statistics::Mean,
};

/// The row; columns by name and in order. A mean, a greatest value or a rate over nothing is nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Schedule {
    batsim_version: String,
    /// Energy is not simulated.
    consumed_joules: u64,
    /// When the last job was over (s).
    makespan: u64,
    max_slowdown: Option<Decimal>,
    max_turnaround_time: Option<u64>,
    max_waiting_time: Option<u64>,
    mean_slowdown: Option<Decimal>,
    mean_turnaround_time: Option<Decimal>,
    mean_waiting_time: Option<Decimal>,
    nb_computing_machines: u64,
    nb_grouped_switches: u64,
    nb_jobs: u64,
    nb_jobs_finished: u64,
    nb_jobs_killed: u64,
    nb_jobs_rejected: u64,
    nb_jobs_success: u64,
    nb_machine_switches: u64,
    /// Real time, which differs between equal runs and so stands in timing.json only.
    scheduling_time: Option<u64>,
    simulation_time: Option<u64>,
    success_rate: Option<Decimal>,
    time_computing: u64,
    time_idle: u64,
    time_sleeping: u64,
    time_switching_off: u64,
    time_switching_on: u64,
    time_unavailable: u64,
}

impl Row for Schedule {
    const COLUMNS: &'static [&'static str] = &["makespan", "nb_jobs", "time_computing"];
}

/// Sums over jobs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Summing {
    row: Schedule,
    slowdowns: Mean,
    turnarounds: Mean,
    waits: Mean,
    slowest: Option<f64>,
}

impl Saved for Summing {
    saves!(row slowdowns turnarounds waits slowest);
}

impl Summing {
    /// Takes the next job in.
    pub(crate) fn add(&mut self, job: &Job<'_>) {
        let row = &mut self.row;
        row.nb_jobs += 1;
        let Some([_, finish]) = job.ran() else {
            row.nb_jobs_rejected += 1;
            return;
        };
        row.nb_jobs_finished += 1;
        row.nb_jobs_killed += u64::from(job.final_state == KILLED);
        row.nb_jobs_success += u64::from(job.success.0);
        row.makespan = row.makespan.max(finish);
        row.time_computing = row.time_computing.saturating_add(job.pe_seconds());
        row.max_waiting_time = row.max_waiting_time.max(job.waiting_time);
        row.max_turnaround_time = row.max_turnaround_time.max(job.turnaround_time);
        let times = [
            (job.waiting_time, &mut self.waits),
            (job.turnaround_time, &mut self.turnarounds),
        ];
        for (time, sum) in times {
            time.into_iter().for_each(|time| sum.add(time as f64));
        }
        if let Some(Decimal(slowdown)) = job.stretch {
            self.slowdowns.add(slowdown);
            let most = self.slowest.map_or(slowdown, |most| most.max(slowdown));
            self.slowest = Some(most);
        }
    }

    /// Takes in what was used beside the jobs' last runs (PE-seconds).
    pub(crate) fn add_use(&mut self, pe_seconds: u64) {
        self.row.time_computing = self.row.time_computing.saturating_add(pe_seconds);
    }

    /// The row for a machine of `pes`, of which `unavailable` PE-seconds were away.
    pub(crate) fn row(self, pes: u64, unavailable: u64) -> Schedule {
        let Self { row, .. } = self;
        let whole = pes.saturating_mul(row.makespan);
        Schedule {
            batsim_version: concat!("bookahead ", env!("CARGO_PKG_VERSION")).to_owned(),
            max_slowdown: self.slowest.map(Decimal),
            mean_slowdown: self.slowdowns.mean().map(Decimal),
            mean_turnaround_time: self.turnarounds.mean().map(Decimal),
            mean_waiting_time: self.waits.mean().map(Decimal),
            nb_computing_machines: pes,
            success_rate: (row.nb_jobs > 0)
                .then(|| Decimal(row.nb_jobs_success as f64 / row.nb_jobs as f64)),
            time_idle: whole.saturating_sub(row.time_computing.saturating_add(unavailable)),
            time_unavailable: unavailable,
            ..row
        }
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::files::{Bit, Metadata, PeRanges, Profile};

    fn job(id: u64, submitted: u64, run: Option<[u64; 2]>, pes: (u32, u32)) -> Job<'static> {
        let turnaround = run.map(|[_, finish]| finish - submitted);
        let time = run.map(|[start, finish]| finish - start);
        Job {
            job_id: id,
            workload_name: Cow::Borrowed("test"),
            profile: Profile::Reservation,
            submission_time: submitted,
            requested_number_of_resources: 1,
            requested_time: 1,
            success: Bit(run.is_some() && id != 3),
            final_state: Cow::Borrowed(if id == 3 {
                KILLED
            } else {
                "COMPLETED_SUCCESSFULLY"
            }),
            starting_time: run.map(|[start, _]| start),
            execution_time: time,
            finish_time: run.map(|[_, finish]| finish),
            waiting_time: run.map(|[start, _]| start - submitted),
            turnaround_time: turnaround,
            stretch: turnaround
                .zip(time)
                .map(|(turn, time)| Decimal(turn as f64 / time as f64)),
            allocated_resources: PeRanges(run.map(|_| pes).into_iter().collect()),
            consumed_energy: Cow::Borrowed("-1"),
            metadata: Metadata::default(),
            groups: None,
            site: None,
        }
    }

    #[test]
    fn jobs_are_summed_up_as_batsim_does() {
        let mut sums = Summing::default();
        sums.add(&job(1, 0, Some([10, 30]), (0, 1)));
        sums.add(&job(2, 5, None, (0, 0)));
        sums.add(&job(3, 20, Some([40, 50]), (0, 3)));
        sums.add_use(7);
        let row = sums.row(4, 3);
        let decimal = |number| Some(Decimal(number));
        let expected = Schedule {
            batsim_version: row.batsim_version.clone(),
            makespan: 50,
            max_slowdown: decimal(3.0),
            max_turnaround_time: Some(30),
            max_waiting_time: Some(20),
            mean_slowdown: decimal(2.25),
            mean_turnaround_time: decimal(30.0),
            mean_waiting_time: decimal(15.0),
            nb_computing_machines: 4,
            nb_jobs: 3,
            nb_jobs_finished: 2,
            nb_jobs_killed: 1,
            nb_jobs_rejected: 1,
            nb_jobs_success: 1,
            success_rate: decimal(1.0 / 3.0),
            time_computing: 40 + 40 + 7,
            time_idle: 200 - 87 - 3,
            time_unavailable: 3,
            ..Schedule::default()
        };
        assert_eq!(row, expected);
        assert_eq!(Summing::default().row(4, 0).mean_slowdown, None);
    }
}
