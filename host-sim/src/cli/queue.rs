//! The option that chooses a queue.

use bookahead::Discipline;
use clap::{Args, builder::TypedValueParser};

use super::values;

/// Whether there is a queue, and which.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct QueueOption {
    /// How jobs that do not reserve are queued
    #[arg(long = "queue", alias = "best-effort", value_name = "NAME", value_parser = disciplines())]
    pub(super) discipline: Option<Discipline>,
}

fn disciplines() -> impl TypedValueParser<Value = Discipline> {
    let meaning = |discipline| match discipline {
        Discipline::Fcfs => "first come, first served: nobody passes the first",
        Discipline::Easy => "backfilling: a job passes others when that does not delay the first",
    };
    values::one_of(
        Discipline::ALL
            .map(|one| values::named(one.name(), meaning(one), one))
            .to_vec(),
    )
}
