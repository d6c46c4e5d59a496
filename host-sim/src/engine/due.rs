//! Which deadlines were kept, and how the queued jobs that have none fared.

use super::{Outcome, Placed, distribution::rate, metrics::Deadlines};

/// What has a deadline, and what has none.
#[derive(Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Due {
    deadlines: usize,
    kept: usize,
    kept_pe_seconds: u64,
    undated: usize,
    undated_waiting: f64,
    undated_slowdowns: usize,
    undated_slowdown: f64,
    undated_bounded_slowdown: f64,
}

impl Due {
    /// What became of the next demand.
    pub(super) fn outcome(&mut self, outcome: &Outcome) {
        let Some(deadline) = outcome.demand.deadline() else {
            return;
        };
        self.deadlines += 1;
        if let Ok(placed) = &outcome.decision
            && placed.keeps(deadline)
        {
            self.kept += 1;
            for stretch in placed.used() {
                self.kept_pe_seconds = self.kept_pe_seconds.saturating_add(stretch.pe_seconds());
            }
        }
    }

    /// A job of the queue without a deadline has run.
    pub(super) fn undated(&mut self, placed: &Placed, arrival: u64) {
        self.undated += 1;
        self.undated_waiting += (placed.began - arrival) as f64;
        if let Some(slowdown) = placed.stretch(arrival) {
            self.undated_slowdowns += 1;
            self.undated_slowdown += slowdown;
        }
        self.undated_bounded_slowdown += placed.bounded_stretch(arrival);
    }

    /// The figures.
    pub(super) fn deadlines(&self) -> Deadlines {
        let undated = self.undated as f64;
        Deadlines {
            undated_waiting_time: rate(self.undated_waiting, undated),
            undated_slowdown: rate(self.undated_slowdown, self.undated_slowdowns as f64),
            undated_bounded_slowdown: rate(self.undated_bounded_slowdown, undated),
            deadlines_kept: self.kept,
            deadlines_missed: self.deadlines - self.kept,
            deadlines_kept_rate: rate(self.kept as f64, self.deadlines as f64),
            kept_pe_seconds: self.kept_pe_seconds,
        }
    }
}
