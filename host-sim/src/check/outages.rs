//! Outages, overruns and rules: what left and when, who took longer, and whose promises that broke. Rules 22, 25 and 26.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    findings::Findings,
    operations::{Histories, History, displacer, goes_on},
    settings::{Settings, Slots},
};
use crate::{
    files::{Job, Move, OutageRow, PeRanges, Reservation},
    operation::Action,
    outage::{Breaker, OutageKind},
    output::OUTAGES,
    rule::Rule,
};

/// Checks every row of outages.csv, and what the other tables say of outages. O(rows x PEs x log).
pub(super) struct Away<'a> {
    outages: &'a [OutageRow],
    moves: &'a [Move],
    histories: Option<&'a Histories>,
    settings: &'a Settings,
    counts: Counts,
    /// What is wrong with outages.csv by itself, with what requests say, and with what jobs say.
    found: [Findings; 3],
    overruns: Overruns,
    taken: Taken,
}

/// Which jobs took longer than was booked, when they were given that time, and from when to when that was.
type Overruns = HashMap<(u64, u64), Vec<[u64; 2]>>;

impl<'a> Away<'a> {
    /// Without rows of jobs so far.
    pub(super) fn new(
        (there, outages): (bool, &'a [OutageRow]),
        (moves, histories): (&'a [Move], Option<&'a Histories>),
        settings: &'a Settings,
    ) -> Self {
        let mut found = Findings::default();
        if there != settings.loses_pes() {
            let problem = match there {
                true => format!("{OUTAGES} is there, although no PE may leave"),
                false => format!("{OUTAGES} is missing"),
            };
            found.add(None, problem);
        }
        for row in outages {
            part(row, settings, &mut found);
        }
        Self {
            outages,
            moves,
            histories,
            settings,
            counts: Counts::of(outages, &mut found),
            found: [found, Findings::default(), Findings::default()],
            overruns: overruns(moves),
            taken: Taken::of(outages),
        }
    }

    /// The next job, with the request that it comes from.
    pub(super) fn job(&mut self, job: &Job<'_>, row: Option<&Reservation>) {
        let [_, of_rows, _] = &mut self.found;
        let broken = job.metadata.broken();
        if let Some(row) = row {
            of_rows.expect(row.job_id, "broken_by and broken_at", row.broken(), broken);
        }
        self.taken.job(job, self.settings.slots());
        let Some((by, at)) = broken else {
            return;
        };
        if let Breaker::Outage(id) = by {
            self.counts.broken(id, at);
        }
        let took = self.took(job, (by, at));
        let [_, _, found] = &mut self.found;
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
        } else if let Some(history) = self.histories.and_then(|all| all.of(job.job_id)) {
            met(history, &took, (by, at), found);
        }
    }

    /// What broke the promise of a job, as far as anything became known then.
    fn took(&self, job: &Job<'_>, (by, at): (Breaker, u64)) -> Vec<Taking> {
        let slots = self.settings.slots();
        match by {
            Breaker::Outage(id) => {
                let of_it = self.outages.iter();
                let of_it = of_it.filter(|outage| (outage.id, outage.announced) == (id, at));
                let took = of_it.map(|row| Taking {
                    window: [slots.down(row.start), slots.up(row.end)],
                    stops: row.kind == OutageKind::Failure,
                });
                took.collect()
            }
            Breaker::Rule(name) => {
                let known = |rule: &&Rule| rule.name == name && rule.holds(slots.0)[0] == at;
                let rules = self.settings.rules().iter().filter(known);
                let history = self.histories.and_then(|all| all.of(job.job_id));
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
                let took = self.overruns.get(&(job, at)).into_iter().flatten();
                let took = took.map(|&window| Taking {
                    window,
                    stops: false,
                });
                took.collect()
            }
        }
    }

    /// All jobs have come.
    pub(super) fn finish(mut self, found: &mut Findings) {
        for own in self.found {
            found.append(own);
        }
        for row in self.moves {
            if let Some(Breaker::Outage(id)) = displacer(row, self.settings) {
                let history = self.histories.and_then(|all| all.of(row.job_id));
                let promised = history.and_then(History::promised_start);
                self.counts.moved(id, row, promised);
            }
        }
        self.counts.compare(found);
        self.taken
            .all_left(self.outages, self.settings.slots(), found);
    }
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

fn overruns(moves: &[Move]) -> Overruns {
    let mut overruns = Overruns::new();
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

/// Who has each processing element that was to leave at some time.
struct Taken {
    by: HashMap<u32, Vec<Stay>>,
    wanted: HashSet<u32>,
}

/// Somebody has a processing element.
struct Stay {
    start: u64,
    end: u64,
    job: bool,
}

impl Taken {
    fn of(outages: &[OutageRow]) -> Self {
        let wanted = outages.iter().flat_map(|row| numbers(&row.asked));
        let mut taken = Self {
            by: HashMap::new(),
            wanted: wanted.collect(),
        };
        for row in outages {
            if let Some(times) = row.effect() {
                taken.add(times, &row.pes, false);
            }
        }
        taken
    }

    fn add(&mut self, [start, end]: [u64; 2], pes: &PeRanges, job: bool) {
        for pe in numbers(pes).filter(|pe| self.wanted.contains(pe)) {
            let stays = self.by.entry(pe).or_default();
            stays.push(Stay { start, end, job });
        }
    }

    fn job(&mut self, job: &Job<'_>, slots: Slots) {
        let Some([start, finish]) = job.ran().filter(|_| !self.wanted.is_empty()) else {
            return;
        };
        let kept = [(finish, &job.allocated_resources)];
        let back = job.metadata.given_back.iter();
        let back = back.map(|back| (back.until, &back.pes));
        for (finish, pes) in kept.into_iter().chain(back) {
            let end = slots.up(finish).max(start.saturating_add(slots.0));
            self.add([start, end], pes, true);
        }
    }

    /// What was to leave has left, unless another outage has it or, in maintenance, a job which ran before.
    fn all_left(mut self, outages: &[OutageRow], slots: Slots, found: &mut Findings) {
        for stays in self.by.values_mut() {
            stays.sort_by_key(|stay| stay.start);
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
                    for stay in self.by.get(&pe).into_iter().flatten() {
                        let stays =
                            !stay.job || row.kind == OutageKind::Maintenance && stay.start <= known;
                        if stays && stay.start <= reached {
                            reached = reached.max(stay.end);
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
}

fn numbers(pes: &PeRanges) -> impl Iterator<Item = u32> {
    // No machine has more processing elements; numbers beyond are reported elsewhere.
    const MOST: u32 = 1 << 16;
    pes.0
        .iter()
        .flat_map(|&(first, last)| first.min(MOST)..=last.min(MOST))
}
