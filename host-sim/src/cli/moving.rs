//! Options of every strategy that moves reservations.

use clap::Args;

use super::values;
use crate::engine::{Freeze, Moving, Shift};

/// Until when and how many reservations may be moved.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Details of strategies")]
pub(super) struct MovingOptions {
    /// juggle, shift: when the start of a flexible reservation becomes fixed: never, acceptance, share:X (when that share of
    /// its wait has passed) or lead:S (so many seconds before it) [default: never]
    #[arg(long, value_name = "WHEN", value_parser = str::parse::<Freeze>)]
    freeze: Option<Freeze>,
    /// juggle, shift: reservations that may move for one newcomer, at most
    #[arg(long, value_name = "N", value_parser = values::whole::<u32>(0..=u32::MAX.into()))]
    move_limit: Option<u32>,
    /// juggle, shift: slots that a search for one newcomer may write and read, at most [default: 1000000 where
    /// something is shifted, so that a refusal stays cheap; else none]
    #[arg(long, value_name = "N", value_parser = values::whole::<u64>(0..=u64::MAX))]
    work_limit: Option<u64>,
    /// fit, juggle, shift: where a job ends early or something is given back, let flexible reservations start earlier, none of them later
    #[arg(long)]
    pub(super) pull_forward: bool,
}

impl MovingOptions {
    /// The settings of a strategy that shifts, or of one that does not.
    pub(super) fn moving(&self, shifts: bool) -> Moving {
        Moving {
            freeze: self.freeze.unwrap_or(Moving::FREELY.freeze),
            move_limit: self.move_limit,
            work_limit: self.work_limit.or(shifts.then_some(Shift::WORK)),
        }
    }

    /// The first option that was given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        values::first_given([
            ("--freeze", self.freeze.is_some()),
            ("--move-limit", self.move_limit.is_some()),
            ("--work-limit", self.work_limit.is_some()),
        ])
    }
}
