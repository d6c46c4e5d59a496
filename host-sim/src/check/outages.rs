//! Outages, overruns and rules: what left and when, who took longer, and whose promises that broke. Rules 22, 25 and 26.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    findings::Findings,
    operations::{Histories, History, displacer, goes_on},
    settings::{Settings, Slots},
};
use crate::{
    files::{Job, Move, OutageRow, PeRanges, Profile, Reservation},
    operation::Action,
    outage::{Breaker, OutageKind},
    output::OUTAGES,
    rule::Rule,
};

/// Checks every row of outages.csv, and what the other tables say of outages. O(rows x PEs x log).
pub(super) fn check(
    (there, outages): (bool, &[OutageRow]),
    (reservations, jobs): (&[Reservation], &[Job<'_>]),
    (moves, histories): (&[Move], Option<&Histories>),
    settings: &Settings,
    found: &mut Findings,
) {
    if there != settings.loses_pes() {
        let problem = match there {
            true => format!("{OUTAGES} is there, although no PE may leave"),
            false => format!("{OUTAGES} is missing"),
        };
        found.add(None, problem);
    }
    let slots = settings.slots();
    for row in outages {
        part(row, settings, found);
    }
    let mut counts = Counts::of(outages, found);
    let overruns = overruns(moves);
    let reserved = jobs
        .iter()
        .filter(|job| job.profile == Profile::Reservation);
    for (row, job) in reservations.iter().zip(reserved) {
        let said = job.metadata.broken();
        found.expect(row.job_id, "broken_by and broken_at", row.broken(), said);
    }
    for job in jobs {
        let Some((by, at)) = job.metadata.broken() else {
            continue;
        };
        let took = match by {
            Breaker::Outage(id) => {
                counts.broken(id, at);
                let of_it = outages.iter();
                let of_it = of_it.filter(|outage| (outage.id, outage.announced) == (id, at));
                let took = of_it.map(|row| Taking {
                    window: [slots.down(row.start), slots.up(row.end)],
                    stops: row.kind == OutageKind::Failure,
                });
                took.collect()
            }
            Breaker::Rule(name) => {
                let known = |rule: &&Rule| rule.name == name && rule.holds(slots.0)[0] == at;
                let rules = settings.rules().iter().filter(known);
                let history = histories.and_then(|histories| histories.of(job.job_id));
                let booked = history.and_then(History::booked_before);
                let took = rules.map(|rule| {
                    let end = booked.map_or(at, |booked| booked.end);
                    let start = booked.map_or(at, |booked| booked.start.max(at));
                    // Nobody knows then that it ends.
                    let window = rule.turns([start, end], slots.0).next();
                    Taking {
                        window: window.unwrap_or([end; 2]),
                        stops: window.is_some(),
                    }
                });
                took.collect()
            }
            Breaker::Overrun(job) => {
                let took = overruns.get(&(job, at)).into_iter().flatten();
                let took = took.map(|&window| Taking {
                    window,
                    stops: false,
                });
                took.collect::<Vec<_>>()
            }
        };
        if took.is_empty() {
            let problem = match by {
                Breaker::Outage(id) => {
                    format!("broken at {at} by outage {id}, of which nothing becomes known then")
                }
                Breaker::Rule(name) => {
                    format!("broken at {at} by rule {name}, which does not become known then")
                }
                Breaker::Overrun(longer) => {
                    format!("broken at {at} by job {longer}, which is not extended then")
                }
            };
            found.add(Some(job.job_id), problem);
        } else if let Some(history) = histories.and_then(|histories| histories.of(job.job_id)) {
            met(history, &took, (by, at), found);
        }
    }
    for row in moves {
        if let Some(Breaker::Outage(id)) = displacer(row, settings) {
            let history = histories.and_then(|histories| histories.of(row.job_id));
            counts.moved(id, row, history.and_then(History::promised_start));
        }
    }
    counts.compare(found);
    all_left(outages, jobs, slots, found);
}

/// A row by itself.
fn part(row: &OutageRow, settings: &Settings, found: &mut Findings) {
    let slots = settings.slots();
    let mut require = |holds: bool, problem: &dyn Fn() -> String| {
        if !holds {
            found.add(None, format!("outage {}: {}", row.id, problem()));
        }
    };
    let asked: HashSet<u32> = numbers(&row.asked).collect();
    require(!asked.is_empty(), &|| "no PE was to leave".to_owned());
    require(numbers(&row.pes).all(|pe| asked.contains(&pe)), &|| {
        format!(
            "takes {}, of which only {} were to leave",
            row.pes, row.asked
        )
    });
    let highest = settings
        .layout()
        .map_or(settings.pes, |layout| layout.numbers().into());
    require(asked.iter().all(|pe| u64::from(*pe) < highest), &|| {
        format!("takes {} of a machine of {} PEs", row.asked, settings.pes)
    });
    let Some([start, end]) = row.effect() else {
        return;
    };
    let edges = [start, end].iter().all(|edge| edge.is_multiple_of(slots.0));
    let first = slots.down(row.start).max(row.announced);
    require(edges && start >= first && end <= slots.up(row.end), &|| {
        format!(
            "is away from {start} to {end}, known since {} for {} to {}",
            row.announced, row.start, row.end
        )
    });
}

/// What cannot wait takes processing elements.
struct Taking {
    window: [u64; 2],
    /// Whether what runs on them is lost.
    stops: bool,
}

/// Which jobs took longer than was booked, when they were given that time, and from when to when that was.
fn overruns(moves: &[Move]) -> HashMap<(u64, u64), Vec<[u64; 2]>> {
    let mut overruns: HashMap<_, Vec<_>> = HashMap::new();
    for row in moves {
        let name = (Action::ExtendByForce { duration: 0 }).name();
        let by_force = goes_on(row) || row.cause == name;
        if let (true, Some(before)) = (by_force, row.before()) {
            let taken = [before.end, row.new_end];
            overruns
                .entry((row.job_id, row.time))
                .or_default()
                .push(taken);
        }
    }
    overruns
}

/// A promise is broken only by what meets it; what runs, only by a failure.
fn met(history: &History, took: &[Taking], (by, at): (Breaker, u64), found: &mut Findings) {
    let booking = history.booking;
    let (name, what) = match by {
        Breaker::Outage(id) => (format!("outage {id}"), "which is no failure"),
        Breaker::Overrun(job) => (format!("job {job}"), "which only goes on"),
        Breaker::Rule(name) => (format!("rule {name}"), "which takes nothing until its end"),
    };
    if history.has_run() {
        let stops = took.iter().any(|taking| taking.stops);
        found.require(history.job_id, stops, || {
            format!("runs and is broken at {at} by {name}, {what}")
        });
        return;
    }
    let meets =
        |taking: &Taking| booking.start < taking.window[1] && taking.window[0] < booking.end;
    found.require(history.job_id, took.iter().any(meets), || {
        format!("broken at {at} by {name}, which {booking} does not meet")
    });
}

/// What notices of outages did to reservations, as the tables tell it.
struct Counts(BTreeMap<(u64, u64), [[u64; 3]; 2]>);

impl Counts {
    const NAMES: [&'static str; 3] = ["broken", "moved", "late"];

    /// What outages.csv says.
    fn of(outages: &[OutageRow], found: &mut Findings) -> Self {
        let mut counts: BTreeMap<_, [[u64; 3]; 2]> = BTreeMap::new();
        let mut latest = 0;
        for row in outages {
            if row.announced < latest {
                found.add(None, format!("{OUTAGES} is not in order of announcement"));
            }
            latest = row.announced;
            let [said, _] = counts.entry((row.id, row.announced)).or_default();
            for (sum, count) in said.iter_mut().zip([row.broken, row.moved, row.late]) {
                *sum = sum.saturating_add(count);
            }
        }
        Self(counts)
    }

    fn broken(&mut self, id: u64, at: u64) {
        if let Some([_, counted]) = self.0.get_mut(&(id, at)) {
            counted[0] += 1;
        }
    }

    fn moved(&mut self, id: u64, row: &Move, promised: Option<u64>) {
        if let Some([_, counted]) = self.0.get_mut(&(id, row.time)) {
            counted[1] += 1;
            counted[2] += u64::from(promised.is_some_and(|start| row.new_start > start));
        }
    }

    fn compare(&self, found: &mut Findings) {
        for ((id, time), [said, counted]) in &self.0 {
            for ((name, said), counted) in Self::NAMES.iter().zip(said).zip(counted) {
                if said != counted {
                    let problem = format!(
                        "outage {id}, known at {time}: {name}: found {said}, expected {counted}"
                    );
                    found.add(None, problem);
                }
            }
        }
    }
}

/// What was to leave has left, unless another outage has it or, in maintenance, a job which ran before.
fn all_left(outages: &[OutageRow], jobs: &[Job<'_>], slots: Slots, found: &mut Findings) {
    // Who has each processing element, from when to when; of jobs also since when.
    let mut taken: HashMap<u32, Vec<Taken>> = HashMap::new();
    for row in outages {
        if let Some([start, end]) = row.effect() {
            for pe in numbers(&row.pes) {
                let taken = taken.entry(pe).or_default();
                taken.push(Taken {
                    start,
                    end,
                    job: false,
                });
            }
        }
    }
    let wanted: HashSet<u32> = outages.iter().flat_map(|row| numbers(&row.asked)).collect();
    for job in jobs {
        let Some([start, finish]) = job.ran() else {
            continue;
        };
        let kept = [(finish, &job.allocated_resources)];
        let back = job
            .metadata
            .given_back
            .iter()
            .map(|back| (back.until, &back.pes));
        for (finish, pes) in kept.into_iter().chain(back) {
            let end = slots.up(finish).max(start.saturating_add(slots.0));
            for pe in numbers(pes).filter(|pe| wanted.contains(pe)) {
                let taken = taken.entry(pe).or_default();
                taken.push(Taken {
                    start,
                    end,
                    job: true,
                });
            }
        }
    }
    for taken in taken.values_mut() {
        taken.sort_by_key(|taken| taken.start);
    }
    let mut of_outages: BTreeMap<u64, Vec<&OutageRow>> = BTreeMap::new();
    for row in outages {
        of_outages.entry(row.id).or_default().push(row);
    }
    for (id, rows) in of_outages {
        // What is known last of a slot is what counts.
        let mut notices = rows
            .chunk_by(|one, next| one.announced == next.announced)
            .peekable();
        while let Some([.., row]) = notices.next() {
            let next = notices.peek().and_then(|rows| rows.first());
            let from = slots.down(row.start).max(row.announced);
            let until = match row.end > row.start {
                true => slots.up(row.end),
                false => from,
            };
            let until = next.map_or(until, |next| until.min(next.announced));
            for pe in numbers(&row.asked) {
                let known = row.announced;
                let mut reached = from;
                for taken in taken.get(&pe).into_iter().flatten() {
                    let stays =
                        !taken.job || row.kind == OutageKind::Maintenance && taken.start <= known;
                    if stays && taken.start <= reached {
                        reached = reached.max(taken.end);
                    }
                }
                if reached < until {
                    let problem = format!("outage {id}: PE {pe} is not away at {reached}");
                    found.add(None, problem);
                }
            }
        }
    }
}

/// Somebody has a processing element.
struct Taken {
    start: u64,
    end: u64,
    job: bool,
}

fn numbers(pes: &PeRanges) -> impl Iterator<Item = u32> {
    // No machine has more processing elements; numbers beyond are reported elsewhere.
    const MOST: u32 = 1 << 16;
    pes.0
        .iter()
        .flat_map(|&(first, last)| first.min(MOST)..=last.min(MOST))
}
