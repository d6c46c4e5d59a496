//! A booking desk for a lab with four microscopes.
//!
//! Each microscope is a processing element, each slot half an hour, and slot 0 begins at 08:00. Microscopes are assigned when a
//! booking is made, since people want to know where they will sit; that is what a [`PeBook`] does. The desk keeps
//! the names, the book keeps the promises.
//!
//! `cargo run -p bookahead-examples --bin lab_booking`

use std::{collections::HashMap, error::Error, fmt::Display};

use bookahead::{
    Book, Booking, Commitment, Event, EventKind, Handle, PeBook, PeCount, Policy, Refusal, Request,
    Slot, SlotClock, Span, raw::PeRing,
};

const MICROSCOPES: u16 = 4;
const HALF_HOUR: u32 = 30 * 60;
const OPENING: u64 = time(8, 0);
const CLOSING: u64 = time(18, 0);
const SLOTS: u32 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", a_day()?);
    Ok(())
}

/// What the desk writes on a day on which most things happen that can happen.
fn a_day() -> Result<String, Box<dyn Error>> {
    // One block of 64 slots, one column of 32 PEs, 16 reservations: all the memory the book will ever use.
    let mut memory =
        PeBook::<u32, 1, 1, 16>::new(PeCount::new(MICROSCOPES.into()), Span::new(SLOTS))?;
    let mut desk = Desk::new(memory.view())?;

    let ada = desk.book("Ada", &desk.wish(2, 110, time(8, 0), time(14, 0))?)?;
    desk.book("Ben", &desk.wish(4, 90, time(9, 15), CLOSING)?)?;
    // A refusal is an answer, with a reason that has a name.
    let refused = desk.book("Fay", &desk.wish(5, 60, OPENING, CLOSING)?);
    assert_eq!(refused, Err(Refusal::TooWide.into()));
    // A hold takes room at once, and gives it up unless it is confirmed in time.
    let cem = desk.hold("Cem", &desk.wish(3, 120, time(12, 0), CLOSING)?, 60)?;
    desk.hold("Dora", &desk.wish(2, 120, time(12, 0), CLOSING)?, 60)?;

    desk.walk_to(time(8, 30))?;
    desk.confirm("Cem", cem)?;

    // Ada leaves an hour early. What is left of her booking goes to Eve, for whom there was no room before.
    desk.walk_to(time(9, 0))?;
    let eve = desk.wish(3, 30, time(9, 0), time(10, 0))?;
    assert_eq!(desk.book("Eve", &eve), Err(Refusal::NoRoom.into()));
    desk.leave("Ada", ada)?;
    desk.book("Eve", &eve)?;

    desk.walk_to(CLOSING)?;
    Ok(desk.log + &timeline(&desk.seats))
}

/// The desk: a book, and what only people care about.
struct Desk<'m> {
    book: Book<'m, PeRing<'m, u32>>,
    clock: SlotClock,
    names: HashMap<Handle, &'static str>,
    /// Who sat at each microscope, slot by slot.
    seats: [String; MICROSCOPES as usize],
    log: String,
}

impl<'m> Desk<'m> {
    fn new(book: Book<'m, PeRing<'m, u32>>) -> Result<Self, &'static str> {
        Ok(Self {
            book,
            clock: SlotClock::new(HALF_HOUR, OPENING).ok_or("slots need a length")?,
            names: HashMap::new(),
            seats: Default::default(),
            log: String::new(),
        })
    }

    /// Times of day become slots here and nowhere else; the clock's methods say which way they round.
    fn wish(
        &self,
        microscopes: u16,
        minutes: u64,
        from: u64,
        until: u64,
    ) -> Result<Request, &'static str> {
        let request = || {
            Some(Request {
                ready: self.clock.slot_rounding_up(from)?,
                duration: self.clock.span_rounding_up(minutes * 60)?,
                deadline: self.clock.slot_rounding_down(until)?,
                pes: PeCount::new(microscopes.into()),
            })
        };
        request().ok_or("a time before opening")
    }

    fn book(&mut self, name: &'static str, wish: &Request) -> Result<Handle, bookahead::Error> {
        // First fit, the earliest start, is what people at a counter expect.
        let booking = self
            .book
            .reserve(wish, Policy::FirstFit, Commitment::Confirmed);
        self.enter(name, "booked", booking)
    }

    fn hold(
        &mut self,
        name: &'static str,
        wish: &Request,
        minutes: u64,
    ) -> Result<Handle, Box<dyn Error>> {
        let ttl = self.clock.span_rounding_up(minutes * 60);
        let booking = self.book.reserve(
            wish,
            Policy::FirstFit,
            Commitment::Held {
                ttl: ttl.ok_or("too long a hold")?,
            },
        );
        Ok(self.enter(name, "held", booking)?)
    }

    fn confirm(&mut self, name: &str, handle: Handle) -> Result<(), bookahead::Error> {
        self.book.confirm(handle)?;
        self.note(name, "confirmed");
        Ok(())
    }

    /// `name` leaves now, and the rest of the booking is free.
    fn leave(&mut self, name: &str, handle: Handle) -> Result<(), bookahead::Error> {
        self.book.complete(handle, self.book.now())?;
        self.note(name, "left early");
        Ok(())
    }

    fn enter(
        &mut self,
        name: &'static str,
        what: &str,
        booking: Result<Booking, bookahead::Error>,
    ) -> Result<Handle, bookahead::Error> {
        let handle = match booking {
            Ok(booking) => booking.handle,
            Err(error) => {
                self.note(name, error);
                return Err(error);
            }
        };
        let window = self.book.get(handle)?.window;
        let numbers: Vec<_> = self.book.pes_of(handle)?.map(|pe| pe.get()).collect();
        let (from, until) = (self.hour(window.start), self.hour(window.end));
        self.note(name, format!("{what} {from}-{until} at {numbers:?}"));
        self.names.insert(handle, name);
        Ok(handle)
    }

    /// Lets time pass. Only the desk knows what time it is; the book is told.
    fn walk_to(&mut self, time: u64) -> Result<(), Box<dyn Error>> {
        let to = self.clock.slot_rounding_down(time);
        while Some(self.book.now()) < to {
            // An advance to `now` itself starts what was booked for `now` a moment ago.
            self.pass_to(self.book.now())?;
            self.seat();
            self.pass_to(Slot::new(self.book.now().get() + 1))?;
        }
        Ok(())
    }

    fn pass_to(&mut self, to: Slot) -> Result<(), bookahead::Error> {
        // Room for two events for each reservation, which is all that one slot can bring.
        let mut events = heapless::Vec::<Event, 32>::new();
        let _ = self.book.advance(to, &mut events)?;
        for event in events {
            let name = self.names.get(&event.handle).copied().unwrap_or("?");
            match event.kind {
                EventKind::Started => self.note(name, "starts"),
                // Here nobody overstays: the end that was booked is the end.
                EventKind::EndReached => self.note(name, "ends"),
                EventKind::Expired => self.note(name, "never confirmed, given up"),
                other => self.note(name, format!("{other:?}")),
            }
        }
        Ok(())
    }

    /// Writes down who sits where in this slot.
    fn seat(&mut self) {
        let mut initials = ['.'; MICROSCOPES as usize];
        for (handle, reservation) in self.book.iter() {
            if !reservation.window.contains(self.book.now()) {
                continue;
            }
            let initial = self.names.get(&handle).and_then(|name| name.chars().next());
            for pe in self.book.pes_of(handle).into_iter().flatten() {
                initials[usize::from(pe.get())] = initial.unwrap_or('?');
            }
        }
        for (seat, initial) in self.seats.iter_mut().zip(initials) {
            seat.push(initial);
        }
    }

    fn note(&mut self, name: &str, what: impl Display) {
        let now = self.hour(self.book.now());
        self.log += &format!("{now}  {name:<5} {what}\n");
    }

    fn hour(&self, slot: Slot) -> String {
        let minutes = self.clock.seconds(slot).unwrap_or_default() / 60;
        format!("{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

/// One line for each microscope, two letters for each hour.
fn timeline(seats: &[String]) -> String {
    let hours: Vec<_> = (OPENING / 3600..CLOSING / 3600)
        .map(|hour| format!("{hour:02}"))
        .collect();
    let mut lines = format!("\n   {}\n", hours.join(" "));
    for (number, seat) in seats.iter().enumerate() {
        let slots: Vec<_> = seat.chars().collect();
        let hours: Vec<String> = slots.chunks(2).map(|hour| hour.iter().collect()).collect();
        lines += &format!("{number}  {}\n", hours.join(" "));
    }
    lines
}

/// Seconds since midnight.
const fn time(hours: u64, minutes: u64) -> u64 {
    (hours * 60 + minutes) * 60
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_goes_as_told() {
        let expected = "\
08:00  Ada   booked 08:00-10:00 at [0, 1]
08:00  Ben   booked 10:00-11:30 at [0, 1, 2, 3]
08:00  Fay   refused: too-wide
08:00  Cem   held 12:00-14:00 at [0, 1, 2]
08:00  Dora  held 14:00-16:00 at [0, 1]
08:00  Ada   starts
08:30  Cem   confirmed
09:00  Dora  never confirmed, given up
09:00  Eve   refused: no-room
09:00  Ada   left early
09:00  Eve   booked 09:00-09:30 at [0, 1, 2]
09:00  Eve   starts
09:30  Eve   ends
10:00  Ben   starts
11:30  Ben   ends
12:00  Cem   starts
14:00  Cem   ends

\x20  08 09 10 11 12 13 14 15 16 17
0  AA E. BB B. CC CC .. .. .. ..
1  AA E. BB B. CC CC .. .. .. ..
2  .. E. BB B. CC CC .. .. .. ..
3  .. .. BB B. .. .. .. .. .. ..
";
        assert_eq!(a_day().unwrap(), expected);
    }
}
