//! Alterations, and other placements.

use bookahead::{Alteration, Placement};
use bookahead_commands::Number;

use super::{Generator, later, pe_count, span};

impl Generator<'_, '_> {
    /// A few slots or PEs to one side or the other, now and then many.
    pub(super) fn few(&mut self, most: i64) -> Option<i64> {
        match self.source.weighted(&[(4, 0), (8, 1), (8, 2), (1, 3)])? {
            0 => Some(0),
            1 => self.source.within(-3..=3),
            2 => self.source.within(-most..=most),
            _ => self.source.one_of(&[i16::MIN.into(), i16::MAX.into()]),
        }
    }

    /// Mostly forwards, so that the direction of an alteration is mostly right.
    fn forwards(&mut self, most: i64) -> Option<i64> {
        match self.source.weighted(&[(8, 0), (8, 1), (1, 2), (1, 3)])? {
            0 => self.source.within(1..=3),
            1 => self.source.within(1..=most.max(1)),
            2 => self.source.within(-most..=0),
            _ => Some(i16::MAX.into()),
        }
    }

    /// What is altered about a reservation, most of it in the right direction.
    pub(super) fn alteration(&mut self, number: Number) -> Option<Alteration> {
        let place = self.situation.place_of(number);
        let (slots, duration, pes) = (
            self.slots(),
            i64::from(place.duration.get()),
            i64::from(place.pes.get()),
        );
        let (longest, widest) = (self.profile.duration.into(), self.profile.width.into());
        let kinds = [(3, 0), (2, 1), (2, 2), (2, 3), (2, 4), (3, 5), (1, 6)];
        Some(match self.source.weighted(&kinds)? {
            0 => Alteration::Shift {
                start: later(place.start, self.few(slots)?),
            },
            1 => Alteration::Extend {
                duration: span(duration + self.forwards(longest)?),
            },
            2 => Alteration::Shorten {
                duration: span(duration - self.forwards(longest / 2)?),
            },
            3 => Alteration::Widen {
                pes: pe_count(pes + self.forwards(widest)?),
            },
            4 => Alteration::Narrow {
                pes: pe_count(pes - self.forwards(widest / 2)?),
            },
            5 => {
                let ready = later(self.now(), self.source.within(-2..=slots - 1)?);
                let slack = self.source.within(-2..=slots - 1)?;
                let deadline = later(ready.saturating_add(place.duration), slack);
                Alteration::ChangeWindow { ready, deadline }
            }
            _ => {
                let known = self.situation.known(number);
                let asked = known.map(|known| (known.request.ready, known.request.deadline));
                let (ready, deadline) = asked.unwrap_or((place.start, place.start));
                Alteration::ChangeWindow { ready, deadline }
            }
        })
    }

    /// Another placement than the present one, mostly elsewhere in time only.
    pub(super) fn placement(&mut self, present: Placement) -> Option<Placement> {
        let by = self.few(self.slots())?;
        let (longer, wider) = match self.source.weighted(&[(4, true), (1, false)])? {
            true => (self.seldom()?, self.seldom()?),
            false => (
                self.few(self.profile.duration.into())?,
                self.few(self.profile.width.into())?,
            ),
        };
        Some(Placement {
            start: later(present.start, by),
            duration: span(i64::from(present.duration.get()) + longer),
            pes: pe_count(i64::from(present.pes.get()) + wider),
        })
    }

    fn seldom(&mut self) -> Option<i64> {
        match self.source.weighted(&[(3, true), (1, false)])? {
            true => Some(0),
            false => self.source.within(-2..=2),
        }
    }
}
