//! What is measured, behind one interface.

use bookahead::{
    PeCount, Policy, Request, Slot, Window,
    raw::{CountRing, PeRing, Ring},
};
use bookahead_heap::HostColumn;
use bookahead_oracle::papers::li::list::PaperList;

use crate::Booking;
use crate::kernel::columns_of;

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

    /// Writes all of `bookings`.
    fn fill(&mut self, bookings: &[&Booking]) {
        for booking in bookings {
            let known = self.know(booking);
            self.add(&known);
        }
    }
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

/// The kernel's ring that knows which PEs are busy.
pub struct Early<'m>(pub PeRing<'m, HostColumn>);

impl Structure for Early<'_> {
    type Known = (Window, [HostColumn; 2]);

    fn find(&mut self, request: &Request, policy: Policy) -> Option<Slot> {
        bookahead::raw::find(&mut self.0, request, policy).ok()
    }

    fn know(&self, booking: &Booking) -> Self::Known {
        (booking.window, columns_of(&booking.pes))
    }

    fn add(&mut self, (window, pes): &Self::Known) {
        Ring::add(&mut self.0, *window, pes).expect("the ring covers it");
    }

    fn remove(&mut self, (window, pes): &Self::Known) {
        Ring::remove(&mut self.0, *window, pes).expect("the ring covers it");
    }
}

/// The kernel's ring that knows how many PEs are busy.
pub struct Late<'m>(pub CountRing<'m>);

impl Structure for Late<'_> {
    type Known = (Window, PeCount);

    fn find(&mut self, request: &Request, policy: Policy) -> Option<Slot> {
        bookahead::raw::find(&mut self.0, request, policy).ok()
    }

    fn know(&self, booking: &Booking) -> Self::Known {
        (
            booking.window,
            PeCount::new((booking.pes.len() as u16).into()),
        )
    }

    fn add(&mut self, (window, pes): &Self::Known) {
        Ring::add(&mut self.0, *window, pes).expect("the ring covers it");
    }

    fn remove(&mut self, (window, pes): &Self::Known) {
        Ring::remove(&mut self.0, *window, pes).expect("the ring covers it");
    }
}
