//! One layer of a state: how many are busy from slot to slot, and which.

use serde::{Deserialize, Serialize};

/// A stretch of slots in which something is busy, on top of the layers before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// Its first slot, counted from `now`.
    pub from: u32,
    /// Its number of slots.
    pub len: u32,
    /// How many are busy.
    pub shape: Shape,
    /// The least that are busy.
    pub low: u16,
    /// The most that are busy.
    pub high: u16,
    /// By how many slots the shape is shifted to the left.
    pub phase: u32,
    /// How many neighbouring slots have the same busy.
    pub hold: u32,
    /// Of so many slots, the first `width` belong to the layer; the others show what is below it.
    pub every: u32,
    /// See `every`.
    pub width: u32,
    /// Which are busy.
    pub members: Members,
    /// What becomes of what was busy before.
    pub blend: Blend,
}

/// How the number of busy processing elements changes in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Shape {
    /// It stays the greatest.
    Flat,
    /// It rises from the least, again and again.
    Rising {
        /// Slots from one rise to the next.
        period: u32,
    },
    /// It falls from the greatest, again and again.
    Falling {
        /// Slots from one fall to the next.
        period: u32,
    },
    /// It rises and falls again.
    Hill {
        /// Slots from one hill to the next.
        period: u32,
    },
    /// It falls and rises again.
    Valley {
        /// Slots from one valley to the next.
        period: u32,
    },
    /// It has no order.
    Random {
        /// Says which numbers it takes.
        seed: u32,
    },
}

/// Which processing elements are busy, given how many: so many in a row of some order, from some place on, and from its beginning behind its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Members {
    /// The order.
    pub order: Order,
    /// The place of the first in it.
    pub first: u16,
    /// By how much that place moves on whenever the number may change. With 0, fuller slots contain emptier ones.
    pub turn: u16,
}

/// An order of the processing elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Order {
    /// By number.
    Lowest,
    /// First each so many-th, then those after them, and so on.
    Spread {
        /// Their distance.
        gap: u16,
    },
    /// At random.
    Scattered {
        /// Says which order it is.
        seed: u32,
    },
}

/// What becomes of what was busy before a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Blend {
    /// The layer replaces it.
    Instead,
    /// Both are busy: the greater count, the union of the sets.
    With,
    /// What the layer has is free: the difference.
    Without,
}

impl Layer {
    /// How many are busy in its slot number `slot`, and how often that may have changed before; `None` where it shows what is below it.
    #[must_use]
    pub fn busy(&self, slot: u32) -> Option<(u16, u64)> {
        let at = u64::from(slot) + u64::from(self.phase);
        if at % u64::from(self.every) >= u64::from(self.width) {
            return None;
        }
        let run = at / u64::from(self.hold);
        let at = run * u64::from(self.hold);
        let range = u64::from(self.high - self.low);
        let share = |at: u64, period: u32| range * (at % u64::from(period)) / u64::from(period);
        let from_edge = |at: u64, period: u32| {
            let at = at % u64::from(period);
            let nearer = at.min(u64::from(period) - 1 - at);
            range * nearer / u64::from(period).div_ceil(2)
        };
        let above = match self.shape {
            Shape::Flat => range,
            Shape::Rising { period } => share(at, period),
            Shape::Falling { period } => range - share(at, period),
            Shape::Hill { period } => from_edge(at, period),
            Shape::Valley { period } => range - from_edge(at, period),
            Shape::Random { seed } => mixed(seed, run) % (range + 1),
        };
        Some((self.low + above as u16, run))
    }

    /// Brings every number into its range, for a state of these sizes.
    pub fn fit(&mut self, slots: u32, pes: u16) {
        self.from = self.from.min(slots - 1);
        self.len = self.len.clamp(1, slots - self.from);
        self.high = self.high.min(pes);
        if self.low > self.high {
            self.low = self.high;
        }
        self.phase %= slots;
        self.hold = self.hold.clamp(1, slots);
        self.every = self.every.clamp(1, slots);
        self.width = self.width.clamp(1, self.every);
        if let Some(period) = self.period_mut() {
            *period = (*period).clamp(1, slots);
        }
        self.members.first %= pes;
        self.members.turn %= pes;
        if let Order::Spread { gap } = &mut self.members.order {
            *gap = (*gap).clamp(1, pes);
        }
    }

    /// The period of its shape, if that has one.
    pub fn period_mut(&mut self) -> Option<&mut u32> {
        match &mut self.shape {
            Shape::Flat | Shape::Random { .. } => None,
            Shape::Rising { period }
            | Shape::Falling { period }
            | Shape::Hill { period }
            | Shape::Valley { period } => Some(period),
        }
    }
}

impl Order {
    /// The processing elements of a machine in this order.
    #[must_use]
    pub fn of(self, pes: u16) -> Vec<u16> {
        let mut all: Vec<u16> = (0..pes).collect();
        match self {
            Self::Lowest => {}
            Self::Spread { gap } => all.sort_by_key(|pe| (pe % gap, *pe)),
            Self::Scattered { seed } => all.sort_by_key(|pe| (mixed(seed, (*pe).into()), *pe)),
        }
        all
    }
}

/// A number that looks random, the same for the same arguments: SplitMix64.
fn mixed(seed: u32, number: u64) -> u64 {
    let mut bits = (u64::from(seed) << 32)
        .wrapping_add(number)
        .wrapping_add(1)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ bits >> 31
}
