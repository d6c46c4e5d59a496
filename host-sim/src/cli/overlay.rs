//! Options of several sites, and of reservations on top of others.

use clap::Args;

use super::values;
use crate::engine::{OnLate, Overlay, Redundancy, RiskLimit};

/// How many sites there are, and how much is risked.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Details of strategies")]
pub(super) struct OverlayOptions {
    /// fit, elastic, overlay: sites of --pes PEs each; a reservation goes where it is kept most probably, then where it is granted the longest time, then
    /// the most PEs, then where it starts first; another job where the least work is booked and queued
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::whole::<u16>(1..=u16::MAX.into()))]
    pub(super) sites: u16,
    /// --sites: book each reservation at as few sites as it takes for one of them to keep the promise with probability W, such as 0.95; or
    /// copies:N, at N sites. The first that starts on time is used, and the others are given back
    #[arg(long, value_name = "W", value_parser = str::parse::<Redundancy>)]
    pub(super) redundancy: Option<Redundancy>,
    /// overlay: how probable it has to be that a reservation on top of others gets what it was promised, as a number such as 0.8;
    /// or adaptive:X, which steers that number so that the share X of them is violated [default: 0.8]
    #[arg(long, value_name = "P", value_parser = str::parse::<RiskLimit>)]
    threshold: Option<RiskLimit>,
    /// overlay: what is done with a reservation that cannot start on time, since those below it have not ended: wait, so that it starts as
    /// soon as it can, for the rest of its time; compensate:X, the same, but its user pays nothing and is paid X times its price (1 where no X
    /// is given), with --price; or cancel, so that it leaves at once and costs nothing [default: wait]
    #[arg(long, value_name = "CHOICE", value_parser = str::parse::<OnLate>)]
    on_late: Option<OnLate>,
}

impl OverlayOptions {
    /// The strategy's settings, with first fit.
    pub(super) fn overlay(&self) -> Overlay {
        let default = Overlay::default();
        Overlay {
            threshold: self.threshold.unwrap_or(default.threshold),
            on_late: self.on_late.unwrap_or(default.on_late),
            ..default
        }
    }

    /// The first option that was given and that only this strategy has.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        values::first_given([
            ("--threshold", self.threshold.is_some()),
            ("--on-late", self.on_late.is_some()),
        ])
    }
}
