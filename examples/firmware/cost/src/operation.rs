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
    /// The same, of a call that takes so long that it is tried less often.
    FarSlot,
    /// Start and end.
    Window,
    /// Start and duration.
    StartAndDuration,
    /// The code of an order, duration, deadline, processing elements; 0 for what is not given.
    Query,
    /// Estimate, processing elements.
    Job,
    /// The number of a booking, and a slot or a duration, where any booking is as good as its neighbours.
    AnyBookingAndSlot,
    /// The number of a booking, and processing elements.
    BookingAndPes,
    /// The number of a booking, ready and deadline.
    BookingAndWindow,
    /// The number of the first of eight bookings, and one of three ways to move them.
    EightBookings,
    Nothing,
}

/// What a state has to have for an operation to have something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    /// Bookings that may be moved.
    Freedom,
    /// Jobs in the queue.
    Jobs,
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
    pub needs: Needs,
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
                needs: Needs::Nothing,
            });
        }
    }
    for (name, takes) in [
        ("commit", Takes::Request),
        ("confirm", Takes::Booking),
        ("cancel", Takes::Booking),
        ("complete", Takes::BookingAndSlot),
        ("advance", Takes::Slot),
        ("next", Takes::Nothing),
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
        ("explain", Takes::Request),
    ] {
        all.push(Operation {
            name: name.to_owned(),
            takes,
            akin: false,
            needs: Needs::Nothing,
        });
    }
    for (name, takes, needs) in [
        ("offers:strip-packing", Takes::Query, Needs::Nothing),
        ("offers:pareto-front", Takes::Query, Needs::Nothing),
        ("juggle", Takes::Request, Needs::Freedom),
        ("alternatives", Takes::Request, Needs::Freedom),
        ("submit", Takes::Job, Needs::Nothing),
        ("queue_advance", Takes::FarSlot, Needs::Jobs),
        ("alter:shift", Takes::AnyBookingAndSlot, Needs::Freedom),
        ("alter:extend", Takes::AnyBookingAndSlot, Needs::Freedom),
        ("alter:shorten", Takes::AnyBookingAndSlot, Needs::Freedom),
        ("alter:widen", Takes::BookingAndPes, Needs::Freedom),
        ("alter:narrow", Takes::BookingAndPes, Needs::Freedom),
        (
            "alter:change-window",
            Takes::BookingAndWindow,
            Needs::Freedom,
        ),
        ("split", Takes::AnyBookingAndSlot, Needs::Freedom),
        (
            "eight_moves:committed",
            Takes::EightBookings,
            Needs::Freedom,
        ),
        (
            "eight_moves:rolled-back",
            Takes::EightBookings,
            Needs::Freedom,
        ),
    ] {
        all.push(Operation {
            name: name.to_owned(),
            takes,
            akin: false,
            needs,
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
        let some_bookings = (0, rows - 1, rows / 8);
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
            // An offer takes long to find: fewer of everything, and one order.
            Self::Query => [
                (1, 1, 1),
                (0, slots, duration.max(slots / 8)),
                (slots, slots, 1),
                (0, pes, width.max(pes / 4)),
            ],
            Self::Job => [(1, slots, slots / 8), (1, pes, pes / 4), zero, zero],
            Self::FarSlot => [(0, slots, slots / 2), zero, zero, zero],
            Self::AnyBookingAndSlot => [some_bookings, (0, slots, slots / 8), zero, zero],
            Self::BookingAndPes => [some_bookings, (0, pes, pes / 8), zero, zero],
            Self::BookingAndWindow => [
                some_bookings,
                (0, slots, slots / 8),
                (slots / 2, slots, slots / 2),
                zero,
            ],
            Self::EightBookings => [some_bookings, (0, 2, 1), zero, zero],
            Self::Nothing => [zero; 4],
        })
    }

    /// Calls near `arguments`.
    pub fn near(self, arguments: Arguments, size: Size) -> Ranges {
        let Size { slots, pes, rows } = size;
        let bookings = (0, rows - 1, 1);
        let near = |at: u32, most: u32| (at.saturating_sub(1), (at + 1).min(most), 1);
        let [a, b, c, d] = arguments;
        let all = self.everywhere(size, Grid::COARSE).0;
        Ranges(match self {
            Self::Request => [(a, a, 1), near(b, slots), (c, c, 1), near(d, pes)],
            Self::Booking | Self::Nothing | Self::EightBookings => all,
            Self::Query => [(a, a, 1), near(b, slots), (c, c, 1), near(d, pes)],
            Self::Job => [near(a, slots), near(b, pes), all[2], all[3]],
            Self::FarSlot => [(a, a, 1), all[1], all[2], all[3]],
            Self::AnyBookingAndSlot => [bookings, near(b, slots), all[2], all[3]],
            Self::BookingAndPes => [bookings, near(b, pes), all[2], all[3]],
            Self::BookingAndWindow => [bookings, near(b, slots), near(c, slots), all[3]],
            Self::BookingAndSlot => [all[0], near(b, slots), all[2], all[3]],
            Self::Slot => [near(a, slots), all[1], all[2], all[3]],
            Self::Window | Self::StartAndDuration => {
                [near(a, slots), near(b, slots), all[2], all[3]]
            }
        })
    }
}
