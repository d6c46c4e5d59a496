//! From any number to one that means something on the machine, so that few requests are refused at the door.

use arbitrary::Arbitrary;

/// What to ask for, relative to the current slot, so that random values are meaningful.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Ask {
    /// Ready so many slots from now; below zero is the past.
    pub lead: i16,
    /// Slots the run lasts.
    pub duration: u16,
    /// Slots between ready + duration and the deadline; below zero the window is too short.
    pub slack: i16,
    /// PEs.
    pub pes: u16,
    /// Which policy, modulo their number.
    pub policy: u8,
}

/// Asks of this policy or a higher one stay as they are: one in eight, for the door itself.
const WILD: u8 = 224;

/// The machine that numbers are folded to.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// PEs, at least one.
    pub pes: u16,
    /// Slots, at least one.
    pub slots: u16,
}

impl Size {
    /// A size up to `most`, often a small one: there everything meets everything, and soon.
    pub fn within(pes: u16, slots: u16, most: Self) -> Self {
        Self {
            pes: scaled(pes, most.pes - 1) + 1,
            slots: scaled(slots, most.slots - 1) + 1,
        }
    }

    /// The request with its numbers folded.
    pub fn ask(self, ask: Ask) -> Ask {
        if ask.policy >= WILD {
            return ask;
        }
        // From one slot in the past to one behind the ring; windows from one slot too short to one too long.
        let lead = signed(scaled(ask.lead as u16, self.slots + 1)) - 1;
        let duration = scaled(ask.duration, self.slots);
        let room = self
            .slots
            .saturating_sub(duration.saturating_add_signed(lead));
        Ask {
            lead,
            duration,
            slack: signed(scaled(ask.slack as u16, room + 2)) - 1,
            pes: scaled(ask.pes, self.pes),
            policy: ask.policy,
        }
    }
}

/// A number up to `most`; small ones are as frequent as large ones, since most of what matters happens between small ones.
fn scaled(number: u16, most: u16) -> u16 {
    let (scale, number) = (number >> 14, number & 0x3fff);
    let limit = match scale {
        0 => most.min(3),
        1 => most / 8,
        2 => most / 2,
        _ => most,
    };
    number % (limit + 1)
}

fn signed(number: u16) -> i16 {
    i16::try_from(number).unwrap_or(i16::MAX)
}
