//! Moves that a strategy makes by itself: for a newcomer, or into what has become free. Rule 17.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet, VecDeque},
};

use super::{
    super::{
        findings::Findings,
        settings::{Settings, Slots},
    },
    Followed, Histories,
};
use crate::{
    engine::Cause,
    files::{Move, Operation, Reservation},
    outage::Breaker,
    rule::Rule,
};

/// The moves of one transaction.
struct Group<'a> {
    /// The first of them in moves.csv.
    place: usize,
    rows: &'a [Move],
}

/// The transactions that are still to come.
pub(super) struct Moves<'a> {
    groups: VecDeque<Group<'a>>,
    /// Before which row of moves.csv each operation happened, and whether it moved something itself.
    operated: HashMap<u64, (usize, bool)>,
    /// Accepted requests with their arrivals.
    newcomers: HashMap<u64, u64>,
    /// Newcomers that something has moved for.
    served: HashSet<u64>,
    /// Promises that were broken by time alone: when, by what, in the order in which that happens in a slot, and to whom.
    breaks: VecDeque<(u64, Reverse<Breaker>, u64)>,
    /// Those that operations broke, which let a job go on then.
    forced: HashMap<(u64, u64), Vec<u64>>,
    /// What may break promises and move others, and when.
    known: HashSet<(Breaker, u64)>,
    latest: u64,
}

/// Tells moves of the strategy from those that operations made: operations may have the name of a strategy's cause. These are their rows.
pub(in super::super) struct Movers(HashSet<u64>);

impl Movers {
    pub(in super::super) fn of(operations: &[Operation]) -> Self {
        let named = operations.iter().filter(|row| is_cause(&row.op));
        Self(named.map(|row| row.job_id).collect())
    }

    /// Whether no operation made this move.
    pub(in super::super) fn is_strategy(&self, row: &Move) -> bool {
        let operation = row.cause_job_id.filter(|id| self.0.contains(id));
        operation.is_none() && is_cause(&row.cause)
    }

    /// Whether an operation made this move.
    pub(super) fn is_operation(&self, row: &Move) -> bool {
        let displaced = Cause::DISPLACING.map(Cause::name).contains(&&*row.cause);
        !self.is_strategy(row) && !displaced
    }
}

fn is_cause(name: &str) -> bool {
    Cause::OF_STRATEGIES.map(Cause::name).contains(&name)
}

/// What has displaced the reservation, where something did that cannot wait; no operation has such a name.
pub(in super::super) fn displacer(row: &Move, settings: &Settings) -> Option<Breaker> {
    let id = row.cause_job_id.unwrap_or(u64::MAX);
    let rules = (1..).zip(settings.rules());
    let rule = rules.filter(|(number, _)| *number == id);
    let rule = rule.map(|(_, rule)| Breaker::Rule(rule.name));
    let breakers = [Breaker::Outage(id), Breaker::Overrun(id)];
    breakers
        .into_iter()
        .chain(rule)
        .find(|by| Cause::from(*by).name() == row.cause)
}

/// Whether a job takes longer than was booked, by itself.
pub(in super::super) fn goes_on(row: &Move) -> bool {
    row.cause == Cause::Overrun.name() && row.cause_job_id == Some(row.job_id)
}

impl<'a> Moves<'a> {
    pub(super) fn new(tables: &Followed<'a>, movers: &Movers, settings: &Settings) -> Self {
        let same = |one: &Move, other: &Move| {
            let cause = |row: &Move| (row.time, row.cause_job_id);
            one.cause == other.cause && cause(one) == cause(other)
        };
        let mut groups = VecDeque::new();
        let mut own = HashMap::new();
        let mut place = 0;
        for rows in tables.moves.chunk_by(same) {
            match (!movers.is_operation(&rows[0]), rows[0].cause_job_id) {
                (true, _) => groups.push_back(Group { place, rows }),
                (false, Some(cause)) => {
                    own.entry(cause).or_insert(place);
                }
                (false, None) => {}
            }
            place += rows.len();
        }
        let mut operated = HashMap::new();
        let mut before = usize::MAX;
        for operation in tables.operations.iter().rev() {
            let own = own.get(&operation.job_id).copied();
            before = own.unwrap_or(before);
            operated.insert(operation.job_id, (before, own.is_some()));
        }
        let accepted = tables.reservations.iter().filter(|row| row.is_accepted());
        let force = tables.operations.iter();
        let force = force.filter(|row| row.is_accepted() && row.is_by_force());
        let force = force.map(|row| (row.target, row.time));
        let mut forced: HashMap<_, Vec<u64>> = force.map(|force| (force, Vec::new())).collect();
        let mut breaks = Vec::new();
        for job in tables.jobs {
            let Some((by, at)) = job.metadata.broken() else {
                continue;
            };
            let force = match by {
                Breaker::Overrun(longer) => forced.get_mut(&(longer, at)),
                Breaker::Outage(_) | Breaker::Rule(_) => None,
            };
            match force {
                Some(broken) => broken.push(job.job_id),
                None => breaks.push((at, Reverse(by), job.job_id)),
            }
        }
        breaks.sort_unstable();
        let outages = tables.outages.iter();
        let outages = outages.map(|row| (Breaker::Outage(row.id), row.announced));
        let rules = settings.rules().iter();
        let since = |rule: &Rule| rule.holds(settings.slots().0)[0];
        let rules = rules.map(|rule| (Breaker::Rule(rule.name), since(rule)));
        let longer = tables.moves.iter().filter_map(longer);
        let overruns = forced.keys().copied().chain(longer);
        let overruns = overruns.map(|(job, at)| (Breaker::Overrun(job), at));
        Self {
            breaks: breaks.into(),
            known: outages.chain(rules).chain(overruns).collect(),
            forced,
            groups,
            operated,
            newcomers: accepted
                .map(|row: &Reservation| (row.job_id, row.arrival))
                .collect(),
            served: HashSet::new(),
            latest: 0,
        }
    }

    /// Follows the moves before an operation. Which of those of the same second came before one that moves nothing, nobody knows.
    pub(super) fn until(
        &mut self,
        operation: &Operation,
        histories: &mut Histories,
        settings: &Settings,
        found: &mut Findings,
    ) {
        let (before, moves) = *self
            .operated
            .get(&operation.job_id)
            .unwrap_or(&(usize::MAX, false));
        while let Some(group) = self.groups.pop_front_if(|group| {
            group.place < before && (moves || group.rows[0].time <= operation.time)
        }) {
            self.follow(&group, histories, settings, found);
        }
        self.break_before(operation.time.saturating_add(1), histories, settings, found);
    }

    /// Follows the promises that the operation broke.
    pub(super) fn after(
        &mut self,
        operation: &Operation,
        histories: &mut Histories,
        settings: &Settings,
        found: &mut Findings,
    ) {
        if !(operation.is_accepted() && operation.is_by_force()) {
            return;
        }
        let broken = self.forced.remove(&(operation.target, operation.time));
        for job_id in broken.unwrap_or_default() {
            let now = settings.slots().down(operation.time);
            break_off(job_id, [operation.time, now], histories, settings, found);
        }
    }

    /// Follows the promises that are broken before `time`.
    fn break_before(
        &mut self,
        time: u64,
        histories: &mut Histories,
        settings: &Settings,
        found: &mut Findings,
    ) {
        while let Some((at, Reverse(by), job_id)) = self.breaks.pop_front_if(|(at, ..)| *at < time)
        {
            let now = known_by(by, at, true, settings.slots());
            break_off(job_id, [at, now], histories, settings, found);
        }
    }

    /// Follows all that are left.
    pub(super) fn rest(
        mut self,
        histories: &mut Histories,
        settings: &Settings,
        found: &mut Findings,
    ) {
        while let Some(group) = self.groups.pop_front() {
            self.follow(&group, histories, settings, found);
        }
        self.break_before(u64::MAX, histories, settings, found);
    }

    fn follow(
        &mut self,
        group: &Group<'a>,
        histories: &mut Histories,
        settings: &Settings,
        found: &mut Findings,
    ) {
        let Move { time, cause, .. } = &group.rows[0];
        let (time, way) = (*time, &**cause);
        self.break_before(time, histories, settings, found);
        if let Some(by) = displacer(&group.rows[0], settings) {
            self.displace(by, group, histories, settings, found);
            return;
        }
        let given_back = [Cause::Replan, Cause::PullForward];
        let replanned = given_back.map(Cause::name).contains(&way);
        let in_space = way == Cause::Relocate.name();
        let cause = group.rows[0].cause_job_id;
        found.require(group.rows[0].job_id, time >= self.latest, || {
            format!("moves.csv: moved at {time}, below a row of {}", self.latest)
        });
        self.latest = self.latest.max(time);
        let expected = match cause {
            Some(cause) if !replanned => {
                let arrival = self.newcomers.get(&cause).copied();
                arrival == Some(time) && self.served.insert(cause)
            }
            // When it left is compared when everything is over.
            Some(cause) => histories.left(cause, time),
            None => false,
        };
        let first = group.rows[0].job_id;
        let moves = settings.moves() || settings.relocates();
        found.require(first, moves && expected, || {
            let cause = cause.map_or("nothing".to_owned(), |cause| format!("job {cause}"));
            format!("moves.csv: moved at {time} because of {cause}, which explains no move then")
        });
        let limit = settings.move_limit.filter(|_| !replanned);
        let within = limit.is_none_or(|limit| group.rows.len() as u64 <= limit);
        found.require(first, within, || {
            format!(
                "moves.csv: {} moves at {time}, over the limit",
                group.rows.len()
            )
        });
        let mut moved = HashSet::new();
        for row in group.rows {
            found.require(row.job_id, moved.insert(row.job_id), || {
                format!("moves.csv: moved twice at {time}")
            });
            found.require(row.job_id, cause != Some(row.job_id), || {
                format!("moves.csv: moves at {time} because of itself")
            });
            let is_later = row
                .before()
                .is_none_or(|from| from.start < row.after().start);
            found.require(row.job_id, settings.may_move(way, is_later), || {
                format!("moves.csv: moved at {time} by {way}, which the settings rule out")
            });
            match histories.reservation(row.job_id) {
                Some(history) if in_space => history.relocate(row, settings.slots(), found),
                Some(history) => history.juggle(row, settings.slots(), found),
                None => found.add(
                    Some(row.job_id),
                    format!("moves.csv: moved at {time}, but nothing is booked for it"),
                ),
            }
        }
    }

    /// Follows the moves of what cannot wait.
    fn displace(
        &mut self,
        by: Breaker,
        group: &Group<'a>,
        histories: &mut Histories,
        settings: &Settings,
        found: &mut Findings,
    ) {
        let by_itself = longer(&group.rows[0]).is_some();
        for row in group.rows {
            let time = row.time;
            found.require(row.job_id, time >= self.latest, || {
                format!("moves.csv: moved at {time}, below a row of {}", self.latest)
            });
            self.latest = self.latest.max(time);
            let known = self.known.contains(&(by, time));
            found.require(row.job_id, known, || match by {
                Breaker::Outage(_) => {
                    format!("moves.csv: moved at {time} by an outage that is not announced then")
                }
                Breaker::Rule(name) => {
                    format!("moves.csv: moved at {time} by rule {name}, which does not become known then")
                }
                Breaker::Overrun(job) => {
                    format!("moves.csv: moved at {time} by job {job}, which is not extended then")
                }
            });
            match histories.reservation(row.job_id) {
                Some(history) if longer(row).is_some() => history.overrun(row, settings, found),
                Some(history) => {
                    let slots = settings.slots();
                    history.displace(row, known_by(by, time, by_itself, slots), slots, found);
                }
                None => found.add(
                    Some(row.job_id),
                    format!("moves.csv: moved at {time}, but nothing is booked for it"),
                ),
            }
        }
    }
}

/// Up to when everything has happened when a reservation is displaced: a job goes on by itself before anything else happens in the slot.
fn known_by(by: Breaker, time: u64, by_itself: bool, slots: Slots) -> u64 {
    match by {
        Breaker::Overrun(_) if by_itself => time.saturating_sub(1),
        _ => slots.down(time),
    }
}

/// Which job goes on by itself, and when, if that is what the row tells.
fn longer(row: &Move) -> Option<(u64, u64)> {
    goes_on(row).then_some((row.job_id, row.time))
}

/// Follows a promise that is broken.
fn break_off(
    job_id: u64,
    [at, now]: [u64; 2],
    histories: &mut Histories,
    settings: &Settings,
    found: &mut Findings,
) {
    match histories.reservation(job_id) {
        Some(history) => history.break_off(at, now, settings.slots(), found),
        None => found.add(Some(job_id), "broken, but nothing was promised".to_owned()),
    }
}
