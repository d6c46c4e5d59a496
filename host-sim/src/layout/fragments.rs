//! How scattered jobs lie on a machine with a layout, and what that leaves for large ones.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Layout;
use crate::{
    files::PeRanges,
    saved::{Saved, saves},
    statistics::Mean,
};

/// How scattered jobs lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fragments {
    /// Of the free processing elements of the scarce kind, the share on groups that do not have all of theirs free, over time: no job that needs a whole
    /// group's can use them.
    pub fragmentation: Option<f64>,
    /// How many these are on average.
    pub stranded_pes: Option<f64>,
    /// In how many groups a job lies, on average.
    pub groups_per_job: Option<f64>,
    /// In how many blocks of the smallest level a job lies, on average over the jobs on more than one group.
    pub blocks_per_job: Option<f64>,
}

/// What a job used: from when to when, which processing elements, and whether it kept them to its end.
pub(crate) struct Use {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) pes: PeRanges,
    pub(crate) kept: bool,
}

/// Follows all uses from `from` to the last end. O(uses x groups used + log).
pub(crate) fn fragments(
    layout: &Layout,
    from: Option<u64>,
    uses: impl Iterator<Item = Use>,
) -> Fragments {
    let mut scatter = Scatter::new(layout);
    uses.for_each(|used| scatter.add(&used));
    scatter.finish(from)
}

/// What was used so far. It keeps two changes for each group that each job used, since they are followed in order of time.
pub(crate) struct Scatter<'l> {
    layout: &'l Layout,
    events: Vec<(u64, u16, i32)>,
    groups: Mean,
    blocks: Mean,
}

impl Saved for Scatter<'_> {
    saves!(events groups blocks);
}

impl<'l> Scatter<'l> {
    pub(crate) fn new(layout: &'l Layout) -> Self {
        Self {
            layout,
            events: Vec::new(),
            groups: Mean::default(),
            blocks: Mean::default(),
        }
    }

    pub(crate) fn add(&mut self, used: &Use) {
        let layout = self.layout;
        let scarce = layout.scarce();
        let spread = layout.spread(&used.pes);
        for (&group, kinds) in &spread {
            let pes = kinds.get(scarce).copied().map_or(0, i32::from);
            if pes > 0 && used.start < used.end {
                self.events.push((used.start, group, pes));
                self.events.push((used.end, group, -pes));
            }
        }
        if used.kept && !spread.is_empty() {
            self.groups.add(spread.len() as f64);
            if let (2.., false) = (spread.len(), layout.levels.is_empty()) {
                let lies_in: BTreeSet<u16> =
                    spread.keys().map(|group| layout.block(0, *group)).collect();
                self.blocks.add(lies_in.len() as f64);
            }
        }
    }

    /// From `from` to the last end.
    pub(crate) fn finish(self, from: Option<u64>) -> Fragments {
        let Self {
            layout,
            mut events,
            groups,
            blocks,
        } = self;
        events.sort_unstable();
        let mut machine = Machine::idle(layout, layout.scarce());
        let first = from.or_else(|| events.first().map(|event| event.0));
        let mut now = first.unwrap_or_default();
        let (mut free, mut stranded, mut seconds) = (0_u128, 0_u128, 0_u128);
        for (time, group, change) in events {
            let passed = u128::from(time.saturating_sub(now));
            seconds += passed;
            free += passed * u128::from(machine.free);
            stranded += passed * u128::from(machine.free - machine.whole);
            now = now.max(time);
            machine.change(group, change);
        }
        let ratio = |part: u128, whole: u128| (whole > 0).then(|| part as f64 / whole as f64);
        Fragments {
            fragmentation: ratio(stranded, free),
            stranded_pes: ratio(stranded, seconds),
            groups_per_job: groups.mean(),
            blocks_per_job: blocks.mean(),
        }
    }
}

/// How much of the scarce kind is free.
struct Machine {
    /// How many each group has, and how many of them are free.
    groups: Vec<[i32; 2]>,
    per_group: i32,
    free: u64,
    /// Those in groups that lack none and have all free.
    whole: u64,
}

impl Machine {
    fn idle(layout: &Layout, kind: usize) -> Self {
        let per_group = layout.kinds.get(kind).map_or(0, |kind| kind.per_group);
        let groups = (0..layout.groups).map(|group| [i32::from(layout.has(group, kind)); 2]);
        let mut machine = Self {
            groups: groups.collect(),
            per_group: per_group.into(),
            free: 0,
            whole: 0,
        };
        machine.free = machine.groups.iter().map(|group| group[1] as u64).sum();
        machine.whole = machine
            .groups
            .iter()
            .map(|group| machine.whole_of(*group))
            .sum();
        machine
    }

    /// How many count as a whole group's.
    fn whole_of(&self, [_, free]: [i32; 2]) -> u64 {
        if free == self.per_group {
            free as u64
        } else {
            0
        }
    }

    /// So many more are busy in a group, or fewer. What files say twice counts once.
    fn change(&mut self, group: u16, busy: i32) {
        let Some(&before) = self.groups.get(usize::from(group)) else {
            return;
        };
        let after = [before[0], before[1] - busy];
        let shown = |[has, free]: [i32; 2]| free.clamp(0, has) as u64;
        self.free = self.free + shown(after) - shown(before);
        self.whole = self.whole + self.whole_of(after) - self.whole_of(before);
        self.groups[usize::from(group)] = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{Kind, Level};

    fn nodes() -> Layout {
        Layout {
            groups: 4,
            kinds: vec![
                Kind {
                    name: "core".into(),
                    per_group: 2,
                },
                Kind {
                    name: "gpu".into(),
                    per_group: 4,
                },
            ],
            missing: Vec::new(),
            levels: vec![Level {
                name: "rack".into(),
                groups: 2,
            }],
            partitions: Vec::new(),
        }
    }

    /// GPU i of node g is 8 + 4 g + i.
    fn used(start: u64, end: u64, pes: &[(u32, u32)]) -> Use {
        Use {
            start,
            end,
            pes: PeRanges(pes.to_vec()),
            kept: true,
        }
    }

    #[test]
    fn what_is_free_beside_a_small_job_is_stranded() {
        // One GPU of node 0 for all the time, all of node 1 for the first half.
        let uses = [
            used(0, 100, &[(0, 0), (8, 8)]),
            used(0, 50, &[(2, 3), (12, 15)]),
        ];
        let found = fragments(&nodes(), Some(0), uses.into_iter());
        // Free: 11, then 15; stranded 3 throughout.
        assert_eq!(
            found.fragmentation,
            Some(300.0 / (11.0 * 50.0 + 15.0 * 50.0))
        );
        assert_eq!(found.stranded_pes, Some(3.0));
        assert_eq!(
            (found.groups_per_job, found.blocks_per_job),
            (Some(1.0), None)
        );
    }

    #[test]
    fn jobs_on_several_groups_lie_in_blocks() {
        let uses = [
            used(0, 10, &[(8, 15)]),
            used(0, 10, &[(16, 19)]),
            used(20, 30, &[(12, 19)]),
        ];
        let found = fragments(&nodes(), Some(0), uses.into_iter());
        assert_eq!(found.blocks_per_job, Some(1.5));
        assert_eq!(found.groups_per_job, Some(5.0 / 3.0));
        assert_eq!(found.fragmentation, Some(0.0));
        assert_eq!(fragments(&nodes(), None, [].into_iter()).stranded_pes, None);
    }
}
