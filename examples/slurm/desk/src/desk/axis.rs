//! Times as slots.

use super::*;

/// Times as slots.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    pub(super) settings: Settings,
    /// The Unix time of slot 0.
    pub(super) epoch: i64,
}

impl Axis {
    /// The slot in which a time lies.
    pub(super) fn slot(self, time: i64) -> Slot {
        Slot::new(
            (time - self.epoch)
                .div_euclid(self.settings.slot)
                .try_into()
                .unwrap_or(0),
        )
    }

    /// The first slot that begins no earlier.
    pub(super) fn slot_from(self, time: i64) -> Slot {
        self.slot(time + self.settings.slot - 1)
    }

    /// The time at which a slot begins.
    pub(super) fn time(self, slot: Slot) -> i64 {
        i64::try_from(slot.get())
            .unwrap_or(i64::MAX)
            .saturating_mul(self.settings.slot)
            .saturating_add(self.epoch)
    }

    pub(super) fn request(self, asked: &Asked, now: i64) -> Request {
        let length = i64::from(asked.limit) * 60 + self.settings.guard;
        let slots = (length + self.settings.slot - 1).div_euclid(self.settings.slot);
        Request {
            ready: self.slot_from(asked.begin.max(now)),
            duration: Span::new(slots.try_into().unwrap_or(u32::MAX)),
            deadline: self.slot(asked.deadline),
            pes: PeCount::new(asked.nodes),
        }
    }

    /// A promise may start earlier than it was given, until so shortly before its start that Slurm would not hear of it in time.
    pub(super) fn commitment(self) -> Commitment {
        let lead = Span::new((LEAD / self.settings.slot + 1) as u32);
        Commitment::Flexible {
            kind: Flexibility::Interval,
            freeze: Freeze::Lead { lead },
        }
    }
}
