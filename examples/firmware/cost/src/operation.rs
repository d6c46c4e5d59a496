//! The operations that are measured, and the calls of them that are tried.

use crate::{
    adversary::Size,
    meter::{Arguments, Ranges},
};

/// What an operation takes. The meter says what the numbers mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Ready, duration, deadline, processing elements.
    Request,
    /// The number of a booking.
    Booking,
    /// The number of a booking, and a slot.
    BookingAndSlot,
    /// A slot.
    Slot,
    /// Start and end.
    Window,
    /// Start and duration.
    StartAndDuration,
    Nothing,
}

/// How many durations, and how many numbers of processing elements, are tried.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    pub durations: u32,
    pub widths: u32,
}

impl Grid {
    /// All there are.
    pub const FULL: Self = Self {
        durations: u32::MAX,
        widths: u32::MAX,
    };
    /// Many.
    pub const FINE: Self = Self {
        durations: 128,
        widths: 16,
    };
    /// A quick look.
    pub const GLANCE: Self = Self {
        durations: 8,
        widths: 3,
    };
    /// A first look.
    pub const COARSE: Self = Self {
        durations: 32,
        widths: 8,
    };
}

/// An operation by the meter's name for it.
#[derive(Clone, Debug)]
pub struct Operation {
    pub name: String,
    pub takes: Takes,
    /// Whether others have nearly the same worst states, so that there is no need to try all the adversaries on this one.
    pub akin: bool,
}

const POLICIES: [&str; 7] = [
    "first-fit",
    "pe-best-fit",
    "pe-worst-fit",
    "duration-best-fit",
    "duration-worst-fit",
    "pe-duration-best-fit",
    "pe-duration-worst-fit",
];

/// All of them, in the order of the table.
pub fn all() -> Vec<Operation> {
    let mut all = Vec::new();
    for verb in ["plan", "reserve", "hold"] {
        for policy in POLICIES {
            // A hold is a reservation, and that a plan and its commit.
            let akin = verb == "hold" || (verb == "reserve" && policy != "first-fit");
            all.push(Operation {
                name: format!("{verb}:{policy}"),
                takes: Takes::Request,
                akin,
            });
        }
    }
    for (name, takes) in [
        ("commit", Takes::Request),
        ("confirm", Takes::Booking),
        ("cancel", Takes::Booking),
        ("complete", Takes::BookingAndSlot),
        ("advance", Takes::Slot),
        ("next_event", Takes::Nothing),
        ("get", Takes::Booking),
        ("pes_of", Takes::Booking),
        ("iter", Takes::Nothing),
        ("starting_at", Takes::Slot),
        ("records", Takes::Nothing),
        ("candidate_starts", Takes::Request),
        ("free_during", Takes::Window),
        ("rectangle", Takes::StartAndDuration),
        ("check_invariants", Takes::Nothing),
    ] {
        all.push(Operation {
            name: name.to_owned(),
            takes,
            akin: false,
        });
    }
    all
}

impl Takes {
    /// Calls from all over.
    pub fn everywhere(self, size: Size, grid: Grid) -> Ranges {
        let Size { slots, pes, rows } = size;
        let duration = (slots / grid.durations).max(1);
        let width = (pes / grid.widths).max(1);
        let zero = (0, 0, 1);
        let bookings = (0, rows - 1, 1);
        Ranges(match self {
            // The longest window there is.
            Self::Request => [
                zero,
                (1, slots, duration),
                (slots, slots, 1),
                (1, pes, width),
            ],
            Self::Booking => [bookings, zero, zero, zero],
            Self::BookingAndSlot => [bookings, (0, slots, slots / 8), zero, zero],
            Self::Slot => [(0, slots, duration), zero, zero, zero],
            Self::Window => [(0, slots, slots / 8), (1, slots, duration), zero, zero],
            Self::StartAndDuration => [(0, slots, slots / 8), (1, slots, duration), zero, zero],
            Self::Nothing => [zero; 4],
        })
    }

    /// Calls near `arguments`.
    pub fn near(self, arguments: Arguments, size: Size) -> Ranges {
        let Size { slots, pes, .. } = size;
        let near = |at: u32, most: u32| (at.saturating_sub(1), (at + 1).min(most), 1);
        let [a, b, c, d] = arguments;
        let all = self.everywhere(size, Grid::COARSE).0;
        Ranges(match self {
            Self::Request => [(a, a, 1), near(b, slots), (c, c, 1), near(d, pes)],
            Self::Booking | Self::Nothing => all,
            Self::BookingAndSlot => [all[0], near(b, slots), all[2], all[3]],
            Self::Slot => [near(a, slots), all[1], all[2], all[3]],
            Self::Window | Self::StartAndDuration => {
                [near(a, slots), near(b, slots), all[2], all[3]]
            }
        })
    }
}
