//! Runs requests through the kernel, first come first decided, and follows every accepted job to its end.

mod control;
mod drive;
pub mod memory;
pub mod metrics;
pub mod outcome;

use bookahead::{Policy, SlotClock};

pub use outcome::{Outcome, Reserved};

use crate::{
    error::{Error, Result},
    request::JobRequest,
};
use control::ControlledDesk;
use drive::{PlainDesk, drive};
use memory::{CountMemory, PeMemory, Size};

/// When processing elements are assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Binding {
    /// When the reservation is made.
    Early,
    /// When the job starts.
    Late,
    /// When the job starts, but among the candidate starts that early binding would look at: every start and end of a booking,
    /// whether the count changes there or not. It tells the effect of binding from that of having other candidates.
    LateControl,
}

impl Binding {
    /// The name in commands and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Early => "early",
            Self::Late => "late",
            Self::LateControl => "late-control",
        }
    }
}

/// The system that is simulated.
#[derive(Clone, Copy, Debug)]
pub struct System {
    /// Processing elements.
    pub pes: u16,
    /// Slots of the ring.
    pub slots: u32,
    /// Seconds per slot.
    pub slot_seconds: u32,
    /// How a start is chosen.
    pub policy: Policy,
    /// When processing elements are assigned.
    pub binding: Binding,
}

impl System {
    /// The memory its book takes for these requests.
    #[must_use]
    pub fn bytes(&self, requests: &[JobRequest]) -> usize {
        self.size(requests).bytes(self.binding)
    }

    fn size(&self, requests: &[JobRequest]) -> Size {
        Size {
            pes: self.pes,
            slots: self.slots,
            rows: most_alive(requests),
        }
    }
}

/// Decides every request and follows the accepted ones to their ends. `tick` is called once per request.
///
/// # Errors
///
/// [`Error::Usage`] for a system of no size; [`Error::Internal`] when the kernel breaks its word, which is a defect.
pub fn run(system: &System, requests: &[JobRequest], tick: &dyn Fn()) -> Result<Vec<Outcome>> {
    let size = system.size(requests);
    let no_size = || Error::Usage("--pes, --slots and --slot-seconds must not be 0".to_owned());
    let clock = SlotClock::new(system.slot_seconds, 0).ok_or_else(no_size)?;
    let desk = PlainDesk {
        policy: system.policy,
    };
    match system.binding {
        Binding::Early => {
            let mut memory = PeMemory::new(size);
            let book = memory.format().ok_or_else(no_size)?;
            drive(book, desk, clock, requests, tick)
        }
        Binding::Late => {
            let mut memory = CountMemory::new(size);
            let book = memory.format().ok_or_else(no_size)?;
            drive(book, desk, clock, requests, tick)
        }
        Binding::LateControl => {
            let mut memory = CountMemory::new(size);
            let book = memory.format().ok_or_else(no_size)?;
            drive(
                book,
                ControlledDesk::new(system.policy),
                clock,
                requests,
                tick,
            )
        }
    }
}

/// How many reservations can live at a time at most: at each arrival, those so far whose deadline is still to come.
fn most_alive(requests: &[JobRequest]) -> usize {
    let mut deadlines = std::collections::BinaryHeap::new();
    let mut most = 1;
    for request in requests {
        while let Some(&std::cmp::Reverse(earliest)) = deadlines.peek()
            && earliest < request.arrival
        {
            deadlines.pop();
        }
        deadlines.push(std::cmp::Reverse(request.deadline));
        most = most.max(deadlines.len());
    }
    most
}
