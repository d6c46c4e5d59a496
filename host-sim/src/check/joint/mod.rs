//! Whether what is decided together fits into quotas and resources, whenever it was decided, and whether who refused had no room. Rule 29.
//!
//! Goes through the rows in their order, with all that was booked when each was decided: windows that were promised, less what was given back by then.

mod book;
mod figures;
mod pool;

use std::collections::{BTreeMap, BTreeSet};

use super::{
    bookings,
    findings::Findings,
    operations::Histories,
    settings::{Settings, Slots},
};
use crate::{
    files::{Booking, Job, Profile, Reservation},
    several::{self, Refuser, chain},
};
pub(crate) use book::Book;
pub(super) use book::books;
pub(super) use figures::{JointTotals, principals};
use pool::Pool;

/// The reasons that one of several books gives.
const ROOM: &str = "no-room";
const WIDTH: &str = "too-wide";

/// That a request asks for nothing beside the machine, where there is nothing.
pub(super) fn unasked(row: &Reservation, found: &mut Findings) {
    let cells = [&row.principal, &row.needs, &row.refused_by];
    let says = |cell: &&Option<_>| cell.as_deref().is_some_and(|cell: &str| !cell.is_empty());
    if cells.iter().any(says) {
        let problem = "is of a principal, or needs a resource, but metrics.json has neither";
        found.add(Some(row.job_id), problem.to_owned());
    }
}

/// Goes through all decisions. O(rows log rows) for each resource and level of quotas.
pub(super) fn check(
    reservations: &[Reservation],
    jobs: &[Job<'_>],
    histories: Option<&Histories>,
    settings: &Settings,
    found: &mut Findings,
) {
    let slots = settings.slots();
    let asked = reservations.iter();
    let asked: Vec<Asked> = asked.map(|row| Asked::of(row, settings, found)).collect();
    let jobs = jobs
        .iter()
        .filter(|job| job.profile == Profile::Reservation);
    let lives = reservations.iter().zip(jobs);
    let lives: Vec<Life> = lives
        .map(|(row, job)| Life::of(row, job, histories, slots))
        .collect();
    let mut course = Course {
        pools: pools(settings, &asked),
        settings,
        found,
    };
    let changes = lives.iter().enumerate();
    let changes = changes.flat_map(|(row, life)| life.changes.iter().map(move |one| (row, one)));
    let mut changes: Vec<(usize, &Change)> = changes.collect();
    // What time does at an edge comes before whatever arrives there.
    changes.sort_by_key(|(_, change)| (change.time, !change.at_edge));
    let mut changes = changes.into_iter().peekable();
    for (number, (row, life)) in reservations.iter().zip(&lives).enumerate() {
        while let Some((of, change)) =
            changes.next_if(|(_, change)| change.is_known_at(row.arrival))
        {
            course.change(&asked[of], change);
        }
        // Nobody knows in which order operations and requests of the same second came.
        let next = changes.peek();
        let together = next.is_some_and(|(_, change)| change.time == row.arrival);
        course.decide((row, &asked[number]), life.booked, together);
    }
    for (of, change) in changes {
        course.change(&asked[of], change);
    }
    for pool in course.pools.values() {
        if let Some(problem) = pool.too_much() {
            course.found.add(None, format!("{}: {problem}", pool.name));
        }
    }
}

/// What a row asks of the books, in their order: the number of the book, and how much.
struct Asked(Vec<(usize, u64)>);

impl Asked {
    /// Notes what a row does not say as the settings have it.
    fn of(row: &Reservation, settings: &Settings, found: &mut Findings) -> Self {
        let (quotas, resources) = (settings.quotas(), settings.resources());
        let id = row.job_id;
        let mut asked = Vec::new();
        if settings.binds_late() {
            asked.push((0, row.pes));
        }
        let needs = row.needs.as_deref();
        match several::needs(needs.unwrap_or_default(), resources) {
            Ok(needs) => {
                let needs = needs.into_iter().flatten().map(u64::from);
                asked.extend((1..).zip(needs).filter(|(_, need)| *need > 0));
            }
            Err(expected) => {
                let cell = needs.unwrap_or_default();
                found.add(
                    Some(id),
                    format!("needs: found {cell:?}, expected {expected}"),
                );
            }
        }
        let principal = row.principal.as_deref();
        if let Some(name) = principal.filter(|name| !name.is_empty()) {
            let place = several::find(quotas, name);
            found.require(id, place.is_some(), || {
                format!("principal: found {name:?}, expected a name among the quotas")
            });
            let chain = place.into_iter().flat_map(|place| chain(quotas, place));
            let limited = chain.filter(|one| quotas[*one].is_limited());
            asked.extend(limited.map(|one| (1 + resources.len() + one, row.pes)));
        }
        Self(asked)
    }
}

/// A reservation as it was booked at first, if it was, and what changed that.
struct Life {
    booked: Option<Booking>,
    changes: Vec<Change>,
}

/// What is booked from a time on instead of something else.
struct Change {
    time: u64,
    /// Whether time itself brings it, at a slot edge.
    at_edge: bool,
    from: Option<Booking>,
    to: Option<Booking>,
}

impl Change {
    /// Whether it is known to a request that arrives then.
    fn is_known_at(&self, arrival: u64) -> bool {
        match self.at_edge {
            true => self.time <= arrival,
            false => self.time < arrival,
        }
    }
}

impl Life {
    fn of(row: &Reservation, job: &Job<'_>, histories: Option<&Histories>, slots: Slots) -> Self {
        let freed = |(time, rest): (u64, Booking)| Change {
            time,
            at_edge: true,
            from: Some(rest),
            to: None,
        };
        if let Some(history) = histories.and_then(|histories| histories.of(row.job_id)) {
            let mut changes = history.changes.iter();
            let first = changes.next().and_then(|first| first.to);
            let ahead = |booking: Booking, time| Booking {
                start: booking.start.max(slots.down(time)),
                ..booking
            };
            let changes = changes.map(|change| Change {
                time: change.time,
                at_edge: false,
                from: change.from.map(|booking| ahead(booking, change.time)),
                to: change.to.map(|booking| ahead(booking, change.time)),
            });
            return Self {
                booked: first,
                changes: changes.chain(history.freed.map(freed)).collect(),
            };
        }
        let booked = row.booked().filter(|_| row.is_accepted());
        let booked = booked.map(|[start, end]| Booking {
            start,
            end,
            pes: row.pes,
        });
        let rest = booked.and_then(|booking| {
            let start = bookings::over(job, booking, slots)?;
            (start < booking.end).then_some((start, Booking { start, ..booking }))
        });
        Self {
            booked,
            changes: rest.map(freed).into_iter().collect(),
        }
    }
}

/// The books that rows ask for, by their numbers.
fn pools(settings: &Settings, asked: &[Asked]) -> BTreeMap<usize, Pool> {
    let asked = asked.iter().flat_map(|asked| &asked.0);
    let numbers: BTreeSet<usize> = asked.map(|(number, _)| *number).collect();
    let (quotas, resources) = (settings.quotas(), settings.resources());
    let slot = settings.slots().0;
    let made = numbers.into_iter().map(|number| {
        let resource = number.checked_sub(1);
        let resource = resource.and_then(|place| Some((place, resources.get(place)?)));
        let (who, limits) = match (number, resource) {
            (0, _) => (Refuser::Machine, (settings.pes, None)),
            (_, Some((place, one))) => (Refuser::Resource(place), (one.units.into(), None)),
            _ => {
                let place = number - 1 - resources.len();
                let one = &quotas[place];
                let pes = one.pes.map_or(settings.pes, u64::from);
                (Refuser::Quota(place), (pes, one.budget))
            }
        };
        let name = who.in_words(quotas, resources);
        (number, Pool::new((who, name), limits, slot))
    });
    made.collect()
}

/// Goes through the decisions.
struct Course<'c, 'f> {
    pools: BTreeMap<usize, Pool>,
    settings: &'c Settings,
    found: &'f mut Findings,
}

impl Course<'_, '_> {
    fn book(&mut self, asked: &Asked, booking: Option<Booking>, back: bool) {
        for (number, pes) in &asked.0 {
            if let (Some(pool), Some(booking)) = (self.pools.get_mut(number), booking) {
                let booking = Booking {
                    pes: *pes,
                    ..booking
                };
                pool.book(booking, back);
            }
        }
    }

    fn change(&mut self, asked: &Asked, change: &Change) {
        self.book(asked, change.from, true);
        self.book(asked, change.to, false);
    }

    /// The books that a row asks for, and how much.
    fn asked<'p>(&'p self, asked: &'p Asked) -> impl Iterator<Item = (&'p Pool, u64)> + Clone {
        let pools = asked.0.iter();
        pools.filter_map(|(number, amount)| Some((self.pools.get(number)?, *amount)))
    }

    fn decide(
        &mut self,
        (row, asked): (&Reservation, &Asked),
        booked: Option<Booking>,
        together: bool,
    ) {
        let problem = match (row.is_accepted(), together) {
            (true, false) => booked.and_then(|booking| self.accepted((row, asked), booking)),
            (false, false) => self.refused(row, asked),
            (_, true) => None,
        };
        if let Some(problem) = problem {
            self.found.add(Some(row.job_id), problem);
        }
        self.book(asked, booked, false);
    }

    /// What is wrong with a place that was granted.
    fn accepted(&self, (row, asked): (&Reservation, &Asked), booking: Booking) -> Option<String> {
        if row.refused_by.as_deref().is_some_and(|by| !by.is_empty()) {
            return Some("refused_by: expected nothing, as it was accepted".to_owned());
        }
        let excess = self.asked(asked).find_map(|(pool, pes)| {
            let problem = pool.excess(Booking { pes, ..booking })?;
            Some(format!("{}: {problem}", pool.name))
        });
        if excess.is_some() || !self.settings.binds_late() {
            return excess;
        }
        let first = self.first(row, self.asked(asked));
        (first != Some(booking.start)).then(|| {
            let first = first.map_or("none".to_owned(), |first| first.to_string());
            format!(
                "starts at {}, but the first start that all allow is {first}",
                booking.start
            )
        })
    }

    /// What is wrong with a refusal for want of room, or for its size.
    fn refused(&self, row: &Reservation, asked: &Asked) -> Option<String> {
        let (quotas, resources) = (self.settings.quotas(), self.settings.resources());
        let cell = row.refused_by.as_deref().unwrap_or_default();
        let who = Refuser::parse(cell, quotas, resources);
        let wide =
            |(pool, amount): &(&Pool, u64)| pool.who != Refuser::Machine && *amount > pool.limit;
        let too_wide = self.asked(asked).find(wide).map(|(pool, _)| pool);
        let named = self.asked(asked).find(|(pool, _)| Some(pool.who) == who);
        match (&*row.reason, who) {
            (WIDTH, Some(Refuser::Together)) => {
                let pes = self.settings.pes;
                let fits = row.pes <= pes;
                fits.then(|| {
                    format!("refused for {WIDTH} by nobody, although the machine has {pes} PEs")
                })
            }
            (WIDTH, who) => match (too_wide, who) {
                (Some(pool), Some(who)) if pool.who == who => None,
                (Some(pool), _) => Some(format!(
                    "refused_by: found {cell:?}, but it asks for too much of {}",
                    pool.name
                )),
                (None, _) => Some(format!(
                    "refused for {WIDTH} by {cell:?}, which has as much"
                )),
            },
            (ROOM, _) if let Some(pool) = too_wide => Some(format!(
                "refused for {ROOM}, but it asks for too much of {}",
                pool.name
            )),
            // Whether the machine had room is judged with all that is booked on it.
            (ROOM, Some(Refuser::Machine)) => None,
            (ROOM, Some(Refuser::Together)) => {
                let full = self.without_room(row, self.asked(asked));
                if let Some(pool) = full {
                    return Some(format!(
                        "refused_by: found nobody, but {} has no room",
                        pool.name
                    ));
                }
                let known = self.settings.binds_late();
                let first = self.first(row, self.asked(asked)).filter(|_| known);
                first.map(|at| format!("refused for {ROOM}, although all have room at {at}"))
            }
            (ROOM, who) => {
                let Some((pool, amount)) = named else {
                    return Some(format!(
                        "refused_by: found {cell:?}, expected one of those that it asks for"
                    ));
                };
                if let Some(at) = self.alone(row, pool, amount) {
                    let name = &pool.name;
                    return Some(format!(
                        "refused for {ROOM} by {name}, which has room at {at}"
                    ));
                }
                let before = self
                    .asked(asked)
                    .take_while(|(pool, _)| Some(pool.who) != who);
                let before = self.without_room(row, before);
                before.map(|pool| {
                    format!(
                        "refused_by: found {cell:?}, but {} comes first and has no room",
                        pool.name
                    )
                })
            }
            (_, Some(Refuser::Together)) => None,
            (reason, _) => Some(format!(
                "refused_by: found {cell:?}, which never says {reason}"
            )),
        }
    }

    /// The first of these that has no start for a row.
    fn without_room<'p>(
        &self,
        row: &Reservation,
        mut asked: impl Iterator<Item = (&'p Pool, u64)>,
    ) -> Option<&'p Pool> {
        let full = asked.find(|(pool, amount)| self.alone(row, pool, *amount).is_none());
        full.map(|(pool, _)| pool)
    }

    /// From when on a row may start, until when, and how long it takes; nothing where its window is too short.
    fn window(&self, row: &Reservation) -> Option<([u64; 2], u64)> {
        let slots = self.settings.slots();
        let duration = slots.up(row.duration);
        let latest = slots.down(row.deadline).checked_sub(duration)?;
        Some(([slots.up(row.ready), latest], duration))
    }

    /// The first start at which one of them has room.
    fn alone(&self, row: &Reservation, pool: &Pool, amount: u64) -> Option<u64> {
        let (window, duration) = self.window(row)?;
        pool.earliest(window, duration, amount)
    }

    /// The first start at which all of them have room.
    fn first<'p>(
        &self,
        row: &Reservation,
        asked: impl Iterator<Item = (&'p Pool, u64)> + Clone,
    ) -> Option<u64> {
        let ([mut start, latest], duration) = self.window(row)?;
        loop {
            let before = start;
            for (pool, amount) in asked.clone() {
                start = pool.earliest([start, latest], duration, amount)?;
            }
            if start == before {
                return Some(start);
            }
        }
    }
}
