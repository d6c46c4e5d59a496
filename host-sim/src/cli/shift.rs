//! Options of shifting.

use bookahead::{Direction, Insertion, Shifting};
use clap::{Args, builder::TypedValueParser};

use super::values;
use crate::engine::Shift;

/// How accepted reservations are shifted aside.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Details of strategies")]
pub(super) struct ShiftOptions {
    /// shift: to which side reservations are shifted [default: both]
    #[arg(long, value_name = "SIDE", value_parser = directions())]
    direction: Option<Direction>,
    /// shift: how a place is sought for the newcomer [default: slides]
    #[arg(long, value_name = "NAME", value_parser = insertions())]
    insertion: Option<Insertion>,
    /// shift: how many reservations in a row may push one another, with --insertion slides [default: 2]
    #[arg(long, value_name = "N", value_parser = values::whole::<u8>(0..=Shifting::DEEPEST.into()))]
    depth: Option<u8>,
}

impl ShiftOptions {
    /// The strategy's settings, with first fit.
    pub(super) fn shift(&self) -> Shift {
        let default = Shift::default();
        let insertion = self.insertion.unwrap_or(default.insertion);
        Shift {
            direction: self.direction.unwrap_or(default.direction),
            insertion: match (insertion, self.depth) {
                (Insertion::Slides { .. }, Some(depth)) => Insertion::Slides { depth },
                _ => insertion,
            },
            ..default
        }
    }

    /// Whether a depth is given to a search that has none.
    pub(super) fn is_depth_idle(&self) -> bool {
        let exact = [Some(Insertion::FewestMoves), Some(Insertion::LeastShift)];
        self.depth.is_some() && exact.contains(&self.insertion)
    }

    /// The first option that was given.
    pub(super) fn first_given(&self) -> Option<&'static str> {
        values::first_given([
            ("--direction", self.direction.is_some()),
            ("--insertion", self.insertion.is_some()),
            ("--depth", self.depth.is_some()),
        ])
    }
}

fn directions() -> impl TypedValueParser<Value = Direction> {
    let meaning = |direction| match direction {
        Direction::Right => "later only: FCFS-EDS",
        Direction::Both => "later, and earlier where that fails: FCFS-LRH",
    };
    values::each(
        [Direction::Right, Direction::Both],
        Direction::name,
        meaning,
    )
}

fn insertions() -> impl TypedValueParser<Value = Insertion> {
    let meaning = |insertion| match insertion {
        Insertion::Slides { .. } => "slot by slot, the widest reservation that is in the way first",
        Insertion::FewestMoves => "in all arrangements: the one that moves the fewest reservations",
        Insertion::LeastShift => "in all arrangements: the one that shifts by the fewest slots",
    };
    let slides = Shifting::LRH.insertion;
    values::each(
        [slides, Insertion::FewestMoves, Insertion::LeastShift],
        Insertion::name,
        meaning,
    )
}
