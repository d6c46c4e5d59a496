//! Time passes on both sides.

use bookahead::{Advanced, BestEffortJob, EventKind, PeCount, Slot, Span, State, UsageError};

use super::Harness;
use crate::Difference;
use crate::difference::{same, sound};
use bookahead_commands::{Command, Happening, Number, Reply};

/// Room for all events of any advance.
pub(super) const LONG_LIST: usize = 4096;

impl Harness {
    pub(super) fn advance(&mut self, to: Slot, room: usize) -> Result<(), Difference> {
        // Short lists have the length asked for; a long one holds whatever can come.
        let room = if room < 8 { room } else { LONG_LIST };
        self.pass(&Command::Advance(to, room))
    }

    /// Lets time pass, and takes the events in.
    pub(super) fn pass(&mut self, command: &Command) -> Result<(), Difference> {
        if let Reply::Passed(how_far, events) = self.both("events", command)? {
            self.tally.cut_short += u64::from(how_far == Advanced::EventsWaiting);
            events
                .into_iter()
                .try_for_each(|event| self.happened(event))?;
        }
        Ok(())
    }

    /// Asks for one event after another, `most` times.
    pub(super) fn next(&mut self, command: &Command, most: u8) -> Result<(), Difference> {
        for _ in 0..most {
            let Reply::Next(Some(event)) = self.both("the next event", command)? else {
                return Ok(());
            };
            self.tally.note("one event", event.kind.name());
            self.happened(event)?;
            self.compare()?;
        }
        Ok(())
    }

    fn happened(&mut self, happening: Happening) -> Result<(), Difference> {
        let Happening {
            at,
            whose: number,
            kind,
            ..
        } = happening;
        self.tally.note_event(kind);
        if kind == EventKind::BestEffortStarted {
            self.live.insert(number);
            return Ok(());
        }
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
        let known = self.twin.oracle.version().incarnation;
        let restored = Command::SetIncarnation(incarnation);
        self.ask("a book restored", &restored)?;
        if incarnation != known {
            let job = BestEffortJob {
                estimate: Span::new(1),
                pes: PeCount::new(1),
            };
            let to = self.twin.oracle.now();
            self.subject.perform(&Command::Remember);
            self.ask("a job for another book", &Command::Submit(job))?;
            let advance = Command::AdvanceQueue(to, LONG_LIST);
            self.ask("another book's queue", &advance)?;
            let next = Command::NextOfQueue(to);
            let reply = self.ask("the next event of another book", &next)?;
            let foreign = Reply::done(Err(UsageError::ForeignQueue.into()));
            same("the next event of another book", &reply, &foreign)?;
            self.check_refusal(&reply)?;
        }
        let restored = Command::SetQueueIncarnation(incarnation);
        self.ask("a queue restored", &restored).map(drop)
    }

    /// The state of a live reservation, as the tally names it.
    pub(super) fn state_of(&self, number: Number) -> &'static str {
        match self.twin.oracle.get(number).map(|known| known.state) {
            Ok(State::Running) if self.twin.oracle.is_ending(number) => "ending",
            Ok(state) => state.name(),
            Err(_) => "ended",
        }
    }
}
