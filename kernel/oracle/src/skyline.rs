//! Occupancies that defeat what a search skips: where every slot differs from its neighbours, every start is a candidate.

/// How the number of busy processing elements changes in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skyline {
    /// One step after the other, down from full, or up to it.
    Staircase {
        /// Whether it goes down.
        falling: bool,
    },
    /// Staircases of so many slots, one after the other.
    Saw {
        /// Slots of a tooth.
        period: usize,
        /// Whether each goes down.
        falling: bool,
    },
    /// Up and down again, or down and up again.
    Pyramid {
        /// Whether it goes down first.
        valley: bool,
    },
    /// Full in the first slot of every so many, and between those a little less from gap to gap, or a little more.
    Comb {
        /// Slots from one full slot to the next.
        period: usize,
        /// Whether the gaps become emptier.
        falling: bool,
    },
    /// Full but for gaps, which are too short for whoever wants more.
    Gaps {
        /// Slots from one gap to the next.
        period: usize,
        /// Slots of a gap.
        width: usize,
    },
}

impl Skyline {
    /// Every one, with teeth of many widths.
    #[must_use]
    pub fn all(slots: usize) -> Vec<Self> {
        let mut shapes = Vec::new();
        for falling in [true, false] {
            shapes.push(Self::Staircase { falling });
            shapes.push(Self::Pyramid { valley: falling });
            for period in [2, 3, 5, 17, 63, 64, 65, 200, 1_000, 4_097, slots / 3] {
                if period <= slots / 3 {
                    shapes.push(Self::Saw { period, falling });
                    shapes.push(Self::Comb { period, falling });
                }
            }
        }
        // Near ones and distant ones, one of them as long as whole blocks.
        for (period, width) in [(2, 1), (64, 1), (65, 63), (129, 1), (200, 99), (1_000, 128)] {
            if period <= slots / 3 {
                shapes.push(Self::Gaps { period, width });
            }
        }
        shapes
    }

    /// How many of `machine` are busy in a slot of `slots`.
    #[must_use]
    pub fn busy(self, slot: usize, slots: usize, machine: u16) -> u16 {
        let machine = usize::from(machine);
        let up = |slot: usize, slots: usize| slot * machine / slots;
        let turned = |falling: bool, up: usize| if falling { machine - up } else { up };
        let busy = match self {
            Self::Staircase { falling } => turned(falling, up(slot, slots)),
            Self::Saw { period, falling } => turned(falling, up(slot % period, period)),
            Self::Pyramid { valley } => {
                let from_edge = slot.min(slots - 1 - slot);
                turned(valley, up(from_edge, slots.div_ceil(2)))
            }
            Self::Gaps { period, width } if slot % period < width => 0,
            Self::Gaps { .. } => machine,
            Self::Comb { period, .. } if slot.is_multiple_of(period) => machine,
            Self::Comb { period, falling } => {
                turned(falling, up(slot / period, slots.div_ceil(period)))
            }
        };
        busy as u16
    }
}
