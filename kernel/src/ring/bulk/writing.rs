//! Writing counts with all their summaries.

use core::ops::Range;

use super::{
    levels::{FAN, HEIGHT, places},
    peak_of,
};
use crate::ring::{
    axis::{Axis, BLOCK},
    counts::Counts,
};

/// How counts change.
#[derive(Clone, Copy)]
pub(super) enum Change {
    More(u16),
    Fewer(u16),
    Cleared,
    /// In whichever way, one by one.
    #[cfg(feature = "risk")]
    Any,
}

impl Change {
    /// Returns how much a count may have risen.
    const fn rise(self) -> u16 {
        match self {
            Self::More(pes) => pes,
            Self::Fewer(_) | Self::Cleared => 0,
            #[cfg(feature = "risk")]
            Self::Any => u16::MAX,
        }
    }

    /// Returns how much a count may have fallen.
    const fn fall(self) -> u16 {
        match self {
            Self::More(_) => 0,
            Self::Fewer(pes) => pes,
            Self::Cleared => u16::MAX,
            #[cfg(feature = "risk")]
            Self::Any => u16::MAX,
        }
    }

    /// Applies the change to all of `counts`.
    fn apply(self, counts: &mut [u16]) {
        match self {
            Self::More(pes) => {
                for count in counts {
                    *count = count.wrapping_add(pes);
                }
            }
            Self::Fewer(pes) => {
                for count in counts {
                    *count = count.wrapping_sub(pes);
                }
            }
            Self::Cleared => counts.fill(0),
            #[cfg(feature = "risk")]
            Self::Any => (),
        }
    }
}

/// What a summary tells of those it is of.
trait Kind {
    /// Returns the summary of `counts`.
    fn of(counts: &[u16]) -> u16;

    /// Returns whether a summary that was `before` becomes that of the part that has changed, which is `part`.
    fn reaches(part: u16, before: u16) -> bool;

    /// Returns whether a summary that is `before` may have been that of the part that has changed, which is `part` now, so that the
    /// others have to be asked. It has not been reached by the part.
    fn depends(part: u16, before: u16, change: Change) -> bool;
}

/// How many are busy at most.
enum Most {}

/// How many are busy at least.
enum Least {}

impl Kind for Most {
    fn of(counts: &[u16]) -> u16 {
        peak_of(counts)
    }

    fn reaches(part: u16, before: u16) -> bool {
        part >= before
    }

    fn depends(part: u16, before: u16, change: Change) -> bool {
        before <= part.saturating_add(change.fall())
    }
}

impl Kind for Least {
    fn of(counts: &[u16]) -> u16 {
        counts
            .iter()
            .fold(u16::MAX, |least, count| least.min(*count))
    }

    fn reaches(part: u16, before: u16) -> bool {
        part <= before
    }

    fn depends(part: u16, before: u16, change: Change) -> bool {
        before >= part.saturating_sub(change.rise())
    }
}

/// What has changed of one level.
#[derive(Clone)]
struct Changed {
    /// All that may have changed.
    all: Range<usize>,
    /// Those of them that have changed as counts do, each by the same: all but the first and the last at most.
    alike: Range<usize>,
}

impl Counts<'_> {
    /// Changes the counts of `offsets`. O(offsets). Not inlined, so that the code exists once in a program.
    #[inline(never)]
    pub(super) fn change(&mut self, axis: &Axis, offsets: Range<usize>, change: Change) {
        for indices in axis.indices(offsets) {
            if !indices.is_empty() {
                change.apply(self.busy.get_mut(indices.clone()).unwrap_or_default());
                let alike = indices.clone();
                self.renew(
                    &Changed {
                        all: indices,
                        alike,
                    },
                    change,
                );
            }
        }
    }

    /// Sets each count of `offsets`, given by its index. O(offsets).
    #[cfg(feature = "risk")]
    pub(super) fn set_each(
        &mut self,
        axis: &Axis,
        offsets: Range<usize>,
        count: impl Fn(usize) -> u16,
    ) {
        let mut rest = offsets;
        while !rest.is_empty() {
            let all = axis.first_unit(&rest, BLOCK);
            rest.start = rest.start.wrapping_add(all.len());
            for index in all.clone() {
                if let Some(busy) = self.busy.get_mut(index) {
                    *busy = count(index);
                }
            }
            self.renew(&Changed { all, alike: 0..0 }, Change::Any);
        }
    }

    /// Brings the summaries up to date, after these counts have changed.
    fn renew(&mut self, slots: &Changed, change: Change) {
        let [most, least] = places(self.blocks());
        let blocks = renew_level::<Most>(self.busy, at(self.summaries, &most, 0), slots, change);
        renew_level::<Least>(self.busy, at(self.summaries, &least, 0), slots, change);
        for (places, renew) in [
            (most, renew_level::<Most> as Renew),
            (least, renew_level::<Least> as Renew),
        ] {
            let mut changed = blocks.clone();
            for height in 1..HEIGHT {
                if changed.all.is_empty() {
                    break;
                }
                let Some([below, level]) = neighbours(self.summaries, &places, height) else {
                    return;
                };
                changed = renew(below, level, &changed, change);
            }
        }
    }
}

type Renew = fn(&[u16], &mut [u16], &Changed, Change) -> Changed;

/// Returns one level.
fn at<'s>(
    summaries: &'s mut [u16],
    places: &[Range<usize>; HEIGHT],
    height: usize,
) -> &'s mut [u16] {
    let place = places.get(height).cloned().unwrap_or_default();
    summaries.get_mut(place).unwrap_or_default()
}

/// Returns a level and the one below it, which lies before it.
fn neighbours<'s>(
    summaries: &'s mut [u16],
    places: &[Range<usize>; HEIGHT],
    height: usize,
) -> Option<[&'s mut [u16]; 2]> {
    let below = places.get(height.wrapping_sub(1))?.clone();
    let level = places.get(height)?.clone();
    let (before, behind) = summaries.split_at_mut_checked(level.start)?;
    Some([before.get_mut(below)?, behind.get_mut(..level.len())?])
}

/// Brings one level up to date, after `changed` of the one below have changed, and returns what has changed of it.
fn renew_level<K: Kind>(
    below: &[u16],
    level: &mut [u16],
    changed: &Changed,
    change: Change,
) -> Changed {
    let all = changed.all.start / FAN..changed.all.end.div_ceil(FAN).min(level.len());
    let alike = changed.alike.start.div_ceil(FAN)..changed.alike.end / FAN;
    change.apply(level.get_mut(alike.clone()).unwrap_or_default());
    let last = all.end.wrapping_sub(1);
    for edge in [all.start, last] {
        if !alike.contains(&edge)
            && let Some(summary) = level.get_mut(edge)
        {
            let from = edge.wrapping_mul(FAN);
            let of = from..from.wrapping_add(FAN);
            let part = changed.all.start.max(of.start)..changed.all.end.min(of.end);
            let part = K::of(below.get(part).unwrap_or_default());
            if K::reaches(part, *summary) {
                *summary = part;
            } else if K::depends(part, *summary, change) {
                *summary = K::of(below.get(of).unwrap_or_default());
            }
        }
        if all.len() <= 1 {
            break;
        }
    }
    Changed { all, alike }
}

impl Counts<'_> {
    /// Returns whether all summaries agree with what they are of.
    pub(super) fn levels_hold(&self) -> bool {
        let whole = self.busy.len().is_multiple_of(BLOCK);
        let [most, least] = places(self.blocks());
        let unused = self.summaries.get(least_end(&least)..);
        whole
            && unused.is_some_and(|unused| unused.iter().all(|summary| *summary == 0))
            && self.kind_holds::<Most>(&most)
            && self.kind_holds::<Least>(&least)
    }

    fn kind_holds<K: Kind>(&self, places: &[Range<usize>; HEIGHT]) -> bool {
        let mut below: &[u16] = self.busy;
        places.iter().all(|place| {
            let level = self.summaries.get(place.clone()).unwrap_or_default();
            let (groups, _) = below.as_chunks::<FAN>();
            below = level;
            groups
                .iter()
                .map(|group| K::of(group))
                .eq(level.iter().copied())
        })
    }
}

/// Returns where the summaries end: those of how many are busy at least come last.
fn least_end(least: &[Range<usize>; HEIGHT]) -> usize {
    least.last().map_or(0, |place| place.end)
}
