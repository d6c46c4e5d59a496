//! The main loop: time runs from arrival to arrival, and through everything that happens between.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
};

use bookahead::{
    Advanced, Book, Booking, Error as Denied, Event, EventKind, Handle, Misuse, PeCount, Refusal,
    Request, Ring, Slot, SlotClock, Span,
};

use super::{Outcome, Placed, desk::Desk};
use crate::{
    error::{Error, Result},
    request::{Demand, JobRequest},
};

/// Runs all demands, then the rest of the schedule.
pub(super) fn drive<R: Ring>(
    book: Book<'_, R>,
    desk: Box<dyn Desk<R>>,
    clock: SlotClock,
    demands: &[Demand],
    tick: &dyn Fn(),
) -> Result<Vec<Outcome>> {
    let mut run = Run {
        book,
        desk,
        clock,
        jobs: HashMap::new(),
        ends: BinaryHeap::new(),
        outcomes: Vec::with_capacity(demands.len()),
    };
    for demand in demands {
        run.meet(demand)?;
        tick();
    }
    while let Some(slot) = run.next_step() {
        run.step(slot)?;
    }
    Ok(run.outcomes)
}

struct Run<'a, R> {
    book: Book<'a, R>,
    desk: Box<dyn Desk<R>>,
    clock: SlotClock,
    /// Which outcome a live reservation belongs to.
    jobs: HashMap<Handle, usize>,
    /// Jobs that run for less than was booked, by the slot at which they will be over. The kernel is not told before.
    ends: BinaryHeap<Reverse<(Slot, usize, u64)>>,
    outcomes: Vec<Outcome>,
}

impl<R: Ring> Run<'_, R> {
    fn meet(&mut self, demand: &Demand) -> Result<()> {
        let Demand::Reserve(request) = demand else {
            return Err(Error::Usage(
                "a best-effort job, and no queue for it".to_owned(),
            ));
        };
        let fate = self.decide(request)?;
        self.outcomes.push(Outcome {
            demand: demand.clone(),
            fate,
        });
        Ok(())
    }

    fn decide(&mut self, request: &JobRequest) -> Result<std::result::Result<Placed, Denied>> {
        let now = self
            .clock
            .slot_rounding_down(request.arrival)
            .ok_or_else(|| Error::Internal("an arrival before the epoch".to_owned()))?;
        // The kernel's time ends before seconds do; a ring that reached across the end could not be run out.
        if now.saturating_add(self.book.horizon()) > Slot::LAST_NOW {
            return Ok(Err(Misuse::EndOfTime.into()));
        }
        while let Some(slot) = self.next_step().filter(|slot| *slot <= now) {
            self.step(slot)?;
        }
        self.advance(now)?;
        let answer = self
            .in_slots(request)
            .and_then(|request| self.desk.decide(&mut self.book, &request));
        match answer {
            Ok(booking) => {
                self.jobs.insert(booking.handle, self.outcomes.len());
                Ok(Ok(self.placed(booking)?))
            }
            Err(reason) => Ok(Err(reason)),
        }
    }

    /// The request in slots; what cannot be said in them is refused with the reason the kernel would have.
    fn in_slots(&self, request: &JobRequest) -> std::result::Result<Request, Denied> {
        let pes = u16::try_from(request.pes).map_err(|_| Refusal::TooWide)?;
        // Within one slot, rounding would hide it.
        if request.ready < request.arrival {
            return Err(Refusal::ReadyInPast.into());
        }
        let too_long = Refusal::TooLong;
        Ok(Request {
            ready: self
                .clock
                .slot_rounding_up(request.ready)
                .ok_or(Refusal::ReadyInPast)?,
            duration: self
                .clock
                .span_rounding_up(request.duration)
                .ok_or(too_long)?,
            deadline: self
                .clock
                .slot_rounding_down(request.deadline)
                .ok_or(Refusal::WindowTooShort)?,
            pes: PeCount::new(pes),
        })
    }

    fn placed(&self, booking: Booking) -> Result<Placed> {
        let window = self.book.get(booking.handle).map_err(broken)?.window;
        Ok(Placed {
            start: self.seconds(window.start)?,
            end: self.seconds(window.end)?,
            ran: 0,
            pes: Vec::new(),
        })
    }

    /// When something happens next.
    fn next_step(&self) -> Option<Slot> {
        let end = self.ends.peek().map(|Reverse((slot, ..))| *slot);
        let event = self.book.next_event();
        match (end, event) {
            (Some(end), Some(event)) => Some(end.min(event)),
            (end, event) => end.or(event),
        }
    }

    /// Everything that happens at `slot`.
    fn step(&mut self, slot: Slot) -> Result<()> {
        while let Some(Reverse((end, _, bits))) = self.ends.peek().copied()
            && end <= slot
        {
            self.ends.pop();
            // Said just before the slot begins, so that the end comes before the starts that may need its PEs.
            let handle = Handle::from_bits(bits);
            let booked = self.book.get(handle).map_err(broken)?.window.end;
            self.book.complete(handle, end).map_err(broken)?;
            self.desk.ended_early(booked, end);
        }
        self.advance(slot)
    }

    fn advance(&mut self, to: Slot) -> Result<()> {
        let mut events = heapless::Vec::<Event, 256>::new();
        loop {
            events.clear();
            let advanced = self.book.advance(to, &mut events).map_err(broken)?;
            for event in &events {
                self.note(event)?;
            }
            if advanced == Advanced::Done {
                return Ok(());
            }
        }
    }

    fn note(&mut self, event: &Event) -> Result<()> {
        match event.kind {
            EventKind::Started => self.started(event.handle, event.at),
            EventKind::Completed | EventKind::Overran => {
                self.jobs.remove(&event.handle);
                Ok(())
            }
            kind => Err(Error::Internal(format!("nobody expected {kind:?}"))),
        }
    }

    fn started(&mut self, handle: Handle, at: Slot) -> Result<()> {
        let job = *self
            .jobs
            .get(&handle)
            .ok_or_else(|| Error::Internal("a start of nobody's".to_owned()))?;
        let booked = self.book.get(handle).map_err(broken)?.window;
        let pes = ranges(self.book.pes_of(handle).map_err(broken)?.map(|pe| pe.get()));
        let nobody = || Error::Internal("a start of nobody's".to_owned());
        let outcome = self.outcomes.get_mut(job).ok_or_else(nobody)?;
        let (Demand::Reserve(request), Ok(placed)) = (&outcome.demand, &mut outcome.fate) else {
            return Err(Error::Internal("a refused job started".to_owned()));
        };
        placed.ran = request.run.min(placed.granted(request.duration));
        placed.pes = pes;
        let took = self.clock.span_rounding_up(placed.ran);
        // A job that ends inside a slot keeps it to its end, and one that ends at once keeps its first.
        let took = took.map_or(1, |span| span.get().max(1));
        let end = at.saturating_add(Span::new(took));
        if end < booked.end {
            self.ends.push(Reverse((end, job, handle.to_bits())));
        }
        Ok(())
    }

    fn seconds(&self, slot: Slot) -> Result<u64> {
        self.clock
            .seconds(slot)
            .ok_or_else(|| Error::Internal("a slot beyond the end of time".to_owned()))
    }
}

fn broken(error: Denied) -> Error {
    Error::Internal(format!("the kernel broke its word: {error}"))
}

/// Increasing numbers as inclusive ranges.
fn ranges(numbers: impl Iterator<Item = u16>) -> Vec<(u16, u16)> {
    let mut ranges: Vec<(u16, u16)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    ranges
}
