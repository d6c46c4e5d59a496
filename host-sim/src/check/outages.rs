//! Outages: what left and when, and whose promises that broke. Rule 22.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    findings::Findings,
    operations::{Histories, History, is_by_outage},
    settings::{Settings, Slots},
};
use crate::{
    files::{Job, Move, OutageRow, PeRanges, Profile, Reservation},
    outage::OutageKind,
    output::OUTAGES,
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
    let reserved = jobs
        .iter()
        .filter(|job| job.profile == Profile::Reservation);
    for (row, job) in reservations.iter().zip(reserved) {
        let said = job.metadata.broken();
        found.expect(row.job_id, "broken_by and broken_at", row.broken(), said);
    }
    for job in jobs {
        let Some([id, at]) = job.metadata.broken() else {
            continue;
        };
        counts.broken([id, at], job.job_id, found);
        if let Some(history) = histories.and_then(|histories| histories.of(job.job_id)) {
            let of_it = outages
                .iter()
                .filter(|outage| (outage.id, outage.announced) == (id, at));
            met(history, of_it, [id, at], slots, found);
        }
    }
    let starts: HashMap<u64, u64> = reservations
        .iter()
        .filter_map(|row| Some((row.job_id, row.start?)))
        .collect();
    for row in moves.iter().filter(|row| is_by_outage(row)) {
        counts.moved(row, starts.get(&row.job_id).copied());
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

/// A promise is broken by an outage that meets what was booked; what runs, only by a failure. These are the rows of what became known then.
fn met<'a>(
    history: &History,
    mut rows: impl Iterator<Item = &'a OutageRow>,
    [id, at]: [u64; 2],
    slots: Slots,
    found: &mut Findings,
) {
    let booking = history.booking;
    if history.has_run() {
        let fails = rows.any(|row| row.kind == OutageKind::Failure);
        found.require(history.job_id, fails, || {
            format!("runs and is broken at {at} by outage {id}, which is no failure")
        });
        return;
    }
    let meets =
        rows.any(|row| booking.start < slots.up(row.end) && slots.down(row.start) < booking.end);
    found.require(history.job_id, meets, || {
        format!("broken at {at} by outage {id}, which {booking} does not meet")
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

    fn broken(&mut self, [id, at]: [u64; 2], job_id: u64, found: &mut Findings) {
        match self.0.get_mut(&(id, at)) {
            Some([_, counted]) => counted[0] += 1,
            None => {
                let problem =
                    format!("broken at {at} by outage {id}, of which nothing becomes known then");
                found.add(Some(job_id), problem);
            }
        }
    }

    fn moved(&mut self, row: &Move, promised: Option<u64>) {
        let notice = row.cause_job_id.map(|id| (id, row.time));
        if let Some([_, counted]) = notice.and_then(|notice| self.0.get_mut(&notice)) {
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
