//! Options of juggling.

use bookahead::{Admission, AfterFailure};
use clap::{Args, builder::TypedValueParser};

use super::values;
use crate::engine::{Juggle, Order};

/// How accepted reservations are arranged anew.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Details of strategies")]
pub(super) struct JuggleOptions {
    /// juggle: in which order reservations are placed [default: edf]
    #[arg(long, value_name = "ORDER", value_parser = orders())]
    order: Option<Order>,
    /// juggle: whether a newcomer that fits as things are moves others [default: plain-first]
    #[arg(long, value_name = "NAME", value_parser = admissions())]
    admission: Option<Admission>,
    /// juggle: what happens when a newcomer is in the way of a reservation that was accepted before [default: retry]
    #[arg(long, value_name = "NAME", value_parser = failures())]
    after_failure: Option<AfterFailure>,
    /// juggle: suggest an earlier window to a flexible request for which there is no room, earlier by at most this percentage of its
    /// duration; its user agrees
    #[arg(long, value_name = "PCT", value_parser = values::whole::<u32>(1..=1_000_000))]
    suggest_max: Option<u32>,
    /// juggle: move reservations also when a job ends early or is cancelled; where a limit stops that, they stay where they are
    #[arg(long)]
    replan: bool,
}

impl JuggleOptions {
    /// The strategy's settings; a shuffle has this seed.
    pub(super) fn juggle(&self, seed: u64) -> Juggle {
        let default = Juggle::default();
        let order = match self.order {
            Some(Order::Shuffle { .. }) => Order::Shuffle { seed },
            order => order.unwrap_or(default.order),
        };
        Juggle {
            order,
            admission: self.admission.unwrap_or(default.admission),
            after_failure: self.after_failure.unwrap_or(default.after_failure),
            suggest_max: self.suggest_max,
            replan: self.replan,
        }
    }

    /// The first option that was given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        values::first_given([
            ("--order", self.order.is_some()),
            ("--admission", self.admission.is_some()),
            ("--after-failure", self.after_failure.is_some()),
            ("--suggest-max", self.suggest_max.is_some()),
            ("--replan", self.replan),
        ])
    }
}

fn orders() -> impl TypedValueParser<Value = Order> {
    let meaning = |order| match order {
        Order::EarliestDeadline => "the earliest deadline first",
        Order::LeastFlexible => "what can be moved the least first",
        Order::BiggestFirst => "the largest duration x PEs first",
        Order::Fifo => "in order of acceptance, so that nothing moves",
        Order::Shuffle { .. } => "in an order that --seed decides",
        Order::Revenue => "what costs most first, with --price",
    };
    values::each(Order::all(0), Order::name, meaning)
}

fn admissions() -> impl TypedValueParser<Value = Admission> {
    let meaning = |admission| match admission {
        Admission::PlainFirst => "no: others move only when it does not fit",
        Admission::Always => "yes: all that come after it in the order are placed anew",
    };
    values::each(
        [Admission::PlainFirst, Admission::Always],
        Admission::name,
        meaning,
    )
}

fn failures() -> impl TypedValueParser<Value = AfterFailure> {
    let meaning = |failure| match failure {
        AfterFailure::Retry => "it is tried behind that one",
        AfterFailure::Refuse => "it is refused",
    };
    values::each(
        [AfterFailure::Retry, AfterFailure::Refuse],
        AfterFailure::name,
        meaning,
    )
}
