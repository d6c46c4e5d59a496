//! Refusals that say more about the options than about the systems.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
};

use super::screen;
use crate::{
    arrivals::Arrivals,
    engine::{
        KeyOwner, Priority, System,
        rounding::{Losses, distorts},
    },
    error::Result,
    experiment::sweep::Sampled,
    report::{
        rounding,
        words::{Setting, grouped, plural},
    },
    request::{Demand, JobRequest},
};

/// The name of the reason that something is longer than the horizon.
const TOO_LONG: &str = "too-long";

/// What is said of the run in which most requests were refused because of the horizon, of the one in which most waited because of it, of the one in which most queued jobs never ran
/// because of it, of the one in which most requests were lost to rounding, and of the one in which most refusals are those of searches that had to stop. And what is
/// said of the logs.
pub(super) struct Doubts {
    /// How a remedy is said.
    said: Setting,
    worst: Mutex<[Option<Doubt>; 5]>,
    logs: Mutex<BTreeSet<String>>,
}

/// A sentence about a share of a run.
struct Doubt {
    share: f64,
    sentence: String,
    /// The length of its slots, and how many would do where these are too few: in each run that was seen, by that length.
    slot_seconds: u32,
    slots: BTreeMap<u32, u64>,
    /// Where the run stands among those of a plan, and what tells it from them.
    of: Option<((usize, u32), String)>,
}

impl Doubt {
    /// Whether it is of a larger share, or of an equal one in an earlier run: which of two threads is first must not matter.
    fn is_worse(&self, other: &Self) -> bool {
        let order = |doubt: &Self| doubt.of.as_ref().map(|(order, _)| *order);
        match self.share.total_cmp(&other.share) {
            Ordering::Equal => order(self) < order(other),
            order => order == Ordering::Greater,
        }
    }

    /// The worse of two, which knows how many slots would do for both.
    fn or(self, other: Self) -> Self {
        let (mut worse, better) = match self.is_worse(&other) {
            true => (self, other),
            false => (other, self),
        };
        for (length, slots) in better.slots {
            let most = worse.slots.entry(length).or_default();
            *most = slots.max(*most);
        }
        worse
    }

    /// How many slots would do, if that is in doubt.
    fn remedy(&self, said: Setting) -> String {
        let most = u64::from(System::MOST_SLOTS);
        match self.slots.get(&self.slot_seconds) {
            None => String::new(),
            Some(slots) if *slots <= most => {
                format!(": {} holds all of them", said.with("slots", slots))
            }
            Some(slots) => format!(
                ": {} slots of {} s would hold all of them, and there are {} at the most: see {} for longer slots, and whether all times are in seconds",
                grouped(usize::try_from(*slots).unwrap_or(usize::MAX)),
                self.slot_seconds,
                grouped(System::MOST_SLOTS as usize),
                said.name("slot-seconds"),
            ),
        }
    }
}

/// How many requests were refused, by what it may have been.
#[derive(Clone, Copy, Default)]
pub(super) struct Refused {
    /// Because of the horizon.
    pub(super) far: usize,
    /// Not refused, but promised late because of it.
    pub(super) far_late: usize,
    /// Queued jobs that never ran because of it.
    pub(super) far_jobs: usize,
    /// Lost to rounding.
    pub(super) lost: usize,
    /// Since the search had to stop.
    pub(super) stopped: usize,
    /// In all.
    pub(super) all: usize,
}

impl Refused {
    /// By the count of each reason, that of queued jobs that never ran for it too.
    pub(super) fn of(
        by_reason: impl Fn(&str) -> usize,
        jobs: impl Fn(&str) -> usize,
        lost: usize,
        all: usize,
    ) -> Self {
        Self {
            far: by_reason("beyond-horizon") + by_reason(TOO_LONG),
            far_late: 0,
            far_jobs: jobs(TOO_LONG),
            lost,
            stopped: by_reason("work-limit"),
            all,
        }
    }
}

impl Doubts {
    /// None so far; remedies are `said` in options or keys of a plan.
    pub(super) fn new(said: Setting) -> Self {
        Self {
            said,
            worst: Mutex::default(),
            logs: Mutex::default(),
        }
    }

    /// Looks at a run, one of a plan where it is `of` one, and at what was refused in it.
    pub(super) fn see(
        &self,
        system: &System,
        arrivals: &Arrivals<'_>,
        refused: Refused,
        of: Option<&Sampled<'_>>,
    ) -> Result<()> {
        self.keys(system, arrivals)?;
        let Refused {
            far,
            far_late,
            far_jobs,
            lost,
            ..
        } = refused;
        if far + far_late + far_jobs + lost + refused.stopped == 0 {
            return Ok(());
        }
        let count = arrivals.outline.requests();
        let requests = || -> Result<_> {
            let demands = arrivals.demands.each()?;
            Ok(demands.filter_map(|demand| match demand {
                Ok(demand) => demand.request().cloned().map(Ok),
                Err(error) => Some(Err(error)),
            }))
        };
        let size = [system.slots, system.slot_seconds];
        let share = |share: usize| share as f64 / count as f64;
        let beyond = |some: usize, what: &str| -> Result<_> {
            if some == 0 {
                return Ok(None);
            }
            let slots = slots_for(requests()?, size[1])?;
            let sentence = format!("{} of {} {what}", grouped(some), plural(count, "request"));
            Ok(Some((share(some), sentence, Some(slots))))
        };
        let far = beyond(
            far,
            "refused as beyond-horizon or too-long, the longest windows",
        )?;
        let far_late = beyond(
            far_late,
            "reached beyond the horizon when they came, waited, and were promised a start once they did not; who refuses such requests at once, as the desk in front of Slurm does, would not have promised it",
        )?;
        let advice = match distorts(lost, count) {
            false => None,
            true => {
                let mut losses = Losses::below(system.slot_seconds);
                for request in requests()? {
                    losses.add(&request?);
                }
                rounding::advice(lost, &losses, size, self.said)
            }
        };
        let advice = advice.map(|advice| (share(lost), advice, None));
        let far_jobs = match far_jobs {
            0 => None,
            _ => Some(never_ran(far_jobs, arrivals, size[1])?),
        };
        let seen = [
            far,
            far_late,
            far_jobs,
            advice,
            stopped(system, refused, self.said),
        ];
        let mut worst = self.worst.lock().unwrap_or_else(PoisonError::into_inner);
        for (worst, seen) in worst.iter_mut().zip(seen) {
            let Some((share, sentence, slots)) = seen else {
                continue;
            };
            let doubt = Doubt {
                share,
                sentence,
                slot_seconds: size[1],
                slots: slots.map(|slots| (size[1], slots)).into_iter().collect(),
                of: of.map(|sampled| (sampled.order(), sampled.place())),
            };
            *worst = Some(match worst.take() {
                Some(worst) => doubt.or(worst),
                None => doubt,
            });
        }
        Ok(())
    }

    /// Keys of which none is that of anybody there order nothing, as where they are of another log.
    fn keys(&self, system: &System, arrivals: &Arrivals<'_>) -> Result<()> {
        let orders = [&system.wait, &system.queue_order];
        let given = orders.into_iter().flatten().find_map(|order| match order {
            Priority::Given(keys) => Some(keys),
            _ => None,
        });
        let Some(keys) = given else {
            return Ok(());
        };
        for demand in arrivals.demands.each()? {
            let demand = demand?;
            if keys.of(demand.job_id(), demand.user()).is_some() {
                return Ok(());
            }
        }
        let owner = match keys.of {
            KeyOwner::User => "user",
            KeyOwner::Job => "job",
        };
        let warning = format!(
            "warning: {}: {}, none of a {owner} of this workload, so that the file orders nothing",
            self.said.name("priority"),
            plural(keys.keys.len(), "key"),
        );
        self.log(Some(&warning));
        Ok(())
    }

    /// Notes what is to be said of a log, once.
    pub(super) fn log(&self, losses: Option<&String>) {
        let mut logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
        logs.extend(losses.cloned());
    }

    /// Says them, and of which of the runs of a plan they are.
    pub(super) fn warn(&self) {
        let logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
        logs.iter().for_each(|log| screen::note(log));
        let worst = self.worst.lock().unwrap_or_else(PoisonError::into_inner);
        for doubt in worst.iter().flatten() {
            let which = doubt.of.as_ref().map_or(String::new(), |(_, place)| {
                format!("in the run with most of them, of those made now ({place}), ")
            });
            let remedy = doubt.remedy(self.said);
            screen::note(&format!("warning: {which}{}{remedy}", doubt.sentence));
        }
    }
}

/// Where more than three in four refusals are those of a search that had to stop, they say little about the strategy. The limit counts
/// slots, so that short slots reach it soon.
fn stopped(
    system: &System,
    Refused { stopped, all, .. }: Refused,
    said: Setting,
) -> Option<(f64, String, Option<u64>)> {
    (4 * stopped > 3 * all).then(|| {
        let sentence = format!(
            "{}: {} of {} as work-limit: see {}, and {} for longer slots",
            system.strategy.label(),
            grouped(stopped),
            plural(all, "refusal"),
            said.name("work-limit"),
            said.name("slot-seconds"),
        );
        (stopped as f64 / all as f64, sentence, None)
    })
}

/// Which share of the queued jobs never ran since they are longer than the horizon, and how many slots would hold the longest.
fn never_ran(
    far: usize,
    arrivals: &Arrivals<'_>,
    slot_seconds: u32,
) -> Result<(f64, String, Option<u64>)> {
    let (count, mut longest) = (arrivals.outline.best_effort, 0);
    for demand in arrivals.demands.each()? {
        if let Demand::BestEffort(job) = demand? {
            longest = longest.max(job.estimate);
        }
    }
    let sentence = format!(
        "{} of {} never ran, since they are longer than the horizon (too-long in jobs.csv), and others had their room",
        grouped(far),
        plural(count, "queued job"),
    );
    let slots = longest.div_ceil(slot_seconds.into());
    Ok((far as f64 / count as f64, sentence, Some(slots)))
}

/// How many slots would hold every window. It is long jobs that do not fit, so that the share of accepted requests tells little.
fn slots_for(requests: impl Iterator<Item = Result<JobRequest>>, slot_seconds: u32) -> Result<u64> {
    let slot = u64::from(slot_seconds);
    let mut most = 0;
    for request in requests {
        let request = request?;
        most = most.max((request.deadline / slot).saturating_sub(request.arrival / slot));
    }
    Ok(most)
}
