//! How many promises had to be broken, whatever is decided.

use super::outcome::{Ended, Placed, Stretch};
use crate::request::JobRequest;

/// A job that was promised a place, with what it really needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Promise {
    /// Its earliest start (s).
    pub ready: u64,
    /// Its latest end (s).
    pub deadline: u64,
    /// How long it really runs (s).
    pub run: u64,
    /// How many processing elements.
    pub pes: u64,
}

impl Promise {
    /// When it runs wherever it is placed: from its latest start to its earliest end.
    const fn certain(&self) -> [u64; 2] {
        let latest = self.deadline.saturating_sub(self.run);
        [latest, self.ready.saturating_add(self.run)]
    }
}

/// What was promised to an accepted request; nothing where it was given back, so that nothing had to be kept.
pub(super) fn promise(request: &JobRequest, placed: &Placed) -> Option<Promise> {
    let ended = placed
        .changed
        .as_ref()
        .map_or(Ended::Over, |changed| changed.ended);
    let counts = matches!(ended, Ended::Over | Ended::Broken { .. });
    let [ready, deadline] = placed.agreed.unwrap_or([request.ready, request.deadline]);
    let run = request.run.min(placed.granted(request.duration));
    counts.then_some(Promise {
        ready: ready.max(request.arrival),
        deadline,
        run,
        pes: placed.granted_pes(),
    })
}

/// How many of these promises are broken at least, wherever they are placed in their windows, on a machine of so many processing elements of which
/// some are away for some time. O((promises + stretches) x log + moments of want x promises then).
///
/// Where a window leaves a job less choice than its length, the job runs from its latest start to its earliest end in any case. Where all those that do so at some
/// time want more than there is, some are broken, at best the widest. Times that have no job in common are added up.
///
/// ```
/// use bookahead_sim::engine::{inevitable::{Promise, least_broken}, outcome::Stretch};
/// let job = |deadline| Promise { ready: 0, deadline, run: 10, pes: 2 };
/// let away = [Stretch { start: 0, end: 20, pes: 1 }];
/// // Of four, three are left from 0 to 20. Two jobs that must start at 0 cannot both run, and two that may wait can.
/// assert_eq!(least_broken(&[job(10), job(10)], &away, 4), 1);
/// assert_eq!(least_broken(&[job(10), job(20)], &away, 4), 0);
/// ```
#[must_use]
pub fn least_broken(promises: &[Promise], away: &[Stretch], pes: u64) -> usize {
    let certain: Vec<(Promise, [u64; 2])> = promises
        .iter()
        .map(|promise| (*promise, promise.certain()))
        .filter(|(_, [from, to])| from < to)
        .collect();
    // Whether more is wanted than there is changes only where a job comes or something leaves.
    let mut moments: Vec<(u64, Change)> = Vec::new();
    for (job, (promise, [from, to])) in certain.iter().enumerate() {
        moments.push((*to, Change::Over(job, promise.pes)));
        moments.push((*from, Change::Runs(job, promise.pes)));
    }
    for stretch in away {
        moments.push((stretch.end, Change::Back(stretch.pes)));
        moments.push((stretch.start, Change::Away(stretch.pes)));
    }
    moments.sort_by_key(|(time, change)| (*time, change.rank()));
    let mut running: Vec<(usize, u64)> = Vec::new();
    let (mut wanted, mut gone) = (0_u64, 0_u64);
    let (mut least, mut counted_until) = (0, 0);
    for (place, (time, change)) in moments.iter().enumerate() {
        match *change {
            Change::Over(job, pes) => {
                running.retain(|(other, _)| *other != job);
                wanted = wanted.saturating_sub(pes);
            }
            Change::Runs(job, pes) => {
                running.push((job, pes));
                wanted = wanted.saturating_add(pes);
            }
            Change::Back(pes) => gone = gone.saturating_sub(pes),
            Change::Away(pes) => gone = gone.saturating_add(pes),
        }
        let all = moments.get(place + 1).is_none_or(|(next, _)| next != time);
        let there = pes.saturating_sub(gone);
        if !all || wanted <= there || *time < counted_until {
            continue;
        }
        let mut widths: Vec<u64> = running.iter().map(|(_, pes)| *pes).collect();
        widths.sort_unstable_by(|one, other| other.cmp(one));
        let mut left = wanted;
        for width in widths {
            if left <= there {
                break;
            }
            left -= width;
            least += 1;
        }
        let ends = running.iter().filter_map(|(job, _)| certain.get(*job));
        let last = ends.map(|(_, [_, to])| *to).max();
        counted_until = last.unwrap_or(counted_until);
    }
    least
}

/// What changes at a moment.
#[derive(Clone, Copy)]
enum Change {
    Over(usize, u64),
    Back(u64),
    Away(u64),
    Runs(usize, u64),
}

impl Change {
    /// Whatever ends comes before what begins.
    const fn rank(self) -> u8 {
        match self {
            Self::Over(..) => 0,
            Self::Back(_) => 1,
            Self::Away(_) => 2,
            Self::Runs(..) => 3,
        }
    }
}
