//! A state of a book and a request on it, small enough for one line of text.

use std::fmt;

use bookahead::{PeCount, Request, Slot, Span};
use serde::{Deserialize, Serialize};

use super::layer::{Blend, Layer};

/// The most layers of a state.
pub(super) const LAYERS: usize = 6;

/// What is busy in each slot of a book, and a request.
///
/// It is written as one line of JSON, which gives the same state when it is read again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The slots of the ring.
    pub slots: u32,
    /// The processing elements of the machine.
    pub pes: u16,
    /// The current slot. The ring begins at this place of its arrays, so that windows wrap.
    pub now: u32,
    /// What is busy, the later layers on top of the earlier ones.
    pub layers: Vec<Layer>,
    /// The request.
    pub request: Asked,
}

/// A request, whose times count from `now`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    /// The earliest start.
    pub ready: u32,
    /// The length of the run.
    pub duration: u32,
    /// The latest end, exclusive.
    pub deadline: u32,
    /// How many processing elements.
    pub pes: u16,
}

impl State {
    /// A state in which nothing is busy, and any window of one slot is asked for.
    #[must_use]
    pub fn idle(slots: u32, pes: u16) -> Self {
        Self {
            slots,
            pes,
            now: 0,
            layers: Vec::new(),
            request: Asked {
                ready: 0,
                duration: 1,
                deadline: slots,
                pes: 1,
            },
        }
    }

    /// Brings every number into its range. A state that this does not change is valid.
    pub fn fit(&mut self) {
        self.slots = self.slots.max(1);
        self.pes = self.pes.max(1);
        self.now %= self.slots;
        self.layers.truncate(LAYERS);
        for layer in &mut self.layers {
            layer.fit(self.slots, self.pes);
        }
        let Asked {
            ready,
            duration,
            deadline,
            pes,
        } = &mut self.request;
        *pes = (*pes).clamp(1, self.pes);
        *duration = (*duration).clamp(1, self.slots);
        *ready = (*ready).min(self.slots - *duration);
        *deadline = (*deadline).clamp(*ready + *duration, self.slots);
    }

    /// The request in the terms of a book whose current slot is that of the state.
    #[must_use]
    pub fn request(&self) -> Request {
        Request {
            ready: self.slot(self.request.ready),
            duration: Span::new(self.request.duration),
            deadline: self.slot(self.request.deadline),
            pes: PeCount::new(self.request.pes.into()),
        }
    }

    /// The slot so many after the current one.
    #[must_use]
    pub fn slot(&self, offset: u32) -> Slot {
        Slot::new(u64::from(self.now) + u64::from(offset))
    }

    /// How many are busy in each slot.
    #[must_use]
    pub fn counts(&self) -> Vec<u16> {
        let mut counts = vec![0_u16; self.slots as usize];
        for layer in &self.layers {
            let slots = counts[layer.from as usize..].iter_mut();
            for (slot, count) in (0..layer.len).zip(slots) {
                if let Some((busy, _)) = layer.busy(slot) {
                    *count = match layer.blend {
                        Blend::Instead => busy,
                        Blend::With => busy.max(*count),
                        Blend::Without => count.saturating_sub(busy),
                    };
                }
            }
        }
        counts
    }

    /// Which are busy in each slot: a bit for each processing element, in so many `words` for each slot.
    ///
    /// # Panics
    ///
    /// When there are fewer bits than processing elements.
    #[must_use]
    pub fn sets(&self, words: usize) -> Vec<u64> {
        let mut sets = vec![0; self.slots as usize * words];
        for layer in &self.layers {
            let runs = Runs::new(layer, self.pes, words);
            let slots = sets[layer.from as usize * words..].chunks_exact_mut(words);
            for (slot, set) in (0..layer.len).zip(slots) {
                let Some((busy, run)) = layer.busy(slot) else {
                    continue;
                };
                let members = runs.members(busy, run);
                for (here, members) in set.iter_mut().zip(members) {
                    *here = match layer.blend {
                        Blend::Instead => members,
                        Blend::With => *here | members,
                        Blend::Without => *here & !members,
                    };
                }
            }
        }
        sets
    }

    /// A like state in a ring of `slots` slots and on a machine of `pes` processing elements, of which the same shares are busy. What is shorter than half of the
    /// ring, such as the duration and what repeats itself, is either `stretched` as the ring is, or keeps its number of slots.
    #[must_use]
    pub fn resized(&self, slots: u32, pes: u16, stretched: bool) -> Self {
        let share =
            |number: u32| (u64::from(number) * u64::from(slots) / u64::from(self.slots)) as u32;
        let in_time = |number: u32| {
            if stretched || number > self.slots / 2 {
                share(number)
            } else {
                number
            }
        };
        let in_space =
            |number: u16| (u32::from(number) * u32::from(pes) / u32::from(self.pes)) as u16;
        let mut state = self.clone();
        (state.slots, state.pes) = (slots, pes);
        state.now = in_time(self.now);
        for layer in &mut state.layers {
            (layer.from, layer.len) = (share(layer.from), share(layer.len));
            for number in [
                &mut layer.phase,
                &mut layer.hold,
                &mut layer.every,
                &mut layer.width,
            ] {
                *number = in_time(*number);
            }
            layer.low = in_space(layer.low);
            layer.high = in_space(layer.high);
            if let Some(period) = layer.period_mut() {
                *period = in_time(*period);
            }
        }
        state.request = Asked {
            ready: in_time(self.request.ready),
            duration: in_time(self.request.duration),
            deadline: slots.saturating_sub(in_time(self.slots - self.request.deadline)),
            pes: in_space(self.request.pes),
        };
        state.fit();
        state
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

/// The members of a layer, ready to be looked up.
struct Runs {
    pes: usize,
    words: usize,
    first: u64,
    turn: u64,
    /// The sets of the first so many of the order, from none to all, one after the other.
    prefixes: Vec<u64>,
}

impl Runs {
    fn new(layer: &Layer, pes: u16, words: usize) -> Self {
        let mut prefixes = Vec::with_capacity((usize::from(pes) + 1) * words);
        let mut set = vec![0_u64; words];
        prefixes.extend(&set);
        for pe in layer.members.order.of(pes) {
            set[usize::from(pe) / 64] |= 1 << (pe % 64);
            prefixes.extend(&set);
        }
        Self {
            pes: pes.into(),
            words,
            first: layer.members.first.into(),
            turn: layer.members.turn.into(),
            prefixes,
        }
    }

    /// The set of `busy` members in run number `run`, word by word.
    fn members(&self, busy: u16, run: u64) -> impl Iterator<Item = u64> {
        let prefix = |members: usize| &self.prefixes[members * self.words..][..self.words];
        let first = ((self.first + self.turn * run) % self.pes as u64) as usize;
        let end = first + usize::from(busy);
        // What lies behind the end of the order lies at its beginning.
        let words = prefix(first)
            .iter()
            .zip(prefix(end.min(self.pes)))
            .zip(prefix(end.saturating_sub(self.pes)));
        words.map(|((before, within), wrapped)| within & !before | wrapped)
    }
}
