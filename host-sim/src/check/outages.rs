//! Outages: what left and when, and whose promises that broke. Rule 22.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    findings::Findings,
    operations::{Histories, History, is_by_outage},
    settings::{Settings, Slots},
};
use crate::{
    files::{Job, Move, OutageRow, PeRanges, Reservation},
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
    for row in reservations {
        if let Some([id, at]) = row.broken() {
            counts.broken((id, at), row, found);
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
    if let Some(histories) = histories {
        for row in reservations.iter().filter(|row| row.is_accepted()) {
            if let (Some([id, at]), Some(history)) = (row.broken(), histories.of(row.job_id)) {
                let of_it = outages
                    .iter()
                    .filter(|outage| (outage.id, outage.announced) == (id, at));
                met(history, of_it.last(), at, slots, found);
            }
        }
    }
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

/// A promise is broken by an outage that meets what was booked; what runs, only by a failure.
fn met(history: &History, outage: Option<&OutageRow>, at: u64, slots: Slots, found: &mut Findings) {
    let Some(outage) = outage else { return };
    let booking = history.booking;
    if history.has_run() {
        found.require(history.job_id, outage.kind == OutageKind::Failure, || {
            format!("runs and is broken at {at} by maintenance {}", outage.id)
        });
        return;
    }
    let meets = booking.start < slots.up(outage.end) && slots.down(outage.start) < booking.end;
    found.require(history.job_id, meets, || {
        format!(
            "broken at {at} by outage {}, which {booking} does not meet",
            outage.id
        )
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

    fn broken(&mut self, notice: (u64, u64), row: &Reservation, found: &mut Findings) {
        match self.0.get_mut(&notice) {
            Some([_, counted]) => counted[0] += 1,
            None => {
                let (id, at) = notice;
                let problem =
                    format!("broken at {at} by outage {id}, of which nothing becomes known then");
                found.add(Some(row.job_id), problem);
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
        for (place, row) in rows.iter().enumerate() {
            let same = |other: &&&OutageRow| other.announced == row.announced;
            if rows[..place].iter().any(|other| same(&other)) {
                continue;
            }
            let next = rows[place..].iter().find(|other| !same(other));
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
