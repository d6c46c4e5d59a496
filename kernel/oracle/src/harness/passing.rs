//! What happens while time passes is what was promised.

use bookahead::{Advanced, EventKind};
use bookahead_commands::{Command, Happening, Number, Reply};

use super::Harness;
use crate::Difference;
use crate::difference::{same, sound};

impl Harness {
    /// Takes in what has happened.
    pub(super) fn pass(&mut self, command: &Command, reply: &Reply) -> Result<(), Difference> {
        let events = match reply {
            Reply::Passed(far, events) | Reply::Pulled(far, events, _) => {
                self.tally.cut_short += u64::from(*far == Advanced::EventsWaiting);
                events.as_slice()
            }
            Reply::Next(Some(event)) => {
                self.tally.note("one event", event.kind.name());
                std::slice::from_ref(event)
            }
            _ => &[],
        };
        if matches!(
            command,
            Command::AdvanceQueue(..) | Command::AdvancePulling(..)
        ) {
            let queue = &self.twin.queue;
            self.tally.looks_cut_short += u64::from(queue.is_cut_short());
        }
        self.admit();
        let mut waiting = self.situation.waiting.clone();
        let mut ended = Vec::new();
        for event in events {
            if let Some(place) = waiting.iter().position(|job| Some(*job) == event.ticket) {
                self.tally.passed += u64::from(place > 0);
                waiting.remove(place);
            }
            if self.happened(event)? {
                ended.extend(event.whose);
            }
        }
        ended.sort_unstable();
        same("who has ended", &ended, &self.dismiss())
    }

    /// Takes in one event; whether the reservation has ended with it.
    fn happened(&mut self, happening: &Happening) -> Result<bool, Difference> {
        let Happening {
            at, whose, kind, ..
        } = *happening;
        self.tally.note_event(kind);
        let Some(number) = whose else {
            sound(
                "only who is given up has no reservation",
                kind == EventKind::GaveUp,
            )?;
            return Ok(false);
        };
        match kind {
            EventKind::BestEffortStarted | EventKind::Promised => return Ok(false),
            EventKind::LateStart => {
                self.check_start(happening)?;
                sound("a start is late once", self.late.insert(number))?;
            }
            EventKind::Started | EventKind::Missed if !self.late.contains(&number) => {
                self.check_start(happening)?;
            }
            EventKind::StartFixed => {
                sound("a start is fixed once", self.fixed.insert(number))?;
            }
            EventKind::Expired if self.promised_start(number) == Some(at) => {
                self.tally.note("expired", "at its start");
            }
            _ => {}
        }
        match kind {
            EventKind::LateStart | EventKind::OverlayBooked => {
                self.tally.note("overlay", kind.name());
                return Ok(false);
            }
            EventKind::StartFixed | EventKind::RuleMet => return Ok(false),
            _ => {}
        }
        self.late.remove(&number);
        Ok(kind != EventKind::Started)
    }

    fn check_start(&self, happening: &Happening) -> Result<(), Difference> {
        let promised = happening
            .whose
            .and_then(|number| self.promised_start(number));
        let is_new = happening.whose >= Some(self.situation.next);
        if promised.is_none() && is_new {
            // It was promised by the same call, and has ended since.
            return Ok(());
        }
        same(
            "the start that was promised",
            &Some(happening.at),
            &promised,
        )
    }

    /// The start that was promised.
    fn promised_start(&self, number: Number) -> Option<bookahead::Slot> {
        self.promises.get(&number).map(|window| window.start)
    }
}
