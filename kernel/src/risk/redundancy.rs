//! Redundant reservations: replicas of a job at several sites, of which the first that can start is used.

use crate::{risk::probability::Probability, time::Slot};

/// A reservation that a site could make for a subtask, in the probabilities that [`Overlap`](crate::Overlap) returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replica {
    /// A number of the caller's choice, for instance that of the site.
    pub site: u32,
    /// Its start.
    pub start: Slot,
    /// The probability that it cannot start on time, rounded down: [`late_start`](crate::Overlap::late_start). The replica
    /// with the next start is used then.
    pub late: Probability,
    /// The probability that it starts on time and is kept, rounded down: [`kept`](crate::Overlap::kept).
    pub kept: Probability,
}

impl Replica {
    /// Returns the probability that it is kept given that it can start on time, in 2^-31.
    fn kept_if_started(&self) -> u64 {
        let started = u64::from(self.late.complement().bits());
        let kept = u64::from(self.kept.bits()) << 31;
        kept.checked_div(started).unwrap_or(0)
    }
}

/// A subtask of an application, with the replicas that could be reserved for it.
#[derive(Debug)]
pub struct Subtask<'m> {
    /// The replicas to choose from, at different sites.
    pub replicas: &'m mut [Replica],
    /// How many of them are chosen: the first so many, after [`select_replicas`].
    pub chosen: usize,
}

/// Returns how many replicas that are each kept with probability `each`, independently of each other, it takes for at least
/// one of them to be kept with probability `wanted`; `None` when `most` do not suffice. O(replicas).
///
/// Applied to the best and the worst site of a choice, it bounds the number of replicas from below and above. As printed,
/// equation 16 has these two swapped.
///
/// ```
/// use bookahead::{Probability, replicas_needed};
/// let percent = |part| Probability::rounding_up(part, 100).unwrap();
/// assert_eq!(replicas_needed(percent(80), percent(99), 16), Some(3));
/// assert_eq!(replicas_needed(percent(50), percent(99), 16), Some(7));
/// assert_eq!(replicas_needed(percent(10), percent(99), 16), None);
/// ```
///
/// Source: `xiao`, equations 15 and 16, by multiplication instead of logarithms.
#[must_use]
pub fn replicas_needed(each: Probability, wanted: Probability, most: u32) -> Option<u32> {
    let mut none = Probability::ONE;
    for count in 0..=most {
        if none.complement() >= wanted {
            return Some(count);
        }
        none = none.times_rounding_up(each.complement());
    }
    None
}

/// Returns the probability that a subtask is kept by one of the replicas, rounded down: the replicas take their turn in order
/// of start (ties: the one that is kept more probably), and the first that can start on time is used and has to be kept.
/// All others are released then, so that they are no help if it is stopped later. O(replicas^2).
///
/// ```
/// use bookahead::{Replica, Probability, Slot, kept_by_any};
/// let percent = |part| Probability::rounding_down(part, 100).unwrap();
/// let replica = |start| Replica { site: 0, start: Slot::new(start), late: percent(20), kept: percent(64) };
/// // Each of five sites starts with .8 and is kept with .8 after that: .8 (1 - .2^5). As if independent, it were .994.
/// let kept = kept_by_any(&[replica(3), replica(1), replica(5), replica(2), replica(4)]);
/// assert!((0.799_74..0.799_75).contains(&kept.get().to_num::<f64>()));
/// ```
///
/// Source: `xiao`, section 4.2; in place of equation 15, which takes the replicas as independent.
#[must_use]
pub fn kept_by_any(replicas: &[Replica]) -> Probability {
    kept_by(replicas.iter())
}

/// Chooses replicas for every subtask of an application, so that all subtasks are kept with probability `wanted`, and returns
/// the probability, rounded down. `None` when that cannot be reached by adding replicas one by one.
///
/// Each subtask first gets the replica that is kept most probably. Then, one by one, the replica is added that increases the
/// product over the subtasks most (ties: the first), until it is `wanted`. If replicas were independent, as in equation 15,
/// no choice would have fewer; as they are, one with fewer exists
/// now and then: in a test once in five hundred random applications.
///
/// O((all replicas)^2 x (replicas of a subtask)^2).
///
/// ```
/// use bookahead::{Replica, Probability, Slot, Subtask, select_replicas};
/// let percent = |part| Probability::rounding_down(part, 100).unwrap();
/// let replica = |site, late, kept| Replica { site, start: Slot::new(9), late: percent(late), kept: percent(kept) };
/// let mut one = [replica(1, 50, 50), replica(2, 10, 90), replica(3, 20, 80)];
/// let mut other = [replica(1, 1, 99)];
/// let mut application = [&mut one[..], &mut other[..]].map(|replicas| Subtask { replicas, chosen: 0 });
/// let kept = select_replicas(&mut application, percent(95)).unwrap();
/// assert!((0.970_199..0.9702).contains(&kept.get().to_num::<f64>())); // (1 - .1 x .2) x .99
/// assert_eq!(application.map(|subtask| subtask.chosen), [2, 1]);
/// assert_eq!([one[0].site, one[1].site], [2, 3]);
/// ```
///
/// Source: `xiao`, equation 8 and corollary 1.
#[must_use]
pub fn select_replicas(
    application: &mut [Subtask<'_>],
    wanted: Probability,
) -> Option<Probability> {
    for subtask in application.iter_mut() {
        subtask.chosen = 0;
        let (index, _) = subtask.best_addition()?;
        subtask.add(index)?;
    }
    loop {
        let all = application.iter().map(Subtask::kept);
        let kept = all.fold(Probability::ONE, Probability::times_rounding_down);
        if kept >= wanted {
            return Some(kept);
        }
        let mut best: Option<Addition<'_, '_>> = None;
        for subtask in application.iter_mut() {
            let addition = Addition::to(subtask);
            if let Some(addition) = addition
                && best
                    .as_ref()
                    .is_none_or(|best| addition.gains_more_than(best))
            {
                best = Some(addition);
            }
        }
        let Addition { subtask, index, .. } = best?;
        subtask.add(index)?;
    }
}

/// A replica that would make it more probable that a subtask is kept.
struct Addition<'s, 'm> {
    subtask: &'s mut Subtask<'m>,
    index: usize,
    before: Probability,
    after: Probability,
}

impl<'s, 'm> Addition<'s, 'm> {
    /// Returns the best one.
    fn to(subtask: &'s mut Subtask<'m>) -> Option<Self> {
        let before = subtask.kept();
        let (index, after) = subtask.best_addition()?;
        (after > before).then_some(Self {
            subtask,
            index,
            before,
            after,
        })
    }

    /// Returns whether it multiplies the probability by more.
    fn gains_more_than(&self, other: &Self) -> bool {
        let product = |one: Probability, other: Probability| {
            u64::from(one.bits()).wrapping_mul(other.bits().into())
        };
        product(self.after, other.before) > product(other.after, self.before)
    }
}

impl Subtask<'_> {
    /// Returns the probability that it is kept by one of the chosen replicas.
    fn kept(&self) -> Probability {
        kept_by(self.replicas.iter().take(self.chosen))
    }

    /// Returns the index, among those not chosen, of the replica with which it is kept most probably, and the probability.
    fn best_addition(&self) -> Option<(usize, Probability)> {
        let (chosen, rest) = self.replicas.split_at_checked(self.chosen)?;
        let with = rest
            .iter()
            .map(|replica| kept_by(chosen.iter().chain([replica])));
        with.enumerate().rev().max_by_key(|&(_, kept)| kept)
    }

    /// Chooses the replica of that index among those not chosen.
    fn add(&mut self, index: usize) -> Option<()> {
        let rest = self.replicas.get_mut(self.chosen..)?;
        let (upto, _) = rest.split_at_mut_checked(index.saturating_add(1))?;
        upto.rotate_right(1);
        self.chosen = self.chosen.saturating_add(1);
        Some(())
    }
}

/// As [`kept_by_any`].
fn kept_by<'a>(replicas: impl Iterator<Item = &'a Replica> + Clone) -> Probability {
    let turns = replicas.enumerate().map(|(index, replica)| {
        let turn = (
            replica.start,
            core::cmp::Reverse(replica.kept_if_started()),
            index,
        );
        (turn, replica)
    });
    let mut kept = Probability::ZERO;
    let mut all_late = Probability::ONE;
    let mut last = None;
    let next = |last| {
        let rest = turns.clone().filter(move |&(turn, _)| Some(turn) > last);
        rest.min_by_key(|&(turn, _)| turn)
    };
    while let Some((turn, replica)) = next(last) {
        kept = kept.plus(all_late.times_rounding_down(replica.kept));
        all_late = all_late.times_rounding_down(replica.late);
        last = Some(turn);
    }
    kept
}
