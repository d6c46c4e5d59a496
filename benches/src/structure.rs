//! What is measured, behind one interface.

use std::cell::Cell;

use bookahead::{Book, Handle, Policy, Request, Ring, Slot, Window};

use crate::{Booking, PaperList, kernel};

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

/// One of the kernel's books.
pub struct Kernel<'m, R>(pub Book<'m, R>);

impl<R: Ring> Structure for Kernel<'_, R> {
    type Known = (Request, Cell<Option<Handle>>);

    fn find(&mut self, request: &Request, policy: Policy) -> Option<Slot> {
        kernel::find(&mut self.0, request, policy)
    }

    fn know(&self, booking: &Booking) -> Self::Known {
        (kernel::exactly(booking), Cell::new(None))
    }

    fn add(&mut self, known: &Self::Known) {
        let booking = self.0.reserve(&known.0, Policy::FirstFit);
        known.1.set(booking.ok().map(|booking| booking.handle));
    }

    fn remove(&mut self, known: &Self::Known) {
        if let Some(handle) = known.1.take() {
            self.0.cancel(handle).expect("it lives");
        }
    }
}
