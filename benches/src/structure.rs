//! What is measured, behind one interface.

use bookahead::{Policy, Request, Slot, Window};

use crate::{Booking, PaperList};

/// A structure that finds starts and holds bookings.
pub trait Structure {
    /// A booking in the structure's own terms, made before the clock runs.
    type Known;

    /// The start that `policy` chooses.
    fn find(&mut self, request: &Request, policy: Policy) -> Option<Slot>;
    /// Puts a booking into the structure's own terms.
    fn know(&self, booking: &Booking) -> Self::Known;
    /// Writes a booking whose place is known, with all summaries, without a ledger.
    fn add(&mut self, known: &Self::Known);
    /// Takes it out again.
    fn remove(&mut self, known: &Self::Known);
}

/// The paper's structure over a ring.
#[derive(Clone, Debug)]
pub struct Paper {
    /// From now to the horizon.
    pub ring: Window,
    /// The structure.
    pub list: PaperList,
}

impl Structure for Paper {
    type Known = Booking;

    fn find(&mut self, request: &Request, policy: Policy) -> Option<Slot> {
        let found = self.list.find_allocation(self.ring, request, policy)?;
        Some(found.start)
    }

    fn know(&self, booking: &Booking) -> Booking {
        booking.clone()
    }

    fn add(&mut self, known: &Booking) {
        self.list.add_allocation(known.window, &known.pes);
    }

    fn remove(&mut self, known: &Booking) {
        self.list.delete_allocation(known.window, &known.pes);
    }
}
