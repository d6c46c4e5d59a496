//! Time passes on both sides.

use bookahead::{
    Advanced, BestEffortJob, Error, EventKind, PeCount, Slot, Span, State, Ticket, UsageError,
};

use super::Harness;
use crate::difference::{same, sound};
use crate::{Difference, Happening, Number, Progress, Subject};

/// Room for all events of any advance.
pub(super) const LONG_LIST: usize = 4096;

/// An event without its name.
type Told = Option<(Slot, EventKind, Option<Ticket>)>;

impl<S: Subject> Harness<S> {
    pub(super) fn advance(&mut self, to: Slot, room: usize) -> Result<(), Difference> {
        // Short lists have the length asked for; a long one holds whatever can come.
        let room = if room < 8 { room } else { LONG_LIST };
        let before = self.subject.clone();
        let answer = self.subject.advance(to, room);
        let expected = self.oracle.advance(to, room);
        self.compare_progress(&before, answer, expected)
    }

    /// Compares what came of letting time pass, and takes the events in.
    pub(super) fn compare_progress(
        &mut self,
        before: &S,
        answer: Result<Progress<S::Handle>, Error>,
        expected: Result<Progress<Number>, Error>,
    ) -> Result<(), Difference> {
        same(
            "how far",
            &answer.as_ref().map(|(far, _)| far),
            &expected.as_ref().map(|(far, _)| far),
        )?;
        let ((how_far, events), expected) = match (answer, expected) {
            (Ok(answer), Ok((_, expected))) => (answer, expected),
            (Err(reason), _) | (_, Err(reason)) => return self.declined(before, reason),
        };
        let told: Vec<_> = events.iter().map(unnamed).collect();
        let to_tell: Vec<_> = expected.iter().map(unnamed).collect();
        same("events", &told, &to_tell)?;
        self.tally.cut_short += u64::from(how_far == Advanced::EventsWaiting);
        for (event, happening) in events.into_iter().zip(expected) {
            self.happened(event.whose, happening)?;
        }
        Ok(())
    }

    /// Goes to `to`, asking for one event after another, `most` times.
    pub(super) fn next(&mut self, to: Slot, most: u8) -> Result<(), Difference> {
        for _ in 0..most {
            let before = self.subject.clone();
            let answer = self.subject.next(to);
            let expected = self.oracle.next(to);
            if !self.compare_next(&before, answer, expected)? {
                return Ok(());
            }
            self.compare()?;
        }
        Ok(())
    }

    /// The same with the queue.
    pub(super) fn next_of_queue(&mut self, to: Slot, most: u8) -> Result<(), Difference> {
        for _ in 0..most {
            let before = self.subject.clone();
            let answer = self.subject.next_of_queue(to);
            let expected = self.queue.next(&mut self.oracle, to);
            if !self.compare_next(&before, answer, expected)? {
                return Ok(());
            }
            self.compare()?;
        }
        Ok(())
    }

    /// Compares one event; whether there was one.
    fn compare_next(
        &mut self,
        before: &S,
        answer: Result<Option<Happening<S::Handle>>, Error>,
        expected: Result<Option<Happening>, Error>,
    ) -> Result<bool, Difference> {
        let told: Result<Told, Error> = answer.map(|event| event.as_ref().map(unnamed));
        let to_tell: Result<Told, Error> = expected.map(|event| event.as_ref().map(unnamed));
        same("the next event", &told, &to_tell)?;
        match (answer, expected) {
            (Ok(Some(event)), Ok(Some(happening))) => {
                self.tally.note("one event", happening.kind.name());
                self.happened(event.whose, happening)?;
                Ok(true)
            }
            (Err(reason), _) => self.declined(before, reason).map(|()| false),
            _ => Ok(false),
        }
    }

    fn happened(&mut self, handle: S::Handle, happening: Happening) -> Result<(), Difference> {
        let Happening {
            at,
            whose: number,
            kind,
            ..
        } = happening;
        self.tally.note_event(kind);
        if kind == EventKind::BestEffortStarted {
            return self.begin(number, handle);
        }
        same("whose event it is", &self.number(handle), &Some(number))?;
        let promised = self.promises.get(&number).map(|window| window.start);
        if kind == EventKind::LateStart {
            same("the start that was promised", &Some(at), &promised)?;
            sound("a start is late once", self.late.insert(number))?;
        }
        if matches!(kind, EventKind::LateStart | EventKind::OverlayBooked) {
            self.tally.note("overlay", kind.name());
            return Ok(());
        }
        let delayed = self.late.remove(&number);
        if matches!(kind, EventKind::Started | EventKind::Missed) && !delayed {
            same("the start that was promised", &Some(at), &promised)?;
        }
        if kind == EventKind::StartFixed {
            sound("a start is fixed once", self.fixed.insert(number))?;
            return Ok(());
        }
        if kind == EventKind::Expired && Some(at) == promised {
            self.tally.note("expired", "at its start");
        }
        if kind != EventKind::Started {
            self.end(number);
        }
        Ok(())
    }

    /// Gives the book an incarnation, and the queue too, after it was refused.
    pub(super) fn restore(&mut self, incarnation: u32) -> Result<(), Difference> {
        let known = self.oracle.version().incarnation;
        self.subject.set_incarnation(incarnation);
        self.oracle.set_incarnation(incarnation);
        if incarnation != known {
            let before = self.subject.clone();
            let job = BestEffortJob {
                estimate: Span::new(1),
                pes: PeCount::new(1),
            };
            let to = self.oracle.now();
            let submitted = self.subject.submit(&job).map(drop);
            let expected = self.queue.submit(&self.oracle, &job).map(drop);
            same("a job for another book", &submitted, &expected)?;
            let advanced = self.subject.advance_queue(to, LONG_LIST).map(drop);
            let expected = self
                .queue
                .advance(&mut self.oracle, to, LONG_LIST)
                .map(drop);
            same("another book's queue", &advanced, &expected)?;
            let next = self.subject.next_of_queue(to).map(drop);
            let expected = self.queue.next(&mut self.oracle, to).map(drop);
            same("the next event of another book", &next, &expected)?;
            let foreign = UsageError::ForeignQueue.into();
            self.declined(&before, foreign)?;
        }
        self.subject.set_queue_incarnation(incarnation);
        self.queue.set_incarnation(incarnation);
        Ok(())
    }

    /// The state of a live reservation, as the tally names it.
    pub(super) fn state_of(&self, number: Number) -> &'static str {
        match self.oracle.get(number).map(|known| known.state) {
            Ok(State::Running) if self.oracle.is_ending(number) => "ending",
            Ok(state) => state.name(),
            Err(_) => "ended",
        }
    }
}

fn unnamed<H>(event: &Happening<H>) -> (Slot, EventKind, Option<Ticket>) {
    (event.at, event.kind, event.ticket)
}
