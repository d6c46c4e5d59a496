//! Whether every promise of a run was kept, by the files it writes.

use crate::{
    check,
    engine::{Outcome, System},
    error::{Error, Result},
    output::{self, RunInfo},
    text_file::io_error,
};

/// What an audit found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Audit {
    /// Runs looked at.
    pub(super) runs: usize,
    /// What was wrong in them.
    pub(super) violations: usize,
    /// The first of it in words; empty when there is nothing.
    pub(super) first: String,
}

impl Audit {
    /// Both together.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.runs += other.runs;
        self.violations += other.violations;
        if self.first.is_empty() {
            self.first = other.first;
        }
        self
    }

    /// An error for a promise that was broken: nothing that such runs show is worth reading.
    pub(super) fn kept(&self) -> Result<()> {
        let Self {
            runs,
            violations,
            first,
        } = self;
        if *violations == 0 {
            return Ok(());
        }
        Err(Error::Violated(format!(
            "{violations} violations in {runs} runs, the first: {first}"
        )))
    }
}

/// Writes the files of a run, checks them without the kernel, and drops them.
pub(super) fn audit(system: &System, outcomes: &[Outcome]) -> Result<Audit> {
    let dir = tempfile::tempdir().map_err(|error| io_error(&std::env::temp_dir(), error))?;
    let info = RunInfo {
        system: *system,
        workload: "audit".to_owned(),
        seed: 0,
    };
    output::write_run(dir.path(), &info, outcomes)?;
    let mut found = Audit {
        runs: 1,
        ..Audit::default()
    };
    for run in check::folder(dir.path())? {
        found.violations += run.violations.len();
        if let Some(first) = run.violations.first().filter(|_| found.first.is_empty()) {
            found.first = first.to_string();
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::audit;
    use crate::{
        experiment::sulistio::{
            points::{BUSY_NODES, MAIN, NODES},
            runs::Order,
            strategies::{OSP_BF, systems},
            workload::Workload,
        },
        request::Demand,
    };

    #[test]
    fn sound_runs_pass_and_a_job_in_the_way_of_a_reservation_is_noticed() {
        let workload = Workload::synthetic(1).unwrap().first(60);
        let order = Order {
            workload: &workload,
            reading: MAIN,
            replications: 1,
            seed: 1,
        };
        let system = systems().unwrap()[OSP_BF];
        let mut outcomes = order.outcomes(BUSY_NODES, 0, OSP_BF).unwrap();
        let sound = audit(&system, &outcomes).unwrap();
        assert_eq!((sound.runs, sound.violations), (1, 0), "{}", sound.first);
        assert!(sound.kept().is_ok());
        let last = outcomes.iter().rev().find_map(|outcome| outcome.accepted());
        let (start, first) = last
            .map(|(_, placed)| (placed.start, placed.pes[0].0))
            .unwrap();
        let best_effort = outcomes
            .iter_mut()
            .filter(|outcome| matches!(outcome.demand, Demand::BestEffort(_)))
            .find_map(|outcome| outcome.fate.as_mut().ok())
            .unwrap();
        let (length, width) = (
            best_effort.end - best_effort.start,
            best_effort.width() as u16,
        );
        (best_effort.start, best_effort.end) = (start, start + length);
        best_effort.began = start;
        let from = first.min(NODES - width);
        best_effort.pes = vec![(from, from + width - 1)];
        let broken = audit(&system, &outcomes).unwrap();
        assert!(broken.violations > 0, "nothing was noticed");
        assert!(broken.first.contains("uses PE"), "{}", broken.first);
        assert_eq!(broken.kept().unwrap_err().exit_status(), 1);
    }

    #[test]
    fn a_start_later_than_promised_is_noticed() {
        let workload = Workload::synthetic(1).unwrap().first(60);
        let order = Order {
            workload: &workload,
            reading: MAIN,
            replications: 1,
            seed: 1,
        };
        let mut outcomes = order.outcomes(BUSY_NODES, 0, OSP_BF).unwrap();
        // The last of all, so that it is in nobody's way and only the promise is broken.
        let late = outcomes
            .iter_mut()
            .filter(|outcome| outcome.accepted().is_some())
            .filter_map(|outcome| outcome.fate.as_mut().ok())
            .max_by_key(|placed| placed.end)
            .unwrap();
        late.began += 300;
        let broken = audit(&systems().unwrap()[OSP_BF], &outcomes).unwrap();
        assert!(broken.violations > 0, "nothing was noticed");
        assert!(broken.first.contains("promised"), "{}", broken.first);
    }
}
