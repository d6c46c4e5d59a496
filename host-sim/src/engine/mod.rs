//! Runs demands through the kernel, first come first decided, and follows every accepted job to its end.

mod control;
mod desk;
mod drive;
pub mod memory;
pub mod metrics;
pub mod outcome;
mod strategy;

use bookahead::{Ring, SlotClock};

pub use outcome::{Outcome, Placed};
pub use strategy::Strategy;

use crate::{
    error::{Error, Result},
    request::Demand,
};
use control::ControlledDesk;
use desk::{Desk, FitDesk, RigidDesk};
use drive::drive;
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
    /// How a request becomes a reservation.
    pub strategy: Strategy,
    /// When processing elements are assigned.
    pub binding: Binding,
}

impl System {
    /// The memory its book takes for these demands.
    #[must_use]
    pub fn bytes(&self, demands: &[Demand]) -> usize {
        self.size(demands).bytes(self.binding)
    }

    fn size(&self, demands: &[Demand]) -> Size {
        Size {
            pes: self.pes,
            slots: self.slots,
            rows: most_alive(demands),
        }
    }
}

/// Decides every demand and follows the accepted ones to their ends. `tick` is called once per demand.
///
/// # Errors
///
/// [`Error::Usage`] for a system of no size, for a strategy that does not go with the binding, and for a best-effort job without a queue;
/// [`Error::Internal`] when the kernel breaks its word, which is a defect.
pub fn run(system: &System, demands: &[Demand], tick: &dyn Fn()) -> Result<Vec<Outcome>> {
    let size = system.size(demands);
    let no_size = || Error::Usage("--pes, --slots and --slot-seconds must not be 0".to_owned());
    let clock = SlotClock::new(system.slot_seconds, 0).ok_or_else(no_size)?;
    match system.binding {
        Binding::Early => {
            let mut memory = PeMemory::new(size);
            let book = memory.format().ok_or_else(no_size)?;
            drive(book, desk(system)?, clock, demands, tick)
        }
        Binding::Late | Binding::LateControl => {
            let mut memory = CountMemory::new(size);
            let book = memory.format().ok_or_else(no_size)?;
            drive(book, desk(system)?, clock, demands, tick)
        }
    }
}

fn desk<R: Ring>(system: &System) -> Result<Box<dyn Desk<R>>> {
    Ok(match (system.strategy, system.binding) {
        (Strategy::Fit(policy), Binding::LateControl) => Box::new(ControlledDesk::new(policy)),
        (strategy, Binding::LateControl) => {
            let name = strategy.name();
            return Err(Error::Usage(format!(
                "{name} looks at no candidate starts, so there is no late-control binding for it"
            )));
        }
        (Strategy::Fit(policy), _) => Box::new(FitDesk { policy }),
        (Strategy::Rigid, _) => Box::new(RigidDesk),
    })
}

/// How many reservations can live at a time at most: at each arrival, those so far whose deadline is still to come.
fn most_alive(demands: &[Demand]) -> usize {
    let mut deadlines = std::collections::BinaryHeap::new();
    let mut most = 1;
    for demand in demands {
        let Demand::Reserve(request) = demand else {
            continue;
        };
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
